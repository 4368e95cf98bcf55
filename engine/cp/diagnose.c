// SPDX-License-Identifier: MIT
// The DIAGNOSE table, and what all codes have in common.
#include "cp/diagnose.h"

#include "cp/appldata.h"
#include "cp/nic.h"

void diagnose_specification(struct diagnose_call *call)
{
    cpu_program_interruption(call->cpu, PIC_SPECIFICATION_CHECK);
}

uint64_t diagnose_register(const struct diagnose_call *call, unsigned number)
{
    uint64_t value = call->cpu->gr[number & 15];
    return call->cpu->psw.ea ? value : (uint32_t)value;
}

void diagnose_set(struct diagnose_call *call, unsigned number, uint64_t value)
{
    uint64_t *gr = &call->cpu->gr[number & 15];
    *gr = call->cpu->psw.ea ? value : (*gr & ~UINT64_C(0xFFFFFFFF)) | (uint32_t)value;
}

void diagnose_cc(struct diagnose_call *call, unsigned cc)
{
    call->cpu->psw.cc = (uint8_t)cc;
}

// Ends the time slice: the one waited for may get its turn.
static void time_slice_end(struct diagnose_call *call)
{
    call->vcpu->slice_left = 0;
    cpu_request_exit(call->cpu);
}

static void yield_to(struct diagnose_call *call)
{
    struct vcpu *target = vm_vcpu(call->vm, (unsigned)(call->cpu->gr[call->x] & 0xFFFF));

    if (target && target != call->vcpu)
        time_slice_end(call);
}

static void application_data(struct diagnose_call *call)
{
    appldata_diagnose(call->cpu, call->door);
}

static void network(struct diagnose_call *call)
{
    nic_diagnose_2a8(call->vcpu, call->door);
}

static void ipl_functions(struct diagnose_call *call)
{
    machine_diagnose(call->vm->machine, call->cpu, call->door);
}

// clang-format off
static const struct diagnose_row rows[] = {
    {0x000, CLASS_ANY, diagnose_00,      "Extended identification"},
    {0x008, CLASS_ANY, diagnose_08,      "Virtual console function"},
    {0x00C, CLASS_ANY, diagnose_0c,      "Pseudo timer"},
    {0x010, CLASS_ANY, diagnose_10,      "Release pages"},
    {0x014, CLASS_ANY, diagnose_14,      "Input spool file manipulation"},
    {0x024, CLASS_ANY, diagnose_24,      "Device type and features"},
    {0x044, CLASS_ANY, time_slice_end,   "Voluntary time slice end"},
    {0x060, CLASS_ANY, diagnose_60,      "Virtual machine size"},
    {0x064, CLASS_ANY, diagnose_64,      "Named saved systems and segments"},
    {0x09C, CLASS_ANY, yield_to,         "Yield to a CPU"},
    {0x0DC, CLASS_ANY, application_data, "Application monitor data"},
    {0x204, CLASS_ANY, diagnose_204,     "Partition data"},
    {0x210, CLASS_ANY, diagnose_210,     "Device information"},
    {0x250, CLASS_ANY, diagnose_250,     "Block I/O"},
    {0x258, CLASS_ANY, diagnose_258,     "Page-fault handshaking"},
    {0x260, CLASS_ANY, diagnose_260,     "Virtual machine information"},
    {0x270, CLASS_ANY, diagnose_270,     "Extended pseudo timer"},
    {0x288, CLASS_ANY, diagnose_288,     "Watchdog timer"},
    {0x2A8, CLASS_ANY, network,          "Network frame transfer"},
    {0x2FC, CLASS_ANY, diagnose_2fc,     "Guest performance data"},
    {0x308, CLASS_ANY, ipl_functions,    "IPL functions"},
    {0},
};
// clang-format on

const struct diagnose_row *diagnose_rows(void)
{
    return rows;
}

unsigned diagnose_slot(uint32_t code)
{
    if (code % 4 == 0 && code < 0x100)
        return code / 4;
    if (code >= 0x100 && code < 0x200)
        return DIAGNOSE_SLOT_USER;
    if (code % 4 == 0 && code >= 0x200 && code < 0x400)
        return DIAGNOSE_SLOT_USER + 1 + (code - 0x200) / 4;
    return DIAGNOSE_SLOT_OTHER;
}

bool diagnose_instruction(struct cpu *cpu, const struct door_call *door)
{
    struct vcpu *vcpu = cpu->owner;
    struct diagnose_call call = {.cpu = cpu,
                                 .vcpu = vcpu,
                                 .vm = vcpu->vm,
                                 .door = door,
                                 .x = door->r1,
                                 .y = door->r2,
                                 .code = (uint32_t)door->address2 & 0xFFFF};

    if (vcpu->on)
        vcpu->on->diagnose_codes[diagnose_slot(call.code)]++;
    for (const struct diagnose_row *row = rows; row->run; row++) {
        if (row->code != call.code)
            continue;
        if (row->classes != CLASS_ANY && !(row->classes & vcpu->vm->classes))
            cpu_program_interruption(cpu, PIC_PRIVILEGED_OPERATION);
        row->run(&call);
        return true;
    }
    diagnose_specification(&call);
}
