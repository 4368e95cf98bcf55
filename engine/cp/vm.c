// SPDX-License-Identifier: MIT
// Virtual machines come and go: LOGON builds one from its directory entry, LOGOFF takes it apart.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/diagnose_block.h"
#include "cp/appldata.h"
#include "cp/accounting.h"
#include "cp/command.h"
#include "cp/dcss.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/iucv.h"
#include "cp/nic.h"
#include "cp/spool.h"
#include "cp/system_config.h"
#include "cp/trace.h"
#include "cp/vdev.h"
#include "cp/vm_console.h"

static void operating_system_message(struct machine *machine, const char *utf8)
{
    vm_line(machine->owner.arg, LINE_VM, utf8);
}

// What the directory says of the guest's CPUs, within what the system's processors have.
static void choose_model(const struct vm *vm, struct cpu_model *model)
{
    char reason[200];

    if (cpu_model_parse_within(model, &vm->cp->cpu_model, vm->entry->cpu_model, reason,
                               sizeof reason) < 0)
        *model = vm->cp->cpu_model;
}

static struct machine *make_machine(struct vm *vm)
{
    struct cpu_model model;

    choose_model(vm, &model);
    struct machine_config config = {
        .storage = vm->storage,
        .host = &cp_cpu_host,
        .owner = {.wake = machine_cpu_wake,
                  .stopped = vm_cpu_stopped,
                  .message = operating_system_message,
                  .arg = vm},
        .instruction_cost = (uint32_t)vm->cp->instruction_cost,
        .name = vm->userid,
        .model = &model,
    };
    return machine_new(vm->cp->world, &config);
}

static void set_settings(struct vm *vm)
{
    const struct directory_user *entry = vm->entry;

    vm->set = (struct vm_settings){
        .emsg = EMSG_ON, .msg = ROUTE_ON, .wng = ROUTE_ON, .imsg = true, .linedit = true};
    vm->set.acnt = true;
    vm->set.concealed = entry->option.conceal;
    vm->set.quickdsp = entry->option.quickdsp;
    vm->share = entry->has_share ? entry->share : (struct share){.value = 100};
    memcpy(vm->secondary, entry->console.observer ? "" : entry->console.secondary,
           entry->console.observer ? 1 : sizeof vm->secondary);
    if (entry->console.observer)
        memcpy(vm->observer, entry->console.secondary, sizeof vm->observer);
}

static void add_cpus(struct vm *vm)
{
    const struct directory_user *entry = vm->entry;

    vcpu_new(vm, 0);
    for (unsigned i = 0; i < entry->cpus; i++)
        if (!vm->vcpu[entry->cpu[i].address])
            vcpu_new(vm, entry->cpu[i].address);
}

// NULL when the host has no storage for it.
struct vm *vm_new(struct cp *cp, const struct directory_user *entry,
                  const struct logon_options *options)
{
    struct vm *vm = mem_zero(1, sizeof *vm);

    vm->cp = cp;
    vm->entry = entry;
    memcpy(vm->userid, entry->userid, sizeof vm->userid);
    vm->classes = entry->classes;
    memcpy(vm->account, entry->account, sizeof vm->account);
    memcpy(vm->distribution, entry->distribution, sizeof vm->distribution);
    memcpy(vm->mode, entry->mode, sizeof vm->mode);
    if (options->mode)
        copy_text(vm->mode, sizeof vm->mode, options->mode);
    vm->storage = options->storage ? options->storage : entry->storage;
    if (options->by)
        copy_text(vm->by, sizeof vm->by, options->by);
    vm->autologged = options->autolog;
    vm->machine = make_machine(vm);
    if (!vm->machine) {
        free(vm);
        return NULL;
    }
    vm->vmdbk = ++cp->next_vmdbk;
    vm->logon_time = vm->connect_time = clock_now(&cp->world->clock);
    vm->cp_read = true;
    set_settings(vm);
    add_cpus(vm);
    vm->console = vm_console_new(vm);
    if (options->terminal) {
        vm->terminal = options->terminal;
        vm->terminal->vm = vm;
    }
    iucv_vm_new(vm);
    spool_vm_new(vm);
    return vm;
}

void vm_free(struct vm *vm)
{
    event_cancel(&vm->cp->world->events, &vm->delayed);
    trace_vm_free(vm);
    appldata_free(vm);
    iucv_vm_free(vm);
    nic_remove_all(vm);
    dcss_vm_reset(vm);
    vm_external_reset(vm);
    block_environments_end(vm);
    vdevs_remove_all(vm);
    spool_vm_free(vm);
    vm_console_free(vm->console);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i])
            vcpu_free(vm->vcpu[i]);
    machine_free(vm->machine);
    free(vm->watchdog_command);
    free(vm);
}

// --- LOGON -----------------------------------------------------------------------

static void enlist(struct vm *vm)
{
    struct vm **at = &vm->cp->users;

    while (*at)
        at = &(*at)->next;
    *at = vm;
    vm->cp->users_count++;
    if (!vm->cp->operator&& strcmp(vm->userid, vm->cp->config->userid_operator) == 0) {
        vm->cp->operator= vm;
        vm->console->terminal.timestamp = true;
    }
}

static void delist(struct vm *vm)
{
    struct vm **at = &vm->cp->users;

    while (*at != vm)
        at = &(*at)->next;
    *at = vm->next;
    vm->cp->users_count--;
    if (vm->cp->operator== vm)
        vm->cp->operator= NULL;
}

