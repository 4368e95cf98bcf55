// SPDX-License-Identifier: MIT
// PERFORM CRYPTOGRAPHIC COMPUTATION: the last block of a CMAC (NIST SP 800-38B), the tweak of any
// block of an XTS data unit (IEEE 1619).
// (Principles of Operation, "General Instructions".)
#include "cpu/crypto.h"

#include <string.h>

#include "cpu/wide.h"

// --- CMAC ---------------------------------------------------------------------------------------

// | message bits | 7 reserved | the message | chaining value | key | pattern of an encrypted key |
#define CMAC_MESSAGE 8u

// Times x, the first byte highest.
static void double_block(uint8_t *value, unsigned block)
{
    uint8_t carry = value[0] & 0x80 ? block == 8 ? 0x1B : 0x87 : 0;
    for (unsigned i = 0; i + 1 < block; i++)
        value[i] = (uint8_t)(value[i] << 1 | value[i + 1] >> 7);
    value[block - 1] = (uint8_t)(value[block - 1] << 1 ^ carry);
}

// A one bit and zeros behind the first `bits` of a block that is not full.
static void pad_message(uint8_t *message, unsigned bits, unsigned block)
{
    unsigned at = bits / 8;
    message[at] = (uint8_t)((message[at] & ~(0xFF >> bits % 8)) | 0x80 >> bits % 8);
    memset(message + at + 1, 0, block - at - 1);
}

static void last_block(struct cpu *cpu, const struct cipher_kind *kind)
{
    uint8_t p[CMAC_MESSAGE + 2 * CIPHER_BLOCK_MOST + CIPHER_KEY_MOST + WRAP_PATTERN_MOST];
    uint8_t subkey[CIPHER_BLOCK_MOST] = {0};
    unsigned block = kind->block, chain = CMAC_MESSAGE + 2 * block;
    struct cipher cipher;
    uint64_t result = cpu_wrap(cpu, crypto_parameters(cpu) + CMAC_MESSAGE + block);
    if (!crypto_fetch_key(cpu, kind, chain, p)) {
        cpu->psw.cc = 1;
        return;
    }
    if (p[0] > 8 * block) {
        cpu->psw.cc = 2;
        return;
    }
    guest_probe_store(cpu, 1, result, block);
    cipher_start(&cipher, kind, p + chain, false);
    cipher_block(&cipher, subkey, subkey);
    double_block(subkey, block);
    if (p[0] < 8 * block) {
        double_block(subkey, block);
        pad_message(p + CMAC_MESSAGE, p[0], block);
    }
    for (unsigned i = 0; i < block; i++)
        subkey[i] ^= p[CMAC_MESSAGE + i] ^ p[CMAC_MESSAGE + block + i];
    cipher_block(&cipher, subkey, subkey);
    guest_store(cpu, 1, result, subkey, block);
    cpu->psw.cc = 0;
}

// --- XTS ----------------------------------------------------------------------------------------

static const struct cipher_kind xts_kinds[] = {
    {50, 16, 16, false}, {52, 16, 32, false}, {58, 16, 16, true}, {60, 16, 32, true}};

// Behind the key and its pattern: tweak, number of the block in the unit, bits of the number that
// are done, result; 16 bytes each.
enum xts_field { XTS_TWEAK = 0, XTS_NUMBER = 16, XTS_DONE = 32, XTS_RESULT = 48, XTS_FIELDS = 64 };

// Elements of the field of 2^128 with the first byte lowest.
static uint128 element_load(const uint8_t *p)
{
    uint128 e = 0;
    for (unsigned i = 16; i-- > 0;)
        e = e << 8 | p[i];
    return e;
}

static void element_store(uint8_t *p, uint128 e)
{
    for (unsigned i = 0; i < 16; i++, e >>= 8)
        p[i] = (uint8_t)e;
}

static uint128 element_double(uint128 e)
{
    return e << 1 ^ (e >> 127 ? 0x87 : 0);
}

static uint128 element_times(uint128 a, uint128 b)
{
    uint128 product = 0;
    for (; b; b >>= 1, a = element_double(a))
        product ^= b & 1 ? a : 0;
    return product;
}

// x to the power that the number's bits from `from` on make, bit 0 being the leftmost.
static uint128 power_of_x(const uint8_t *number, unsigned from)
{
    uint128 power = 1;
    for (unsigned i = from; i < 128; i++) {
        power = element_times(power, power);
        if (number[i / 8] << i % 8 & 0x80)
            power = element_double(power);
    }
    return power;
}

static bool all_zero(const uint8_t *p, unsigned n)
{
    uint8_t any = 0;
    for (unsigned i = 0; i < n; i++)
        any |= p[i];
    return any == 0;
}

static void tweak_of_block(struct cpu *cpu, const struct cipher_kind *kind)
{
    uint8_t key[CIPHER_KEY_MOST + WRAP_PATTERN_MOST], p[XTS_FIELDS];
    unsigned behind = kind->key + (kind->encrypted ? wrap_pattern_size(kind) : 0);
    uint64_t fields = cpu_wrap(cpu, crypto_parameters(cpu) + behind);
    struct cipher cipher;
    if (!crypto_fetch_key(cpu, kind, 0, key)) {
        cpu->psw.cc = 1;
        return;
    }
    guest_fetch(cpu, 1, fields, p, XTS_FIELDS);
    bool first = all_zero(p + XTS_NUMBER, 16);
    if (!first && (!all_zero(p + XTS_DONE, 15) || p[XTS_DONE + 15] > 127)) {
        cpu->psw.cc = 2;
        return;
    }
    unsigned from = first ? 0 : p[XTS_DONE + 15];
    if (from == 0) { // not the rest of an interrupted computation
        cipher_start(&cipher, kind, key, false);
        cipher_block(&cipher, p + XTS_TWEAK, p + XTS_RESULT);
    }
    element_store(p + XTS_RESULT,
                  element_times(element_load(p + XTS_RESULT), power_of_x(p + XTS_NUMBER, from)));
    memset(p + XTS_DONE, 0, 15);
    p[XTS_DONE + 15] = 128;
    guest_store(cpu, 1, cpu_wrap(cpu, fields + XTS_DONE), p + XTS_DONE, 32);
    cpu->psw.cc = 0;
}

// ------------------------------------------------------------------------------------------------

static const struct cipher_kind *find_xts(unsigned function)
{
    for (unsigned i = 0; i < sizeof xts_kinds / sizeof xts_kinds[0]; i++)
        if (xts_kinds[i].function == function)
            return &xts_kinds[i];
    return NULL;
}

PLAIN(do_pcc)
{
    (void)insn;
    check(cpu, !crypto_modifier(cpu), PIC_SPECIFICATION);
    if (crypto_function(cpu) == 0) {
        uint8_t bits[16];
        cipher_query(bits, true);
        for (unsigned i = 0; i < sizeof xts_kinds / sizeof xts_kinds[0]; i++)
            crypto_set_bit(bits, xts_kinds[i].function);
        crypto_query(cpu, bits);
        return;
    }
    const struct cipher_kind *xts = find_xts(crypto_function(cpu));
    if (xts) {
        tweak_of_block(cpu, xts);
        return;
    }
    const struct cipher_kind *kind = crypto_kind(cpu);
    check(cpu, kind != NULL, PIC_SPECIFICATION);
    last_block(cpu, kind);
}
