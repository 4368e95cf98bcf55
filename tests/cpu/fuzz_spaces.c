// SPDX-License-Identifier: MIT
// Linkage, program call and their relatives on tables that the input has damaged: whatever comes of
// it, an instruction that was nullified or suppressed has left registers, stack and control tables
// alone.
#include "cpu/spaces.h"

#define DAMAGED 0x6000u // tables, stack and trace table
#define REACH   0x5000u

// Two bytes are the registers or the displacement.
static const char *const instructions[] = {
    "0101", "B218", "B218", "B225", "B228", "B240", "B240", "B247", "B249", "B24A", "B24C",
    "B258", "B25A", "B277", "B2FF", "01FF", "B90E", "B99E", "B99F", "E500", "5810", "5030",
};

struct snapshot {
    uint64_t gr[16], cr[16];
    uint32_t ar[16];
    uint8_t tables[REACH];
};

static void look(struct bare *bare, struct snapshot *out)
{
    memcpy(out->gr, bare->cpu->gr, sizeof out->gr);
    memcpy(out->cr, bare->cpu->cr, sizeof out->cr);
    memcpy(out->ar, bare->cpu->ar, sizeof out->ar);
    storage_read(bare->storage, DAMAGED, out->tables, REACH);
}

// The last program interruption came after its instruction: a PER event alone, a space switch, a
// PSW that was found invalid.
static bool completed(struct bare *bare)
{
    unsigned code = bare_get32(bare, 0x8C) & 0xFF7F, ilc = bare_get32(bare, 0x8C) >> 16;
    return code == 0 || code == 0x1C || ilc == 0;
}

static void put_instruction(struct bare *bare, const uint8_t *in)
{
    const char *code = instructions[in[0] % (sizeof instructions / sizeof instructions[0])];
    uint8_t fields[4] = {in[1], in[2], 0x0F, 0x00};
    uint64_t at = rig_hex(bare, CODE, code);
    if (code[0] == 'B' && code[3] == '8' && code[2] == '1') // PC: few numbers
        fields[0] = 0, fields[1] &= 3;
    else if (code[0] == 'B' && strcmp(code, "B2FF") && strcmp(code, "B277"))
        fields[0] = in[1], fields[1] = in[2]; // RRE has its registers in the second byte
    bare_put(bare, at, fields, 4);
}

static void set_modes(struct cpu *cpu, const uint8_t *in)
{
    cpu->psw = (struct psw){.address = CODE, .ea = true, .ba = true, .dat = true};
    cpu->psw.as = in[0] & 7 ? 0 : in[1] & 3;
    cpu->psw.problem = (in[0] & 0x38) == 0;
    cpu->psw.per = (in[1] & 0x30) == 0;
    cpu->tracing = true; // one by one
    if (in[2] & 1)
        spaces_registers(cpu);
    cpu->cr[0] = 0x0C0000E0 | ((in[1] & 0x0C) == 4 ? 0x80000u : 0);
    cpu->cr[9] = 0xE4000000;
    cpu->cr[11] = UINT64_MAX;
    cpu->cr[12] = TRACES | (in[1] & 8 ? 2 : 0) | (uint64_t)(in[0] & 0xC0) << 56;
    for (unsigned i = 0; i < 16; i++) {
        cpu->gr[i] = (uint64_t)(in[i & 3] & 3) << 40 | (in[i & 1] & 1 ? 0x42 : 0x3001);
        cpu->ar[i] = in[i & 3] & 0xC0 ? 0 : in[i & 3] & 7;
    }
}

static void step(struct bare *bare, const uint8_t *in)
{
    static struct snapshot before, after;
    struct cpu *cpu = bare->cpu;
    uint64_t checks = cpu->program_checks;
    put_instruction(bare, in);
    set_modes(cpu, in + 4);
    look(bare, &before);
    cpu_run(cpu, 1);
    if (cpu->program_checks == checks || completed(bare))
        return;
    look(bare, &after);
    // Entries behind the trace table's end do not count.
    memcpy(after.tables + TRACES - DAMAGED, before.tables + TRACES - DAMAGED,
           TRACES < DAMAGED + REACH ? DAMAGED + REACH - TRACES : 0);
    if (memcmp(&before, &after, sizeof before) != 0) {
        uint64_t at = bare_get64(bare, CODE);
        fprintf(stderr, "%016llX: interruption %08X left something changed\n",
                (unsigned long long)at, bare_get32(bare, 0x8C));
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bare *bare;
    if (!bare)
        bare = bare_new(4);
    else
        storage_clear(bare->storage);
    cpu_reset(bare->cpu, CPU_RESET_CLEAR);
    cpu_set_architecture(bare->cpu, ARCH_Z);
    atomic_store(&bare->cpu->state, CPU_OPERATING);
    spaces_fill(bare);
    const uint32_t basic[8] = {0, PROGRAM, 0x80000000, 0x0F000000, 0x40000000, ASTE_42, 1, 2};
    const uint32_t stacking[8] = {0, PROGRAM, 0x80000042, 0, 0xC3000000, ASTE_42, 1, 2};
    spaces_entry(bare, 0, basic);
    spaces_entry(bare, 1, stacking);
    for (; size >= 8; data += 8, size -= 8) {
        if (data[7] & 1) {
            step(bare, data);
            continue;
        }
        uint32_t at = DAMAGED + ((uint32_t)be16_load(data) * 4 % REACH);
        bare_put(bare, at, data + 2, data[7] & 2 ? 1 : 4);
    }
    return 0;
}
