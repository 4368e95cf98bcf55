// SPDX-License-Identifier: MIT
// AWSTAPE files.
#include "devices/tape_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"

#define HEADER 6u
#define BEGINS 0x80u
#define MARK   0x40u
#define ENDS   0x20u

struct tape_image {
    int fd;
    bool read_only;
    uint64_t at;     // of the next header
    uint32_t before; // length of the piece that ends here
    uint32_t block;  // number of the next block
};

struct piece {
    uint32_t length, before;
    uint8_t flags;
};

struct tape_image *tape_image_open(const char *path, bool read_only, char **error)
{
    int fd = read_only ? open(path, O_RDONLY | O_CLOEXEC)
                       : open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        *error = mem_string(strerror(errno));
        return NULL;
    }
    struct tape_image *tape = mem_zero(1, sizeof *tape);
    tape->fd = fd;
    tape->read_only = read_only;
    return tape;
}

struct tape_image *tape_image_scratch(void)
{
    struct tape_image *tape = mem_zero(1, sizeof *tape);
    tape->fd = memfd_create("tape", MFD_CLOEXEC);
    INVARIANT(tape->fd >= 0);
    return tape;
}

void tape_image_free(struct tape_image *tape)
{
    if (!tape)
        return;
    close(tape->fd);
    free(tape);
}

bool tape_image_read_only(const struct tape_image *tape)
{
    return tape->read_only;
}

uint32_t tape_image_block(const struct tape_image *tape)
{
    return tape->block;
}

uint64_t tape_image_place(const struct tape_image *tape)
{
    return tape->at;
}

void tape_image_rewind(struct tape_image *tape)
{
    tape->at = 0;
    tape->before = 0;
    tape->block = 0;
}

// --- pieces ----------------------------------------------------------------------------

static enum tape_found load_header(const struct tape_image *tape, uint64_t at, struct piece *piece)
{
    uint8_t h[HEADER];
    ssize_t n = pread(tape->fd, h, sizeof h, (off_t)at);
    if (n == 0)
        return TAPE_END;
    if (n != (ssize_t)sizeof h)
        return TAPE_DAMAGED;
    *piece = (struct piece){(uint32_t)(h[0] | h[1] << 8), (uint32_t)(h[2] | h[3] << 8), h[4]};
    if (piece->flags & MARK)
        return piece->length == 0 ? TAPE_MARK : TAPE_DAMAGED;
    // All of it must be there, and something.
    uint64_t last = at + HEADER + piece->length - 1;
    return piece->length > 0 && pread(tape->fd, h, 1, (off_t)last) == 1 ? TAPE_DATA : TAPE_DAMAGED;
}

// What of a piece whose data begin at byte `from` of the block fits into `max` bytes.
static bool load_data(const struct tape_image *tape, uint64_t at, uint32_t length, uint8_t *to,
                      uint32_t from, uint32_t max)
{
    uint32_t n = from < max ? max - from : 0;
    if (n > length)
        n = length;
    return n == 0 || pread(tape->fd, to + from, n, (off_t)(at + HEADER)) == (ssize_t)n;
}

enum tape_found tape_image_read(struct tape_image *tape, uint8_t *to, uint32_t max, uint32_t *n)
{
    uint64_t at = tape->at;
    uint32_t before = tape->before;
    struct piece piece;
    *n = 0;
    do {
        enum tape_found found = load_header(tape, at, &piece);
        if (found == TAPE_END && *n == 0)
            return TAPE_END;
        if (found == TAPE_END || found == TAPE_DAMAGED || piece.before != before ||
            (*n == 0) != ((piece.flags & (BEGINS | MARK)) != 0) ||
            *n + piece.length > TAPE_BLOCK_MAX || !load_data(tape, at, piece.length, to, *n, max))
            return TAPE_DAMAGED;
        *n += piece.length;
        at += HEADER + piece.length;
        before = piece.length;
    } while (!(piece.flags & (ENDS | MARK)));
    tape->at = at;
    tape->before = before;
    tape->block++;
    return piece.flags & MARK ? TAPE_MARK : TAPE_DATA;
}

enum tape_found tape_image_back(struct tape_image *tape, uint32_t *n)
{
    uint64_t at = tape->at;
    uint32_t before = tape->before;
    struct piece piece;
    *n = 0;
    if (at == 0)
        return TAPE_END;
    do {
        if (at < HEADER + (uint64_t)before)
            return TAPE_DAMAGED;
        at -= HEADER + before;
        enum tape_found found = load_header(tape, at, &piece);
        if ((found != TAPE_DATA && found != TAPE_MARK) || piece.length != before ||
            (*n == 0) != ((piece.flags & (ENDS | MARK)) != 0) || *n + piece.length > TAPE_BLOCK_MAX)
            return TAPE_DAMAGED;
        *n += piece.length;
        before = piece.before;
    } while (!(piece.flags & (BEGINS | MARK)));
    tape->at = at;
    tape->before = before;
    tape->block--;
    return piece.flags & MARK ? TAPE_MARK : TAPE_DATA;
}

// --- writing -----------------------------------------------------------------------------

bool tape_image_erase(struct tape_image *tape)
{
    return ftruncate(tape->fd, (off_t)tape->at) == 0;
}

static bool put(struct tape_image *tape, unsigned flags, const uint8_t *from, uint32_t n)
{
    uint8_t h[HEADER] = {(uint8_t)n, (uint8_t)(n >> 8), (uint8_t)tape->before,
                         (uint8_t)(tape->before >> 8), (uint8_t)flags};
    off_t at = (off_t)tape->at;
    if (tape->read_only || !tape_image_erase(tape))
        return false;
    if (pwrite(tape->fd, h, sizeof h, at) != (ssize_t)sizeof h ||
        (n > 0 && pwrite(tape->fd, from, n, at + (off_t)HEADER) != (ssize_t)n)) {
        tape_image_erase(tape); // no half block
        return false;
    }
    tape->at += HEADER + n;
    tape->before = n;
    tape->block++;
    return true;
}

bool tape_image_write(struct tape_image *tape, const uint8_t *from, uint32_t n)
{
    return n > 0 && n <= TAPE_BLOCK_MAX && put(tape, BEGINS | ENDS, from, n);
}

bool tape_image_write_mark(struct tape_image *tape)
{
    return put(tape, MARK, NULL, 0);
}
