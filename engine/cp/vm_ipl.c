// SPDX-License-Identifier: MIT
// IPL of a virtual machine: from a device, from a named system, from a file of the host, or a
// service machine that CP runs itself.
//
// A named system is an image among the guests that come with Endicott (cp/guest_images.h).
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/guest_images.h"
#include "cp/inside.h"
#include "cp/system_config.h"
#include "cp/vm_console.h"

static const struct service_machine *find_service(const struct cp *cp, const char *name)
{
    for (unsigned i = 0; i < cp->services; i++)
        if (strcasecmp(cp->service[i]->name, name) == 0)
            return cp->service[i];
    return NULL;
}

// Every IPL begins so: a reset that leaves the machine out of CP READ.
static void prepare(struct vm *vm, const char *operand)
{
    vm_reset(vm, true);
    snprintf(vm->ipl_system, sizeof vm->ipl_system, "%s", operand);
    vm->cp_read = false;
    vm_console_status(vm);
}

static int back_to_cp(struct vm *vm, int rc)
{
    vm->cp_read = true;
    vm_console_status(vm);
    return rc;
}

static int ipl_device(struct vm *vm, uint16_t devno, const char *parameters, bool clear,
                      struct response *out)
{
    const char *reason = "";

    (void)clear; // storage is always cleared: nobody can depend on what is not there
    if (!css_device(vm->machine->css, devno))
        return message_send(out, MESSAGE_ipl_no_device, devno);
    if (!machine_set_ipl_parm(vm->machine, parameters))
        return message_send(out, MESSAGE_invalid_operand, parameters);
    char operand[8];
    snprintf(operand, sizeof operand, "%04X", devno);
    prepare(vm, operand);
    if (machine_ipl_device(vm->machine, devno, &reason))
        return back_to_cp(vm, message_send(out, MESSAGE_ipl_unit_error, reason));
    return 0;
}

static void set_loadparm(struct vm *vm)
{
    ebcdic_field(vm->machine->loadparm, sizeof vm->machine->loadparm, vm->entry->loadparm);
}

static int ipl_image(struct vm *vm, const char *operand, const char *path, const char *parameters,
                     struct response *out)
{
    const char *reason = "";

    prepare(vm, operand);
    if (machine_ipl_file(vm->machine, path, parameters, &reason))
        return back_to_cp(vm, message_send(out, MESSAGE_ipl_no_image, operand, reason));
    return 0;
}

static int ipl_service(struct vm *vm, const struct service_machine *service, const char *parameters,
                       struct response *out)
{
    prepare(vm, service->name);
    vm->service = service;
    int rc = service->start(vm, parameters ? parameters : "", out);
    if (!rc)
        return 0;
    vm->service = NULL;
    return back_to_cp(vm, rc);
}

static bool parse_devno(const char *word, uint16_t *devno)
{
    uint64_t value;

    if (strlen(word) > 4 || !text_to_u64(word, 16, 0xFFFF, &value))
        return false;
    *devno = (uint16_t)value;
    return true;
}

int vm_ipl(struct vm *vm, const char *operand, const char *parameters, bool clear,
           struct response *out)
{
    const struct service_machine *service = find_service(vm->cp, operand);
    struct text path = {0};
    uint16_t devno;
    int rc;

    if (strncasecmp(operand, "FILE ", 5) == 0)
        return ipl_image(vm, operand + 5, operand + 5, parameters, out);
    if (parse_devno(operand, &devno)) // a name that is a number is a device
        return ipl_device(vm, devno, parameters, clear, out);
    if (service)
        return ipl_service(vm, service, parameters, out);
    if (guest_image_find(operand, &path))
        rc = ipl_image(vm, operand, text_get(&path), parameters, out);
    else
        rc = message_send(out, MESSAGE_ipl_no_system, operand);
    text_free(&path);
    return rc;
}

int vm_ipl_from_directory(struct vm *vm, const struct logon_options *options, struct response *out)
{
    const struct directory_user *entry = vm->entry;
    struct text operand = {0};
    int rc = 0;

    if (options->ipl)
        text_puts(&operand, options->ipl);
    else if (entry->ipl_file)
        text_printf(&operand, "FILE %s", entry->ipl_file);
    else
        text_puts(&operand, entry->ipl);
    if (operand.len) {
        set_loadparm(vm);
        rc = vm_ipl(vm, text_get(&operand), options->ipl ? NULL : entry->ipl_parm, true, out);
        if (!rc && options->no_run)
            vm_stop(vm);
    }
    text_free(&operand);
    return rc;
}

// --- CPUs that stop ---------------------------------------------------------------------

static void say_disabled_wait(struct vm *vm, const struct cpu *cpu, struct response *out)
{
    uint8_t psw[16] = {0};
    uint32_t word[4];

    cpu_psw_pack(cpu, psw);
    for (unsigned i = 0; i < 4; i++)
        word[i] = (uint32_t)psw[4 * i] << 24 | (uint32_t)psw[4 * i + 1] << 16 |
                  (uint32_t)psw[4 * i + 2] << 8 | psw[4 * i + 3];
    if (cpu->arch == ARCH_Z)
        message_send(out, MESSAGE_disabled_wait, word[0], word[1], word[2], word[3]);
    else
        message_send(out, MESSAGE_disabled_wait_390, word[0], word[1]);
    (void)vm;
}

// No CPU has anything to do any more; `cpu` is on its way off its processor. Others that are on one
// may be executing, and their state is theirs; they come by here when they stop.
static bool at_rest(const struct vm *vm, const struct cpu *cpu)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        const struct vcpu *vcpu = vm->vcpu[i];
        if (vcpu && ((vcpu->on && vcpu->cpu != cpu) || !cpu_at_rest(vcpu->cpu)))
            return false;
    }
    return !vm->machine->ipl_pending && vm->machine->action == MACHINE_ACTION_NONE;
}

// A program that was asked to shut down ends in a disabled wait at this address. Whoever waits for
// it need not wait any longer: a delayed logoff comes at once.
#define SHUTDOWN_COMPLETE 0xFFFu

static void shutdown_complete(struct vm *vm)
{
    struct machine_world *world = vm->cp->world;

    vm->signalled = false;
    if (vm->cp->operator) {
        struct response out = response_to_vm(vm->cp->operator);
        message_send(&out, MESSAGE_termination_reported, vm->userid);
    }
    if (vm->logging_off && event_pending(&vm->delayed))
        event_schedule(&world->events, &vm->delayed, clock_now(&world->clock));
    cp_notify(vm->cp, CP_EVENT_GUEST_DOWN, vm, NULL, NULL);
}

void vm_cpu_stopped(struct machine *machine, struct cpu *cpu, enum cpu_exit why)
{
    struct vm *vm = machine->owner.arg;
    struct response out = response_to_vm(vm);

    out.cpu = (uint8_t)cpu->address;
    if (machine->action != MACHINE_ACTION_NONE || vm->cp_read)
        return; // on its way to a reset, or CP's own doing
    if (machine->ipl_failed) {
        machine->ipl_failed = false;
        message_send(&out, MESSAGE_ipl_unit_error, machine->ipl_reason);
    } else if (why == CPU_EXIT_DISABLED_WAIT) {
        say_disabled_wait(vm, cpu, &out);
    } else if (at_rest(vm, cpu)) {
        message_send(&out, MESSAGE_sigp_stop, cpu->address);
    }
    if (at_rest(vm, cpu))
        vm_stop(vm);
    if (vm->signalled && why == CPU_EXIT_DISABLED_WAIT && cpu->psw.address == SHUTDOWN_COMPLETE)
        shutdown_complete(vm);
}
