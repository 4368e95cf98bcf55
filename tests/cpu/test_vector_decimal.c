// SPDX-License-Identifier: MIT
// Packed decimal in vector registers against arithmetic on arrays of digits, as at school; the
// controls of each instruction, its exceptions, and the moves between register and storage.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/bare.h"
#include "cpu/block.h"
#include "cpu/digits.h"

#define AT    0x2000u
#define CASES 3000

// --- registers -----------------------------------------------------------------------------------

static bool minus(unsigned sign)
{
    return sign == 0xB || sign == 0xD;
}

static struct vector_register packed(const struct number *n, unsigned sign)
{
    struct vector_register v = {0, sign};
    for (int i = 0; i < 31; i++) {
        uint64_t d = (uint64_t)n->digit[i];
        if (i < 15)
            v.low |= d << (4 * i + 4);
        else
            v.high |= d << (4 * (i - 15));
    }
    return v;
}

static struct bare *machine(void)
{
    struct bare *bare = bare_new(1);
    cpu_facility_set(bare->cpu, 152, true);
    bare->cpu->cr[0] |= UINT64_C(3) << 17;                 // AFP-register and vector control
    bare_put64(bare, 0x1D0, UINT64_C(0x0000000180000000)); // program new PSW
    bare_put64(bare, 0x1D8, AT + 6);
    return bare;
}

// Executes one instruction; the interruption code, 0 when there was none.
static unsigned execute(struct bare *bare, uint64_t text)
{
    uint64_t before = bare->cpu->program_checks;
    bare_put64(bare, AT, text << 16 | 0xA7F4);
    bare->cpu->psw.address = AT;
    cpu_run(bare->cpu, 1);
    return bare->cpu->program_checks == before ? 0 : bare_get32(bare, 0x8C) & 0xFFFF;
}

static uint64_t seed = 20261201;

static unsigned any(unsigned below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(seed >> 33) % below;
}

// Few digits, many, all nines, a power of ten, zero.
static struct number any_number(void)
{
    struct number n = {{0}, false};
    unsigned length = any(32), kind = any(8);
    for (unsigned i = 0; i < length; i++)
        n.digit[i] = (int8_t)(kind == 0 ? 9 : kind == 1 ? i == length - 1 : any(10));
    return n;
}

static unsigned any_sign(void)
{
    return 10 + any(6);
}

// --- three registers -----------------------------------------------------------------------------

enum operation { ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, MULTIPLY_SHIFT, SHIFT_DIVIDE };

static const struct {
    uint8_t code;
    enum operation operation;
} three[] = {
    {0x71, ADD},       {0x73, SUBTRACT},       {0x78, MULTIPLY},     {0x7A, DIVIDE},
    {0x7B, REMAINDER}, {0x79, MULTIPLY_SHIFT}, {0x7E, SHIFT_DIVIDE},
};

static struct number reference(enum operation operation, struct number a, struct number b, int by)
{
    struct number rest, result;
    switch (operation) {
    case ADD:
        return sum(&a, &b);
    case SUBTRACT:
        b.negative = !b.negative;
        return sum(&a, &b);
    case MULTIPLY:
        return multiply(&a, &b);
    case MULTIPLY_SHIFT:
        result = multiply(&a, &b);
        return shift(&result, -by);
    case SHIFT_DIVIDE:
        a = shift(&a, by);
        return divide(&a, &b, &rest);
    case DIVIDE:
        return divide(&a, &b, &rest);
    default:
        divide(&a, &b, &rest);
        return rest;
    }
}

// What must be in V1, and the condition code, for an exact result of which `digits` are kept.
static struct vector_register expected(struct number *exact, int digits, bool positive,
                                       unsigned *cc)
{
    bool lost = highest(exact) >= digits;
    for (int i = digits; i < DIGITS; i++)
        exact->digit[i] = 0;
    bool zero = highest(exact) < 0;
    bool negative = exact->negative && !zero && !positive;
    *cc = lost ? 3 : zero ? 0 : negative ? 1 : 2;
    return packed(exact, positive ? 0xF : negative ? 0xD : 0xC);
}

