// SPDX-License-Identifier: MIT
// Short names for operands, for the files that define many small handlers. Each stands for an
// expression over `cpu` and `insn` of a fast handler.
#ifndef ENDICOTT_CPU_OPERANDS_H
#define ENDICOTT_CPU_OPERANDS_H

#include "cpu/execute.h"
#include "cpu/handlers.h"
#include "cpu/join.h"

// 64-bit, low and high halves of the register operands, as unsigned and signed numbers.
#define G1  (cpu->gr[insn->r1])
#define G2  (cpu->gr[insn->r2])
#define G3  (cpu->gr[insn->r3])
#define W1  low(cpu, insn->r1)
#define W2  low(cpu, insn->r2)
#define W3  low(cpu, insn->r3)
#define H1  high(cpu, insn->r1)
#define H2  high(cpu, insn->r2)
#define H3  high(cpu, insn->r3)
#define SG1 ((int64_t)G1)
#define SG2 ((int64_t)G2)
#define SW1 ((int32_t)W1)
#define SW2 ((int32_t)W2)

// Immediates.
#define IMM   (insn->i)
#define IMM_U ((uint32_t)insn->i)

// A handler whose storage operand misses the lookaside table starts again in a second version of
// itself, made from the same text, which calls the slow access and cannot miss. The first version
// then calls nothing, needs no stack frame, and keeps everything in registers that calls may
// change: half of what a load would cost otherwise. Nothing may have changed before the access.
#define OPERATION(name)                                                                           \
    static inline __attribute__((always_inline))                                                  \
    const struct insn *name##_missing(struct cpu *cpu, const struct insn *insn, insn_fn *missed); \
    static __attribute__((noinline, cold)) HANDLER(name##_slow)                                   \
    {                                                                                             \
        return name##_missing(cpu, insn, NULL);                                                   \
    }                                                                                             \
    HANDLER(name)                                                                                 \
    {                                                                                             \
        return name##_missing(cpu, insn, name##_slow);                                            \
    }                                                                                             \
    static inline __attribute__((always_inline)) const struct insn *name##_missing(               \
        struct cpu *cpu, const struct insn *insn, __attribute__((unused)) insn_fn *missed)
#define MEM_AT(n, b_, address_)                                                          \
    __extension__({                                                                      \
        uint64_t at_ = (address_);                                                       \
        const struct lookaside_entry *e_ = access_read_hit(cpu, at_, (n) / 8);           \
        if (missed && UNLIKELY(!e_))                                                     \
            return missed(cpu, insn);                                                    \
        LIKELY(e_ != NULL) ? load_##n((const void *)(e_->addend + (uintptr_t)at_))       \
                           : (uint##n##_t)access_read_slow(cpu, insn, b_, at_, (n) / 8); \
    })
#define STORE_AT(n, b_, address_, v)                                            \
    do {                                                                        \
        uint64_t at_ = (address_);                                              \
        const struct lookaside_write *e_ = access_write_hit(cpu, at_, (n) / 8); \
        if (missed && UNLIKELY(!e_ || *e_->code_lines != 0))                    \
            return missed(cpu, insn);                                           \
        if (missed)                                                             \
            store_##n((void *)(e_->addend + (uintptr_t)at_), v);                \
        else                                                                    \
            guest_write##n(cpu, insn, b_, at_, v);                              \
    } while (0)

// Storage operands: D(X,B), D(B), relative; `n` is the width in bits.
#define MEM(n)      MEM_AT(n, insn->b, address_bxd(cpu, insn))
#define STORE(n, v) STORE_AT(n, insn->b, address_bxd(cpu, insn), v)
#define MEM_BD(n)   MEM_AT(n, insn->b, address_bd(cpu, insn))
#define MEM_REL(n)  MEM_AT(n, NO_REGISTER, aligned_relative(cpu, insn, (n) / 8))

static inline uint8_t load_8(const void *p)
{
    return *(const uint8_t *)p;
}
#define load_16 be16_load
#define load_32 be32_load
#define load_64 be64_load
static inline void store_8(void *p, uint8_t value)
{
    *(uint8_t *)p = value;
}
#define store_16 be16_store
#define store_32 be32_store
#define store_64 be64_store

// A relative operand on its boundary, or a specification exception.
static inline uint64_t aligned_relative(struct cpu *cpu, const struct insn *insn, unsigned n)
{
    uint64_t address = address_relative(cpu, insn);
    if (UNLIKELY(address & (n - 1)))
        program_check(cpu, insn, PIC_SPECIFICATION);
    return address;
}

// Signed overflow after the result was stored.
static inline void fixed_overflow(struct cpu *cpu, const struct insn *insn)
{
    cpu->psw.cc = 3;
    if (cpu->psw.mask & 8)
        program_check(cpu, insn, PIC_FIXED_OVERFLOW);
}

// An operation that sets the condition code to what its text leaves in `cc`, in three versions: the
// instruction; joined with the BRANCH RELATIVE ON CONDITION that follows it; and one for when
// nobody will see the condition code (cpu/join.c).
#define CC_OPERATION(name, ...)            \
    OPERATION(name)                        \
    {                                      \
        __VA_ARGS__;                       \
        cpu->psw.cc = (uint8_t)cc;         \
        NEXT;                              \
    }                                      \
    OPERATION(name##_then)                 \
    {                                      \
        __VA_ARGS__;                       \
        cpu->psw.cc = (uint8_t)cc;         \
        insn++;                            \
        if (insn->r1 << cc & 8)            \
            BRANCH_RELATIVE(insn->target); \
        NEXT;                              \
    }                                      \
    OPERATION(name##_quiet)                \
    {                                      \
        __VA_ARGS__;                       \
        (void)cc;                          \
        NEXT;                              \
    }

#endif
