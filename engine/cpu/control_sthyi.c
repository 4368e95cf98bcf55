// SPDX-License-Identifier: MIT
// STORE HYPERVISOR INFORMATION: function 0, the machine and the partition, as far as STORE SYSTEM
// INFORMATION tells of them. There is no account of processors by type, and no section for
// hypervisors above; the header says so.
#include <string.h>

#include "cpu/operands.h"

#define FUNCTION_NOT_THERE 4u // return code, with cc 3

// Sections one after another, each by its offset and length in the header:
//
//   header    0 flags | 8 total (2) | 10 its own length | 12, 14 machine | 16, 18 partition
//   machine   2 what is valid | 12 name (8) | 20 type (4) | 24 manufacturer (16) |
//             40 sequence (16) | 56 plant (4)
//   partition 2 what is valid | 4 number (2) | 16 name (8)
#define HEADER    48u
#define MACHINE   64u
#define PARTITION 40u

#define NO_COUNTS        0x80 // header: performance data not available
#define NO_SYSTEM        0x40 // header: STORE SYSTEM INFORMATION has nothing
#define NOT_ALL_LEVELS   0x20 // header: there is a hypervisor that is not told of
#define MACHINE_IS_VALID 0x40
#define PARTITION_VALID  0x10

static bool system_block(struct cpu *cpu, unsigned fc, unsigned selector, uint8_t *block)
{
    memset(block, 0, FRAME_SIZE);
    return cpu->host->stsi && cpu->host->stsi(cpu, fc, selector, selector, block) == 0;
}

static void fill_machine(struct cpu *cpu, uint8_t *section, uint8_t *flags)
{
    uint8_t block[FRAME_SIZE];
    if (!system_block(cpu, 1, 1, block)) {
        *flags |= NO_SYSTEM;
        return;
    }
    memcpy(section + 20, block + 48, 4);
    memcpy(section + 24, block + 32, 16);
    memcpy(section + 40, block + 80, 16);
    memcpy(section + 56, block + 96, 4);
    section[2] = MACHINE_IS_VALID;
}

static void fill_partition(struct cpu *cpu, uint8_t *section, uint8_t *flags)
{
    uint8_t block[FRAME_SIZE];
    if (!system_block(cpu, 2, 2, block)) {
        *flags |= NO_SYSTEM;
        return;
    }
    memcpy(section + 4, block + 32, 2);
    memcpy(section + 16, block + 44, 8);
    section[2] = PARTITION_VALID;
}

static void fill(struct cpu *cpu, uint8_t *page)
{
    page[0] = NO_COUNTS;
    if (cpu->host->current_level && cpu->host->current_level(cpu) > 2)
        page[0] |= NOT_ALL_LEVELS;
    be16_store(page + 8, HEADER + MACHINE + PARTITION);
    be16_store(page + 10, HEADER);
    be16_store(page + 12, HEADER);
    be16_store(page + 14, MACHINE);
    be16_store(page + 16, HEADER + MACHINE);
    be16_store(page + 18, PARTITION);
    fill_machine(cpu, page + HEADER, &page[0]);
    fill_partition(cpu, page + HEADER + MACHINE, &page[0]);
}

// R1: function; R2: where the page goes, R2 + 1 the return code.
void sim_sthyi(struct cpu *cpu, const struct door_call *call)
{
    check(cpu, call->r1 != call->r2 && !((call->r1 | call->r2) & 1), PIC_SPECIFICATION);
    if (cpu->gr[call->r1] & 0xFFFF) {
        cpu->gr[call->r2 + 1] = FUNCTION_NOT_THERE;
        cpu->psw.cc = 3;
        return;
    }
    uint64_t address = cpu_wrap(cpu, cpu->gr[call->r2]);
    check(cpu, !(address & (FRAME_SIZE - 1)), PIC_SPECIFICATION);
    uint8_t page[FRAME_SIZE] = {0};
    fill(cpu, page);
    guest_store(cpu, call->r2, address, page, sizeof page);
    cpu->gr[call->r2 + 1] = 0;
    cpu->psw.cc = 0;
}