static void one_case(struct bare *bare, uint8_t code, enum operation operation)
{
    struct cpu *cpu = bare->cpu;
    struct number a = any_number(), b = any_number();
    unsigned m5 = any(16), sign_a = any_sign(), sign_b = any_sign();
    unsigned count = operation < MULTIPLY_SHIFT ? 1 + any(31) : any(32);
    unsigned masked = any(2), overflow_mask = any(2);
    bool division = operation == DIVIDE || operation == REMAINDER || operation == SHIFT_DIVIDE;

    if (m5 & 8 && any(2))
        sign_a = any(10); // forced positive: not even looked at
    cpu->vr[18] = packed(&a, sign_a);
    cpu->vr[3] = packed(&b, sign_b);
    a.negative = !(m5 & 8) && minus(sign_a);
    b.negative = !(m5 & 4) && minus(sign_b);
    cpu->psw.mask = overflow_mask ? 4 : 0;
    cpu->psw.cc = 1;
    unsigned i4 = masked << 7 | count;
    uint64_t text = UINT64_C(0xE61230000400) | (uint64_t)m5 << 20 | (uint64_t)(i4 >> 4) << 16 |
                    (uint64_t)(i4 & 15) << 12 | code;
    unsigned fault = execute(bare, text);
    if (division && highest(&b) < 0) {
        assert_int_equal(fault, 0x0B);
        return;
    }
    struct number exact = reference(operation, a, b, (int)count);
    unsigned cc;
    struct vector_register v =
        expected(&exact, operation < MULTIPLY_SHIFT ? (int)count : 31, m5 & 2, &cc);
    assert_int_equal(cpu->vr[1].high, v.high);
    assert_int_equal(cpu->vr[1].low, v.low);
    assert_int_equal(fault, cc == 3 && overflow_mask && !masked ? 0x0A : 0);
    if (fault)
        assert_int_equal(bare_get64(bare, 0x150) >> 44 & 3, m5 & 1 ? cc : 1);
    else
        assert_int_equal(cpu->psw.cc, m5 & 1 ? cc : 1);
}

static void test_arithmetic(void **state)
{
    struct bare *bare = machine();
    (void)state;
    for (unsigned i = 0; i < sizeof three / sizeof *three; i++)
        for (unsigned n = 0; n < CASES; n++)
            one_case(bare, three[i].code, three[i].operation);
    bare_free(bare);
}

// --- one register --------------------------------------------------------------------------------

static void test_shift_and_round(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    for (unsigned n = 0; n < 2 * CASES; n++) {
        struct number a = any_number(), five = {{5}, false};
        unsigned sign = any_sign(), m5 = any(16) & 11, round = any(2), digits = 1 + any(31);
        int by = any(4) ? (int)any(66) - 33 : (int)any(128) - 64;
        cpu->vr[2] = packed(&a, sign);
        a.negative = !(m5 & 8) && minus(sign);
        cpu->psw.cc = 1;
        uint64_t text = UINT64_C(0xE61200000059) |
                        (uint64_t)(round << 7 | ((unsigned)by & 0x7F)) << 24 | (uint64_t)m5 << 20 |
                        (uint64_t)(digits >> 4) << 16 | (uint64_t)(digits & 15) << 12;
        assert_int_equal(execute(bare, text), 0);
        struct number exact = shift(&a, by);
        if (by < 0 && round) {
            bool negative = a.negative;
            exact = shift(&a, by + 1);
            exact = add_size(&exact, &five);
            exact = shift(&exact, -1);
            exact.negative = negative;
        }
        unsigned cc;
        struct vector_register v = expected(&exact, (int)digits, m5 & 2, &cc);
        assert_int_equal(cpu->vr[1].high, v.high);
        assert_int_equal(cpu->vr[1].low, v.low);
        assert_int_equal(cpu->psw.cc, m5 & 1 ? cc : 1);
    }
    bare_free(bare);
}

