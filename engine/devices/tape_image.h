// SPDX-License-Identifier: MIT
// A tape as a file of the host, in the AWSTAPE form that other emulators use: each block has a
// header.
//
//   0  length of what follows, little-endian    2  length of what the header before had
//   4  X'80' a block begins  X'40' tape mark (no data)  X'20' a block ends    5  0
//
// A block may be in several pieces. What is written is in one, and ends the tape: what was behind
// it is gone.
#ifndef ENDICOTT_DEVICES_TAPE_IMAGE_H
#define ENDICOTT_DEVICES_TAPE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#define TAPE_BLOCK_MAX 65535u

struct tape_image;

// What lies in the direction that the tape moves.
enum tape_found {
    TAPE_DATA,
    TAPE_MARK,
    TAPE_END,    // no more data; going back: the beginning of the tape
    TAPE_DAMAGED // or the host failed
};

// Opens a file, or makes an empty tape when there is none. NULL with an allocated text in *error.
struct tape_image *tape_image_open(const char *path, bool read_only, char **error);
// A tape in memory, gone with the process.
struct tape_image *tape_image_scratch(void);
void tape_image_free(struct tape_image *tape);
bool tape_image_read_only(const struct tape_image *tape);

// One block or tape mark forward, or back; the tape is behind it then, or before it. *n is the
// length of the block, of which `max` bytes are stored.
enum tape_found tape_image_read(struct tape_image *tape, uint8_t *to, uint32_t max, uint32_t *n);
enum tape_found tape_image_back(struct tape_image *tape, uint32_t *n);
// Writes a block (n 1 to TAPE_BLOCK_MAX), or a mark. False when the host cannot.
bool tape_image_write(struct tape_image *tape, const uint8_t *from, uint32_t n);
bool tape_image_write_mark(struct tape_image *tape);
bool tape_image_erase(struct tape_image *tape); // from here to the end
void tape_image_rewind(struct tape_image *tape);
// Blocks and marks before this place, and bytes from the beginning.
uint32_t tape_image_block(const struct tape_image *tape);
uint64_t tape_image_place(const struct tape_image *tape);

#endif
