// SPDX-License-Identifier: MIT
// Digests and authentication codes: KIMD, KLMD, KMAC.
// (Principles of Operation, "General Instructions"; FIPS 180-4, FIPS 202, FIPS 113.)
#include <string.h>

#include "cpu/crypto.h"
#include "cpu/crypto_hash.h"

void crypto_query(struct cpu *cpu, const uint8_t bits[16])
{
    guest_store(cpu, 1, crypto_parameters(cpu), bits, 16);
    cpu->psw.cc = 0;
}

// SHA-3 came with the sixth extension of the assist, which has no facility bit of its own and came
// together with the eighth.
static const struct hash_kind *hash_kind(const struct cpu *cpu, unsigned function)
{
    const struct hash_kind *kind = hash_find(function);
    return kind && kind->suffix && !cpu_facility(cpu, 146) ? NULL : kind;
}

static void hash_query(struct cpu *cpu, bool last)
{
    uint8_t bits[16] = {0x80};
    for (unsigned function = 1; function < 128; function++) {
        const struct hash_kind *kind = hash_kind(cpu, function);
        if (kind && (!last || hash_has_last(kind)))
            crypto_set_bit(bits, function);
    }
    crypto_query(cpu, bits);
}

// --- digests ------------------------------------------------------------------------------------

// One unit of whole blocks into the chaining value, which goes back to storage.
static void hash_unit(struct cpu *cpu, const struct insn *insn, const struct hash_kind *kind,
                      uint8_t *parameters, unsigned n)
{
    uint8_t data[CRYPTO_UNIT];
    guest_fetch(cpu, insn->r2, string_address(cpu, insn->r2), data, n);
    for (unsigned i = 0; i < n; i += kind->block)
        kind->block_in(kind, parameters, data + i);
    guest_store(cpu, 1, crypto_parameters(cpu), parameters, kind->value);
    crypto_advance(cpu, insn->r2, n);
    set_string_length(cpu, insn->r2 + 1, string_length(cpu, insn->r2 + 1) - n);
}

// All whole blocks, or as many as one execution does (false).
static bool hash_blocks(struct cpu *cpu, const struct insn *insn, const struct hash_kind *kind,
                        uint8_t *parameters)
{
    unsigned most = CRYPTO_UNIT / kind->block * kind->block;
    for (unsigned done = 0; string_length(cpu, insn->r2 + 1) >= kind->block; done += most) {
        if (done >= CRYPTO_LIMIT)
            return false;
        uint64_t left = string_length(cpu, insn->r2 + 1);
        unsigned n = left < most ? (unsigned)left / kind->block * kind->block : most;
        hash_unit(cpu, insn, kind, parameters, n);
    }
    return true;
}

// The kind by R0, or NULL when the query was done.
static const struct hash_kind *hash_start(struct cpu *cpu, const struct insn *insn, bool last)
{
    check(cpu, !crypto_modifier(cpu), PIC_SPECIFICATION);
    crypto_register(cpu, insn->r2);
    if (crypto_function(cpu) == 0) {
        hash_query(cpu, last);
        return NULL;
    }
    const struct hash_kind *kind = hash_kind(cpu, crypto_function(cpu));
    check(cpu, kind != NULL && (!last || hash_has_last(kind)), PIC_SPECIFICATION);
    return kind;
}

PLAIN(do_kimd)
{
    const struct hash_kind *kind = hash_start(cpu, insn, false);
    if (!kind)
        return;
    uint8_t parameters[HASH_PARAMETER_MOST];
    uint64_t length = string_length(cpu, insn->r2 + 1);
    check(cpu, length % kind->block == 0, PIC_SPECIFICATION);
    cpu->psw.cc = 0;
    if (length == 0)
        return;
    guest_fetch(cpu, 1, crypto_parameters(cpu), parameters, kind->value + kind->key);
    guest_probe_store(cpu, 1, crypto_parameters(cpu), kind->value);
    cpu->psw.cc = hash_blocks(cpu, insn, kind, parameters) ? 0 : 3;
}

// What remains after the whole blocks, a one bit, zeros, and the message's length in bits.
static void hash_last(const struct hash_kind *kind, uint8_t *parameters, const uint8_t *rest,
                      unsigned n)
{
    uint8_t block[HASH_BLOCK_MOST] = {0};
    memcpy(block, rest, n);
    if (kind->suffix) {
        block[n] = kind->suffix;
        block[kind->block - 1] |= 0x80;
        kind->block_in(kind, parameters, block);
        return;
    }
    block[n] = 0x80;
    if (n + 1u + kind->length > kind->block) {
        kind->block_in(kind, parameters, block);
        memset(block, 0, sizeof block);
    }
    memcpy(block + kind->block - kind->length, parameters + kind->value, kind->length);
    kind->block_in(kind, parameters, block);
}

