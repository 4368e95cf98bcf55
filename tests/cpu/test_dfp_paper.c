// SPDX-License-Identifier: MIT
// Decimal floating-point arithmetic: random and extreme operands in every rounding mode, with and
// without traps, against arithmetic on rows of digits (cpu/paper.h): results, condition codes,
// flags and data-exception codes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/dfp_rig.h"
#include "cpu/paper.h"

static struct bare *rig;
static struct random seed = {42};

// --- operands ---------------------------------------------------------------------------------

// Few or many digits, runs of nines and zeros, exponents at the ends and in the middle.
static uint128 random_operand(const struct paper_format *f, int near)
{
    static struct paper x;
    memset(&x, 0, sizeof x);
    x.negative = random_below(&seed, 2);
    x.class = random_below(&seed, 40) ? PAPER_FINITE : (enum paper_class)random_below(&seed, 4);
    int digits =
        random_below(&seed, 3) ? (int)random_below(&seed, (unsigned)f->digits + 1) : f->digits;
    unsigned style = random_below(&seed, 4);
    for (int i = 0; i < digits; i++)
        x.digit[i] = (uint8_t)(style == 0   ? 9
                               : style == 1 ? (i == digits - 1 ? 1 + random_below(&seed, 9) : 0)
                               : style == 2 ? (random_below(&seed, 8) ? 0 : 5)
                                            : random_below(&seed, 10));
    switch (random_below(&seed, 6)) {
    case 0:
        x.exponent = -f->bias + (int)random_below(&seed, 40);
        break;
    case 1:
        x.exponent = f->largest - f->bias - (int)random_below(&seed, 40);
        break;
    case 2:
        x.exponent = (int)random_below(&seed, (unsigned)f->largest + 1) - f->bias;
        break;
    case 3:
        x.exponent = -f->bias / 2 + (int)random_below(&seed, 40) - 20;
        break;
    default:
        x.exponent = near + (int)random_below(&seed, 80) - 40;
        break;
    }
    if (x.exponent < -f->bias)
        x.exponent = -f->bias;
    if (x.exponent > f->largest - f->bias)
        x.exponent = f->largest - f->bias;
    if (x.class != PAPER_FINITE)
        x.digit[f->digits - 1] = 0;
    return paper_pack(f, &x);
}

// --- what must come out -----------------------------------------------------------------------

struct outcome {
    struct paper value;
    struct paper_flags flags;
};

static bool is_nan(const struct paper *x)
{
    return x->class >= PAPER_QUIET;
}

static void become_nan(const struct paper_format *f, struct outcome *o)
{
    memset(&o->value, 0, sizeof o->value);
    o->value.class = PAPER_QUIET;
    o->value.count = f->digits;
    o->flags.raised = PAPER_INVALID;
}

static void become_infinity(struct outcome *o, bool negative)
{
    memset(&o->value, 0, sizeof o->value);
    o->value.class = PAPER_INFINITY;
    o->value.negative = negative;
}

// Infinities and NaNs; false when both operands are finite.
static bool special(const struct paper_format *f, char op, const struct paper *a,
                    const struct paper *b, struct outcome *o)
{
    if (is_nan(a) || is_nan(b)) {
        bool signal = a->class == PAPER_SIGNAL || b->class == PAPER_SIGNAL;
        const struct paper *from = a->class == PAPER_SIGNAL || (!signal && is_nan(a)) ||
                                           (is_nan(a) && b->class != PAPER_SIGNAL)
                                       ? a
                                       : b;
        o->value = *from;
        o->value.class = PAPER_QUIET;
        o->flags.raised |= signal ? PAPER_INVALID : 0;
        return true;
    }
    bool ai = a->class == PAPER_INFINITY, bi = b->class == PAPER_INFINITY;
    bool a0 = !ai && paper_length(a) == 0, b0 = !bi && paper_length(b) == 0;
    bool negative = a->negative != b->negative;
    if ((op == '+' && ai && bi && negative) || (op == '*' && ((ai && b0) || (a0 && bi))) ||
        (op == '/' && ((ai && bi) || (a0 && b0)))) {
        become_nan(f, o);
    } else if (op == '+' && (ai || bi)) {
        become_infinity(o, ai ? a->negative : b->negative);
    } else if ((op == '*' && (ai || bi)) || (op == '/' && ai)) {
        become_infinity(o, negative);
    } else if (op == '/' && bi) {
        memset(&o->value, 0, sizeof o->value);
        o->value.negative = negative;
        o->value.exponent = o->value.preferred = -f->bias;
    } else if (op == '/' && b0) {
        become_infinity(o, negative);
        o->flags.raised |= PAPER_DIVIDE;
    } else {
        return false;
    }
    return true;
}

static void expect(const struct paper_format *f, char op, uint128 abits, uint128 bbits,
                   struct outcome *o)
{
    static struct paper a, b;
    paper_unpack(f, abits, &a);
    paper_unpack(f, bbits, &b);
    if (op == '-') {
        op = '+';
        b.negative ^= !is_nan(&b);
    }
    if (!special(f, op, &a, &b, o)) {
        if (op == '+')
            paper_add(&a, &b, o->flags.mode);
        else if (op == '*')
            paper_multiply(&a, &b);
        else
            paper_divide(&a, &b);
        o->value = a;
    }
    paper_round(f, &o->flags, &o->value);
}

