// SPDX-License-Identifier: MIT
// Hexadecimal floating-point arithmetic: exact intermediate results, truncated as the architecture
// says. (Principles of Operation, "Hexadecimal-Floating-Point Instructions".)
//
// All formats are unpacked to one: a fraction of 28 hexadecimal digits below the point, of which
// the short format uses the first 6 and the long format the first 14.
#ifndef ENDICOTT_CPU_HFP_H
#define ENDICOTT_CPU_HFP_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/bfp.h"
#include "cpu/wide.h"

#define HFP_BITS 112 // of the fraction

enum hfp_format { HFP_SHORT, HFP_LONG, HFP_EXTENDED };

// (-1)^negative * fraction / 2^112 * 16^(exponent - 64). A result's exponent may have left the
// characteristic's 0-127; what then happens is the instruction's affair.
struct hfp {
    bool negative;
    int exponent;
    uint128 fraction;
};

// Digits of a format's fraction.
unsigned hfp_digits(enum hfp_format format);
// Packed numbers stand at the right of a 128-bit word; the extended format's halves one after the
// other. Packing truncates the fraction and wraps the characteristic.
struct hfp hfp_unpack(enum hfp_format format, uint128 bits);
uint128 hfp_pack(enum hfp_format format, struct hfp x);

// No leading zero digits; zero comes back with exponent 0 and plus.
struct hfp hfp_normalize(struct hfp x);
// Only the first `digits` are kept.
struct hfp hfp_truncate(struct hfp x, unsigned digits);
// The intermediate sum of numbers of `digits`, not normalized; *guard is the digit behind them.
struct hfp hfp_add(struct hfp a, struct hfp b, unsigned digits, unsigned *guard);
// 0 equal, 1 low, 2 high.
uint8_t hfp_compare(struct hfp a, struct hfp b, unsigned digits);
// Normalized, truncated to 28 digits. Operands need not be normalized; b of divide is not zero.
struct hfp hfp_multiply(struct hfp a, struct hfp b);
struct hfp hfp_divide(struct hfp a, struct hfp b, unsigned digits);
// Rounded to `digits`; a is not less than zero.
struct hfp hfp_square_root(struct hfp a, unsigned digits);
// The product of two long fractions, neither normalized before nor after.
struct hfp hfp_multiply_unnormalized(struct hfp a, struct hfp b);
// Drops the digits behind the point, normalizes.
struct hfp hfp_integral(struct hfp x);
struct hfp hfp_from_integer(bool negative, uint64_t magnitude);
// False when the magnitude, rounded, is 2^64 or more.
bool hfp_to_integer(struct hfp x, enum bfp_rounding mode, uint64_t *magnitude);

// To and from binary numbers (not zero, finite), exactly.
struct bfp hfp_to_bfp(struct hfp x);
struct hfp hfp_from_bfp(struct bfp x);

#endif
