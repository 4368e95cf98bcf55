// SPDX-License-Identifier: MIT
// A bounded queue of frames in a ring of bytes: a four-byte length, then the frame.
#include "network/queue.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define FIRST_SIZE 8192u
#define LENGTH     sizeof(uint32_t)

void frame_queue_init(struct frame_queue *queue, unsigned frames, size_t bytes)
{
    INVARIANT(bytes >= FIRST_SIZE && (bytes & (bytes - 1)) == 0);
    *queue = (struct frame_queue){.limit = bytes, .frames_limit = frames};
}

void frame_queue_free(struct frame_queue *queue)
{
    free(queue->ring);
    queue->ring = NULL;
    queue->size = queue->read = queue->write = 0;
    queue->frames = 0;
}

static void copy_in(struct frame_queue *queue, const void *from, size_t n)
{
    size_t at = queue->write & (queue->size - 1);
    size_t first = n < queue->size - at ? n : queue->size - at;
    memcpy(queue->ring + at, from, first);
    memcpy(queue->ring, (const uint8_t *)from + first, n - first);
    queue->write += n;
}

static void peek(const struct frame_queue *queue, size_t from, void *to, size_t n)
{
    size_t at = from & (queue->size - 1);
    size_t first = n < queue->size - at ? n : queue->size - at;
    memcpy(to, queue->ring + at, first);
    memcpy((uint8_t *)to + first, queue->ring, n - first);
}

// Makes the ring large enough for `n` more bytes; false when that is beyond the limit.
static bool make_room(struct frame_queue *queue, size_t n)
{
    size_t stored = queue->write - queue->read, size = queue->size ? queue->size : FIRST_SIZE;
    if (n > queue->limit - stored)
        return false;
    while (size - stored < n)
        size *= 2;
    if (size == queue->size)
        return true;
    uint8_t *ring = mem_alloc(size);
    if (stored > 0)
        peek(queue, queue->read, ring, stored);
    free(queue->ring);
    queue->ring = ring;
    queue->size = size;
    queue->read = 0;
    queue->write = stored;
    return true;
}

bool frame_queue_put(struct frame_queue *queue, const uint8_t *frame, size_t n)
{
    if (n == 0 || n > queue->limit || queue->frames >= queue->frames_limit ||
        !make_room(queue, n + LENGTH)) {
        queue->dropped++;
        return false;
    }
    uint32_t length = (uint32_t)n;
    copy_in(queue, &length, LENGTH);
    copy_in(queue, frame, n);
    queue->frames++;
    return true;
}

size_t frame_queue_first(const struct frame_queue *queue)
{
    uint32_t length = 0;
    if (queue->frames > 0)
        peek(queue, queue->read, &length, LENGTH);
    return length;
}

void frame_queue_peek(const struct frame_queue *queue, uint8_t *to)
{
    size_t n = frame_queue_first(queue);
    if (n > 0)
        peek(queue, queue->read + LENGTH, to, n);
}

void frame_queue_drop(struct frame_queue *queue)
{
    size_t n = frame_queue_first(queue);
    if (n == 0)
        return;
    queue->read += LENGTH + n;
    queue->frames--;
}

size_t frame_queue_take(struct frame_queue *queue, uint8_t *to, size_t room)
{
    size_t n = frame_queue_first(queue);
    if (n == 0)
        return 0;
    peek(queue, queue->read + LENGTH, to, n < room ? n : room);
    frame_queue_drop(queue);
    return n;
}
