// SPDX-License-Identifier: MIT
// SHA by OpenSSL's libcrypto, whose deprecated block functions take a state between blocks; GHASH.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "cpu/crypto_hash.h"

#include <stddef.h>

#include <openssl/sha.h>

#include "base/bytes.h"
#include "cpu/wide.h"

static void sha1(uint8_t *value, const uint8_t *block)
{
    SHA_CTX c = {.h0 = be32_load(value),
                 .h1 = be32_load(value + 4),
                 .h2 = be32_load(value + 8),
                 .h3 = be32_load(value + 12),
                 .h4 = be32_load(value + 16)};
    SHA1_Transform(&c, block);
    be32_store(value, (uint32_t)c.h0);
    be32_store(value + 4, (uint32_t)c.h1);
    be32_store(value + 8, (uint32_t)c.h2);
    be32_store(value + 12, (uint32_t)c.h3);
    be32_store(value + 16, (uint32_t)c.h4);
}

static void sha256(uint8_t *value, const uint8_t *block)
{
    SHA256_CTX c = {.md_len = SHA256_DIGEST_LENGTH};
    for (unsigned i = 0; i < 8; i++)
        c.h[i] = be32_load(value + 4 * i);
    SHA256_Transform(&c, block);
    for (unsigned i = 0; i < 8; i++)
        be32_store(value + 4 * i, (uint32_t)c.h[i]);
}

static void sha512(uint8_t *value, const uint8_t *block)
{
    SHA512_CTX c = {.md_len = SHA512_DIGEST_LENGTH};
    for (unsigned i = 0; i < 8; i++)
        c.h[i] = be64_load(value + 8 * i);
    SHA512_Transform(&c, block);
    for (unsigned i = 0; i < 8; i++)
        be64_store(value + 8 * i, (uint64_t)c.h[i]);
}

static uint128 load128(const uint8_t *p)
{
    return (uint128)be64_load(p) << 64 | be64_load(p + 8);
}

// (value + block) times the key in GF(2^128), whose bits count from the left (NIST SP 800-38D).
static void ghash(uint8_t *value, const uint8_t *block)
{
    uint128 x = load128(value) ^ load128(block), v = load128(value + 16), z = 0;
    for (unsigned i = 0; i < 128; i++) {
        if (x >> 127)
            z ^= v;
        x <<= 1;
        v = v >> 1 ^ (v & 1 ? (uint128)0xE1 << 120 : 0);
    }
    be64_store(value, (uint64_t)(z >> 64));
    be64_store(value + 8, (uint64_t)z);
}

static const struct hash_kind kinds[] = {{1, 64, 20, 8, 0, sha1},
                                         {2, 64, 32, 8, 0, sha256},
                                         {3, 128, 64, 16, 0, sha512},
                                         {65, 16, 16, 0, 16, ghash}};

const struct hash_kind *hash_find(unsigned function)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].function == function)
            return &kinds[i];
    }
    return NULL;
}
