// SPDX-License-Identifier: MIT
// SIGNAL PROCESSOR: one row per order (Principles of Operation, "CPU Signaling and Response").
#include "machine/internal.h"

// Status bits, as they go to the register with condition code 1.
#define STATUS_NOT_RUNNING           0x400u
#define STATUS_INCORRECT_STATE       0x200u
#define STATUS_INVALID_PARAMETER     0x100u
#define STATUS_EXTERNAL_CALL_PENDING 0x080u
#define STATUS_STOPPED               0x040u
#define STATUS_CHECK_STOP            0x010u
#define STATUS_INVALID_ORDER         0x002u

enum { CC_ACCEPTED = 0, CC_STATUS = 1, CC_BUSY = 2, CC_NOT_OPERATIONAL = 3 };

struct sigp {
    struct machine *machine;
    struct cpu *sender, *target; // the target exists, except for SET ARCHITECTURE
    uint64_t parameter;
    uint32_t *status;
};

static int with_status(const struct sigp *sigp, uint32_t status)
{
    *sigp->status = status;
    return CC_STATUS;
}

// Inside cpu_run() the rest of a CPU's state is its thread's.
static bool executing(const struct sigp *sigp)
{
    return (atomic_load(&sigp->machine->inside) >> sigp->target->address & 1) != 0;
}

static bool stopped(const struct cpu *cpu)
{
    int state = atomic_load(&cpu->state);
    return state == CPU_STOPPED || state == CPU_CHECK_STOP;
}

static int order_sense(const struct sigp *sigp)
{
    uint32_t status = 0;

    if (atomic_load(&sigp->target->external_call))
        status |= STATUS_EXTERNAL_CALL_PENDING;
    if (atomic_load(&sigp->target->state) == CPU_STOPPED)
        status |= STATUS_STOPPED;
    if (atomic_load(&sigp->target->state) == CPU_CHECK_STOP)
        status |= STATUS_CHECK_STOP;
    return status ? with_status(sigp, status) : CC_ACCEPTED;
}

static int order_external_call(const struct sigp *sigp)
{
    int none = 0;

    if (!atomic_compare_exchange_strong(&sigp->target->external_call, &none,
                                        sigp->sender->address + 1))
        return with_status(sigp, STATUS_EXTERNAL_CALL_PENDING);
    machine_wake_cpu(sigp->machine, sigp->target, PEND_EXTERNAL);
    return CC_ACCEPTED;
}

static int order_emergency(const struct sigp *sigp)
{
    atomic_fetch_or(&sigp->target->emergency[0], UINT64_C(1) << sigp->sender->address);
    machine_wake_cpu(sigp->machine, sigp->target, PEND_EXTERNAL);
    return CC_ACCEPTED;
}

// The signal is made pending when the target is not stopped, or would not take it at once, or works
// in the address space that the parameter names; else the sender learns that there is no need.
static int order_conditional_emergency(const struct sigp *sigp)
{
    const struct cpu *cpu = sigp->target;
    uint16_t asn = (uint16_t)sigp->parameter;

    if (!stopped(cpu) || executing(sigp) || !(cpu->psw.io && cpu->psw.external))
        return order_emergency(sigp);
    bool same_space = (uint16_t)cpu->cr[4] == asn || (uint16_t)cpu->cr[3] == asn;
    if (cpu->psw.wait ? cpu->psw.address != 0 : same_space)
        return order_emergency(sigp);
    return with_status(sigp, STATUS_INCORRECT_STATE);
}

static int order_start(const struct sigp *sigp)
{
    if (atomic_load(&sigp->target->state) == CPU_STOPPED)
        machine_start_cpu(sigp->machine, sigp->target);
    return CC_ACCEPTED;
}

static int order_stop(const struct sigp *sigp)
{
    if (atomic_load(&sigp->target->state) == CPU_OPERATING)
        machine_wake_cpu(sigp->machine, sigp->target, PEND_STOP);
    return CC_ACCEPTED;
}

void machine_restart_cpu(struct machine *machine, struct cpu *cpu)
{
    cpu_pend(cpu, PEND_RESTART);
    if (atomic_load(&cpu->state) == CPU_STOPPED)
        machine_start_cpu(machine, cpu);
    else
        machine_wake_cpu(machine, cpu, 0);
}

static int order_restart(const struct sigp *sigp)
{
    machine_restart_cpu(sigp->machine, sigp->target);
    return CC_ACCEPTED;
}

// Orders that need the target outside cpu_run(): at once when it is stopped, else it is stopped
// and machine_cpu_exit() carries them out.
static int order_deferred(const struct sigp *sigp, uint8_t bit)
{
    sigp->machine->deferred[sigp->target->address] |= bit;
    if (!stopped(sigp->target))
        machine_wake_cpu(sigp->machine, sigp->target, PEND_STOP);
    else if (!executing(
                 sigp)) // else it is leaving cpu_run() and comes by machine_cpu_exit() itself
        machine_cpu_exit(sigp->machine, sigp->target, CPU_EXIT_STOPPED);
    return CC_ACCEPTED;
}

static int order_store_status_and_stop(const struct sigp *sigp)
{
    return order_deferred(sigp, DEFER_STORE_STATUS);
}

static int order_reset(const struct sigp *sigp)
{
    return order_deferred(sigp, DEFER_RESET);
}

static int order_initial_reset(const struct sigp *sigp)
{
    return order_deferred(sigp, DEFER_INITIAL_RESET);
}

