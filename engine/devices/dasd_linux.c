// SPDX-License-Identifier: MIT
// Volumes in Linux's compatible disk layout: label, VTOC, one partition.
#include "devices/dasd_linux.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "base/text.h"
#include "devices/dasd_image.h"
#include "devices/dasd_tool.h"

#define FIRST_TRACK 2u // of the partition

enum { KEY = 44, DATA = 96, DSCB = KEY + DATA };

// Offsets in data set control blocks (DFSMSdfp Advanced Services, "VTOC Format"), key included.
enum {
    DSCB_FORMAT = 44,
    // format 4: the VTOC itself
    F4_HIGHEST = 45,   // of the data sets' DSCBs: cylinder 2, head 2, record
    F4_FREE = 50,      // DSCBs, 2
    F4_EXTENTS = 59,   // of the VTOC
    F4_CYLINDERS = 62, // of the volume, 2
    F4_HEADS = 64,     // 2
    F4_CAPACITY = 66,  // of a track in bytes, 2
    F4_FLAGS = 71,
    F4_PER_TRACK = 74, // DSCBs
    F4_EXTENT = 105,
    F4_CYLINDERS_LONG = 132, // 4
    F4_FORMATS = 138,
    // format 1: a data set
    F1_VOLUME = 45,   // 6
    F1_SEQUENCE = 51, // 2
    F1_CREATED = 53,  // year since 1900, day 2
    F1_EXPIRES = 56,
    F1_EXTENTS = 59,
    F1_SYSTEM = 62, // 13
    F1_REFERRED = 75,
    F1_RECORD_FORMAT = 84,
    F1_BLOCK = 86,  // bytes, 2
    F1_RECORD = 88, // bytes, 2
    F1_INDICATORS = 93,
    F1_ALLOCATION = 94,
    F1_EXTENT = 105, // type, sequence, first cylinder 2, head 2, last cylinder 2, head 2
};

struct layout {
    const char *path;
    struct dasd_image *image;
    const struct dasd_model *model;
    unsigned cylinders, per_track;
    char volser[7];
    uint8_t *track;
};

static bool open_layout(struct layout *l, const char *path, bool read_only, char **error)
{
    *l = (struct layout){.path = path, .image = dasd_image_open(path, read_only, error)};
    if (!l->image)
        return false;
    l->model = dasd_image_model(l->image);
    l->cylinders = dasd_image_cylinders(l->image);
    l->per_track = dasd_records_per_track(l->model, 0, DASD_LINUX_BLOCK);
    l->track = mem_alloc(l->model->track_size);
    return true;
}

// Closes, and -1 with *error when something is wrong.
static long close_layout(struct layout *l, long result, const char *wrong, char **error)
{
    if (wrong) {
        struct text text = {0};
        text_printf(&text, "%s: %s", l->path, wrong);
        *error = text.s;
        result = -1;
    }
    dasd_image_close(l->image);
    free(l->track);
    return result;
}

// --- label and VTOC
// --------------------------------------------------------------------------------

static bool append(struct layout *l, unsigned track, unsigned record, unsigned key, unsigned length,
                   const uint8_t *bytes)
{
    uint8_t count[TRACK_COUNT_BYTES] = {0};
    be16_store(count, (uint16_t)(track / l->model->heads));
    be16_store(count + 2, (uint16_t)(track % l->model->heads));
    count[4] = (uint8_t)record;
    count[5] = (uint8_t)key;
    be16_store(count + 6, (uint16_t)length);
    return track_append(l->track, l->model->track_size, count, bytes, bytes + key);
}

// Blocks behind the records that every labelled volume begins with.
static const char *complete_label(struct layout *l)
{
    struct track_record label;
    uint8_t block[DASD_LINUX_BLOCK] = {0};
    if (dasd_image_read(l->image, 0, l->track) != 0)
        return strerror(errno);
    if (!dasd_image_volser(l->image, l->volser) ||
        !track_find(l->track, l->model->track_size, 3, &label))
        return "the volume has no label";
    for (unsigned record = 4; record <= l->per_track; record++)
        if (!append(l, 0, record, 0, sizeof block, block))
            return "track 0 is full";
    return dasd_image_write(l->image, 0, l->track) ? strerror(errno) : NULL;
}

static void extent(uint8_t *at, unsigned first_cylinder, unsigned first_head, unsigned cylinder,
                   unsigned head)
{
    at[0] = 1;
    be16_store(at + 2, (uint16_t)first_cylinder);
    be16_store(at + 4, (uint16_t)first_head);
    be16_store(at + 6, (uint16_t)cylinder);
    be16_store(at + 8, (uint16_t)head);
}

static void vtoc_dscb(const struct layout *l, uint8_t dscb[DSCB])
{
    memset(dscb, 0, DSCB);
    memset(dscb, 0x04, KEY);
    dscb[DSCB_FORMAT] = 0xF4;
    dscb[F4_HIGHEST + 3] = 1;
    dscb[F4_HIGHEST + 4] = 3;
    be16_store(dscb + F4_FREE, (uint16_t)(l->per_track - 3));
    dscb[F4_EXTENTS] = 1;
    be16_store(dscb + F4_CYLINDERS, (uint16_t)l->cylinders);
    be16_store(dscb + F4_HEADS, (uint16_t)l->model->heads);
    be16_store(dscb + F4_CAPACITY, (uint16_t)l->model->record_max);
    dscb[F4_FLAGS] = 0x30;
    dscb[F4_PER_TRACK] = (uint8_t)l->per_track;
    extent(dscb + F4_EXTENT, 0, 1, 0, 1);
    be32_store(dscb + F4_CYLINDERS_LONG, l->cylinders);
    dscb[F4_FORMATS] = 0x40;
}

