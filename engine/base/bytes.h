// SPDX-License-Identifier: MIT
// Big-endian loads and stores: guest storage, CKD tracks and monitor records are all big-endian.
#ifndef ENDICOTT_BASE_BYTES_H
#define ENDICOTT_BASE_BYTES_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

static inline uint16_t be16_load(const void *p)
{
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap16(v);
}

static inline uint32_t be32_load(const void *p)
{
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap32(v);
}

static inline uint64_t be64_load(const void *p)
{
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return __builtin_bswap64(v);
}

static inline void be16_store(void *p, uint16_t v)
{
    v = __builtin_bswap16(v);
    memcpy(p, &v, sizeof v);
}

static inline void be32_store(void *p, uint32_t v)
{
    v = __builtin_bswap32(v);
    memcpy(p, &v, sizeof v);
}

static inline void be64_store(void *p, uint64_t v)
{
    v = __builtin_bswap64(v);
    memcpy(p, &v, sizeof v);
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes.h swaps for little-endian hosts");

#endif
