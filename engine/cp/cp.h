// SPDX-License-Identifier: MIT
// The control program: the system, its users' virtual machines, their virtual CPUs and the real
// processors they are dispatched on. Everything here is protected by the system lock
// (world->lock) unless its comment says otherwise.
#ifndef ENDICOTT_CP_CP_H
#define ENDICOTT_CP_CP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "cp/intercepts.h"
#include "cp/terminal.h"
#include "machine/machine.h"

#define USERID_SIZE 9 // 8 characters and a NUL, upper case

struct cp;
struct vm;
struct vcpu;
struct directory;
struct directory_user;
struct system_config;
struct command_call;
struct iucv_user; // cp/iucv.c
struct spool;     // cp/spool.c
struct vm_spool;
struct nic;     // cp/nic.h
struct network; // network/network.h
struct rdev;
struct response;
struct vdev;            // cp/vdev.h
struct mdisk;           // cp/vdev.h
struct appldata_buffer; // cp/appldata.h
struct dcss;            // cp/dcss.h
struct loaded_dcss;
struct cp_external;       // cp/external.c
struct recordings;        // cp/recording.c
struct block_environment; // cp/diagnose_block.c

// Privilege classes: bit 0 = A ... bit 7 = H, then I-Z and 1-6.
typedef uint32_t class_set;
#define CLASS(letter) (UINT32_C(1) << ((letter) - 'A'))
#define CLASS_ANY     UINT32_MAX

enum processor_type {
    PROCESSOR_CP,
    PROCESSOR_ZAAP = 2,
    PROCESSOR_IFL,
    PROCESSOR_ICF,
    PROCESSOR_ZIIP
};

// DIAGNOSE instructions are counted by code: X'00' to X'FC', X'100' to X'1FC' together (the user's
// own), X'200' to X'3FC', everything else together.
#define DIAGNOSE_SLOTS      194
#define DIAGNOSE_SLOT_USER  64
#define DIAGNOSE_SLOT_OTHER 193
unsigned diagnose_slot(uint32_t code);

enum iucv_target {
    IUCV_TO_VM,
    IUCV_TO_MONITOR,
    IUCV_TO_MSG,
    IUCV_TO_ACCOUNT,
    IUCV_TO_LOGREC,
    IUCV_TO_SYMPTOM,
    IUCV_TO_OTHER,
    IUCV_TARGETS
};

// A real processor. In real mode a host thread runs virtual CPUs on it; in virtual mode they take
// turns on one thread.
struct real_processor {
    struct cp *cp;
    unsigned address;
    enum processor_type type;
    bool online;
    struct vcpu *running; // what is dispatched now
    pthread_t thread;     // real mode
    tod_t local;          // virtual mode: this processor's own time
    tod_t horizon;        // virtual mode: the current run must not go beyond
    bool preempt;         // somebody more urgent became ready
    bool idle;            // real mode: waits for work since `local`
    bool started;         // real mode: `thread` is there
    // Accumulated times in TOD units and counts since IPL (monitor domain 0, records 1 and 2).
    tod_t guest_time;  // running guests
    tod_t user_time;   // guest time and CP time charged to users
    tod_t system_time; // CP time not charged
    tod_t wait_time;
    tod_t offline_time, offline_since; // varied offline before, and now
    uint64_t dispatches, fast_dispatches, sie_entries, time_slice_ends;
    uint64_t external_interruptions, io_interruptions, diagnoses, simulations, sigps;
    uint64_t intercept[INTERCEPT_COUNT];
    uint64_t list_adds; // virtual CPUs that came to the dispatch list
    uint64_t diagnose_codes[DIAGNOSE_SLOTS];
    struct {
        uint64_t total, good;
    } iucv[IUCV_TARGETS]; // messages sent, by whom they were for
};

// A virtual CPU's place in the scheduler, and what the monitor's state sampling sees.
enum vcpu_state {
    VCPU_STOPPED, // by CP (CP READ), STOP, or the architecture's stopped state
    VCPU_DORMANT, // enabled wait, nothing for it
    VCPU_READY,   // in the dispatch list, waits for a processor
    VCPU_RUNNING,
    VCPU_IO_WAIT, // enabled wait with I/O outstanding
    VCPU_PAGE_WAIT,
    VCPU_CONSOLE_WAIT, // waits for a CP command or console function to end
    VCPU_DISABLED_WAIT,
};

