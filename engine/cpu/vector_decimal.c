// SPDX-License-Identifier: MIT
// Packed decimal arithmetic in vector registers.
// (Principles of Operation, "Vector Decimal Instructions".)
#include "cpu/vector_decimal.h"

// Masks of the instructions: bit 0 forces the second operand positive, and so on.
#define FORCE_2 (MASK24 >> 3 & 1)
#define FORCE_3 (MASK24 >> 2 & 1)
#define FORCE_1 (MASK24 >> 1 & 1)
#define SET_CC  (MASK24 & 1)

struct vector_decimal vector_decimal_operand(struct cpu *cpu, const struct vector_register *v,
                                             bool forced_positive)
{
    if (!digits_valid(v) || (!forced_positive && !sign_valid(v)))
        data_exception(cpu, NULL, DXC_DECIMAL);
    return (struct vector_decimal){packed_magnitude(packed_of(v)),
                                   !forced_positive && sign_minus(v->low & 15)};
}

unsigned vector_decimal_count(struct cpu *cpu, unsigned immediate, bool *masked)
{
    *masked = immediate & 0x80;
    check(cpu, !(immediate & 0x60), PIC_SPECIFICATION);
    check(cpu, !*masked || cpu_facility(cpu, FACILITY_DECIMAL_ENHANCEMENT), PIC_SPECIFICATION);
    return immediate & 0x1F;
}

void vector_decimal_overflow(struct cpu *cpu, bool masked)
{
    if (!masked && cpu->psw.mask & 4)
        cpu_program_interruption(cpu, PIC_DECIMAL_OVERFLOW);
}

void vector_decimal_finish(struct cpu *cpu, const struct insn *insn, struct vector_decimal value,
                           const struct decimal_result *result)
{
    uint128 limit = power_of_ten(result->digits);
    bool lost = result->lost || value.magnitude >= limit;
    uint128 kept = value.magnitude % limit;
    bool negative = value.negative && kept != 0 && !result->forced_positive;
    unsigned sign = result->forced_positive ? SIGN_ZONE : negative ? SIGN_MINUS : SIGN_PLUS;
    struct packed p;
    packed_make(kept, sign, &p);
    *V1 = (struct vector_register){p.left, p.right};
    if (result->set_cc)
        cpu->psw.cc = lost ? 3 : kept == 0 ? 0 : negative ? 1 : 2;
    if (lost)
        vector_decimal_overflow(cpu, result->masked);
}

// What I4 and M5 of the three-register form ask for: a count of digits, which must not be zero.
static struct decimal_result result_digits(struct cpu *cpu, const struct insn *insn,
                                           unsigned immediate)
{
    struct decimal_result result = {.forced_positive = FORCE_1, .set_cc = SET_CC};
    result.digits = vector_decimal_count(cpu, immediate, &result.masked);
    check(cpu, result.digits != 0, PIC_SPECIFICATION);
    return result;
}

// Both operands, checked before either is used.
struct decimal_pair {
    struct vector_decimal a, b; // second and third operand
};

static struct decimal_pair operand_pair(struct cpu *cpu, const struct insn *insn)
{
    return (struct decimal_pair){vector_decimal_operand(cpu, V2, FORCE_2),
                                 vector_decimal_operand(cpu, V3, FORCE_3)};
}

static void add(struct cpu *cpu, const struct insn *insn, bool subtract)
{
    struct decimal_result result = result_digits(cpu, insn, (unsigned)insn->i);
    struct decimal_pair o = operand_pair(cpu, insn);
    struct vector_decimal sum = o.a;
    if (o.a.negative == (o.b.negative ^ subtract))
        sum.magnitude += o.b.magnitude;
    else if (o.a.magnitude >= o.b.magnitude)
        sum.magnitude -= o.b.magnitude;
    else
        sum = (struct vector_decimal){o.b.magnitude - o.a.magnitude, !o.a.negative};
    vector_decimal_finish(cpu, insn, sum, &result);
}

PLAIN(do_vap)
{
    add(cpu, insn, false);
}

PLAIN(do_vsp)
{
    add(cpu, insn, true);
}

// --- multiplication -----------------------------------------------------------------------------

