// SPDX-License-Identifier: MIT
// One CPU of a configuration: its registers, how it is run, and its door to the world.
//
// A CPU knows storage and itself. Everything else (other CPUs, channels, the hypervisor) it reaches
// through `struct cpu_host`. Instructions that a hypervisor must see leave through
// host->intercept(); bare, that simply calls door_call->row->simulate.
#ifndef ENDICOTT_CPU_CPU_H
#define ENDICOTT_CPU_CPU_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "cpu/intercept.h"
#include "cpu/storage.h"

struct cpu;
struct opcode; // a row of the instruction table, cpu/opcode.h
struct insn;   // a decoded instruction, cpu/block.h
struct block_cache;
struct lookaside;

// The program-status word, unpacked (Principles of Operation, "Program-Status Word").
struct psw {
    uint64_t address;
    bool per, dat, io, external, machine_check, wait, problem;
    bool bit12;        // ESA/390 format bit; an IPL starts with it one
    uint8_t key;       // 0-15
    uint8_t as;        // 0 primary, 1 access register, 2 secondary, 3 home
    uint8_t cc;        // 0-3
    uint8_t mask;      // program mask, 0-15
    bool ri, ea, ba;   // ea/ba: 00 24-bit, 01 31-bit, 11 64-bit
    uint64_t reserved; // unassigned bits of the high doubleword, kept so that they can be checked
};

enum architecture { ARCH_ESA390, ARCH_Z };

// z/Architecture floating and vector registers overlay: FPR n is the left half of VR n.
struct vector_register {
    uint64_t high, low;
};

enum cpu_state { CPU_STOPPED, CPU_OPERATING, CPU_CHECK_STOP, CPU_LOAD };

// Why cpu_run() came back.
enum cpu_exit {
    CPU_EXIT_BUDGET,        // the instructions allowed were executed
    CPU_EXIT_WAIT,          // enabled wait state: run again when something is pending
    CPU_EXIT_DISABLED_WAIT, // wait with I/O, external and machine-check masks off
    CPU_EXIT_STOPPED,       // STOPPED state, by SIGP or by the host
    CPU_EXIT_REQUEST,       // cpu_request_exit() was called
};

// Pending conditions, set from any thread with cpu_pend(), noticed between blocks.
enum cpu_pending {
    PEND_EXIT = 1u << 0,    // leave cpu_run
    PEND_RESTART = 1u << 1, // restart interruption
    PEND_STOP = 1u << 2,    // enter the stopped state
    PEND_EXTERNAL =
        1u << 3,           // some external interruption may be pending: see masks and ask the host
    PEND_IO = 1u << 4,     // some I/O interruption may be pending: ask the host
    PEND_MCHECK = 1u << 5, // a machine check (channel report) may be pending: ask the host
    PEND_TIMER = 1u << 6,  // clock comparator or CPU timer may be due
    PEND_PER = 1u << 7,    // reserved for PER
    PEND_FLUSH = 1u << 8,  // drop the lookaside table (another CPU's IPTE, IDTE, CSP...)
    PEND_DECODE = 1u << 9, // drop decoded blocks too (architecture mode or facilities changed)
};

struct external_interruption {
    uint16_t code;        // to real X'86'
    uint16_t cpu_address; // to real X'84'
    uint32_t parameter;   // to real X'80'
    uint64_t parameter64; // to real X'11B8' when has_parameter64
    bool has_parameter64;
};

struct io_interruption {
    uint32_t subchannel_id; // to real X'B8'
    uint32_t parameter;     // to real X'BC'
    uint32_t id_word;       // to real X'C0'
};

// An instruction at the door: what a simulation needs, already decoded.
struct door_call {
    enum intercept reason;
    const struct opcode *row;
    uint8_t text[6];    // the instruction (the target, under EXECUTE)
    uint8_t r1, r2, r3; // register fields by the format's names; r2 also I2 of an SI format
    uint64_t address1;  // first storage operand's effective address (D1(B1))
    uint64_t address2;  // second operand's (D2(B2) or D2(X2,B2))
};

// I/O instructions reach the channel subsystem through host->io with their operand block.
enum io_instruction {
    IO_SSCH,  // block: ORB, 32 bytes in
    IO_TSCH,  // block: IRB, 96 bytes out (64 stored when no extended control word)
    IO_MSCH,  // block: SCHIB, 52 bytes in
    IO_STSCH, // block: SCHIB, 52 bytes out
    IO_HSCH,
    IO_CSCH,
    IO_RSCH,
    IO_XSCH,
    IO_TPI,   // block: 12 bytes out (subsystem id, parameter, id word); cc 1 when stored
    IO_STCRW, // block: 4 bytes out
    IO_SCHM,  // general register 1 in `subchannel_id`, register 2's address in `address`
    IO_SAL,
    IO_RCHP,
    IO_STCPS, // block: 32 bytes out
    IO_CHSC,  // block: 4096 bytes in and out
    IO_SIGA,
};