// What high-frequency sampling counts, in the documented order of tests (monitor domain 4).
enum sample_state {
    SAMPLE_IO_WAIT,
    SAMPLE_CONSOLE,
    SAMPLE_SIMULATION,
    SAMPLE_PAGE_WAIT,
    SAMPLE_LIMIT_LIST,
    SAMPLE_CPU_WAIT,
    SAMPLE_RUNNING,
    SAMPLE_ELIGIBLE,
    SAMPLE_LOADING,
    SAMPLE_DORMANT,
    SAMPLE_DORMANT_SERVER,
    SAMPLE_IO_ACTIVE,
    SAMPLE_TEST_IDLE,
    SAMPLE_TEST_IDLE_SERVER,
    SAMPLE_PAGE_ACTIVE,
    SAMPLE_OTHER,
    SAMPLE_STATE_COUNT
};

struct vcpu {
    struct vm *vm;
    struct cpu *cpu;
    enum vcpu_state state;
    struct real_processor *on; // while running
    struct vcpu *next;         // in the dispatch list
    uint64_t priority;         // dispatch priority: virtual deadline, smaller first
    tod_t slice_left;
    tod_t debt;           // virtual mode: CP time charged while not on a processor
    bool listed, limited; // in the dispatch list; held back by a maximum share
    bool at_door;         // in CP on its own thread, outside of cpu_run()
    tod_t limit_until;
    bool in_queue;           // counted in vm->active_vcpus
    bool sum_absolute;       // scheduler.c's
    bool fruitless;          // the last run took it nowhere: it waits, whatever is pending
    uint64_t run_generation; // vm->generation when the present run began
    uint64_t checks_before, instructions_before; // program interruption loops
    uint64_t instructions;                       // real mode: executed, as of the last stretch
    unsigned last_processor;                     // where it ran last
    uint64_t run_guest;      // real mode: host ns when the current stretch of guest code began
    tod_t transaction_begin; // of the transaction in progress, 0: none
    struct event timer;      // clock comparator or CPU timer while waiting
    tod_t state_since;
    bool in_simulation;
    bool page_fault_handshake; // DIAGNOSE X'258'
    // Times and counters since logon, in TOD units (monitor domain 4, accounting, INDICATE).
    tod_t guest_time;    // virtual CPU time: VIRTCPU
    tod_t cp_time;       // CP on its behalf; TOTCPU = both
    tod_t host_ns_in_cp; // real mode: host nanoseconds spent in intercepts
    uint64_t dispatches;
    uint64_t ssch[6]; // starts by kind: DASD, unit record, console, network/CTC, other, tape
    uint64_t diagnoses, iucv_functions, external_interruptions, io_interruptions;
    struct intercept_counter intercept[INTERCEPT_COUNT];
    uint64_t sample[SAMPLE_STATE_COUNT], sample_ticks; // advanced by the monitor's RATE ticks
};

struct share {
    bool absolute;
    unsigned value; // relative: 1-10000; absolute: tenths of a percent
    bool limited;   // a maximum share exists
    bool limit_hard, limit_absolute;
    unsigned limit;
};

// What a user's SET settings are.
enum emsg { EMSG_ON, EMSG_OFF, EMSG_CODE, EMSG_TEXT };
// Where messages go: nowhere, to the console, to the program through *MSG.
enum routing { ROUTE_OFF, ROUTE_ON, ROUTE_IUCV };
struct vm_settings {
    enum emsg emsg;
    enum routing msg, wng, smsg;
    enum routing cpconio, vmconio; // OFF: the console, where its lines belong
    bool imsg, run, acnt, linedit, concealed;
    bool quickdsp;
};

struct trace;

// What a user has used, in TOD units and counts since LOGON.
struct accounting_totals {
    tod_t since; // when the count began, 0: at LOGON
    tod_t total_time, virtual_time;
    uint64_t starts, punched, printed, read;
};

