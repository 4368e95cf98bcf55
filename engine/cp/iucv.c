// SPDX-License-Identifier: MIT
// IUCV endpoints: virtual machines, system services, C programs.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/directory.h"
#include "cp/iucv_inside.h"

struct iucv_user *iucv_user_new(struct cp *cp, struct vm *vm, const char *name)
{
    struct iucv_user *user = mem_zero(1, sizeof *user);

    user->cp = cp;
    user->vm = vm;
    copy_text(user->name, sizeof user->name, name);
    user->last = &user->first;
    user->next_message = 1;
    event_init(&user->deliver, iucv_deliver_due, user);
    return user;
}

void iucv_user_free(struct iucv_user *user)
{
    static const uint8_t none[IUCV_USER_DATA];

    iucv_sever_all(user, none);
    iucv_notices_free(user);
    event_cancel(&user->cp->world->events, &user->deliver);
    free(user->end);
    free(user);
}

struct iucv_user *iucv_register_service(struct cp *cp, const char *name, const struct iucv_ops *ops,
                                        void *arg)
{
    struct iucv_user *user = iucv_user_new(cp, NULL, name);

    user->ops = ops;
    user->arg = arg;
    user->next = cp->iucv_services;
    cp->iucv_services = user;
    return user;
}

void iucv_free(struct cp *cp)
{
    while (cp->iucv_services) {
        struct iucv_user *user = cp->iucv_services;
        cp->iucv_services = user->next;
        iucv_user_free(user);
    }
}

struct iucv_user *iucv_service(const struct cp *cp, const char *name)
{
    struct iucv_user *user = cp->iucv_services;

    while (user && strcasecmp(user->name, name) != 0)
        user = user->next;
    return user;
}

struct iucv_user *iucv_target(struct cp *cp, const char *name)
{
    if (name[0] == '*')
        return iucv_service(cp, name);
    struct vm *vm = cp_user(cp, name);
    return vm && !vm->logging_off ? vm->iucv : NULL;
}

// --- virtual machines -----------------------------------------------------------------

void iucv_vm_new(struct vm *vm)
{
    vm->iucv = iucv_user_new(vm->cp, vm, vm->userid);
}

static void forget_guest(struct iucv_user *user)
{
    user->declared = 0;
    memset(user->mask, 0xF8, sizeof user->mask);
    memset(user->control_mask, 0xF8, sizeof user->control_mask);
}

void iucv_vm_reset(struct vm *vm)
{
    static const uint8_t none[IUCV_USER_DATA];

    iucv_sever_all(vm->iucv, none);
    iucv_notices_free(vm->iucv);
    forget_guest(vm->iucv);
    vm->iucv->ops = NULL;
    vm->iucv->arg = NULL;
}

void iucv_vm_free(struct vm *vm)
{
    if (vm->iucv)
        iucv_user_free(vm->iucv);
    vm->iucv = NULL;
}

unsigned iucv_vm_paths(const struct vm *vm)
{
    unsigned count = 0;

    for (unsigned i = 0; i < vm->iucv->ends; i++)
        count += vm->iucv->end[i] != NULL;
    return count;
}

struct iucv_user *iucv_program(struct vm *vm, const struct iucv_ops *ops, void *arg)
{
    iucv_vm_reset(vm);
    vm->iucv->ops = ops;
    vm->iucv->arg = arg;
    return vm->iucv;
}

void iucv_program_end(struct vm *vm)
{
    iucv_vm_reset(vm);
}

// --- a C program's view of its paths ----------------------------------------------------

struct iucv_end *iucv_path_to(struct iucv_user *user, const char *userid)
{
    for (unsigned i = 0; i < user->ends; i++) {
        struct iucv_end *end = user->end[i];
        if (end && end->state == END_OPEN && strcmp(iucv_end_userid(end), userid) == 0)
            return end;
    }
    return NULL;
}

const char *iucv_end_userid(const struct iucv_end *end)
{
    return end->peer ? end->peer->user->name : "";
}

uint16_t iucv_end_path(const struct iucv_end *end)
{
    return end->id;
}

void iucv_end_set(struct iucv_end *end, void *data)
{
    end->data = data;
}

void *iucv_end_get(const struct iucv_end *end)
{
    return end->data;
}

unsigned iucv_end_outstanding(const struct iucv_end *end)
{
    return end->outstanding;
}
