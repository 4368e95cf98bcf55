// SPDX-License-Identifier: MIT
// Keys of the cipher functions: which kinds there are, clear ones and encrypted ones, and PCKMO.
#include "cpu/crypto.h"

// Encrypted keys came with the third extension of the assist.
const struct cipher_kind *crypto_kind(const struct cpu *cpu)
{
    const struct cipher_kind *kind = cipher_find(crypto_function(cpu));

    return kind && kind->encrypted && !cpu_facility(cpu, 76) ? NULL : kind;
}

bool crypto_fetch_key(struct cpu *cpu, const struct cipher_kind *kind, unsigned chain,
                      uint8_t *parameters)
{
    unsigned pattern = kind->encrypted ? wrap_pattern_size(kind) : 0;
    uint8_t *key = parameters + chain;

    guest_fetch(cpu, 1, crypto_parameters(cpu), parameters, chain + kind->key + pattern);
    return !kind->encrypted || unwrap_key(kind, key, key + kind->key);
}

// PERFORM CRYPTOGRAPHIC KEY MANAGEMENT OPERATION: enciphers the key in the parameter block.
PLAIN(do_pckmo)
{
    (void)insn;
    uint8_t bits[16], block[CIPHER_KEY_MOST + WRAP_PATTERN_MOST];
    check(cpu, !crypto_modifier(cpu), PIC_SPECIFICATION);
    if (crypto_function(cpu) == 0) {
        cipher_query(bits, false);
        crypto_query(cpu, bits);
        return;
    }
    const struct cipher_kind *kind = cipher_find(crypto_function(cpu));
    check(cpu, kind && !kind->encrypted, PIC_SPECIFICATION);
    unsigned pattern = wrap_pattern_size(kind);
    guest_fetch(cpu, 1, crypto_parameters(cpu), block, kind->key);
    wrap_key(kind, block, block + kind->key);
    guest_store(cpu, 1, crypto_parameters(cpu), block, kind->key + pattern);
}
