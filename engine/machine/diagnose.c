// SPDX-License-Identifier: MIT
// DIAGNOSE on a machine without CP: X'288' (watchdog), X'308' (IPL functions) and the yields. All
// else is a specification exception, as the caller of machine_diagnose() makes it.
#include <string.h>

#include "base/bytes.h"
#include "machine/internal.h"
#include "machine/watchdog.h"

#define CODE_YIELD         0x044u
#define CODE_YIELD_TO      0x09Cu
#define CODE_WATCHDOG      0x288u
#define CODE_IPL_FUNCTIONS 0x308u

#define EXCEPTION_SPECIFICATION 0x0006u

// Return codes of X'308', in the register after the first operand's.
#define RC_OK      0x0001u
#define RC_INVALID 0x0402u
#define RC_NONE    0x0102u

enum subcode {
    SUBCODE_CLEAR = 0,
    SUBCODE_LOAD_NORMAL = 1,
    SUBCODE_LOAD_CLEAR = 3,
    SUBCODE_LOAD_DUMP = 4,
    SUBCODE_SET = 5,
    SUBCODE_STORE = 6,
    SUBCODE_LOAD_KEEP = 7,
};

// IPL parameter block for a device on a channel:
//
//   0 length (4) | 4 flags (1) | 7 version 0 |
//   8 block length (4) | 12 type 2 (1) | 13 flags (1) | 16 LOADPARM (8) | 110 device number (2) |
//   112 flags (1) | 116 length of parameters (4) | 128 parameters (64)
#define BLOCK_SIZE  200u
#define BLOCK_TYPE  12
#define BLOCK_FLAGS 13
#define BLOCK_PARM  16
#define BLOCK_DEVNO 110
#define BLOCK_VM    112
#define BLOCK_COUNT 116
#define BLOCK_TEXT  128
#define TYPE_CCW    2
#define VM_PARM     0x40u
#define PARM_VALID  0x80u

static uint32_t set_block(struct machine *machine, struct cpu *cpu, uint64_t address)
{
    uint8_t block[BLOCK_SIZE];

    cpu_fetch_real(cpu, address, block, sizeof block);
    if (be32_load(block) < BLOCK_DEVNO + 2 || be32_load(block) > FRAME_SIZE || block[7] != 0 ||
        block[BLOCK_TYPE] != TYPE_CCW)
        return RC_INVALID;
    machine->ipl_device = be16_load(block + BLOCK_DEVNO);
    machine->ipl_device_valid = true;
    if (block[BLOCK_FLAGS] & PARM_VALID)
        memcpy(machine->loadparm, block + BLOCK_PARM, sizeof machine->loadparm);
    machine->ipl_parm_length = 0;
    uint32_t n = be32_load(block + BLOCK_COUNT);
    if (be32_load(block) >= BLOCK_SIZE && block[BLOCK_VM] & VM_PARM && n <= IPL_PARM_BYTES) {
        memcpy(machine->ipl_parm, block + BLOCK_TEXT, n);
        machine->ipl_parm_length = n;
    }
    return RC_OK;
}

static uint32_t store_block(struct machine *machine, struct cpu *cpu, uint64_t address)
{
    uint8_t block[BLOCK_SIZE] = {0};

    if (!machine->ipl_device_valid)
        return RC_NONE;
    be32_store(block, BLOCK_SIZE);
    be32_store(block + 8, BLOCK_SIZE - 8);
    block[BLOCK_TYPE] = TYPE_CCW;
    block[BLOCK_FLAGS] = PARM_VALID;
    memcpy(block + BLOCK_PARM, machine->loadparm, sizeof machine->loadparm);
    be16_store(block + BLOCK_DEVNO, machine->ipl_device);
    if (machine->ipl_parm_length) {
        block[BLOCK_VM] = VM_PARM;
        be32_store(block + BLOCK_COUNT, machine->ipl_parm_length);
        memcpy(block + BLOCK_TEXT, machine->ipl_parm, machine->ipl_parm_length);
    }
    cpu_store_real(cpu, address, block, sizeof block);
    return RC_OK;
}

static void request(struct machine *machine, struct cpu *cpu, enum machine_action action)
{
    world_lock(machine->world);
    machine_request(machine, cpu, action);
    world_unlock(machine->world);
}

static void ipl_functions(struct machine *machine, struct cpu *cpu, const struct door_call *call)
{
    uint64_t address = cpu_wrap(cpu, cpu->gr[call->r1]);

    switch (cpu->gr[call->r2]) {
    case SUBCODE_CLEAR:
        request(machine, cpu, MACHINE_ACTION_CLEAR);
        return;
    case SUBCODE_LOAD_NORMAL:
        request(machine, cpu, MACHINE_ACTION_RESTART);
        return;
    case SUBCODE_LOAD_CLEAR:
    case SUBCODE_LOAD_DUMP:
    case SUBCODE_LOAD_KEEP:
        if (!machine->ipl_device_valid)
            break;
        request(machine, cpu,
                cpu->gr[call->r2] == SUBCODE_LOAD_CLEAR ? MACHINE_ACTION_IPL
                                                        : MACHINE_ACTION_IPL_NORMAL);
        return;
    case SUBCODE_SET:
    case SUBCODE_STORE:
        if (call->r1 % 2 || address % FRAME_SIZE)
            break;
        cpu->gr[call->r1 + 1] = cpu->gr[call->r2] == SUBCODE_SET
                                    ? set_block(machine, cpu, address)
                                    : store_block(machine, cpu, address);
        return;
    default:
        break;
    }
    cpu_program_interruption(cpu, EXCEPTION_SPECIFICATION);
}

bool machine_diagnose(struct machine *machine, struct cpu *cpu, const struct door_call *call)
{
    switch (call->address2 & 0xFFFF) {
    case CODE_YIELD:
    case CODE_YIELD_TO:
        // Ends the slice, so that the one waited for gets its turn.
        cpu_request_exit(cpu);
        return true;
    case CODE_WATCHDOG:
        return watchdog_diagnose(machine, cpu, call);
    case CODE_IPL_FUNCTIONS:
        ipl_functions(machine, cpu, call);
        return true;
    default:
        return false;
    }
}
