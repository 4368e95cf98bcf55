// SPDX-License-Identifier: MIT
// Decimal floating-point numbers to and from zoned and packed decimal in storage.
// (Principles of Operation, "Decimal-Floating-Point Instructions": CONVERT FROM and TO ZONED,
// CONVERT FROM and TO PACKED.)
#include "cpu/float_dfp.h"
#include "cpu/operands.h"

// M3 of the two directions.
enum control {
    CONTROL_SIGNED = 8,
    CONTROL_ASCII_ZONES = 4, // to zoned: zones are 3, not F
    CONTROL_PLUS_F = 2,      // the plus sign is F, not C
    CONTROL_PLUS_ZERO = 1,   // to: a zero is plus
    CONTROL_NO_SIGN = 1,     // from packed: the sign is not looked at, the number is plus
};

#define BYTES_MAX 34

// Decimal digits and perhaps a sign, one in each element.
struct digits {
    unsigned count;
    uint8_t digit[2 * BYTES_MAX];
    uint8_t sign;
};

static bool is_minus(unsigned sign)
{
    return sign == 0xB || sign == 0xD;
}

// A digit that is not one, a sign that is not one, and more digits than the format has are data
// exceptions.
static void from_digits(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                        const struct digits *d, bool is_signed)
{
    struct dfp x = {.class = DFP_FINITE, .negative = is_signed && is_minus(d->sign)};
    bool good = !is_signed || d->sign >= 10;
    for (unsigned i = 0; i < d->count && good; i++) {
        x.coefficient = x.coefficient * 10 + d->digit[i];
        good = d->digit[i] <= 9 && x.coefficient < dfp_power(f->digits);
    }
    if (!good)
        data_exception(cpu, NULL, DXC_DECIMAL);
    dfp_set_register(cpu, f, insn->r1, x);
}

static void check_length(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f,
                         unsigned longest)
{
    check(cpu, insn->r2 < longest, PIC_SPECIFICATION);
    dfp_check_register(cpu, f, insn->r1);
}

static void from_zoned(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    uint8_t bytes[BYTES_MAX];
    struct digits d = {.count = insn->r2 + 1u};
    check_length(cpu, insn, f, (unsigned)f->digits);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes, d.count);
    for (unsigned i = 0; i < d.count; i++)
        d.digit[i] = bytes[i] & 15;
    d.sign = bytes[d.count - 1] >> 4;
    from_digits(cpu, insn, f, &d, insn->m3 & CONTROL_SIGNED);
}

static void from_packed(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    uint8_t bytes[BYTES_MAX];
    unsigned n = insn->r2 + 1u;
    struct digits d = {.count = 2 * n};
    check_length(cpu, insn, f, (unsigned)f->digits / 2 + 1);
    guest_fetch(cpu, insn->b, address_bd(cpu, insn), bytes, n);
    for (unsigned i = 0; i < n; i++) {
        d.digit[2 * i] = bytes[i] >> 4;
        d.digit[2 * i + 1] = bytes[i] & 15;
    }
    if (insn->m3 & CONTROL_SIGNED)
        d.sign = d.digit[--d.count];
    if (insn->m3 & CONTROL_NO_SIGN)
        d.sign = 0xC;
    from_digits(cpu, insn, f, &d, insn->m3 & CONTROL_SIGNED);
}

// The last `count` digits, and the sign. True when others are lost.
static bool to_digits(struct dfp x, unsigned m3, struct digits *d)
{
    bool plus = !x.negative || (m3 & CONTROL_PLUS_ZERO && x.class == DFP_FINITE && !x.coefficient);
    d->sign = !plus ? 0xD : m3 & CONTROL_PLUS_F ? 0xF : 0xC;
    for (unsigned i = d->count; i-- > 0;) {
        d->digit[i] = (uint8_t)(x.coefficient % 10);
        x.coefficient /= 10;
    }
    return x.coefficient != 0;
}

static void finish(struct cpu *cpu, struct dfp x, bool lost)
{
    cpu->psw.cc = x.class != DFP_FINITE || lost ? 3 : dfp_cc(x);
    if (lost && cpu->psw.mask & 4)
        cpu_program_interruption(cpu, PIC_DECIMAL_OVERFLOW);
}

static void to_zoned(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    uint8_t bytes[BYTES_MAX], zone = insn->m3 & CONTROL_ASCII_ZONES ? 0x30 : 0xF0;
    struct digits d = {.count = insn->r2 + 1u};
    check_length(cpu, insn, f, (unsigned)f->digits);
    struct dfp x = dfp_operand(cpu, f, insn->r1);
    bool lost = to_digits(x, insn->m3, &d);
    for (unsigned i = 0; i < d.count; i++)
        bytes[i] = zone | d.digit[i];
    if (insn->m3 & CONTROL_SIGNED)
        bytes[d.count - 1] = (uint8_t)(d.sign << 4 | d.digit[d.count - 1]);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, d.count);
    finish(cpu, x, lost);
}

static void to_packed(struct cpu *cpu, const struct insn *insn, const struct dfp_format *f)
{
    uint8_t bytes[BYTES_MAX];
    unsigned n = insn->r2 + 1u;
    bool is_signed = insn->m3 & CONTROL_SIGNED;
    struct digits d = {.count = 2 * n - is_signed};
    check_length(cpu, insn, f, (unsigned)f->digits / 2 + 1);
    struct dfp x = dfp_operand(cpu, f, insn->r1);
    bool lost = to_digits(x, insn->m3, &d);
    if (is_signed)
        d.digit[d.count] = d.sign;
    for (unsigned i = 0; i < n; i++)
        bytes[i] = (uint8_t)(d.digit[2 * i] << 4 | d.digit[2 * i + 1]);
    guest_store(cpu, insn->b, address_bd(cpu, insn), bytes, n);
    finish(cpu, x, lost);
}

#define BOTH(d, x, function)                \
    PLAIN(do_##d)                           \
    {                                       \
        function(cpu, insn, &dfp_long);     \
    }                                       \
    PLAIN(do_##x)                           \
    {                                       \
        function(cpu, insn, &dfp_extended); \
    }
BOTH(cdzt, cxzt, from_zoned)
BOTH(czdt, czxt, to_zoned)
BOTH(cdpt, cxpt, from_packed)
BOTH(cpdt, cpxt, to_packed)
