// SPDX-License-Identifier: MIT
// What the files of decimal floating-point instructions share: operands, rounding, exceptions.
#ifndef ENDICOTT_CPU_FLOAT_DFP_H
#define ENDICOTT_CPU_FLOAT_DFP_H

#include "cpu/dfp.h"
#include "cpu/execute.h"

// Extended operands lie in a pair: raises the specification exception.
void dfp_check_register(struct cpu *cpu, const struct dfp_format *f, unsigned r);
// Both check the register.
struct dfp dfp_operand(struct cpu *cpu, const struct dfp_format *f, unsigned r);
void dfp_set_register(struct cpu *cpu, const struct dfp_format *f, unsigned r, struct dfp x);

// The FPC's rounding mode and masks; or the rounding method of a field M3 or M4.
struct dfp_context dfp_context_fpc(const struct cpu *cpu);
struct dfp_context dfp_context_method(const struct cpu *cpu, unsigned method);
// The field's second bit: no inexact exception.
void dfp_apply_control(const struct cpu *cpu, struct dfp_context *c, unsigned control);
// Flags and traps: those that suppress, before a result is stored; the others, after.
void dfp_signal_before(struct cpu *cpu, const struct dfp_context *c);
void dfp_signal_after(struct cpu *cpu, const struct dfp_context *c);
uint8_t dfp_cc(struct dfp x);
// Signals, rounds, stores, signals.
struct dfp dfp_deliver(struct cpu *cpu, struct dfp_context *c, const struct dfp_format *f,
                       unsigned r, struct dfp x, unsigned control);

#endif