struct vm {
    struct cp *cp;
    struct vm *next; // logged-on users in order of logon
    char userid[USERID_SIZE];
    const struct directory_user *entry; // of cp->directory
    class_set classes;
    struct machine *machine;
    char mode[4]; // "ESA", "XA", "XC", "Z"
    uint64_t storage;
    struct vcpu *vcpu[MACHINE_MAX_CPUS];
    unsigned active_vcpus; // in the dispatch list or running
    bool sum_absolute;     // what scheduler.c added to the system's sum for this user
    unsigned sum_value;
    unsigned vcpus, current_cpu; // CP commands without an address go to this one
    struct share share;
    struct vm_settings set;
    char account[9], distribution[9];

    // Console. `terminal` is NULL while disconnected.
    struct terminal *terminal;
    struct vm_console *console; // cp/vm_console.h
    char secondary[USERID_SIZE], observer[USERID_SIZE];
    bool cp_read; // in CP READ: the virtual machine does not run
    bool logging_off;
    bool signalled; // asked to shut down, and has not said that it did
    bool autologged;
    tod_t logon_time, connect_time;
    char by[USERID_SIZE];
    struct event delayed;   // FORCE WITHIN and the like
    char *watchdog_command; // of DIAGNOSE X'288', while machine->watchdog is scheduled
    // Raised by each reset, IPL and logoff: whoever was inside the guest then must not go on.
    uint64_t generation;
    bool logoff_pending; // logged off as soon as no CPU of it is inside cpu_run()
    char logoff_by[USERID_SIZE];
    char ipl_system[65]; // what the last IPL named
    bool exit_requested;
    tod_t sleep_until; // SLEEP: in CP until then, 0 not asleep

    struct vdev *vdevs;            // cp/vdev.h
    struct cp_external *externals; // floating interruptions CP has for it, oldest first
    struct loaded_dcss *segments;  // cp/dcss.c
    unsigned io_outstanding;       // start functions whose end the guest has not taken
    struct vm_spool *spool;
    struct iucv_user *iucv;
    struct nic *nics;
    struct trace *trace;
    uint64_t appldata_buffers;
    struct appldata_buffer *appldata; // cp/appldata.h
    struct block_environment *block_environments;

    // A service virtual machine that CP runs itself (MONWRITE): no guest code, hooks instead.
    const struct service_machine *service;
    void *service_state;

    uint64_t transactions, vmdbk; // vmdbk: a stable number for records, from 1 in order of logon
    uint64_t spool_reads, spool_writes, cards_punched, messages;
    uint64_t iucv_refused; // sends that did not come off
    struct accounting_totals accounted; // as of the last accounting record (cp/accounting.h)
};

// A program that CP runs as the user's virtual machine in place of guest code.
struct service_machine {
    const char *name; // as IPL names it: "MONWRITE"
    // Started by IPL with the parameters given; rc and text by command_reply on failure.
    int (*start)(struct vm *vm, const char *parameters, struct response *out);
    // A line typed at its console (MONWSTOP, HX...). Return code.
    int (*input)(struct vm *vm, const char *line, struct response *out);
    // Reset, logoff or another IPL.
    void (*stop)(struct vm *vm);
};

// A real device of the simulated system: DASD volumes, network uplinks, terminals.
struct rdev {
    struct rdev *next; // ascending device number
    uint16_t number;
    const char *type;  // "DASD", "OSA", "GRAF", "RDR", "PUN", "PRT", "TAPE"
    const char *model; // "3390"...
    char volser[7];
    bool cp_owned, cp_system, attached, offline;
    char attached_to[USERID_SIZE];
    uint16_t attached_vdev;
    struct dasd_volume *volume;             // DASD only
    struct tape_image *tape;                // TAPE only
    uint64_t hf_samples, hf_busy, hf_queue; // monitor RATE ticks
    unsigned links;                         // minidisk links, as of the monitor's last sample
};

