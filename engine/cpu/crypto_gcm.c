// SPDX-License-Identifier: MIT
// CIPHER MESSAGE WITH AUTHENTICATION: Galois/Counter mode with AES (NIST SP 800-38D).
// (Principles of Operation, "General Instructions".)
//
// First the additional data (third operand) go into the tag, then the message (second operand) is
// ciphered to the first and goes in, then the lengths. After each unit the registers and the
// parameter block are up to date.
#include "cpu/crypto.h"

#include <string.h>

#include "cpu/crypto_hash.h"

// R0 beside function code and modifier.
enum gcm_flag {
    GCM_LAST_MESSAGE = 0x100,
    GCM_LAST_DATA = 0x200,
    GCM_SUBKEY = 0x400, // the hash subkey is in the parameter block
};

enum gcm_field {
    GCM_COUNTER = 12, // the last counter value used
    GCM_TAG = 16,     // followed by the hash subkey
    GCM_HASH = 32,
    GCM_DATA_BITS = 48, // followed by the bits of the message
    GCM_FIRST = 64,     // the counter block of the tag
    GCM_KEY = 80,
};

#define BLOCK 16u

struct gcm {
    struct cpu *cpu;
    const struct insn *insn;
    struct cipher cipher;
    bool decipher;
    unsigned done; // bytes by this execution
    uint8_t parameters[GCM_KEY + CIPHER_KEY_MOST + WRAP_PATTERN_MOST];
};

// Counter, tag and subkey back to storage.
static void store_parameters(struct gcm *g)
{
    guest_store(g->cpu, 1, cpu_wrap(g->cpu, crypto_parameters(g->cpu) + GCM_COUNTER),
                g->parameters + GCM_COUNTER, GCM_DATA_BITS - GCM_COUNTER);
}

static void probe_parameters(struct gcm *g)
{
    guest_probe_store(g->cpu, 1, cpu_wrap(g->cpu, crypto_parameters(g->cpu) + GCM_COUNTER),
                      GCM_DATA_BITS - GCM_COUNTER);
}

// n bytes into the tag, with zeros behind the last of them.
static void hash(struct gcm *g, const uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += BLOCK) {
        uint8_t block[BLOCK] = {0};
        memcpy(block, data + i, n - i < BLOCK ? n - i : BLOCK);
        ghash_block(g->parameters + GCM_TAG, block);
    }
}

static void count(struct gcm *g, uint8_t *data, unsigned n)
{
    uint8_t counter[BLOCK], pad[BLOCK];
    memcpy(counter, g->parameters + GCM_FIRST, BLOCK);
    uint32_t value = be32_load(g->parameters + GCM_COUNTER);
    for (unsigned i = 0; i < n; i += BLOCK) {
        be32_store(counter + 12, ++value);
        cipher_block(&g->cipher, counter, pad);
        for (unsigned k = 0; k < BLOCK && i + k < n; k++)
            data[i + k] ^= pad[k];
    }
    be32_store(g->parameters + GCM_COUNTER, value);
}

static unsigned unit(uint64_t left, bool last)
{
    return left >= CRYPTO_UNIT ? CRYPTO_UNIT
           : last              ? (unsigned)left
                               : (unsigned)left / BLOCK * BLOCK;
}

static void move_on(struct cpu *cpu, unsigned r, unsigned n)
{
    crypto_advance(cpu, r, n);
    set_string_length(cpu, r + 1, string_length(cpu, r + 1) - n);
}

static void data_unit(struct gcm *g, unsigned n)
{
    uint8_t data[CRYPTO_UNIT];
    unsigned r = g->insn->r3;
    guest_fetch(g->cpu, r, string_address(g->cpu, r), data, n);
    hash(g, data, n);
    store_parameters(g);
    move_on(g->cpu, r, n);
}

