// SPDX-License-Identifier: MIT
// One configuration: storage, CPUs, a channel subsystem. On its own it is a bare machine (an LPAR);
// CP owns one for each virtual machine. What differs is the `struct cpu_host` its CPUs get and who
// runs them.
#ifndef ENDICOTT_MACHINE_MACHINE_H
#define ENDICOTT_MACHINE_MACHINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/events.h"
#include "cpu/cpu.h"
#include "cpu/model.h"
#include "devices/channel.h"

#define MACHINE_MAX_CPUS 64

// What all configurations of one system share. `lock` is the system lock: recursive, held by
// whoever runs events, commands, device and CP code; guest instructions run without it.
struct machine_world {
    struct clock clock;
    struct event_queue events;
    pthread_mutex_t lock;
    // Real mode: how often somebody had to wait for it, and how long in host nanoseconds.
    uint64_t lock_waits, lock_wait_ns;
    pthread_cond_t work; // signalled when a CPU may have become able to run, or an event is earlier
};

void world_init(struct machine_world *world, enum clock_mode mode, tod_t start);
void world_free(struct machine_world *world);
void world_lock(struct machine_world *world);
void world_unlock(struct machine_world *world);
// Wakes whoever sleeps for work; the lock is held.
void world_wake(struct machine_world *world);
// Real mode: gives up the lock and sleeps until woken or until `until`. False when the time came.
bool world_wait(struct machine_world *world, tod_t until);

struct machine;

// What the owner of a machine adds.
struct machine_owner {
    // A CPU that waited may be able to run again (interruption pending, restart, SIGP). Lock held.
    void (*wake)(struct machine *machine, struct cpu *cpu);
    // A CPU stopped, loaded a disabled wait, or checked.
    void (*stopped)(struct machine *machine, struct cpu *cpu, enum cpu_exit why);
    // SCLP event data (operating-system messages): one line of text.
    void (*message)(struct machine *machine, const char *utf8);
    // A line of the SCLP ASCII console (VT220); NULL: the machine has no such console, and programs
    // that ask are told so.
    void (*ascii)(struct machine *machine, const char *utf8);
    // SIGP SENSE RUNNING STATUS, STSI and service-call data that only the owner knows.
    void *arg;
};

// What a machine that says it is a virtual machine tells of itself at level 3 of STSI. A bare one
// is a partition unless it has this: programs that were written for a hypervisor look for it.
struct machine_identity {
    char hypervisor[17]; // control-program identifier; "" = a partition, which has no level 3
    char name[65];       // the virtual machine's
    uint8_t uuid[16];
};

struct machine_config {
    uint64_t storage;            // bytes
    unsigned cpus;               // 1 to MACHINE_MAX_CPUS
    const struct cpu_host *host; // NULL: the bare machine's
    struct machine_owner owner;
    void *cpu_owner;           // cpu->owner for all (CP sets its own per CPU later); NULL: machine
    uint32_t instruction_cost; // TOD units, 0 = default
    const char *name;          // LPAR or guest name, up to 8 characters
    const struct cpu_model *model;           // NULL: cpu_model_default()
    const struct machine_identity *identity; // NULL: a partition
};

// What a CPU is to do once it is outside cpu_run(): it is sent there with PEND_STOP.
#define DEFER_STORE_STATUS  0x01u // SIGP STOP AND STORE STATUS
#define DEFER_RESET         0x02u // SIGP CPU RESET
#define DEFER_INITIAL_RESET 0x04u // SIGP INITIAL CPU RESET

// What the whole configuration is to do once all its CPUs are outside cpu_run() (DIAGNOSE X'308').
enum machine_action {
    MACHINE_ACTION_NONE,
    MACHINE_ACTION_CLEAR,     // clear reset with storage kept, then the short PSW at absolute 0
    MACHINE_ACTION_RESTART,   // the same by a load-normal reset, which keeps registers
    MACHINE_ACTION_IPL,       // clear reset, then IPL from ipl_device
    MACHINE_ACTION_IPL_NORMAL // the same with storage kept
};

#define IPL_PARM_BYTES 64

struct machine {
    struct machine_world *world;
    struct storage *storage;
    struct cpu *cpu[MACHINE_MAX_CPUS]; // by CPU address, NULL where there is none
    unsigned cpus;
    struct channel_subsystem *css;
    struct machine_owner owner;
    const struct cpu_host *host;
    void *cpu_owner; // see machine_config
    char name[9];
    struct cpu_model model; // of all its CPUs; see machine_set_model()
    struct machine_identity identity;
    uint32_t instruction_cost;
    // Service-call logical processor: pending service signal and event buffers (machine/sclp.h).
    struct sclp *sclp;
    uint8_t loadparm[8];              // EBCDIC
    uint8_t ipl_parm[IPL_PARM_BYTES]; // EBCDIC: parameters for the program that IPL brings
    unsigned ipl_parm_length;         // 0: none
    uint32_t ipl_subchannel;
    uint16_t ipl_device;   // of the last IPL or DIAGNOSE X'308' subcode 5
    bool ipl_device_valid; // false after a start from a file
    bool ipl_pending;      // an initial channel program is running
    bool ipl_failed;
    char ipl_reason[80];
    // Orders that wait for CPUs to leave cpu_run(); under the system lock.
    uint8_t deferred[MACHINE_MAX_CPUS]; // DEFER_ bits
    enum machine_action action;
    uint16_t action_cpu; // its address, for MACHINE_ACTION_RESTART
    // One bit per CPU address: inside cpu_run(). See machine_enter().
    _Atomic uint64_t inside;
    struct event watchdog; // DIAGNOSE X'288'
    // Bare machines: the state of the run loop.
    tod_t cpu_local[MACHINE_MAX_CPUS]; // local time reached
    tod_t cpu_busy[MACHINE_MAX_CPUS];  // local time spent executing
    tod_t slice_end;                   // of the CPU that runs, virtual mode
    unsigned last_run;                 // address of the CPU that ran last
    bool cpu_quiet[MACHINE_MAX_CPUS];  // waits, and the host had nothing that its masks allow
};

