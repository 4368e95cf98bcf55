// SPDX-License-Identifier: MIT
// DIAGNOSE X'14': a virtual reader's files by 4 KB spool buffers (CP Programming Services,
// "DIAGNOSE Code X'14' - Input Spool File Manipulation").
//
// A spool buffer begins with 16 bytes, of which the last four count its records, ends with the
// file's record length and number, and holds between these one data CCW with its record after the
// other, from which trailing blanks are removed.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/diagnose.h"
#include "cp/spool.h"

enum subcode { READ_NEXT = 0x0000, POSITION = 0x0028, NEXT_FILE = 0x0FFF };

#define COUNT_AT         12u
#define DATA_AT          16u
#define RECORD_LENGTH_AT 4064u // also the end of the data
#define SPOOLID_AT       4088u
#define CCW_SIZE         8u
#define HEADER           12u // CCW, two bytes, length with header
#define RECORD_MAX       4000u
#define EBCDIC_BLANK     0x40u
#define CCW_SLI          0x20u

// The record as it stands in a buffer, its length, 0 after the last one.
static size_t one_record(const struct vm_spool_device *device, unsigned number, uint8_t *to)
{
    uint8_t command = 0;
    int n =
        spool_read(device->vm->cp->spool, device->file, number, &command, to + HEADER, RECORD_MAX);

    if (n < 0)
        return 0;
    while (n > 1 && to[HEADER + n - 1] == EBCDIC_BLANK)
        n--;
    size_t length = (HEADER + (size_t)n + 7) & ~(size_t)7;
    memset(to, 0, HEADER);
    to[0] = command;
    to[4] = CCW_SLI;
    be16_store(to + 6, (uint16_t)n);
    be16_store(to + 10, (uint16_t)length);
    memset(to + HEADER + n, 0, length - HEADER - (size_t)n);
    return length;
}

// Fills a buffer from device->record on; false at the end of the file. `page` NULL: only passes it.
static bool next_buffer(struct vm_spool_device *device, uint8_t *page)
{
    uint8_t record[HEADER + RECORD_MAX + 8];
    uint32_t count = 0;
    size_t at = DATA_AT, n;

    while ((n = one_record(device, device->record, record)) > 0 && at + n <= RECORD_LENGTH_AT) {
        if (page)
            memcpy(page + at, record, n);
        at += n;
        count++;
        device->record++;
    }
    if (page) {
        memset(page, 0, DATA_AT);
        memset(page + at, 0, FRAME_SIZE - at);
        be32_store(page + COUNT_AT, count);
        be16_store(page + RECORD_LENGTH_AT, (uint16_t)device->file->record_length);
        be16_store(page + SPOOLID_AT, (uint16_t)device->file->id);
    }
    return count > 0;
}

static struct vm_spool_device *reader(struct diagnose_call *call)
{
    uint32_t vdev = (uint32_t)call->cpu->gr[call->y];
    struct vm_spool_device *device = vdev <= 0xFFFF ? spool_device(call->vm, (uint16_t)vdev) : NULL;

    return device && device->kind == SPOOL_RDR ? device : NULL;
}

// cc 0, 1 at the end of the file, 2 no file, 3 not a reader.
static void read_next(struct diagnose_call *call)
{
    struct vm_spool_device *device = reader(call);
    uint64_t at = diagnose_register(call, call->x);
    uint8_t page[FRAME_SIZE];

    if (at % FRAME_SIZE)
        diagnose_specification(call);
    if (!device) {
        diagnose_cc(call, 3);
    } else if (!spool_device_open(device)) {
        diagnose_cc(call, 2);
    } else if (!next_buffer(device, page)) {
        diagnose_cc(call, 1);
    } else {
        cpu_store_real(call->cpu, at, page, sizeof page);
        diagnose_cc(call, 0);
    }
}

// Rx: the number of a buffer, from 1. cc 0, 2 no file, 3 beyond its end.
static void position(struct diagnose_call *call)
{
    struct vm_spool_device *device = reader(call);
    uint32_t number = (uint32_t)call->cpu->gr[call->x];

    if (!device || !spool_device_open(device)) {
        diagnose_cc(call, device ? 2 : 3);
        return;
    }
    device->record = 0;
    for (uint32_t i = 1; i < number; i++)
        if (!next_buffer(device, NULL)) {
            diagnose_cc(call, 3);
            return;
        }
    diagnose_cc(call, 0);
}

// --- the description of a file ----------------------------------------------------------------

#define SFBLOK_SIZE      256u
#define STATUS_USER_HOLD 0x20u
#define STATUS_IN_USE    0x80u
#define TYPE_PUNCH       0x82u
#define TYPE_PRINTER     0x41u

// The next one after that of number `after` in the queue, or the first.
struct search {
    unsigned after;
    bool passed, found;
    struct spool_file file;
};

static void look_at(void *arg, const struct spool_file *file)
{
    struct search *search = arg;

    if (search->passed && !search->found) {
        search->found = true;
        search->file = *file;
    }
    if (file->id == search->after)
        search->passed = true;
}

static void store_moment(const struct vm *vm, const struct spool_file *file, uint8_t *to)
{
    struct tod_calendar c = tod_calendar(tod_from_unix(file->created + vm->cp->timezone, 0));
    char text[32];

    snprintf(text, sizeof text, "%02d/%02d/%02d%02d:%02d:%02d", c.month, c.day, c.year % 100,
             c.hour, c.minute, c.second);
    ebcdic_field(to, 16, text);
}

// Rx: where to; Ry: spool file number, 0 the first of the queue. cc 0, 1 none.
static void next_file(struct diagnose_call *call)
{
    struct search search = {.after = (uint32_t)call->cpu->gr[call->y]};
    uint64_t at = diagnose_register(call, call->x);
    uint8_t block[SFBLOK_SIZE] = {0};
    const struct spool_file *f = &search.file;

    search.passed = search.after == 0;
    spool_list(call->vm->cp->spool, call->vm->userid, SPOOL_RDR, look_at, &search);
    if (!search.found) {
        diagnose_cc(call, 1);
        return;
    }
    ebcdic_field(block + 0x08, 8, f->owner);
    ebcdic_field(block + 0x10, 8, f->origin);
    be32_store(block + 0x18, f->records);
    be16_store(block + 0x1C, (uint16_t)f->record_length);
    be16_store(block + 0x1E, (uint16_t)f->id);
    block[0x20] = (uint8_t)((f->in_use ? STATUS_IN_USE : 0) | (f->hold ? STATUS_USER_HOLD : 0));
    block[0x21] = strcmp(f->origin_type, "PUN") == 0 ? TYPE_PUNCH : TYPE_PRINTER;
    ebcdic_field(block + 0x28, 12, f->name);
    ebcdic_field(block + 0x34, 12, f->type);
    store_moment(call->vm, f, block + 0x40);
    block[0x56] = codepage_from_unicode(codepage_default(), (uint32_t)f->spool_class);
    cpu_store_real(call->cpu, at, block, sizeof block);
    diagnose_cc(call, 0);
}

void diagnose_14(struct diagnose_call *call)
{
    if (call->cpu->psw.ea)
        diagnose_specification(call);
    switch ((uint32_t)call->cpu->gr[(call->y + 1) & 15]) {
    case READ_NEXT:
        read_next(call);
        return;
    case POSITION:
        position(call);
        return;
    case NEXT_FILE:
        next_file(call);
        return;
    default:
        diagnose_specification(call);
    }
}
