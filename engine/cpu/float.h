// SPDX-License-Identifier: MIT
// What the floating-point files share.
#ifndef ENDICOTT_CPU_FLOAT_H
#define ENDICOTT_CPU_FLOAT_H

#include "cpu/bfp.h"
#include "cpu/execute.h"

#define SIGN64 UINT64_C(0x8000000000000000)

// 128-bit numbers lie in FPR n and n + 2: n is 0, 1, 4, 5, 8, 9, 12 or 13.
static inline void check_pair(struct cpu *cpu, unsigned r)
{
    check(cpu, !(r & 2), PIC_SPECIFICATION);
}

// The plain functions of the instructions that cpu/float_host.c handles first.
#define FLOAT_PLAIN(X)                                                                           \
    X(aebr)                                                                                      \
    X(aeb)                                                                                       \
    X(adbr) X(adb) X(sebr) X(seb) X(sdbr) X(sdb) X(meebr) X(meeb) X(mdbr) X(mdb) X(debr) X(deb)  \
        X(ddbr) X(ddb) X(sqebr) X(sqdbr) X(sqeb) X(sqdb) X(maebr) X(msebr) X(madbr) X(msdbr)     \
            X(maeb) X(mseb) X(madb) X(msdb) X(cebr) X(cdbr) X(ceb) X(cdb) X(kebr) X(kdbr) X(keb) \
                X(kdb) X(ltebr) X(ltdbr) X(ldebr) X(ldeb) X(ledbr) X(cdfbr) X(cdgbr) X(cfdbr)    \
                    X(cgdbr)
#define FLOAT_PLAIN_PROTOTYPE(name) PLAIN(do_##name);
FLOAT_PLAIN(FLOAT_PLAIN_PROTOTYPE)
#undef FLOAT_PLAIN_PROTOTYPE

void set_fpc(struct cpu *cpu, uint32_t value);

// Extended operands lie in a pair: raises the specification exception.
void float_check_registers(struct cpu *cpu, const struct bfp_format *f, unsigned r);
uint128 float_register_bits(const struct cpu *cpu, const struct bfp_format *f, unsigned r);
void float_set_register(struct cpu *cpu, const struct bfp_format *f, unsigned r, uint128 bits);
struct bfp float_number(struct cpu *cpu, const struct bfp_format *f, unsigned r);
struct bfp float_memory_number(struct cpu *cpu, const struct insn *insn,
                               const struct bfp_format *f);

// The FPC's rounding mode and masks; with M3's rounding mode instead (or a specification
// exception).
struct bfp_context float_context(const struct cpu *cpu);
struct bfp_context float_context_m3(struct cpu *cpu, unsigned m3);
void float_apply_m4(struct cpu *cpu, struct bfp_context *c, unsigned m4);
// Flags and traps: those that suppress, before a result is stored; the others, after.
void float_signal_before(struct cpu *cpu, const struct bfp_context *c);
void float_signal_after(struct cpu *cpu, const struct bfp_context *c);
uint8_t float_cc(struct bfp x);
// Rounds, stores, signals; `cc` when the instruction sets the condition code.
void float_deliver(struct cpu *cpu, struct bfp_context *c, const struct bfp_format *f, unsigned r,
                   struct bfp x, bool cc);

#endif
