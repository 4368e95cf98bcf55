// SPDX-License-Identifier: MIT
#include "cli/protocol.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

static const char magic[] = "ENDICOTT";
enum { MAGIC_SIZE = sizeof magic - 1, HELLO_SIZE = MAGIC_SIZE + 2 };

static bool known(uint8_t type)
{
    return type && strchr("HCTRSDNOIZALEB", type);
}

void frame_reader_free(struct frame_reader *reader)
{
    text_free(&reader->bytes);
    *reader = (struct frame_reader){0};
}

// Moves what is left to the front, once for many frames.
static void compact(struct frame_reader *reader)
{
    if (!reader->taken)
        return;
    reader->bytes.len -= reader->taken;
    memmove(reader->bytes.s, reader->bytes.s + reader->taken, reader->bytes.len);
    reader->taken = 0;
}

void frame_reader_add(struct frame_reader *reader, const void *bytes, size_t n)
{
    if (reader->broken || !n)
        return;
    compact(reader);
    text_add(&reader->bytes, bytes, n);
}

bool frame_next(struct frame_reader *reader, struct frame *frame)
{
    size_t left = reader->bytes.len - reader->taken;
    if (reader->broken || left < FRAME_HEADER)
        return false;
    const uint8_t *head = (const uint8_t *)reader->bytes.s + reader->taken;
    size_t n = be32_load(head) & 0xFFFFFF;
    if (!known(head[0]) || n > FRAME_MAX) {
        reader->broken = true;
        return false;
    }
    if (left < FRAME_HEADER + n)
        return false;
    *frame = (struct frame){(enum frame_type)head[0], head + FRAME_HEADER, n};
    reader->taken += FRAME_HEADER + n;
    return true;
}

void frame_put(struct text *out, enum frame_type type, const void *data, size_t n)
{
    uint8_t head[FRAME_HEADER];
    INVARIANT(n <= FRAME_MAX);
    be32_store(head, (uint32_t)type << 24 | (uint32_t)n);
    text_add(out, (const char *)head, sizeof head);
    if (n)
        text_add(out, data, n);
}

void frame_put_text(struct text *out, enum frame_type type, const char *utf8)
{
    size_t n = strlen(utf8);
    do {
        size_t part = n < FRAME_MAX ? n : FRAME_MAX;
        frame_put(out, type, utf8, part);
        utf8 += part;
        n -= part;
    } while (n);
}

void frame_put_hello(struct text *out, const char *name)
{
    struct text hello = {0};
    uint8_t version[2];
    be16_store(version, PROTOCOL_VERSION);
    text_add(&hello, magic, MAGIC_SIZE);
    text_add(&hello, (const char *)version, sizeof version);
    text_puts(&hello, name);
    frame_put(out, FRAME_HELLO, hello.s, hello.len);
    text_free(&hello);
}

bool frame_is_hello(const struct frame *frame)
{
    return frame->type == FRAME_HELLO && frame->n >= HELLO_SIZE &&
           memcmp(frame->data, magic, MAGIC_SIZE) == 0 &&
           be16_load(frame->data + MAGIC_SIZE) == PROTOCOL_VERSION;
}

int frame_goodbye(const struct frame *frame, char *why, size_t size)
{
    const char *text = frame->n ? (const char *)frame->data + 1 : "";
    snprintf(why, size, "%.*s", frame->n ? (int)frame->n - 1 : 0, text);
    return frame->n ? frame->data[0] : 1;
}

const char *frame_string(const struct frame *frame, const uint8_t **rest, size_t *n)
{
    const uint8_t *end = frame->n ? memchr(frame->data, 0, frame->n) : NULL;
    if (!end)
        return NULL;
    *rest = end + 1;
    *n = frame->n - (size_t)(end + 1 - frame->data);
    return (const char *)frame->data;
}
