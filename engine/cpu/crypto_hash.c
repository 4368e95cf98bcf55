// SPDX-License-Identifier: MIT
// SHA by OpenSSL's libcrypto, whose deprecated block functions take a state between blocks; GHASH;
// the sponge of SHA-3.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "cpu/crypto_hash.h"

#include <stddef.h>

#include <openssl/sha.h>

#include "base/bytes.h"
#include "cpu/wide.h"

static void sha1(const struct hash_kind *kind, uint8_t *value, const uint8_t *block)
{
    (void)kind;
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

static void sha256(const struct hash_kind *kind, uint8_t *value, const uint8_t *block)
{
    (void)kind;
    SHA256_CTX c = {.md_len = SHA256_DIGEST_LENGTH};
    for (unsigned i = 0; i < 8; i++)
        c.h[i] = be32_load(value + 4 * i);
    SHA256_Transform(&c, block);
    for (unsigned i = 0; i < 8; i++)
        be32_store(value + 4 * i, (uint32_t)c.h[i]);
}

static void sha512(const struct hash_kind *kind, uint8_t *value, const uint8_t *block)
{
    (void)kind;
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

// Elements of GF(2^128) whose bits count from the left (NIST SP 800-38D).
static uint128 times_x(uint128 v)
{
    return v >> 1 ^ (v & 1 ? (uint128)0xE1 << 120 : 0);
}

// Four bits of `a` at a time, from the right; what four bits shifted out come back as is the same
// for every product.
static uint128 field_product(uint128 a, uint128 b)
{
    static const uint16_t back[16] = {0x0000, 0x1C20, 0x3840, 0x2460, 0x7080, 0x6CA0,
                                      0x48C0, 0x54E0, 0xE100, 0xFD20, 0xD940, 0xC560,
                                      0x9180, 0x8DA0, 0xA9C0, 0xB5E0};
    uint128 multiple[16] = {0}, z = 0;
    multiple[8] = b;
    for (unsigned i = 4; i > 0; i /= 2)
        multiple[i] = times_x(multiple[2 * i]);
    for (unsigned i = 2; i < 16; i *= 2)
        for (unsigned k = 1; k < i; k++)
            multiple[i + k] = multiple[i] ^ multiple[k];
    for (unsigned i = 0; i < 32; i++, a >>= 4)
        z = (z >> 4) ^ (uint128)back[z & 15] << 112 ^ multiple[a & 15];
    return z;
}

// (value + block) times the key.
void ghash_block(uint8_t value[32], const uint8_t block[16])
{
    uint128 z = field_product(load128(value) ^ load128(block), load128(value + 16));
    be64_store(value, (uint64_t)(z >> 64));
    be64_store(value + 8, (uint64_t)z);
}

static void ghash(const struct hash_kind *kind, uint8_t *value, const uint8_t *block)
{
    (void)kind;
    ghash_block(value, block);
}

static void sponge(const struct hash_kind *kind, uint8_t *value, const uint8_t *block)
{
    for (unsigned i = 0; i < kind->block; i++)
        value[i] ^= block[i];
    keccak_permute(value);
}

static const struct hash_kind kinds[] = {
    {1, 64, 20, 8, 0, 0, sha1},
    {2, 64, 32, 8, 0, 0, sha256},
    {3, 128, 64, 16, 0, 0, sha512},
    {32, 144, KECCAK_STATE, 0, 0, 0x06, sponge},
    {33, 136, KECCAK_STATE, 0, 0, 0x06, sponge},
    {34, 104, KECCAK_STATE, 0, 0, 0x06, sponge},
    {35, 72, KECCAK_STATE, 0, 0, 0x06, sponge},
    {36, 168, KECCAK_STATE, 0, 0, 0x1F, sponge},
    {37, 136, KECCAK_STATE, 0, 0, 0x1F, sponge},
    {65, 16, 16, 0, 16, 0, ghash},
};

const struct hash_kind *hash_find(unsigned function)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].function == function)
            return &kinds[i];
    }
    return NULL;
}