static void test_compare(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    for (unsigned n = 0; n < CASES; n++) {
        struct number a = any_number(), b = any(4) ? any_number() : a;
        unsigned sign_a = any_sign(), sign_b = any_sign(), m3 = any(4) << 2;
        cpu->vr[1] = packed(&a, sign_a);
        cpu->vr[2] = packed(&b, sign_b);
        a.negative = !(m3 & 8) && minus(sign_a);
        b.negative = m3 & 4 || !minus(sign_b); // for the difference
        struct number difference = sum(&a, &b);
        assert_int_equal(execute(bare, UINT64_C(0xE60120000077) | (uint64_t)m3 << 20), 0);
        assert_int_equal(cpu->psw.cc, highest(&difference) < 0 ? 0 : difference.negative ? 1 : 2);
    }
    bare_free(bare);
}

// PERFORM SIGN OPERATION: I4, the operand's sign, whether it is zero: the result's sign and the
// condition code.
static void test_signs(void **state)
{
    static const struct {
        uint8_t i4, sign, digit, fault, result, cc;
    } rows[] = {
        {0x00, 0xA, 7, 0, 0xC, 2}, {0x02, 0xA, 7, 0, 0xF, 2}, {0x00, 0xB, 7, 0, 0xD, 1},
        {0x00, 0xB, 0, 0, 0xC, 0}, {0x02, 0xB, 0, 0, 0xF, 0}, {0x40, 0xB, 0, 0, 0xD, 0},
        {0x00, 0x9, 7, 7, 0, 0},   {0x80, 0x9, 7, 0, 0x9, 2}, {0x04, 0xC, 7, 0, 0xD, 1},
        {0x04, 0xD, 7, 0, 0xC, 2}, {0x06, 0xD, 7, 0, 0xF, 2}, {0x04, 0xC, 0, 0, 0xC, 0},
        {0x44, 0xC, 0, 0, 0xD, 0}, {0x84, 0x9, 7, 7, 0, 0},   {0x08, 0xD, 7, 0, 0xC, 2},
        {0x0A, 0xD, 7, 0, 0xF, 2}, {0x08, 0x3, 7, 0, 0xC, 2}, {0x09, 0x3, 7, 7, 0, 0},
        {0x0C, 0xA, 7, 0, 0xD, 1}, {0x0C, 0xA, 0, 0, 0xC, 0}, {0x4C, 0xA, 0, 0, 0xD, 0},
        {0x0D, 0x3, 7, 7, 0, 0},
    };
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        cpu->vr[2] = (struct vector_register){0, (uint64_t)rows[i].digit << 4 | rows[i].sign};
        cpu->vr[1] = (struct vector_register){1, 1};
        // M5 1; 15 digits: the 3, the sixteenth, is lost
        uint64_t text = UINT64_C(0xE6120010F05B) | (uint64_t)rows[i].i4 << 24;
        cpu->vr[2].high = rows[i].digit ? 3 : 0;
        assert_int_equal(execute(bare, text), rows[i].fault);
        if (rows[i].fault) {
            assert_int_equal(bare_get32(bare, 0x90), 0);
            assert_int_equal(cpu->vr[1].high, 1);
            continue;
        }
        assert_int_equal(cpu->psw.cc, rows[i].digit ? 3 : rows[i].cc);
        assert_int_equal(cpu->vr[1].low, (uint64_t)rows[i].digit << 4 | rows[i].result);
        assert_int_equal(cpu->vr[1].high, 0);
        assert_int_equal(execute(bare, text ^ 0x1F000), 0); // 16 digits
        assert_int_equal(cpu->psw.cc, rows[i].cc);
        assert_int_equal(cpu->vr[1].high, cpu->vr[2].high);
    }
    cpu->vr[2] = (struct vector_register){UINT64_C(0xA000000000000000), 0xC};
    assert_int_equal(execute(bare, 0xE6120001F05B), 7); // a digit is no digit
    assert_int_equal(execute(bare, 0xE6128001F05B), 0); // and not looked at
    cpu_facility_set(cpu, 152, false);
    assert_int_equal(execute(bare, 0xE6128001F05B), 7);
    bare_free(bare);
}

