// SPDX-License-Identifier: MIT
// Stopping, resetting and reshaping a virtual machine.
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/diagnose_block.h"
#include "cp/appldata.h"
#include "cp/command.h"
#include "cp/dcss.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/iucv.h"
#include "cp/nic.h"
#include "cp/trace.h"
#include "cp/vm_console.h"

#define FOR_EACH_VCPU(vm, v)                                    \
    for (unsigned v##_i = 0; v##_i < MACHINE_MAX_CPUS; v##_i++) \
        for (struct vcpu *v = (vm)->vcpu[v##_i]; v; v = NULL)

void vm_quiesce(struct vm *vm)
{
    FOR_EACH_VCPU(vm, vcpu)
    cpu_request_exit(vcpu->cpu);
    // A CPU on another thread leaves at the end of its block, or is at our door, outside.
    while (atomic_load(&vm->machine->inside))
        sched_yield();
}

void vm_stop(struct vm *vm)
{
    vm->cp_read = true;
    FOR_EACH_VCPU(vm, vcpu)
    {
        if (vm->set.run)
            continue;
        vcpu_unlist(vcpu);
        if (vcpu->on)
            cpu_request_exit(vcpu->cpu);
        else
            vcpu_set_state(vcpu, VCPU_STOPPED);
    }
    vm_console_status(vm);
}

void vm_begin(struct vm *vm)
{
    vm->cp_read = false;
    vm->sleep_until = 0;
    FOR_EACH_VCPU(vm, vcpu)
    if (!vcpu->on && vcpu_may_dispatch(vcpu))
        vcpu_make_ready(vcpu); // a waiting one goes back to its wait at once
    vm_console_status(vm);
}

void vm_forget(struct vm *vm)
{
    vm_quiesce(vm);
    vm->generation++;
    if (vm->service) {
        const struct service_machine *service = vm->service;
        vm->service = NULL;
        service->stop(vm);
    }
    FOR_EACH_VCPU(vm, vcpu)
    {
        vcpu_unlist(vcpu);
        vcpu->page_fault_handshake = false;
    }
    iucv_vm_reset(vm);
    block_environments_end(vm);
    appldata_reset(vm);
    dcss_vm_reset(vm);
    trace_vm_reset(vm);
    nic_reset_all(vm);
    vm_external_reset(vm);
    vm->io_outstanding = 0;
    vm->console->reading = false;
    vm->signalled = false;
}

bool vm_signal_shutdown(struct vm *vm)
{
    vm->signalled = vm->machine && machine_signal_quiesce(vm->machine);
    return vm->signalled;
}

void vm_reset(struct vm *vm, bool clear)
{
    vm_forget(vm);
    machine_reset(vm->machine, clear);
    vm->cp_read = true;
    FOR_EACH_VCPU(vm, vcpu)
    {
        if (vcpu->on)
            cpu_request_exit(vcpu->cpu);
        else
            vcpu_set_state(vcpu, VCPU_STOPPED);
    }
    vm_console_status(vm);
}

void vm_attend(struct vm *vm)
{
    if (vm->machine->action == MACHINE_ACTION_NONE || atomic_load(&vm->machine->inside))
        return;
    vm_forget(vm);
    machine_attend(vm->machine);
}

int vm_define_storage(struct vm *vm, uint64_t bytes)
{
    struct storage *fresh;

    if (bytes > vm->entry->max_storage)
        return 94;
    fresh = storage_new(bytes);
    if (!fresh)
        return 94;
    vm_reset(vm, true);
    // Channels and CPUs keep their pointer to the storage; what it stands for changes. The second
    // reset makes the CPUs forget addresses in the old one.
    struct storage old = *vm->machine->storage;
    *vm->machine->storage = *fresh;
    *fresh = old;
    machine_reset(vm->machine, true);
    storage_free(fresh);
    vm->storage = bytes;
    return 0;
}

// --- virtual CPUs ------------------------------------------------------------------

struct vcpu *vm_vcpu(struct vm *vm, unsigned address)
{
    return address < MACHINE_MAX_CPUS ? vm->vcpu[address] : NULL;
}

int vm_define_cpu(struct vm *vm, unsigned address)
{
    if (address >= MACHINE_MAX_CPUS || vm->vcpus >= vm->entry->max_cpus)
        return 1458;
    if (vm->vcpu[address])
        return 1450;
    vm_quiesce(vm); // CPUs inside count each other without the lock
    vcpu_new(vm, address);
    cp_notify_about(vm->cp, CP_EVENT_CPU_DEFINED, vm, vm->vcpu[address]);
    return 0;
}

int vm_detach_cpu(struct vm *vm, unsigned address)
{
    struct vcpu *vcpu = vm_vcpu(vm, address);

    if (!vcpu)
        return 1457;
    if (address == 0)
        return 1456;
    // A configuration that loses a CPU is reset and cleared, as CP does.
    vm_reset(vm, true);
    if (vcpu->on)
        return 1457; // it is the one that asked, and is still inside
    cp_notify_about(vm->cp, CP_EVENT_CPU_DETACHED, vm, vcpu);
    vcpu_free(vcpu);
    if (vm->current_cpu == address)
        vm->current_cpu = 0;
    return 0;
}

tod_t vm_guest_time(const struct vm *vm)
{
    tod_t sum = 0;
    FOR_EACH_VCPU(vm, vcpu)
    sum += vcpu->guest_time;
    return sum;
}

tod_t vm_total_time(const struct vm *vm)
{
    tod_t sum = 0;
    FOR_EACH_VCPU(vm, vcpu)
    sum += vcpu->guest_time + vcpu->cp_time;
    return sum;
}