// What is hashed is always the ciphertext.
static void message_unit(struct gcm *g, unsigned n)
{
    uint8_t data[CRYPTO_UNIT];
    struct cpu *cpu = g->cpu;
    unsigned r1 = g->insn->r1, r2 = g->insn->r2;
    uint64_t to = string_address(cpu, r1);
    guest_fetch(cpu, r2, string_address(cpu, r2), data, n);
    guest_probe_store(cpu, r1, to, n);
    probe_parameters(g);
    if (g->decipher)
        hash(g, data, n);
    count(g, data, n);
    if (!g->decipher)
        hash(g, data, n);
    guest_store(cpu, r1, to, data, n);
    store_parameters(g);
    if (r1 != r2)
        crypto_advance(cpu, r1, n);
    move_on(cpu, r2, n);
}

// Does one operand, as far as this execution goes: 0 all of it, 2 something is left that is less
// than a block and not the last, 3 to be continued.
static uint8_t operand(struct gcm *g, unsigned r, bool last, void (*one)(struct gcm *, unsigned))
{
    for (;;) {
        uint64_t left = string_length(g->cpu, r + 1);
        unsigned n = unit(left, last);
        if (n == 0)
            return last ? 0 : 2;
        if (g->done >= CRYPTO_LIMIT)
            return 3;
        one(g, n);
        g->done += n;
    }
}

static void finish_tag(struct gcm *g)
{
    uint8_t pad[BLOCK];
    hash(g, g->parameters + GCM_DATA_BITS, BLOCK);
    cipher_block(&g->cipher, g->parameters + GCM_FIRST, pad);
    for (unsigned i = 0; i < BLOCK; i++)
        g->parameters[GCM_TAG + i] ^= pad[i];
    store_parameters(g);
}

static void supply_subkey(struct gcm *g)
{
    if (low(g->cpu, 0) & GCM_SUBKEY)
        return;
    memset(g->parameters + GCM_HASH, 0, BLOCK);
    cipher_block(&g->cipher, g->parameters + GCM_HASH, g->parameters + GCM_HASH);
    store_parameters(g);
    set_low(g->cpu, 0, low(g->cpu, 0) | GCM_SUBKEY);
}

static uint8_t all_operands(struct gcm *g)
{
    uint32_t flags = low(g->cpu, 0);
    supply_subkey(g);
    uint8_t cc = operand(g, g->insn->r3, flags & GCM_LAST_DATA, data_unit);
    if (cc == 0)
        cc = operand(g, g->insn->r2, flags & GCM_LAST_MESSAGE, message_unit);
    if (cc == 0)
        finish_tag(g);
    return cc;
}

static void gcm_query(struct cpu *cpu)
{
    uint8_t bits[16] = {0x80};
    for (unsigned function = 1; function < 128; function++) {
        const struct cipher_kind *kind = cipher_find(function);
        if (kind && kind->block == BLOCK)
            crypto_set_bit(bits, function);
    }
    crypto_query(cpu, bits);
}

PLAIN(do_kma)
{
    crypto_register(cpu, insn->r1);
    crypto_register(cpu, insn->r2);
    crypto_register(cpu, insn->r3);
    if (crypto_function(cpu) == 0) {
        gcm_query(cpu);
        return;
    }
    const struct cipher_kind *kind = crypto_kind(cpu);
    check(cpu, kind != NULL && kind->block == BLOCK, PIC_SPECIFICATION);
    check(cpu, insn->r3 != insn->r1 && insn->r3 != insn->r2, PIC_SPECIFICATION);
    struct gcm g = {.cpu = cpu, .insn = insn, .decipher = crypto_modifier(cpu)};
    if (!crypto_fetch_key(cpu, kind, GCM_KEY, g.parameters)) {
        cpu->psw.cc = 1;
        return;
    }
    probe_parameters(&g);
    cipher_start(&g.cipher, kind, g.parameters + GCM_KEY, false);
    cpu->psw.cc = all_operands(&g);
}
