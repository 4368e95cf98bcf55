// SPDX-License-Identifier: MIT
// CP's door: every instruction and interruption of a guest that CP must see comes through here,
// is counted and charged, and mostly ends in the architecture's own semantics.
//
// A visit takes the system lock and counts as outside of the guest (machine_leave), so that another
// thread may reset or log off the virtual machine meanwhile. It then finds a new vm->generation and
// goes back to the run loop without touching the CPU, whose state is not the one it came with.
#include <string.h>

#include "base/memory.h"
#include "cpu/opcode.h"
#include "cp/command.h"
#include "cp/diagnose.h"
#include "cp/inside.h"
#include "cp/iucv.h"
#include "cp/stsi.h"
#include "cp/trace.h"
#include "cp/vdev.h"

#define LEVEL_VIRTUAL_MACHINE 3

struct visit {
    struct vcpu *vcpu;
    struct vm *vm;
    struct cp *cp;
    uint64_t generation;
    uint64_t began; // host time, real mode
    bool nested;    // within another visit of the same thread
};

static bool is_virtual(const struct cp *cp)
{
    return cp->world->clock.mode == CLOCK_VIRTUAL;
}

// False: the CPU was reset under us.
static bool enter(struct cpu *cpu, struct visit *visit)
{
    struct vcpu *vcpu = cpu->owner;

    *visit =
        (struct visit){.vcpu = vcpu, .vm = vcpu->vm, .cp = vcpu->vm->cp, .nested = vcpu->at_door};
    visit->generation = vcpu->vm->generation;
    if (visit->nested)
        return true;
    machine_leave(visit->vm->machine, cpu);
    world_lock(visit->cp->world);
    vcpu->at_door = true;
    if (is_virtual(visit->cp))
        visit->cp->world->clock.virtual_now = cpu_time(cpu);
    else
        visit->began = host_thread_ns();
    return visit->vm->generation == visit->generation;
}

// False: the CPU was reset during the visit.
static bool leave(struct cpu *cpu, struct visit *visit)
{
    bool same = visit->vm->generation == visit->generation;

    if (visit->nested)
        return same;
    visit->vcpu->at_door = false;
    // An event that comes before the end of this stretch ends it.
    if (is_virtual(visit->cp) && events_next(&visit->cp->world->events) < visit->vcpu->on->horizon)
        cpu_request_exit(cpu);
    if (visit->cp->stop_threads || visit->vm->logoff_pending ||
        (visit->vm->cp_read && !visit->vm->set.run))
        cpu_request_exit(cpu);
    machine_enter(visit->vm->machine, cpu);
    world_unlock(visit->cp->world);
    return same;
}

static void charge(const struct visit *visit, enum intercept reason)
{
    uint64_t ns = is_virtual(visit->cp) ? 0 : host_thread_ns() - visit->began;
    vcpu_charge(visit->vcpu, reason, ns);
}

// --- instructions -------------------------------------------------------------------

struct simulation {
    const struct door_call *call;
    enum intercept reason;
};

static enum intercept reason_of(const struct cpu *cpu, const struct door_call *call)
{
    if (call->reason == INTERCEPT_DIAG)
        return intercept_of_diagnose((uint32_t)call->address2 & 0xFFFF);
    if (call->reason == INTERCEPT_IUCV)
        return intercept_of_iucv((uint32_t)cpu->gr[0]);
    return call->reason;
}

static void count_on_processor(struct real_processor *p, enum intercept reason)
{
    enum intercept_group group = intercept_rows[reason].group;

    p->simulations++;
    if (group == INTERCEPT_GROUP_DIAGNOSE)
        p->diagnoses++;
    if (reason == INTERCEPT_SIGP)
        p->sigps++;
}

static void simulate(struct cpu *cpu, void *arg)
{
    const struct simulation *simulation = arg;

    if (simulation->call->reason == INTERCEPT_IUCV)
        iucv_instruction(cpu, simulation->call);
    else
        simulation->call->row->simulate(cpu, simulation->call);
}

static void cp_intercept(struct cpu *cpu, const struct door_call *call)
{
    struct simulation simulation = {.call = call};
    struct visit visit;
    bool raised = false;

    if (enter(cpu, &visit)) {
        simulation.reason = reason_of(cpu, call);
        // In virtual time the work is done, then its effects are there.
        if (is_virtual(visit.cp)) {
            charge(&visit, simulation.reason);
            visit.cp->world->clock.virtual_now = cpu_time(cpu);
        }
        count_on_processor(visit.vcpu->on, simulation.reason);
        visit.vcpu->diagnoses +=
            intercept_rows[simulation.reason].group == INTERCEPT_GROUP_DIAGNOSE;
        visit.vcpu->iucv_functions +=
            intercept_rows[simulation.reason].group == INTERCEPT_GROUP_IUCV;
        visit.vcpu->in_simulation = true;
        raised = cpu_protect(cpu, simulate, &simulation);
        visit.vcpu->in_simulation = false;
        if (!is_virtual(visit.cp))
            charge(&visit, simulation.reason);
    }
    if (!leave(cpu, &visit) || raised)
        cpu_unwind_again(cpu);
}