// The product's digits from the right without the last `shift`; *lost when more than 31 are left.
// In limbs of 16 digits, the rightmost first.
static uint128 product(uint128 a, uint128 b, unsigned shift, bool *lost)
{
    uint64_t x[2] = {(uint64_t)(a % TEN_TO_16), (uint64_t)(a / TEN_TO_16)};
    uint64_t y[2] = {(uint64_t)(b % TEN_TO_16), (uint64_t)(b / TEN_TO_16)};
    uint128 sum[5] = {(uint128)x[0] * y[0], (uint128)x[0] * y[1] + (uint128)x[1] * y[0],
                      (uint128)x[1] * y[1], 0, 0};
    uint64_t limb[6] = {0};
    for (unsigned i = 0; i < 4; i++) {
        limb[i] = (uint64_t)(sum[i] % TEN_TO_16);
        sum[i + 1] += sum[i] / TEN_TO_16;
    }
    unsigned whole = shift / 16, part = shift % 16;
    uint64_t out = (uint64_t)power_of_ten(part), in = (uint64_t)power_of_ten(16 - part);
    uint64_t left[4];
    for (unsigned i = 0; i < 4; i++) {
        uint64_t next = i + whole + 1 < 6 ? limb[i + whole + 1] : 0;
        left[i] = limb[i + whole] / out + next % out * in;
    }
    *lost = left[3] || left[2] || left[1] >= TEN_TO_16 / 10;
    return (uint128)(left[1] % (TEN_TO_16 / 10)) * TEN_TO_16 + left[0];
}

PLAIN(do_vmp)
{
    struct decimal_result result = result_digits(cpu, insn, (unsigned)insn->i);
    struct decimal_pair o = operand_pair(cpu, insn);
    struct vector_decimal value = {.negative = o.a.negative != o.b.negative};
    value.magnitude = product(o.a.magnitude, o.b.magnitude, 0, &result.lost);
    vector_decimal_finish(cpu, insn, value, &result);
}

// A shift in place of the count of digits: all 31 are kept.
static struct decimal_result result_shifted(struct cpu *cpu, const struct insn *insn,
                                            unsigned *shift)
{
    struct decimal_result result = {
        .digits = DIGITS_MOST, .forced_positive = FORCE_1, .set_cc = SET_CC};
    *shift = vector_decimal_count(cpu, (unsigned)insn->i, &result.masked);
    return result;
}

PLAIN(do_vmsp)
{
    unsigned shift;
    struct decimal_result result = result_shifted(cpu, insn, &shift);
    struct decimal_pair o = operand_pair(cpu, insn);
    struct vector_decimal value = {.negative = o.a.negative != o.b.negative};
    value.magnitude = product(o.a.magnitude, o.b.magnitude, shift, &result.lost);
    vector_decimal_finish(cpu, insn, value, &result);
}

// --- division -----------------------------------------------------------------------------------

static struct decimal_pair dividend_and_divisor(struct cpu *cpu, const struct insn *insn)
{
    struct decimal_pair o = operand_pair(cpu, insn);
    check(cpu, o.b.magnitude != 0, PIC_DECIMAL_DIVIDE);
    return o;
}

PLAIN(do_vdp)
{
    struct decimal_result result = result_digits(cpu, insn, (unsigned)insn->i);
    struct decimal_pair o = dividend_and_divisor(cpu, insn);
    struct vector_decimal quotient = {o.a.magnitude / o.b.magnitude, o.a.negative != o.b.negative};
    vector_decimal_finish(cpu, insn, quotient, &result);
}

PLAIN(do_vrp)
{
    struct decimal_result result = result_digits(cpu, insn, (unsigned)insn->i);
    struct decimal_pair o = dividend_and_divisor(cpu, insn);
    struct vector_decimal remainder = {o.a.magnitude % o.b.magnitude, o.a.negative};
    vector_decimal_finish(cpu, insn, remainder, &result);
}

// The dividend with zeros behind it: one more digit of the quotient for each.
PLAIN(do_vsdp)
{
    unsigned shift;
    struct decimal_result result = result_shifted(cpu, insn, &shift);
    struct decimal_pair o = dividend_and_divisor(cpu, insn);
    uint128 divisor = o.b.magnitude, rest = o.a.magnitude % divisor;
    struct vector_decimal quotient = {o.a.magnitude / divisor, o.a.negative != o.b.negative};
    for (; shift > 0; shift--) {
        rest *= 10;
        quotient.magnitude = quotient.magnitude * 10 + rest / divisor;
        rest %= divisor;
        result.lost |= quotient.magnitude >= power_of_ten(DIGITS_MOST);
        quotient.magnitude %= power_of_ten(DIGITS_MOST);
    }
    vector_decimal_finish(cpu, insn, quotient, &result);
}

// --- one operand --------------------------------------------------------------------------------

static uint128 shifted_left(uint128 magnitude, unsigned by, bool *lost)
{
    if (by >= DIGITS_MOST) {
        *lost = magnitude != 0;
        return 0;
    }
    uint128 limit = power_of_ten(DIGITS_MOST - by);
    *lost = magnitude >= limit;
    return magnitude % limit * power_of_ten(by);
}

