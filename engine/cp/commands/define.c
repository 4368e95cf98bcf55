// SPDX-License-Identifier: MIT
// DEFINE: storage, virtual CPUs and virtual devices.
#include <stdio.h>
#include <string.h>

#include "cp/commands/devices.h"
#include "cp/commands/format.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/commands/verbs.h"
#include "cp/directory.h"
#include "cp/spool.h"
#include "cp/trace.h"
#include "cp/vdev.h"
#include "cp/vm_console.h"

static int define(struct command_call *call)
{
    return call_subcommand(call, "DEFINE");
}

// --- storage and CPUs --------------------------------------------------------

static int take_new_size(struct command_call *call, uint64_t *bytes)
{
    const struct directory_user *entry = call->vm->entry;
    call_keyword(call, "AS", 2);
    if (call_keyword(call, "MAXIMUM", 3)) {
        *bytes = entry->max_storage;
        return 0;
    }
    if (call_keyword(call, "INITIAL", 3)) {
        *bytes = entry->storage;
        return 0;
    }
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!text_to_size(word, bytes) || *bytes < 1024 * 1024 || *bytes % 4096)
        return call_error(call, MESSAGE_invalid_operand, word);
    return 0;
}

static int define_storage(struct command_call *call)
{
    struct text size = {0};
    uint64_t bytes;
    if (take_new_size(call, &bytes) || call_end(call))
        return call->out->rc;
    if (bytes > call->vm->entry->max_storage || vm_define_storage(call->vm, bytes) != 0)
        return storage_exceeds(call, call->vm->entry->max_storage);
    format_size(&size, bytes);
    call_line(call, "STORAGE = %s", text_get(&size));
    call_line(call, "Storage cleared - system reset.");
    text_free(&size);
    return 0;
}

static int set_machine(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!operand_is_machine_mode(word))
        return call_error(call, MESSAGE_invalid_operand, word);
    if (call_end(call))
        return call->out->rc;
    snprintf(call->vm->mode, sizeof call->vm->mode, "%s", word);
    vm_reset(call->vm, false);
    call_line(call, "System reset.");
    return 0;
}

static int define_one_cpu(struct command_call *call, unsigned address)
{
    const struct directory_user *entry = call->vm->entry;
    switch (vm_define_cpu(call->vm, address)) {
    case 0:
        break;
    case 1450:
        return call_error(call, MESSAGE_cpu_defined, address);
    default:
        return call_error(call, MESSAGE_cpu_limit, address, entry->max_cpus);
    }
    if (call->vm->trace)
        vm_vcpu(call->vm, address)->cpu->tracing = vm_vcpu(call->vm, 0)->cpu->tracing;
    call_line(call, "CPU %02X defined", address);
    return 0;
}

static int define_cpu(struct command_call *call)
{
    static const char *const types[] = {"CP", "IFL", "ZIIP", "ZAAP", "ICF"};
    uint64_t cpus;
    int rc = 0;
    if (take_cpus(call, &cpus))
        return call->out->rc;
    if (call_keyword(call, "TYPE", 4)) {
        const char *word = call_take(call);
        bool known = false;
        for (size_t i = 0; word && i < sizeof types / sizeof *types; i++)
            known |= strcmp(word, types[i]) == 0;
        if (!known)
            return call_error(call, word ? MESSAGE_invalid_operand : MESSAGE_operand_missing, word);
    }
    if (call_end(call))
        return call->out->rc;
    for (unsigned i = 0; i < MACHINE_MAX_CPUS && rc == 0; i++)
        if (cpus >> i & 1)
            rc = define_one_cpu(call, i);
    return rc;
}

// --- devices -----------------------------------------------------------------

// "RDR", "CONS", "DASD": the word a response begins with.
const char *vdev_word(const struct vdev *vdev)
{
    static const char *const words[] = {"CONS", "RDR", "PUN",  "PRT", "DASD",
                                        "DASD", "NIC", "TAPE", "DEV"};
    return words[vdev->kind];
}

static int already_defined(struct command_call *call, uint16_t number)
{
    const struct vdev *old = vdev_find(call->vm, number);
    return call_error(call, MESSAGE_vdev_defined, old ? vdev_word(old) : "DEV", number);
}

static int take_free_vdev(struct command_call *call, uint16_t *number)
{
    call_keyword(call, "AS", 2);
    if (take_vdev(call, number))
        return call->out->rc;
    if (vdev_find(call->vm, *number))
        return already_defined(call, *number);
    return 0;
}

