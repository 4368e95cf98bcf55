// SPDX-License-Identifier: MIT
// DIVIDE TO INTEGER in whole numbers of any length: quotient, remainder, condition code, partial
// quotients and those beyond the format, in all rounding modes, with traps.
// ENDICOTT_SEED and ENDICOTT_CASES change seed and number of cases.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <gmp.h>

#include "cpu/bfp_reference.h"
#include "cpu/snippets.h"

struct division {
    struct reference quotient, remainder;
    unsigned cc;
};

// Magnitudes as integers in units of 2^*unit.
static void whole_numbers(enum kind k, uint128 a, uint128 b, mpz_t na, mpz_t nb, int *unit)
{
    mpfr_t x, y;
    mpfr_init2(x, 128);
    mpfr_init2(y, 128);
    set_number(x, k, a);
    set_number(y, k, b);
    mpfr_exp_t ea = mpfr_get_z_2exp(na, x), eb = mpfr_get_z_2exp(nb, y);
    *unit = (int)(ea < eb ? ea : eb);
    mpz_mul_2exp(na, na, (mp_bitcnt_t)(ea - *unit));
    mpz_mul_2exp(nb, nb, (mp_bitcnt_t)(eb - *unit));
    mpz_abs(na, na);
    mpz_abs(nb, nb);
    mpfr_clear(x);
    mpfr_clear(y);
}

static bool rounds_up(enum rounding mode, bool negative, const mpz_t quotient, const mpz_t rest,
                      const mpz_t divisor)
{
    mpz_t twice;
    mpz_init(twice);
    mpz_mul_2exp(twice, rest, 1);
    int half = mpz_cmp(twice, divisor);
    mpz_clear(twice);
    switch (mode) {
    case NEAR_EVEN:
        return half > 0 || (half == 0 && mpz_odd_p(quotient));
    case NEAR_MAX_MAG:
        return half >= 0;
    case MAX:
        return !negative;
    case MIN:
        return negative;
    case ODD:
        return mpz_even_p(quotient);
    default:
        return false;
    }
}

// n * 2^unit with that sign; of a quotient too large for the format the scaled one.
static bool exact_quotient(struct reference *r, const mpz_t n, bool negative)
{
    enum kind k = r->kind;
    mpfr_t x;
    mpfr_init2(x, PRECISION);
    mpfr_set_z(x, n, MPFR_RNDN);
    mpfr_setsign(x, x, negative, MPFR_RNDN);
    bool large = mpz_sgn(n) && (int)mpfr_get_exp(x) - 1 > kinds[k].bias;
    if (large)
        mpfr_mul_2si(x, x, -scale_of(k, k), MPFR_RNDN);
    r->result = get_bits(k, x);
    mpfr_clear(x);
    return large;
}

static void exact_remainder(struct reference *r, const mpz_t n, int unit, bool negative,
                            enum rounding mode, uint8_t masks)
{
    mpfr_t x, t;
    mpfr_init2(x, PRECISION);
    mpfr_init2(t, PRECISION - 8);
    with_trace(x, t, mpfr_set_z_2exp(t, n, unit, MPFR_RNDZ));
    mpfr_setsign(x, x, negative, MPFR_RNDN);
    round_any(r, x, r->kind, mode, masks);
    mpfr_clear(x);
    mpfr_clear(t);
}

static void divide_finite(struct division *d, enum kind k, uint128 a, uint128 b,
                          enum rounding quotient_mode, enum rounding mode, uint8_t masks)
{
    bool negative = sign_of(k, a) != sign_of(k, b), remainder_negative = sign_of(k, a);
    mpz_t na, nb, quotient, rest;
    mpz_inits(na, nb, quotient, rest, NULL);
    int unit, precision = kinds[k].fraction + 1;
    whole_numbers(k, a, b, na, nb, &unit);
    mpz_fdiv_qr(quotient, rest, na, nb);
    int surplus = (int)mpz_sizeinbase(quotient, 2) - precision;
    if (mpz_sgn(quotient) && surplus > 0) { // as much as the format holds
        mpz_fdiv_q_2exp(quotient, quotient, (mp_bitcnt_t)surplus);
        mpz_mul_2exp(quotient, quotient, (mp_bitcnt_t)surplus);
        mpz_set(rest, na);
        mpz_submul(rest, quotient, nb);
        d->cc = mpz_sgn(rest) ? 2 : 0;
    } else if (mpz_sgn(rest) && rounds_up(quotient_mode, negative, quotient, rest, nb)) {
        mpz_add_ui(quotient, quotient, 1);
        mpz_sub(rest, nb, rest);
        remainder_negative = !remainder_negative;
    }
    d->cc += exact_quotient(&d->quotient, quotient, negative);
    exact_remainder(&d->remainder, rest, unit, remainder_negative, mode, masks);
    mpz_clears(na, nb, quotient, rest, NULL);
}

