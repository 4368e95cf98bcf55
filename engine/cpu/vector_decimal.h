// SPDX-License-Identifier: MIT
// A vector register as a packed decimal number of 31 digits and a sign, and how the instructions
// that make one end.
// (Principles of Operation, "Vector Decimal Instructions".)
#ifndef ENDICOTT_CPU_VECTOR_DECIMAL_H
#define ENDICOTT_CPU_VECTOR_DECIMAL_H

#include "cpu/bcd.h"
#include "cpu/vector.h"

#define DIGITS_MOST 31u

// Vector-packed-decimal enhancement: overflow may be masked by the instruction.
#define FACILITY_DECIMAL_ENHANCEMENT 152

enum packed_sign {
    SIGN_PLUS = 0xC,  // preferred
    SIGN_MINUS = 0xD, // preferred
    SIGN_ZONE = 0xF,  // positive, where the instruction asks for it
};

// `magnitude` is below ten to the 31st, but for an intermediate sum.
struct vector_decimal {
    uint128 magnitude;
    bool negative;
};

// What the immediates of arithmetic say of the result.
struct decimal_result {
    unsigned digits;      // the rightmost so many are kept, 1 to 31
    bool masked;          // overflow never interrupts
    bool forced_positive; // with sign code F
    bool set_cc;
    bool lost; // digits beyond 31 are gone already
};

static inline bool sign_minus(unsigned sign)
{
    return sign == 0xB || sign == 0xD;
}

static inline bool sign_valid(const struct vector_register *v)
{
    return (v->low & 15) >= 10;
}

static inline bool digits_valid(const struct vector_register *v)
{
    return bcd_valid(v->high) && bcd_valid(v->low & ~UINT64_C(15));
}

static inline struct packed packed_of(const struct vector_register *v)
{
    return (struct packed){v->high, v->low};
}

// The number in a register, or a data exception; a sign that is forced positive is not looked at.
struct vector_decimal vector_decimal_operand(struct cpu *cpu, const struct vector_register *v,
                                             bool forced_positive);
// The right part of an 8-bit immediate: a count of digits or a shift. Its bits 1-2 must be zero,
// and its bit 0 (*masked) too without the facility that has it.
unsigned vector_decimal_count(struct cpu *cpu, unsigned immediate, bool *masked);
// To V1 with what was asked for the result; condition code and decimal overflow.
void vector_decimal_finish(struct cpu *cpu, const struct insn *insn, struct vector_decimal value,
                           const struct decimal_result *result);
// Decimal overflow as the last thing of an instruction that is completed.
void vector_decimal_overflow(struct cpu *cpu, bool masked);

#endif