static void test_test(void **state)
{
    struct bare *bare = machine();
    (void)state;
    bare->cpu->vr[17] = (struct vector_register){UINT64_C(0x9999999999999999), 0x9A};
    assert_int_equal(execute(bare, 0xE6010000045F), 0);
    assert_int_equal(bare->cpu->psw.cc, 0);
    bare->cpu->vr[17].low = 0x99;
    execute(bare, 0xE6010000045F);
    assert_int_equal(bare->cpu->psw.cc, 1);
    bare->cpu->vr[17].low = 0xAC;
    execute(bare, 0xE6010000045F);
    assert_int_equal(bare->cpu->psw.cc, 2);
    bare->cpu->vr[17].high = UINT64_C(0xF000000000000000);
    bare->cpu->vr[17].low = 0x9;
    execute(bare, 0xE6010000045F);
    assert_int_equal(bare->cpu->psw.cc, 3);
    bare_free(bare);
}

// --- binary --------------------------------------------------------------------------------------

static struct number number_of(uint64_t value, bool negative)
{
    struct number n = {{0}, negative};
    for (int i = 0; value; i++, value /= 10)
        n.digit[i] = (int8_t)(value % 10);
    return n;
}

static void test_to_decimal(void **state)
{
    static const uint64_t edges[] = {0,          1,          0x7FFFFFFF,        0x80000000,
                                     0xFFFFFFFF, 1000000000, INT64_MAX,         UINT64_MAX,
                                     999999999,  99999,      UINT64_C(1) << 63, 10};
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    for (unsigned n = 0; n < CASES; n++) {
        any(2);
        uint64_t value = any(2) ? seed : edges[any(sizeof edges / sizeof *edges)];
        bool wide = any(2);
        unsigned m4 = any(16) & 11, digits = 1 + any(31);
        cpu->gr[7] = value;
        cpu->psw.cc = 1;
        assert_int_equal(execute(bare, UINT64_C(0xE61700000058) | (wide ? 2 : 0) |
                                           (uint64_t)m4 << 20 | (uint64_t)(digits >> 4) << 16 |
                                           (uint64_t)(digits & 15) << 12),
                         0);
        int64_t as_signed = wide ? (int64_t)value : (int32_t)value;
        uint64_t as_unsigned = wide ? value : (uint32_t)value;
        bool negative = !(m4 & 8) && as_signed < 0;
        struct number exact = number_of(m4 & 8     ? as_unsigned
                                        : negative ? 0 - (uint64_t)as_signed
                                                   : (uint64_t)as_signed,
                                        negative);
        bool lost = highest(&exact) >= (int)digits;
        for (unsigned i = digits; i < DIGITS; i++)
            exact.digit[i] = 0;
        struct vector_register v = packed(&exact, m4 & 2 ? 0xF : negative ? 0xD : 0xC);
        assert_int_equal(cpu->vr[1].high, v.high);
        assert_int_equal(cpu->vr[1].low, v.low);
        assert_int_equal(cpu->psw.cc, m4 & 1 ? (lost ? 3 : 0) : 1);
    }
    bare_free(bare);
}