static const struct {
    const char *name, *word;
    struct directory_spool entry;
} unit_record[] = {
    {"READER", "RDR", {.type = "2540", .kind = SPOOL_READER, .spool_class = '*'}},
    {"2501", "RDR", {.type = "2501", .kind = SPOOL_READER, .spool_class = '*'}},
    {"3505", "RDR", {.type = "3505", .kind = SPOOL_READER, .spool_class = '*'}},
    {"PUNCH", "PUN", {.type = "2540", .kind = SPOOL_PUNCH, .spool_class = 'A'}},
    {"3525", "PUN", {.type = "3525", .kind = SPOOL_PUNCH, .spool_class = 'A'}},
    {"PRINTER", "PRT", {.type = "1403", .kind = SPOOL_PRINTER, .spool_class = 'A'}},
    {"1403", "PRT", {.type = "1403", .kind = SPOOL_PRINTER, .spool_class = 'A'}},
    {"3203", "PRT", {.type = "3203", .kind = SPOOL_PRINTER, .spool_class = 'A'}},
    {"3211", "PRT", {.type = "3211", .kind = SPOOL_PRINTER, .spool_class = 'A'}},
};

static int define_unit_record(struct command_call *call)
{
    uint16_t number;
    if (take_free_vdev(call, &number) || call_end(call))
        return call->out->rc;
    for (size_t i = 0; i < sizeof unit_record / sizeof *unit_record; i++) {
        if (strcmp(call->command->name, unit_record[i].name) != 0)
            continue;
        struct directory_spool entry = unit_record[i].entry;
        entry.vdev = number;
        if (spool_device_define(call->vm, &entry) != 0)
            return already_defined(call, number);
        call_line(call, "%-4s %04X DEFINED", unit_record[i].word, number);
    }
    return 0;
}

static int define_console(struct command_call *call)
{
    uint16_t number;
    if (take_free_vdev(call, &number) || call_end(call))
        return call->out->rc;
    if (call->vm->console->device || vm_console_define(call->vm, number) != 0)
        return call_error(call, MESSAGE_vdev_defined, "CONS", call->vm->console->vdev);
    call_line(call, "CONS %04X DEFINED", number);
    return 0;
}

static int define_tdisk(struct command_call *call)
{
    uint64_t cylinders;
    uint16_t number;
    if (take_free_vdev(call, &number))
        return call->out->rc;
    call_keyword(call, "CYL", 3);
    if (take_number(call, 1, 65520, &cylinders) || call_end(call))
        return call->out->rc;
    int rc = vdev_define_tdisk(call->vm, number, (unsigned)cylinders, call->out);
    if (rc == 0)
        call_line(call, "DASD %04X DEFINED", number);
    return rc;
}

static const struct command top_rows[] = {
    {"DEFINE", 3, CLASS_ANY, false, define, "operand ...",
     "Adds storage, CPUs, devices or networks. HELP DEFINE lists the operands."},
};
#define UNIT_RECORD(name, min, purpose)                                        \
    {                                                                          \
        name, min, CLASS('G'), false, define_unit_record, "[AS] vdev", purpose \
    }
static const struct command rows[] = {
    {"STORAGE", 2, CLASS('G'), false, define_storage, "[AS] {size | MAXimum | INItial}",
     "Gives your virtual machine another storage size, up to the directory's maximum. The machine "
     "is reset and storage cleared."},
    {"CPU", 3, CLASS('G'), false, define_cpu, "n[-m] ... [TYPE {CP | IFL | ZIIP | ZAAP | ICF}]",
     "Adds virtual CPUs in the stopped state."},
    {"CONSOLE", 3, CLASS('G'), false, define_console, "[AS] vdev", "Adds a virtual console."},
    {"T3390", 5, CLASS('G'), false, define_tdisk, "[AS] vdev [CYL] n",
     "Adds a temporary disk of n cylinders, which is gone when you detach it or log off."},
    UNIT_RECORD("READER", 4, "Adds a virtual card reader (2540)."),
    UNIT_RECORD("PUNCH", 2, "Adds a virtual card punch (2540)."),
    UNIT_RECORD("PRINTER", 2, "Adds a virtual printer (1403)."),
    UNIT_RECORD("2501", 4, "Adds a virtual card reader."),
    UNIT_RECORD("3505", 4, "Adds a virtual card reader."),
    UNIT_RECORD("3525", 4, "Adds a virtual card punch."),
    UNIT_RECORD("1403", 4, "Adds a virtual printer."),
    UNIT_RECORD("3203", 4, "Adds a virtual printer."),
    UNIT_RECORD("3211", 4, "Adds a virtual printer."),
};
static const struct command set_rows[] = {
    {"MACHINE", 4, CLASS('G'), false, set_machine, "{ESA | XA | XC | Z}",
     "Sets the architecture of your virtual machine, which is reset."},
};
COMMAND_TABLE(define_verb_commands, NULL, top_rows);
COMMAND_TABLE(set_machine_commands, "SET", set_rows);
COMMAND_TABLE(define_commands, "DEFINE", rows);
