// SPDX-License-Identifier: MIT
// SPOOL and CLOSE: the settings of virtual unit record devices and of console spooling.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/spool_files.h"
#include "cp/commands/table.h"
#include "cp/vm_console.h"

// All devices of a kind, or one: what the first operand of SPOOL and CLOSE names.
struct target {
    bool console;
    bool by_number;
    uint16_t vdev;
    enum spool_queue kind;
};

static int take_target(struct command_call *call, struct target *target)
{
    const char *word = call_peek(call);
    *target = (struct target){0};
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (call_keyword(call, "CONSOLE", 3)) {
        target->console = true;
        return 0;
    }
    if (take_queue(call, &target->kind))
        return 0;
    if (!parse_vdev(word, &target->vdev))
        return call_error(call, MESSAGE_invalid_operand, word);
    call->next++;
    target->by_number = true;
    if (call->vm->console->device && call->vm->console->vdev == target->vdev)
        target->console = true;
    else if (!spool_device(call->vm, target->vdev))
        return call_error(call, MESSAGE_no_such_vdev, target->vdev);
    return 0;
}

static bool is_target(const struct target *target, const struct vm_spool_device *device)
{
    return target->by_number ? device->vdev == target->vdev : device->kind == target->kind;
}

// --- the console -------------------------------------------------------------

static int spool_console(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    while (call_peek(call)) {
        if (call_keyword(call, "START", 3))
            vm_console_spool(vm, true);
        else if (call_keyword(call, "STOP", 4))
            vm_console_spool(vm, false);
        else if (call_keyword(call, "CLOSE", 1))
            vm_console_close(vm);
        else
            return call_end(call);
    }
    return 0;
}

// --- unit record devices -----------------------------------------------------

static int take_class(struct command_call *call, struct vm_spool_device *device)
{
    const char *word = call_take(call);
    if (!is_spool_class(word) || (*word == '*' && device->kind != SPOOL_RDR))
        return call_error(call, MESSAGE_class_missing);
    device->spool_class = *word;
    return 0;
}

static int take_copies(struct command_call *call, struct vm_spool_device *device)
{
    uint64_t n;
    const char *word = call_take(call);
    if (word && *word == '*')
        word++;
    if (!word || !text_to_u64(word, 10, 255, &n) || n == 0)
        return call_error(call, MESSAGE_copies_invalid);
    device->copies = (unsigned)n;
    return 0;
}

// The queue of the receiver: files go to readers.
static void take_reader(struct command_call *call)
{
    if (!call_keyword(call, "RDR", 3))
        call_keyword(call, "READER", 1);
}

// "OFF" and "*" send what comes to the user itself.
static int take_receiver(struct command_call *call, struct vm_spool_device *device)
{
    if (call_keyword(call, "*", 1)) {
        memcpy(device->to, call->vm->userid, sizeof device->to);
        take_reader(call);
        return 0;
    }
    if (call_keyword(call, "SYSTEM", 3)) {
        device->to[0] = '\0';
        return 0;
    }
    if (take_known_user(call, device->to))
        return call->out->rc;
    take_reader(call);
    return 0;
}

static int take_name(struct command_call *call, struct vm_spool_device *device)
{
    const char *name = call_take(call), *type = call_take(call);
    if (!name || strlen(name) >= sizeof device->name ||
        (type && strlen(type) >= sizeof device->type))
        return call_error(call, MESSAGE_filename_missing);
    snprintf(device->name, sizeof device->name, "%s", name);
    snprintf(device->type, sizeof device->type, "%s", type ? type : "");
    return 0;
}

static int take_word(struct command_call *call, char out[9])
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strlen(word) > 8)
        return call_error(call, MESSAGE_invalid_operand, word);
    snprintf(out, 9, "%s", word);
    return 0;
}

// Words that set or clear one switch.
static const struct {
    const char *name;
    unsigned min;
    size_t offset;
    bool value;
} switches[] = {
    {"CONT", 3, offsetof(struct vm_spool_device, cont), true},
    {"NOCONT", 3, offsetof(struct vm_spool_device, cont), false},
    {"HOLD", 2, offsetof(struct vm_spool_device, hold), true},
    {"NOHOLD", 3, offsetof(struct vm_spool_device, hold), false},
    {"KEEP", 2, offsetof(struct vm_spool_device, keep), true},
    {"NOKEEP", 3, offsetof(struct vm_spool_device, keep), false},
    {"EOF", 3, offsetof(struct vm_spool_device, eof), true},
    {"NOEOF", 5, offsetof(struct vm_spool_device, eof), false},
};

static int take_setting(struct command_call *call, struct vm_spool_device *device)
{
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (call_keyword(call, switches[i].name, switches[i].min)) {
            *(bool *)((char *)device + switches[i].offset) = switches[i].value;
            return 0;
        }
    if (call_keyword(call, "CLASS", 2))
        return take_class(call, device);
    if (call_keyword(call, "COPY", 4))
        return take_copies(call, device);
    if (call_keyword(call, "TO", 2) || call_keyword(call, "FOR", 3))
        return take_receiver(call, device);
    if (call_keyword(call, "OFF", 3)) {
        device->to[0] = '\0';
        return 0;
    }
    if (call_keyword(call, "FORM", 2))
        return take_word(call, device->form);
    if (call_keyword(call, "DIST", 4))
        return take_word(call, device->distribution);
    if (call_keyword(call, "NAME", 4))
        return take_name(call, device);
    return call_end(call);
}