// The whole second operand and the padding; false: there is more than one execution does.
static bool hash_all(struct cpu *cpu, const struct insn *insn, const struct hash_kind *kind,
                     uint8_t *parameters)
{
    uint8_t rest[HASH_BLOCK_MOST];
    if (!hash_blocks(cpu, insn, kind, parameters))
        return false;
    unsigned n = (unsigned)string_length(cpu, insn->r2 + 1);
    if (n)
        guest_fetch(cpu, insn->r2, string_address(cpu, insn->r2), rest, n);
    hash_last(kind, parameters, rest, n);
    guest_store(cpu, 1, crypto_parameters(cpu), parameters, kind->value);
    crypto_advance(cpu, insn->r2, n);
    set_string_length(cpu, insn->r2 + 1, 0);
    return true;
}

// R0: the padding is done, and the first operand continues.
#define PADDED 0x100u

// The output of an extendable function; the state in the parameter block is that of what follows.
static bool hash_output(struct cpu *cpu, const struct insn *insn, const struct hash_kind *kind,
                        uint8_t *state)
{
    for (unsigned done = 0; string_length(cpu, insn->r1 + 1) > 0; done += kind->block) {
        if (done >= CRYPTO_LIMIT)
            return false;
        uint64_t left = string_length(cpu, insn->r1 + 1);
        unsigned n = left < kind->block ? (unsigned)left : kind->block;
        guest_store(cpu, insn->r1, string_address(cpu, insn->r1), state, n);
        if (n == kind->block)
            keccak_permute(state);
        guest_store(cpu, 1, crypto_parameters(cpu), state, kind->value);
        crypto_advance(cpu, insn->r1, n);
        set_string_length(cpu, insn->r1 + 1, left - n);
    }
    return true;
}

PLAIN(do_klmd)
{
    const struct hash_kind *kind = hash_start(cpu, insn, true);
    if (!kind)
        return;
    bool extendable = hash_is_extendable(kind);
    if (extendable)
        crypto_register(cpu, insn->r1);
    uint8_t parameters[HASH_PARAMETER_MOST];
    guest_fetch(cpu, 1, crypto_parameters(cpu), parameters, kind->value + kind->length);
    guest_probe_store(cpu, 1, crypto_parameters(cpu), kind->value);
    cpu->psw.cc = 3;
    if (!(extendable && low(cpu, 0) & PADDED) && !hash_all(cpu, insn, kind, parameters))
        return;
    if (extendable) {
        set_low(cpu, 0, low(cpu, 0) | PADDED);
        if (!hash_output(cpu, insn, kind, parameters))
            return;
    }
    cpu->psw.cc = 0;
}

// --- authentication codes -----------------------------------------------------------------------

static void authenticate_unit(struct cpu *cpu, const struct insn *insn, const struct cipher *cipher,
                              uint8_t *value, unsigned n)
{
    uint8_t data[CRYPTO_UNIT];
    unsigned block = cipher->kind->block;
    guest_fetch(cpu, insn->r2, string_address(cpu, insn->r2), data, n);
    for (unsigned i = 0; i < n; i += block) {
        for (unsigned k = 0; k < block; k++)
            value[k] ^= data[i + k];
        cipher_block(cipher, value, value);
    }
    guest_store(cpu, 1, crypto_parameters(cpu), value, block);
    crypto_advance(cpu, insn->r2, n);
    set_string_length(cpu, insn->r2 + 1, string_length(cpu, insn->r2 + 1) - n);
}

PLAIN(do_kmac)
{
    check(cpu, !crypto_modifier(cpu), PIC_SPECIFICATION);
    crypto_register(cpu, insn->r2);
    uint8_t bits[16], parameters[CIPHER_BLOCK_MOST + CIPHER_KEY_MOST + WRAP_PATTERN_MOST];
    if (crypto_function(cpu) == 0) {
        cipher_query(bits, cpu_facility(cpu, 76));
        crypto_query(cpu, bits);
        return;
    }
    const struct cipher_kind *kind = crypto_kind(cpu);
    uint64_t left = string_length(cpu, insn->r2 + 1);
    check(cpu, kind != NULL && left % kind->block == 0, PIC_SPECIFICATION);
    cpu->psw.cc = 0;
    if (left == 0)
        return;
    if (!crypto_fetch_key(cpu, kind, kind->block, parameters)) {
        cpu->psw.cc = 1;
        return;
    }
    guest_probe_store(cpu, 1, crypto_parameters(cpu), kind->block);
    struct cipher cipher;
    cipher_start(&cipher, kind, parameters + kind->block, false);
    for (unsigned done = 0; left > 0; done += CRYPTO_UNIT) {
        if (done >= CRYPTO_LIMIT) {
            cpu->psw.cc = 3;
            return;
        }
        authenticate_unit(cpu, insn, &cipher, parameters,
                          left < CRYPTO_UNIT ? (unsigned)left : CRYPTO_UNIT);
        left = string_length(cpu, insn->r2 + 1);
    }
}
