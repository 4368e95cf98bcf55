// SPDX-License-Identifier: MIT
// PERFORM RANDOM NUMBER OPERATION: the deterministic generator of NIST SP 800-90A (Hash_DRBG with
// SHA-512), and one that needs no seed.
// (Principles of Operation, "General Instructions".)
#include "cpu/crypto.h"

#include <string.h>

#include <openssl/rand.h>
#include <openssl/sha.h>

enum random_function {
    RANDOM_QUERY = 0,
    RANDOM_SHA512 = 3,  // with the modifier: seed
    RANDOM_RATIO = 112, // raw to conditioned bytes
    RANDOM_TRUE = 114,
};

#define SEED 111u // bytes, NIST's seedlen

// The parameter block: 4 reserved bytes, a reseed counter, how many bytes were made since the first
// seed, V and C, each with a zero byte before it.
enum drng_field {
    DRNG_COUNTER = 4,
    DRNG_BYTES = 8,
    DRNG_V = 17,
    DRNG_C = 129,
    DRNG_SIZE = 240,
};

#define ENTROPY_MOST 512u

// --- the hash's derivation and the numbers ------------------------------------------------------

static void sha512(uint8_t digest[SHA512_DIGEST_LENGTH], const uint8_t *data, unsigned n)
{
    SHA512(data, n, digest);
}

// Hash_df: as many bytes as a seed has, from any.
static void derive(uint8_t out[SEED], const uint8_t *data, unsigned n)
{
    uint8_t in[5 + 1 + SEED + ENTROPY_MOST] = {0, 0, 0, SEED * 8 >> 8, (uint8_t)(SEED * 8)};
    uint8_t digest[2 * SHA512_DIGEST_LENGTH];
    memcpy(in + 5, data, n);
    for (unsigned i = 0; i < 2; i++) {
        in[0] = (uint8_t)(i + 1);
        sha512(digest + i * SHA512_DIGEST_LENGTH, in, 5 + n);
    }
    memcpy(out, digest, SEED);
}

// Adds a number of n bytes to one of SEED bytes.
static void add(uint8_t to[SEED], const uint8_t *number, unsigned n)
{
    unsigned carry = 0;
    for (unsigned i = 0; i < SEED; i++) {
        carry += to[SEED - 1 - i] + (i < n ? number[n - 1 - i] : 0u);
        to[SEED - 1 - i] = (uint8_t)carry;
        carry >>= 8;
    }
}

// --- the generator with a seed ------------------------------------------------------------------

static void seed(struct cpu *cpu, const struct insn *insn)
{
    uint8_t p[DRNG_SIZE], material[1 + SEED + ENTROPY_MOST];
    uint64_t n = string_length(cpu, insn->r2 + 1);
    unsigned before = 0;
    check(cpu, n <= ENTROPY_MOST, PIC_SPECIFICATION);
    guest_fetch(cpu, 1, crypto_parameters(cpu), p, DRNG_SIZE);
    guest_probe_store(cpu, 1, crypto_parameters(cpu), DRNG_SIZE);
    if (be32_load(p + DRNG_COUNTER) != 0) { // again: what was there goes in, too
        material[0] = 1;
        memcpy(material + 1, p + DRNG_V, SEED);
        before = 1 + SEED;
    } else {
        be64_store(p + DRNG_BYTES, 0);
    }
    if (n)
        guest_fetch(cpu, insn->r2, string_address(cpu, insn->r2), material + before, (unsigned)n);
    derive(p + DRNG_V, material, before + (unsigned)n);
    p[DRNG_V - 1] = 0; // hashed with V
    derive(p + DRNG_C, p + DRNG_V - 1, 1 + SEED);
    p[DRNG_C - 1] = 0;
    be32_store(p + DRNG_COUNTER, 1);
    guest_store(cpu, 1, crypto_parameters(cpu), p, DRNG_SIZE);
    cpu->psw.cc = 0;
}

// Hashgen, a part of it: `data` counts on.
static void numbers(uint8_t data[SEED], uint8_t *out, unsigned n)
{
    static const uint8_t one[] = {1};
    uint8_t digest[SHA512_DIGEST_LENGTH];
    for (unsigned at = 0; at < n; at += SHA512_DIGEST_LENGTH) {
        sha512(digest, data, SEED);
        memcpy(out + at, digest, n - at < sizeof digest ? n - at : sizeof digest);
        add(data, one, 1);
    }
}

static void next_state(uint8_t p[DRNG_SIZE], unsigned made)
{
    uint8_t digest[SHA512_DIGEST_LENGTH], in[1 + SEED] = {3};
    memcpy(in + 1, p + DRNG_V, SEED);
    sha512(digest, in, sizeof in);
    add(p + DRNG_V, digest, sizeof digest);
    add(p + DRNG_V, p + DRNG_C, SEED);
    add(p + DRNG_V, p + DRNG_COUNTER, 4);
    be32_store(p + DRNG_COUNTER, be32_load(p + DRNG_COUNTER) + 1);
    be64_store(p + DRNG_BYTES, be64_load(p + DRNG_BYTES) + made);
}