// Applied to a copy first, so that a refused command leaves the device alone.
static int spool_one(struct command_call *call, struct vm_spool_device *device)
{
    struct vm_spool_device changed = *device;
    bool close = false, purge = false;
    while (call_peek(call)) {
        if (call_keyword(call, "CLOSE", 3))
            close = true;
        else if (call_keyword(call, "PURGE", 3))
            purge = true;
        else if (take_setting(call, &changed))
            return call->out->rc;
    }
    *device = changed;
    if (purge)
        spool_device_purge(device);
    else if (close)
        spool_device_close(device, call->out);
    return 0;
}

static int spool(struct command_call *call)
{
    struct target target;
    unsigned start;
    if (take_target(call, &target))
        return call->out->rc;
    if (target.console)
        return spool_console(call);
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    start = call->next;
    for (struct vm_spool_device *d = call->vm->spool->devices; d; d = d->next) {
        if (!is_target(&target, d))
            continue;
        call->next = start;
        if (spool_one(call, d))
            return call->out->rc;
    }
    return 0;
}

static int close_one(struct command_call *call, struct vm_spool_device *device)
{
    struct vm_spool_device before = *device;
    bool purge = false;
    int rc = 0;
    while (rc == 0 && call_peek(call)) {
        if (call_keyword(call, "PURGE", 3))
            purge = true;
        else
            rc = take_setting(call, device);
    }
    if (rc == 0 && purge)
        spool_device_purge(device);
    else if (rc == 0)
        spool_device_close(device, call->out);
    // What CLOSE says is for this file; the settings stay SPOOL's.
    struct spool_file *file = device->file;
    unsigned record = device->record;
    *device = before;
    device->file = rc ? before.file : file;
    device->record = rc ? before.record : record;
    return rc;
}

static int close_verb(struct command_call *call)
{
    struct target target;
    unsigned start;
    if (take_target(call, &target))
        return call->out->rc;
    if (target.console) {
        if (call_end(call))
            return call->out->rc;
        vm_console_close(call->vm);
        return 0;
    }
    start = call->next;
    for (struct vm_spool_device *d = call->vm->spool->devices; d; d = d->next) {
        if (!is_target(&target, d))
            continue;
        call->next = start;
        if (close_one(call, d))
            return call->out->rc;
    }
    return 0;
}

// --- TAG -------------------------------------------------------------------------------------

static int tag_device(struct command_call *call, struct vm_spool_device *device, bool query)
{
    const char *text;
    if (query) {
        call_line(call, "%s", device->tag[0] ? device->tag : "(VOID)");
        return 0;
    }
    text = call_rest_raw(call);
    if (strlen(text) >= sizeof device->tag)
        return call_error(call, MESSAGE_invalid_operand, text);
    snprintf(device->tag, sizeof device->tag, "%s", text);
    return 0;
}

static int tag(struct command_call *call)
{
    struct target target;
    bool query = call_keyword(call, "QUERY", 1);
    if (!call_keyword(call, "DEV", 3))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    if (take_target(call, &target))
        return call->out->rc;
    if (target.console)
        return call_error(call, MESSAGE_invalid_operand, "CONSOLE");
    for (struct vm_spool_device *d = call->vm->spool->devices; d; d = d->next)
        if (is_target(&target, d) && tag_device(call, d, query))
            return call->out->rc;
    return 0;
}

#define DEVICE "{vdev | Reader | PRinter | PUnch | CONsole} "
static const struct command rows[] = {
    {"SPOOL", 2, CLASS('G'), false, spool,
     DEVICE
     "{CLass c | TO userid [RDR] | OFF | COPY n | CONt | NOCont | HOld | NOHold | KEep | NOKeep | "
     "EOF | NOEOF | FOrm f | DIST d | NAME fn [ft] | CLOSE | PURge | STArt | STOP} ...",
     "Sets what becomes of files that your virtual unit record devices make; for the console, "
     "START "
     "and STOP say whether it is recorded, and CLOSE makes a file of it."},
    {"TAG", 2, CLASS('G'), false, tag,
     "{DEV {vdev | Reader | PRinter | PUnch} [text] | QUERY DEV {vdev | PRinter | PUnch}}",
     "Sets or shows the text that goes along with files made by a virtual unit record device."},
    {"CLOSE", 1, CLASS('G'), false, close_verb,
     DEVICE "[HOld | PURge | TO userid [RDR] | NAME fn [ft] | ...]",
     "Ends the open file of your virtual unit record devices; options are for this file only."},
};
COMMAND_TABLE(spool_setting_commands, NULL, rows);
