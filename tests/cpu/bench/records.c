// SPDX-License-Identifier: MIT
// Benchmark: records assigned through pointers, strings compared and copied, small calls.
#include <stdint.h>

struct record {
    struct record *other;
    int kind, count, level;
    char text[32];
};

static struct record records[2];

static __attribute__((noinline)) int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a - *b;
}

static __attribute__((noinline)) void copy(char *to, const char *from)
{
    while ((*to++ = *from++))
        ;
}

static __attribute__((noinline)) int step(struct record *r, int i)
{
    struct record *o = r->other;
    *o = *r;
    o->other = r;
    o->count = i;
    o->kind = r->kind == 3 ? 0 : r->kind + 1;
    o->level = (r->level * 3 + i) % 1009;
    o->text[i & 15] = (char)('a' + i % 26);
    return o->level > 500 ? compare(r->text, o->text) : o->kind;
}

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0xE668E07A32B656DE);

uint64_t kernel(void);
uint64_t kernel(void)
{
    uint64_t sum = 0;
    records[0] = (struct record){.other = &records[1], .level = 17};
    records[1] = (struct record){.other = &records[0]};
    copy(records[0].text, "SOME TEXT TO COMPARE, 31 BYTES.");
    for (int i = 0; i < 500; i++)
        sum = sum * 31 + (uint64_t)step(&records[i & 1], i);
    return sum;
}
