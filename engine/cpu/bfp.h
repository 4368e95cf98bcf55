// SPDX-License-Identifier: MIT
// Binary floating-point arithmetic in software: exact results, all rounding modes, and which IEEE
// exceptions were met. (Principles of Operation, "Binary-Floating-Point Instructions".)
//
// Numbers are unpacked to one form, computed with more bits than any format has (the last one is
// "sticky": it stands for everything below), and rounded once.
#ifndef ENDICOTT_CPU_BFP_H
#define ENDICOTT_CPU_BFP_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/wide.h"

struct bfp_format {
    int fraction; // bits
    int bias;     // also the largest exponent
    int scale;    // exponent adjustment of trapped overflow and underflow
};

extern const struct bfp_format bfp_short, bfp_long, bfp_extended;

enum bfp_class { BFP_ZERO, BFP_FINITE, BFP_INFINITY, BFP_QNAN, BFP_SNAN };

// Finite: significand * 2^(exponent - 127), with bit 127 (the leftmost) one. NaN: the fraction
// stands at the left.
struct bfp {
    enum bfp_class class;
    bool negative;
    int exponent;
    uint128 significand;
};

// BFP_AWAY and BFP_NEAR_ZERO are to the nearest, with ties away from and toward zero.
enum bfp_rounding { BFP_EVEN, BFP_TO_ZERO, BFP_UP, BFP_DOWN, BFP_AWAY, BFP_ODD, BFP_NEAR_ZERO };

// IEEE exceptions as bits of the FPC's mask and flag bytes.
enum bfp_exception {
    BFP_INVALID = 0x80,
    BFP_DIVIDE = 0x40,
    BFP_OVERFLOW = 0x20,
    BFP_UNDERFLOW = 0x10,
    BFP_INEXACT = 0x08,
};

struct bfp_context {
    enum bfp_rounding mode;
    uint8_t masks;    // traps that are enabled: overflow and underflow then give scaled results
    uint8_t raised;   // enum bfp_exception
    bool incremented; // an inexact result was rounded away from zero
};

// Packed numbers stand at the right of a 128-bit word.
struct bfp bfp_unpack(const struct bfp_format *format, uint128 bits);
uint128 bfp_round(struct bfp_context *c, const struct bfp_format *format, struct bfp x);
// A finite number rounded to the format's precision as if exponents had no bounds.
struct bfp bfp_round_precision(struct bfp_context *c, const struct bfp_format *format,
                               struct bfp x);

// Is a value that is not exact to be made one unit larger in magnitude? `odd`: its last unit now;
// `half`: the rest compared with half a unit, as below, at or above it (-1, 0, 1).
bool bfp_rounds_up(enum bfp_rounding mode, bool negative, bool odd, int half);

struct bfp bfp_default_nan(void);
struct bfp bfp_quiet(struct bfp x);
struct bfp bfp_add(struct bfp_context *c, struct bfp a, struct bfp b);
struct bfp bfp_multiply(struct bfp_context *c, struct bfp a, struct bfp b);
struct bfp bfp_divide(struct bfp_context *c, struct bfp a, struct bfp b);
struct bfp bfp_square_root(struct bfp_context *c, struct bfp a);
// a * b + addend with one rounding; short and long operands only.
struct bfp bfp_multiply_add(struct bfp_context *c, struct bfp a, struct bfp b, struct bfp addend);
// The same for any format (bfp_wide.c).
struct bfp bfp_multiply_add_extended(struct bfp_context *c, struct bfp a, struct bfp b,
                                     struct bfp addend);
// Condition code: 0 equal, 1 low, 2 high, 3 unordered. `signal`: invalid for quiet NaNs too.
unsigned bfp_compare(struct bfp_context *c, struct bfp a, struct bfp b, bool signal);
// Rounds to an integer of the same kind; zero, infinity and NaN stay.
struct bfp bfp_integral(struct bfp_context *c, struct bfp x);
struct bfp bfp_from_integer(bool negative, uint64_t magnitude);
// A finite integral number below 2^128 as its magnitude.
uint128 bfp_magnitude(struct bfp x);

#endif
