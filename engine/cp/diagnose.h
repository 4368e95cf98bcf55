// SPDX-License-Identifier: MIT
// DIAGNOSE: CP services for programs in virtual machines, by code in one table (diagnose.c).
#ifndef ENDICOTT_CP_DIAGNOSE_H
#define ENDICOTT_CP_DIAGNOSE_H

#include "cp/cp.h"

#define PIC_PRIVILEGED_OPERATION 0x0002u
#define PIC_SPECIFICATION_CHECK  0x0006u

struct diagnose_call {
    struct cpu *cpu;
    struct vcpu *vcpu;
    struct vm *vm;
    const struct door_call *door;
    unsigned x, y; // register numbers: Rx, Ry
    uint32_t code;
};

struct diagnose_row {
    uint32_t code;
    class_set classes;
    void (*run)(struct diagnose_call *call);
    const char *name;
};

// cpu_host.diagnose. Always true: an unknown code is a specification exception, one that the user's
// class does not allow a privileged-operation exception.
bool diagnose_instruction(struct cpu *cpu, const struct door_call *call);
// For QUERY COMMANDS: the rows, ended by a NULL run.
const struct diagnose_row *diagnose_rows(void);

// For the functions.
_Noreturn void diagnose_specification(struct diagnose_call *call);
// A register as the addressing mode takes it: 32 bits unless in 64-bit mode.
uint64_t diagnose_register(const struct diagnose_call *call, unsigned number);
// Sets the whole register, or its right half outside of 64-bit mode.
void diagnose_set(struct diagnose_call *call, unsigned number, uint64_t value);
void diagnose_cc(struct diagnose_call *call, unsigned cc);

void diagnose_00(struct diagnose_call *call); // diagnose_identity.c
void diagnose_0c(struct diagnose_call *call);
void diagnose_24(struct diagnose_call *call); // diagnose_device.c
void diagnose_08(struct diagnose_call *call); // diagnose_command.c
void diagnose_14(struct diagnose_call *call); // diagnose_spool.c
void diagnose_10(struct diagnose_call *call); // diagnose_storage.c
void diagnose_60(struct diagnose_call *call);
void diagnose_64(struct diagnose_call *call);
void diagnose_204(struct diagnose_call *call); // diagnose_accounting.c
void diagnose_2fc(struct diagnose_call *call);
void diagnose_250(struct diagnose_call *call); // diagnose_block.c
void diagnose_258(struct diagnose_call *call); // diagnose_pfault.c
void diagnose_288(struct diagnose_call *call); // diagnose_watchdog.c
void diagnose_210(struct diagnose_call *call);
void diagnose_260(struct diagnose_call *call);
void diagnose_270(struct diagnose_call *call);

#endif
