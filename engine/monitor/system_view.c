// SPDX-License-Identifier: MIT
// The system at one moment.
#include "monitor/system_view.h"

#include "cp/dcss.h"
#include "cp/vdev.h"
#include "devices/dasd_fba.h"

static void look_at_user(struct vm *vm, struct system_view *view)
{
    bool listed = false, awake = false;
    for (unsigned i = 0, left = vm->vcpus; i < MACHINE_MAX_CPUS && left; i++) {
        struct vcpu *vcpu = vm->vcpu[i];
        if (!vcpu)
            continue;
        left--;
        vcpu_end_transaction(vcpu, false);
        view->state[vcpu_sample_state(vcpu)]++;
        view->quickdsp += vm->set.quickdsp && vcpu->in_queue;
        listed = listed || vcpu->in_queue;
        awake = awake || vcpu->state == VCPU_READY || vcpu->state == VCPU_RUNNING;
    }
    view->dormant += !awake;
    view->dispatch_shared += listed && !vm->set.quickdsp;
}

void system_view(struct cp *cp, struct system_view *view)
{
    *view = (struct system_view){0};
    for (struct vm *vm = cp->users; vm; vm = vm->next)
        look_at_user(vm, view);
    for (const struct dcss *d = cp->segments; d; d = d->next)
        view->segments += d->users > 0;
    for (const struct mdisk *disk = cp->mdisks; disk; disk = disk->next) {
        if (!disk->blocks)
            continue;
        view->vdisks++;
        view->vdisk_links += disk->readers + disk->writers;
        view->vdisk_blocks += disk->blocks->blocks;
    }
}
