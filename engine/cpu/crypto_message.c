// SPDX-License-Identifier: MIT
// Ciphering: KM, KMC, KMF, KMO, KMCTR.
// (Principles of Operation, "General Instructions"; modes as in NIST SP 800-38A.)
//
// The parameter block is the key, for the chained modes with the chaining value before it. After
// each unit of at most 4096 bytes registers and chaining value are up to date, so that an access
// exception, or condition code 3, leaves an instruction that can go on.
#include "cpu/crypto.h"

#include <string.h>

struct message {
    struct cpu *cpu;
    const struct insn *insn;
    struct cipher cipher;
    bool decipher;
    unsigned unit; // bytes that the length must be a multiple of
    uint8_t value[CIPHER_BLOCK_MOST];
    unsigned value_at;             // where it is in the parameter block
    uint8_t counters[CRYPTO_UNIT]; // KMCTR's third operand
};

struct mode;

// A function that only one instruction has.
struct own_function {
    struct cipher_kind kind;
    const struct mode *mode;
};

struct mode {
    bool tweaked;                   // the chaining value is behind the key
    const struct own_function *own; // functions 0-127 besides those of all; ends with function 0
    bool chained;                   // the parameter block begins with a chaining value
    bool counted;                   // R3 designates counters
    bool forward_only;              // deciphering uses the enciphering block function, too
    bool segments;                  // the unit is in bits 32-39 of R0
    void (*work)(struct message *m, uint8_t *data, unsigned n);
};

static void exclusive_or(uint8_t *to, const uint8_t *with, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        to[i] ^= with[i];
}

static void work_ecb(struct message *m, uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += m->unit)
        cipher_block(&m->cipher, data + i, data + i);
}

static void work_cbc(struct message *m, uint8_t *data, unsigned n)
{
    unsigned block = m->unit;
    for (unsigned i = 0; i < n; i += block) {
        uint8_t in[CIPHER_BLOCK_MOST];
        memcpy(in, data + i, block);
        if (!m->decipher)
            exclusive_or(data + i, m->value, block);
        cipher_block(&m->cipher, data + i, data + i);
        if (m->decipher)
            exclusive_or(data + i, m->value, block);
        memcpy(m->value, m->decipher ? in : data + i, block);
    }
}

// The chaining value moves left by a segment of ciphertext.
static void work_cfb(struct message *m, uint8_t *data, unsigned n)
{
    unsigned block = m->cipher.kind->block, s = m->unit;
    for (unsigned i = 0; i < n; i += s) {
        uint8_t pad[CIPHER_BLOCK_MOST], in[CIPHER_BLOCK_MOST];
        memcpy(in, data + i, s);
        cipher_block(&m->cipher, m->value, pad);
        exclusive_or(data + i, pad, s);
        memmove(m->value, m->value + s, block - s);
        memcpy(m->value + block - s, m->decipher ? in : data + i, s);
    }
}

static void work_ofb(struct message *m, uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += m->unit) {
        cipher_block(&m->cipher, m->value, m->value);
        exclusive_or(data + i, m->value, m->unit);
    }
}

static void work_ctr(struct message *m, uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += m->unit) {
        uint8_t pad[CIPHER_BLOCK_MOST];
        cipher_block(&m->cipher, m->counters + i, pad);
        exclusive_or(data + i, pad, m->unit);
    }
}

// Pseudorandom numbers of ANSI X9.17: the operand is the time, the chaining value the seed.
static void work_prng(struct message *m, uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += m->unit) {
        uint8_t time[CIPHER_BLOCK_MOST];
        cipher_block(&m->cipher, data + i, time);
        memcpy(data + i, time, m->unit);
        exclusive_or(data + i, m->value, m->unit);
        cipher_block(&m->cipher, data + i, data + i);
        exclusive_or(time, data + i, m->unit);
        cipher_block(&m->cipher, time, m->value);
    }
}

// The tweak of the next block (IEEE 1619): times x in the field of 2^128, first byte lowest.
static void next_tweak(uint8_t tweak[16])
{
    bool carry = tweak[15] & 0x80;
    for (unsigned i = 15; i > 0; i--)
        tweak[i] = (uint8_t)(tweak[i] << 1 | tweak[i - 1] >> 7);
    tweak[0] = (uint8_t)(tweak[0] << 1 ^ (carry ? 0x87 : 0));
}

static void work_xts(struct message *m, uint8_t *data, unsigned n)
{
    for (unsigned i = 0; i < n; i += m->unit) {
        exclusive_or(data + i, m->value, m->unit);
        cipher_block(&m->cipher, data + i, data + i);
        exclusive_or(data + i, m->value, m->unit);
        next_tweak(m->value);
    }
}

static const struct mode xts = {.chained = true, .tweaked = true, .work = work_xts};
static const struct mode prng = {.chained = true, .forward_only = true, .work = work_prng};
static const struct own_function km_own[] = {{{50, 16, 16, false}, &xts},
                                             {{52, 16, 32, false}, &xts},
                                             {{58, 16, 16, true}, &xts},
                                             {{60, 16, 32, true}, &xts},
                                             {{0}, NULL}};
static const struct own_function kmc_own[] = {{{67, 8, 24, false}, &prng}, {{0}, NULL}};
static const struct mode ecb = {.work = work_ecb, .own = km_own};
static const struct mode cbc = {.chained = true, .work = work_cbc, .own = kmc_own};
static const struct mode cfb = {
    .chained = true, .forward_only = true, .segments = true, .work = work_cfb};
