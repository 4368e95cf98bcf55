// SPDX-License-Identifier: MIT
// Arithmetic on arrays of decimal digits, as at school: what packed decimal is compared with.
#ifndef ENDICOTT_TESTS_CPU_DIGITS_H
#define ENDICOTT_TESTS_CPU_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

#define DIGITS 96 // more than any intermediate result has

struct number {
    int8_t digit[DIGITS]; // from the right
    bool negative;
};

static inline int highest(const struct number *n)
{
    int i = DIGITS - 1;
    while (i >= 0 && n->digit[i] == 0)
        i--;
    return i; // -1: zero
}

static inline int compare_size(const struct number *a, const struct number *b)
{
    for (int i = DIGITS - 1; i >= 0; i--)
        if (a->digit[i] != b->digit[i])
            return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

static inline struct number add_size(const struct number *a, const struct number *b)
{
    struct number sum = {{0}, false};
    int carry = 0;
    for (int i = 0; i < DIGITS; i++) {
        int d = a->digit[i] + b->digit[i] + carry;
        sum.digit[i] = (int8_t)(d % 10);
        carry = d / 10;
    }
    return sum;
}

static inline struct number subtract_size(const struct number *a, const struct number *b)
{
    struct number rest = {{0}, false};
    int borrow = 0;
    for (int i = 0; i < DIGITS; i++) {
        int d = a->digit[i] - b->digit[i] - borrow;
        borrow = d < 0;
        rest.digit[i] = (int8_t)(d + 10 * borrow);
    }
    return rest;
}

static inline struct number sum(const struct number *a, const struct number *b)
{
    if (a->negative == b->negative) {
        struct number result = add_size(a, b);
        result.negative = a->negative;
        return result;
    }
    bool larger = compare_size(a, b) >= 0;
    struct number result = larger ? subtract_size(a, b) : subtract_size(b, a);
    result.negative = larger ? a->negative : b->negative;
    return result;
}

// Positive to the left.
static inline struct number shift(const struct number *a, int by)
{
    struct number result = {{0}, a->negative};
    for (int i = 0; i < DIGITS; i++)
        if (i - by >= 0 && i - by < DIGITS)
            result.digit[i] = a->digit[i - by];
    return result;
}

static inline struct number multiply(const struct number *a, const struct number *b)
{
    struct number result = {{0}, false};
    for (int i = highest(b); i >= 0; i--) {
        result = shift(&result, 1);
        for (int times = 0; times < b->digit[i]; times++)
            result = add_size(&result, a);
    }
    result.negative = a->negative != b->negative;
    return result;
}

static inline struct number divide(const struct number *a, const struct number *b,
                                   struct number *rest)
{
    struct number quotient = {{0}, false};
    *rest = (struct number){{0}, false};
    for (int i = highest(a); i >= 0; i--) {
        *rest = shift(rest, 1);
        rest->digit[0] = a->digit[i];
        while (compare_size(rest, b) >= 0) {
            *rest = subtract_size(rest, b);
            quotient.digit[i]++;
        }
    }
    rest->negative = a->negative;
    quotient.negative = a->negative != b->negative;
    return quotient;
}

#endif
