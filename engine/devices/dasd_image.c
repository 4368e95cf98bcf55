// SPDX-License-Identifier: MIT
// CKD volumes in files or in memory; the order in which a track is written.
#include "devices/dasd_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "base/text.h"

#define HEADER_BYTES  512u
#define CYLINDERS_MAX 65520u

static const char magic[8] = {'C', 'K', 'D', '_', 'P', '3', '7', '0'};

#define PARTS_MAX 27 // sequence characters 1-9, A-R

// One of the files that a volume is split into; most volumes are a single one.
struct part {
    int fd;
    unsigned end; // first track of the next part
};

struct dasd_image {
    const struct dasd_model *model;
    unsigned cylinders, tracks;
    bool read_only, sync, unsynced;
    char *path; // NULL: in memory
    struct part part[PARTS_MAX];
    unsigned parts;
    uint8_t **memory;  // by track, NULL = empty track
    uint8_t *previous; // a track as it is in the file, while it is written
    bool failing;      // see dasd_image_fail_after()
    unsigned writes_left;
};

static uint32_t little32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void fail(char **error, const char *path, const char *reason)
{
    if (!error)
        return;
    struct text text = {0};
    text_printf(&text, "%s: %s", path ? path : "volume in memory", reason);
    *error = text.s;
}

// The file that holds `track`.
static unsigned part_of(const struct dasd_image *image, unsigned track)
{
    unsigned i = 0;
    while (i + 1 < image->parts && track >= image->part[i].end)
        i++;
    return i;
}

uint64_t dasd_image_offset(const struct dasd_image *image, unsigned track)
{
    unsigned i = part_of(image, track);
    unsigned first = i ? image->part[i - 1].end : 0;
    return HEADER_BYTES + (uint64_t)(track - first) * image->model->track_size;
}

static struct dasd_image *new_image(const char *path)
{
    struct dasd_image *image = mem_zero(1, sizeof *image);
    image->sync = true;
    image->path = path ? mem_string(path) : NULL;
    return image;
}

// Sets the geometry, once it is known.
static void set_size(struct dasd_image *image, const struct dasd_model *model, unsigned cylinders)
{
    image->model = model;
    image->cylinders = cylinders;
    image->tracks = cylinders * model->heads;
    image->previous = mem_alloc(model->track_size);
    if (!image->path)
        image->memory = mem_zero(image->tracks, sizeof *image->memory);
}

void dasd_image_close(struct dasd_image *image)
{
    if (!image)
        return;
    dasd_image_sync(image);
    for (unsigned i = 0; i < image->parts; i++)
        close(image->part[i].fd);
    if (image->memory)
        for (unsigned i = 0; i < image->tracks; i++)
            free(image->memory[i]);
    free(image->memory);
    free(image->previous);
    free(image->path);
    free(image);
}

const struct dasd_model *dasd_image_model(const struct dasd_image *image)
{
    return image->model;
}

unsigned dasd_image_cylinders(const struct dasd_image *image)
{
    return image->cylinders;
}

bool dasd_image_read_only(const struct dasd_image *image)
{
    return image->read_only;
}

const char *dasd_image_path(const struct dasd_image *image)
{
    return image->path;
}

void dasd_image_set_sync(struct dasd_image *image, bool on)
{
    image->sync = on;
}

void dasd_image_fail_after(struct dasd_image *image, unsigned writes)
{
    image->failing = true;
    image->writes_left = writes;
}

int dasd_image_sync(struct dasd_image *image)
{
    int rc = 0;
    if (!image->unsynced || !image->sync)
        return 0;
    image->unsynced = false;
    for (unsigned i = 0; i < image->parts; i++)
        rc |= fdatasync(image->part[i].fd);
    return rc;
}

static int read_file(int fd, uint64_t offset, uint8_t *to, size_t n)
{
    while (n) {
        ssize_t got = pread(fd, to, n, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got == 0)
            errno = EIO; // the file was cut
        if (got <= 0)
            return -1;
        offset += (uint64_t)got;
        to += got;
        n -= (size_t)got;
    }
    return 0;
}

static int write_file(struct dasd_image *image, int fd, uint64_t offset, const uint8_t *from,
                      size_t n)
{
    if (image->failing && image->writes_left-- == 0) {
        image->writes_left = 0;
        errno = EIO;
        return -1;
    }
    while (n) {
        ssize_t put = pwrite(fd, from, n, (off_t)offset);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return -1;
        offset += (uint64_t)put;
        from += put;
        n -= (size_t)put;
    }
    return 0;
}

