// SPDX-License-Identifier: MIT
// What the instructions of the message-security assist share.
#ifndef ENDICOTT_CPU_CRYPTO_H
#define ENDICOTT_CPU_CRYPTO_H

#include "cpu/crypto_block.h"
#include "cpu/crypto_wrap.h"
#include "cpu/operand_string.h"

// Bytes done at once between updates of the registers, and by one execution before cc 3.
#define CRYPTO_UNIT  4096u
#define CRYPTO_LIMIT 65536u

// R0: the function code in the last seven bits, before it the modifier (decipher).
static inline unsigned crypto_function(const struct cpu *cpu)
{
    return low(cpu, 0) & 0x7F;
}

static inline bool crypto_modifier(const struct cpu *cpu)
{
    return low(cpu, 0) & 0x80;
}

// The parameter block, designated by R1.
static inline uint64_t crypto_parameters(const struct cpu *cpu)
{
    return string_address(cpu, 1);
}

// An even register other than 0.
static inline void crypto_register(struct cpu *cpu, unsigned r)
{
    check(cpu, r != 0 && !(r & 1), PIC_SPECIFICATION);
}

// Moves the operand in register r on by n bytes.
static inline void crypto_advance(struct cpu *cpu, unsigned r, unsigned n)
{
    set_address(cpu, r, cpu_wrap(cpu, string_address(cpu, r) + n));
}

// One function in a query's bits.
static inline void crypto_set_bit(uint8_t bits[16], unsigned function)
{
    bits[function / 8] |= (uint8_t)(0x80 >> function % 8);
}

// The kind of R0's function code, NULL when this CPU has no such function.
const struct cipher_kind *crypto_kind(const struct cpu *cpu);
// The parameter block: `chain` bytes and the key, which is made a clear one if it is encrypted.
// False: its pattern is not that of this machine's wrapping key. Room for a pattern, too.
bool crypto_fetch_key(struct cpu *cpu, const struct cipher_kind *kind, unsigned chain,
                      uint8_t *parameters);
// Function 0: stores which functions there are.
void crypto_query(struct cpu *cpu, const uint8_t bits[16]);

#endif