static void store_numbers(struct cpu *cpu, unsigned r, const uint8_t *v, unsigned n)
{
    uint8_t data[SEED], out[CRYPTO_UNIT];
    uint64_t to = string_address(cpu, r);
    memcpy(data, v, SEED);
    for (unsigned at = 0; at < n; at += CRYPTO_UNIT) {
        unsigned part = n - at < CRYPTO_UNIT ? n - at : CRYPTO_UNIT;
        numbers(data, out, part);
        guest_store(cpu, r, cpu_wrap(cpu, to + at), out, part);
    }
}

// A request has at most 65,536 bytes, as the standard says; what is more takes another execution.
static void generate(struct cpu *cpu, const struct insn *insn)
{
    uint8_t p[DRNG_SIZE];
    uint64_t left = string_length(cpu, insn->r1 + 1);
    unsigned n = left < CRYPTO_LIMIT ? (unsigned)left : CRYPTO_LIMIT;
    guest_fetch(cpu, 1, crypto_parameters(cpu), p, DRNG_SIZE);
    check(cpu, be32_load(p + DRNG_COUNTER) != 0, PIC_SPECIFICATION); // never seeded
    cpu->psw.cc = 0;
    if (n == 0)
        return;
    guest_probe_store(cpu, 1, crypto_parameters(cpu), DRNG_SIZE);
    guest_probe_store(cpu, insn->r1, string_address(cpu, insn->r1), n);
    store_numbers(cpu, insn->r1, p + DRNG_V, n);
    next_state(p, n);
    guest_store(cpu, 1, crypto_parameters(cpu), p, DRNG_SIZE);
    crypto_advance(cpu, insn->r1, n);
    set_string_length(cpu, insn->r1 + 1, left - n);
    cpu->psw.cc = left == n ? 0 : 3;
}

// --- the generator without ----------------------------------------------------------------------

// In real mode from the host; in virtual mode from where and when it is asked for, so that equal
// runs get equal numbers.
static void true_numbers(struct cpu *cpu, uint8_t *out, unsigned n, uint64_t at)
{
    if (cpu->clock->mode == CLOCK_REAL && RAND_bytes(out, (int)n) == 1)
        return;
    for (unsigned done = 0; done < n; done += SHA512_DIGEST_LENGTH) {
        static const char name[] = "Endicott numbers";
        uint8_t in[sizeof name + 32], digest[SHA512_DIGEST_LENGTH];
        memcpy(in, name, sizeof name);
        be64_store(in + sizeof name, cpu->instructions);
        be64_store(in + sizeof name + 8, cpu_tod(cpu));
        be64_store(in + sizeof name + 16, cpu->address);
        be64_store(in + sizeof name + 24, at + done);
        sha512(digest, in, sizeof in);
        memcpy(out + done, digest, n - done < sizeof digest ? n - done : sizeof digest);
    }
}

// One execution makes so many at most, and stops for interruptions before that.
#define TRUE_LIMIT (64u << 20)

// Fills the operand of register r; false: not all of it.
static bool fill(struct cpu *cpu, unsigned r)
{
    for (unsigned done = 0; string_length(cpu, r + 1) > 0; done += CRYPTO_UNIT) {
        uint8_t bytes[CRYPTO_UNIT];
        uint64_t left = string_length(cpu, r + 1), to = string_address(cpu, r);
        unsigned n = left < CRYPTO_UNIT ? (unsigned)left : CRYPTO_UNIT;
        if (done >= TRUE_LIMIT || (done && must_leave(cpu)))
            return false;
        true_numbers(cpu, bytes, n, to);
        guest_store(cpu, r, to, bytes, n);
        crypto_advance(cpu, r, n);
        set_string_length(cpu, r + 1, left - n);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

// The seventh extension brought true numbers; it has no facility bit and came with the eighth.
static bool has_true_numbers(const struct cpu *cpu)
{
    return cpu_facility(cpu, 146);
}

static void store_ratio(struct cpu *cpu)
{
    uint8_t ratio[8];
    be32_store(ratio, 192);
    be32_store(ratio + 4, 32);
    guest_store(cpu, 1, crypto_parameters(cpu), ratio, sizeof ratio);
    cpu->psw.cc = 0;
}

static void random_query(struct cpu *cpu)
{
    uint8_t bits[16] = {0};
    crypto_set_bit(bits, RANDOM_QUERY);
    crypto_set_bit(bits, RANDOM_SHA512);
    if (has_true_numbers(cpu)) {
        crypto_set_bit(bits, RANDOM_RATIO);
        crypto_set_bit(bits, RANDOM_TRUE);
    }
    crypto_query(cpu, bits);
}

PLAIN(do_prno)
{
    unsigned function = crypto_function(cpu);
    crypto_register(cpu, insn->r1);
    crypto_register(cpu, insn->r2);
    check(cpu, function == RANDOM_SHA512 || !crypto_modifier(cpu), PIC_SPECIFICATION);
    check(cpu, function < RANDOM_RATIO || has_true_numbers(cpu), PIC_SPECIFICATION);
    switch (function) {
    case RANDOM_QUERY:
        random_query(cpu);
        break;
    case RANDOM_SHA512:
        if (crypto_modifier(cpu))
            seed(cpu, insn);
        else
            generate(cpu, insn);
        break;
    case RANDOM_RATIO:
        store_ratio(cpu);
        break;
    case RANDOM_TRUE:
        cpu->psw.cc = fill(cpu, insn->r1) && fill(cpu, insn->r2) ? 0 : 3;
        break;
    default:
        cpu_program_interruption(cpu, PIC_SPECIFICATION);
    }
}