static uint128 shifted_right(uint128 magnitude, unsigned by, bool round)
{
    if (by > DIGITS_MOST + 1) // even the digit that rounds is a zero
        return 0;
    if (!round)
        return by > DIGITS_MOST ? 0 : magnitude / power_of_ten(by);
    return (magnitude / power_of_ten(by - 1) + 5) / 10;
}

// I4: a bit that asks for rounding, and a signed shift of seven bits, to the left when positive.
PLAIN(do_vsrp)
{
    unsigned i4 = (unsigned)insn->i >> 8;
    struct decimal_result result = result_digits(cpu, insn, insn->i & 0xFF);
    struct vector_decimal value = vector_decimal_operand(cpu, V2, FORCE_2);
    if (i4 & 0x40)
        value.magnitude = shifted_right(value.magnitude, 0x80 - (i4 & 0x7F), i4 & 0x80);
    else
        value.magnitude = shifted_left(value.magnitude, i4 & 0x3F, &result.lost);
    vector_decimal_finish(cpu, insn, value, &result);
}

// M3: bits 0 and 1 force the first and the second operand positive.
PLAIN(do_vcp)
{
    struct vector_decimal a = vector_decimal_operand(cpu, V1, MASK24 & 8);
    struct vector_decimal b = vector_decimal_operand(cpu, V2, MASK24 & 4);
    int128 x = (int128)a.magnitude, y = (int128)b.magnitude;
    x = a.negative ? -x : x;
    y = b.negative ? -y : y;
    cpu->psw.cc = (uint8_t)((x > y) * 2 + (x < y));
}

PLAIN(do_vtp)
{
    cpu->psw.cc = (uint8_t)(!digits_valid(V1) << 1 | !sign_valid(V1));
}

// --- signs --------------------------------------------------------------------------------------

enum sign_operation { SIGN_MAINTAIN, SIGN_COMPLEMENT, SIGN_FORCE_POSITIVE, SIGN_FORCE_NEGATIVE };

// I4 of PERFORM SIGN OPERATION.
struct sign_controls {
    enum sign_operation operation;
    bool zone;          // positive signs are F, not C
    bool check_sign;    // even where the sign is replaced
    bool check_nothing; // with the enhancement: digits are not looked at
    bool negative_zero; // with the enhancement: a zero may be negative
};

static struct sign_controls sign_controls(const struct cpu *cpu, unsigned i4)
{
    bool enhanced = cpu_facility(cpu, FACILITY_DECIMAL_ENHANCEMENT);
    return (struct sign_controls){.operation = (enum sign_operation)(i4 >> 2 & 3),
                                  .zone = i4 & 2,
                                  .check_sign = i4 & 1,
                                  .check_nothing = enhanced && i4 & 0x80,
                                  .negative_zero = enhanced && i4 & 0x40};
}

static void check_signed_operand(struct cpu *cpu, const struct vector_register *v,
                                 const struct sign_controls *c)
{
    bool sign = c->operation == SIGN_COMPLEMENT ||
                (c->operation == SIGN_MAINTAIN ? !c->check_nothing : c->check_sign);
    if ((!c->check_nothing && !digits_valid(v)) || (sign && !sign_valid(v)))
        data_exception(cpu, NULL, DXC_DECIMAL);
}

static bool result_negative(const struct sign_controls *c, unsigned sign)
{
    switch (c->operation) {
    case SIGN_COMPLEMENT:
        return !sign_minus(sign);
    case SIGN_FORCE_POSITIVE:
        return false;
    case SIGN_FORCE_NEGATIVE:
        return true;
    default:
        return sign_minus(sign);
    }
}

// Works on digit codes as they are, for they may be unchecked.
PLAIN(do_vpsop)
{
    bool masked;
    struct sign_controls c = sign_controls(cpu, (unsigned)insn->i >> 8);
    unsigned digits = vector_decimal_count(cpu, insn->i & 0xFF, &masked);
    check(cpu, digits != 0, PIC_SPECIFICATION);
    check_signed_operand(cpu, V2, &c);
    unsigned sign = V2->low & 15;
    uint128 all = vector_wide(V2) >> 4, mask = ((uint128)1 << 4 * digits) - 1, kept = all & mask;
    bool lost = all != kept;
    bool negative = result_negative(&c, sign) && (kept != 0 || c.negative_zero);
    if (c.operation != SIGN_MAINTAIN || sign >= 10) // an unchecked invalid sign is maintained
        sign = negative ? SIGN_MINUS : c.zone ? SIGN_ZONE : SIGN_PLUS;
    *V1 = vector_of(kept << 4 | sign);
    if (MASK24 & 1)
        cpu->psw.cc = lost ? 3 : kept == 0 ? 0 : negative ? 1 : 2;
    if (lost)
        vector_decimal_overflow(cpu, masked);
}
