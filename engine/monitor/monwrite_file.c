// SPDX-License-Identifier: MIT
// Writing MONWRITE files.
#include "monitor/monwrite_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/bytes.h"

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
    if (make_folders(path) && (file->out = fopen(text_get(&file->part), "wb")))
        return true;
    *reason = strerror(errno);
    text_free(&file->path);
    text_free(&file->part);
    return false;
}

static const uint8_t *inside(const uint8_t *segment, uint64_t address, uint64_t size, uint64_t at,
                             uint64_t n)
{
    if (at < address || at - address > size || n > size - (at - address))
        return NULL;
    return segment + (at - address);
}

static bool write_block(struct monwrite_file *file, const void *block)
{
    if (fwrite(block, 1, FRAME_SIZE, file->out) != FRAME_SIZE)
        file->failed = true;
    else
        file->blocks++;
    return !file->failed;
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

unsigned monwrite_file_set(struct monwrite_file *file, const uint8_t *segment, uint64_t address,
                           uint64_t size, const struct monwrite_set *set)
{
    uint8_t control[FRAME_SIZE] = {0};
    struct control_entry entry[CONTROL_ENTRIES];
    uint32_t n = set->area_end - set->area_start + 1;
    const uint8_t *area =
        set->area_end > set->area_start ? inside(segment, address, size, set->area_start, n) : NULL;
    unsigned entries = area ? load_entries(area, n, entry) : 0, blocks = 1;
    for (unsigned i = 0; i < entries; i++) {
        uint64_t first = entry[i].start / FRAME_SIZE * (uint64_t)FRAME_SIZE;
        uint64_t last = entry[i].end / FRAME_SIZE * (uint64_t)FRAME_SIZE;
        if (!inside(segment, address, size, first, last + FRAME_SIZE - first))
            return 0;
    }
    if (entries == 0)
        return 0;
    memcpy(control, set->interruption, CONTROL_HEADER);
    memcpy(control + CONTROL_HEADER, area, n);
    write_block(file, control);
    for (unsigned i = 0; i < entries; i++)
        for (uint32_t page = entry[i].start / FRAME_SIZE; page <= entry[i].end / FRAME_SIZE;
             page++) {
            write_block(file,
                        inside(segment, address, size, (uint64_t)page * FRAME_SIZE, FRAME_SIZE));
            blocks++;
        }
    if (fflush(file->out) != 0) // a whole set is on its way to the disk, or an error is known
        file->failed = true;
    return file->failed ? 0 : blocks;
}

void monwrite_file_discard(struct monwrite_file *file)
{
    if (!file->out)
        return;
    fclose(file->out);
    remove(text_get(&file->part));
    file->out = NULL;
    text_free(&file->path);
    text_free(&file->part);
}

bool monwrite_file_close(struct monwrite_file *file)
{
    static const uint8_t end[FRAME_SIZE];
    if (!file->out)
        return true;
    write_block(file, end);
    if (fclose(file->out) != 0)
        file->failed = true;
    bool good = !file->failed && rename(text_get(&file->part), text_get(&file->path)) == 0;
    file->out = NULL;
    text_free(&file->path);
    text_free(&file->part);
    return good;
}
