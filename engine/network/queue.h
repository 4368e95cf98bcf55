// SPDX-License-Identifier: MIT
// A bounded queue of frames: a ring of bytes that grows to its limit and no further; what does not
// fit is counted and dropped.
#ifndef ENDICOTT_NETWORK_QUEUE_H
#define ENDICOTT_NETWORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frame_queue {
    uint8_t *ring;
    size_t size;        // bytes of `ring`, a power of two, 0 until the first frame
    size_t limit;       // what `size` may grow to, a power of two
    size_t read, write; // running byte counts; their difference is what is stored
    unsigned frames, frames_limit;
    uint64_t dropped;
};

// At most `frames` frames and `bytes` (a power of two) of storage, four of them per frame ours.
void frame_queue_init(struct frame_queue *queue, unsigned frames, size_t bytes);
void frame_queue_free(struct frame_queue *queue); // and empties it; the limits stay
// False when it does not fit: then `dropped` is one more.
bool frame_queue_put(struct frame_queue *queue, const uint8_t *frame, size_t n);
// Length of the first frame, 0 when the queue is empty.
size_t frame_queue_first(const struct frame_queue *queue);
// Copies the first frame to `to`, which has room for it; the queue keeps it.
void frame_queue_peek(const struct frame_queue *queue, uint8_t *to);
void frame_queue_drop(struct frame_queue *queue); // the first frame
// Takes the first frame into `to`, at most `room` bytes of it (the rest is lost); its full length,
// or 0 when the queue is empty.
size_t frame_queue_take(struct frame_queue *queue, uint8_t *to, size_t room);

#endif
