// SPDX-License-Identifier: MIT
// Virtual readers, punches and printers on the spool.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/inside.h"
#include "cp/spool.h"
#include "cp/vdev.h"
#include "devices/channel.h"
#include "devices/unit_record.h"

static struct spool *spool_of(const struct vm_spool_device *device)
{
    return device->vm->cp->spool;
}

static int64_t unix_now(const struct vm *vm)
{
    return tod_to_unix(clock_now(&vm->cp->world->clock), NULL);
}

// --- records ----------------------------------------------------------------------------

static bool write_record(void *arg, uint8_t command, const uint8_t *record, size_t n)
{
    struct vm_spool_device *device = arg;
    struct vm *vm = device->vm;

    if (!device->file)
        device->file = spool_create(spool_of(device), vm->userid, vm->userid, device->kind,
                                    device->kind == SPOOL_PRT ? "PRT" : "PUN", device->spool_class,
                                    unix_now(vm));
    spool_append(spool_of(device), device->file, command, record, n);
    vm->spool_writes++;
    vm->cards_punched += device->kind == SPOOL_PUN;
    return true;
}

// The file was read to its end: it goes, unless it is to be kept. A kept one is held, so that the
// next one comes to be read.
static void end_of_file(struct vm_spool_device *device)
{
    struct spool_file *file = device->file;

    if (device->keep || file->keep) {
        file->hold = true;
        file->in_use = false;
        spool_update(spool_of(device), file);
    } else {
        spool_purge(spool_of(device), file);
    }
    free(file);
    device->file = NULL;
    device->record = 0;
}

bool spool_device_open(struct vm_spool_device *device)
{
    struct spool_file next;

    if (device->file)
        return true;
    if (!spool_next_reader(spool_of(device), device->vm->userid, device->spool_class, &next))
        return false;
    next.in_use = true;
    spool_update(spool_of(device), &next);
    device->file = mem_alloc(sizeof next);
    *device->file = next;
    device->record = 0;
    return true;
}

static int read_record(void *arg, uint8_t *record, size_t size)
{
    struct vm_spool_device *device = arg;

    if (!spool_device_open(device))
        return UNIT_RECORD_NO_FILE;
    int n = spool_read(spool_of(device), device->file, device->record, NULL, record, size);
    if (n < 0) {
        end_of_file(device);
        return UNIT_RECORD_FILE_END;
    }
    device->record++;
    device->vm->spool_reads++;
    return n;
}

// --- devices -----------------------------------------------------------------------------

void spool_vm_new(struct vm *vm)
{
    vm->spool = mem_zero(1, sizeof *vm->spool);
}

struct vm_spool_device *spool_device(struct vm *vm, uint16_t vdev)
{
    for (struct vm_spool_device *d = vm->spool->devices; d; d = d->next)
        if (d->vdev == vdev)
            return d;
    return NULL;
}

static struct vm_spool_device *device_new(struct vm *vm, const struct directory_spool *entry)
{
    static const enum spool_queue kinds[] = {
        [SPOOL_READER] = SPOOL_RDR, [SPOOL_PUNCH] = SPOOL_PUN, [SPOOL_PRINTER] = SPOOL_PRT};
    struct vm_spool_device *device = mem_zero(1, sizeof *device), **at = &vm->spool->devices;

    device->vm = vm;
    device->vdev = entry->vdev;
    device->kind = kinds[entry->kind];
    device->spool_class = entry->spool_class;
    device->copies = 1;
    device->eof = true;
    strcpy(device->form, "STANDARD");
    while (*at)
        at = &(*at)->next;
    *at = device;
    return device;
}

int spool_device_define(struct vm *vm, const struct directory_spool *entry)
{
    static const enum vdev_kind vdev_kinds[] = {
        [SPOOL_READER] = VDEV_READER, [SPOOL_PUNCH] = VDEV_PUNCH, [SPOOL_PRINTER] = VDEV_PRINTER};
    uint64_t type = 0;
    struct vm_spool_device *spool;
    struct device *dev;

    if (css_device(vm->machine->css, entry->vdev))
        return 92;
    spool = device_new(vm, entry);
    struct unit_record_source source = {.read = read_record, .arg = spool};
    struct unit_record_sink sink = {.write = write_record, .arg = spool};
    text_to_u64(entry->type, 16, 0xFFFF, &type);
    switch (entry->kind) {
    case SPOOL_READER:
        dev = card_reader_new(entry->vdev, (uint16_t)type, &source);
        break;
    case SPOOL_PUNCH:
        dev = card_punch_new(entry->vdev, (uint16_t)type, &sink);
        break;
    default:
        // The models know three printers; the later ones behave as the 3203 does.
        dev = printer_new(entry->vdev, type == 0x1403 || type == 0x3211 ? (uint16_t)type : 0x3203,
                          &sink);
        break;
    }
    if (!dev || css_attach(vm->machine->css, dev, true)) {
        spool_device_remove(vm, entry->vdev);
        return 92;
    }
    vdev_add(vm, entry->vdev, vdev_kinds[entry->kind], entry->type);
    return 0;
}

