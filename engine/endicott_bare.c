// SPDX-License-Identifier: MIT
// Bare machines behind endicott.h: a machine without CP on a virtual time line of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/console_3215.h"
#include "devices/dasd_ckd.h"
#include "devices/plain.h"
#include "endicott_private.h"

#define BARE_CONSOLE 0x0009
#define BARE_DASD    0x0191

struct endicott_bare {
    struct machine_world world;
    struct machine *machine;
    struct device *console;
    struct dasd_volume *volume;
    struct text output;
    bool zarch;
    tod_t start;
};

static void console_output(void *arg, const char *utf8, bool newline)
{
    struct endicott_bare *bare = arg;
    text_puts(&bare->output, utf8);
    if (newline)
        text_puts(&bare->output, "\n");
}

static void sclp_message(struct machine *machine, const char *utf8)
{
    console_output(machine->owner.arg, utf8, true);
}

static void attach_console(struct endicott_bare *bare)
{
    struct console_sink sink = {.output = console_output, .arg = bare};
    bare->console = console_3215_new(BARE_CONSOLE, NULL, &sink);
    INVARIANT(css_attach(bare->machine->css, bare->console, false) == 0);
}

static void attach_dasd(struct endicott_bare *bare, unsigned cylinders)
{
    char *error = NULL;
    struct dasd_image *image =
        dasd_image_create(NULL, dasd_model("3390"), cylinders, "SCRTCH", &error);
    INVARIANT(image); // a volume in memory of a known model
    bare->volume = dasd_volume_new(image);
    struct device *dasd = dasd_ckd_new(BARE_DASD, bare->volume, 0, cylinders, false);
    INVARIANT(css_attach(bare->machine->css, dasd, false) == 0);
}

static void attach_plain(struct endicott_bare *bare, const struct endicott_bare_options *options)
{
    struct device *device =
        plain_device_new(options->device_number, options->device_type, options->device_model, 0, 0);
    INVARIANT(css_attach(bare->machine->css, device, false) == 0);
}

static void attach_all(struct endicott_bare *bare, const struct endicott_bare_options *options)
{
    if (options->device_type)
        attach_plain(bare, options);
    if (!options->no_console)
        attach_console(bare);
    if (options->cylinders)
        attach_dasd(bare, options->cylinders);
}

static void identify(struct machine_identity *identity, const struct endicott_bare_options *options)
{
    *identity = (struct machine_identity){0};
    if (!options->hypervisor)
        return;
    snprintf(identity->hypervisor, sizeof identity->hypervisor, "%s", options->hypervisor);
    snprintf(identity->name, sizeof identity->name, "%s", options->name ? options->name : "BARE");
    if (options->uuid)
        memcpy(identity->uuid, options->uuid, sizeof identity->uuid);
}

struct endicott_bare *endicott_bare_new(const struct endicott_bare_options *options, char **error)
{
    struct cpu_model model;
    struct machine_identity identity;
    char reason[200];

    if (cpu_model_parse(&model, options->model ? options->model : "", reason, sizeof reason) < 0) {
        *error = endicott_text("%s", reason);
        return NULL;
    }
    identify(&identity, options);
    struct endicott_bare *bare = mem_zero(1, sizeof *bare);
    bare->zarch = options->zarch;
    bare->start = tod_from_unix(1767225600, 0); // 2026-01-01 00:00:00 UTC
    world_init(&bare->world, CLOCK_VIRTUAL, bare->start);
    struct machine_config config = {
        .storage = options->storage ? options->storage : 64u << 20,
        .cpus = options->cpus ? options->cpus : 1,
        .owner = {.message = sclp_message, .arg = bare},
        .instruction_cost = endicott_cost_of_mips(options->mips),
        .name = "BARE",
        .model = &model,
        .identity = &identity,
    };
    bare->machine = machine_new(&bare->world, &config);
    if (!bare->machine) {
        *error = endicott_text("the host has not enough storage");
        endicott_bare_free(bare);
        return NULL;
    }
    attach_all(bare, options);
    return bare;
}

void endicott_bare_free(struct endicott_bare *bare)
{
    if (!bare)
        return;
    machine_free(bare->machine);
    if (bare->volume)
        dasd_volume_free(bare->volume);
    world_free(&bare->world);
    text_free(&bare->output);
    free(bare);
}

int endicott_bare_ipl(struct endicott_bare *bare, const char *path, const char *parameters,
                      char **error)
{
    const char *reason = NULL;
    int rc = machine_ipl_file(bare->machine, path, parameters, &reason);
    if (rc < 0)
        *error = endicott_text("%s: %s", path, reason);
    else if (bare->zarch && bare->machine->cpu[0]->arch != ARCH_Z)
        machine_start_at(bare->machine, bare->machine->cpu[0]->psw.address, true);
    return rc;
}

bool endicott_bare_run(struct endicott_bare *bare, double seconds)
{
    return machine_run(bare->machine, clock_now(&bare->world.clock) + tod_from_seconds(seconds));
}

void endicott_bare_input(struct endicott_bare *bare, const char *line)
{
    if (!bare->console)
        return;
    world_lock(&bare->world);
    console_3215_input(bare->console, line);
    world_unlock(&bare->world);
}

void endicott_bare_state(struct endicott_bare *bare, struct endicott_bare_state *out)
{
    const struct machine *machine = bare->machine;
    *out = (struct endicott_bare_state){
        .elapsed = tod_to_seconds(clock_now(&bare->world.clock) - bare->start),
        .at_rest = machine_at_rest(machine),
        .wait_address = machine->cpu[0]->psw.address,
    };
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!machine->cpu[i])
            continue;
        out->cpu_time += tod_to_seconds(machine->cpu_busy[i]);
        out->instructions += machine->cpu[i]->instructions;
    }
}

const char *endicott_bare_output(struct endicott_bare *bare)
{
    return text_get(&bare->output);
}

int endicott_bare_peek(struct endicott_bare *bare, uint64_t absolute, void *to, size_t n)
{
    return storage_read(bare->machine->storage, absolute, to, n) ? (int)n : -1;
}