// Listeners: the monitor's event records, the front ends. Called with the lock held.
enum cp_event {
    CP_EVENT_LOGON,      // vm
    CP_EVENT_LOGOFF,     // vm, before its machine goes
    CP_EVENT_DISCONNECT, // vm
    CP_EVENT_RECONNECT,  // vm
    CP_EVENT_VDEV_ON,    // vm, rdev NULL
    CP_EVENT_RDEV_ON,    // rdev varied on
    CP_EVENT_RDEV_OFF,
    CP_EVENT_COMMAND, // vm, text: a CP command was executed
    CP_EVENT_SHUTDOWN,
    CP_EVENT_GUEST_DOWN,   // vm: its program has shut down after a signal
    CP_EVENT_CPU_DEFINED,  // vm, about: the struct vcpu
    CP_EVENT_CPU_DETACHED, // the same, before it goes
    CP_EVENT_ATTACH,         // vm, rdev: a real device was given to a user
    CP_EVENT_DETACH,         // vm, rdev
    CP_EVENT_SHARE,          // vm: SET SHARE
    CP_EVENT_QUICKDSP,       // vm: SET QUICKDSP
    CP_EVENT_SRM,            // SET SRM
    CP_EVENT_SEGMENT_SAVED,  // about: the struct dcss
    CP_EVENT_SEGMENT_PURGED, // about, before it goes
    CP_EVENT_SEGMENT_LOADED, // about: its first user came
    CP_EVENT_SEGMENT_UNUSED, // about: its last user went
    CP_EVENT_PROCESSOR_ON,   // about: the struct real_processor that was varied online
    CP_EVENT_PROCESSOR_OFF,  // the same, offline
    CP_EVENT_LINK_UP,        // vm, about: the struct nic, which has its port
    CP_EVENT_LINK_DOWN,      // the same
    CP_EVENT_WATCHED,        // from here on only when cp_watch() asks for it:
    CP_EVENT_DISPATCH_ADD =  // vm, about: the struct vcpu that came to the dispatch list
    CP_EVENT_WATCHED,
    CP_EVENT_DISPATCH_DROP,   // vm, about: the struct vcpu that left it
    CP_EVENT_TRANSACTION_END, // vm, about: struct transaction
    CP_EVENT_READ_BEGIN,      // vm: its program waits for a line of its console
    CP_EVENT_READ_END,        // vm: it has got one
    CP_EVENT_WRITE,           // vm: its program wrote a line
};
struct cp_event_data {
    enum cp_event what;
    struct vm *vm;
    struct rdev *rdev;
    const char *text;
    const void *about;
};

// A transaction: from when an idle virtual CPU became ready to when it had been idle for 300 ms.
struct transaction {
    const struct vcpu *vcpu;
    tod_t begin, end; // end: when it became idle
};
// Kinds of transactions, by the user: it has one virtual CPU, several, or QUICKDSP.
enum transaction_class {
    TRANSACTIONS_UP,
    TRANSACTIONS_MP,
    TRANSACTIONS_QUICK,
    TRANSACTION_CLASSES
};
struct cp_listener {
    void (*notify)(void *arg, const struct cp_event_data *event);
    void *arg;
    struct cp_listener *next;
};

