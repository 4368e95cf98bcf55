// SPDX-License-Identifier: MIT
// Every vector instruction of z13 to z15, but for packed decimal, against qemu-system-s390x, with
// generated operands, masks and exceptions: registers, storage, FPC, condition code and
// interruption must agree. ENDICOTT_SEED and ENDICOTT_CASES change seed and number of cases for
// each instruction.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/bare.h"
#include "cpu/tool.h"
#include "cpu/qemu.h"
#include "cpu/vectors.h"

static uint8_t image[SNIPPET_BASE];

// All but VCKSM, whose carries qemu 7.2 loses (test_vector.c).
static bool takes_part(const struct opcode *row)
{
    return row->code != 0xE766 && row->flags & OP_VECTOR &&
           (row->facility == 129 || row->facility == 135 || row->facility == 148);
}

static uint8_t *make_blocks(uint64_t seed, unsigned each, unsigned *count)
{
    struct random r = {seed};
    unsigned rows = 0, n = 0;
    for (unsigned i = 0; i < opcode_count; i++)
        rows += takes_part(&opcode_table[i]);
    *count = rows * each;
    uint8_t *blocks = calloc(*count, SNIPPET_SIZE);
    for (unsigned i = 0; i < opcode_count; i++) {
        for (unsigned k = 0; k < each && takes_part(&opcode_table[i]); k++, n++)
            vector_make(&r, &opcode_table[i], SNIPPET_BASE + n * SNIPPET_SIZE,
                        blocks + (size_t)n * SNIPPET_SIZE);
    }
    return blocks;
}

static void run_ours(uint8_t *blocks, unsigned count)
{
    struct bare *bare = bare_new(32);
    bare_put(bare, 0, image, sizeof image);
    bare_put(bare, SNIPPET_BASE, blocks, count * SNIPPET_SIZE);
    cpu_facility_set(bare->cpu, 129, true);
    cpu_facility_set(bare->cpu, 135, true);
    bare->cpu->psw.address = 0x2010;
    assert_int_equal(cpu_run(bare->cpu, (uint64_t)count * 400 + 100000), CPU_EXIT_DISABLED_WAIT);
    assert_int_equal(bare->cpu->psw.address, 0xFFF);
    storage_read(bare->storage, SNIPPET_BASE, blocks, (uint64_t)count * SNIPPET_SIZE);
    bare_free(bare);
}

static unsigned interruption(const uint8_t *block)
{
    return block[VECTOR_END] & 0x80 ? 0 : be16_load(block + VECTOR_END + 2);
}

static bool same_result(const uint8_t *a, const uint8_t *b)
{
    bool coded = interruption(a) == 7 || interruption(a) == 0x1B; // has an exception code
    return memcmp(a, b, VECTOR_END + (coded ? 8 : 4)) == 0 &&
           memcmp(a + VECTOR_CODE, b + VECTOR_CODE, SNIPPET_SIZE - VECTOR_CODE) == 0;
}

