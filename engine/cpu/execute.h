// SPDX-License-Identifier: MIT
// How instruction handlers are written.
//
// A handler gets the decoded instruction, does its work and returns what its successor returns: a
// tail call, which an optimising compiler turns into a jump. Where it would not (no optimisation,
// sanitizers), handlers return the successor itself and a loop calls it. NULL goes back to
// cpu_run(), with the PSW exact.
//
// A fast handler (HANDLER) touches only registers, storage by cpu/access.h and the condition code.
// Everything rarer is a plain function (PLAIN) that the generic handlers op_plain and op_ending
// call with cpu->current set, or with the PSW already exact when the row says OP_END.
#ifndef ENDICOTT_CPU_EXECUTE_H
#define ENDICOTT_CPU_EXECUTE_H

#include "cpu/access.h"
#include "cpu/block.h"
#include "cpu/codes.h"
#include "cpu/cpu.h"

#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CPU_THREADED 1
#else
#define CPU_THREADED 0
#endif

#if CPU_THREADED
#define RUN(insn_)                         \
    do {                                   \
        const struct insn *run_ = (insn_); \
        return run_->run(cpu, run_);       \
    } while (0)
#else
#define RUN(insn_)      \
    do {                \
        (void)cpu;      \
        return (insn_); \
    } while (0)
#endif

#define NEXT RUN(insn + 1)

#define HANDLER(name) const struct insn *name(struct cpu *cpu, const struct insn *insn)
#define PLAIN(name)   void name(struct cpu *cpu, const struct insn *insn)

// Generic handlers (run.c).
HANDLER(op_plain);         // row->execute
HANDLER(op_free);          // row->execute of one that anybody may issue at any time
HANDLER(op_ending);        // row->execute with OP_END
HANDLER(op_interruptible); // row->execute with OP_INTERRUPTIBLE
HANDLER(op_door);          // host->intercept
HANDLER(op_end);           // the block is full, or its page ends
HANDLER(op_stale);         // the block was overwritten by the instruction before
HANDLER(op_invalid);
HANDLER(op_execute_return);
HANDLER(op_bras_far); // BRANCH RELATIVE AND SAVE to another page (general_branch.c)

// Taken branch to anywhere; `to` is a virtual address not yet cut to the addressing mode.
const struct insn *branch_to(struct cpu *cpu, const struct insn *insn, uint64_t to);

static inline bool must_leave(const struct cpu *cpu)
{
    return cpu->instructions >= cpu->stop_at ||
           (atomic_load_explicit(&cpu->pending, memory_order_relaxed) & cpu->notice);
}

// Between two units of operation of an interruptible instruction, `units` being how many this
// execution has done: is an interruption waiting? Then it sets cpu->unfinished (or, with OP_END,
// the PSW's address) and returns with its registers as they are.
bool interruption_waits(const struct cpu *cpu, unsigned units);

// branch_to() for a relative branch: when the target lies in another page the instruction gets
// another handler, if there is one for that.
const struct insn *branch_relative(struct cpu *cpu, const struct insn *insn, uint64_t to);

// Taken branch to `offset` from the block's first byte. A chain pointer that is set stays within
// the page, so that nothing needs to be translated.
#define BRANCH_RELATIVE(offset_)                                            \
    do {                                                                    \
        uint64_t to_ = (cpu->block_address + (uint64_t)(int64_t)(offset_)); \
        struct block *next_ = insn->chain;                                  \
        if (UNLIKELY(next_ == NULL || !block_valid(next_)))                 \
            return branch_relative(cpu, insn, to_);                         \
        cpu->breaking_event = cpu->block_address + insn->offset;            \
        cpu->instructions += insn->done;                                    \
        cpu->block_address = to_;                                           \
        if (UNLIKELY(must_leave(cpu))) {                                    \
            cpu->psw.address = to_;                                         \
            return NULL;                                                    \
        }                                                                   \
        RUN(next_->insn);                                                   \
    } while (0)

// Makes the PSW exact: the instruction counts as executed and the PSW points behind it.
void cpu_sync(struct cpu *cpu, const struct insn *insn);

// A program interruption from a fast handler.
_Noreturn void program_check(struct cpu *cpu, const struct insn *insn, uint16_t code);
// A data exception with this code; from a plain function or (insn not NULL) a fast handler.
_Noreturn void data_exception(struct cpu *cpu, const struct insn *insn, uint8_t dxc);
// A vector-processing exception from a plain function; `vxc` is element and cause.
_Noreturn void vector_exception(struct cpu *cpu, uint8_t vxc);
static inline void check(struct cpu *cpu, bool good, uint16_t code)
{
    if (UNLIKELY(!good))
        cpu_program_interruption(cpu, code);
}

// --- operands -----------------------------------------------------------------

static inline uint32_t low(const struct cpu *cpu, unsigned r)
{
    return (uint32_t)cpu->gr[r];
}

// Writes bits 32-63 as one 64-bit store: a following 64-bit load is then forwarded from it.
static inline void set_low(struct cpu *cpu, unsigned r, uint32_t value)
{
    cpu->gr[r] = (cpu->gr[r] & ~UINT64_C(0xFFFFFFFF)) | value;
}

static inline uint32_t high(const struct cpu *cpu, unsigned r)
{
    return (uint32_t)(cpu->gr[r] >> 32);
}

static inline void set_high(struct cpu *cpu, unsigned r, uint32_t value)
{
    cpu->gr[r] = (uint64_t)value << 32 | (uint32_t)cpu->gr[r];
}

static inline uint64_t address_bd(const struct cpu *cpu, const struct insn *insn)
{
    return (cpu->base[insn->b] + (uint64_t)(int64_t)insn->d) & cpu->address_mask;
}

static inline uint64_t address_bxd(const struct cpu *cpu, const struct insn *insn)
{
    return (cpu->base[insn->b] + cpu->base[insn->x] + (uint64_t)(int64_t)insn->d) &
           cpu->address_mask;
}

static inline uint64_t address_bd2(const struct cpu *cpu, const struct insn *insn)
{
    return (cpu->base[insn->b2] + (uint64_t)(int64_t)insn->d2) & cpu->address_mask;
}

static inline uint64_t address_relative(const struct cpu *cpu, const struct insn *insn)
{
    return (cpu->block_address + (uint64_t)insn->target) & cpu->address_mask;
}

// Writes an address to a register: the addressing mode decides how much of it.
static inline void set_address(struct cpu *cpu, unsigned r, uint64_t address)
{
    if (LIKELY(cpu->psw.ea))
        cpu->gr[r] = address;
    else
        set_low(cpu, r, (uint32_t)(address & cpu->address_mask));
}

// --- condition codes ------------------------------------------------------------

static inline uint8_t cc_sign(int64_t value)
{
    return (uint8_t)((value > 0) * 2 + (value < 0));
}

static inline uint8_t cc_compare(int64_t a, int64_t b)
{
    return (uint8_t)((a > b) * 2 + (a < b));
}

static inline uint8_t cc_compare_logical(uint64_t a, uint64_t b)
{
    return (uint8_t)((a > b) * 2 + (a < b));
}

static inline bool cc_selected(const struct cpu *cpu, unsigned mask)
{
    return mask << cpu->psw.cc & 8;
}

#endif
