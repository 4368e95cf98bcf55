// SPDX-License-Identifier: MIT
// Listing, checking, filling and reading CKD images for a person.
#include "devices/dasd_tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "base/text.h"

// An open image with room for one track.
struct tool {
    const char *path;
    struct dasd_image *image;
    const struct dasd_model *model;
    uint8_t *track;
};

static long fail(struct tool *t, char **error, const char *reason)
{
    struct text text = {0};
    text_printf(&text, "%s: %s", t->path, reason);
    if (error)
        *error = text.s;
    else
        text_free(&text);
    return -1;
}

static bool tool_open(struct tool *t, const char *path, bool read_only, char **error)
{
    *t = (struct tool){.path = path, .image = dasd_image_open(path, read_only, error)};
    if (!t->image)
        return false;
    t->model = dasd_image_model(t->image);
    t->track = mem_alloc(t->model->track_size);
    return true;
}

static void tool_close(struct tool *t)
{
    dasd_image_close(t->image);
    free(t->track);
}

// Reads a track; what is wrong with it, or NULL. *where is the offset in the track.
static const char *load(struct tool *t, unsigned track, size_t *where)
{
    *where = 0;
    if (dasd_image_read(t->image, track, t->track) != 0)
        return strerror(errno);
    return track_check(t->track, t->model->track_size, track / t->model->heads,
                       track % t->model->heads, where);
}

// --- list ----------------------------------------------------------------------------------------

// Offsets in a data set control block, key included.
enum {
    DSCB_FORMAT = 44,
    DSCB_EXTENTS = 59,
    DSCB_ORGANISATION = 82,
    DSCB_BLOCK_LENGTH = 86,
    DSCB_RECORD_LENGTH = 88,
    DSCB_EXTENT = 105,
    DSCB_SIZE = 140,
};

static const char *organisation(const uint8_t *dscb)
{
    switch (be16_load(dscb + DSCB_ORGANISATION) & 0xFEFF) {
    case 0x4000:
        return "PS";
    case 0x0200:
        return "PO";
    case 0x2000:
        return "DA";
    case 0x0008:
        return "VS";
    default:
        return "-";
    }
}

static void list_data_set(const uint8_t *dscb, FILE *out)
{
    char name[180];
    const uint8_t *extent = dscb + DSCB_EXTENT;
    ebcdic_field_text(dscb, 44, name, sizeof name);
    fprintf(out, "  %-44s %-2s blksize %5u lrecl %5u extents %2u  %u/%u - %u/%u\n", name,
            organisation(dscb), be16_load(dscb + DSCB_BLOCK_LENGTH),
            be16_load(dscb + DSCB_RECORD_LENGTH), dscb[DSCB_EXTENTS], be16_load(extent + 2),
            be16_load(extent + 4), be16_load(extent + 6), be16_load(extent + 8));
}

// The records of a VTOC track from `first` on; counts data sets, finds the VTOC's own extent.
static void list_track(struct tool *t, unsigned first, FILE *out, unsigned *sets, unsigned *end)
{
    struct track_record r;
    size_t size = t->model->track_size;
    for (bool more = track_find(t->track, size, first, &r); more;
         more = track_next(t->track, size, &r)) {
        const uint8_t *dscb = t->track + r.offset + TRACK_COUNT_BYTES;
        if (r.key + r.data < DSCB_SIZE)
            continue;
        if (dscb[DSCB_FORMAT] == 0xF4)
            *end = be16_load(dscb + DSCB_EXTENT + 6) * t->model->heads +
                   be16_load(dscb + DSCB_EXTENT + 8);
        else if (dscb[DSCB_FORMAT] == 0xF1 || dscb[DSCB_FORMAT] == 0xF8) {
            list_data_set(dscb, out);
            ++*sets;
        }
    }
}

static void list_vtoc(struct tool *t, const uint8_t *address, FILE *out)
{
    unsigned track = be16_load(address) * t->model->heads + be16_load(address + 2), sets = 0;
    unsigned end = track, first = address[4];
    unsigned all = dasd_image_cylinders(t->image) * t->model->heads;
    size_t where;
    if (be16_load(address + 2) >= t->model->heads || track >= all) {
        fprintf(out, "  no VTOC\n");
        return;
    }
    fprintf(out, "VTOC at %u/%u\n", track / t->model->heads, track % t->model->heads);
    for (; track <= end && track < all; track++, first = 1)
        if (!load(t, track, &where))
            list_track(t, first, out, &sets, &end);
    fprintf(out, "  %u data set%s\n", sets, sets == 1 ? "" : "s");
}

int dasd_tool_list(const char *path, FILE *out, char **error)
{
    struct tool t;
    struct track_record r;
    char text[32], serial[32];
    size_t where;
    if (!tool_open(&t, path, true, error))
        return -1;
    unsigned cylinders = dasd_image_cylinders(t.image);
    fprintf(out, "%s: %s, %u cylinders, %u heads, %u bytes a track\n", path, t.model->name,
            cylinders, t.model->heads, t.model->record_max);
    if (load(&t, 0, &where) || !track_find(t.track, t.model->track_size, 3, &r) ||
        r.key + r.data < 80) {
        fprintf(out, "no label\n");
        tool_close(&t);
        return 0;
    }
    const uint8_t *label = t.track + r.offset + TRACK_COUNT_BYTES + r.key;
    ebcdic_field_text(label, 4, text, sizeof text);
    ebcdic_field_text(label + 4, 6, serial, sizeof serial);
    if (strcmp(text, "VOL1") == 0) {
        uint8_t vtoc[5];
        memcpy(vtoc, label + 11, sizeof vtoc);
        fprintf(out, "label VOL1 %s\n", serial);
        list_vtoc(&t, vtoc, out);
    } else if (strcmp(text, "CMS1") == 0) {
        fprintf(out, "label CMS1 %s\n", serial);
    } else {
        fprintf(out, "no label\n");
    }
    tool_close(&t);
    return 0;
}