struct machine *machine_new(struct machine_world *world, const struct machine_config *config);
void machine_free(struct machine *machine);
// Adds CPU `address` in the stopped state (DEFINE CPU); -1 when it exists or is out of range.
int machine_add_cpu(struct machine *machine, unsigned address);
int machine_remove_cpu(struct machine *machine, unsigned address);
// Makes its CPUs, and those added later, that model. What the CPUs call themselves (STIDP) stays
// with the caller unless the machine is bare. No CPU runs.
void machine_set_model(struct machine *machine, const struct cpu_model *model);

// The parameters of the next IPLs from a device: general registers 0 to 15 have them when the
// program begins, and DIAGNOSE X'308' tells them. NULL or "": none. False when they are too long.
bool machine_set_ipl_parm(struct machine *machine, const char *utf8);
// System reset (normal or clear) of CPUs, channels and, with `clear`, storage.
void machine_reset(struct machine *machine, bool clear);
// Clear reset, then IPL from a device; the CPU starts when the channel program has ended. -1 and a
// text in *reason (static) when it cannot even begin.
int machine_ipl_device(struct machine *machine, uint16_t devno, const char **reason);
// Clear reset, then an image in storage: a flat file at `address` (loaded with LPSW-format PSW at 0
// when entry is 0, else started in z/Architecture mode... see machine/load.c), a .ins list-directed
// set, or an s390 ELF executable, told apart by content. -1 and *reason.
int machine_ipl_file(struct machine *machine, const char *path, const char *parameters,
                     const char **reason);
// The same from memory; `path` tells what the files of a .ins set are relative to.
int machine_ipl_image(struct machine *machine, const void *bytes, size_t n, const char *path,
                      const char *parameters, const char **reason);
// Initial reset of the first CPU, which starts at `entry` with a 31- or 64-bit PSW. -1 when there
// is no CPU or the address does not fit.
int machine_start_at(struct machine *machine, uint64_t entry, bool zarch);

// Runs a bare machine until `until`, or until every CPU is stopped or in a disabled wait with no
// event left that could wake it; in virtual mode time jumps over idleness. Returns true while
// something can still happen.
bool machine_run(struct machine *machine, tod_t until);
// All CPUs stopped or in a disabled wait?
bool machine_at_rest(const struct machine *machine);
bool cpu_at_rest(const struct cpu *cpu);

// For whoever runs CPUs. Brackets each cpu_run(): other CPUs' translation changes wait for CPUs
// that are inside. No lock needed.
void machine_enter(struct machine *machine, struct cpu *cpu);
void machine_leave(struct machine *machine, struct cpu *cpu);
// To be called after each cpu_run() and machine_leave(): carries out deferred orders and tells the
// owner of stops. Lock held.
void machine_cpu_exit(struct machine *machine, struct cpu *cpu, enum cpu_exit why);
// Carries out machine->action if there is one and no CPU is inside cpu_run(); true when it did.
// Lock held.
bool machine_attend(struct machine *machine);

// Interruptions from CP or services, floating: the first CPU that can takes it. Lock held.
void machine_service_signal(struct machine *machine, uint32_t parameter);
void machine_pend_all(struct machine *machine, uint32_t conditions);
// Operator's side of the service-call interface. False when the guest does not listen. Lock held.
bool machine_operator_command(struct machine *machine,
                              const char *utf8); // to its SCLP line console
bool machine_operator_ascii(struct machine *machine, const char *bytes, size_t n); // VT220 console
bool machine_signal_quiesce(struct machine *machine); // please shut down

// The architecture's own answers, which CP's host table reuses.
extern const struct cpu_host machine_cpu_host;
struct machine *machine_of(struct cpu *cpu); // by cpu->owner of bare CPUs
int machine_io(struct machine *machine, struct cpu *cpu, enum io_instruction op, uint32_t sid,
               uint64_t address, uint8_t *block);
bool machine_take_external(struct machine *machine, struct cpu *cpu, uint32_t mask,
                           struct external_interruption *out);
bool machine_take_io(struct machine *machine, struct cpu *cpu, uint8_t isc_mask,
                     struct io_interruption *out);
bool machine_take_machine_check(struct machine *machine, struct cpu *cpu, uint64_t *code);
int machine_sigp(struct machine *machine, struct cpu *cpu, uint8_t order, uint16_t address,
                 uint64_t parameter, uint32_t *status);
int machine_service_call(struct machine *machine, struct cpu *cpu, uint32_t command,
                         uint64_t absolute);
int machine_stsi(struct machine *machine, struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2,
                 uint8_t *block);
// DIAGNOSE 308 and what else a machine without CP answers; false = specification exception.
bool machine_diagnose(struct machine *machine, struct cpu *cpu, const struct door_call *call);
// Makes the other CPUs forget translations, and returns when each has or is outside cpu_run(); one
// outside sees the request before its next block. `cpu` is outside (machine_leave()), so that two
// that ask at once do not wait for each other. Lock held, since it is what keeps the CPUs there.
void machine_flush_all(struct machine *machine, struct cpu *cpu);

#endif
