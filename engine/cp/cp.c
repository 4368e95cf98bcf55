// SPDX-License-Identifier: MIT
// The life of a system: IPL, start, shutdown; who listens; the operator.
#include "cp/cp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/dcss.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/iucv.h"
#include "cp/nic.h"
#include "cp/recording.h"
#include "cp/spool.h"
#include "cp/star_msg.h"
#include "cp/system_config.h"

#define DEFAULT_SLICE            (5 * TOD_MILLISECOND)
#define DEFAULT_INSTRUCTION_COST 20

// --- configuration files ------------------------------------------------------

// The whole file, or NULL when there is none of that name in the folder (*errors when it cannot be
// read). Free it.
static char *read_folder_file(const char *folder, const char *const names[2], const char **used,
                              struct text *errors)
{
    for (unsigned i = 0; i < 2; i++) {
        struct text path = {0}, content = {0};
        char buffer[4096];
        size_t n;
        text_printf(&path, "%s/%s", folder, names[i]);
        FILE *in = fopen(text_get(&path), "rb");
        if (!in && errno != ENOENT)
            text_printf(errors, "%s: %s\n", text_get(&path), strerror(errno));
        text_free(&path);
        if (!in)
            continue;
        while ((n = fread(buffer, 1, sizeof buffer, in)) > 0)
            text_add(&content, buffer, n);
        fclose(in);
        *used = names[i];
        return content.s ? content.s : mem_string("");
    }
    return NULL;
}

struct source_text {
    const char *name, *text;
    char *owned;
};

static struct source_text find_text(const struct cp_options *options, const char *given,
                                    const char *const names[2], const char *embedded,
                                    struct text *errors)
{
    struct source_text source = {.name = names[1], .text = given};

    if (!source.text && options->folder) {
        source.owned = read_folder_file(options->folder, names, &source.name, errors);
        source.text = source.owned;
    }
    if (!source.text)
        source.text = embedded;
    return source;
}

static bool read_configuration(struct cp *cp, const struct cp_options *options, struct text *errors)
{
    static const char *const config_names[2] = {"system.config", "SYSTEM CONFIG"};
    static const char *const direct_names[2] = {"user.direct", "USER DIRECT"};
    struct source_text config =
        find_text(options, options->config_text, config_names, default_system_config, errors);
    struct source_text direct =
        find_text(options, options->directory_text, direct_names, default_user_direct, errors);

    cp->config = system_config_parse(config.name, config.text, errors);
    cp->directory = directory_parse(direct.name, direct.text, errors);
    free(config.owned);
    free(direct.owned);
    return cp->config && cp->directory;
}

// --- IPL ----------------------------------------------------------------------

static void set_processors(struct cp *cp, unsigned count)
{
    tod_t now = clock_now(&cp->world->clock);

    cp->processors = count ? count : cp->config->processors;
    if (cp->processors > MACHINE_MAX_CPUS)
        cp->processors = MACHINE_MAX_CPUS;
    cp->processor = mem_zero(cp->processors, sizeof *cp->processor);
    for (unsigned i = 0; i < cp->processors; i++)
        cp->processor[i] = (struct real_processor){.cp = cp,
                                                   .address = i,
                                                   .type = cp->config->processor_type,
                                                   .online = true,
                                                   .local = now};
}

static void set_constants(struct cp *cp, const struct cp_options *options)
{
    memcpy(cp->system_name, cp->config->system_name, sizeof cp->system_name);
    memcpy(cp->timezone_name, cp->config->timezone, sizeof cp->timezone_name);
    cp->timezone = cp->config->timezone_offset;
    cp->storage = options->storage ? options->storage : cp->config->storage;
    cp->cpu_model = options->cpu_model ? *options->cpu_model : cp->config->cpu_model;
    cp->log_message = cp->config->log_message ? mem_string(cp->config->log_message) : NULL;
    cp->time_slice = DEFAULT_SLICE;
    cp->instruction_cost =
        options->instruction_cost ? options->instruction_cost : DEFAULT_INSTRUCTION_COST;
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++)
        cp->intercept_cost[i] = (tod_t)intercept_rows[i].cost_ns * 4096 / 1000;
    cp->ipl_time = clock_now(&cp->world->clock);
}

struct cp *cp_new(struct machine_world *world, const struct cp_options *options,
                  struct text *errors)
{
    struct cp *cp = mem_zero(1, sizeof *cp);

    logon_command_register();
    cp->world = world;
    if (!read_configuration(cp, options, errors)) {
        cp_free(cp);
        return NULL;
    }
    cp->folder = options->folder ? mem_string(options->folder) : NULL;
    set_constants(cp, options);
    set_processors(cp, options->processors);
    dispatch_init(cp);
    star_msg_init(cp);
    recording_init(cp);
    cp->spool = spool_new(options->folder, errors);
    if (!cp->spool || rdevs_from_config(cp, errors)) {
        cp_free(cp);
        return NULL;
    }
    return cp;
}

// --- start ---------------------------------------------------------------------

static void operator_response(struct response *out, const char *utf8)
{
    cp_operator_line(out->arg, "%s", utf8);
}

static void autolog(struct cp *cp, const char *userid, const char *by)
{
    struct response out = {.line = operator_response, .arg = cp};
    struct logon_options options = {.autolog = true, .by = by};

    if (!cp_user(cp, userid))
        vm_logon(cp, userid, &options, &out);
}

