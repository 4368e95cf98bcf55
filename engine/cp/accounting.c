// SPDX-License-Identifier: MIT
#include "cp/accounting.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/cp.h"
#include "cp/recording.h"

#define ACCOUNTING_RECORD 80u

// Totals of a virtual machine that type 01 counts from record to record.
static struct accounting_totals totals(const struct vm *vm)
{
    struct accounting_totals t = {
        .virtual_time = vm_guest_time(vm),
        .total_time = vm_total_time(vm),
        .punched = vm->cards_punched,
        .printed = vm->spool_writes - vm->cards_punched,
        .read = vm->spool_reads,
    };

    // Starts of devices that are not spooled: neither unit record (1) nor console (2).
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i])
            t.starts += vm->vcpu[i]->ssch[0] + vm->vcpu[i]->ssch[3] + vm->vcpu[i]->ssch[4] +
                        vm->vcpu[i]->ssch[5];
    return t;
}

static uint32_t milliseconds(tod_t time)
{
    return (uint32_t)(time / TOD_MILLISECOND);
}

// Type 01, by byte:
//
//    0 userid (8) | 8 account number (8) | 16 mmddyyhhmmss (12) | 28 seconds connected |
//   32 ms of CPU time | 36 ms of virtual CPU time | 40 page reads | 44 page writes |
//   48 virtual I/O starts | 52 cards punched | 56 lines printed | 60 cards read | 78 "01"
void accounting_usage(struct vm *vm)
{
    struct accounting_totals now = totals(vm), *last = &vm->accounted;
    uint8_t record[ACCOUNTING_RECORD] = {0};
    tod_t tod = clock_now(&vm->cp->world->clock);
    struct tod_calendar c = tod_calendar(tod + (uint64_t)(vm->cp->timezone * (int64_t)TOD_SECOND));
    char when[32];

    if (!last->since)
        last->since = vm->logon_time;
    snprintf(when, sizeof when, "%02d%02d%02d%02d%02d%02d", c.month, c.day, c.year % 100, c.hour,
             c.minute, c.second);
    ebcdic_field(record, 8, vm->userid);
    ebcdic_field(record + 8, 8, vm->account[0] ? vm->account : vm->userid);
    ebcdic_field(record + 16, 12, when);
    be32_store(record + 28, (uint32_t)((tod - last->since) / TOD_SECOND));
    be32_store(record + 32, milliseconds(now.total_time - last->total_time));
    be32_store(record + 36, milliseconds(now.virtual_time - last->virtual_time));
    be32_store(record + 48, (uint32_t)(now.starts - last->starts));
    be32_store(record + 52, (uint32_t)(now.punched - last->punched));
    be32_store(record + 56, (uint32_t)(now.printed - last->printed));
    be32_store(record + 60, (uint32_t)(now.read - last->read));
    ebcdic_field(record + 78, 2, "01");
    recording_add(vm->cp, RECORDING_ACCOUNT, record, sizeof record);
    *last = now;
    last->since = tod;
}
