// SPDX-License-Identifier: MIT
// DIAGNOSE X'00', X'0C' and X'270': who and when.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/diagnose.h"

#define IDENTIFICATION_BYTES 40u

// X'00': Rx addresses the area, Ry holds its length, from which what was stored is subtracted.
//
//    0 system (8) | 8 environment (2) | 10 version | 11 version code | 14 CPU address (2) |
//   16 userid (8) | 24 products (8) | 32 time zone (4) | 36 release, modification, service (2)
void diagnose_00(struct diagnose_call *call)
{
    uint8_t block[IDENTIFICATION_BYTES] = {0};
    uint64_t at = diagnose_register(call, call->x);
    uint32_t length = (uint32_t)call->cpu->gr[call->y];

    if (at % 8 || (int32_t)length <= 0)
        diagnose_specification(call);
    ebcdic_field(block, 8, "VM/ESA");
    block[10] = 7;
    block[11] = 0xFF;
    be16_store(block + 14, call->cpu->address);
    ebcdic_field(block + 16, 8, call->vm->userid);
    memset(block + 24, 0x7F, 1);
    be32_store(block + 32, (uint32_t)(int32_t)call->vm->cp->timezone);
    block[36] = 3;
    be16_store(block + 38, 2401);
    uint32_t n = length < sizeof block ? length : sizeof block;
    cpu_store_real(call->cpu, at, block, n);
    diagnose_set(call, call->y, length - n);
}

static void store_text(uint8_t *to, size_t n, const char *fmt, int a, int b, int c)
{
    char text[24];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, fmt, a, b, c);
#pragma GCC diagnostic pop
    ebcdic_field(to, n, text);
}

// The 32 bytes that both codes begin with: date, time, virtual and total CPU time in microseconds.
static struct tod_calendar store_times(const struct diagnose_call *call, uint8_t *block)
{
    const struct cp *cp = call->vm->cp;
    tod_t tod = clock_now(&cp->world->clock) + (uint64_t)(cp->timezone * (int64_t)TOD_SECOND);
    struct tod_calendar c = tod_calendar(tod);

    store_text(block, 8, "%02d/%02d/%02d", c.month, c.day, c.year % 100);
    store_text(block + 8, 8, "%02d:%02d:%02d", c.hour, c.minute, c.second);
    be64_store(block + 16, vm_guest_time(call->vm) / TOD_MICROSECOND);
    be64_store(block + 24, vm_total_time(call->vm) / TOD_MICROSECOND);
    return c;
}

void diagnose_0c(struct diagnose_call *call)
{
    uint8_t block[32];
    uint64_t at = diagnose_register(call, call->x);

    if (at % 8 || at == 0)
        diagnose_specification(call);
    store_times(call, block);
    cpu_store_real(call->cpu, at, block, sizeof block);
}

// X'270': as above with Ry = length, up to 64 bytes, and the date in the long forms.
void diagnose_270(struct diagnose_call *call)
{
    uint8_t block[64] = {0};
    uint64_t at = diagnose_register(call, call->x);
    uint32_t length = (uint32_t)call->cpu->gr[call->y];

    if (at % 8 || at == 0 || length == 0)
        diagnose_specification(call);
    struct tod_calendar c = store_times(call, block);
    store_text(block + 32, 10, "%02d/%02d/%04d", c.month, c.day, c.year);
    store_text(block + 48, 10, "%04d-%02d-%02d", c.year, c.month, c.day);
    block[58] = 1;
    block[59] = block[60] = 0x10; // the system's default format
    cpu_store_real(call->cpu, at, block, length < sizeof block ? length : sizeof block);
}
