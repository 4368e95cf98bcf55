// SPDX-License-Identifier: MIT
// Every binary floating-point instruction, scalar and vector, against MPFR: results, condition
// codes, flags, and traps with their codes and scaled results, in all rounding modes.
// ENDICOTT_SEED and ENDICOTT_CASES change seed and number of cases for each function and mode.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/bfp_reference.h"
#include "cpu/snippets.h"

// --- traps
// ----------------------------------------------------------------------------------------

// Scalar instructions: invalid and division suppress, the others complete, and the most urgent one
// that traps leaves its own flag and those after it alone.
static struct outcome scalar_outcome(const struct reference *r, uint8_t masks)
{
    struct outcome o = {.result = r->result, .kind = r->kind};
    uint8_t early = r->raised & (INVALID | DIVIDE), range = r->raised & (OVERFLOW | UNDERFLOW);
    uint8_t inexact = !(r->raised & INEXACT) ? 0 : r->incremented ? 0x0C : 0x08;
    if (early & masks) {
        o.code = early & masks;
        o.kept = true;
        return o;
    }
    o.flags = early;
    if (range & masks) {
        o.code = (range & masks) | inexact;
        return o;
    }
    o.flags |= range;
    if (inexact && masks & INEXACT)
        o.code = inexact;
    else
        o.flags |= r->raised & INEXACT;
    return o;
}

// Vector instructions: all traps suppress; element 0 is the first to trap.
static struct outcome vector_outcome(const struct reference *r, uint8_t masks)
{
    struct outcome o = {.result = r->result, .kind = r->kind, .flags = r->raised};
    uint8_t cause = 1;
    for (uint8_t bit = INVALID; bit >= INEXACT; bit >>= 1, cause++) {
        if (!(r->raised & masks & bit))
            continue;
        o = (struct outcome){.kept = true, .code = cause};
        break;
    }
    return o;
}

static struct outcome expected(const struct way *way, const struct function *f,
                               const struct reference *raw, const uint128 *operand, uint8_t masks)
{
    struct reference r = *raw;
    if (way->quietly)
        r.raised &= (uint8_t)~INEXACT;
    struct outcome o =
        in_vectors(way->form->place) ? vector_outcome(&r, masks) : scalar_outcome(&r, masks);
    struct function delivered = *f;
    delivered.result = r.kind;
    o.cc = expected_cc(&delivered, operand, r.result, r.raised);
    return o;
}

// --- operands
// -------------------------------------------------------------------------------------

static uint128 random_fraction(struct random *r, enum kind k)
{
    uint128 v = (uint128)random64(r) << 64 | random64(r);
    int n = (int)random_below(r, (unsigned)kinds[k].fraction + 1);
    switch (random_below(r, 5)) {
    case 0:
        return 0;
    case 1:
        return v << n; // zeros at the right
    case 2:
        return ~(uint128)0 << n | (random_below(r, 2) ? 0 : 1);
    case 3:
        return (uint128)1 << n;
    default:
        return v;
    }
}

static int random_exponent(struct random *r, enum kind k)
{
    int most = 2 * kinds[k].bias + 1, near = (int)random_below(r, 5) - 2;
    switch (random_below(r, 8)) {
    case 0: // zero, subnormal
        return (int)random_below(r, 3);
    case 1: // infinity, NaN, largest
        return most - (int)random_below(r, 3);
    case 2: // products and quotients that meet a limit
        return kinds[k].bias / 2 + near + (random_below(r, 2) ? kinds[k].bias : 0);
    case 3:
        return (int)(random64(r) % (unsigned)(most + 1));
    case 4: // where short and long end
        return kinds[k].bias + (random_below(r, 2) ? 1 : -1) * (random_below(r, 2) ? 127 : 1023) +
               near * 8;
    case 5: // where integers end
        return kinds[k].bias + (random_below(r, 2) ? 31 : 63) + near;
    default:
        return kinds[k].bias + (int)random_below(r, 40) - 20;
    }
}

static uint128 random_operand(struct random *r, enum kind k)
{
    if (!is_float(k)) {
        uint64_t v = random_number(r);
        v = random_below(r, 2) ? v : v >> random_below(r, 64);
        return kinds[k].bits == 32 ? (uint32_t)v : v;
    }
    int exponent = random_exponent(r, k), most = 2 * kinds[k].bias + 1;
    exponent = exponent < 0 ? 0 : exponent > most ? most : exponent;
    return pack(k, random_below(r, 2), exponent, random_fraction(r, k));
}

// Often close to each other, so that sums cancel.
static void random_operands(struct random *r, const struct function *f, uint128 *operand)
{
    for (unsigned i = 0; i < f->operands; i++)
        operand[i] = random_operand(r, f->operand);
    if (f->operands == 2 && is_float(f->operand) && random_below(r, 4) == 0)
        operand[1] = operand[0] ^ ((uint128)random_below(r, 2) << (kinds[f->operand].bits - 1) |
                                   random_below(r, 3));
}

// --- the comparison
// -------------------------------------------------------------------------------

static void run_operands(struct ways *ways, const struct function *f, enum rounding mode,
                         const uint128 *operand, uint32_t fpc)
{
    uint8_t masks = (uint8_t)(fpc >> 24);
    struct reference r = reference(f, operand, mode, masks);
    for (unsigned i = 0; i < ways->count; i++) {
        struct way *way = &ways->way[i];
        struct outcome want = expected(way, f, &r, operand, masks);
        way_run(way, f, operand, fpc | way_fpc_mode(way), &want);
    }
}

static uint64_t run_function(const struct function *f, struct random *r, unsigned cases)
{
    uint64_t bad = 0;
    for (unsigned m = 0; m < (f->rounds ? FLOAT_MODES : 1); m++) {
        struct ways ways;
        ways_open(&ways, f->name, &float_modes[m]);
        for (unsigned n = 0; n < cases && ways.count; n++) {
            uint128 operand[3] = {0};
            random_operands(r, f, operand);
            uint32_t masks = random_below(r, 3) ? 0 : (uint32_t)random_below(r, 32) << 27;
            if (strstr(f->name, "_rem")) // it would end the loop in the middle
                masks &= ~((uint32_t)UNDERFLOW << 24);
            uint32_t flags = random_below(r, 2) ? 0 : (uint32_t)random_below(r, 32) << 19;
            run_operands(&ways, f, (enum rounding)m, operand, masks | flags);
        }
        for (unsigned i = 0; i < ways.count; i++)
            bad += ways.way[i].bad;
        ways_close(&ways);
    }
    return bad;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : otherwise;
}

static void test_against_mpfr(void **state)
{
    (void)state;
    struct random r = {setting("ENDICOTT_SEED", 1)};
    unsigned cases = (unsigned)setting("ENDICOTT_CASES", 500), bad = 0;
    for (unsigned i = 0; i < FORMS; i++) {
        if (form_repeats(i))
            continue;
        struct function f = function_of(forms[i].function);
        bad += run_function(&f, &r, cases) != 0;
    }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_mpfr)};
    return cmocka_run_group_tests_name("binary floating point against MPFR", tests, NULL, NULL);
}