static void give_back(struct vm_spool_device *device)
{
    if (!device->file)
        return;
    if (device->kind == SPOOL_RDR) {
        device->file->in_use = false;
        spool_update(spool_of(device), device->file);
        free(device->file);
        device->file = NULL;
    } else {
        spool_device_close(device, NULL);
    }
}

void spool_device_remove(struct vm *vm, uint16_t vdev)
{
    for (struct vm_spool_device **at = &vm->spool->devices; *at; at = &(*at)->next) {
        struct vm_spool_device *device = *at;
        if (device->vdev != vdev)
            continue;
        give_back(device);
        *at = device->next;
        free(device);
        return;
    }
}

void spool_vm_free(struct vm *vm)
{
    while (vm->spool->devices)
        spool_device_remove(vm, vm->spool->devices->vdev);
    free(vm->spool);
    vm->spool = NULL;
}

// --- closing -----------------------------------------------------------------------------

// Four digits, or thousands.
static void records_word(unsigned records, char out[12])
{
    if (records < 10000)
        snprintf(out, 12, "%04u", records);
    else
        snprintf(out, 12, "%03uK", records / 1000);
}

static const char *queue_word(enum spool_queue queue)
{
    return queue == SPOOL_RDR ? "RDR" : queue == SPOOL_PRT ? "PRT" : "PUN";
}

// To `out`, the response of the command that closed the file, or to the user's console.
static void tell(struct vm *vm, struct response *out, const struct spool_file *f, const char *queue,
                 unsigned id, const char *direction, const char *other, const char *was,
                 unsigned other_id)
{
    struct text text = {0};
    char records[12];

    records_word(f->records, records);
    text_printf(&text, "%s FILE %04u SENT %s %-8s %s %s %04u RECS %s CPY  %03u %c %s %s", queue, id,
                direction, other, was, *direction == 'F' ? "WAS" : "AS ", other_id, records,
                f->copies, f->spool_class, f->hold ? "HOLD  " : "NOHOLD",
                f->keep ? "KEEP" : "NOKEEP");
    if (out)
        response_line(out, "%s", text_get(&text));
    else
        vm_line(vm, LINE_CP, text_get(&text));
    text_free(&text);
}

unsigned spool_device_close(struct vm_spool_device *device, struct response *out)
{
    struct vm *vm = device->vm;
    struct spool_file *file = device->file;
    unsigned id;

    if (!file)
        return 0;
    if (device->kind == SPOOL_RDR) {
        file->hold |= device->hold;
        if (file->hold)
            give_back(device);
        else
            end_of_file(device);
        return 0;
    }
    memcpy(file->form, device->form, sizeof file->form);
    memcpy(file->distribution, device->distribution, sizeof file->distribution);
    memcpy(file->name, device->name, sizeof file->name);
    memcpy(file->type, device->type, sizeof file->type);
    file->copies = device->copies;
    file->hold = device->hold;
    file->keep = device->keep;
    spool_close(spool_of(device), file);
    id = file->id;
    if (device->to[0] && strcmp(device->to, "SYSTEM") != 0) {
        struct vm *receiver = cp_user(vm->cp, device->to);
        unsigned own = id;
        id = spool_give(spool_of(device), file, device->to, SPOOL_RDR);
        if (receiver && receiver->set.imsg)
            tell(receiver, receiver == vm ? out : NULL, file, "RDR", id, "FROM", vm->userid,
                 file->origin_type, own);
        if (vm->set.imsg && receiver != vm)
            tell(vm, out, file, queue_word(device->kind), own, "TO  ", device->to, "RDR", id);
        spool_reader_ready(vm->cp, device->to);
    } else if (out && vm->set.imsg) {
        tell(vm, out, file, queue_word(device->kind), id, "FROM", vm->userid,
             queue_word(device->kind), id);
    }
    free(file);
    device->file = NULL;
    return id;
}

void spool_device_purge(struct vm_spool_device *device)
{
    if (!device->file)
        return;
    spool_purge(spool_of(device), device->file);
    free(device->file);
    device->file = NULL;
    device->record = 0;
}

void spool_reader_ready(struct cp *cp, const char *owner)
{
    struct vm *vm = cp_user(cp, owner);

    for (struct vm_spool_device *d = vm ? vm->spool->devices : NULL; d; d = d->next)
        if (d->kind == SPOOL_RDR && !d->file)
            unit_record_ready(css_device(vm->machine->css, d->vdev));
}
