// SPDX-License-Identifier: MIT
// The run loop: interruptions and timers between blocks, blocks in between, single steps for
// tracing and PER; and the generic instruction handlers.
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "cpu/block.h"
#include "cpu/execute.h"
#include "cpu/interruptions.h"
#include "cpu/per.h"
#include "cpu/psw.h"
#include "cpu/run.h"
#include "cpu/timing.h"

#define REAL_SLICE 20000 // instructions between two looks at the clock in real mode
#define GO_ON      (-1)

// --- leaving and entering blocks ------------------------------------------------

void cpu_sync(struct cpu *cpu, const struct insn *insn)
{
    cpu->instruction_address = (cpu->block_address + insn->offset) & cpu->address_mask;
    cpu->ilc = insn->ilc;
    cpu->psw.address = (cpu->instruction_address + insn->ilc) & cpu->address_mask;
    cpu->instructions += insn->done;
    cpu->current = NULL;
}

// Instructions whose chain pointer does not belong to one place.
static bool shared_insn(const struct cpu *cpu, const struct insn *insn)
{
    const struct block_cache *cache = cpu->blocks;
    return (insn >= &cache->execute[0].insn[0] &&
            insn < &cache->execute[EXECUTE_SLOTS - 1].insn[2]) ||
           ((const uint8_t *)insn >= cache->single &&
            (const uint8_t *)insn < cache->single + sizeof cache->single);
}

// The block at virtual address `to` if it is mapped and decoded already.
static inline struct block *known_block(struct cpu *cpu, struct block *guess, uint64_t to)
{
    const struct lookaside_fetch *e = &cpu->lookaside->fetch[lookaside_slot(to)];
    if (UNLIKELY(e->tag != ((to & PAGE_MASK) | cpu->context_fetch) || !cpu->context_fetch))
        return NULL;
    uint64_t absolute = e->absolute | (to & 0xFFF);
    if (LIKELY(guess && guess->absolute == absolute && block_valid(guess)))
        return guess;
    return block_find(cpu->blocks, absolute);
}

// Goes on at `to`, having counted what was executed.
static const struct insn *enter(struct cpu *cpu, const struct insn *insn, uint64_t to)
{
    to &= cpu->address_mask;
    struct block *next = must_leave(cpu) ? NULL : known_block(cpu, insn->chain, to);
    if (UNLIKELY(!next)) {
        cpu->psw.address = to;
        return NULL;
    }
    if (next != insn->chain && !shared_insn(cpu, insn))
        ((struct insn *)insn)->chain = next;
    cpu->block_address = to;
    RUN(next->insn);
}

const struct insn *branch_to(struct cpu *cpu, const struct insn *insn, uint64_t to)
{
    cpu->breaking_event = (cpu->block_address + insn->offset) & cpu->address_mask;
    cpu->instructions += insn->done;
    return enter(cpu, insn, to);
}

const struct insn *branch_relative(struct cpu *cpu, const struct insn *insn, uint64_t to)
{
    bool far = ((to ^ cpu->block_address) & PAGE_MASK) != 0;
    if (!far)
        return branch_to(cpu, insn, to);
    if (!shared_insn(cpu, insn)) {
        insn_fn *special = insn_far(insn);
        if (special)
            ((struct insn *)insn)->run = special;
    }
    cpu->breaking_event = (cpu->block_address + insn->offset) & cpu->address_mask;
    cpu->instructions += insn->done;
    to &= cpu->address_mask;
    struct block *next = must_leave(cpu) ? NULL : known_block(cpu, NULL, to);
    if (!next) {
        cpu->psw.address = to;
        return NULL;
    }
    cpu->block_address = to;
    RUN(next->insn);
}

HANDLER(op_end)
{
    cpu->instructions += (unsigned)insn->done - 1;
    return enter(cpu, insn, cpu->block_address + insn->offset);
}

HANDLER(op_stale)
{
    cpu->instructions += (unsigned)insn->done - 1;
    cpu->psw.address = (cpu->block_address + insn->offset) & cpu->address_mask;
    return NULL;
}

// --- generic handlers -----------------------------------------------------------