// Free space: there is none.
static void space_dscb(uint8_t dscb[DSCB])
{
    memset(dscb, 0, DSCB);
    memset(dscb, 0x05, 4);
    dscb[DSCB_FORMAT] = 0xF5;
}

static void date(uint8_t *at, unsigned year, unsigned day)
{
    at[0] = (uint8_t)year;
    be16_store(at + 1, (uint16_t)day);
}

// The partition, under the name that fdasd gives it. Always of the same day, so that equal input
// makes equal volumes.
static void partition_dscb(const struct layout *l, uint8_t dscb[DSCB])
{
    struct text name = {0};
    memset(dscb, 0, DSCB);
    text_printf(&name, "LINUX.V%s.PART0001.NATIVE", l->volser);
    ebcdic_field(dscb, KEY, text_get(&name));
    text_free(&name);
    dscb[DSCB_FORMAT] = 0xF1;
    ebcdic_field(dscb + F1_VOLUME, 6, l->volser);
    be16_store(dscb + F1_SEQUENCE, 1);
    date(dscb + F1_CREATED, 100, 1);
    date(dscb + F1_EXPIRES, 99, 365);
    date(dscb + F1_REFERRED, 100, 1);
    dscb[F1_EXTENTS] = 1;
    ebcdic_field(dscb + F1_SYSTEM, 13, "IBM LINUX");
    dscb[F1_RECORD_FORMAT] = 0x88;
    be16_store(dscb + F1_BLOCK, DASD_LINUX_BLOCK);
    be16_store(dscb + F1_RECORD, DASD_LINUX_BLOCK);
    dscb[F1_INDICATORS] = 0x80;
    dscb[F1_ALLOCATION] = 0x80;
    extent(dscb + F1_EXTENT, 0, FIRST_TRACK, l->cylinders - 1, l->model->heads - 1);
}

static const char *write_vtoc(struct layout *l)
{
    uint8_t dscb[DSCB];
    track_format(l->track, l->model->track_size, 0, 1);
    for (unsigned record = 1; record <= l->per_track; record++) {
        if (record == 1)
            vtoc_dscb(l, dscb);
        else if (record == 2)
            space_dscb(dscb);
        else if (record == 3)
            partition_dscb(l, dscb);
        else
            memset(dscb, 0, sizeof dscb);
        if (!append(l, 1, record, KEY, DATA, dscb))
            return "track 1 is full";
    }
    return dasd_image_write(l->image, 1, l->track) ? strerror(errno) : NULL;
}

// --- the partition
// ---------------------------------------------------------------------------------

// A track of blocks, zeros behind the end of the input.
static const char *write_blocks(struct layout *l, unsigned track, FILE *in)
{
    uint8_t block[DASD_LINUX_BLOCK];
    track_format(l->track, l->model->track_size, track / l->model->heads, track % l->model->heads);
    for (unsigned record = 1; record <= l->per_track; record++) {
        size_t got = fread(block, 1, sizeof block, in);
        memset(block + got, 0, sizeof block - got);
        append(l, track, record, 0, sizeof block, block);
    }
    if (ferror(in))
        return "the input cannot be read";
    return dasd_image_write(l->image, track, l->track) ? strerror(errno) : NULL;
}

long dasd_linux_create(const char *path, FILE *in, char **error)
{
    struct layout l;
    if (!open_layout(&l, path, false, error))
        return -1;
    unsigned end = l.cylinders * l.model->heads;
    const char *wrong = end > 0xFFFF ? "too large for this layout" : complete_label(&l);
    if (!wrong)
        wrong = write_vtoc(&l);
    for (unsigned track = FIRST_TRACK; !wrong && track < end; track++)
        wrong = write_blocks(&l, track, in);
    if (!wrong && getc(in) != EOF)
        wrong = "the input is larger than the partition";
    return close_layout(&l, (long)((end - FIRST_TRACK) * l.per_track), wrong, error);
}

// Finds the extent of the n-th data set in the VTOC, as tracks; what is wrong, or NULL.
static const char *find_partition(struct layout *l, unsigned number, unsigned *first,
                                  unsigned *last)
{
    struct track_record r;
    size_t size = l->model->track_size;
    if (dasd_image_read(l->image, 1, l->track) != 0)
        return strerror(errno);
    for (bool more = track_find(l->track, size, 1, &r); more;
         more = track_next(l->track, size, &r)) {
        const uint8_t *dscb = l->track + r.offset + TRACK_COUNT_BYTES, *at = dscb + F1_EXTENT;
        if (r.key + r.data < DSCB || (dscb[DSCB_FORMAT] != 0xF1 && dscb[DSCB_FORMAT] != 0xF8) ||
            --number)
            continue;
        *first = be16_load(at + 2) * l->model->heads + be16_load(at + 4);
        *last = be16_load(at + 6) * l->model->heads + be16_load(at + 8);
        return *first <= *last && *last < l->cylinders * l->model->heads
                   ? NULL
                   : "the partition reaches beyond the volume";
    }
    return "no such partition";
}

long dasd_linux_export(const char *path, unsigned number, FILE *out, char **error)
{
    struct layout l;
    unsigned first = 0, last = 0;
    if (!open_layout(&l, path, true, error))
        return -1;
    const char *wrong = find_partition(&l, number, &first, &last);
    unsigned heads = l.model->heads;
    unsigned long records = (unsigned long)(last - first + 1) * l.per_track;
    if (close_layout(&l, 0, wrong, error) != 0)
        return -1;
    return dasd_tool_export(path, first / heads, first % heads, records, out, error);
}