int dasd_image_read(struct dasd_image *image, unsigned track, uint8_t *buffer)
{
    const struct dasd_model *m = image->model;
    if (track >= image->tracks) {
        errno = EINVAL;
        return -1;
    }
    if (!image->memory)
        return read_file(image->part[part_of(image, track)].fd, dasd_image_offset(image, track),
                         buffer, m->track_size);
    if (image->memory[track])
        memcpy(buffer, image->memory[track], m->track_size);
    else
        track_format(buffer, m->track_size, track / m->heads, track % m->heads);
    return 0;
}

static int write_memory(struct dasd_image *image, unsigned track, const uint8_t *buffer)
{
    if (!image->memory[track])
        image->memory[track] = mem_alloc(image->model->track_size);
    memcpy(image->memory[track], buffer, image->model->track_size);
    return 0;
}

// Do both tracks have the same records up to the one that holds `offset`, and that one too? If so,
// only data of a record differ there, and *end is where that record ends.
static bool inside_record(const uint8_t *old, const uint8_t *new, size_t size, size_t offset,
                          size_t *end)
{
    struct track_record a, b;
    bool more = track_first(old, size, &a) && track_first(new, size, &b);
    while (more) {
        if (a.end != b.end || a.key != b.key || offset < a.offset + TRACK_COUNT_BYTES)
            return false;
        if (offset < a.end) {
            *end = a.end;
            return true;
        }
        more = track_next(old, size, &a) && track_next(new, size, &b);
    }
    return false;
}

static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t from, size_t end)
{
    while (from < end && a[from] == b[from])
        from++;
    return from;
}

// The offset of the count (or end marker) at or before `offset`.
static size_t count_before(const uint8_t *track, size_t size, size_t offset)
{
    struct track_record record;
    size_t at = 0;
    bool more = track_first(track, size, &record);
    while (more && record.offset <= offset) {
        at = record.offset;
        if (offset < record.end)
            return at;
        at = record.end;
        more = track_next(track, size, &record);
    }
    return at;
}

// Writes what differs from `at` on, in the order that keeps the track well formed.
static int write_ordered(struct dasd_image *image, int fd, uint64_t base, const uint8_t *new,
                         size_t at)
{
    static const uint8_t mark[TRACK_END_BYTES] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
    size_t end = track_end(new, image->model->track_size) + TRACK_END_BYTES;
    if (at < TRACK_HOME_BYTES) // a home address: all of the track
        return write_file(image, fd, base, new, image->model->track_size);
    if (end <= at + TRACK_END_BYTES) // the track ends here
        return write_file(image, fd, base + at, mark, sizeof mark);
    size_t behind = at + TRACK_END_BYTES;
    if (write_file(image, fd, base + at, mark, sizeof mark) ||
        write_file(image, fd, base + behind, new + behind, end - behind))
        return -1;
    return write_file(image, fd, base + at, new + at, TRACK_END_BYTES);
}

int dasd_image_write(struct dasd_image *image, unsigned track, const uint8_t *buffer)
{
    size_t size = image->model->track_size;
    if (track >= image->tracks || image->read_only) {
        errno = track >= image->tracks ? EINVAL : EROFS;
        return -1;
    }
    if (image->memory)
        return write_memory(image, track, buffer);
    uint64_t base = dasd_image_offset(image, track);
    int fd = image->part[part_of(image, track)].fd;
    if (read_file(fd, base, image->previous, size))
        return -1;
    image->unsynced = true;
    size_t at = first_difference(image->previous, buffer, 0, size), end;
    while (at < size && inside_record(image->previous, buffer, size, at, &end)) {
        if (write_file(image, fd, base + at, buffer + at, end - at))
            return -1;
        at = first_difference(image->previous, buffer, end, size);
    }
    if (at == size)
        return 0;
    return write_ordered(image, fd, base, buffer, count_before(buffer, size, at));
}

// --- open and create -----------------------------------------------------------------------------

struct header {
    const struct dasd_model *model;
    unsigned cylinders; // of this file
    unsigned sequence;  // 0: the only file, else the first of several is 1
    bool last;
};