static const struct mode ofb = {.chained = true, .forward_only = true, .work = work_ofb};
static const struct mode ctr = {.counted = true, .forward_only = true, .work = work_ctr};

// One unit of operation: everything is reached before anything changes.
static void one_unit(struct message *m, const struct mode *mode, unsigned n)
{
    struct cpu *cpu = m->cpu;
    const struct insn *insn = m->insn;
    uint8_t data[CRYPTO_UNIT];
    uint64_t to = string_address(cpu, insn->r1);
    guest_fetch(cpu, insn->r2, string_address(cpu, insn->r2), data, n);
    if (mode->counted)
        guest_fetch(cpu, insn->r3, string_address(cpu, insn->r3), m->counters, n);
    guest_probe_store(cpu, insn->r1, to, n);
    if (mode->chained)
        guest_probe_store(cpu, 1, crypto_parameters(cpu) + m->value_at, m->cipher.kind->block);
    mode->work(m, data, n);
    guest_store(cpu, insn->r1, to, data, n);
    if (mode->chained)
        guest_store(cpu, 1, crypto_parameters(cpu) + m->value_at, m->value, m->cipher.kind->block);
    uint64_t left = string_length(cpu, insn->r2 + 1) - n;
    crypto_advance(cpu, insn->r1, n);
    if (insn->r2 != insn->r1)
        crypto_advance(cpu, insn->r2, n);
    if (mode->counted && insn->r3 != insn->r1 && insn->r3 != insn->r2)
        crypto_advance(cpu, insn->r3, n);
    set_string_length(cpu, insn->r2 + 1, left);
}

// False: an encrypted key is not one of this machine's.
static bool start(struct message *m, const struct mode *mode, const struct cipher_kind *kind)
{
    struct cpu *cpu = m->cpu;
    uint8_t parameters[CIPHER_BLOCK_MOST + CIPHER_KEY_MOST + WRAP_PATTERN_MOST];
    unsigned chain = mode->chained && !mode->tweaked ? kind->block : 0;
    if (!crypto_fetch_key(cpu, kind, chain, parameters))
        return false;
    memcpy(m->value, parameters, chain);
    if (mode->tweaked) {
        m->value_at = kind->key + (kind->encrypted ? wrap_pattern_size(kind) : 0);
        guest_fetch(cpu, 1, crypto_parameters(cpu) + m->value_at, m->value, kind->block);
    }
    m->decipher = crypto_modifier(cpu);
    cipher_start(&m->cipher, kind, parameters + chain, m->decipher && !mode->forward_only);
    return true;
}

// XTS came with the fourth extension of the assist.
static bool has_own(const struct cpu *cpu, const struct own_function *own)
{
    return !own->mode->tweaked || cpu_facility(cpu, 77);
}

static const struct own_function *find_own(const struct cpu *cpu, const struct mode *mode)
{
    for (const struct own_function *own = mode->own; own && own->mode; own++)
        if (own->kind.function == crypto_function(cpu) && has_own(cpu, own))
            return own;
    return NULL;
}

static void cipher_message(struct cpu *cpu, const struct insn *insn, const struct mode *mode)
{
    crypto_register(cpu, insn->r1);
    crypto_register(cpu, insn->r2);
    if (mode->counted)
        crypto_register(cpu, insn->r3);
    if (crypto_function(cpu) == 0) {
        uint8_t bits[16];
        cipher_query(bits, cpu_facility(cpu, 76));
        for (const struct own_function *own = mode->own; own && own->mode; own++)
            if (has_own(cpu, own))
                bits[own->kind.function / 8] |= (uint8_t)(0x80 >> own->kind.function % 8);
        crypto_query(cpu, bits);
        return;
    }
    const struct own_function *own = find_own(cpu, mode);
    const struct cipher_kind *kind = own ? &own->kind : crypto_kind(cpu);
    check(cpu, kind != NULL, PIC_SPECIFICATION);
    if (own) {
        mode = own->mode;
        check(cpu, mode->tweaked || !crypto_modifier(cpu), PIC_SPECIFICATION);
    }
    struct message m = {.cpu = cpu, .insn = insn, .unit = kind->block};
    if (mode->segments) {
        m.unit = low(cpu, 0) >> 24;
        check(cpu, m.unit >= 1 && m.unit <= kind->block, PIC_SPECIFICATION);
    }
    check(cpu, string_length(cpu, insn->r2 + 1) % m.unit == 0, PIC_SPECIFICATION);
    cpu->psw.cc = 0;
    if (string_length(cpu, insn->r2 + 1) == 0)
        return;
    if (!start(&m, mode, kind)) {
        cpu->psw.cc = 1;
        return;
    }
    unsigned most = CRYPTO_UNIT - CRYPTO_UNIT % m.unit;
    for (unsigned done = 0; string_length(cpu, insn->r2 + 1) > 0; done += most) {
        if (done >= CRYPTO_LIMIT) {
            cpu->psw.cc = 3;
            return;
        }
        uint64_t left = string_length(cpu, insn->r2 + 1);
        one_unit(&m, mode, left < most ? (unsigned)left : most);
    }
}

PLAIN(do_km)
{
    cipher_message(cpu, insn, &ecb);
}

PLAIN(do_kmc)
{
    cipher_message(cpu, insn, &cbc);
}

PLAIN(do_kmf)
{
    cipher_message(cpu, insn, &cfb);
}

PLAIN(do_kmo)
{
    cipher_message(cpu, insn, &ofb);
}

PLAIN(do_kmctr)
{
    cipher_message(cpu, insn, &ctr);
}
