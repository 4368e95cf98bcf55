// SPDX-License-Identifier: MIT
// Operands and results of hexadecimal floating-point instructions.
#ifndef ENDICOTT_CPU_FLOAT_HFP_H
#define ENDICOTT_CPU_FLOAT_HFP_H

#include "cpu/hfp.h"
#include "cpu/operands.h"

// Program-mask bits.
#define MASK_UNDERFLOW    2
#define MASK_SIGNIFICANCE 1

// Register `r` may hold a number of this format: specification and data exceptions.
void hfp_check(struct cpu *cpu, enum hfp_format format, unsigned r);
// Both after hfp_check().
struct hfp hfp_register(struct cpu *cpu, enum hfp_format format, unsigned r);
void hfp_set_register(struct cpu *cpu, enum hfp_format format, unsigned r, struct hfp x);
// Checks R2 and reads it; reads D2(X2,B2), short or long.
struct hfp hfp_operand(struct cpu *cpu, enum hfp_format format, unsigned r);
struct hfp hfp_memory(struct cpu *cpu, const struct insn *insn, enum hfp_format format);
// Stores a normalized result, truncated; a zero fraction becomes true zero. Raises exponent
// overflow and underflow after that. `cc`: sets the condition code.
void hfp_deliver(struct cpu *cpu, enum hfp_format format, unsigned r, struct hfp x, bool cc);
uint8_t hfp_sign(struct hfp x); // condition code 0 zero, 1 minus, 2 plus

#endif
