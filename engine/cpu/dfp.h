// SPDX-License-Identifier: MIT
// Decimal floating-point arithmetic in software: exact results, all rounding modes, preferred
// quanta, and which exceptions were met. (Principles of Operation, "Decimal-Floating-Point
// Instructions".)
//
// Numbers are unpacked to one form, a coefficient of up to 38 digits with what lies below its last
// digit known as less than, equal to or more than half a unit, and rounded once.
#ifndef ENDICOTT_CPU_DFP_H
#define ENDICOTT_CPU_DFP_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/wide.h"

struct dfp_format {
    int digits;       // of the coefficient
    int lowest;       // exponent of its last digit
    int highest;      // the same
    int continuation; // bits of the exponent that stand apart from the leftmost digit
    int scale;        // exponent adjustment of trapped overflow and underflow
};

extern const struct dfp_format dfp_short, dfp_long, dfp_extended;

enum dfp_class { DFP_FINITE, DFP_INFINITY, DFP_QNAN, DFP_SNAN };

// What a coefficient leaves out, in units of its last digit.
enum dfp_rest { DFP_EXACT, DFP_BELOW_HALF, DFP_HALF, DFP_ABOVE_HALF };

// Finite: coefficient * 10^exponent; a result that is not exact has at least as many digits as
// its format. Infinity and NaN: the coefficient is the trailing significand, without a leftmost
// digit; what arithmetic makes of them has the canonical one.
struct dfp {
    enum dfp_class class;
    bool negative;
    enum dfp_rest rest;
    int exponent;
    int preferred; // the exponent that an exact result should have
    uint128 coefficient;
};

// Numbered as the rounding mode in the FPC.
enum dfp_rounding {
    DFP_EVEN,
    DFP_TO_ZERO,
    DFP_UP,
    DFP_DOWN,
    DFP_NEAR_AWAY, // nearest, ties away from zero
    DFP_NEAR_ZERO, // nearest, ties toward zero
    DFP_AWAY,
    DFP_SHORTER, // prepare for shorter precision: away when the last digit is 0 or 5
};

// Exceptions as bits of the FPC's mask and flag bytes.
enum dfp_exception {
    DFP_INVALID = 0x80,
    DFP_DIVIDE = 0x40,
    DFP_OVERFLOW = 0x20,
    DFP_UNDERFLOW = 0x10,
    DFP_INEXACT = 0x08,
    DFP_QUANTUM = 0x04, // a finite result has not its preferred exponent
};

struct dfp_context {
    enum dfp_rounding mode;
    uint8_t masks;    // traps that are enabled: overflow and underflow then give scaled results
    uint8_t raised;   // enum dfp_exception
    bool incremented; // an inexact result was rounded away from zero
};

// Packed numbers stand at the right of a 128-bit word. Packing needs a number that the format has
// (dfp_round), but a NaN's payload may be too long: its last digits are kept.
struct dfp dfp_unpack(const struct dfp_format *format, uint128 bits);
uint128 dfp_pack(const struct dfp_format *format, struct dfp x);
// Is the leftmost digit zero?
bool dfp_leftmost_zero(const struct dfp_format *format, struct dfp x);

// 10^n, 0 <= n <= 38; how many digits, 0 for zero.
uint128 dfp_power(int n);
int dfp_digits(uint128 coefficient);

// To the format's precision and range, with the exponent next to the preferred one.
struct dfp dfp_round(struct dfp_context *c, const struct dfp_format *format, struct dfp x);
// To the format's precision only, as if exponents had no bounds; finite numbers.
struct dfp dfp_round_precision(struct dfp_context *c, const struct dfp_format *format,
                               struct dfp x);
// Tiny: not zero, and less than the format's smallest normal number.
bool dfp_is_tiny(const struct dfp_format *format, struct dfp x);
// Larger than the format's largest number (of its precision).
bool dfp_is_huge(const struct dfp_format *format, struct dfp x);
// Takes the last n digits away, n >= 0: into the rest; or rounding.
void dfp_drop(struct dfp *x, int n);
void dfp_cut(struct dfp_context *c, struct dfp *x, int n);

struct dfp dfp_default_nan(void);
struct dfp dfp_quiet(struct dfp x);
// Signals a signalling NaN.
void dfp_note_signal(struct dfp_context *c, struct dfp x);

// To be rounded, to any format; a quotient to the given one.
struct dfp dfp_add(struct dfp_context *c, struct dfp a, struct dfp b);
struct dfp dfp_multiply(struct dfp_context *c, struct dfp a, struct dfp b);
struct dfp dfp_divide(struct dfp_context *c, const struct dfp_format *format, struct dfp a,
                      struct dfp b);
// Condition code: 0 equal, 1 low, 2 high, 3 unordered. `signal`: invalid for quiet NaNs too.
unsigned dfp_compare(struct dfp_context *c, struct dfp a, struct dfp b, bool signal);

// Already rounded:
// x with the exponent of `model`.
struct dfp dfp_quantize(struct dfp_context *c, const struct dfp_format *format, struct dfp model,
                        struct dfp x);
// x with at most `significance` digits; 0: as it is.
struct dfp dfp_reround(struct dfp_context *c, const struct dfp_format *format, struct dfp x,
                       int significance);
// x as an integer (finite numbers).
struct dfp dfp_integral(struct dfp_context *c, struct dfp x);

struct dfp dfp_from_integer(bool negative, uint128 magnitude);
// A finite integral number as its magnitude; false when that is 10^38 or more.
bool dfp_magnitude(struct dfp x, uint128 *magnitude);

#endif