// What a CPU asks of its configuration. One constant table for bare machines
// (machine/bare.c), one for CP (cp/door.c). Functions may be called from the thread that runs the
// CPU only; they take the system lock themselves.
struct cpu_host {
    // The door. Must end in the instruction's completion: row->simulate(cpu, call) or a simulation
    // of its own; may raise a program interruption with cpu_program_interruption().
    void (*intercept)(struct cpu *cpu, const struct door_call *call);
    // Condition code 0-3, or -1 for an operand exception. See enum io_instruction for `block`.
    int (*io)(struct cpu *cpu, enum io_instruction op, uint32_t subchannel_id, uint64_t address,
              uint8_t *block);
    // Takes one floating or CP-made external interruption that CR0 `mask` (as in CR0 bits 32-63)
    // allows; false when none. The CPU itself keeps clock comparator, CPU timer, emergency signal,
    // external call and malfunction alert.
    bool (*take_external)(struct cpu *cpu, uint32_t mask, struct external_interruption *out);
    // Takes the most urgent I/O interruption among subclasses `isc_mask` (bit 0 = ISC 0 leftmost,
    // as the byte of CR6); false when none.
    bool (*take_io)(struct cpu *cpu, uint8_t isc_mask, struct io_interruption *out);
    // A pending channel-report machine check: true when taken.
    bool (*take_machine_check)(struct cpu *cpu, uint64_t *code);
    // SIGP to another CPU: condition code; `status` is what goes to the register with cc 1.
    int (*sigp)(struct cpu *cpu, uint8_t order, uint16_t address, uint64_t parameter,
                uint32_t *status);
    // SERVICE CALL: condition code, SCCB at `absolute`.
    int (*service_call)(struct cpu *cpu, uint32_t command, uint64_t absolute);
    // STSI: fills 4096 bytes; condition code 0, or 3 when there is no such block. fc is 1-3;
    // current_level() gives the answer for function code 0.
    int (*stsi)(struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2, uint8_t *block);
    unsigned (*current_level)(struct cpu *cpu);
    // DIAGNOSE with this code: true when handled (program interruptions may be raised), false for
    // the bare machine's specification exception.
    bool (*diagnose)(struct cpu *cpu, const struct door_call *call);
    // Broadcast of a translation change: every CPU of the configuration must get PEND_FLUSH, and
    // this returns when they have seen it or are not running. NULL: there is no other CPU.
    void (*flush_all)(struct cpu *cpu);
    // One instruction or branch is about to execute while cpu->tracing (CP TRACE); NULL when
    // unused.
    void (*trace)(struct cpu *cpu, uint64_t address, const uint8_t *text, bool branch);
    // A hypervisor that takes notice of what its guests say about their pages (ESSA).
    bool memory_assist;
};

struct cpu {
    // What every instruction touches comes first. base[16] is always zero: decoded instructions use
    // it for "no base register" and "no index register".
    union {
        uint64_t gr[16];
        uint64_t base[17];
    };
    uint64_t block_address;   // virtual address of the block being executed
    uint64_t address_mask;    // effective addresses are cut to this: 24, 31 or 64 bits
    uint64_t stop_at;         // leave the blocks when `instructions` reaches this
    uint32_t context;         // lookaside context of operand accesses; 0 = always the slow path
    uint32_t context_fetch;   // lookaside context of instruction fetches
    uint32_t notice;          // the `pending` bits that the PSW now lets through
    struct psw psw;           // psw.address is exact only outside of blocks; see cpu_sync()
    _Atomic uint32_t pending; // enum cpu_pending
    uint64_t instructions;    // executed since reset, advanced per block
    struct storage *storage;
    struct lookaside *lookaside; // virtual address to host address (cpu/lookaside.h)
    struct block_cache *blocks;  // decoded instructions (cpu/block.h)

    uint32_t ar[16];
    uint64_t cr[16];
    struct vector_register vr[32];
    uint32_t fpc;
    uint64_t prefix;

    enum architecture arch;
    uint16_t address;  // CPU address, 0-63
    _Atomic int state; // enum cpu_state
    uint64_t cpu_id;   // what STIDP stores

