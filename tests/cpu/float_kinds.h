// SPDX-License-Identifier: MIT
// Numbers as bits: the formats of operands and results, and what the architecture makes of NaNs and
// of integers that do not fit. A second view of them, which shares nothing with the CPU's own.
#ifndef ENDICOTT_TESTS_CPU_FLOAT_KINDS_H
#define ENDICOTT_TESTS_CPU_FLOAT_KINDS_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cpu/wide.h"

enum kind { NOTHING, F32, F64, F128, I32, I64, UI32, UI64, BOOL };

static const struct {
    const char *name;
    int bits, fraction, bias;
} kinds[] = {
    [NOTHING] = {"-", 0, 0, 0},         [F32] = {"f32", 32, 23, 127}, [F64] = {"f64", 64, 52, 1023},
    [F128] = {"f128", 128, 112, 16383}, [I32] = {"i32", 32, 0, 0},    [I64] = {"i64", 64, 0, 0},
    [UI32] = {"ui32", 32, 0, 0},        [UI64] = {"ui64", 64, 0, 0},  [BOOL] = {"bool", 1, 0, 0},
};

static inline bool is_float(enum kind k)
{
    return k == F32 || k == F64 || k == F128;
}

// What a function takes and gives: f32_add, f64_to_i32 and so on, named as TestFloat does.
struct function {
    const char *name;
    enum kind operand, result;
    unsigned operands;
    unsigned accepted; // of comparisons: the condition codes that mean yes, bit n for n
    bool rounds;       // depends on the rounding mode
    bool to_integer, integral;
    bool ours; // TestFloat does not have it
};

static inline enum kind kind_of(const char *text, size_t n)
{
    for (unsigned k = F32; k <= UI64; k++)
        if (strlen(kinds[k].name) == n && memcmp(kinds[k].name, text, n) == 0)
            return (enum kind)k;
    abort(); // a fault of the table of forms
}

// Aborts on a name that there is not.
static inline struct function function_of(const char *name)
{
    static const struct {
        const char *name;
        unsigned operands;
        enum kind result; // NOTHING: as the operands
        bool rounds;
        unsigned accepted;
        bool ours;
    } shapes[] = {
        {"add", 2, NOTHING, true, 0, false},      {"sub", 2, NOTHING, true, 0, false},
        {"mul", 2, NOTHING, true, 0, false},      {"div", 2, NOTHING, true, 0, false},
        {"rem", 2, NOTHING, false, 0, false},     {"mulAdd", 3, NOTHING, true, 0, false},
        {"mulSub", 3, NOTHING, true, 0, true},    {"negMulAdd", 3, NOTHING, true, 0, true},
        {"negMulSub", 3, NOTHING, true, 0, true}, {"mulTo64", 2, F64, false, 0, true},
        {"mulTo128", 2, F128, false, 0, true},    {"sqrt", 1, NOTHING, true, 0, false},
        {"test", 1, NOTHING, false, 0, true},     {"roundToInt", 1, NOTHING, true, 0, false},
        {"eq", 2, BOOL, false, 1, false},         {"eq_signaling", 2, BOOL, false, 1, false},
        {"le", 2, BOOL, false, 3, false},         {"le_quiet", 2, BOOL, false, 3, false},
        {"lt", 2, BOOL, false, 2, false},         {"lt_quiet", 2, BOOL, false, 2, false},
    };
    const char *rest = strchr(name, '_') + 1;
    struct function f = {.name = name, .operand = kind_of(name, (size_t)(rest - name - 1))};
    if (strncmp(rest, "to_", 3) == 0) {
        f.operands = 1;
        f.result = kind_of(rest + 3, strlen(rest + 3));
        f.to_integer = !is_float(f.result);
        f.rounds = f.to_integer || !is_float(f.operand) ||
                   kinds[f.result].fraction < kinds[f.operand].fraction;
        return f;
    }
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strcmp(rest, shapes[i].name) != 0)
            continue;
        f.operands = shapes[i].operands;
        f.result = shapes[i].result == NOTHING ? f.operand : shapes[i].result;
        f.rounds = shapes[i].rounds;
        f.accepted = shapes[i].accepted;
        f.ours = shapes[i].ours;
        f.integral = strcmp(rest, "roundToInt") == 0;
        return f;
    }
    abort();
}