static const char *check_header(const uint8_t *header, uint64_t file_size, struct header *out)
{
    if (memcmp(header, magic, sizeof magic) != 0) {
        if (memcmp(header, "CKD_C370", 8) == 0 || memcmp(header, "CKD_S370", 8) == 0)
            return "a compressed image; uncompressed ones are supported (offset 0)";
        return "not a CKD image: bad identifier at offset 0";
    }
    uint32_t heads = little32(header + 8), size = little32(header + 12);
    out->model = dasd_model_for(header[16], size, 0);
    out->sequence = header[17];
    out->last = header[18] == 0 && header[19] == 0;
    if (!out->model)
        return "unknown device type or track size at offset 12";
    if (heads != out->model->heads)
        return "wrong number of heads for the device type at offset 8";
    uint64_t cylinder = (uint64_t)heads * size;
    if ((file_size - HEADER_BYTES) % cylinder)
        return "the file does not end at the end of a cylinder";
    uint64_t n = (file_size - HEADER_BYTES) / cylinder;
    if (n == 0 || n > CYLINDERS_MAX)
        return "the file has no cylinder, or too many";
    out->cylinders = (unsigned)n;
    return NULL;
}

// Opens one file as the next part; what is wrong, or NULL.
static const char *open_part(struct dasd_image *image, const char *path, struct header *header)
{
    uint8_t bytes[HEADER_BYTES];
    struct stat st;
    int fd = open(path, (image->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC);
    if (fd < 0)
        return strerror(errno);
    image->part[image->parts++].fd = fd;
    if (fstat(fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode) || (uint64_t)st.st_size < HEADER_BYTES ||
        read_file(fd, 0, bytes, sizeof bytes))
        return "not a CKD image: shorter than its header";
    return check_header(bytes, (uint64_t)st.st_size, header);
}

// The names of a split volume's files differ in the character at the end of the name or before its
// first dot: 1, 2, ... 9, A, B, ... NULL when it is not 1 in the first one.
static char *sequence_character(char *path)
{
    char *name = strrchr(path, '/'), *dot;
    name = name ? name + 1 : path;
    dot = strchr(name, '.');
    char *at = (dot ? dot : name + strlen(name)) - 1;
    return at >= name && *at == '1' ? at : NULL;
}

// Opens the further files of a split volume; what is wrong, or NULL, *cylinders the sum.
static const char *open_rest(struct dasd_image *image, char *path, struct header *header,
                             unsigned *cylinders)
{
    const struct dasd_model *model = header->model;
    char *sequence = sequence_character(path);
    if (header->sequence != 1 || !sequence)
        return "not the first file of a split volume (offset 17)";
    while (!header->last) {
        if (image->parts == PARTS_MAX)
            return "split into too many files";
        *sequence = "123456789ABCDEFGHIJKLMNOPQR"[image->parts];
        const char *wrong = open_part(image, path, header);
        if (wrong)
            return wrong;
        if (header->model != model || header->sequence != image->parts)
            return "does not belong to the first file of the volume (offset 16)";
        *cylinders += header->cylinders;
        if (*cylinders > CYLINDERS_MAX)
            return "too many cylinders";
        image->part[image->parts - 1].end = *cylinders * model->heads;
    }
    return NULL;
}

struct dasd_image *dasd_image_open(const char *path, bool read_only, char **error)
{
    struct dasd_image *image = new_image(path);
    struct header header = {0};
    char *name = mem_string(path); // of the file that is being opened
    unsigned cylinders = 0;
    image->read_only = read_only;
    const char *wrong = open_part(image, path, &header);
    if (!wrong) {
        cylinders = header.cylinders;
        image->part[0].end = cylinders * header.model->heads;
        if (header.sequence)
            wrong = open_rest(image, name, &header, &cylinders);
    }
    if (wrong) {
        fail(error, name, wrong);
        dasd_image_close(image);
        image = NULL;
    } else {
        const struct dasd_model *m = header.model;
        set_size(image, dasd_model_for((uint8_t)m->type, m->track_size, cylinders), cylinders);
    }
    free(name);
    return image;
}

// The three records of track 0 that every volume has: IPL1 and IPL2, with which an IPL ends in a
// disabled wait, and the label.
static void add_label(uint8_t *track, size_t size, const char *volser)
{
    static const uint8_t ipl1_data[24] = {0x00, 0x06, 0, 0, 0,    0, 0, 0x0F,
                                          0x03, 0,    0, 0, 0x20, 0, 0, 1};
    static const uint8_t ipl1[8] = {0, 0, 0, 0, 1, 4, 0, 24}, ipl2[8] = {0, 0, 0, 0, 2, 4, 0, 144},
                         vol1[8] = {0, 0, 0, 0, 3, 4, 0, 80};
    uint8_t key[4], data[144] = {0};
    ebcdic_field(key, 4, "IPL1");
    track_append(track, size, ipl1, key, ipl1_data);
    ebcdic_field(key, 4, "IPL2");
    track_append(track, size, ipl2, key, data);
    ebcdic_field(data, 80, "VOL1");
    ebcdic_field(data + 4, 6, volser);
    memcpy(data + 11, "\x00\x00\x00\x01\x01", 5); // VTOC: cylinder 0, head 1, record 1
    ebcdic_field(data + 41, 10, "ENDICOTT");
    ebcdic_field(key, 4, "VOL1");
    track_append(track, size, vol1, key, data);
}

// Writes the head of each track; the rest stays a hole of the file.
static int format_file(struct dasd_image *image)
{
    const struct dasd_model *m = image->model;
    uint8_t header[HEADER_BYTES] = {0};
    memcpy(header, magic, sizeof magic);
    header[8] = (uint8_t)m->heads;
    header[12] = (uint8_t)m->track_size;
    header[13] = (uint8_t)(m->track_size >> 8);
    header[16] = (uint8_t)m->type;
    int fd = image->part[0].fd;
    if (ftruncate(fd, (off_t)dasd_image_offset(image, image->tracks)))
        return -1;
    for (unsigned track = 0; track < image->tracks; track++) {
        uint8_t head[TRACK_HOME_BYTES + TRACK_COUNT_BYTES + 8 + TRACK_END_BYTES];
        track_format(head, sizeof head, track / m->heads, track % m->heads);
        if (write_file(image, fd, dasd_image_offset(image, track), head, sizeof head))
            return -1;
    }
    // The header last: without it the file is no image yet.
    return write_file(image, fd, 0, header, sizeof header);
}

static int label(struct dasd_image *image, const char *volser)
{
    uint8_t *track = mem_alloc(image->model->track_size);
    track_format(track, image->model->track_size, 0, 0);
    add_label(track, image->model->track_size, volser);
    int rc = dasd_image_write(image, 0, track);
    free(track);
    return rc;
}

struct dasd_image *dasd_image_create(const char *path, const struct dasd_model *model,
                                     unsigned cylinders, const char *volser, char **error)
{
    if (cylinders == 0)
        cylinders = model->cylinders;
    if (cylinders > CYLINDERS_MAX || (volser && (strlen(volser) > 6 || !*volser))) {
        fail(error, path,
             volser && cylinders <= CYLINDERS_MAX
                 ? "the serial number must have one to six characters"
                 : "too many cylinders");
        return NULL;
    }
    int fd = path ? open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    if (path && fd < 0) {
        fail(error, path, strerror(errno));
        return NULL;
    }
    struct dasd_image *image = new_image(path);
    if (path)
        image->part[image->parts++].fd = fd;
    set_size(image, model, cylinders);
    if ((path && format_file(image)) || (volser && label(image, volser))) {
        fail(error, path, strerror(errno));
        dasd_image_close(image);
        if (path)
            unlink(path);
        return NULL;
    }
    return image;
}

bool dasd_image_volser(struct dasd_image *image, char volser[7])
{
    uint8_t *track = mem_alloc(image->model->track_size), vol1[4];
    struct track_record record;
    bool found = false;
    ebcdic_field(vol1, 4, "VOL1");
    if (dasd_image_read(image, 0, track) == 0 &&
        track_find(track, image->model->track_size, 3, &record) && record.key == 4 &&
        record.data >= 10) {
        const uint8_t *data = track + record.offset + TRACK_COUNT_BYTES + record.key;
        found = memcmp(data, vol1, 4) == 0;
        if (found) {
            char text[32];
            ebcdic_field_text(data + 4, 6, text, sizeof text);
            snprintf(volser, 7, "%.6s", text);
        }
    }
    free(track);
    return found;
}
