// SPDX-License-Identifier: MIT
// EXTRACT AND SET STORAGE ATTRIBUTES: a guest tells its hypervisor what it uses its pages for
// (collaborative memory management). No machine has it by itself: without a hypervisor that says so
// in its host table it is no instruction.
#include "cpu/operands.h"

// What the guest says of a page: unused contents may be thrown away, volatile ones too, potentially
// volatile ones once they are unchanged on backing store. They show in bits 60-61 of R1; bits 62-63
// say where the contents are, and here they are always in storage (0).
enum usage { USAGE_STABLE, USAGE_UNUSED, USAGE_POTENTIALLY_VOLATILE, USAGE_VOLATILE };

#define KEPT 0xFF // ask only

// By operation, M3.
static const uint8_t operations[] = {
    KEPT,           // extract
    USAGE_STABLE,   // stable
    USAGE_UNUSED,   // unused
    USAGE_VOLATILE, // volatile
    USAGE_POTENTIALLY_VOLATILE,
    USAGE_STABLE, // stable and resident
    USAGE_STABLE, // stable if resident: it is
};

PLAIN(do_essa)
{
    check(cpu, cpu->host->memory_assist, PIC_OPERATION);
    check(cpu, !cpu->psw.problem, PIC_PRIVILEGED);
    check(cpu, insn->m3 < sizeof operations, PIC_SPECIFICATION);
    uint8_t *place = storage_usage(cpu->storage, cpu_wrap(cpu, G2));
    check(cpu, place != NULL, PIC_ADDRESSING);
    uint8_t old = operations[insn->m3] == KEPT
                      ? __atomic_load_n(place, __ATOMIC_RELAXED)
                      : __atomic_exchange_n(place, operations[insn->m3], __ATOMIC_RELAXED);
    G1 = (uint64_t)old << 2;
}