static void check_privilege(struct cpu *cpu, const struct opcode *row)
{
    if (row->flags & OP_PRIVILEGED && cpu->psw.problem)
        cpu_program_interruption(cpu, PIC_PRIVILEGED);
    if (row->flags & OP_AFP && !(cpu->cr[0] & CR0_AFP))
        data_exception(cpu, NULL, DXC_BFP);
    if (row->flags & OP_DFP && !(cpu->cr[0] & CR0_AFP))
        data_exception(cpu, NULL, DXC_DFP);
    if (row->flags & OP_VECTOR && (~cpu->cr[0] & (CR0_AFP | CR0_VECTOR)))
        data_exception(cpu, NULL, DXC_VECTOR);
}

HANDLER(op_plain)
{
    cpu->current = insn;
    const struct opcode *row = insn->row;
    check_privilege(cpu, row);
    row->execute(cpu, insn);
    NEXT;
}

HANDLER(op_free)
{
    cpu->current = insn;
    insn->row->execute(cpu, insn);
    NEXT;
}

// A new execution with the registers as they are now continues an unfinished one.
HANDLER(op_interruptible)
{
    cpu->current = insn;
    insn->row->execute(cpu, insn);
    if (LIKELY(!cpu->unfinished))
        NEXT;
    cpu->unfinished = false;
    cpu_sync(cpu, insn);
    cpu->psw.address = cpu->instruction_address;
    return NULL;
}

// Goes on at the exact PSW of an instruction that may have changed any of it, when nothing between
// blocks has to be attended to.
static const struct insn *go_on(struct cpu *cpu)
{
    const struct psw *psw = &cpu->psw;
    if (UNLIKELY(psw->wait || psw->per || cpu->tracing || !psw_valid(psw, cpu->arch) ||
                 psw->address & 1 ||
                 atomic_load_explicit(&cpu->state, memory_order_relaxed) != CPU_OPERATING))
        return NULL;
    cpu_state_changed(cpu);
    struct block *next = must_leave(cpu) ? NULL : known_block(cpu, NULL, psw->address);
    if (UNLIKELY(!next))
        return NULL;
    cpu->block_address = psw->address;
    cpu->ilc = 0;
    RUN(next->insn);
}

HANDLER(op_ending)
{
    const struct opcode *row = insn->row;
    cpu_sync(cpu, insn);
    check_privilege(cpu, row);
    row->execute(cpu, insn);
    return go_on(cpu);
}

// Storage operands of the formats that pass the door: D2(B2), and SI's D1(B1).
HANDLER(op_door)
{
    const struct opcode *row = insn->row;
    cpu_sync(cpu, insn);
    check_privilege(cpu, row);
    struct door_call call = {.reason = (enum intercept)row->reason, .row = row};
    be32_store(call.text, (uint32_t)insn->i);
    call.r1 = insn->r1;
    call.r2 = insn->r2;
    call.r3 = row->format == FORMAT_RS_A ? insn->r2 : insn->r3 & 15;
    call.address1 = call.address2 = address_bd(cpu, insn);
    cpu->host->intercept(cpu, &call);
    cpu_pend(cpu, PEND_TIMER); // the host may have charged time
    return NULL;
}

HANDLER(op_invalid)
{
    program_check(cpu, insn, PIC_OPERATION);
}

HANDLER(op_execute_return)
{
    const struct execute_slot *slot =
        (const struct execute_slot *)((const char *)(insn - 1) -
                                      offsetof(struct execute_slot, insn));
    RUN(slot->from + 1);
}

// --- between blocks -------------------------------------------------------------

// Until which instruction count blocks may run before timers must be looked at.
static void set_stop(struct cpu *cpu, uint64_t end)
{
    uint64_t stop = end;
    if (cpu->clock->mode == CLOCK_REAL) {
        if (end - cpu->instructions > REAL_SLICE)
            stop = cpu->instructions + REAL_SLICE;
    } else {
        tod_t next = cpu_next_timer(cpu), now = cpu_time(cpu);
        if (UNLIKELY(cpu->sampling.active) && cpu->sampling.next < next)
            next = cpu->sampling.next;
        if (next != TOD_NEVER && next > now && cpu->instruction_cost) {
            uint64_t left = (next - now - 1) / cpu->instruction_cost + 1;
            if (left < end - cpu->instructions)
                stop = cpu->instructions + left;
        }
    }
    cpu->stop_at = stop;
}

static void flush_pending(struct cpu *cpu, uint32_t pending)
{
    if (pending & PEND_FLUSH)
        cpu_flush(cpu);
    if (pending & PEND_DECODE)
        block_cache_flush(cpu->blocks);
    atomic_fetch_and(&cpu->pending, ~(pending & (PEND_FLUSH | PEND_DECODE | PEND_TIMER)));
}