static void test_to_binary(void **state)
{
    // The number's last 16 digits and those before them; masks M3; fault with the overflow mask on.
    static const struct {
        uint64_t high, low;
        uint8_t code, m3;
        uint64_t result;
        uint8_t fault;
    } rows[] = {
        {0, 0x2147483647C, 0x50, 1, 0x7FFFFFFF, 0},
        {0, 0x2147483648C, 0x50, 1, 0x80000000, 8},
        {0, 0x2147483648D, 0x50, 1, 0x80000000, 0},
        {0, 0x2147483649D, 0x50, 1, 0x7FFFFFFF, 8},
        {0, 0x4294967295C, 0x50, 3, 0xFFFFFFFF, 0},
        {0, 0x4294967296C, 0x50, 3, 0, 8},
        {0, 0x1D, 0x50, 1, 0xFFFFFFFF, 0},
        {0, 0x1D, 0x50, 9, 1, 0},
        {0, 0x17, 0x50, 9, 1, 0}, // no sign, and none needed
        {0, 0x17, 0x50, 1, 0, 7},
        {0, 0x2147483648D, 0x50, 9, 0x80000000, 8},
        {0x9223, UINT64_C(0x372036854775807C), 0x52, 1, INT64_MAX, 0},
        {0x9223, UINT64_C(0x372036854775808C), 0x52, 1, UINT64_C(1) << 63, 8},
        {0x9223, UINT64_C(0x372036854775808D), 0x52, 1, UINT64_C(1) << 63, 0},
        {0x9223, UINT64_C(0x372036854775809D), 0x52, 1, INT64_MAX, 8},
        {0x18446, UINT64_C(0x744073709551615C), 0x52, 3, UINT64_MAX, 0},
        {0x18446, UINT64_C(0x744073709551616C), 0x52, 3, 0, 8},
        {UINT64_C(0x9999999999999999), UINT64_C(0x999999999999999C), 0x52, 1,
         UINT64_C(0xC0914B267FFFFFFF), 8},
    };
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t text = UINT64_C(0xE67200000000) | (uint64_t)rows[i].m3 << 20 | rows[i].code;
        cpu->vr[2] = (struct vector_register){rows[i].high, rows[i].low};
        cpu->gr[7] = UINT64_C(0x1111111100000000);
        cpu->psw.mask = 8;
        cpu->psw.cc = 1;
        assert_int_equal(execute(bare, text), rows[i].fault);
        if (rows[i].fault == 7)
            continue;
        uint64_t left = rows[i].code == 0x50 ? UINT64_C(0x1111111100000000) : 0;
        assert_int_equal(cpu->gr[7], left | rows[i].result);
        cpu->psw.mask = 8; // and with the mask of the instruction
        assert_int_equal(execute(bare, text | UINT64_C(0x80000)), 0);
        assert_int_equal(cpu->psw.cc, rows[i].fault ? 3 : 0);
        cpu->psw.mask = 0;
        cpu->psw.cc = 1; // and no condition code
        assert_int_equal(execute(bare, text & ~UINT64_C(0x100000)), 0);
        assert_int_equal(cpu->psw.cc, 1);
    }
    bare_free(bare);
}

// --- storage -------------------------------------------------------------------------------------

static void test_zoned(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    bare_put64(bare, 0x3000, UINT64_C(0xF1F2F3F4F5F6F7D8));
    cpu->gr[5] = 0x3000;
    cpu->vr[17] = (struct vector_register){1, 1};
    assert_int_equal(execute(bare, 0xE60750001134), 0); // VPKZ 17,0(5),7
    assert_int_equal(cpu->vr[17].high, 0);
    assert_int_equal(cpu->vr[17].low, 0x12345678D);
    assert_int_equal(execute(bare, 0xE60250001134), 0); // three digits
    assert_int_equal(cpu->vr[17].low, 0x123F);
    cpu->vr[17] =
        (struct vector_register){UINT64_C(0x1234567890123456), UINT64_C(0x789012345678901B)};
    assert_int_equal(execute(bare, 0xE61E5100113C), 0); // VUPKZ 17,256(5),30
    assert_int_equal(bare_get64(bare, 0x3100), UINT64_C(0xF1F2F3F4F5F6F7F8));
    assert_int_equal(bare_get64(bare, 0x3117), UINT64_C(0xF4F5F6F7F8F9F0B1));
    assert_int_equal(execute(bare, 0xE61E51001134), 0); // and back
    assert_int_equal(cpu->vr[17].high, UINT64_C(0x1234567890123456));
    assert_int_equal(cpu->vr[17].low, UINT64_C(0x789012345678901B));
    assert_int_equal(execute(bare, 0xE6005200113C), 0); // one digit
    assert_int_equal(bare_get64(bare, 0x3200), UINT64_C(0xB100000000000000));
    assert_int_equal(execute(bare, 0xE61F50001134), 6);
    assert_int_equal(execute(bare, 0xE61F5000113C), 6);
    assert_int_equal(execute(bare, 0xE62050001134), 6);
    bare_free(bare);
}

