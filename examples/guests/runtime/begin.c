// SPDX-License-Identifier: MIT
// From the entry to the guest's own program, and its end.
#include "guest.h"
#include "runtime.h"

_Noreturn void guest_begin(void)
{
    interruptions_begin();
    control_set(0, 0);
    control_set(6, 0xFF000000u); // all I/O subclasses
    guest_end(guest_main());
}

_Noreturn void guest_end(unsigned long code)
{
    uint64_t psw[2] = {PSW_64 | PSW_WAIT, code};

    for (;;)
        __asm__ volatile("lpswe %0" : : "Q"(psw) : "memory");
}