static int may_log_on(struct cp *cp, const char *userid, const struct directory_user **entry,
                      struct response *out)
{
    struct vm *vm = cp_user(cp, userid);

    if (vm && vm->logging_off)
        return message_send(out, MESSAGE_logon_logoff_pending, userid);
    if (vm)
        return message_send(out, MESSAGE_already_logged_on,
                            vm->terminal ? vm->terminal->name : "DISC");
    *entry = directory_find(cp->directory, userid);
    if (!*entry || (*entry)->password_kind == PASSWORD_NOLOG)
        return message_send(out, MESSAGE_user_not_in_directory, userid);
    if (cp->config->features.max_users && cp->users_count >= cp->config->features.max_users &&
        !(*entry)->option.ignmaxu)
        return message_send(out, MESSAGE_max_users);
    return 0;
}

// COMMAND statements, with all authority; "&USERID" stands for the user.
static void directory_commands(struct vm *vm)
{
    struct cp *cp = vm->cp;
    uint64_t vmdbk = vm->vmdbk;
    const struct directory_user *entry = vm->entry;

    for (unsigned i = 0; i < entry->commands && vm && vm->vmdbk == vmdbk; i++) {
        struct text line = {0};
        const char *s = entry->command[i], *at;
        while ((at = strstr(s, "&USERID"))) {
            text_add(&line, s, (size_t)(at - s));
            text_puts(&line, vm->userid);
            s = at + strlen("&USERID");
        }
        text_puts(&line, s);
        struct response out = response_to_vm(vm);
        vm->classes = CLASS_ANY;
        command_execute(cp, vm, NULL, text_get(&line), &out);
        text_free(&line);
        vm = cp_user(cp, entry->userid);
        if (vm)
            vm->classes = entry->classes;
    }
}

static void stack_data(struct vm *vm, const char *data)
{
    const char *end = vm->console->terminal.line_end;

    while (*data) {
        const char *stop = *end ? strstr(data, end) : NULL;
        size_t n = stop ? (size_t)(stop - data) : strlen(data);
        char *line = mem_zero(n + 1, 1);
        memcpy(line, data, n);
        vm_console_input(vm, line);
        free(line);
        data += n + (stop ? strlen(end) : 0);
    }
}

int vm_logon(struct cp *cp, const char *userid, const struct logon_options *options,
             struct response *out)
{
    const struct directory_user *entry = NULL;
    int rc = may_log_on(cp, userid, &entry, out);

    if (rc)
        return rc;
    struct vm *vm = vm_new(cp, entry, options);
    if (!vm)
        return message_send(out, MESSAGE_logon_no_storage, userid);
    enlist(vm);
    struct response to_user = response_to_vm(vm);
    vdevs_from_directory(vm, &to_user);
    if (!options->quiet)
        session_banner(vm);
    session_operator(vm, "LOGON", options->by);
    cp_notify(cp, CP_EVENT_LOGON, vm, NULL, NULL);
    vm_console_status(vm);

    uint64_t vmdbk = vm->vmdbk;
    directory_commands(vm);
    vm = cp_user(cp, entry->userid);
    if (!vm || vm->vmdbk != vmdbk)
        return 0;
    if (!options->no_ipl)
        vm_ipl_from_directory(vm, options, &to_user);
    vm = cp_user(cp, entry->userid);
    if (vm && vm->vmdbk == vmdbk && options->data)
        stack_data(vm, options->data);
    return 0;
}

// --- LOGOFF ------------------------------------------------------------------------

static bool on_a_processor(const struct vm *vm)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i] && vm->vcpu[i]->on)
            return true;
    return false;
}

static void part_from_terminal(struct vm *vm)
{
    struct terminal *term = vm->terminal;

    if (!term)
        return;
    vm_line(vm, LINE_CP, "");
    vm_line(vm, LINE_CP, "Press enter or clear key to continue");
    vm->terminal = NULL;
    term->vm = NULL;
    term->ops->ended(term);
}

static void log_off_now(struct vm *vm)
{
    struct cp *cp = vm->cp;
    const char *by = vm->logoff_by[0] ? vm->logoff_by : NULL;

    vm_quiesce(vm);
    vm->generation++;
    if (vm->service) {
        const struct service_machine *service = vm->service;
        vm->service = NULL;
        service->stop(vm);
    }
    vm_console_close(vm);
    accounting_usage(vm);
    cp_notify(cp, CP_EVENT_LOGOFF, vm, NULL, NULL);
    session_logoff_lines(vm, by);
    delist(vm);
    session_operator(vm, "LOGOFF", by);
    part_from_terminal(vm);
    vm_free(vm);
}

void vm_finish_logoff(struct vm *vm)
{
    if (vm->logoff_pending && !on_a_processor(vm))
        log_off_now(vm);
}

void vm_logoff(struct vm *vm, const char *by)
{
    if (vm->logoff_pending)
        return;
    vm->logging_off = vm->logoff_pending = true;
    if (by)
        copy_text(vm->logoff_by, sizeof vm->logoff_by, by);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i]) {
            vcpu_unlist(vm->vcpu[i]);
            cpu_request_exit(vm->vcpu[i]->cpu);
        }
    vm_finish_logoff(vm);
}
