// SPDX-License-Identifier: MIT
// The smallest guest: one line on the console.
#include "runtime/guest.h"

unsigned long guest_main(void)
{
    print("Hello from a guest");
    return console() ? END_OK : END_NO_DEVICE;
}
