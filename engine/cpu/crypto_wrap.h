// SPDX-License-Identifier: MIT
// Encrypted keys: what PCKMO makes of a clear key, and the cipher functions take instead of one.
//
//   | the key, enciphered by a wrapping key | verification pattern: 24 bytes for DEA, 32 for AES |
//
// Programs may pass such a block on, and cannot read the key from it. The wrapping keys of a real
// machine are new after each reset; ours are always the same, so that runs are.
#ifndef ENDICOTT_CPU_CRYPTO_WRAP_H
#define ENDICOTT_CPU_CRYPTO_WRAP_H

#include "cpu/crypto_block.h"

#define WRAP_PATTERN_MOST 32

// Bytes of the pattern behind the key.
unsigned wrap_pattern_size(const struct cipher_kind *kind);
// Enciphers `key` in place and gives its pattern.
void wrap_key(const struct cipher_kind *kind, uint8_t *key, uint8_t *pattern);
// The way back; false, and nothing changes, when the pattern is not that of our wrapping key.
bool unwrap_key(const struct cipher_kind *kind, uint8_t *key, const uint8_t *pattern);

#endif