static bool timers_due(const struct cpu *cpu)
{
    return cpu->psw.external && ((cpu->cr[0] & CR0_CLOCK_COMPARATOR && clock_comparator_due(cpu)) ||
                                 (cpu->cr[0] & CR0_CPU_TIMER && cpu_timer_due(cpu)));
}

// In real mode time goes on meanwhile, and is looked at once in a while; in virtual mode it stands.
bool interruption_waits(const struct cpu *cpu, unsigned units)
{
    if (atomic_load_explicit(&cpu->pending, memory_order_relaxed) & cpu->notice)
        return true;
    return units % 64 == 63 && cpu->clock->mode == CLOCK_REAL && timers_due(cpu);
}

// Takes at most one interruption; true when it did.
static bool interrupt(struct cpu *cpu)
{
    uint32_t pending = atomic_load(&cpu->pending);
    if (pending & PEND_MCHECK && cpu->psw.machine_check && interruption_machine_check(cpu))
        return true;
    if (cpu->psw.external && (pending & PEND_EXTERNAL || timers_due(cpu))) {
        if (interruption_external(cpu))
            return true;
    } else if (!(pending & PEND_EXTERNAL) && timers_due(cpu)) {
        cpu_pend(cpu, PEND_EXTERNAL); // so that it is noticed as soon as the PSW allows it
    }
    if (pending & PEND_IO && cpu->psw.io && interruption_io(cpu))
        return true;
    if (pending & PEND_RESTART) {
        interruption_restart(cpu);
        return true;
    }
    return false;
}

static int wait_state(const struct cpu *cpu)
{
    if (!cpu->psw.io && !cpu->psw.external && !cpu->psw.machine_check)
        return CPU_EXIT_DISABLED_WAIT;
    return CPU_EXIT_WAIT;
}

// Everything that happens between blocks: GO_ON, or why cpu_run() must return.
static int attend(struct cpu *cpu, uint64_t end)
{
    cpu->current = NULL;
    // A string of interruptions without an instruction in between must not hold us for ever: each
    // after the first few counts as an instruction.
    for (unsigned taken = 0;; taken++) {
        if (taken > 8 && cpu->instructions++ >= end)
            return CPU_EXIT_BUDGET;
        uint32_t pending = atomic_load(&cpu->pending);
        if (pending & (PEND_FLUSH | PEND_DECODE | PEND_TIMER))
            flush_pending(cpu, pending);
        if (atomic_load(&cpu->state) != CPU_OPERATING)
            return CPU_EXIT_STOPPED;
        if (!psw_valid(&cpu->psw, cpu->arch)) {
            // Early specification exception; the code that loaded the PSW set the ILC.
            interruption_program(cpu, PIC_SPECIFICATION);
            continue;
        }
        if (pending & PEND_STOP) {
            atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_STOP);
            atomic_store(&cpu->state, CPU_STOPPED);
            return CPU_EXIT_STOPPED;
        }
        cpu->ilc = 0;
        if (interrupt(cpu))
            continue;
        break;
    }
    if (atomic_load(&cpu->pending) & PEND_EXIT) {
        atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_EXIT);
        return CPU_EXIT_REQUEST;
    }
    if (cpu->psw.wait)
        return wait_state(cpu);
    if (cpu->instructions >= end)
        return CPU_EXIT_BUDGET;
    cpu_state_changed(cpu);
    set_stop(cpu, end);
    return GO_ON;
}

// --- fetching -------------------------------------------------------------------

// An exception while fetching leaves the PSW as after an instruction of two bytes, or, nullified,
// at the instruction.
static const struct lookaside_fetch *fetch_page(struct cpu *cpu, uint64_t address)
{
    uint64_t at = cpu->psw.address;
    cpu->current = NULL;
    cpu->instruction_address = at;
    cpu->instructions++; // an instruction that cannot be fetched counts, or a loop never ends
    if (at & 1)
        cpu_program_interruption(cpu, PIC_SPECIFICATION);
    cpu->ilc = 2;
    cpu->psw.address = (at + 2) & cpu->address_mask;
    const struct lookaside_fetch *e = access_fetch(cpu, address);
    cpu->instructions--;
    cpu->psw.address = at;
    cpu->ilc = 0;
    return e;
}