static int order_set_prefix(const struct sigp *sigp)
{
    uint64_t prefix = sigp->parameter & (sigp->target->arch == ARCH_Z ? 0x7FFFE000u : 0x7FFFF000u);

    if (!storage_find(sigp->machine->storage, prefix, FRAME_SIZE))
        return with_status(sigp, STATUS_INVALID_PARAMETER);
    if (atomic_load(&sigp->target->state) != CPU_STOPPED)
        return with_status(sigp, STATUS_INCORRECT_STATE);
    sigp->target->prefix = prefix;
    cpu_pend(sigp->target, PEND_FLUSH);
    return CC_ACCEPTED;
}

static int order_store_status(const struct sigp *sigp)
{
    uint64_t address = sigp->parameter & 0x7FFFFE00u;

    if (!storage_find(sigp->machine->storage, address, 512))
        return with_status(sigp, STATUS_INVALID_PARAMETER);
    if (atomic_load(&sigp->target->state) != CPU_STOPPED)
        return with_status(sigp, STATUS_INCORRECT_STATE);
    cpu_store_status(sigp->target, address);
    return CC_ACCEPTED;
}

// STORE ADDITIONAL STATUS AT ADDRESS: the vector registers, and guarded-storage controls behind
// them when the last bits of the address, a power of two, say that there is room.
static int order_store_additional_status(const struct sigp *sigp)
{
    bool guarded = cpu_facility(sigp->target, 133);
    unsigned power = guarded && sigp->parameter & 15 ? sigp->parameter & 15 : 10;
    uint64_t address = sigp->parameter & ~(uint64_t)(guarded ? 15 : 0), size = UINT64_C(1) << power;

    if (!guarded && !cpu_facility(sigp->target, 129))
        return with_status(sigp, STATUS_INVALID_ORDER);
    if (power < 10 || power > 12 || address & (size - 1) ||
        !storage_find(sigp->machine->storage, address, size))
        return with_status(sigp, STATUS_INVALID_PARAMETER);
    if (!stopped(sigp->target))
        return with_status(sigp, STATUS_INCORRECT_STATE);
    if (cpu_facility(sigp->target, 129))
        cpu_store_vectors(sigp->target, address);
    if (power > 10)
        cpu_store_guarded(sigp->target, address + 1024);
    return CC_ACCEPTED;
}

static int order_sense_running(const struct sigp *sigp)
{
    const struct cpu *cpu = sigp->target;

    if (cpu == sigp->sender || executing(sigp) ||
        (atomic_load(&cpu->state) == CPU_OPERATING && !cpu->psw.wait))
        return CC_ACCEPTED;
    return with_status(sigp, STATUS_NOT_RUNNING);
}

// Codes 0 (ESA/390), 1 and 2 (z/Architecture) switch the whole configuration; all other CPUs must
// be stopped.
static int order_set_architecture(const struct sigp *sigp)
{
    uint8_t code = (uint8_t)sigp->parameter;
    enum architecture arch = code ? ARCH_Z : ARCH_ESA390;

    if (code > 2 || sigp->sender->arch == arch)
        return with_status(sigp, STATUS_INVALID_PARAMETER);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        const struct cpu *cpu = sigp->machine->cpu[i];
        if (cpu && cpu != sigp->sender && !stopped(cpu))
            return with_status(sigp, STATUS_INCORRECT_STATE);
    }
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (sigp->machine->cpu[i])
            cpu_set_architecture(sigp->machine->cpu[i], arch);
    return CC_ACCEPTED;
}

static const struct order {
    uint8_t code;
    int (*perform)(const struct sigp *sigp);
    bool while_busy; // accepted while an earlier order has still to be carried out
} orders[] = {
    {0x01, order_sense, false},
    {0x02, order_external_call, false},
    {0x03, order_emergency, false},
    {0x04, order_start, false},
    {0x05, order_stop, false},
    {0x06, order_restart, false},
    {0x09, order_store_status_and_stop, false},
    {0x0B, order_initial_reset, true},
    {0x0C, order_reset, true},
    {0x0D, order_set_prefix, false},
    {0x0E, order_store_status, false},
    {0x12, order_set_architecture, false},
    {0x13, order_conditional_emergency, false},
    {0x15, order_sense_running, true},
    {0x17, order_store_additional_status, false},
};

#define ORDER_SET_ARCHITECTURE 0x12

static int sigp_locked(struct sigp *sigp, uint8_t code)
{
    for (unsigned i = 0; i < sizeof orders / sizeof *orders; i++) {
        if (orders[i].code != code)
            continue;
        if (!sigp->target && code != ORDER_SET_ARCHITECTURE)
            return CC_NOT_OPERATIONAL;
        if (sigp->target && sigp->machine->deferred[sigp->target->address] && !orders[i].while_busy)
            return CC_BUSY;
        return orders[i].perform(sigp);
    }
    return sigp->target ? with_status(sigp, STATUS_INVALID_ORDER) : CC_NOT_OPERATIONAL;
}

int machine_sigp(struct machine *machine, struct cpu *cpu, uint8_t order, uint16_t address,
                 uint64_t parameter, uint32_t *status)
{
    struct sigp sigp = {
        .machine = machine,
        .sender = cpu,
        .target = address < MACHINE_MAX_CPUS ? machine->cpu[address] : NULL,
        .parameter = parameter,
        .status = status,
    };
    int cc;

    world_lock(machine->world);
    cc = sigp_locked(&sigp, order);
    world_unlock(machine->world);
    return cc;
}
