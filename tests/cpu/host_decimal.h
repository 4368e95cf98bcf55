// SPDX-License-Identifier: MIT
// The host compiler's decimal floating point, whose numbers have a binary coefficient: to and from
// packed digits, by way of cpu/paper.h. GCC only.
#ifndef ENDICOTT_TESTS_CPU_HOST_DECIMAL_H
#define ENDICOTT_TESTS_CPU_HOST_DECIMAL_H

#include "cpu/paper.h"

__extension__ typedef _Decimal32 host_short;
__extension__ typedef _Decimal64 host_long;
__extension__ typedef _Decimal128 host_extended;
__extension__ typedef __float128 host_quad;

// libgcc's.
void __dfp_set_round(int mode);
void __dfp_clear_except(void);
int __dfp_test_except(int mask);

enum { HOST_INVALID = 1, HOST_DIVIDE = 4, HOST_OVER = 8, HOST_UNDER = 16, HOST_INEXACT = 32 };

// Mode of the FPC (0-4) to the library's.
static inline void host_mode(int mode)
{
    static const int modes[] = {0, 3, 2, 1, 4};
    __dfp_set_round(modes[mode]);
    __dfp_clear_except();
}

static inline unsigned host_raised(void)
{
    int e = __dfp_test_except(61);
    return (e & HOST_INVALID ? 128u : 0) | (e & HOST_DIVIDE ? 64u : 0) | (e & HOST_OVER ? 32u : 0) |
           (e & HOST_UNDER ? 16u : 0) | (e & HOST_INEXACT ? 8u : 0);
}

// Bits of the format with a binary coefficient.
static inline uint128 host_from_digits(const struct paper_format *f, uint128 bits)
{
    static struct paper x;
    paper_unpack(f, bits, &x);
    uint128 sign = (uint128)x.negative << (f->width - 1), c = 0;
    for (int i = f->digits - 1; i >= 0; i--)
        c = c * 10 + x.digit[i];
    if (x.class != PAPER_FINITE) {
        unsigned kind = x.class == PAPER_INFINITY ? 0x3C : x.class == PAPER_QUIET ? 0x3E : 0x3F;
        return sign | (uint128)kind << (f->width - 7) | c;
    }
    uint128 e = (uint128)(x.exponent + f->bias);
    int room = f->width - 3 - f->exponent_bits; // bits of the coefficient
    if (c >> room == 0)
        return sign | e << room | c;
    return sign | (uint128)3 << (f->width - 3) | e << (room - 2) |
           (c & (((uint128)1 << (room - 2)) - 1));
}

static inline uint128 host_to_digits(const struct paper_format *f, uint128 bits)
{
    static struct paper x;
    int room = f->width - 3 - f->exponent_bits;
    unsigned top = (unsigned)(bits >> (f->width - 7)) & 63;
    memset(&x, 0, sizeof x);
    x.negative = bits >> (f->width - 1) & 1;
    uint128 c;
    if (top >= 0x3C) {
        x.class = top < 0x3E ? PAPER_INFINITY : top == 0x3E ? PAPER_QUIET : PAPER_SIGNAL;
        c = x.class == PAPER_INFINITY ? 0 : bits & (((uint128)1 << (10 * (f->digits / 3))) - 1);
    } else if (top >= 0x30) {
        c = (bits & (((uint128)1 << (room - 2)) - 1)) | (uint128)1 << room;
        bits >>= room - 2;
        x.exponent = (int)(bits & ((1u << (f->exponent_bits + 2)) - 1)) - f->bias;
    } else {
        c = bits & (((uint128)1 << room) - 1);
        bits >>= room;
        x.exponent = (int)(bits & ((1u << (f->exponent_bits + 2)) - 1)) - f->bias;
    }
    for (int i = 0; i < f->digits; i++) {
        x.digit[i] = (uint8_t)(c % 10);
        c /= 10;
    }
    return paper_pack(f, &x);
}

#define HOST_TYPE(name, format)                               \
    static inline host_##name host_get_##name(uint128 packed) \
    {                                                         \
        uint128 bits = host_from_digits(&format, packed);     \
        host_##name value;                                    \
        memcpy(&value, &bits, sizeof value);                  \
        return value;                                         \
    }                                                         \
    static inline uint128 host_put_##name(host_##name value)  \
    {                                                         \
        uint128 bits = 0;                                     \
        memcpy(&bits, &value, sizeof value);                  \
        return host_to_digits(&format, bits);                 \
    }
HOST_TYPE(short, paper_short)
HOST_TYPE(long, paper_long)
HOST_TYPE(extended, paper_extended)

#endif