static void show(const uint8_t *in, const uint8_t *ours, const uint8_t *theirs, uint64_t at)
{
    const uint8_t *t = in + VECTOR_CODE;
    char text[80];
    cpu_disassemble(t, at + VECTOR_CODE, text, sizeof text);
    printf("# %s   fpc %08X\n", text, be32_load(in + VECTOR_FPC));
    uint32_t named = 0; // registers that the text may name
    named |= 1u << ((t[1] >> 4) + (t[4] & 8 ? 16 : 0)) | 1u << ((t[1] & 15) + (t[4] & 4 ? 16 : 0));
    named |= 1u << ((t[2] >> 4) + (t[4] & 2 ? 16 : 0)) | 1u << ((t[4] >> 4) + (t[4] & 1 ? 16 : 0));
    for (unsigned i = 0; i < SNIPPET_SIZE; i += 8) {
        uint64_t x = be64_load(in + i), o = be64_load(ours + i), q = be64_load(theirs + i);
        bool operand = i >= VECTOR_REGS && i < VECTOR_AREA && named >> (i - VECTOR_REGS) / 16 & 1;
        if (o != q)
            printf("#   +%03X in %016llX ours %016llX qemu %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)o, (unsigned long long)q);
        else if (operand)
            printf("#   +%03X in %016llX both %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)o);
    }
}

// The result register of a floating-point instruction on its first element only: the others are
// unpredictable. `bytes`: the size of the first element of the result.
static void forget_others(const uint8_t *t, uint8_t *block, unsigned bytes)
{
    unsigned v1 = (t[1] >> 4) + (t[4] & 8 ? 16u : 0u);
    memset(block + VECTOR_REGS + (size_t)v1 * 16 + bytes, 0, 16 - bytes);
}

// Is element `i` of V2 a NaN, short or long by `es`?
static bool is_nan(const uint8_t *block, unsigned es, unsigned i)
{
    const uint8_t *t = block + VECTOR_CODE;
    unsigned v2 = (t[1] & 15) + (t[4] & 4 ? 16u : 0u);
    const uint8_t *at = block + VECTOR_REGS + (size_t)v2 * 16;
    if (es == 2)
        return (be32_load(at + (size_t)i * 4) & 0x7FFFFFFF) > 0x7F800000;
    return (be64_load(at + (size_t)i * 8) & INT64_MAX) > UINT64_C(0x7FF0000000000000);
}

// Where qemu 7.2 is known to be wrong or the architecture leaves freedom: true when nothing else
// differs.
static bool excused(const uint8_t *in, const uint8_t *ours, const uint8_t *theirs)
{
    static uint8_t a[SNIPPET_SIZE], b[SNIPPET_SIZE];
    const uint8_t *t = in + VECTOR_CODE;
    const struct opcode *row = opcode_find(t);
    memcpy(a, ours, sizeof a);
    memcpy(b, theirs, sizeof b);
    unsigned m28 = t[3] & 15, m32 = t[4] >> 4;
    bool number = row->flags & OP_M28;
    // STRING SEARCH: a length that is no multiple of the elements' size is unpredictable.
    unsigned v4 = (t[4] >> 4) + (t[4] & 1 ? 16u : 0u);
    if (row->code == 0xE78B && in[VECTOR_REGS + (size_t)v4 * 16 + 7] & ((1u << (t[2] & 3)) - 1))
        return true;
    // Vector-processing exceptions suppress: the old PSW points behind the instruction.
    if (interruption(a) == 0x1B && interruption(b) == 0x1B)
        be64_store(b + VECTOR_PSW + 8, be64_load(b + VECTOR_PSW + 8) + 6);
    // An exact tiny result is an underflow when that traps.
    bool exact_underflow = interruption(a) == 0x1B && (a[VECTOR_END + 7] & 15) == 4;
    if (number && exact_underflow && (interruption(b) == 0 || interruption(b) == 0x1B))
        return true;
    // Suppressing the inexact exception leaves its flag alone, too.
    bool converts = (row->code >= 0xE7C0 && row->code <= 0xE7C7) && row->code != 0xE7C4;
    if (converts && m28 & 4 && !(in[VECTOR_FPC + 1] & 8))
        b[VECTOR_FPC + 1] &= 0xF7;
    // An integer made of a NaN is inexact, too, as CGDBR has it; qemu says so of numbers only.
    bool to_integer = row->code == 0xE7C0 || row->code == 0xE7C2;
    uint8_t vxc = a[VECTOR_END + 7];
    if (to_integer && interruption(a) == 0x1B && (vxc & 15) == 5 && is_nan(in, m32, vxc >> 4))
        return true;
    if (to_integer && interruption(a) == 0 && a[VECTOR_FPC + 1] & 0x80 && !(m28 & 4))
        b[VECTOR_FPC + 1] |= 8;
    // Negative multiply and add: the sign changes after rounding.
    if ((row->code == 0xE79E || row->code == 0xE79F) && in[VECTOR_FPC + 3] & 2)
        return true;
    // Multiply and add: qemu does not prefer signalling NaNs.
    bool multiply_add =
        row->code == 0xE78E || row->code == 0xE78F || row->code == 0xE79E || row->code == 0xE79F;
    if (multiply_add && (a[VECTOR_FPC + 1] | b[VECTOR_FPC + 1]) & 0x80)
        return true;
    if (number && m28 & 8) {
        unsigned size = row->flags & OP_M20 ? t[2] & 15u : m32;
        unsigned bytes = row->code == 0xE7C5 ? 1u << (size - 1) & 15 : 1u << size & 31;
        if (bytes && bytes < 16) {
            forget_others(t, a, bytes);
            forget_others(t, b, bytes);
        }
    }
    if (row->code == 0xE7C5 && m32 == 4) { // one result
        forget_others(t, a, 8);
        forget_others(t, b, 8);
    }
    return same_result(a, b);
}

static void test_against_qemu(void **state)
{
    (void)state;
    const char *seed_text = getenv("ENDICOTT_SEED"), *each_text = getenv("ENDICOTT_CASES");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : 1;
    unsigned each = each_text ? (unsigned)strtoul(each_text, NULL, 0) : 60, count, bad = 0;
    uint8_t *in = make_blocks(seed, each, &count);
    assert_in_range(count, 100, 30 * 1024); // they fit the machine
    size_t size = (size_t)count * SNIPPET_SIZE;
    uint8_t *ours = malloc(size), *theirs = malloc(size);
    memcpy(ours, in, size);
    memcpy(theirs, in, size);
    assert_true(qemu_load_driver("vectors", image, sizeof image, count));
    run_ours(ours, count);
    assert_true(qemu_run(image, sizeof image, theirs, (unsigned)size));
    for (unsigned i = 0; i < count; i++) {
        size_t at = (size_t)i * SNIPPET_SIZE;
        if (same_result(ours + at, theirs + at) || excused(in + at, ours + at, theirs + at))
            continue;
        if (bad++ < 300)
            show(in + at, ours + at, theirs + at, SNIPPET_BASE + at);
    }
    printf("# seed %llu: %u cases, %u differences\n", (unsigned long long)seed, count, bad);
    free(in);
    free(ours);
    free(theirs);
    assert_int_equal(bad, 0);
}

int main(void)
{
    if (tool_missing(QEMU))
        return 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_qemu)};
    return cmocka_run_group_tests_name("vector instructions against qemu", tests, NULL, NULL);
}
