// SPDX-License-Identifier: MIT
// Files that MONWRITE had open when its process ended, as after a loss of power.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "monitor/monwrite_file.h"

#define SUFFIX ".part"

static bool read_block(int fd, uint64_t block, uint8_t to[FRAME_SIZE])
{
    return pread(fd, to, FRAME_SIZE, (off_t)(block * FRAME_SIZE)) == (ssize_t)FRAME_SIZE;
}

// Blocks of the set that a control record begins, with it; 0: it is none.
static uint64_t set_blocks(const uint8_t *control)
{
    uint32_t first = be32_load(control + 12), last = be32_load(control + 16);
    uint64_t blocks = 1, entries = last > first ? ((uint64_t)last - first + 1) / CONTROL_ENTRY : 0;
    if (control[3] != MESSAGE_PENDING || entries == 0 || entries > CONTROL_ENTRIES)
        return 0;
    for (uint64_t i = 0; i < entries; i++) {
        struct control_entry entry;
        control_entry_load(&entry, control + CONTROL_HEADER + i * CONTROL_ENTRY);
        if (entry.end <= entry.start)
            return 0;
        blocks += entry.end / FRAME_SIZE - entry.start / FRAME_SIZE + 1;
    }
    return blocks;
}

static uint64_t whole_sets(int fd)
{
    uint8_t block[FRAME_SIZE];
    uint64_t whole = 0;
    while (read_block(fd, whole, block)) {
        uint64_t n = set_blocks(block);
        if (n == 0 || !read_block(fd, whole + n - 1, block))
            break;
        whole += n;
    }
    return whole;
}

static bool end_file(const char *part, const char *path, uint64_t *blocks)
{
    static const uint8_t end[FRAME_SIZE];
    int fd = open(part, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    *blocks = whole_sets(fd);
    off_t size = (off_t)(*blocks * FRAME_SIZE);
    bool good =
        ftruncate(fd, size) == 0 && pwrite(fd, end, sizeof end, size) == (ssize_t)sizeof end;
    close(fd);
    return good && access(path, F_OK) != 0 && rename(part, path) == 0;
}

static int is_part(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);
    return n > strlen(SUFFIX) && strcmp(entry->d_name + n - strlen(SUFFIX), SUFFIX) == 0;
}

void monwrite_file_recover(const char *folder,
                           void (*told)(void *arg, const char *path, uint64_t blocks), void *arg)
{
    struct dirent **names;
    int n = scandir(folder, &names, is_part, alphasort);
    for (int i = 0; i < n; i++) {
        struct text part = {0}, path = {0};
        uint64_t blocks;
        text_printf(&part, "%s/%s", folder, names[i]->d_name);
        text_add(&path, text_get(&part), part.len - strlen(SUFFIX));
        if (end_file(text_get(&part), text_get(&path), &blocks))
            told(arg, text_get(&path), blocks);
        text_free(&part);
        text_free(&path);
        free(names[i]);
    }
    if (n >= 0)
        free(names);
}
