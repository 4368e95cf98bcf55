// SPDX-License-Identifier: MIT
// Binary floating-point instructions by the host's arithmetic, where its result is certainly the
// same, bit for bit and flag for flag; everything else is left to the plain functions.
//
// With no trap enabled, rounding to nearest and the inexact flag already on, a normal result of
// finite operands is all there is to an operation. Left out are the smallest normal number, which
// may be a tiny one rounded up, and all that overflows, is tiny or not a number. A zero is taken
// where it is exact.
#include <math.h>
#include <string.h>

#include "cpu/float.h"
#include "cpu/handlers.h"
#include "cpu/operands.h"

#define FPC_TRAPS_FLAGS_MODE 0xF8080007u
#define FPC_INEXACT          0x00080000u

static inline bool host_may(const struct cpu *cpu)
{
    return (cpu->fpc & FPC_TRAPS_FLAGS_MODE) == FPC_INEXACT && cpu->cr[0] & CR0_AFP;
}

static inline double as_double(uint64_t bits)
{
    double d;
    memcpy(&d, &bits, sizeof d);
    return d;
}

static inline float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint64_t double_bits(double d)
{
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

static inline uint32_t float_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline bool normal_double(uint64_t bits)
{
    return (bits >> 52 & 0x7FF) - 2 < 0x7FF - 2;
}

static inline bool normal_float(uint32_t bits)
{
    return (bits >> 23 & 0xFF) - 2 < 0xFF - 2;
}

// The instruction as cpu/float_*.c has it.
static __attribute__((noinline)) const struct insn *
in_full(struct cpu *cpu, const struct insn *insn,
        void (*plain)(struct cpu *cpu, const struct insn *insn))
{
    cpu->current = insn;
    if (!(cpu->cr[0] & CR0_AFP))
        data_exception(cpu, NULL, DXC_BFP);
    plain(cpu, insn);
    NEXT;
}

// Handlers of the two formats, for a register and a storage operand. `condition` says whether the
// result stands, `cc` is a statement.
#define LONG1    as_double(cpu->vr[insn->r1].high)
#define LONG2    as_double(cpu->vr[insn->r2].high)
#define LONG_M   as_double(MEM(64))
#define SHORT1   as_float((uint32_t)(cpu->vr[insn->r1].high >> 32))
#define SHORT2   as_float((uint32_t)(cpu->vr[insn->r2].high >> 32))
#define SHORT_M  as_float(MEM(32))
#define SET_LONG cpu->vr[insn->r1].high = bits
#define SET_SHORT \
    cpu->vr[insn->r1].high = (cpu->vr[insn->r1].high & UINT32_MAX) | (uint64_t)bits << 32

#define HOST_OPERATION(name, plain, type, word, a_, b_, expression, normal, zero, set, cc) \
    OPERATION(name)                                                                        \
    {                                                                                      \
        if (LIKELY(host_may(cpu))) {                                                       \
            type a = (a_), b = (b_), r = (expression);                                     \
            word bits = type##_bits(r);                                                    \
            if (LIKELY(normal(bits)) || (r == 0 && (zero))) {                              \
                (void)a, (void)b;                                                          \
                set;                                                                       \
                cc;                                                                        \
                NEXT;                                                                      \
            }                                                                              \
        }                                                                                  \
        return in_full(cpu, insn, plain);                                                  \
    }
#define ARITHMETIC(e, d, expression, zero, cc)                                                 \
    HOST_OPERATION(op_##e##r, do_##e##r, float, uint32_t, SHORT1, SHORT2, expression,          \
                   normal_float, zero, SET_SHORT, cc)                                          \
    HOST_OPERATION(op_##e, do_##e, float, uint32_t, SHORT1, SHORT_M, expression, normal_float, \
                   zero, SET_SHORT, cc)                                                        \
    HOST_OPERATION(op_##d##r, do_##d##r, double, uint64_t, LONG1, LONG2, expression,           \
                   normal_double, zero, SET_LONG, cc)                                          \
    HOST_OPERATION(op_##d, do_##d, double, uint64_t, LONG1, LONG_M, expression, normal_double, \
                   zero, SET_LONG, cc)

#define SIGN_CC cpu->psw.cc = (uint8_t)((r > 0) * 2 + (r < 0))
#define NO_CC   (void)0
ARITHMETIC(aeb, adb, a + b, true, SIGN_CC)
ARITHMETIC(seb, sdb, a - b, true, SIGN_CC)
ARITHMETIC(meeb, mdb, a *b, a == 0 || b == 0, NO_CC)
ARITHMETIC(deb, ddb, a / b, a == 0, NO_CC)

// Square roots: of a negative number the host makes a NaN, which does not stand.
HOST_OPERATION(op_sqebr, do_sqebr, float, uint32_t, SHORT1, SHORT2, sqrtf(b), normal_float, true,
               SET_SHORT, NO_CC)
HOST_OPERATION(op_sqdbr, do_sqdbr, double, uint64_t, LONG1, LONG2, sqrt(b), normal_double, true,
               SET_LONG, NO_CC)
HOST_OPERATION(op_sqeb, do_sqeb, float, uint32_t, SHORT1, SHORT_M, sqrtf(b), normal_float, true,
               SET_SHORT, NO_CC)
HOST_OPERATION(op_sqdb, do_sqdb, double, uint64_t, LONG1, LONG_M, sqrt(b), normal_double, true,
               SET_LONG, NO_CC)

// R3 (in r2 when the second operand is in storage) times the second operand, plus or minus R1. An
// exact zero is left to the plain function.
#define MULTIPLY_ADD(name, type, word, b_, c_, expression, normal, set) \
    OPERATION(op_##name)                                                \
    {                                                                   \
        if (LIKELY(host_may(cpu))) {                                    \
            type a = (b_), b = (c_), c = set##1;                        \
            word bits = type##_bits(expression);                        \
            if (LIKELY(normal(bits))) {                                 \
                SET_##set;                                              \
                NEXT;                                                   \
            }                                                           \
        }                                                               \
        return in_full(cpu, insn, do_##name);                           \
    }
#define LONG3  as_double(cpu->vr[insn->r3].high)
#define SHORT3 as_float((uint32_t)(cpu->vr[insn->r3].high >> 32))
MULTIPLY_ADD(maebr, float, uint32_t, SHORT3, SHORT2, fmaf(a, b, c), normal_float, SHORT)
MULTIPLY_ADD(msebr, float, uint32_t, SHORT3, SHORT2, fmaf(a, b, -c), normal_float, SHORT)
MULTIPLY_ADD(madbr, double, uint64_t, LONG3, LONG2, fma(a, b, c), normal_double, LONG)
MULTIPLY_ADD(msdbr, double, uint64_t, LONG3, LONG2, fma(a, b, -c), normal_double, LONG)
MULTIPLY_ADD(maeb, float, uint32_t, SHORT2, SHORT_M, fmaf(a, b, c), normal_float, SHORT)
MULTIPLY_ADD(mseb, float, uint32_t, SHORT2, SHORT_M, fmaf(a, b, -c), normal_float, SHORT)
MULTIPLY_ADD(madb, double, uint64_t, LONG2, LONG_M, fma(a, b, c), normal_double, LONG)
MULTIPLY_ADD(msdb, double, uint64_t, LONG2, LONG_M, fma(a, b, -c), normal_double, LONG)

// Comparisons of numbers raise nothing, whatever the FPC says; those of NaNs are left out.
#define COMPARE(name, type, a_, b_)                                          \
    OPERATION(op_##name)                                                     \
    {                                                                        \
        if (LIKELY(cpu->cr[0] & CR0_AFP)) {                                  \
            type a = (a_), b = (b_);                                         \
            if (LIKELY(!isunordered(a, b))) {                                \
                cpu->psw.cc = (uint8_t)(isgreater(a, b) * 2 + isless(a, b)); \
                NEXT;                                                        \
            }                                                                \
        }                                                                    \
        return in_full(cpu, insn, do_##name);                                \
    }
COMPARE(cebr, float, SHORT1, SHORT2)
COMPARE(cdbr, double, LONG1, LONG2)
COMPARE(ceb, float, SHORT1, SHORT_M)
COMPARE(cdb, double, LONG1, LONG_M)
COMPARE(kebr, float, SHORT1, SHORT2)
COMPARE(kdbr, double, LONG1, LONG2)
COMPARE(keb, float, SHORT1, SHORT_M)
COMPARE(kdb, double, LONG1, LONG_M)

// LOAD AND TEST of a number.
#define LOAD_AND_TEST(name, type, b_, word, set)           \
    OPERATION(op_##name)                                   \
    {                                                      \
        type b = (b_);                                     \
        if (UNLIKELY(isnan(b) || !(cpu->cr[0] & CR0_AFP))) \
            return in_full(cpu, insn, do_##name);          \
        word bits = type##_bits(b);                        \
        set;                                               \
        cpu->psw.cc = (uint8_t)((b > 0) * 2 + (b < 0));    \
        NEXT;                                              \
    }
LOAD_AND_TEST(ltebr, float, SHORT2, uint32_t, SET_SHORT)
LOAD_AND_TEST(ltdbr, double, LONG2, uint64_t, SET_LONG)

// Every short number has a long form; subnormal ones and NaNs are left out.
#define LENGTHEN(name, b_)                                       \
    OPERATION(op_##name)                                         \
    {                                                            \
        if (LIKELY(cpu->cr[0] & CR0_AFP)) {                      \
            float b = (b_);                                      \
            if (LIKELY(normal_float(float_bits(b)) || b == 0)) { \
                cpu->vr[insn->r1].high = double_bits((double)b); \
                NEXT;                                            \
            }                                                    \
        }                                                        \
        return in_full(cpu, insn, do_##name);                    \
    }
LENGTHEN(ldebr, SHORT2)
LENGTHEN(ldeb, SHORT_M)

OPERATION(op_ledbr)
{
    if (LIKELY(host_may(cpu) && insn->m3 == 0)) {
        uint32_t bits = float_bits((float)LONG2);
        if (LIKELY(normal_float(bits))) {
            SET_SHORT;
            NEXT;
        }
    }
    return in_full(cpu, insn, do_ledbr);
}

// Integers that a long number holds exactly need no rounding.
OPERATION(op_cdfbr)
{
    if (UNLIKELY(!(cpu->cr[0] & CR0_AFP) || insn->m3 != 0))
        return in_full(cpu, insn, do_cdfbr);
    cpu->vr[insn->r1].high = double_bits((double)SW2);
    NEXT;
}

OPERATION(op_cdgbr)
{
    int64_t v = SG2;
    if (UNLIKELY(!(cpu->cr[0] & CR0_AFP) || insn->m3 != 0 || v > INT64_C(1) << 53 ||
                 v < -(INT64_C(1) << 53)))
        return in_full(cpu, insn, do_cdgbr);
    cpu->vr[insn->r1].high = double_bits((double)v);
    NEXT;
}

// To an integer by truncation (M3 of 5), which is what compilers ask for.
#define TRUNCATE(name, type, limit, set)                                       \
    OPERATION(op_##name)                                                       \
    {                                                                          \
        double b = LONG2;                                                      \
        if (UNLIKELY(!host_may(cpu) || insn->m3 != 5 || !(fabs(b) < (limit)))) \
            return in_full(cpu, insn, do_##name);                              \
        type v = (type)b;                                                      \
        set;                                                                   \
        cpu->psw.cc = (uint8_t)((b > 0) * 2 + (b < 0));                        \
        NEXT;                                                                  \
    }
TRUNCATE(cfdbr, int32_t, 2147483648.0, set_low(cpu, insn->r1, (uint32_t)v))
TRUNCATE(cgdbr, int64_t, 9223372036854775808.0, G1 = (uint64_t)v)