// The text of the instruction at the PSW's address, across pages.
static void fetch_text(struct cpu *cpu, uint64_t address, uint8_t text[6])
{
    const struct lookaside_fetch *e = fetch_page(cpu, address);
    unsigned offset = (unsigned)address & 0xFFF;
    unsigned length = opcode_length(e->host[offset]);
    unsigned first = 4096 - offset < length ? 4096 - offset : length;
    memset(text, 0, 6);
    memcpy(text, e->host + offset, first);
    if (first < length) {
        uint64_t rest = (address + first) & cpu->address_mask;
        e = fetch_page(cpu, rest);
        memcpy(text + first, e->host, length - first);
    }
}

static const struct insn *run_block(struct cpu *cpu, struct block *block)
{
    const struct insn *insn = block->insn;
    cpu->block_address = cpu->psw.address;
    do
        insn = insn->run(cpu, insn);
    while (!CPU_THREADED && insn);
    return NULL;
}

static void step(struct cpu *cpu)
{
    uint8_t text[6];
    uint64_t at = cpu->psw.address;
    fetch_text(cpu, at, text);
    struct block *block = block_single(cpu, text);
    if (cpu->tracing && cpu->host->trace) {
        const struct opcode *row = opcode_for_cpu(cpu, text);
        cpu->host->trace(cpu, at, text, row && row->flags & OP_BRANCH);
        if (cpu->psw.address != at || atomic_load(&cpu->pending) & PEND_EXIT)
            return; // the host moved or stopped us
    }
    cpu->stop_at = 0; // one instruction
    bool per = cpu->psw.per;
    if (per && per_begin(cpu, block, text))
        return;
    run_block(cpu, block);
    if (per)
        per_end(cpu, block, at);
}

static void run_some(struct cpu *cpu)
{
    uint64_t at = cpu->psw.address;
    struct block *block = at & 1 ? NULL : known_block(cpu, NULL, at);
    if (!block) {
        const struct lookaside_fetch *e = fetch_page(cpu, at);
        uint64_t absolute = e->absolute | (at & 0xFFF);
        block = block_find(cpu->blocks, absolute);
        if (!block)
            block = block_make(cpu, absolute, e->host);
    }
    if (block) {
        block->run(cpu, block);
        return;
    }
    uint8_t text[6]; // crosses a page
    fetch_text(cpu, at, text);
    cpu->stop_at = 0;
    run_block(cpu, block_single(cpu, text));
}

const struct insn *block_interpret(struct cpu *cpu, struct block *block)
{
    return run_block(cpu, block);
}

static enum cpu_exit run_loop(struct cpu *cpu, uint64_t end)
{
    for (;;) {
        int why = attend(cpu, end);
        if (why != GO_ON)
            return (enum cpu_exit)why;
        if (UNLIKELY(cpu->tracing || cpu->psw.per))
            step(cpu);
        else
            run_some(cpu);
    }
}

enum cpu_exit cpu_run(struct cpu *cpu, uint64_t budget)
{
    jmp_buf here, *volatile outer = cpu->unwind;
    uint64_t start = cpu->instructions;
    volatile uint64_t end = budget > UINT64_MAX - start ? UINT64_MAX : start + budget;
    volatile bool timed_by_us = !cpu->timing;
    if (timed_by_us)
        cpu_time_begin(cpu, cpu_time(cpu));
    if (atomic_load(&cpu->pending) & PEND_RESTART && atomic_load(&cpu->state) == CPU_STOPPED)
        atomic_store(&cpu->state, CPU_OPERATING);
    cpu->current = NULL;
    cpu->ilc = 0;
    cpu->unwind = &here;
    cpu_state_changed(cpu);
    (void)setjmp(here); // program interruptions come back here
    enum cpu_exit why = run_loop(cpu, end);
    cpu->unwind = outer;
    if (timed_by_us)
        cpu_time_end(cpu);
    return why;
}

void cpu_pend(struct cpu *cpu, uint32_t conditions)
{
    atomic_fetch_or(&cpu->pending, conditions);
}

bool cpu_may_run(const struct cpu *cpu)
{
    uint32_t pending = atomic_load(&((struct cpu *)cpu)->pending);
    if (pending & PEND_RESTART)
        return true;
    if (atomic_load(&((struct cpu *)cpu)->state) != CPU_OPERATING)
        return false;
    if (pending & (PEND_STOP | PEND_EXIT) || !cpu->psw.wait)
        return true;
    return (pending & PEND_EXTERNAL && cpu->psw.external) || (pending & PEND_IO && cpu->psw.io) ||
           (pending & PEND_MCHECK && cpu->psw.machine_check) ||
           (cpu->psw.external && timers_due(cpu));
}
