// SPDX-License-Identifier: MIT
// The CPU-measurement sampling facility, basic samples. As with the counters, a cycle is one unit
// of the TOD clock. A sample is taken between decoded blocks, when its time has come.
#include "cpu/sampling.h"

#include "cpu/operands.h"

// A sampling interval in cycles.
#define INTERVAL_LEAST 20000u
#define INTERVAL_MOST  170650536u
#define MEGAHERTZ      4096u

// A buffer is a page: samples of 32 bytes, and at its end a trailer:
//
//   0  full 0, alert wanted 1, form of the time stamp 2, size of a sample 32-47
//   8  samples that were lost        16  time stamp, as STORE CLOCK EXTENDED has it
//
// A table lists buffers, eight bytes each; an odd one leads to another table.
#define SAMPLE_BYTES  32u
#define TRAILER       (FRAME_SIZE - 64u)
#define TRAILER_FULL  (UINT64_C(1) << 63)
#define TRAILER_ALERT (UINT64_C(1) << 62)
#define TRAILER_STCKE (UINT64_C(1) << 61)
#define TABLE_LINK    1u

// Alerts, the parameter of the measurement-alert external interruption.
#define ALERT_INVALID_ADDRESS 0x80000000u
#define ALERT_WANTED          0x20000000u

// --- buffers ------------------------------------------------------------------------------

static bool load64(const struct cpu *cpu, uint64_t absolute, uint64_t *value)
{
    uint8_t bytes[8];
    if (absolute & 7 || !storage_read(cpu->storage, absolute, bytes, 8))
        return false;
    *value = be64_load(bytes);
    return true;
}

static bool store64(const struct cpu *cpu, uint64_t absolute, uint64_t value)
{
    uint8_t bytes[8];
    be64_store(bytes, value);
    return storage_write(cpu->storage, absolute, bytes, 8);
}

static void alert(struct cpu *cpu, uint32_t reason)
{
    atomic_fetch_or(&cpu->measurement_alert, reason);
    cpu_pend(cpu, PEND_EXTERNAL);
}

static void give_up(struct cpu *cpu)
{
    cpu->sampling.active = false;
    alert(cpu, ALERT_INVALID_ADDRESS);
}

// The buffer is full: says so in its trailer, and goes on to the next one of the table.
static bool next_buffer(struct cpu *cpu)
{
    uint64_t trailer = (cpu->sampling.entry & PAGE_MASK) + TRAILER, flags, next;
    uint8_t stamp[16] = {0};
    if (!load64(cpu, trailer, &flags))
        return false;
    be64_store(stamp + 1, cpu_tod(cpu));
    storage_write(cpu->storage, trailer + 16, stamp, sizeof stamp);
    store64(cpu, trailer, flags | TRAILER_FULL | TRAILER_STCKE | SAMPLE_BYTES << 16);
    if (flags & TRAILER_ALERT)
        alert(cpu, ALERT_WANTED);
    cpu->sampling.table += 8;
    if (!load64(cpu, cpu->sampling.table, &next))
        return false;
    if (next & TABLE_LINK) {
        cpu->sampling.table = next & ~(uint64_t)TABLE_LINK;
        if (!load64(cpu, cpu->sampling.table, &next))
            return false;
    }
    cpu->sampling.entry = next & PAGE_MASK;
    return true;
}

static void fill(const struct cpu *cpu, uint8_t *sample)
{
    const struct psw *psw = &cpu->psw;
    be16_store(sample, 1); // a basic sample
    sample[2] = 1;         // of one instruction
    sample[3] = (uint8_t)(psw->dat << 5 | psw->wait << 4 | psw->problem << 3 | psw->as << 1);
    be16_store(sample + 6, (uint16_t)cpu->cr[4]);
    be64_store(sample + 8, psw->address);
    be64_store(sample + 16, cpu->program_parameter);
}