// --- check ---------------------------------------------------------------------------------------

// Records that no real track could hold.
static const char *check_space(const struct tool *t, size_t *where)
{
    struct track_record r;
    unsigned space = 0;
    size_t size = t->model->track_size;
    if (track_first(t->track, size, &r))
        while (track_next(t->track, size, &r)) {
            space += dasd_record_space(t->model, r.key, r.data);
            *where = r.offset;
            if (space > dasd_track_space(t->model))
                return "more records than the track has room for";
        }
    return NULL;
}

int dasd_tool_check(const char *path, FILE *out, char **error)
{
    struct tool t;
    int damaged = 0;
    if (!tool_open(&t, path, true, error))
        return -1;
    unsigned all = dasd_image_cylinders(t.image) * t.model->heads;
    for (unsigned track = 0; track < all; track++) {
        size_t where;
        const char *reason = load(&t, track, &where);
        if (!reason)
            reason = check_space(&t, &where);
        if (!reason)
            continue;
        damaged++;
        fprintf(out, "%s: offset %llu: track %u/%u: %s\n", path,
                (unsigned long long)(dasd_image_offset(t.image, track) + where),
                track / t.model->heads, track % t.model->heads, reason);
    }
    fprintf(out, "%s: %u tracks, %d damaged\n", path, all, damaged);
    tool_close(&t);
    return damaged;
}

// --- import and export ---------------------------------------------------------------------------

// Fills the track's records from `in`; how many, 0 at the end of the input.
static unsigned fill_track(struct tool *t, unsigned track, unsigned block, FILE *in)
{
    unsigned fit = dasd_records_per_track(t->model, 0, block), n = 0;
    uint8_t *data = mem_alloc(block);
    track_format(t->track, t->model->track_size, track / t->model->heads, track % t->model->heads);
    while (n < fit) {
        uint8_t count[TRACK_COUNT_BYTES];
        size_t got = fread(data, 1, block, in);
        if (got == 0)
            break;
        memset(data + got, 0, block - got);
        memcpy(count, t->track + 1, 4);
        count[4] = (uint8_t)++n;
        count[5] = 0;
        be16_store(count + 6, (uint16_t)block);
        track_append(t->track, t->model->track_size, count, NULL, data);
    }
    free(data);
    return n;
}

long dasd_tool_import(const char *path, unsigned cylinder, unsigned head, unsigned block, FILE *in,
                      char **error)
{
    struct tool t;
    long blocks = 0;
    if (!tool_open(&t, path, false, error))
        return -1;
    unsigned all = dasd_image_cylinders(t.image) * t.model->heads;
    const char *wrong = NULL;
    if (cylinder >= dasd_image_cylinders(t.image) || head >= t.model->heads)
        wrong = "no such track";
    else if (block == 0 || block > t.model->record_max)
        wrong = "the block size does not fit a track";
    for (unsigned track = cylinder * t.model->heads + head; !wrong; track++) {
        int c = getc(in);
        if (c == EOF)
            break;
        ungetc(c, in);
        if (track >= all) {
            wrong = "the volume is full";
            break;
        }
        blocks += fill_track(&t, track, block, in);
        if (dasd_image_write(t.image, track, t.track) != 0)
            wrong = strerror(errno);
    }
    if (!wrong && ferror(in))
        wrong = "the input cannot be read";
    if (wrong)
        blocks = fail(&t, error, wrong);
    tool_close(&t);
    return blocks;
}

// Writes the track's records; how many, up to `most`. *stop at a record of length 0.
static unsigned long drain_track(const struct tool *t, unsigned long most, FILE *out, bool *stop)
{
    struct track_record r;
    unsigned long n = 0;
    size_t size = t->model->track_size;
    bool more = track_find(t->track, size, 1, &r);
    *stop = !more;
    for (; more && n < most; more = track_next(t->track, size, &r), n++) {
        if (r.data == 0) {
            *stop = true;
            break;
        }
        fwrite(t->track + r.offset + TRACK_COUNT_BYTES + r.key, 1, r.data, out);
    }
    return n;
}

long dasd_tool_export(const char *path, unsigned cylinder, unsigned head, unsigned long records,
                      FILE *out, char **error)
{
    struct tool t;
    unsigned long n = 0;
    bool stop = false;
    size_t where;
    if (!tool_open(&t, path, true, error))
        return -1;
    unsigned all = dasd_image_cylinders(t.image) * t.model->heads;
    const char *wrong = cylinder >= dasd_image_cylinders(t.image) || head >= t.model->heads
                            ? "no such track"
                            : NULL;
    for (unsigned track = cylinder * t.model->heads + head;
         !wrong && !stop && track < all && (records == 0 || n < records); track++) {
        wrong = load(&t, track, &where);
        if (!wrong)
            n += drain_track(&t, records ? records - n : SIZE_MAX, out, &stop);
    }
    if (!wrong && ferror(out))
        wrong = "the output cannot be written";
    long result = wrong ? fail(&t, error, wrong) : (long)n;
    tool_close(&t);
    return result;
}
