// SPDX-License-Identifier: MIT
// Binary floating-point arithmetic, comparison and tests in full; the numbers themselves are
// bfp.c's. Common cases do not come here, see float_host.c. (Principles of Operation,
// "Binary-Floating-Point Instructions".)
#include "cpu/float.h"
#include "cpu/operands.h"

enum arithmetic { ADD, SUBTRACT, MULTIPLY, DIVIDE };

// --- arithmetic -------------------------------------------------------------------------------

static void arithmetic(struct cpu *cpu, const struct insn *insn, enum arithmetic op,
                       const struct bfp_format *f, struct bfp b)
{
    struct bfp_context c = float_context(cpu);
    struct bfp a = float_number(cpu, f, insn->r1), r;
    switch (op) {
    case ADD:
        r = bfp_add(&c, a, b);
        break;
    case SUBTRACT:
        if (b.class < BFP_QNAN)
            b.negative = !b.negative;
        r = bfp_add(&c, a, b);
        break;
    case MULTIPLY:
        r = bfp_multiply(&c, a, b);
        break;
    default:
        r = bfp_divide(&c, a, b);
        break;
    }
    float_deliver(cpu, &c, f, insn->r1, r, op == ADD || op == SUBTRACT);
}

#define ARITHMETIC(short_, long_, extended, op)                                               \
    PLAIN(short_##r)                                                                          \
    {                                                                                         \
        arithmetic(cpu, insn, op, &bfp_short, float_number(cpu, &bfp_short, insn->r2));       \
    }                                                                                         \
    PLAIN(short_)                                                                             \
    {                                                                                         \
        arithmetic(cpu, insn, op, &bfp_short, float_memory_number(cpu, insn, &bfp_short));    \
    }                                                                                         \
    PLAIN(long_##r)                                                                           \
    {                                                                                         \
        arithmetic(cpu, insn, op, &bfp_long, float_number(cpu, &bfp_long, insn->r2));         \
    }                                                                                         \
    PLAIN(long_)                                                                              \
    {                                                                                         \
        arithmetic(cpu, insn, op, &bfp_long, float_memory_number(cpu, insn, &bfp_long));      \
    }                                                                                         \
    PLAIN(extended)                                                                           \
    {                                                                                         \
        check_pair(cpu, insn->r1);                                                            \
        arithmetic(cpu, insn, op, &bfp_extended, float_number(cpu, &bfp_extended, insn->r2)); \
    }
ARITHMETIC(do_aeb, do_adb, do_axbr, ADD)
ARITHMETIC(do_seb, do_sdb, do_sxbr, SUBTRACT)
ARITHMETIC(do_meeb, do_mdb, do_mxbr, MULTIPLY)
ARITHMETIC(do_deb, do_ddb, do_dxbr, DIVIDE)

// Products of the next longer format.
static void multiply_longer(struct cpu *cpu, const struct insn *insn, const struct bfp_format *from,
                            const struct bfp_format *to, struct bfp b)
{
    struct bfp_context c = float_context(cpu);
    float_check_registers(cpu, to, insn->r1);
    struct bfp r = bfp_multiply(&c, bfp_unpack(from, float_register_bits(cpu, from, insn->r1)), b);
    float_deliver(cpu, &c, to, insn->r1, r, false);
}

PLAIN(do_mdebr)
{
    multiply_longer(cpu, insn, &bfp_short, &bfp_long, float_number(cpu, &bfp_short, insn->r2));
}

PLAIN(do_mdeb)
{
    multiply_longer(cpu, insn, &bfp_short, &bfp_long, float_memory_number(cpu, insn, &bfp_short));
}

PLAIN(do_mxdbr)
{
    multiply_longer(cpu, insn, &bfp_long, &bfp_extended, float_number(cpu, &bfp_long, insn->r2));
}

PLAIN(do_mxdb)
{
    check_pair(cpu, insn->r1);
    multiply_longer(cpu, insn, &bfp_long, &bfp_extended, float_memory_number(cpu, insn, &bfp_long));
}

// R3 times the second operand, plus or minus R1.
static void multiply_add(struct cpu *cpu, const struct bfp_format *f, unsigned r1, unsigned r3,
                         struct bfp b, bool subtract)
{
    struct bfp_context c = float_context(cpu);
    struct bfp addend = float_number(cpu, f, r1);
    if (subtract && addend.class < BFP_QNAN)
        addend.negative = !addend.negative;
    struct bfp r = bfp_multiply_add(&c, b, float_number(cpu, f, r3), addend);
    float_deliver(cpu, &c, f, r1, r, false);
}

#define MULTIPLY_ADD(name, f, subtract)                                                        \
    PLAIN(do_##name##r)                                                                        \
    {                                                                                          \
        multiply_add(cpu, f, insn->r1, insn->r3, float_number(cpu, f, insn->r2), subtract);    \
    }                                                                                          \
    PLAIN(do_##name)                                                                           \
    {                                                                                          \
        multiply_add(cpu, f, insn->r1, insn->r2, float_memory_number(cpu, insn, f), subtract); \
    }
MULTIPLY_ADD(maeb, &bfp_short, false)
MULTIPLY_ADD(madb, &bfp_long, false)
MULTIPLY_ADD(mseb, &bfp_short, true)
MULTIPLY_ADD(msdb, &bfp_long, true)

static void square_root(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                        struct bfp b)
{
    struct bfp_context c = float_context(cpu);
    float_check_registers(cpu, f, insn->r1);
    float_deliver(cpu, &c, f, insn->r1, bfp_square_root(&c, b), false);
}

PLAIN(do_sqebr)
{
    square_root(cpu, insn, &bfp_short, float_number(cpu, &bfp_short, insn->r2));
}

PLAIN(do_sqdbr)
{
    square_root(cpu, insn, &bfp_long, float_number(cpu, &bfp_long, insn->r2));
}

PLAIN(do_sqxbr)
{
    square_root(cpu, insn, &bfp_extended, float_number(cpu, &bfp_extended, insn->r2));
}

PLAIN(do_sqeb)
{
    square_root(cpu, insn, &bfp_short, float_memory_number(cpu, insn, &bfp_short));
}

PLAIN(do_sqdb)
{
    square_root(cpu, insn, &bfp_long, float_memory_number(cpu, insn, &bfp_long));
}

// --- comparison ---------------------------------------------------------------------------------

static void compare(struct cpu *cpu, struct bfp a, struct bfp b, bool signal)
{
    struct bfp_context c = float_context(cpu);
    unsigned cc = bfp_compare(&c, a, b, signal);
    float_signal_before(cpu, &c);
    cpu->psw.cc = (uint8_t)cc;
}

#define COMPARE(letter, signal)                                           \
    PLAIN(do_##letter##ebr)                                               \
    {                                                                     \
        compare(cpu, float_number(cpu, &bfp_short, insn->r1),             \
                float_number(cpu, &bfp_short, insn->r2), signal);         \
    }                                                                     \
    PLAIN(do_##letter##dbr)                                               \
    {                                                                     \
        compare(cpu, float_number(cpu, &bfp_long, insn->r1),              \
                float_number(cpu, &bfp_long, insn->r2), signal);          \
    }                                                                     \
    PLAIN(do_##letter##xbr)                                               \
    {                                                                     \
        compare(cpu, float_number(cpu, &bfp_extended, insn->r1),          \
                float_number(cpu, &bfp_extended, insn->r2), signal);      \
    }                                                                     \
    PLAIN(do_##letter##eb)                                                \
    {                                                                     \
        struct bfp b = float_memory_number(cpu, insn, &bfp_short);        \
        compare(cpu, float_number(cpu, &bfp_short, insn->r1), b, signal); \
    }                                                                     \
    PLAIN(do_##letter##db)                                                \
    {                                                                     \
        struct bfp b = float_memory_number(cpu, insn, &bfp_long);         \
        compare(cpu, float_number(cpu, &bfp_long, insn->r1), b, signal);  \
    }
COMPARE(c, false)
COMPARE(k, true)

// --- signs, tests
// ----------------------------------------------------------------------------------

// Load complement, negative, positive: the sign bit alone, NaNs included; no exception.
static void change_sign(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f,
                        bool keep, bool sign)
{
    struct bfp x = float_number(cpu, f, insn->r2);
    float_check_registers(cpu, f, insn->r1);
    uint128 bits = float_register_bits(cpu, f, insn->r2);
    unsigned place = f == &bfp_short ? 31 : f == &bfp_long ? 63 : 127;
    bool negative = keep ? !(bits >> place & 1) : sign;
    bits = (bits & ~((uint128)1 << place)) | (uint128)negative << place;
    x.negative = negative;
    float_set_register(cpu, f, insn->r1, bits);
    cpu->psw.cc = float_cc(x);
}

#define SIGNS(letter, f)                         \
    PLAIN(do_lc##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, true, false);  \
    }                                            \
    PLAIN(do_ln##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, false, true);  \
    }                                            \
    PLAIN(do_lp##letter##br)                     \
    {                                            \
        change_sign(cpu, insn, f, false, false); \
    }                                            \
    PLAIN(do_lt##letter##br)                     \
    {                                            \
        load_and_test(cpu, insn, f);             \
    }

static void load_and_test(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    struct bfp_context c = float_context(cpu);
    struct bfp x = float_number(cpu, f, insn->r2);
    float_check_registers(cpu, f, insn->r1);
    if (x.class != BFP_SNAN) {
        float_set_register(cpu, f, insn->r1, float_register_bits(cpu, f, insn->r2));
        cpu->psw.cc = float_cc(x);
        return;
    }
    c.raised = BFP_INVALID;
    float_deliver(cpu, &c, f, insn->r1, bfp_quiet(x), true);
}

SIGNS(e, &bfp_short)
SIGNS(d, &bfp_long)
SIGNS(x, &bfp_extended)

// TEST DATA CLASS: twelve bits of the second operand's address: zero, normal, subnormal, infinity,
// quiet and signalling NaN, each plus and minus.
static void test_class(struct cpu *cpu, const struct insn *insn, const struct bfp_format *f)
{
    struct bfp x = float_number(cpu, f, insn->r1);
    unsigned kind = x.class == BFP_ZERO        ? 0
                    : x.class == BFP_INFINITY  ? 3
                    : x.class == BFP_QNAN      ? 4
                    : x.class == BFP_SNAN      ? 5
                    : x.exponent < 1 - f->bias ? 2
                                               : 1;
    unsigned bit = 11 - kind * 2 - x.negative;
    cpu->psw.cc = address_bxd(cpu, insn) >> bit & 1;
}

PLAIN(do_tceb)
{
    test_class(cpu, insn, &bfp_short);
}

PLAIN(do_tcdb)
{
    test_class(cpu, insn, &bfp_long);
}

PLAIN(do_tcxb)
{
    test_class(cpu, insn, &bfp_extended);
}
