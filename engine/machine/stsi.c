// SPDX-License-Identifier: MIT
// STORE SYSTEM INFORMATION of a bare machine, which is a logical partition: levels 1 and 2
// (Principles of Operation, "STORE SYSTEM INFORMATION"). CP adds level 3.
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "machine/machine.h"

#define MACHINE_TYPE   "2817"
#define MACHINE_MODEL  "M15"
#define SERIAL         "000000000001E1C0"
#define MANUFACTURER   "ENDICOTT"
#define CAPABILITY     1000u // of one CPU; any positive number, smaller is faster
#define ADJUSTMENT     100u  // percent-free: each further CPU counts fully
#define LPAR_NUMBER    1u
#define LPAR_DEDICATED 0x80u // characteristics: CPUs are not shared

static unsigned cpus(const struct machine *machine)
{
    return machine->cpus;
}

// 1.1.1 Basic machine configuration.
static void basic_machine(const struct machine *machine, const struct cpu *cpu, uint8_t *block)
{
    (void)machine;
    (void)cpu;
    ebcdic_field(block + 32, 16, MANUFACTURER);
    ebcdic_field(block + 48, 4, MACHINE_TYPE);
    ebcdic_field(block + 64, 16, MACHINE_MODEL); // model capacity
    ebcdic_field(block + 80, 16, SERIAL);
    ebcdic_field(block + 96, 4, "02");
    ebcdic_field(block + 100, 16, MACHINE_MODEL);
}

// 1.2.1 and 2.2.1, one CPU: identification, addresses.
static void one_cpu(const struct machine *machine, const struct cpu *cpu, uint8_t *block)
{
    (void)machine;
    ebcdic_field(block + 80, 16, SERIAL);
    ebcdic_field(block + 96, 4, "02");
    be16_store(block + 100, cpu->address);
    be16_store(block + 102, cpu->address);
}

// 1.2.2 CPUs of the basic machine.
static void machine_cpus(const struct machine *machine, const struct cpu *cpu, uint8_t *block)
{
    (void)cpu;
    be32_store(block + 32, CAPABILITY);
    be16_store(block + 36, (uint16_t)cpus(machine)); // total, configured, standby, reserved
    be16_store(block + 38, (uint16_t)cpus(machine));
    for (unsigned i = 0; i + 1 < cpus(machine); i++)
        be16_store(block + 44 + 2 * i, ADJUSTMENT);
}

// 2.2.2 CPUs of the partition.
static void partition_cpus(const struct machine *machine, const struct cpu *cpu, uint8_t *block)
{
    (void)cpu;
    be16_store(block + 32, LPAR_NUMBER);
    block[35] = LPAR_DEDICATED;
    be16_store(block + 36, (uint16_t)cpus(machine));
    be16_store(block + 38, (uint16_t)cpus(machine));
    ebcdic_field(block + 44, 8, machine->name);
    be32_store(block + 52, 1000);                    // capability adjustment: all of the machine
    be16_store(block + 68, (uint16_t)cpus(machine)); // dedicated CPUs
}

static const struct {
    unsigned fc, s1, s2;
    void (*fill)(const struct machine *machine, const struct cpu *cpu, uint8_t *block);
} blocks[] = {
    {1, 1, 1, basic_machine}, {1, 2, 1, one_cpu},        {1, 2, 2, machine_cpus},
    {2, 2, 1, one_cpu},       {2, 2, 2, partition_cpus},
};

int machine_stsi(struct machine *machine, struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2,
                 uint8_t *block)
{
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (blocks[i].fc != fc || blocks[i].s1 != s1 || blocks[i].s2 != s2)
            continue;
        memset(block, 0, FRAME_SIZE);
        blocks[i].fill(machine, cpu, block);
        return 0;
    }
    return 3;
}