static bool take(struct cpu *cpu)
{
    uint64_t trailer = (cpu->sampling.entry & PAGE_MASK) + TRAILER, flags, lost;
    if (!load64(cpu, trailer, &flags) || !load64(cpu, trailer + 8, &lost))
        return false;
    if (flags & TRAILER_FULL) // the program has not emptied it yet
        return store64(cpu, trailer + 8, lost + 1);
    uint8_t sample[SAMPLE_BYTES] = {0};
    fill(cpu, sample);
    storage_write(cpu->storage, cpu->sampling.entry, sample, sizeof sample);
    cpu->sampling.entry += SAMPLE_BYTES;
    return cpu->sampling.entry + SAMPLE_BYTES <= trailer || next_buffer(cpu);
}

void sampling_look(struct cpu *cpu)
{
    tod_t now = cpu_time(cpu);
    if (!cpu->timing || now < cpu->sampling.next)
        return;
    cpu->sampling.next = now + cpu->sampling.interval;
    if (!take(cpu))
        give_up(cpu);
}

void sampling_begin(struct cpu *cpu)
{
    cpu->sampling.next = cpu_time(cpu) + cpu->sampling.left;
}

void sampling_end(struct cpu *cpu)
{
    tod_t now = cpu_time(cpu);
    cpu->sampling.left = cpu->sampling.next > now ? cpu->sampling.next - now : 0;
}

// --- instructions -------------------------------------------------------------------------

// Bits of the first doubleword of the LSCTL operand and (shifted) of QSI's answer: enabled and
// active, each for basic sampling.
#define CONTROL_ENABLE  0x200u
#define CONTROL_ACTIVE  0x002u
#define QUERY_AUTHORITY 0x20000u

static uint64_t doubleword(struct cpu *cpu, const struct insn *insn)
{
    uint64_t address = address_bd(cpu, insn);
    check(cpu, !(address & 7), PIC_SPECIFICATION);
    return address;
}

// 4 size of a sample | 8, 16 least and most interval | 24 table entry, 32 data entry | 44 MHz
PLAIN(do_qsi)
{
    uint8_t block[64] = {0};
    uint64_t address = doubleword(cpu, insn);
    be32_store(block, QUERY_AUTHORITY | (cpu->sampling.enabled ? CONTROL_ENABLE : 0) |
                          (cpu->sampling.active ? CONTROL_ACTIVE : 0));
    be16_store(block + 4, SAMPLE_BYTES);
    be64_store(block + 8, INTERVAL_LEAST);
    be64_store(block + 16, INTERVAL_MOST);
    be64_store(block + 24, cpu->sampling.table);
    be64_store(block + 32, cpu->sampling.entry);
    be32_store(block + 44, MEGAHERTZ);
    guest_store(cpu, insn->b, address, block, sizeof block);
    cpu->psw.cc = 0;
}

// LOAD SAMPLING CONTROLS: controls, interval, table entry, data entry. cc 3: not to be had.
PLAIN(do_lsctl)
{
    uint8_t block[64];
    uint64_t address = doubleword(cpu, insn);
    guest_fetch(cpu, insn->b, address, block, sizeof block);
    uint64_t controls = be64_load(block), interval = be64_load(block + 8);
    bool enable = controls & CONTROL_ENABLE, activate = enable && controls & CONTROL_ACTIVE;
    if (controls & ~(uint64_t)(CONTROL_ENABLE | CONTROL_ACTIVE) ||
        (activate && (interval < INTERVAL_LEAST || interval > INTERVAL_MOST))) {
        cpu->psw.cc = 3;
        return;
    }
    cpu->sampling.enabled = enable;
    cpu->sampling.active = activate;
    cpu->sampling.interval = interval;
    cpu->sampling.table = enable ? be64_load(block + 16) : 0;
    cpu->sampling.entry = enable ? be64_load(block + 24) : 0;
    cpu->sampling.next = cpu_time(cpu) + interval;
    cpu->psw.cc = 0;
}