// --- bits
// -----------------------------------------------------------------------------------------

static inline uint128 fraction_of(enum kind k, uint128 bits)
{
    return bits & (((uint128)1 << kinds[k].fraction) - 1);
}

// The exponent field, at the right.
static inline int exponent_of(enum kind k, uint128 bits)
{
    return (int)(bits >> kinds[k].fraction) & (2 * kinds[k].bias + 1);
}

static inline bool is_special(enum kind k, uint128 bits)
{
    return exponent_of(k, bits) == 2 * kinds[k].bias + 1;
}

static inline bool is_nan(enum kind k, uint128 bits)
{
    return is_float(k) && is_special(k, bits) && fraction_of(k, bits);
}

static inline bool is_infinite(enum kind k, uint128 bits)
{
    return is_special(k, bits) && !fraction_of(k, bits);
}

static inline bool is_quiet(enum kind k, uint128 bits)
{
    return bits >> (kinds[k].fraction - 1) & 1;
}

static inline bool is_zero(enum kind k, uint128 bits)
{
    return bits << (128 - kinds[k].bits + 1) == 0;
}

static inline bool sign_of(enum kind k, uint128 bits)
{
    return bits >> (kinds[k].bits - 1) & 1;
}

static inline uint128 pack(enum kind k, bool negative, int exponent, uint128 fraction)
{
    return (uint128)negative << (kinds[k].bits - 1) |
           (uint128)(unsigned)exponent << kinds[k].fraction | fraction_of(k, fraction);
}

// --- what the architecture adds to the standard
// ---------------------------------------------------

static inline uint128 default_nan(enum kind k)
{
    return pack(k, false, 2 * kinds[k].bias + 1, (uint128)1 << (kinds[k].fraction - 1));
}

// The same NaN, quiet, in another format: its fraction stays at the left.
static inline uint128 convert_nan(enum kind from, enum kind to, uint128 bits)
{
    uint128 fraction = fraction_of(from, bits);
    int shift = kinds[to].fraction - kinds[from].fraction;
    fraction = shift >= 0 ? fraction << shift : fraction >> -shift;
    return default_nan(to) | pack(to, sign_of(from, bits), 0, fraction);
}

static inline bool zero_and_infinity(enum kind k, uint128 a, uint128 b)
{
    return (is_infinite(k, a) && is_zero(k, b)) || (is_zero(k, a) && is_infinite(k, b));
}

// Signalling before quiet, the first operand before the others; nothing of a product that there is
// not.
static inline uint128 nan_that_goes_through(const struct function *f, const uint128 *operand)
{
    enum kind k = f->operand;
    if (f->operands == 3 && zero_and_infinity(k, operand[0], operand[1]))
        return default_nan(f->result);
    for (unsigned quiet = 0; quiet < 2; quiet++)
        for (unsigned i = 0; i < f->operands; i++)
            if (is_nan(k, operand[i]) && is_quiet(k, operand[i]) == quiet)
                return convert_nan(k, f->result, operand[i]);
    return default_nan(f->result);
}

// The nearest bound; a NaN gives the least.
static inline uint128 out_of_range(const struct function *f, uint128 operand)
{
    bool least = is_nan(f->operand, operand) || sign_of(f->operand, operand);
    uint128 one = 1;
    int bits = kinds[f->result].bits;
    if (f->result == I32 || f->result == I64)
        return least ? one << (bits - 1) : (one << (bits - 1)) - 1;
    return least ? 0 : (one << bits) - 1;
}

static inline int float_cc(enum kind k, uint128 bits)
{
    return is_nan(k, bits) ? 3 : is_zero(k, bits) ? 0 : sign_of(k, bits) ? 1 : 2;
}

// The condition code of a scalar instruction that gave `result` and raised `flags` (of the FPC); -1
// when it has none.
static inline int expected_cc(const struct function *f, const uint128 *operand, uint128 result,
                              uint8_t flags)
{
    if (f->to_integer)
        return flags & 0x80 ? 3 : float_cc(f->operand, operand[0]);
    bool tells = strstr(f->name, "_add") || strstr(f->name, "_sub") || strstr(f->name, "_test");
    return tells ? float_cc(f->result, result) : -1;
}

#endif
