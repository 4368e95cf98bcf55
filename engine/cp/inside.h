// SPDX-License-Identifier: MIT
// What the core files of engine/cp share among themselves.
#ifndef ENDICOTT_CP_INSIDE_H
#define ENDICOTT_CP_INSIDE_H

#include "cp/cp.h"

struct response;
struct config_rdev;
struct door_call;

// vm.c
struct vm *vm_new(struct cp *cp, const struct directory_user *entry,
                  const struct logon_options *options);
void vm_free(struct vm *vm); // of a machine that is quiet and out of cp->users
// Completes logoffs that waited for CPUs to leave the guest. Lock held.
void vm_finish_logoff(struct vm *vm);

// vm_control.c
// Resets and loads the machine if its program has asked for that (DIAGNOSE X'308') and all its CPUs
// are outside of the guest. Lock held.
void vm_attend(struct vm *vm);
// What every reset does besides the machine's own part: stops the CPUs, starts a new generation,
// ends paths, segments, services and what else programs had from CP.
void vm_forget(struct vm *vm);

// vm_session.c
// "LOGON AT 10:04:53 CET MONDAY 02/26/16" and its like.
void session_moment(struct cp *cp, struct text *text, const char *what);
void session_banner(struct vm *vm);
void session_operator(struct vm *vm, const char *what, const char *by);
void session_logoff_lines(struct vm *vm, const char *by);

// vm_ipl.c
int vm_ipl_from_directory(struct vm *vm, const struct logon_options *options, struct response *out);
// A CPU stopped or entered a disabled wait; IPL from a device may have failed. Lock held.
void vm_cpu_stopped(struct machine *machine, struct cpu *cpu, enum cpu_exit why);

// rdev.c
int rdevs_from_config(struct cp *cp, struct text *errors);
void rdevs_free(struct cp *cp);

// dispatch.c
void dispatch_init(struct cp *cp);
void dispatch_free(struct cp *cp);
void vcpu_new(struct vm *vm, unsigned address);
void vcpu_free(struct vcpu *vcpu); // must not be on a processor
bool vcpu_may_dispatch(const struct vcpu *vcpu);
void vcpu_unlist(struct vcpu *vcpu);
// Takes the best ready virtual CPU off the dispatch list, or NULL.
struct vcpu *dispatch_take(struct cp *cp, unsigned processor);
// What cpu_run() came back with: the virtual CPU's next state. `used` is its stretch of time.
void dispatch_returned(struct vcpu *vcpu, enum cpu_exit why, tod_t used);
// Takes everybody off the processors, which run no more.
void dispatch_release_all(struct cp *cp);
void machine_cpu_wake(struct machine *machine, struct cpu *cpu); // machine_owner.wake

// scheduler.c
void scheduler_enter(struct vcpu *vcpu);            // wants to run: sets priority
void scheduler_leave(struct vcpu *vcpu);            // does not any more
void scheduler_used(struct vcpu *vcpu, tod_t used); // ran that long
bool scheduler_held(struct vcpu *vcpu); // beyond its maximum share: put on the limit list
void scheduler_forget(struct vcpu *vcpu);

// processors.c: threads of real mode
void processors_start(struct cp *cp);
void processors_stop(struct cp *cp);

// door.c
extern const struct cpu_host cp_cpu_host;

// logon.c
void logon_command_register(void);
void terminal_logo(struct cp *cp, struct terminal *term, bool say);
void logon_request_drop(struct terminal *term);
// The password that LOGON asked for.
int logon_password(struct cp *cp, struct terminal *term, const char *password,
                   struct response *out);

// default_system.c is declared in system_config.h.

#endif