struct cp {
    struct machine_world *world;
    struct system_config *config; // cp/system_config.h
    struct directory *directory;  // cp/directory.h
    char system_name[9];
    struct real_processor *processor;
    unsigned processors;
    uint64_t storage;           // real storage, bytes
    struct cpu_model cpu_model; // of the real processors; a guest never has more
    struct vm *users;           // logged on, in order
    unsigned users_count;
    uint64_t next_vmdbk;
    struct vm *operator;        // the system operator, may be NULL
    struct vcpu *dispatch_list; // ready ones, by priority
    struct rdev *rdevs;
    struct spool *spool;
    struct network *network;
    struct mdisk *mdisks; // linked ones
    struct dcss *segments;
    struct iucv_user *iucv_services;
    struct recordings *recordings;            // cp/recording.h
    const struct service_machine *service[8]; // see cp_service_machine()
    unsigned services;
    struct cp_listener *listeners;
    void *monitor; // monitor/monitor.h; set by it
    // An application asked for an event record (DIAGNOSE X'DC'); set by the monitor.
    void (*appldata_event)(struct vm *vm, const struct appldata_buffer *buffer);
    struct event limit_event;
    uint64_t pass;                             // virtual time of the scheduler
    uint64_t relative_active, absolute_active; // shares of the users that want to run
    unsigned users_active;                     // so many do
    struct vcpu *limit_list;
    uint64_t limit_adds;   // virtual CPUs that were put on it
    struct {
        uint64_t count;
        tod_t time;
    } transactions[TRANSACTION_CLASSES]; // since IPL, of users that have logged off too
    uint64_t watched;      // see cp_watch()
    struct vcpu *in_guest; // virtual mode: whose code runs now
    bool break_requested;
    bool timer_waiter; // real mode: one idle processor waits for the next event
    tod_t ipl_time;
    bool shutting_down, down;
    bool stop_threads;
    int64_t timezone; // seconds east of UTC
    char timezone_name[9];
    char *log_message;
    const char *folder; // system folder for spool, images; NULL: in memory only
    tod_t time_slice;   // minor time slice
    uint64_t instruction_cost;
    uint64_t
        intercept_cost[INTERCEPT_COUNT]; // TOD units, from the table, scenarios may change them
    struct text *lost;                   // asynchronous lines that nobody could see, NULL: dropped
};

// --- life -------------------------------------------------------------------

struct cp_options {
    enum clock_mode mode;
    tod_t start;        // virtual mode
    const char *folder; // holds "SYSTEM CONFIG" (system.config) and "USER DIRECT"
                        // (user.direct); NULL: the embedded default system
    const char *config_text, *directory_text; // override either, NULL: from folder or embedded
    unsigned processors;                      // 0: as SYSTEM CONFIG says
    uint64_t storage;                         // 0: as SYSTEM CONFIG says
    const struct cpu_model *cpu_model;        // NULL: as SYSTEM CONFIG says
    uint32_t instruction_cost;                // TOD units, 0: default
};

// IPLs the system: reads configuration and directory, brings devices online, starts the processors
// (threads in real mode). On error NULL and line-numbered messages in *errors. The AUTOLOG list of
// the configuration is logged on by cp_start().
struct cp *cp_new(struct machine_world *world, const struct cp_options *options,
                  struct text *errors);
void cp_start(struct cp *cp);
// SHUTDOWN: logs everybody off, stops the processors, closes devices. Idempotent.
void cp_shutdown(struct cp *cp);
void cp_free(struct cp *cp);
// VARY PROCESSOR: nothing is dispatched on an offline one; what runs there goes on elsewhere. False:
// the last online one of the first processor's type stays.
bool cp_vary_processor(struct cp *cp, struct real_processor *processor, bool on);

// In real mode the processor threads fire due events too, with the lock held: whoever schedules
// events for a front end must hand them over to its thread.
//
// Makes `IPL name` start this program in a virtual machine. `machine` outlives the system.
void cp_service_machine(struct cp *cp, const struct service_machine *machine);

void cp_listen(struct cp *cp, struct cp_listener *listener);
void cp_unlisten(struct cp *cp, struct cp_listener *listener);
void cp_notify(struct cp *cp, enum cp_event what, struct vm *vm, struct rdev *rdev,
               const char *text);
void cp_notify_about(struct cp *cp, enum cp_event what, struct vm *vm, const void *about);
// Frequent events are told only while somebody watches them.
void cp_watch(struct cp *cp, enum cp_event what, bool on);
static inline bool cp_watches(const struct cp *cp, enum cp_event what)
{
    return cp->watched >> what & 1;
}

// --- users ------------------------------------------------------------------

struct vm *cp_user(const struct cp *cp, const char *userid); // logged on, or NULL

struct logon_options {
    bool autolog; // no terminal: disconnected
    bool no_ipl, no_run, here, quiet;
    const char *by;   // who XAUTOLOGs, or LOGON BY
    const char *mode; // MACHINE operand, NULL: directory
    uint64_t storage; // 0: directory
    const char *ipl;  // IPL operand, NULL: directory
    const char *data; // console input to stack, NULL: none
    struct terminal *terminal;
};
// Logs `userid` on (authority and password already checked). The message number on failure (53,
// 54, 361...) with its text in `out`, else 0.
int vm_logon(struct cp *cp, const char *userid, const struct logon_options *options,
             struct response *out);
