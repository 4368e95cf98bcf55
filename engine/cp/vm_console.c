// SPDX-License-Identifier: MIT
// The console of a virtual machine.
#include "cp/vm_console.h"

#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/directory.h"
#include "cp/inside.h"
#include "cp/spool.h"
#include "cp/system_config.h"
#include "cp/vdev.h"
#include "devices/console_3215.h"
#include "devices/console_3270.h"

#define PROMPT_DELAY (100 * TOD_MILLISECOND)

void terminal_settings_default(struct terminal_settings *settings,
                               const struct system_config *config)
{
    *settings = (struct terminal_settings){
        .line_size = 80,
        .attention = true,
        .hold = true,
        .break_key = "PA1",
        .more1 = 50,
        .more2 = 10,
    };
    memcpy(settings->line_end, config->line_end, sizeof settings->line_end);
    memcpy(settings->line_delete, config->line_delete, sizeof settings->line_delete);
    memcpy(settings->character_delete, config->character_delete, sizeof settings->character_delete);
    memcpy(settings->escape, config->escape, sizeof settings->escape);
    memcpy(settings->tab, config->tab, sizeof settings->tab);
}

static void flush_partial(struct vm_console *console)
{
    event_cancel(&console->vm->cp->world->events, &console->prompt);
    if (!console->partial.len)
        return;
    vm_line(console->vm, LINE_VM, text_get(&console->partial));
    text_clear(&console->partial);
}

void vm_console_show_partial(struct vm *vm)
{
    flush_partial(vm->console);
}

static void prompt_due(struct event *event, void *arg)
{
    (void)event;
    flush_partial(arg);
}

struct vm_console *vm_console_new(struct vm *vm)
{
    struct vm_console *console = mem_zero(1, sizeof *console);

    console->vm = vm;
    event_init(&console->prompt, prompt_due, console);
    terminal_settings_default(&console->terminal, vm->cp->config);
    console->shown = TERMINAL_LOGO;
    return console;
}

static void drop_input(struct vm_console *console)
{
    for (unsigned i = 0; i < console->inputs; i++)
        free(console->input[i]);
    console->inputs = 0;
}

void vm_console_free(struct vm_console *console)
{
    drop_input(console);
    for (unsigned i = 1; i <= PF_KEYS; i++)
        free(console->pf[i].text);
    event_cancel(&console->vm->cp->world->events, &console->prompt);
    text_free(&console->partial);
    free(console->file);
    free(console);
}

void vm_console_set_pf(struct vm *vm, unsigned key, char mode, const char *text)
{
    struct pf_key *pf = &vm->console->pf[key];

    free(pf->text);
    pf->mode = mode;
    pf->text = text ? mem_string(text) : NULL;
}

// --- the 3215 -------------------------------------------------------------------------

static void charge_console(struct vm *vm)
{
    if (vm->vcpu[0])
        vcpu_charge(vm->vcpu[0], INTERCEPT_CONSOLE, 0);
}

static void tell(const struct vm_console *console, enum cp_event what)
{
    if (cp_watches(console->vm->cp, what))
        cp_notify(console->vm->cp, what, console->vm, NULL, NULL);
}

// A prompt, written without a line end, is shown when the guest goes on to read, or when nothing
// follows for a moment: Linux only reads after the attention that a typed line makes.
static void console_output(void *arg, const char *utf8, bool newline)
{
    struct vm_console *console = arg;

    charge_console(console->vm);
    text_puts(&console->partial, utf8);
    if (!newline) {
        struct machine_world *world = console->vm->cp->world;
        event_schedule(&world->events, &console->prompt, clock_now(&world->clock) + PROMPT_DELAY);
        return;
    }
    tell(console, CP_EVENT_WRITE);
    if (console->partial.len)
        flush_partial(console);
    else
        vm_line(console->vm, LINE_VM, "");
}

static void console_reading(void *arg, bool reading)
{
    struct vm_console *console = arg;

    if (reading)
        flush_partial(console);
    if (console->reading != reading)
        tell(console, reading ? CP_EVENT_READ_BEGIN : CP_EVENT_READ_END);
    console->reading = reading;
    vm_console_status(console->vm);
}

static void console_alarm(void *arg)
{
    struct vm_console *console = arg;

    if (console->vm->terminal)
        console->vm->terminal->ops->line(console->vm->terminal, LINE_MESSAGE, "");
}

// --- the 3270 --------------------------------------------------------------------------