static void test_rightmost(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    bare_put64(bare, 0x3000, UINT64_C(0x0102030405060708));
    bare_put64(bare, 0x3008, UINT64_C(0x090A0B0C0D0E0F10));
    cpu->gr[5] = 0x3000;
    assert_int_equal(execute(bare, 0xE60950001135), 0); // VLRL 17,0(5),9
    assert_int_equal(cpu->vr[17].high, 0x0102);
    assert_int_equal(cpu->vr[17].low, UINT64_C(0x030405060708090A));
    cpu->gr[4] = UINT64_C(0xFFFFFFFF00000002); // three bytes
    assert_int_equal(execute(bare, 0xE60450001137), 0);
    assert_int_equal(cpu->vr[17].high, 0);
    assert_int_equal(cpu->vr[17].low, 0x010203);
    assert_int_equal(execute(bare, 0xE6045100113F), 0); // VSTRLR 17,4,256(5)
    assert_int_equal(bare_get64(bare, 0x3100), UINT64_C(0x0102030000000000));
    cpu->gr[4] = 0x80000000; // 16 at most
    assert_int_equal(execute(bare, 0xE60450001137), 0);
    assert_int_equal(cpu->vr[17].high, UINT64_C(0x0102030405060708));
    assert_int_equal(execute(bare, 0xE6005200113D), 0); // VSTRL 17,512(5),0
    assert_int_equal(bare_get64(bare, 0x3200), UINT64_C(0x1000000000000000));
    assert_int_equal(execute(bare, 0xE6105200113D), 6);
    assert_int_equal(execute(bare, 0xE61050001135), 6);
    bare_free(bare);
}

static void test_immediate(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    assert_int_equal(execute(bare, 0xE61012340849), 0); // VLIP 17,X'1234',0
    assert_int_equal(cpu->vr[17].high, 0);
    assert_int_equal(cpu->vr[17].low, 0x1234C);
    assert_int_equal(execute(bare, 0xE6101234F849), 0); // negative, seven zeros
    assert_int_equal(cpu->vr[17].low, 0x12340000000D);
    assert_int_equal(execute(bare, 0xE610A2340849), 7);
    bare_free(bare);
}

static void test_exceptions(void **state)
{
    struct bare *bare = machine();
    struct cpu *cpu = bare->cpu;
    (void)state;
    cpu->vr[2] = cpu->vr[3] = (struct vector_register){0, 0x1C};
    assert_int_equal(execute(bare, 0xE61230000071), 6); // no digits
    assert_int_equal(execute(bare, 0xE61230022071), 6); // reserved bits
    assert_int_equal(execute(bare, 0xE61230044071), 6);
    assert_int_equal(execute(bare, 0xE61230081071), 0); // masked
    cpu_facility_set(cpu, 152, false);
    assert_int_equal(execute(bare, 0xE61230081071), 6);
    cpu->vr[3].low = 0x11;
    assert_int_equal(execute(bare, 0xE61230001071), 7);
    assert_int_equal(bare_get32(bare, 0x90), 0);
    assert_int_equal(execute(bare, 0xE61230401071), 0); // forced positive
    cpu->cr[0] &= ~(UINT64_C(1) << 17);
    assert_int_equal(execute(bare, 0xE61230401071), 7);
    assert_int_equal(bare_get32(bare, 0x90), 0xFE);
    cpu->cr[0] |= UINT64_C(1) << 17;
    cpu_facility_set(cpu, 134, false);
    block_cache_flush(cpu->blocks);
    assert_int_equal(execute(bare, 0xE61230401071), 1);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_shift_and_round),
        cmocka_unit_test(test_compare),    cmocka_unit_test(test_signs),
        cmocka_unit_test(test_test),       cmocka_unit_test(test_to_decimal),
        cmocka_unit_test(test_to_binary),  cmocka_unit_test(test_zoned),
        cmocka_unit_test(test_rightmost),  cmocka_unit_test(test_immediate),
        cmocka_unit_test(test_exceptions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
