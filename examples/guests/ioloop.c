// SPDX-License-Identifier: MIT
// A loop of the smallest I/O: NO-OPERATION on the console, or on any device.
// Parameters: n=, how often (1000); device=, hexadecimal (9).
#include "runtime/guest.h"

#define COMMAND_NOP 0x03

unsigned long guest_main(void)
{
    static struct device other;
    static const struct ccw nop = {COMMAND_NOP, CCW_SLI, 1, 0x10000};
    uint64_t n = parameter_number("n", 1000), start, us;
    uint16_t number = (uint16_t)parameter_hex("device", 0x0009);
    struct device *device = number == 0x0009 ? console() : &other;

    if (device == &other && !device_open(&other, number))
        device = NULL;
    if (!device) {
        print("ioloop: no device %lx", (unsigned long)number);
        return END_NO_DEVICE;
    }
    start = now_us();
    for (uint64_t i = 0; i < n; i++) {
        if (!device_run(device, &nop))
            return END_IO_ERROR;
        transactions++;
    }
    us = now_us() - start;
    print("ioloop: %lu starts in %lu microseconds", n, us);
    return END_OK;
}