    // Timing. Local time in virtual mode: time_base + (instructions - instructions_base) *
    // instruction_cost + charged.
    const struct clock *clock;
    tod_t time_base;            // clock at the start of the current run
    uint64_t instructions_base; // `instructions` then
    uint32_t instruction_cost;  // TOD units per instruction in virtual mode (default 20: 205 MIPS)
    tod_t charged;              // CP time spent inside this run, advances local time too
    int64_t epoch;              // added to the clock to make this CPU's TOD
    uint16_t tod_programmable;
    tod_t clock_comparator;
    int64_t timer_value; // CPU timer when timer_base was taken
    tod_t timer_base;    // local time then

    // Local external interruptions.
    _Atomic uint64_t emergency[1]; // one bit per sending CPU address (0-63)
    _Atomic int external_call;     // sender's address + 1, 0 = none
    _Atomic int malfunction_alert;

    const struct cpu_host *host;
    void *owner;          // the vcpu, or the bare machine: the host's
    uint64_t door_always; // reserved for a CP-67-like mode: every privileged instruction leaves
    bool tracing;         // call host->trace

    // Unwinding out of an instruction. `current` is the instruction being executed (cpu/block.h).
    // NULL when the PSW is exact: `instruction_address` and `ilc` then tell the last instruction.
    jmp_buf *unwind;
    const struct insn *current;
    uint64_t instruction_address;
    uint8_t ilc; // bytes: 2, 4, 6; 0 when there was no instruction
    uint64_t breaking_event;

    // Parameters of the program interruption about to be raised.
    struct {
        uint64_t teid;      // translation-exception identification
        uint8_t access_id;  // access register number
        uint8_t operand_id; // R1, R2 of MVPG
        uint8_t dxc;        // data-exception code
        uint16_t monitor_class;
        uint64_t monitor_code;
        uint8_t per_code; // PER events found during this instruction, as in lowcore byte 0x96
        uint8_t per_atmid;     // addressing and translation mode of that instruction
        uint8_t per_access_id; // access register of a stored operand
        uint64_t per_address;
    } fault;
    // The instruction that is executed under PER (cpu/per.h).
    struct {
        bool active, may_branch;
        uint32_t zero;           // general registers that are zero, one bit each
        uint64_t breaking_event; // what it was before
    } per;
    bool timing; // between cpu_time_begin() and cpu_time_end()

    // CPU-measurement counters (cpu/measurement.h), and what LOAD PROGRAM PARAMETER left.
    struct {
        uint16_t enabled, active; // counter sets
        bool running, problem;
        uint64_t instructions; // up to here they have been counted
        tod_t time;
        uint64_t basic[6], user[2];
    } counters;
    uint64_t program_parameter;
    // CPU-measurement sampling (cpu/sampling.h).
    struct {
        bool enabled, active;
        uint64_t interval, left; // cycles; left when the CPU does not run
        tod_t next;              // local time of the next sample
        uint64_t table, entry;   // absolute: the table's entry, where the next sample goes
    } sampling;
    bool unfinished; // an interruptible instruction stopped and is to go on after the interruption
    // Guarded storage, as LOAD GUARDED STORAGE CONTROLS left it (cpu/guarded_storage.c).
    struct {
        uint64_t designation, mask, parameters;
    } guarded;
    _Atomic uint32_t measurement_alert; // why, 0: none is pending

    uint64_t facilities[4];    // what STFLE stores, bit 0 leftmost
    uint64_t program_checks;   // counters for tests and records
    uint64_t interruptions[6]; // external, SVC, program, machine check, I/O, restart
};

// A CPU in the stopped state after an initial CPU reset, in ESA/390 mode. `storage`, `clock` and
// `host` stay the caller's.
struct cpu *cpu_new(uint16_t address, struct storage *storage, const struct clock *clock,
                    const struct cpu_host *host, void *owner);
void cpu_free(struct cpu *cpu);

// CPU reset; `initial` also clears PSW, CRs, prefix, timers and FPC; `clear` also all registers.
enum cpu_reset { CPU_RESET_NORMAL, CPU_RESET_INITIAL, CPU_RESET_CLEAR };
void cpu_reset(struct cpu *cpu, enum cpu_reset kind);

// Switches between ESA/390 and z/Architecture mode, as SIGP SET ARCHITECTURE does for each CPU: the
// PSW keeps its meaning (bit 12 follows), prefix and registers stay, translations are dropped.
void cpu_set_architecture(struct cpu *cpu, enum architecture arch);

// To be called after the host changed PSW, control registers, prefix or `tracing` of a CPU that is
// not inside cpu_run() on its own; cpu_run() itself does it on entry.
void cpu_state_changed(struct cpu *cpu);
// Drops all translations and key checks of this CPU (its own thread only; others: PEND_FLUSH).
void cpu_flush(struct cpu *cpu);

