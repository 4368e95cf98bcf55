// SPDX-License-Identifier: MIT
// The 3215 console at device number 0009, or wherever SENSE ID finds one.
#include <stdarg.h>

#include "guest.h"
#include "runtime.h"

#define COMMAND_WRITE   0x09 // with carrier return
#define COMMAND_INQUIRY 0x0A

struct device *console(void)
{
    static struct device device;
    static enum { UNKNOWN, THERE, MISSING } state;

    if (state == UNKNOWN)
        state = device_open(&device, 0x0009) || device_open_type(&device, 0x3215) ? THERE : MISSING;
    return state == THERE ? &device : NULL;
}

static void write_line(const char *line, size_t n)
{
    static uint8_t text[160];
    static struct ccw write = {COMMAND_WRITE, CCW_SLI, 0, 0};

    to_ebcdic(line, text, n);
    write.count = (uint16_t)(n ? n : 1);
    write.address = address_of(text);
    if (!n)
        text[0] = 0x40;
    if (console())
        device_run(console(), &write);
}

struct line {
    char text[150];
    size_t n;
};

static void put(struct line *line, char c)
{
    if (line->n < sizeof line->text)
        line->text[line->n++] = c;
}

static void put_number(struct line *line, unsigned long value, unsigned base)
{
    char digits[20];
    int n = 0;

    do
        digits[n++] = "0123456789ABCDEF"[value % base];
    while ((value /= base));
    while (n)
        put(line, digits[--n]);
}

void print(const char *fmt, ...)
{
    struct line line = {.n = 0};
    va_list ap;

    va_start(ap, fmt);
    for (; *fmt; fmt++) {
        if (*fmt != '%') {
            put(&line, *fmt);
            continue;
        }
        switch (*++fmt) {
        case 's':
            for (const char *s = va_arg(ap, const char *); *s; s++)
                put(&line, *s);
            break;
        case 'l': // %lu and %lx, as the compiler checks them
            fmt++;
            put_number(&line, va_arg(ap, unsigned long), *fmt == 'x' ? 16 : 10);
            break;
        default:
            put(&line, *fmt);
        }
    }
    va_end(ap);
    write_line(line.text, line.n);
}

size_t read_line(char *line, size_t size)
{
    static uint8_t text[160];
    static struct ccw read = {COMMAND_INQUIRY, CCW_SLI, sizeof text, 0};
    struct device *device = console();
    size_t n;

    if (!device || !size)
        return 0;
    while (!device->attention)
        wait_for(PSW_IO);
    device->attention = false;
    read.address = address_of(text);
    if (!device_run(device, &read))
        return 0;
    n = sizeof text - device->residual;
    if (n > size - 1)
        n = size - 1;
    to_ascii(text, line, n);
    return n;
}