// Commands of SYSTEM CONFIG run with all authority as the operator's virtual machine; errors name
// their line.
static void run_config_commands(struct cp *cp)
{
    for (unsigned i = 0; i < cp->config->commands && cp->operator; i++) {
        struct text answer = {0};
        struct response out = response_to_text(&answer);
        class_set own = cp->operator->classes;
        cp->operator->classes = CLASS_ANY;
        int rc = command_execute(cp, cp->operator, NULL, cp->config->command[i].text, &out);
        cp->operator->classes = own;
        if (rc)
            cp_operator_line(cp, "SYSTEM CONFIG, RECORD %u: %s", cp->config->command[i].line,
                             text_get(&answer));
        text_free(&answer);
    }
}

void cp_start(struct cp *cp)
{
    const struct system_config *config = cp->config;

    world_lock(cp->world);
    if (directory_find(cp->directory, config->userid_operator))
        autolog(cp, config->userid_operator, NULL);
    run_config_commands(cp);
    if (directory_find(cp->directory, config->userid_autolog))
        autolog(cp, config->userid_autolog, NULL);
    for (unsigned i = 0; i < config->autologs; i++)
        autolog(cp, config->autolog[i], config->userid_autolog);
    if (cp->world->clock.mode == CLOCK_REAL)
        processors_start(cp);
    world_unlock(cp->world);
}

// --- shutdown --------------------------------------------------------------------

static void log_everybody_off(struct cp *cp)
{
    struct vm *vm = cp->users;

    while (vm) {
        struct vm *next = vm->next;
        if (vm != cp->operator)
            vm_logoff(vm, "SYSTEM");
        vm = next;
    }
}

void cp_shutdown(struct cp *cp)
{
    world_lock(cp->world);
    if (!cp->shutting_down) {
        cp->shutting_down = true;
        cp_notify(cp, CP_EVENT_SHUTDOWN, NULL, NULL, NULL);
        log_everybody_off(cp);
        cp->down = true;
        cp->stop_threads = true;
        cp_break(cp);
        world_wake(cp->world);
    }
    world_unlock(cp->world);
}

void cp_free(struct cp *cp)
{
    if (!cp)
        return;
    if (cp->processor) {
        cp_shutdown(cp);
        processors_stop(cp);
        world_lock(cp->world);
        dispatch_release_all(cp);
        while (cp->users)
            vm_logoff(cp->users, "SYSTEM");
        world_unlock(cp->world);
        dispatch_free(cp);
    }
    recording_free(cp);
    iucv_free(cp);
    dcss_free_all(cp);
    rdevs_free(cp);
    spool_free(cp->spool);
    nic_system_free(cp);
    directory_free(cp->directory);
    system_config_free(cp->config);
    free(cp->processor);
    free(cp->log_message);
    free((char *)(uintptr_t)cp->folder);
    free(cp);
}

// --- listeners, the operator -------------------------------------------------------

void cp_service_machine(struct cp *cp, const struct service_machine *machine)
{
    INVARIANT(cp->services < sizeof cp->service / sizeof *cp->service);
    cp->service[cp->services++] = machine;
}

void cp_listen(struct cp *cp, struct cp_listener *listener)
{
    struct cp_listener **at = &cp->listeners;

    while (*at)
        at = &(*at)->next;
    listener->next = NULL;
    *at = listener;
}

void cp_unlisten(struct cp *cp, struct cp_listener *listener)
{
    struct cp_listener **at = &cp->listeners;

    while (*at && *at != listener)
        at = &(*at)->next;
    if (*at)
        *at = listener->next;
}

void cp_notify(struct cp *cp, enum cp_event what, struct vm *vm, struct rdev *rdev,
               const char *text)
{
    struct cp_event_data event = {.what = what, .vm = vm, .rdev = rdev, .text = text};
    struct cp_listener *next;

    for (struct cp_listener *l = cp->listeners; l; l = next) {
        next = l->next;
        l->notify(l->arg, &event);
    }
}

void cp_notify_about(struct cp *cp, enum cp_event what, struct vm *vm, const void *about)
{
    struct cp_event_data event = {.what = what, .vm = vm, .about = about};
    struct cp_listener *next;

    for (struct cp_listener *l = cp->listeners; l; l = next) {
        next = l->next;
        l->notify(l->arg, &event);
    }
}

void cp_watch(struct cp *cp, enum cp_event what, bool on)
{
    uint64_t bit = UINT64_C(1) << what;

    cp->watched = on ? cp->watched | bit : cp->watched & ~bit;
}

void cp_operator_line(struct cp *cp, const char *fmt, ...)
{
    struct text text = {0};
    va_list ap;

    va_start(ap, fmt);
    text_vprintf(&text, fmt, ap);
    va_end(ap);
    LOG(CP, "operator: %s", text_get(&text));
    if (cp->operator)
        vm_line(cp->operator, LINE_CP, text_get(&text));
    else if (cp->lost)
        text_printf(cp->lost, "%s\n", text_get(&text));
    text_free(&text);
}

struct vm *cp_user(const struct cp *cp, const char *userid)
{
    for (struct vm *vm = cp->users; vm; vm = vm->next)
        if (strcasecmp(vm->userid, userid) == 0)
            return vm;
    return NULL;
}