// Logs off; `by` NULL: own command. Frees it now, or, while one of its CPUs executes (its own
// DIAGNOSE X'08' among others), as soon as that has left the guest; until then cp_user() still
// finds it, with logging_off set.
void vm_logoff(struct vm *vm, const char *by);
void vm_disconnect(struct vm *vm);
void vm_reconnect(struct vm *vm, struct terminal *terminal);
// Lines to the user's terminal (or secondary user); kept for nobody when disconnected.
void vm_line(struct vm *vm, enum line_kind kind, const char *text);
// Asynchronous lines to the system operator.
void cp_operator_line(struct cp *cp, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// IPL operand is a device number, a named system, a service machine or (FILE path) a host image.
int vm_ipl(struct vm *vm, const char *operand, const char *parameters, bool clear,
           struct response *out);
void vm_stop(struct vm *vm);  // all its CPUs, to CP READ
void vm_begin(struct vm *vm); // out of CP READ
// System reset (clear or normal) without IPL; stays in CP READ.
void vm_reset(struct vm *vm, bool clear);
// Asks the program to shut down; false when it does not listen for that.
bool vm_signal_shutdown(struct vm *vm);
// DEFINE STORAGE, SET MACHINE: new, cleared storage; the machine is reset. 0 or a message number.
int vm_define_storage(struct vm *vm, uint64_t bytes);
// After this no CPU of `vm` executes guest instructions until the lock is given up; what its CPUs
// were doing can be undone under them only together with ++vm->generation.
void vm_quiesce(struct vm *vm);
// Pends a floating external interruption for whichever CPU first allows it by `cr0_mask` (the
// submask bit, as in CR0 bits 32-63: X'40' interrupt key, X'200' service signal and X'2603',
// X'02' IUCV, X'01' VMCF).
void vm_external(struct vm *vm, uint32_t cr0_mask, const struct external_interruption *what);
bool vm_take_external(struct vm *vm, uint32_t cr0_mask, struct external_interruption *out);
void vm_external_reset(struct vm *vm);
struct vcpu *vm_vcpu(struct vm *vm, unsigned address);
int vm_detach_cpu(struct vm *vm, unsigned address); // 0 or message number; not the base CPU
int vm_define_cpu(struct vm *vm, unsigned address); // 0 or message number
// Instructions executed; of one that is executing on another thread, until it last came by here.
uint64_t vcpu_instructions(const struct vcpu *vcpu);
// Totals over its CPUs.
tod_t vm_guest_time(const struct vm *vm);
tod_t vm_total_time(const struct vm *vm);

// --- dispatching (cp/dispatch.c) --------------------------------------------

void vcpu_make_ready(struct vcpu *vcpu);
void vcpu_set_state(struct vcpu *vcpu, enum vcpu_state state);
enum sample_state vcpu_sample_state(const struct vcpu *vcpu);
// Counts the virtual CPU's transaction when that is over by now: it has been idle for 300 ms, or
// `now_or_never` ends it in any case (logoff).
void vcpu_end_transaction(struct vcpu *vcpu, bool now_or_never);
// Virtual mode: runs the system until `until`, or until cp_break(); true while it is up.
bool cp_run(struct cp *cp, tod_t until);
void cp_break(struct cp *cp);
// Brings wait_time of idle processors up to now, for whoever reads it.
void cp_sync_processors(struct cp *cp);
// Charges CP work of reason `reason` to the vcpu (its virtual-time cost, its counters).
void vcpu_charge(struct vcpu *vcpu, enum intercept reason, uint64_t host_ns);

// --- devices ----------------------------------------------------------------

struct rdev *cp_rdev(const struct cp *cp, uint16_t number);
struct rdev *cp_volume(const struct cp *cp, const char *volser);
// Adds a DASD volume of `cylinders` (image in the system folder, or in memory when there is none).
struct rdev *cp_define_dasd(struct cp *cp, uint16_t number, const char *volser, unsigned cylinders,
                            struct text *errors);

#endif