// The data-exception code, or 0 and the flags that come on.
static unsigned trap(const struct paper_flags *f, unsigned *flags)
{
    unsigned inexact = !(f->raised & PAPER_INEXACT) ? 0 : f->incremented ? 0x0C : 0x08;
    *flags = 0;
    static const unsigned order[] = {PAPER_INVALID, PAPER_DIVIDE,  PAPER_OVER,
                                     PAPER_UNDER,   PAPER_INEXACT, PAPER_QUANTUM};
    for (unsigned i = 0; i < 6; i++) {
        if (!(f->raised & order[i]))
            continue;
        if (f->masks & order[i])
            return order[i] == PAPER_INEXACT                           ? inexact
                   : order[i] == PAPER_OVER || order[i] == PAPER_UNDER ? order[i] | inexact
                                                                       : order[i];
        *flags |= order[i];
    }
    return 0;
}

static unsigned cc_of(const struct paper *x)
{
    return is_nan(x) ? 3 : x->class == PAPER_FINITE && !paper_length(x) ? 0 : x->negative ? 1 : 2;
}

static unsigned bad;

static void complain(const char *code, uint128 a, uint128 b, uint32_t fpc, uint128 got,
                     uint128 want)
{
    if (bad++ >= 10)
        return;
    printf("# %s %016llX%016llX %016llX%016llX fpc %08X: got %016llX%016llX want %016llX%016llX"
           " fpc %08X fault %X cc %u\n",
           code, (unsigned long long)(a >> 64), (unsigned long long)a,
           (unsigned long long)(b >> 64), (unsigned long long)b, fpc,
           (unsigned long long)(got >> 64), (unsigned long long)got,
           (unsigned long long)(want >> 64), (unsigned long long)want, rig->cpu->fpc,
           bare_get32(rig, 0x8C), dfp_rig_cc(rig));
}

// FPR 1 op FPR 4 to FPR 8 (extended: pairs). Half the time the mode stands in the instruction.
static void one(const struct paper_format *f, char op)
{
    static const char ops[] = "*/+-";
    static struct outcome o;
    uint128 a = random_operand(f, 0), b = random_operand(f, random_below(&seed, 2) ? 0 : -300);
    int mode = (int)random_below(&seed, 8);
    unsigned masks = random_below(&seed, 3) ? 0 : random_below(&seed, 64) << 2, flags;
    bool in_field = random_below(&seed, 2);
    uint32_t fpc = masks << 24 | (uint32_t)(in_field ? random_below(&seed, 8) : (unsigned)mode)
                                     << 4;
    char code[16];
    unsigned number = (unsigned)(strchr(ops, op) - ops) + (f->width == 128 ? 8 : 0);
    snprintf(code, sizeof code, "B3D%X %X%X%X%X", number, 4, in_field ? 8 + (unsigned)mode : 0, 8,
             1);
    dfp_rig_set(rig, f->width, 1, a);
    dfp_rig_set(rig, f->width, 4, b);
    dfp_rig_set(rig, f->width, 8, 0x1234);
    unsigned fault = dfp_rig_run(rig, code, fpc);
    o.flags = (struct paper_flags){.mode = mode, .masks = masks};
    expect(f, op, a, b, &o);
    unsigned dxc = trap(&o.flags, &flags);
    bool suppressed = dxc >= PAPER_DIVIDE, sets_cc = op == '+' || op == '-';
    uint128 want = suppressed ? 0x1234 : paper_pack(f, &o.value),
            got = dfp_rig_get(rig, f->width, 8);
    unsigned cc = sets_cc && !suppressed ? cc_of(&o.value) : 3;
    uint32_t fpc_now = (fpc | flags << 16) | (fault ? dxc << 8 : 0);
    if (got != want || fault != (dxc ? 7u : 0u) || dfp_rig_cc(rig) != cc ||
        rig->cpu->fpc != fpc_now || (fault && bare_get32(rig, 0x90) != dxc))
        complain(code, a, b, fpc, got, want);
}

#ifdef __SANITIZE_ADDRESS__ // rows of digits take twenty times as long
#define SHARE 10
#else
#define SHARE 1
#endif

static void run(const struct paper_format *f, const char *ops, unsigned n)
{
    n /= SHARE;
    bad = 0;
    for (unsigned i = 0; i < n; i++)
        one(f, ops[i % strlen(ops)]);
    assert_int_equal(bad, 0);
}

static void test_long(void **state)
{
    (void)state;
    run(&paper_long, "+-*/", 40000);
}

static void test_extended(void **state)
{
    (void)state;
    run(&paper_extended, "*/", 20000);
    run(&paper_extended, "+-", 10000);
}

static int setup(void **state)
{
    (void)state;
    rig = rig_new("07FE");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bare_free(rig);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long),
        cmocka_unit_test(test_extended),
    };
    return cmocka_run_group_tests_name("decimal floating point on paper", tests, setup, teardown);
}
