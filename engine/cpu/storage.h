// SPDX-License-Identifier: MIT
// Absolute storage of one configuration: host memory in guest byte order, storage keys, and what
// tells the CPUs that decoded instructions were overwritten.
//
// Absolute addresses may have holes: the main extent starts at 0; saved segments are further
// extents above it, shared between configurations. Everything but the CPU's own hot path (that is:
// channel programs, CP, tests) reads and writes guest storage through these functions.
#ifndef ENDICOTT_CPU_STORAGE_H
#define ENDICOTT_CPU_STORAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_SIZE  4096u
#define FRAME_SHIFT 12
#define CODE_WORDS  (FRAME_SIZE / 2 / 64)

// A storage key as ISKE shows it (Principles of Operation, "Storage Key"):
//
//   bit  0    3   4   5   6   7
//       | ACC  | F | R | C | 0 |
#define KEY_ACC 0xF0u
#define KEY_F   0x08u
#define KEY_R   0x04u
#define KEY_C   0x02u

struct storage_extent {
    uint64_t start, size; // absolute address and bytes, multiples of FRAME_SIZE
    uint8_t *bytes;       // host memory
    uint8_t *keys;        // one per frame
    // One version per frame. A store into bytes that some CPU has decoded as instructions raises
    // it; a decoded block is valid while its frame's version is what it was (see cpu/block.h).
    uint32_t *code_version;
    // One bit per 64-byte line of each frame: instructions were decoded from it.
    uint64_t *code_lines;
    // Which halfwords of those lines they are: CODE_WORDS words per frame that ever held any, else
    // NULL. Looked at when a store hits a line, so that data beside code costs nothing.
    uint64_t **code_halfwords;
    uint8_t *usage; // what the guest says of its frames, see storage_usage(); NULL at first
    bool read_only; // guest stores are protection exceptions (shared read-only segment)
    bool owned;     // bytes belong to this storage and are freed with it
};

#define STORAGE_EXTENTS 16

struct storage_retired;

struct storage {
    struct storage_extent extent[STORAGE_EXTENTS]; // extent[0] is main storage
    unsigned extents;
    struct storage_retired *retired; // see storage_unmap()
};

// `size` bytes of cleared main storage, rounded up to whole MiB; NULL when the host refuses.
struct storage *storage_new(uint64_t size);
void storage_free(struct storage *storage);
// Clears main storage and keys; decoded blocks become invalid.
void storage_clear(struct storage *storage);
uint64_t storage_size(const struct storage *storage); // main extent only

// Adds a further extent over `bytes`, which stay the caller's. 0, or -1 when it overlaps another
// one or there are too many.
int storage_map(struct storage *storage, uint64_t start, uint64_t size, uint8_t *bytes,
                bool read_only);
// No CPU may be inside cpu_run() meanwhile, and each of the configuration must get PEND_FLUSH
// before its next: its lookaside table points into the extent. Decoded blocks become invalid.
void storage_unmap(struct storage *storage, uint64_t start);

// The extent that holds all of [absolute, absolute + n), or NULL. n > 0.
struct storage_extent *storage_find(const struct storage *storage, uint64_t absolute, uint64_t n);

// Copies out of or into storage, across frames; sets the reference and change bits and drops
// decoded instructions. No key check. False (and nothing copied) when any byte is not there.
bool storage_read(struct storage *storage, uint64_t absolute, void *to, uint64_t n);
bool storage_write(struct storage *storage, uint64_t absolute, const void *from, uint64_t n);

// As above under a storage key (0-15) for channel programs and CP services: 0 done, 4 protection,
// 5 addressing (the program-interruption codes); nothing is copied unless all of it is.
int storage_read_key(struct storage *storage, uint64_t absolute, void *to, uint64_t n,
                     unsigned key);
int storage_write_key(struct storage *storage, uint64_t absolute, const void *from, uint64_t n,
                      unsigned key);

// Key of the frame that holds `absolute`: the byte above; -1 when there is no such frame.
int storage_key(const struct storage *storage, uint64_t absolute);
bool storage_set_key(struct storage *storage, uint64_t absolute, uint8_t key);

// Where it is noted what a guest uses the frame of `absolute` for (cpu/control_usage.c); NULL when
// there is no such frame. Any thread.
uint8_t *storage_usage(struct storage *storage, uint64_t absolute);

// Tells the CPUs that [absolute, absolute + n) was changed by other means than the above. True when
// decoded instructions were there.
bool storage_code_changed(struct storage *storage, uint64_t absolute, uint64_t n);
// Instructions were decoded from [offset, offset + n) of the extent, which lies in one frame.
void storage_code_decoded(struct storage_extent *extent, uint64_t offset, unsigned n);

#endif