static struct division divide(const struct function *f, const uint128 *operand,
                              enum rounding quotient_mode, enum rounding mode, uint8_t masks)
{
    enum kind k = f->operand;
    uint128 a = operand[0], b = operand[1];
    struct division d = {.quotient.kind = k, .remainder.kind = k};
    if (any_nan(f, operand) || is_infinite(k, a) || is_zero(k, b)) {
        d.quotient.result = d.remainder.result = nan_that_goes_through(f, operand);
        d.remainder.raised = signalling(f, operand) || !any_nan(f, operand) ? INVALID : 0;
        d.cc = 1;
    } else if (is_infinite(k, b) || is_zero(k, a)) {
        d.quotient.result = pack(k, sign_of(k, a) != sign_of(k, b), 0, 0);
        mpfr_t x;
        mpfr_init2(x, 128);
        set_number(x, k, a);
        round_any(&d.remainder, x, k, mode, masks);
        mpfr_clear(x);
    } else {
        divide_finite(&d, k, a, b, quotient_mode, mode, masks);
    }
    return d;
}

// --- the comparison
// -------------------------------------------------------------------------------

static const struct {
    enum rounding mode;
    char digit; // of M4; 0 takes the FPC's
} by_m4[] = {
    {NEAR_EVEN, '0'}, {NEAR_MAX_MAG, '1'}, {ODD, '3'}, {NEAR_EVEN, '4'},
    {MIN_MAG, '5'},   {MAX, '6'},          {MIN, '7'},
};
#define M4S (sizeof by_m4 / sizeof by_m4[0])

static struct bare *rig;

static uint64_t code_at(enum kind k, unsigned m4)
{
    return CODE + 0x20 * (m4 + (k == F64 ? M4S : 0));
}

static uint128 random_operand(struct random *r, enum kind k, int near)
{
    int most = 2 * kinds[k].bias + 1;
    int exponent = random_below(r, 8) == 0 ? (int)(random64(r) % (unsigned)(most + 1))
                                           : near + (int)random_below(r, 140) - 70;
    if (random_below(r, 16) == 0)
        exponent = random_below(r, 2) ? most : 0;
    exponent = exponent < 0 ? 0 : exponent > most ? most : exponent;
    uint64_t fraction = random64(r);
    if (random_below(r, 3) == 0)
        fraction <<= random_below(r, 64);
    if (random_below(r, 8) == 0)
        fraction = random_below(r, 4);
    return pack(k, random_below(r, 2), exponent, fraction);
}

static bool same(const struct division *want, uint32_t fpc, uint32_t mode)
{
    const struct cpu *cpu = rig->cpu;
    uint8_t masks = (uint8_t)(fpc >> 24), raised = want->remainder.raised;
    unsigned shift = want->quotient.kind == F32 ? 32 : 0;
    fpc |= mode;
    if (raised & masks & INVALID)
        return cpu->psw.address == 0xBAD && cpu->fpc == (fpc | 0x8000) &&
               cpu->vr[8].high == UINT64_C(0x5A5A5A5A5A5A5A5A);
    uint8_t inexact = !(raised & INEXACT) ? 0 : want->remainder.incremented ? 0x0C : 0x08;
    uint8_t code = raised & masks & UNDERFLOW ? UNDERFLOW | inexact : masks & INEXACT ? inexact : 0;
    uint8_t flags = raised & (INVALID | (raised & masks & UNDERFLOW ? 0 : UNDERFLOW));
    flags |= code ? 0 : raised & INEXACT;
    unsigned cc = (code ? bare_get32(rig, 0x150) >> 12 : (unsigned)(rig->cpu->gr[5] >> 28)) & 3;
    return cpu->psw.address == (code ? 0xBADu : 0x600Du) &&
           cpu->fpc == (fpc | (uint32_t)flags << 16 | (uint32_t)code << 8) && cc == want->cc &&
           cpu->vr[0].high >> shift == (uint64_t)want->remainder.result &&
           cpu->vr[8].high >> shift == (uint64_t)want->quotient.result;
}

