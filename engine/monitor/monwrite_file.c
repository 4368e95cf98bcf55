// SPDX-License-Identifier: MIT
// Writing MONWRITE files.
#include "monitor/monwrite_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"

// All folders above the file.
static bool make_folders(const char *path)
{
    struct text folder = {0};
    bool good = true;
    for (const char *p = path + 1; *p && good; p++) {
        if (*p != '/')
            continue;
        text_clear(&folder);
        text_add(&folder, path, (size_t)(p - path));
        good = mkdir(text_get(&folder), 0777) == 0 || errno == EEXIST;
    }
    text_free(&folder);
    return good;
}

bool monwrite_file_open(struct monwrite_file *file, const char *path, const char **reason)
{
    *file = (struct monwrite_file){0};
    text_puts(&file->path, path);
    text_printf(&file->part, "%s.part", path);
    int fd = -1;
    if (make_folders(path) && !monwrite_file_exists(path))
        fd = open(text_get(&file->part), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd > 0) {
        file->fd = fd;
        return true;
    }
    *reason = strerror(errno);
    text_free(&file->path);
    text_free(&file->part);
    return false;
}

bool monwrite_file_exists(const char *path)
{
    struct text part = {0};
    text_printf(&part, "%s.part", path);
    bool there = access(path, F_OK) == 0 || access(text_get(&part), F_OK) == 0;
    text_free(&part);
    if (there)
        errno = EEXIST;
    return there;
}

// --- sets ------------------------------------------------------------------------------

static const uint8_t *inside(const uint8_t *segment, uint64_t address, uint64_t size, uint64_t at,
                             uint64_t n)
{
    if (at < address || at - address > size || n > size - (at - address))
        return NULL;
    return segment + (at - address);
}

// The entries of a control area; 0 when it is not a good one.
static unsigned load_entries(const uint8_t *area, uint32_t n, struct control_entry *entry)
{
    unsigned entries = n / CONTROL_ENTRY;
    if (n % CONTROL_ENTRY != 0 || entries > CONTROL_ENTRIES)
        return 0;
    for (unsigned i = 0; i < entries; i++) {
        control_entry_load(&entry[i], area + i * CONTROL_ENTRY);
        if (entry[i].type_domains == 0 || entry[i].end <= entry[i].start)
            return 0;
    }
    return entries;
}

static void add_block(struct monwrite_set *set, const uint8_t *block)
{
    if (set->blocks == set->cap) {
        set->cap = set->cap ? 2 * set->cap : 64;
        set->block = mem_resize(set->block, set->cap, sizeof *set->block);
    }
    set->block[set->blocks++] = block;
}

bool monwrite_set_gather(struct monwrite_set *set, const uint8_t *segment, uint64_t address,
                         uint64_t size)
{
    struct control_entry entry[CONTROL_ENTRIES];
    uint32_t n = set->area_end - set->area_start + 1;
    const uint8_t *area =
        set->area_end > set->area_start ? inside(segment, address, size, set->area_start, n) : NULL;
    unsigned entries = area ? load_entries(area, n, entry) : 0;
    set->blocks = 0;
    if (entries == 0)
        return false;
    memset(set->control, 0, sizeof set->control);
    memcpy(set->control, set->interruption, CONTROL_HEADER);
    memcpy(set->control + CONTROL_HEADER, area, n);
    add_block(set, set->control);
    for (unsigned i = 0; i < entries; i++)
        for (uint64_t page = entry[i].start / FRAME_SIZE; page <= entry[i].end / FRAME_SIZE;
             page++) {
            const uint8_t *at = inside(segment, address, size, page * FRAME_SIZE, FRAME_SIZE);
            if (!at)
                return false;
            add_block(set, at);
        }
    return true;
}

void monwrite_set_free(struct monwrite_set *set)
{
    free(set->block);
    set->block = NULL;
    set->blocks = set->cap = 0;
}

// --- writing ---------------------------------------------------------------------------

#define AT_ONCE 64u // blocks

static bool write_all(int fd, struct iovec *part, unsigned parts)
{
    while (parts > 0) {
        ssize_t n = writev(fd, part, (int)parts);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        for (; parts > 0 && (size_t)n >= part->iov_len; part++, parts--)
            n -= (ssize_t)part->iov_len;
        if (parts > 0) {
            part->iov_base = (uint8_t *)part->iov_base + n;
            part->iov_len -= (size_t)n;
        }
    }
    return true;
}

static bool write_blocks(int fd, const uint8_t *const *block, unsigned n)
{
    struct iovec part[AT_ONCE];
    for (unsigned i = 0; i < n;) {
        unsigned parts = 0;
        for (; parts < AT_ONCE && i < n; parts++, i++)
            part[parts] = (struct iovec){(void *)(uintptr_t)block[i], FRAME_SIZE};
        if (!write_all(fd, part, parts))
            return false;
    }
    return true;
}

// What is there of a set that could not be written goes again.
static void cut(struct monwrite_file *file)
{
    off_t whole = (off_t)(file->blocks * FRAME_SIZE);
    if (ftruncate(file->fd, whole) != 0 || lseek(file->fd, whole, SEEK_SET) != whole)
        file->failed = true;
}

bool monwrite_file_set(struct monwrite_file *file, const struct monwrite_set *set,
                       const char **reason)
{
    if (write_blocks(file->fd, set->block, set->blocks)) {
        file->blocks += set->blocks;
        return true;
    }
    *reason = strerror(errno);
    file->failed = true;
    cut(file);
    return false;
}

static void forget(struct monwrite_file *file)
{
    file->fd = 0;
    text_free(&file->path);
    text_free(&file->part);
}

void monwrite_file_discard(struct monwrite_file *file)
{
    if (!file->fd)
        return;
    close(file->fd);
    remove(text_get(&file->part));
    forget(file);
}

bool monwrite_file_close(struct monwrite_file *file)
{
    static const uint8_t end[FRAME_SIZE];
    static const uint8_t *const block[1] = {end};
    if (!file->fd)
        return true;
    bool ended = write_blocks(file->fd, block, 1);
    if (!ended)
        cut(file);
    if (close(file->fd) != 0)
        ended = false;
    // Without its end it keeps the name of an open file: the next start tries again.
    bool good = ended && rename(text_get(&file->part), text_get(&file->path)) == 0;
    forget(file);
    return good;
}
