// SPDX-License-Identifier: MIT
// The MONWRITE stream reader.
#include "monitor/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"

#define END_OF_SET 11 // D1R11

void control_entry_load(struct control_entry *entry, const uint8_t *from)
{
    *entry = (struct control_entry){be32_load(from), be32_load(from + 4), be32_load(from + 8)};
}

void control_entry_store(const struct control_entry *entry, uint8_t *to)
{
    be32_store(to, entry->type_domains);
    be32_store(to + 4, entry->start);
    be32_store(to + 8, entry->end);
}

enum frame_end frame_walk(const uint8_t *frame, size_t *at, size_t limit,
                          void (*fn)(void *arg, const uint8_t *raw,
                                     const struct record_header *header),
                          void *arg, const char **reason)
{
    struct record_header header;
    while (*at + RECORD_HEADER <= limit) {
        const uint8_t *raw = frame + *at;
        if (!record_header(raw, limit - *at, &header)) {
            *reason = be16_load(raw) < RECORD_HEADER ? "record length under 20"
                      : be16_load(raw) > limit - *at ? "record beyond the end of its frame"
                                                     : "not a record header";
            return FRAME_DAMAGED;
        }
        fn(arg, raw, &header);
        *at += header.length;
        if (header.domain == 1 && header.number == 13)
            return FRAME_ENDED;
    }
    return FRAME_FULL;
}

void reader_init(struct reader *reader, const struct reader_ops *ops, void *arg)
{
    *reader = (struct reader){.ops = ops, .arg = arg};
}

static void damage(struct reader *r, uint64_t offset, const char *reason)
{
    r->damages++;
    if (r->ops->damage)
        r->ops->damage(r->arg, offset, reason);
}

static void one_record(void *arg, const uint8_t *raw, const struct record_header *header)
{
    struct reader *r = arg;
    struct reader_record record = {raw, *header, record_layout(header->domain, header->number),
                                   r->target, r->offset + (uint64_t)(raw - r->data)};
    if (r->complete) { // what a set's last frame held before is not a part of it
        if (r->complete++ == 1)
            damage(r, record.offset, "record after the end of its set");
        return;
    }
    if (header->domain == DOMAIN_MONITOR && header->number == END_OF_SET)
        r->complete = 1;
    r->records++;
    if (r->ops->record)
        r->ops->record(r->arg, &record);
}

static bool block_is_zero(const uint8_t *block)
{
    return block[0] == 0 && memcmp(block, block + 1, FRAME_SIZE - 1) == 0;
}

// A frame begins with a record header, which has a zero there.
static bool looks_like_control(const uint8_t *block)
{
    return block[3] == MESSAGE_PENDING || block[3] == MESSAGE_PENDING - 1;
}

// NULL, or why the block is not a control record.
static const char *control_load(struct reader *r)
{
    const uint8_t *b = r->data;
    uint32_t first = be32_load(b + 12), last = be32_load(b + 16), size = last - first + 1;
    if (!looks_like_control(b))
        return "not a control record";
    if (last < first || size % CONTROL_ENTRY != 0 || size / CONTROL_ENTRY > CONTROL_ENTRIES)
        return "control record with a wrong control area size";
    r->target = be32_load(b + 8);
    r->complete = 0;
    r->entries = 0;
    for (unsigned i = 0; i < size / CONTROL_ENTRY; i++) {
        struct control_entry *e = &r->entry[i];
        control_entry_load(e, b + CONTROL_HEADER + i * CONTROL_ENTRY);
        if (e->type_domains == 0)
            break; // filled up with zeros
        if ((e->type_domains & TARGET_TYPE) != TARGET_SAMPLE &&
            (e->type_domains & TARGET_TYPE) != TARGET_EVENT)
            return "control entry of unknown type";
        if (e->end <= e->start)
            return "control entry that ends before it starts";
        r->entries++;
    }
    return r->entries ? NULL : "control record without entries";
}

static void control_block(struct reader *r)
{
    if (block_is_zero(r->data)) {
        r->ended = true;
        return;
    }
    r->ended = false;
    const char *reason = control_load(r);
    if (reason) {
        r->entries = 0;
        if (!r->lost)
            damage(r, r->offset, reason);
        r->lost = true;
        return;
    }
    r->lost = false;
    r->current = 0;
    r->frame = r->entry[0].start / FRAME_SIZE;
}

