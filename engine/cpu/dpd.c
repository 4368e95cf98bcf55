// SPDX-License-Identifier: MIT
// The two tables of densely packed decimal, made from the encoding's rules by the preprocessor.
#include "cpu/dpd.h"

// A declet's bits are called p q r s t u v w x y from the left. A digit below 8 takes three bits, 8
// and 9 the last bit of their own; v w x (and s t, when all three of those are one) tell which
// digits are the large ones.
#define BIT(d, n)    ((d) >> (n)&1)
#define PQR(d)       ((d) >> 7 & 7)
#define STU(d)       ((d) >> 4 & 7)
#define WXY(d)       ((d)&7)
#define LARGE_R(d)   (8 + BIT(d, 7))
#define LARGE_U(d)   (8 + BIT(d, 4))
#define LARGE_Y(d)   (8 + BIT(d, 0))
#define PQ_U(d)      (((d) >> 8 & 3) * 2 + BIT(d, 4))
#define PQ_Y(d)      (((d) >> 8 & 3) * 2 + BIT(d, 0))
#define ST_Y(d)      (((d) >> 5 & 3) * 2 + BIT(d, 0))
#define NUM(a, b, c) ((a)*100 + (b)*10 + (c))

#define TWO_LARGE(d)                                              \
    (((d) >> 5 & 3) == 0   ? NUM(LARGE_R(d), LARGE_U(d), PQ_Y(d)) \
     : ((d) >> 5 & 3) == 1 ? NUM(LARGE_R(d), PQ_U(d), LARGE_Y(d)) \
     : ((d) >> 5 & 3) == 2 ? NUM(PQR(d), LARGE_U(d), LARGE_Y(d))  \
                           : NUM(LARGE_R(d), LARGE_U(d), LARGE_Y(d)))
#define VALUE(d)                                              \
    (!BIT(d, 3)            ? NUM(PQR(d), STU(d), WXY(d))      \
     : ((d) >> 1 & 3) == 0 ? NUM(PQR(d), STU(d), LARGE_Y(d))  \
     : ((d) >> 1 & 3) == 1 ? NUM(PQR(d), LARGE_U(d), ST_Y(d)) \
     : ((d) >> 1 & 3) == 2 ? NUM(LARGE_R(d), STU(d), PQ_Y(d)) \
                           : TWO_LARGE(d))

// The other way, from the digits a b c: which of them are large, as a number.
#define A(n)      ((n) / 100)
#define B(n)      ((n) / 10 % 10)
#define C(n)      ((n) % 10)
#define LARGE(n)  (A(n) / 8 * 4 + B(n) / 8 * 2 + C(n) / 8)
#define LOW(x)    ((x)&1)
#define MIDDLE(x) ((x) >> 1 & 3) // of a small digit: the two bits above the last
#define DECLET(n)                                                                            \
    (LARGE(n) == 0   ? A(n) << 7 | B(n) << 4 | C(n)                                          \
     : LARGE(n) == 1 ? A(n) << 7 | B(n) << 4 | 0x8 | LOW(C(n))                               \
     : LARGE(n) == 2 ? A(n) << 7 | MIDDLE(C(n)) << 5 | LOW(B(n)) << 4 | 0xA | LOW(C(n))      \
     : LARGE(n) == 3 ? A(n) << 7 | 0x40 | LOW(B(n)) << 4 | 0xE | LOW(C(n))                   \
     : LARGE(n) == 4 ? MIDDLE(C(n)) << 8 | LOW(A(n)) << 7 | B(n) << 4 | 0xC | LOW(C(n))      \
     : LARGE(n) == 5                                                                         \
         ? MIDDLE(B(n)) << 8 | LOW(A(n)) << 7 | 0x20 | LOW(B(n)) << 4 | 0xE | LOW(C(n))      \
     : LARGE(n) == 6 ? MIDDLE(C(n)) << 8 | LOW(A(n)) << 7 | LOW(B(n)) << 4 | 0xE | LOW(C(n)) \
                     : LOW(A(n)) << 7 | 0x60 | LOW(B(n)) << 4 | 0xE | LOW(C(n)))

#define FOUR(f, n)    f(n), f((n) + 1), f((n) + 2), f((n) + 3)
#define FIVE(f, n)    FOUR(f, n), f((n) + 4)
#define SIXTEEN(f, n) FOUR(f, n), FOUR(f, (n) + 4), FOUR(f, (n) + 8), FOUR(f, (n) + 12)
#define TWENTY_FIVE(f, n) \
    FIVE(f, n), FIVE(f, (n) + 5), FIVE(f, (n) + 10), FIVE(f, (n) + 15), FIVE(f, (n) + 20)
#define SIXTY_FOUR(f, n) \
    SIXTEEN(f, n), SIXTEEN(f, (n) + 16), SIXTEEN(f, (n) + 32), SIXTEEN(f, (n) + 48)
#define HUNDRED(f, n) \
    TWENTY_FIVE(f, n), TWENTY_FIVE(f, (n) + 25), TWENTY_FIVE(f, (n) + 50), TWENTY_FIVE(f, (n) + 75)
#define EIGHTH(f, n) SIXTY_FOUR(f, n), SIXTY_FOUR(f, (n) + 64)

const uint16_t dpd_value[1024] = {EIGHTH(VALUE, 0),   EIGHTH(VALUE, 128), EIGHTH(VALUE, 256),
                                  EIGHTH(VALUE, 384), EIGHTH(VALUE, 512), EIGHTH(VALUE, 640),
                                  EIGHTH(VALUE, 768), EIGHTH(VALUE, 896)};

const uint16_t dpd_declet[1000] = {HUNDRED(DECLET, 0),   HUNDRED(DECLET, 100), HUNDRED(DECLET, 200),
                                   HUNDRED(DECLET, 300), HUNDRED(DECLET, 400), HUNDRED(DECLET, 500),
                                   HUNDRED(DECLET, 600), HUNDRED(DECLET, 700), HUNDRED(DECLET, 800),
                                   HUNDRED(DECLET, 900)};
