// SPDX-License-Identifier: MIT
// Sixteen decimal digits at a time, between binary and binary-coded decimal, all digits side by
// side in one 64-bit word (the first digit leftmost).
#ifndef ENDICOTT_CPU_BCD_H
#define ENDICOTT_CPU_BCD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "cpu/wide.h"

#define TEN_TO_16 UINT64_C(10000000000000000)

// n is at most 32.
static inline uint128 power_of_ten(unsigned n)
{
    static const uint64_t powers[] = {1ull,
                                      10ull,
                                      100ull,
                                      1000ull,
                                      10000ull,
                                      100000ull,
                                      1000000ull,
                                      10000000ull,
                                      100000000ull,
                                      1000000000ull,
                                      10000000000ull,
                                      100000000000ull,
                                      1000000000000ull,
                                      10000000000000ull,
                                      100000000000000ull,
                                      1000000000000000ull,
                                      10000000000000000ull};
    return n <= 16 ? powers[n] : (uint128)powers[16] * powers[n - 16];
}

// Is every one of the 16 digits at most 9?
static inline bool bcd_valid(uint64_t digits)
{
    return (digits >> 3 & (digits >> 2 | digits >> 1) & UINT64_C(0x1111111111111111)) == 0;
}

static inline uint64_t bcd_to_binary(uint64_t digits)
{
    uint64_t x = digits;
    x = (x & UINT64_C(0x0F0F0F0F0F0F0F0F)) + 10 * (x >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F));
    x = (x & UINT64_C(0x00FF00FF00FF00FF)) + 100 * (x >> 8 & UINT64_C(0x00FF00FF00FF00FF));
    x = (x & UINT64_C(0x0000FFFF0000FFFF)) + 10000 * (x >> 16 & UINT64_C(0x0000FFFF0000FFFF));
    return (x & UINT32_MAX) + 100000000 * (x >> 32);
}

// Lanes below 10000, one in the right half of each 32 bits, to two lanes below 100 each.
static inline uint64_t bcd_split_hundreds(uint64_t lanes)
{
    uint64_t quotients = lanes * 10486 >> 20 & UINT64_C(0x0000007F0000007F); // lane / 100
    return lanes + quotients * (256 - 100);
}

// Lanes below 100, one in the right half of each 16 bits, to two digits each.
static inline uint64_t bcd_split_tens(uint64_t lanes)
{
    uint64_t quotients = lanes * 103 >> 10 & UINT64_C(0x000F000F000F000F); // lane / 10
    return lanes + quotients * (16 - 10);
}

// `value` is below 10 to the 16th.
static inline uint64_t bcd_from_binary(uint64_t value)
{
    uint64_t left = value / 100000000, right = value % 100000000;
    uint64_t even = (left % 10000) << 32 | right % 10000;
    uint64_t odd = (left / 10000) << 32 | right / 10000;
    uint64_t bytes = bcd_split_hundreds(odd) << 16 | bcd_split_hundreds(even);
    return bcd_split_tens(bytes >> 8 & UINT64_C(0x00FF00FF00FF00FF)) << 8 |
           bcd_split_tens(bytes & UINT64_C(0x00FF00FF00FF00FF));
}

// 31 digits and a sign, as they stand in 16 bytes: the first byte leftmost.
struct packed {
    uint64_t left, right;
};

// The `n` (1 to 16) packed bytes, with zeros before them.
static inline struct packed packed_load(const uint8_t *bytes, unsigned n)
{
    struct packed p = {0, 0};
    if (n == 16) {
        p = (struct packed){be64_load(bytes), be64_load(bytes + 8)};
    } else if (n == 8) {
        p.right = be64_load(bytes);
    } else {
        for (unsigned i = 0; i < n; i++) {
            p.left = p.left << 8 | p.right >> 56;
            p.right = p.right << 8 | bytes[i];
        }
    }
    return p;
}

// The last `n` bytes of it. True when a digit before them is lost.
static inline bool packed_store(struct packed p, uint8_t *bytes, unsigned n)
{
    if (n == 16) {
        be64_store(bytes, p.left);
        be64_store(bytes + 8, p.right);
        return false;
    }
    for (unsigned i = n; i-- > 0;) {
        bytes[i] = (uint8_t)p.right;
        p.right = p.right >> 8 | p.left << 56;
        p.left >>= 8;
    }
    return (p.left | p.right) != 0;
}

static inline uint128 packed_magnitude(struct packed p)
{
    uint64_t right = bcd_to_binary(p.left << 60 | p.right >> 4);
    if (p.left >> 4 == 0)
        return right;
    return (uint128)bcd_to_binary(p.left >> 4) * TEN_TO_16 + right;
}

// Digits and sign of a magnitude; true when it has more than 31 digits, of which the last are kept.
static inline bool packed_make(uint128 magnitude, unsigned sign, struct packed *out)
{
    uint64_t left = 0, right;
    bool lost = false;
    if ((uint64_t)magnitude < TEN_TO_16 && magnitude >> 64 == 0) {
        right = (uint64_t)magnitude;
    } else {
        uint128 rest = magnitude / TEN_TO_16;
        right = (uint64_t)(magnitude - rest * TEN_TO_16);
        lost = rest >= TEN_TO_16 / 10;
        left = (uint64_t)(lost ? rest % (TEN_TO_16 / 10) : rest);
    }
    uint64_t digits = bcd_from_binary(right);
    out->left = (left ? bcd_from_binary(left) << 4 : 0) | digits >> 60;
    out->right = digits << 4 | sign;
    return lost;
}

#endif
