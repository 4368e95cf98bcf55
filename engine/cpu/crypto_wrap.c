// SPDX-License-Identifier: MIT
// Encrypted keys: TDEA-192 and AES-256 wrapping keys, and the patterns that tell them.
#include "cpu/crypto_wrap.h"

#include <string.h>

#include <openssl/sha.h>

static const struct cipher_kind dea = {.function = 3, .block = 8, .key = 24};
static const struct cipher_kind aes = {.function = 20, .block = 16, .key = 32};

static const struct cipher_kind *wrapping_kind(const struct cipher_kind *kind)
{
    return kind->block == 8 ? &dea : &aes;
}

unsigned wrap_pattern_size(const struct cipher_kind *kind)
{
    return kind->block == 8 ? 24 : WRAP_PATTERN_MOST;
}

static void wrapping_key(const struct cipher_kind *kind, uint8_t key[SHA256_DIGEST_LENGTH])
{
    static const char dea_name[] = "Endicott DEA wrapping key";
    static const char aes_name[] = "Endicott AES wrapping key";
    const char *name = kind->block == 8 ? dea_name : aes_name;

    SHA256((const unsigned char *)name, strlen(name), key);
}

// A pattern says which wrapping key it was, and not what it is.
static void pattern_of(const struct cipher_kind *kind, uint8_t *pattern)
{
    uint8_t key[SHA256_DIGEST_LENGTH], digest[SHA256_DIGEST_LENGTH];

    wrapping_key(kind, key);
    SHA256(key, sizeof key, digest);
    memcpy(pattern, digest, wrap_pattern_size(kind));
}

static void start(struct cipher *cipher, const struct cipher_kind *kind, bool decipher)
{
    uint8_t key[SHA256_DIGEST_LENGTH];

    wrapping_key(kind, key);
    cipher_start(cipher, wrapping_kind(kind), key, decipher);
}

// Block by block; where a block's worth does not fit at the end, the last block overlaps the one
// before, and is undone first.
void wrap_key(const struct cipher_kind *kind, uint8_t *key, uint8_t *pattern)
{
    struct cipher cipher;
    unsigned block = kind->block, at = 0;

    start(&cipher, kind, false);
    for (; at + block <= kind->key; at += block)
        cipher_block(&cipher, key + at, key + at);
    if (at < kind->key)
        cipher_block(&cipher, key + kind->key - block, key + kind->key - block);
    pattern_of(kind, pattern);
}

bool unwrap_key(const struct cipher_kind *kind, uint8_t *key, const uint8_t *pattern)
{
    struct cipher cipher;
    uint8_t ours[WRAP_PATTERN_MOST];
    unsigned block = kind->block, whole = kind->key / block * block;

    pattern_of(kind, ours);
    if (memcmp(ours, pattern, wrap_pattern_size(kind)) != 0)
        return false;
    start(&cipher, kind, true);
    if (whole < kind->key)
        cipher_block(&cipher, key + kind->key - block, key + kind->key - block);
    for (unsigned at = 0; at < whole; at += block)
        cipher_block(&cipher, key + at, key + at);
    return true;
}
