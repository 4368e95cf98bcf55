// SPDX-License-Identifier: MIT
// STORE SYSTEM INFORMATION of a bare machine, which is a logical partition: levels 1 and 2
// (Principles of Operation, "STORE SYSTEM INFORMATION"). CP adds level 3; so does a machine that
// was told to say it runs under a hypervisor.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "machine/machine.h"

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
    char type[5];

    (void)cpu;
    snprintf(type, sizeof type, "%04X", machine->model.type);
    ebcdic_field(block + 32, 16, MANUFACTURER);
    ebcdic_field(block + 48, 4, type);
    ebcdic_field(block + 64, 16, machine->model.capacity);
    ebcdic_field(block + 80, 16, SERIAL);
    ebcdic_field(block + 96, 4, "02");
    ebcdic_field(block + 100, 16, machine->model.capacity); // model
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

#define NAME_UTF8 2u // encoding of the long name

// 3.2.2 Virtual machines: the count in byte 31, a description of 64 bytes from 32 on:
//
//   4 CPUs | 6 configured | 8 standby | 10 reserved | 12 name (8) | 20 adjustment |
//   24 control program (16) | 43 encoding of the long name | 48 UUID (16)
//
// and the long names of 256 bytes from 2048 on.
static void virtual_machines(const struct machine *machine, const struct cpu *cpu, uint8_t *block)
{
    const struct machine_identity *identity = &machine->identity;
    uint8_t *d = block + 32;

    (void)cpu;
    block[31] = 1;
    be16_store(d + 4, (uint16_t)cpus(machine));
    be16_store(d + 6, (uint16_t)cpus(machine));
    ebcdic_field(d + 12, 8, identity->name);
    be32_store(d + 20, 1000);
    ebcdic_field(d + 24, 16, identity->hypervisor);
    d[43] = NAME_UTF8;
    memcpy(d + 48, identity->uuid, sizeof identity->uuid);
    memcpy(block + 2048, identity->name, strlen(identity->name));
}

static const struct {
    unsigned fc, s1, s2;
    void (*fill)(const struct machine *machine, const struct cpu *cpu, uint8_t *block);
} blocks[] = {
    {1, 1, 1, basic_machine}, {1, 2, 1, one_cpu},        {1, 2, 2, machine_cpus},
    {2, 2, 1, one_cpu},       {2, 2, 2, partition_cpus}, {3, 2, 2, virtual_machines},
};

int machine_stsi(struct machine *machine, struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2,
                 uint8_t *block)
{
    for (unsigned i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        if (blocks[i].fc != fc || blocks[i].s1 != s1 || blocks[i].s2 != s2 ||
            (fc == 3 && !machine->identity.hypervisor[0]))
            continue;
        memset(block, 0, FRAME_SIZE);
        blocks[i].fill(machine, cpu, block);
        return 0;
    }
    return 3;
}