static bool run(const struct function *f, const uint128 *operand, unsigned m4, uint32_t fpc,
                unsigned fpc_mode)
{
    enum kind k = f->operand;
    enum rounding mode = (enum rounding)fpc_mode; // the FPC's first four, in TestFloat's order
    struct division want =
        divide(f, operand, m4 ? by_m4[m4].mode : mode, mode, (uint8_t)(fpc >> 24));
    struct cpu *cpu = rig->cpu;
    unsigned shift = k == F32 ? 32 : 0;
    uint32_t bits = (uint32_t)float_modes[fpc_mode].fpc;
    cpu->vr[0].high = (uint64_t)operand[0] << shift;
    cpu->vr[4].high = (uint64_t)operand[1] << shift;
    cpu->vr[8].high = UINT64_C(0x5A5A5A5A5A5A5A5A);
    cpu->psw.address = code_at(k, m4);
    cpu->psw.wait = false;
    cpu->fpc = fpc | bits;
    rig_run(rig);
    if (same(&want, fpc, bits))
        return true;
    printf("# %s M4 %c FPC %08X: %016llX %016llX\n", f->name, by_m4[m4].digit, fpc | bits,
           (unsigned long long)operand[0], (unsigned long long)operand[1]);
    printf("#   want %016llX remainder %016llX raised %02X cc %u\n",
           (unsigned long long)want.quotient.result, (unsigned long long)want.remainder.result,
           want.remainder.raised, want.cc);
    printf("#   have %016llX remainder %016llX FPC %08X cc %u at %llX\n",
           (unsigned long long)cpu->vr[8].high, (unsigned long long)cpu->vr[0].high, cpu->fpc,
           (unsigned)(cpu->gr[5] >> 28) & 3, (unsigned long long)cpu->psw.address);
    return false;
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *text = getenv(name);
    return text ? strtoul(text, NULL, 0) : otherwise;
}

static void test_divide_to_integer(void **state)
{
    (void)state;
    struct random r = {setting("ENDICOTT_SEED", 1)};
    unsigned long cases = setting("ENDICOTT_CASES", 20000), bad = 0;
    const struct function functions[] = {function_of("f32_rem"), function_of("f64_rem")};
    for (unsigned long n = 0; n < cases && bad < 10; n++) {
        const struct function *f = &functions[n % 2];
        enum kind k = f->operand;
        int near = (int)(random64(&r) % (unsigned)(2 * kinds[k].bias));
        uint128 operand[2] = {random_operand(&r, k, near), random_operand(&r, k, near)};
        uint32_t masks = random_below(&r, 3) ? 0 : (uint32_t)random_below(&r, 32) << 27;
        bad += !run(f, operand, random_below(&r, M4S), masks, random_below(&r, NEAR_MAX_MAG));
    }
    assert_int_equal(bad, 0);
}

static int start(void **state)
{
    (void)state;
    rig = rig_new("");
    rig->cpu->cr[0] |= 0x40000;
    cpu_state_changed(rig->cpu);
    for (unsigned m4 = 0; m4 < M4S; m4++) {
        char code[16];
        snprintf(code, sizeof code, "B3538%c04", by_m4[m4].digit);
        rig_hex(rig, rig_hex(rig, code_at(F32, m4), code), "B2220050 B2B20E00");
        snprintf(code, sizeof code, "B35B8%c04", by_m4[m4].digit);
        rig_hex(rig, rig_hex(rig, code_at(F64, m4), code), "B2220050 B2B20E00");
    }
    return 0;
}

static int stop(void **state)
{
    (void)state;
    bare_free(rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_divide_to_integer)};
    return cmocka_run_group_tests_name("divide to integer, exactly", tests, start, stop);
}