// Executes until `budget` instructions are done (it may overrun by less than a block) or one of the
// exits comes. Takes pending interruptions first. The CPU must be in the operating state.
enum cpu_exit cpu_run(struct cpu *cpu, uint64_t budget);

// Sets pending conditions; any thread.
void cpu_pend(struct cpu *cpu, uint32_t conditions);
static inline void cpu_request_exit(struct cpu *cpu)
{
    cpu_pend(cpu, PEND_EXIT);
}
// Would cpu_run() take an interruption or leave the wait state now? (Asks no host functions but
// reads masks: may say true when the host then has nothing.)
bool cpu_may_run(const struct cpu *cpu);
// Local time (see `time_base`) and this CPU's TOD clock.
tod_t cpu_time(const struct cpu *cpu);
tod_t cpu_tod(const struct cpu *cpu);
// Local time at which the clock comparator or the CPU timer will want an interruption that CR0
// allows and the PSW may come to allow; TOD_NEVER when none.
tod_t cpu_next_timer(const struct cpu *cpu);
int64_t cpu_timer(const struct cpu *cpu);
void cpu_set_timer(struct cpu *cpu, int64_t value);
// Sets time_base and instructions_base for a run that starts at `now`; keeps the CPU timer going
// from there. `cpu_timer` counts only local time spent between begin and end.
void cpu_time_begin(struct cpu *cpu, tod_t now);
tod_t cpu_time_end(struct cpu *cpu); // returns local time, clears `charged`

// Raises a program interruption: stores the old PSW and parameters, loads the new PSW, and unwinds
// to the run loop. Suppression or nullification follows from the code.
_Noreturn void cpu_program_interruption(struct cpu *cpu, uint16_t code);
// Calls fn(cpu, arg) and returns true if it raised a program interruption (already taken); the
// caller must then call cpu_unwind_again() when its own clean-up is done.
bool cpu_protect(struct cpu *cpu, void (*fn)(struct cpu *cpu, void *arg), void *arg);
_Noreturn void cpu_unwind_again(struct cpu *cpu);

// Guest-virtual access under the current PSW (address space, key, protection): raises the
// architected interruption when it is not allowed. For simulations at the door.
void cpu_fetch(struct cpu *cpu, uint64_t address, void *to, uint32_t n);
void cpu_store(struct cpu *cpu, uint64_t address, const void *from, uint32_t n);
// Guest-real access (DAT off, prefixing applied, no key check): raises an addressing exception.
void cpu_fetch_real(struct cpu *cpu, uint64_t real, void *to, uint32_t n);
void cpu_store_real(struct cpu *cpu, uint64_t real, const void *from, uint32_t n);
uint64_t cpu_real_to_absolute(const struct cpu *cpu, uint64_t real);
// Effective address of `address` in the current addressing mode.
uint64_t cpu_wrap(const struct cpu *cpu, uint64_t address);
// Translates for a debugger: 0 and *absolute, or the program-interruption code. Changes nothing.
int cpu_translate(struct cpu *cpu, uint64_t address, uint64_t *absolute);

// PSW images. cpu_load_psw does not check; an invalid one gives an early specification exception at
// the next run. Packing is in the format of cpu->arch: 16 or 8 bytes.
void cpu_psw_pack(const struct cpu *cpu, uint8_t out[16]);
void cpu_psw_unpack(struct cpu *cpu, const uint8_t in[16]);
// An 8-byte (ESA/390 format) PSW as IPL loads it.
void cpu_psw_unpack_short(struct cpu *cpu, const uint8_t in[8]);

// Store status at the architected places of absolute storage.
void cpu_store_status(struct cpu *cpu, uint64_t absolute);
// Stores the vector registers, 512 bytes; false when there is no storage.
bool cpu_store_vectors(const struct cpu *cpu, uint64_t absolute);
// Stores the guarded-storage control block, 32 bytes; false when there is no storage.
bool cpu_store_guarded(const struct cpu *cpu, uint64_t absolute);

// Facility bits.
void cpu_facility_set(struct cpu *cpu, unsigned bit, bool on);
static inline bool cpu_facility(const struct cpu *cpu, unsigned bit)
{
    return bit < 256 && (cpu->facilities[bit / 64] >> (63 - bit % 64) & 1);
}

// Disassembles one instruction into `out`; returns its length 2, 4 or 6. From the instruction
// table; unknown ones print as data ("DC X'...'").
unsigned cpu_disassemble(const uint8_t text[6], uint64_t address, char *out, unsigned size);

#endif
