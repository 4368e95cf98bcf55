// SPDX-License-Identifier: MIT
// Random bytes as PSW, control registers, registers, tables and instructions: whatever a guest
// does, the CPU answers with the architecture's interruptions and stays whole.
#include "cpu/bare.h"
#include "cpu/psw.h"

#define CODE 0x4000u

static uint64_t take64(const uint8_t **data, size_t *size)
{
    uint8_t bytes[8] = {0};
    size_t n = *size < 8 ? *size : 8;
    memcpy(bytes, *data, n);
    *data += n;
    *size -= n;
    return be64_load(bytes);
}

// Mostly addresses within storage, so that instructions find something.
static uint64_t shape(uint64_t v)
{
    switch (v >> 61) {
    case 0:
        return v;
    case 1:
        return v & 0xFFFF;
    case 2:
        return v | 0xFFFFFFFF00000000;
    default:
        return v & 0xFFFFF;
    }
}

static void set_up(struct bare *bare, const uint8_t **data, size_t *size)
{
    struct cpu *cpu = bare->cpu;
    uint64_t flags = take64(data, size);
    if (flags & 1)
        cpu_set_architecture(cpu, ARCH_ESA390);
    for (unsigned i = 0; i < 16; i++) {
        cpu->gr[i] = shape(take64(data, size));
        cpu->vr[i].high = take64(data, size);
    }
    cpu->cr[0] |= flags & 0x7FFFF300;
    cpu->cr[1] = cpu->cr[7] = cpu->cr[13] = (flags >> 32 & 0xF000) | (flags >> 16 & 0x1EF);
    cpu->cr[2] = cpu->cr[5] = CODE;
    cpu->cr[3] = flags;
    cpu->cr[8] = flags >> 3;
    cpu->cr[9] = flags >> 7;
    cpu->cr[11] = UINT64_MAX;
    for (unsigned bit = 3; bit < 160; bit++)
        cpu_facility_set(cpu, bit, flags & 2 || bit < 64);
    cpu->psw.dat = flags >> 8 & 1;
    cpu->psw.as = flags >> 9 & 3;
    cpu->psw.problem = flags >> 11 & 1;
    cpu->psw.key = flags & 4 ? flags >> 12 & 15 : 0;
    cpu->psw.mask = flags >> 16 & 15;
    cpu->psw.per = (flags >> 20 & 7) == 0;
    cpu->tracing = (flags >> 23 & 7) == 0;
    cpu->psw.external = cpu->psw.io = flags >> 26 & 1;
    cpu->psw.ea = cpu->arch == ARCH_Z && flags >> 27 & 1;
    cpu->psw.ba = cpu->psw.ea || flags >> 28 & 1;
    cpu->psw.address = CODE;
    bare->has_external = bare->has_io = true;
}

// Eight bytes of input make one instruction: two choose a row of the table, the rest are its
// fields. One in eight is taken as it is.
static unsigned put_instruction(uint8_t *out, const uint8_t *in)
{
    const struct opcode *row = &opcode_table[be16_load(in) % opcode_count];
    uint8_t code[2] = {(uint8_t)(row->code >> 8), (uint8_t)row->code};
    memcpy(out, in + 2, 6);
    if ((in[1] & 7) != 0) {
        out[0] = code[0];
        switch (code[0]) {
        case 0x01:
        case 0xB2:
        case 0xB3:
        case 0xB9:
        case 0xE5:
            out[1] = code[1];
            break;
        case 0xA5:
        case 0xA7:
        case 0xC0:
        case 0xC2:
        case 0xC4:
        case 0xC6:
        case 0xC8:
        case 0xCC:
            out[1] = (uint8_t)((out[1] & 0xF0) | code[1]);
            break;
        case 0xE3:
        case 0xE7:
        case 0xEB:
        case 0xEC:
        case 0xED:
            out[5] = code[1];
            break;
        default:
            break;
        }
    }
    return opcode_length(out[0]);
}

static void put_code(struct bare *bare, const uint8_t *data, size_t size)
{
    uint8_t code[4096 + 16];
    unsigned n = 0;
    for (; size >= 8 && n < 4096; data += 8, size -= 8)
        n += put_instruction(code + n, data);
    if (n)
        for (unsigned at = CODE; at < CODE + 0x8000; at += 0x1000)
            bare_put(bare, at, code, n < 4096 ? n : 4096);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct bare *bare;
    if (!bare)
        bare = bare_new(1);
    else
        storage_clear(bare->storage);
    cpu_reset(bare->cpu, CPU_RESET_CLEAR);
    cpu_set_architecture(bare->cpu, ARCH_Z);
    atomic_store(&bare->cpu->state, CPU_OPERATING);
    set_up(bare, &data, &size);
    // Interruptions lead back into the input; page tables are made of it, too.
    for (unsigned place = 0x1A0; place < 0x200; place += 16) {
        uint8_t image[16];
        psw_pack_z(&bare->cpu->psw, image);
        bare_put(bare, place, image, 16);
        bare_put64(bare, 0x58 + (place - 0x1A0) / 2, UINT64_C(0x0008000080000000) | (CODE + place));
    }
    put_code(bare, data, size);
    for (unsigned i = 0; i < 8; i++) {
        enum cpu_exit why = cpu_run(bare->cpu, 200);
        if (bare->cpu->base[16] != 0)
            abort();
        if (why != CPU_EXIT_BUDGET && why != CPU_EXIT_REQUEST)
            break;
    }
    return 0;
}