// Kinds of starts, as the monitor counts them.
static void count_start(struct vcpu *vcpu, uint32_t sid)
{
    const struct device *dev = NULL;
    struct channel_subsystem *css = vcpu->vm->machine->css;

    for (int n = -1; (dev = css_next(css, n)); n = dev->number)
        if ((sid & 0xFFFF) == (uint32_t)css_subchannel_number(css, dev->number))
            break;
    struct vdev *vdev = dev ? vdev_find(vcpu->vm, dev->number) : NULL;
    if (vdev)
        vdev->ios++;
    switch (dev ? dev->dev_type : 0) {
    case 0x3390:
    case 0x3380:
    case 0x9336:
        vcpu->ssch[0]++;
        break;
    case 0x2540:
    case 0x3505:
    case 0x2501:
    case 0x3525:
    case 0x1403:
    case 0x3203:
    case 0x3211:
        vcpu->ssch[1]++;
        break;
    case 0x3215:
    case 0x3270:
    case 0x3278:
    case 0x3279:
        vcpu->ssch[2]++;
        break;
    case 0x1732:
    case 0x3088:
        vcpu->ssch[3]++;
        break;
    case 0x3480:
    case 0x3490:
    case 0x3590:
        vcpu->ssch[5]++;
        break;
    default:
        vcpu->ssch[4]++;
        break;
    }
}

static int cp_io(struct cpu *cpu, enum io_instruction op, uint32_t sid, uint64_t address,
                 uint8_t *block)
{
    struct visit visit;
    int cc = 3;

    if (enter(cpu, &visit)) {
        cc = machine_io(visit.vm->machine, cpu, op, sid, address, block);
        if (op == IO_SSCH && cc == 0) {
            visit.vm->io_outstanding++;
            count_start(visit.vcpu, sid);
        }
        // Status that ends a start function: primary and secondary bits of the SCSW.
        if (op == IO_TSCH && cc == 0 && visit.vm->io_outstanding && (block[2] & 0x40) &&
            (block[3] & 0x06))
            visit.vm->io_outstanding--;
    }
    if (!leave(cpu, &visit))
        cpu_unwind_again(cpu);
    return cc;
}

// --- interruptions ---------------------------------------------------------------------

static bool cp_take_external(struct cpu *cpu, uint32_t mask, struct external_interruption *out)
{
    struct visit visit;
    bool taken = false;

    if (enter(cpu, &visit)) {
        taken = vm_take_external(visit.vm, mask, out) || iucv_take_external(cpu, mask, out) ||
                machine_take_external(visit.vm->machine, cpu, mask, out);
        if (taken) {
            visit.vcpu->external_interruptions++;
            visit.vcpu->on->external_interruptions++;
            charge(&visit, INTERCEPT_INT_EXTERNAL);
        }
    }
    return leave(cpu, &visit) && taken;
}

static bool cp_take_io(struct cpu *cpu, uint8_t isc_mask, struct io_interruption *out)
{
    struct visit visit;
    bool taken = false;

    if (enter(cpu, &visit)) {
        taken = machine_take_io(visit.vm->machine, cpu, isc_mask, out);
        if (taken) {
            visit.vcpu->io_interruptions++;
            visit.vcpu->on->io_interruptions++;
            charge(&visit, INTERCEPT_INT_IO);
        }
    }
    return leave(cpu, &visit) && taken;
}

static bool cp_take_machine_check(struct cpu *cpu, uint64_t *code)
{
    struct visit visit;
    bool taken = enter(cpu, &visit) && machine_take_machine_check(visit.vm->machine, cpu, code);

    return leave(cpu, &visit) && taken;
}

// --- the rest ------------------------------------------------------------------------------

static int cp_sigp(struct cpu *cpu, uint8_t order, uint16_t address, uint64_t parameter,
                   uint32_t *status)
{
    struct visit visit;
    int cc = 3;

    if (enter(cpu, &visit)) {
        cc = machine_sigp(visit.vm->machine, cpu, order, address, parameter, status);
        // The other one may have become able to run, now: do not run far ahead of it.
        if (visit.vm->vcpus > 1)
            cpu_request_exit(cpu);
    }
    if (!leave(cpu, &visit))
        cpu_unwind_again(cpu);
    return cc;
}

static int cp_service_call(struct cpu *cpu, uint32_t command, uint64_t absolute)
{
    struct visit visit;
    int cc = 3;

    if (enter(cpu, &visit))
        cc = machine_service_call(visit.vm->machine, cpu, command, absolute);
    if (!leave(cpu, &visit))
        cpu_unwind_again(cpu);
    return cc;
}

static int cp_stsi(struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2, uint8_t *block)
{
    struct vcpu *vcpu = cpu->owner;

    if (fc == LEVEL_VIRTUAL_MACHINE && s1 == 2 && s2 == 2) {
        stsi_virtual_machines(vcpu->vm, block);
        return 0;
    }
    return machine_stsi(vcpu->vm->machine, cpu, fc, s1, s2, block);
}

static void cp_trace(struct cpu *cpu, uint64_t address, const uint8_t *text, bool branch)
{
    struct visit visit;

    if (enter(cpu, &visit))
        trace_instruction(cpu, address, text, branch);
    if (!leave(cpu, &visit))
        cpu_unwind_again(cpu);
}

static unsigned cp_level(struct cpu *cpu)
{
    (void)cpu;
    return LEVEL_VIRTUAL_MACHINE;
}

static void cp_flush_all(struct cpu *cpu)
{
    struct visit visit;

    if (((struct vcpu *)cpu->owner)->vm->machine->cpus == 1)
        return; // there is nobody to tell
    if (enter(cpu, &visit))
        machine_flush_all(visit.vm->machine, cpu);
    if (!leave(cpu, &visit))
        cpu_unwind_again(cpu);
}

const struct cpu_host cp_cpu_host = {
    .intercept = cp_intercept,
    .io = cp_io,
    .take_external = cp_take_external,
    .take_io = cp_take_io,
    .take_machine_check = cp_take_machine_check,
    .sigp = cp_sigp,
    .service_call = cp_service_call,
    .stsi = cp_stsi,
    .current_level = cp_level,
    .diagnose = diagnose_instruction,
    .flush_all = cp_flush_all,
    .trace = cp_trace,
    .memory_assist = true,
};
