// SPDX-License-Identifier: MIT
// Benchmark: a sorted list, a matrix product, a state machine over text, and a checksum of it all;
// what a C program does that is neither all memory nor all arithmetic.
#include <stdint.h>

struct node {
    struct node *next;
    uint16_t key, value;
};

static struct node nodes[96];
static int16_t left[10][10], right[10][10];

static uint16_t checksum(uint16_t c, uint32_t v)
{
    for (unsigned i = 0; i < 16; i++, v >>= 1)
        c = (uint16_t)((c >> 1) ^ ((c ^ v) & 1 ? 0x8408 : 0));
    return c;
}

static struct node *insert(struct node *sorted, struct node *n)
{
    struct node **p = &sorted;
    while (*p && (*p)->key < n->key)
        p = &(*p)->next;
    n->next = *p;
    *p = n;
    return sorted;
}

static uint16_t lists(uint16_t c)
{
    struct node *sorted = 0;
    uint32_t seed = 12345;
    for (unsigned i = 0; i < 96; i++) {
        seed = seed * 1103515245u + 12345;
        nodes[i].key = (uint16_t)(seed >> 16);
        nodes[i].value = (uint16_t)i;
        sorted = insert(sorted, &nodes[i]);
    }
    for (struct node *n = sorted; n; n = n->next)
        c = checksum(c, n->value);
    return c;
}

static uint16_t matrices(uint16_t c)
{
    for (unsigned i = 0; i < 10; i++)
        for (unsigned j = 0; j < 10; j++) {
            left[i][j] = (int16_t)(i * 7 - j * 3);
            right[i][j] = (int16_t)(j * 5 - i);
        }
    for (unsigned i = 0; i < 10; i++)
        for (unsigned j = 0; j < 10; j++) {
            int32_t sum = 0;
            for (unsigned k = 0; k < 10; k++)
                sum += left[i][k] * right[k][j] >> 2;
            c = checksum(c, (uint32_t)sum);
        }
    return c;
}

enum place { BLANK, WHOLE, FRACTION, EXPONENT, WORD, PLACES };

static enum place next(enum place at, char ch)
{
    if (ch == ' ')
        return BLANK;
    switch (at) {
    case BLANK:
    case WHOLE:
        return ch >= '0' && ch <= '9' ? WHOLE : ch == '.' ? FRACTION : WORD;
    case FRACTION:
        return ch >= '0' && ch <= '9' ? FRACTION : ch == 'e' ? EXPONENT : WORD;
    case EXPONENT:
        return ch >= '0' && ch <= '9' ? EXPONENT : WORD;
    default:
        return WORD;
    }
}

static uint16_t states(uint16_t c)
{
    static const char text[] = "12 3.25 7e 9.5e10 abc 4711 0.001 1.e2 x9 33333 2.718281828 end 5 ";
    unsigned seen[PLACES] = {0};
    enum place at = BLANK;
    for (unsigned round = 0; round < 4; round++)
        for (const char *p = text; *p; p++) {
            at = next(at, *p);
            seen[at]++;
        }
    for (unsigned i = 0; i < PLACES; i++)
        c = checksum(c, seen[i]);
    return c;
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x6A64);

uint64_t kernel(void);
uint64_t kernel(void)
{
    return states(matrices(lists(0xFFFF)));
}
