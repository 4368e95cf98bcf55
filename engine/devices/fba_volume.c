// SPDX-License-Identifier: MIT
// Storage of FBA volumes.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "devices/dasd_fba.h"

static struct fba_volume *fail(struct fba_volume *v, char **error, const char *path,
                               const char *reason)
{
    struct text text = {0};
    text_printf(&text, "%s: %s", path ? path : "volume in memory", reason);
    if (error)
        *error = text.s;
    else
        text_free(&text);
    fba_volume_free(v);
    return NULL;
}

static struct fba_volume *open_file(struct fba_volume *v, bool create, char **error)
{
    struct stat st;
    int flags = (v->read_only ? O_RDONLY : O_RDWR) | O_CLOEXEC;
    v->fd = open(v->path, create ? O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC : flags, 0666);
    if (v->fd < 0)
        return fail(v, error, v->path, strerror(errno));
    if (create && ftruncate(v->fd, (off_t)v->blocks * FBA_BLOCK_BYTES) != 0) {
        unlink(v->path);
        return fail(v, error, v->path, strerror(errno));
    }
    if (fstat(v->fd, &st) != 0)
        return fail(v, error, v->path, strerror(errno));
    if (st.st_size == 0 || st.st_size % FBA_BLOCK_BYTES != 0 ||
        (uint64_t)st.st_size / FBA_BLOCK_BYTES > UINT32_MAX)
        return fail(v, error, v->path, "the size is not a number of 512-byte blocks");
    v->blocks = (uint32_t)(st.st_size / FBA_BLOCK_BYTES);
    return v;
}

struct fba_volume *fba_volume_new(const char *path, uint32_t blocks, bool create, bool read_only,
                                  char **error)
{
    struct fba_volume *v = mem_zero(1, sizeof *v);
    v->fd = -1;
    v->blocks = blocks;
    v->read_only = read_only;
    arm_init(&v->arm);
    if ((create || !path) && blocks == 0)
        return fail(v, error, path, "a volume needs at least one block");
    if (path) {
        v->path = mem_string(path);
        return open_file(v, create, error);
    }
    v->memory = mem_zero(blocks, FBA_BLOCK_BYTES);
    return v;
}

void fba_volume_free(struct fba_volume *volume)
{
    if (!volume)
        return;
    arm_free(&volume->arm);
    if (volume->fd >= 0) {
        if (volume->unsynced)
            fdatasync(volume->fd);
        close(volume->fd);
    }
    free(volume->memory);
    free(volume->path);
    free(volume);
}

static bool inside(const struct fba_volume *v, uint32_t block, uint32_t count)
{
    return block <= v->blocks && count <= v->blocks - block;
}

int fba_volume_read(struct fba_volume *volume, uint32_t block, void *to, uint32_t count)
{
    size_t n = (size_t)count * FBA_BLOCK_BYTES;
    off_t at = (off_t)block * FBA_BLOCK_BYTES;
    if (!inside(volume, block, count))
        return -1;
    if (volume->memory) {
        memcpy(to, volume->memory + at, n);
        return 0;
    }
    return pread(volume->fd, to, n, at) == (ssize_t)n ? 0 : -1;
}

int fba_volume_write(struct fba_volume *volume, uint32_t block, const void *from, uint32_t count)
{
    size_t n = (size_t)count * FBA_BLOCK_BYTES;
    off_t at = (off_t)block * FBA_BLOCK_BYTES;
    if (!inside(volume, block, count) || volume->read_only)
        return -1;
    if (volume->memory) {
        memcpy(volume->memory + at, from, n);
        return 0;
    }
    volume->unsynced = true;
    return pwrite(volume->fd, from, n, at) == (ssize_t)n ? 0 : -1;
}
