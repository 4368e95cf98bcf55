// SPDX-License-Identifier: MIT
// DEA, TDEA and AES, one block at a time, by OpenSSL's libcrypto.
//
// Chaining is the instructions' own, with the chaining value in guest storage after every unit of
// operation: that needs the library's block functions, which it calls deprecated.
#define OPENSSL_SUPPRESS_DEPRECATED
#include "cpu/crypto_block.h"

#include <string.h>

#include <openssl/aes.h>
#include <openssl/des.h>

static const struct cipher_kind kinds[] = {
    {1, 8, 8, false},    {2, 8, 16, false},   {3, 8, 24, false},  {18, 16, 16, false},
    {19, 16, 24, false}, {20, 16, 32, false}, {9, 8, 8, true},    {10, 8, 16, true},
    {11, 8, 24, true},   {26, 16, 16, true},  {27, 16, 24, true}, {28, 16, 32, true},
};

struct dea {
    DES_key_schedule key[3];
};

_Static_assert(sizeof(struct dea) <= sizeof((struct cipher *)0)->schedule, "DEA schedules");
_Static_assert(sizeof(AES_KEY) <= sizeof((struct cipher *)0)->schedule, "AES schedule");

const struct cipher_kind *cipher_find(unsigned function)
{
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].function == function)
            return &kinds[i];
    }
    return NULL;
}

void cipher_query(uint8_t bits[16], bool encrypted)
{
    memset(bits, 0, 16);
    bits[0] = 0x80;
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (encrypted || !kinds[i].encrypted)
            bits[kinds[i].function / 8] |= (uint8_t)(0x80 >> kinds[i].function % 8);
}

// One key serves all three passes, the first also the last, or each has its own.
static void start_dea(struct cipher *c, const uint8_t *key)
{
    struct dea *dea = (struct dea *)c->schedule;
    for (unsigned i = 0; i < 3; i++) {
        DES_cblock one;
        memcpy(one, key + i * 8 % c->kind->key, 8);
        DES_set_key_unchecked(&one, &dea->key[i]);
    }
}

void cipher_start(struct cipher *c, const struct cipher_kind *kind, const uint8_t *key,
                  bool decipher)
{
    c->kind = kind;
    c->decipher = decipher;
    if (kind->block == 8)
        start_dea(c, key);
    else if (decipher)
        AES_set_decrypt_key(key, kind->key * 8, (AES_KEY *)c->schedule);
    else
        AES_set_encrypt_key(key, kind->key * 8, (AES_KEY *)c->schedule);
}

void cipher_block(const struct cipher *c, const uint8_t *in, uint8_t *out)
{
    if (c->kind->block == 16) {
        const AES_KEY *key = (const AES_KEY *)c->schedule;
        if (c->decipher)
            AES_decrypt(in, out, key);
        else
            AES_encrypt(in, out, key);
        return;
    }
    struct dea dea;
    DES_cblock from, to;
    memcpy(&dea, c->schedule, sizeof dea);
    memcpy(from, in, 8);
    int way = c->decipher ? DES_DECRYPT : DES_ENCRYPT;
    DES_ecb3_encrypt(&from, &to, &dea.key[0], &dea.key[1], &dea.key[2], way);
    memcpy(out, to, 8);
}