static bool display_write(void *arg, uint8_t command, const uint8_t *stream, size_t n)
{
    struct vm_console *console = arg;
    struct terminal *term = console->vm->terminal;

    charge_console(console->vm);
    if (!term || !term->ops->data_stream)
        return false;
    uint8_t *whole = mem_alloc(n + 1);
    whole[0] = command;
    memcpy(whole + 1, stream, n);
    term->ops->data_stream(term, whole, n + 1);
    free(whole);
    return true;
}

void terminal_data_stream(struct cp *cp, struct terminal *term, const uint8_t *data, size_t n)
{
    (void)cp;
    if (term->vm && term->vm->console->device && term->vm->console->is_3270)
        console_3270_input(term->vm->console->device, data, n);
}

static struct device *new_device(struct vm_console *console, bool is_3270)
{
    struct console_sink sink = {.output = console_output,
                                .reading = console_reading,
                                .alarm = console_alarm,
                                .arg = console};
    struct display_3270 display = {.write = display_write, .arg = console};

    return is_3270 ? console_3270_new(console->vdev, 2, &display)
                   : console_3215_new(console->vdev, NULL, &sink);
}

int vm_console_define(struct vm *vm, uint16_t vdev)
{
    struct vm_console *console = vm->console;
    bool is_3270 =
        vm->entry->console.present && vm->entry->console.is_3270 && vm->entry->console.vdev == vdev;

    if (console->device || css_device(vm->machine->css, vdev))
        return 92;
    console->vdev = vdev;
    console->is_3270 = console->terminal.conmode_3270 = is_3270;
    console->device = new_device(console, is_3270);
    if (css_attach(vm->machine->css, console->device, false))
        return 92;
    vdev_add(vm, vdev, VDEV_CONSOLE, is_3270 ? "3270" : "3215");
    return 0;
}

void vm_console_conmode(struct vm *vm)
{
    struct vm_console *console = vm->console;
    bool want = console->terminal.conmode_3270;

    if (!console->device || console->is_3270 == want)
        return;
    css_detach(vm->machine->css, console->vdev, false);
    console->reading = false;
    console->is_3270 = want;
    console->device = new_device(console, want);
    css_attach(vm->machine->css, console->device, false);
    vm_console_status(vm);
}

// --- input ------------------------------------------------------------------------------

bool vm_console_input(struct vm *vm, const char *utf8)
{
    struct vm_console *console = vm->console;

    if (vm->service) {
        struct response out = response_to_vm(vm);
        vm->service->input(vm, utf8, &out);
        return true;
    }
    if (!console->device || console->is_3270)
        return false;
    return console_3215_input(console->device, utf8);
}

void vm_console_attention(struct vm *vm)
{
    struct vm_console *console = vm->console;

    if (console->device && !console->is_3270)
        console_3215_attention(console->device);
}

// --- status -----------------------------------------------------------------------------

void vm_console_status(struct vm *vm)
{
    enum terminal_status status = vm->cp_read            ? TERMINAL_CP_READ
                                  : vm->console->reading ? TERMINAL_VM_READ
                                                         : TERMINAL_RUNNING;

    if (!vm->terminal || vm->console->shown == status)
        return;
    vm->console->shown = status;
    vm->terminal->ops->status(vm->terminal, status);
}

void vm_console_sign_on(struct vm *vm)
{
    const struct display_3270 display = {.write = display_write, .arg = vm->console};

    if (vm->console->device && vm->console->is_3270)
        console_3270_connect(vm->console->device, &display);
}

// --- console spooling -------------------------------------------------------------------

static int64_t unix_now(const struct vm *vm)
{
    return tod_to_unix(clock_now(&vm->cp->world->clock), NULL);
}

void vm_console_record(struct vm *vm, const char *utf8)
{
    struct vm_console *console = vm->console;
    uint8_t record[133];

    if (!console->spooling)
        return;
    if (!console->file)
        console->file = spool_create(vm->cp->spool, vm->userid, vm->userid, SPOOL_PRT, "CON",
                                     vm->entry->console.spool_class, unix_now(vm));
    size_t n = ebcdic_from_utf8(codepage_default(), utf8, record, sizeof record - 1);
    spool_append(vm->cp->spool, console->file, 0x09, record, n);
}

void vm_console_spool(struct vm *vm, bool on)
{
    vm->console->spooling = on;
}

unsigned vm_console_close(struct vm *vm)
{
    struct vm_console *console = vm->console;
    unsigned id = 0;

    if (!console->file)
        return 0;
    if (console->file->records) {
        spool_close(vm->cp->spool, console->file);
        id = console->file->id;
    } else {
        spool_purge(vm->cp->spool, console->file);
    }
    free(console->file);
    console->file = NULL;
    return id;
}
