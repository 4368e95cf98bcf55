// SPDX-License-Identifier: MIT
// Looking at a running system: users, their counters, guest storage, terminal settings.
#include <stdio.h>
#include <string.h>

#include "cp/command.h"
#include "cp/guest_images.h"
#include "cp/vm_console.h"
#include "endicott_private.h"

const char *endicott_intercept_name(enum intercept reason)
{
    return intercept_rows[reason].name;
}

const char *endicott_intercept_group(enum intercept reason)
{
    return intercept_group_names[intercept_rows[reason].group];
}

static void add_vcpu(struct endicott_user *out, const struct vcpu *vcpu)
{
    out->instructions += vcpu_instructions(vcpu);
    for (unsigned i = 0; i < sizeof vcpu->ssch / sizeof *vcpu->ssch; i++)
        out->ssch += vcpu->ssch[i];
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++) {
        out->intercept_count[i] += vcpu->intercept[i].count;
        out->intercept_seconds[i] += tod_to_seconds(vcpu->intercept[i].cost);
        out->intercept_host[i] += (double)vcpu->intercept[i].host_ns / 1e9;
    }
}

static bool waits(const struct vm *vm)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i] && (vm->vcpu[i]->state == VCPU_READY || vm->vcpu[i]->state == VCPU_RUNNING))
            return false;
    return true;
}

static void fill(struct vm *vm, tod_t now, struct endicott_user *out)
{
    *out = (struct endicott_user){
        .disconnected = !vm->terminal,
        .in_cp_read = vm->cp_read,
        .waiting = waits(vm),
        .service = vm->service != NULL,
        .vcpus = vm->vcpus,
        .storage = vm->storage,
        .connect_time = tod_to_seconds(now - vm->logon_time),
        .guest_time = tod_to_seconds(vm_guest_time(vm)),
        .total_time = tod_to_seconds(vm_total_time(vm)),
        .messages = vm->messages,
    };
    snprintf(out->userid, sizeof out->userid, "%s", vm->userid);
    if (vm->terminal)
        snprintf(out->terminal, sizeof out->terminal, "%s", vm->terminal->name);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i])
            add_vcpu(out, vm->vcpu[i]);
}

size_t endicott_users(struct endicott *sys, struct endicott_user *out, size_t max)
{
    size_t n = 0;
    world_lock(&sys->world);
    tod_t now = endicott_now(sys);
    for (struct vm *vm = sys->cp->users; vm; vm = vm->next, n++)
        if (n < max)
            fill(vm, now, &out[n]);
    world_unlock(&sys->world);
    return n;
}

// The userid folded to upper case; "" when too long to be one.
static struct vm *find(struct endicott *sys, const char *userid)
{
    char folded[USERID_SIZE];
    size_t n = strlen(userid);
    if (n >= sizeof folded)
        return NULL;
    memcpy(folded, userid, n + 1);
    text_upper(folded);
    return cp_user(sys->cp, folded);
}

int endicott_user(struct endicott *sys, const char *userid, struct endicott_user *out)
{
    world_lock(&sys->world);
    struct vm *vm = find(sys, userid);
    if (vm)
        fill(vm, endicott_now(sys), out);
    world_unlock(&sys->world);
    return vm ? 0 : -1;
}

int endicott_peek(struct endicott *sys, const char *userid, uint64_t absolute, void *to, size_t n)
{
    world_lock(&sys->world);
    struct vm *vm = find(sys, userid);
    bool ok = vm && vm->machine && storage_read(vm->machine->storage, absolute, to, n);
    world_unlock(&sys->world);
    return ok ? (int)n : -1;
}

int endicott_poke(struct endicott *sys, const char *userid, uint64_t absolute, const void *from,
                  size_t n)
{
    world_lock(&sys->world);
    struct vm *vm = find(sys, userid);
    bool ok = vm && vm->machine && storage_write(vm->machine->storage, absolute, from, n);
    world_unlock(&sys->world);
    return ok ? (int)n : -1;
}

void endicott_pf_key(struct endicott *sys, struct terminal *term, unsigned pf, char *mode,
                     char *out, size_t size)
{
    world_lock(&sys->world);
    const struct vm *vm = term->vm;
    const struct pf_key *key =
        vm && vm->console && pf >= 1 && pf <= PF_KEYS ? &vm->console->pf[pf] : NULL;
    *mode = key ? key->mode : 0;
    snprintf(out, size, "%s", key && key->text ? key->text : "");
    world_unlock(&sys->world);
}

void endicott_screen_times(struct endicott *sys, struct terminal *term, unsigned *more1,
                           unsigned *more2, bool *hold)
{
    world_lock(&sys->world);
    const struct vm_console *console = term->vm ? term->vm->console : NULL;
    *more1 = console ? console->terminal.more1 : 50;
    *more2 = console ? console->terminal.more2 : 10;
    *hold = console ? console->terminal.hold : true;
    world_unlock(&sys->world);
}

char *endicott_guest_path(const char *name)
{
    struct text path = {0};
    if (guest_image_find(name, &path))
        return path.s;
    text_free(&path);
    return NULL;
}