// Samples and their configuration end with D1R11. `damaged`: that something is wrong was told.
static void end_of_set(struct reader *r, uint64_t offset, bool damaged)
{
    if ((r->target & TARGET_TYPE) == TARGET_SAMPLE && !r->complete && !damaged)
        damage(r, offset, "a set of samples without its end");
    r->entries = 0;
}

// The first `present` bytes of the block are there.
static void data_block(struct reader *r, size_t present)
{
    const struct control_entry *e = &r->entry[r->current];
    uint32_t last = e->end / FRAME_SIZE;
    size_t at = r->frame == e->start / FRAME_SIZE ? e->start % FRAME_SIZE : 0;
    size_t limit = r->frame == last ? e->end % FRAME_SIZE + 1 : FRAME_SIZE;
    const char *reason;
    if (limit > present)
        limit = present;
    enum frame_end end = frame_walk(r->data, &at, limit, one_record, r, &reason);
    if (end == FRAME_FULL && at != limit && present == FRAME_SIZE) {
        end = FRAME_DAMAGED;
        reason = "too few bytes for a record at the end of a frame";
    }
    if (end == FRAME_DAMAGED)
        damage(r, r->offset + at, reason);
    if (r->frame++ < last)
        return;
    if (++r->current < r->entries)
        r->frame = r->entry[r->current].start / FRAME_SIZE;
    else
        end_of_set(r, r->offset + at, end == FRAME_DAMAGED || present < FRAME_SIZE);
}

// A control record that comes too early ends the set: what it announced is not all there.
static void one_block(struct reader *r, const uint8_t *block)
{
    r->data = block;
    if (r->entries && looks_like_control(block)) {
        damage(r, r->offset, "a control record within a set of records");
        r->entries = 0;
    }
    if (r->entries)
        data_block(r, FRAME_SIZE);
    else
        control_block(r);
    r->offset += FRAME_SIZE;
}

void reader_feed(struct reader *r, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    while (n > 0) {
        if (r->filled == 0 && n >= FRAME_SIZE) { // whole blocks are read where they are
            one_block(r, p);
            p += FRAME_SIZE;
            n -= FRAME_SIZE;
            continue;
        }
        size_t take = FRAME_SIZE - r->filled < n ? FRAME_SIZE - r->filled : n;
        memcpy(r->block + r->filled, p, take);
        r->filled += take;
        p += take;
        n -= take;
        if (r->filled < FRAME_SIZE)
            return;
        r->filled = 0;
        one_block(r, r->block);
    }
}

void reader_finish(struct reader *r)
{
    r->data = r->block;
    if (r->filled) {
        if (r->entries) // what there is of the last frame
            data_block(r, r->filled);
        damage(r, r->offset + r->filled, "the last block is not complete");
    } else if (r->entries) {
        damage(r, r->offset, "ends within a set of records");
    } else if (!r->ended) {
        damage(r, r->offset, "no end-of-data record");
    }
}

struct file_reader {
    const struct reader_ops *ops;
    void *arg;
    struct text *error;
    bool damaged;
};

static void file_record(void *arg, const struct reader_record *record)
{
    struct file_reader *f = arg;
    if (f->ops->record)
        f->ops->record(f->arg, record);
}

static void file_damage(void *arg, uint64_t offset, const char *reason)
{
    struct file_reader *f = arg;
    if (!f->damaged)
        text_printf(f->error, "damaged at byte %" PRIu64 ": %s", offset, reason);
    f->damaged = true;
    if (f->ops->damage)
        f->ops->damage(f->arg, offset, reason);
}

// Blocks are handed on where they were read to; short reads (pipes) end within one.
int reader_descriptor(struct reader *r, int fd)
{
    static const size_t size = 64 * FRAME_SIZE; // fits a second-level cache
    uint8_t *buffer = mem_alloc(size);
    ssize_t n;
    while ((n = read(fd, buffer, size)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            reader_feed(r, buffer, (size_t)n);
    int failed = n < 0 ? errno : 0;
    free(buffer);
    return failed;
}

int reader_file(const char *path, const struct reader_ops *ops, void *arg, struct text *error)
{
    static const struct reader_ops file_ops = {file_record, file_damage};
    struct file_reader f = {ops, arg, error, false};
    struct reader *r = mem_alloc(sizeof *r);
    int fd = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    int failed = fd < 0 ? errno : 0;
    reader_init(r, &file_ops, &f);
    if (!failed)
        failed = reader_descriptor(r, fd);
    if (fd > STDIN_FILENO)
        close(fd);
    if (!failed)
        reader_finish(r);
    else
        text_printf(error, "%s", strerror(failed));
    free(r);
    return failed ? -1 : f.damaged;
}
