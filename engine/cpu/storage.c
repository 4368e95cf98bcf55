// SPDX-License-Identifier: MIT
// Absolute storage: extents of host memory, keys, and the tracking of decoded code lines.
#include "cpu/storage.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"

#define MIB        (UINT64_C(1) << 20)
#define LINE_SHIFT 6

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

#define HUGE_PAGE (UINT64_C(2) << 20)

// Lazily zeroed memory, so that a large guest costs only what it touches. On a boundary of the
// host's large pages and with leave to use them: a guest that walks through its storage would
// otherwise spend most of its time in the host's own address translation.
static void *lazy_memory(uint64_t size)
{
    uint64_t room = size + HUGE_PAGE;
    uint8_t *p = mmap(NULL, room, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    uint64_t before = (uint64_t)(-(uintptr_t)p & (HUGE_PAGE - 1));
    if (before)
        munmap(p, before);
    if (room - before > size)
        munmap(p + before + size, room - before - size);
    if (size >= HUGE_PAGE)
        (void)madvise(p + before, size, MADV_HUGEPAGE); // without it only slower
    return p + before;
}

static void extent_make(struct storage_extent *extent, uint64_t start, uint64_t size,
                        uint8_t *bytes)
{
    size_t frames = size >> FRAME_SHIFT;
    *extent = (struct storage_extent){.start = start, .size = size, .bytes = bytes};
    extent->keys = mem_zero(frames, 1);
    extent->code_version = mem_zero(frames, sizeof *extent->code_version);
    extent->code_lines = mem_zero(frames, sizeof *extent->code_lines);
    extent->code_halfwords = mem_zero(frames, sizeof *extent->code_halfwords);
}

static void extent_free(struct storage_extent *extent)
{
    if (extent->owned)
        munmap(extent->bytes, extent->size);
    free(extent->keys);
    free(extent->usage);
    free(extent->code_version);
    free(extent->code_lines);
    for (uint64_t frame = 0; frame < extent->size >> FRAME_SHIFT; frame++)
        free(extent->code_halfwords[frame]);
    free(extent->code_halfwords);
}

// Blocks that were decoded from an extent look at its versions as long as they exist, so the
// versions outlive the extent.
struct storage_retired {
    struct storage_retired *next;
    uint32_t *code_version;
};

struct storage *storage_new(uint64_t size)
{
    if (size == 0 || size > UINT64_C(1) << 44)
        return NULL;
    size = round_up(size, MIB);
    uint8_t *bytes = lazy_memory(size);
    if (!bytes)
        return NULL;
    struct storage *storage = mem_zero(1, sizeof *storage);
    extent_make(&storage->extent[0], 0, size, bytes);
    storage->extent[0].owned = true;
    storage->extents = 1;
    return storage;
}

void storage_free(struct storage *storage)
{
    if (!storage)
        return;
    for (unsigned i = 0; i < storage->extents; i++)
        extent_free(&storage->extent[i]);
    while (storage->retired) {
        struct storage_retired *next = storage->retired->next;
        free(storage->retired->code_version);
        free(storage->retired);
        storage->retired = next;
    }
    free(storage);
}

void storage_clear(struct storage *storage)
{
    struct storage_extent *extent = &storage->extent[0];
    // Anonymous private pages read as zeros again after MADV_DONTNEED.
    if (madvise(extent->bytes, extent->size, MADV_DONTNEED) != 0)
        memset(extent->bytes, 0, extent->size);
    memset(extent->keys, 0, extent->size >> FRAME_SHIFT);
    if (extent->usage)
        memset(extent->usage, 0, extent->size >> FRAME_SHIFT);
    storage_code_changed(storage, 0, extent->size);
}

uint64_t storage_size(const struct storage *storage)
{
    return storage->extent[0].size;
}

static bool overlaps(const struct storage_extent *extent, uint64_t start, uint64_t size)
{
    return start < extent->start + extent->size && extent->start < start + size;
}

int storage_map(struct storage *storage, uint64_t start, uint64_t size, uint8_t *bytes,
                bool read_only)
{
    if (storage->extents == STORAGE_EXTENTS || size == 0 || start % FRAME_SIZE ||
        size % FRAME_SIZE || start + size < start)
        return -1;
    for (unsigned i = 0; i < storage->extents; i++) {
        if (overlaps(&storage->extent[i], start, size))
            return -1;
    }
    struct storage_extent *extent = &storage->extent[storage->extents++];
    extent_make(extent, start, size, bytes);
    extent->read_only = read_only;
    return 0;
}

void storage_unmap(struct storage *storage, uint64_t start)
{
    for (unsigned i = 1; i < storage->extents; i++) {
        struct storage_extent *extent = &storage->extent[i];
        if (extent->start != start)
            continue;
        storage_code_changed(storage, start, extent->size);
        struct storage_retired *retired = mem_zero(1, sizeof *retired);
        retired->code_version = extent->code_version;
        retired->next = storage->retired;
        storage->retired = retired;
        extent->code_version = NULL;
        extent_free(extent);
        storage->extent[i] = storage->extent[--storage->extents];
        return;
    }
}

struct storage_extent *storage_find(const struct storage *storage, uint64_t absolute, uint64_t n)
{
    for (unsigned i = 0; i < storage->extents; i++) {
        const struct storage_extent *extent = &storage->extent[i];
        if (absolute < extent->start)
            continue;
        uint64_t offset = absolute - extent->start;
        if (offset < extent->size && n <= extent->size - offset)
            return (struct storage_extent *)extent;
    }
    return NULL;
}

static void note_access(struct storage_extent *extent, uint64_t offset, uint64_t n, uint8_t bits)
{
    uint64_t last = (offset + n - 1) >> FRAME_SHIFT;
    for (uint64_t frame = offset >> FRAME_SHIFT; frame <= last; frame++)
        if ((__atomic_load_n(&extent->keys[frame], __ATOMIC_RELAXED) & bits) != bits)
            __atomic_fetch_or(&extent->keys[frame], bits, __ATOMIC_RELAXED);
}

bool storage_read(struct storage *storage, uint64_t absolute, void *to, uint64_t n)
{
    if (n == 0)
        return true;
    struct storage_extent *extent = storage_find(storage, absolute, n);
    if (!extent)
        return false;
    uint64_t offset = absolute - extent->start;
    memcpy(to, extent->bytes + offset, n);
    note_access(extent, offset, n, KEY_R);
    return true;
}

// Lines of one frame that [offset, offset + n) touches, as bits of a code_lines word.
static uint64_t line_mask(uint64_t offset, uint64_t n)
{
    unsigned first = (unsigned)(offset % FRAME_SIZE) >> LINE_SHIFT;
    unsigned last = (unsigned)((offset + n - 1) % FRAME_SIZE) >> LINE_SHIFT;
    return (~UINT64_C(0) << first) & (~UINT64_C(0) >> (63 - last));
}

// Bits first to last of word `i` of a map of halfwords.
static uint64_t word_mask(unsigned i, unsigned first, unsigned last)
{
    unsigned from = first > i * 64 ? first - i * 64 : 0;
    unsigned to = last < i * 64 + 63 ? last - i * 64 : 63;
    return (~UINT64_C(0) << from) & (~UINT64_C(0) >> (63 - to));
}

static bool decoded(const struct storage_extent *extent, uint64_t frame, uint64_t offset,
                    uint64_t n)
{
    const uint64_t *map = __atomic_load_n(&extent->code_halfwords[frame], __ATOMIC_ACQUIRE);
    unsigned first = (unsigned)(offset % FRAME_SIZE) / 2;
    unsigned last = (unsigned)((offset + n - 1) % FRAME_SIZE) / 2;
    for (unsigned i = first / 64; map && i <= last / 64; i++) {
        if (__atomic_load_n(&map[i], __ATOMIC_RELAXED) & word_mask(i, first, last))
            return true;
    }
    return false;
}

void storage_code_decoded(struct storage_extent *extent, uint64_t offset, unsigned n)
{
    uint64_t frame = offset >> FRAME_SHIFT, *none = NULL;
    uint64_t *map = __atomic_load_n(&extent->code_halfwords[frame], __ATOMIC_ACQUIRE);
    if (!map) {
        map = mem_zero(CODE_WORDS, sizeof *map);
        if (!__atomic_compare_exchange_n(&extent->code_halfwords[frame], &none, map, false,
                                         __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            free(map);
            map = none; // another CPU was first
        }
    }
    unsigned first = (unsigned)(offset % FRAME_SIZE) / 2;
    unsigned last = (unsigned)((offset + n - 1) % FRAME_SIZE) / 2;
    for (unsigned i = first / 64; i <= last / 64; i++)
        __atomic_fetch_or(&map[i], word_mask(i, first, last), __ATOMIC_SEQ_CST);
    __atomic_fetch_or(&extent->code_lines[frame], line_mask(offset, n), __ATOMIC_SEQ_CST);
}

// All blocks of a frame become stale at once, so all that was decoded there is forgotten; before
// the version changes, for whoever reads the new version then marks what it decodes.
static void forget_code(struct storage_extent *extent, uint64_t frame)
{
    uint64_t *map = __atomic_load_n(&extent->code_halfwords[frame], __ATOMIC_ACQUIRE);
    for (unsigned i = 0; map && i < CODE_WORDS; i++)
        __atomic_store_n(&map[i], 0, __ATOMIC_SEQ_CST);
    __atomic_store_n(&extent->code_lines[frame], 0, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&extent->code_version[frame], 1, __ATOMIC_SEQ_CST);
}

static bool extent_changed(struct storage_extent *extent, uint64_t offset, uint64_t n)
{
    bool hit = false;
    while (n > 0) {
        uint64_t frame = offset >> FRAME_SHIFT;
        uint64_t part = FRAME_SIZE - offset % FRAME_SIZE;
        if (part > n)
            part = n;
        uint64_t lines = __atomic_load_n(&extent->code_lines[frame], __ATOMIC_RELAXED);
        if (lines & line_mask(offset, part) && decoded(extent, frame, offset, part)) {
            forget_code(extent, frame);
            hit = true;
        }
        offset += part;
        n -= part;
    }
    return hit;
}

bool storage_write(struct storage *storage, uint64_t absolute, const void *from, uint64_t n)
{
    if (n == 0)
        return true;
    struct storage_extent *extent = storage_find(storage, absolute, n);
    if (!extent)
        return false;
    uint64_t offset = absolute - extent->start;
    memcpy(extent->bytes + offset, from, n);
    note_access(extent, offset, n, KEY_R | KEY_C);
    extent_changed(extent, offset, n);
    return true;
}

bool storage_code_changed(struct storage *storage, uint64_t absolute, uint64_t n)
{
    struct storage_extent *extent = n ? storage_find(storage, absolute, n) : NULL;
    return extent && extent_changed(extent, absolute - extent->start, n);
}

// Key-controlled protection of every frame of the range; `fetch` honours the fetch-protection bit.
static bool key_allows(const struct storage_extent *extent, uint64_t offset, uint64_t n,
                       unsigned key, bool fetch)
{
    if (key == 0)
        return true;
    uint64_t last = (offset + n - 1) >> FRAME_SHIFT;
    for (uint64_t frame = offset >> FRAME_SHIFT; frame <= last; frame++) {
        uint8_t have = __atomic_load_n(&extent->keys[frame], __ATOMIC_RELAXED);
        if ((have & KEY_ACC) >> 4 != key && !(fetch && !(have & KEY_F)))
            return false;
    }
    return true;
}

int storage_read_key(struct storage *storage, uint64_t absolute, void *to, uint64_t n, unsigned key)
{
    if (n == 0)
        return 0;
    struct storage_extent *extent = storage_find(storage, absolute, n);
    if (!extent)
        return 5;
    if (!key_allows(extent, absolute - extent->start, n, key, true))
        return 4;
    storage_read(storage, absolute, to, n);
    return 0;
}

int storage_write_key(struct storage *storage, uint64_t absolute, const void *from, uint64_t n,
                      unsigned key)
{
    if (n == 0)
        return 0;
    struct storage_extent *extent = storage_find(storage, absolute, n);
    if (!extent)
        return 5;
    if (extent->read_only || !key_allows(extent, absolute - extent->start, n, key, false))
        return 4;
    storage_write(storage, absolute, from, n);
    return 0;
}

int storage_key(const struct storage *storage, uint64_t absolute)
{
    const struct storage_extent *extent = storage_find(storage, absolute, 1);
    if (!extent)
        return -1;
    return __atomic_load_n(&extent->keys[(absolute - extent->start) >> FRAME_SHIFT],
                           __ATOMIC_RELAXED);
}

bool storage_set_key(struct storage *storage, uint64_t absolute, uint8_t key)
{
    struct storage_extent *extent = storage_find(storage, absolute, 1);
    if (!extent)
        return false;
    __atomic_store_n(&extent->keys[(absolute - extent->start) >> FRAME_SHIFT], key & 0xFE,
                     __ATOMIC_RELAXED);
    return true;
}

uint8_t *storage_usage(struct storage *storage, uint64_t absolute)
{
    struct storage_extent *extent = storage_find(storage, absolute, 1);
    if (!extent)
        return NULL;
    uint8_t *usage = __atomic_load_n(&extent->usage, __ATOMIC_ACQUIRE);
    if (!usage) { // the first one to ask makes it
        uint8_t *new = mem_zero(extent->size >> FRAME_SHIFT, 1);
        if (__atomic_compare_exchange_n(&extent->usage, &usage, new, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
            usage = new;
        else
            free(new);
    }
    return usage + ((absolute - extent->start) >> FRAME_SHIFT);
}
