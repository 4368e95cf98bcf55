// SPDX-License-Identifier: MIT
// Numbers of one radix in another, exactly: PERFORM FLOATING-POINT OPERATION.
#ifndef ENDICOTT_CPU_RADIX_H
#define ENDICOTT_CPU_RADIX_H

#include "cpu/bfp.h"
#include "cpu/dfp.h"

// Both take finite numbers that are not zero. The result has more digits than any format, and what
// is below them is known: to be rounded once.

// significand * 2^exponent; -16700 < exponent < 16400.
struct dfp radix_to_decimal(bool negative, uint128 significand, int exponent);
// A number of a decimal format.
struct bfp radix_to_binary(struct dfp x);

#endif
