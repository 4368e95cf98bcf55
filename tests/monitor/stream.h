// SPDX-License-Identifier: MIT
// Builds MONWRITE streams byte by byte, without the code under test.
#ifndef ENDICOTT_TESTS_MONITOR_STREAM_H
#define ENDICOTT_TESTS_MONITOR_STREAM_H

#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

#define STREAM_BASE 0x09000000u

static inline void stream_header(uint8_t *at, unsigned length, unsigned domain, unsigned number)
{
    memset(at, 0, length);
    be16_store(at, (uint16_t)length);
    at[4] = (uint8_t)domain;
    be16_store(at + 6, (uint16_t)number);
    be64_store(at + 8, 0xE000000000000000u + number);
}

// A control record with one entry: `bytes` bytes of records from STREAM_BASE.
static inline void stream_control(uint8_t block[4096], uint32_t target, uint32_t start,
                                  uint32_t end)
{
    memset(block, 0, 4096);
    block[3] = 9;
    be32_store(block + 8, target);
    be32_store(block + 12, 0x08000000);
    be32_store(block + 16, 0x0800000B);
    be32_store(block + 40, 0xE2C80000);
    be32_store(block + 44, start);
    be32_store(block + 48, end);
}

// A sample set of two frames: D0R1 (116 bytes), D1R13; D0R8 (100 bytes), an unknown record of 48
// bytes, D1R11. 5 records.
static inline void stream_set(struct text *out, uint32_t target)
{
    uint8_t block[4096];
    stream_control(block, target, STREAM_BASE, STREAM_BASE + 4096 + 100 + 48 + 20 - 1);
    text_add(out, (char *)block, sizeof block);
    memset(block, 0xAA, sizeof block);
    stream_header(block, 116, 0, 1);
    stream_header(block + 116, 20, 1, 13);
    text_add(out, (char *)block, sizeof block);
    memset(block, 0xAA, sizeof block);
    stream_header(block, 100, 0, 8);
    stream_header(block + 100, 48, 11, 60);
    stream_header(block + 148, 20, 1, 11);
    text_add(out, (char *)block, sizeof block);
}

static inline void stream_end(struct text *out)
{
    static const char zero[4096];
    text_add(out, zero, sizeof zero);
}

#endif
