// SPDX-License-Identifier: MIT
// Floating external interruptions that CP has for a virtual machine: the interrupt key (EXTERNAL),
// completions of services, arrivals at a NIC.
#include <stdlib.h>

#include "base/memory.h"
#include "cp/cp.h"

struct cp_external {
    struct cp_external *next;
    uint32_t cr0_mask;
    struct external_interruption what;
};

void vm_external(struct vm *vm, uint32_t cr0_mask, const struct external_interruption *what)
{
    struct cp_external *x = mem_zero(1, sizeof *x), **at = &vm->externals;

    x->cr0_mask = cr0_mask;
    x->what = *what;
    while (*at)
        at = &(*at)->next;
    *at = x;
    machine_pend_all(vm->machine, PEND_EXTERNAL);
}

bool vm_take_external(struct vm *vm, uint32_t cr0_mask, struct external_interruption *out)
{
    for (struct cp_external **at = &vm->externals; *at; at = &(*at)->next)
        if ((*at)->cr0_mask & cr0_mask) {
            struct cp_external *x = *at;
            *out = x->what;
            *at = x->next;
            free(x);
            return true;
        }
    return false;
}

void vm_external_reset(struct vm *vm)
{
    while (vm->externals) {
        struct cp_external *x = vm->externals;
        vm->externals = x->next;
        free(x);
    }
}
