// SPDX-License-Identifier: MIT
// Programs from the host's files into storage, as a loader would leave them: a flat image, a
// list-directed set (.ins) or an ELF executable.
//
// Parameters go where Linux on Z looks for them:
//
//   10400  IPL device | initrd start | initrd size | ... | 10430 room for parameters (8)
//   10480  parameters, ASCII, NUL at the end
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "machine/internal.h"

#define PARAMETERS         0x10480u
#define PARAMETER_ROOM     0x10430u
#define PARAMETERS_DEFAULT 896u // room when the image does not say
#define LINUX_ENTRY        0x10000u
#define LINUX_MAGIC        0x10008u // "S390EP"

#define FILE_MAX ((off_t)1 << 30)

struct file {
    uint8_t *bytes;
    size_t size;
};

struct load {
    struct machine *machine;
    const char *path;
    bool has_entry; // else the short PSW at 0 starts it
    uint64_t entry;
};

__attribute__((format(printf, 2, 3))) static int fail(struct load *load, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(load->machine->ipl_reason, sizeof load->machine->ipl_reason, fmt, ap);
    va_end(ap);
    return -1;
}

// Opens a regular file of sensible size; anything else could hold us for ever.
static FILE *open_file(struct load *load, const char *path, size_t *size)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0 || fstat(fd, &st) != 0) {
        fail(load, "%s", strerror(errno));
    } else if (!S_ISREG(st.st_mode)) {
        fail(load, "not a regular file");
    } else if (st.st_size > FILE_MAX) {
        fail(load, "larger than 1 GiB");
    } else {
        *size = (size_t)st.st_size;
        return fdopen(fd, "rb");
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}

// Reads all of `path`; the caller frees file->bytes, one byte longer and NUL there.
static int read_file(struct load *load, const char *path, struct file *file)
{
    FILE *in = open_file(load, path, &file->size);

    if (!in)
        return -1;
    file->bytes = mem_alloc(file->size + 1);
    file->bytes[file->size] = '\0';
    bool ok = fread(file->bytes, 1, file->size, in) == file->size;
    fclose(in);
    if (ok)
        return 0;
    free(file->bytes);
    return fail(load, "cannot be read");
}

static int place(struct load *load, uint64_t address, const void *bytes, uint64_t n)
{
    if (n && !storage_write(load->machine->storage, address, bytes, n))
        return fail(load, "storage is too small for it");
    return 0;
}

// ELF-64, big-endian (System V ABI, "Object Files", and its s390x supplement).
#define ELF_HEADER  64u
#define ELF_SEGMENT 56u
#define ELF_S390    22u
#define ELF_PT_LOAD 1u

static bool is_elf(const struct file *file)
{
    return file->size >= ELF_HEADER && !memcmp(file->bytes, "\177ELF", 4);
}

static int load_segment(struct load *load, const struct file *file, const uint8_t *segment)
{
    uint64_t offset = be64_load(segment + 8), address = be64_load(segment + 24);
    uint64_t in_file = be64_load(segment + 32);

    // Storage was cleared: what the segment has beyond its bytes in the file is zero already.
    if (be32_load(segment) != ELF_PT_LOAD)
        return 0;
    if (offset > file->size || in_file > file->size - offset)
        return fail(load, "ELF segment outside of the file");
    return place(load, address, file->bytes + offset, in_file);
}

static int load_elf(struct load *load, const struct file *file)
{
    const uint8_t *h = file->bytes;
    uint64_t table = be64_load(h + 32);
    unsigned count = be16_load(h + 56);

    if (h[4] != 2 || h[5] != 2 || be16_load(h + 18) != ELF_S390)
        return fail(load, "not an ELF file for s390x");
    if (be16_load(h + 54) != ELF_SEGMENT || table > file->size ||
        count > (file->size - table) / ELF_SEGMENT)
        return fail(load, "damaged ELF program header");
    for (unsigned i = 0; i < count; i++)
        if (load_segment(load, file, h + table + (uint64_t)i * ELF_SEGMENT))
            return -1;
    load->has_entry = true;
    load->entry = be64_load(h + 24);
    return 0;
}

// Files named in a .ins set are relative to it.
static char *beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && name[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    char *full = mem_alloc(folder + strlen(name) + 1);

    memcpy(full, path, folder);
    strcpy(full + folder, name);
    return full;
}

static int load_ins_line(struct load *load, char *line)
{
    char *save, *name = strtok_r(line, " \t\r", &save);
    char *address = name ? strtok_r(NULL, " \t\r", &save) : NULL;
    char *end, *path;
    struct file file;
    int rc;

    if (!name || name[0] == '*')
        return 0;
    uint64_t at = address ? strtoull(address, &end, 16) : 0;
    if (!address || *end)
        return fail(load, "bad line for %.40s in the set", name);
    path = beside(load->path, name);
    rc = read_file(load, path, &file);
    free(path);
    if (rc)
        return rc;
    rc = place(load, at, file.bytes, file.size);
    free(file.bytes);
    return rc;
}

// The first line is a comment that starts with an asterisk; that is also how we know such a file.
static int load_ins(struct load *load, const struct file *file)
{
    char *save;

    for (char *line = strtok_r((char *)file->bytes, "\n", &save); line;
         line = strtok_r(NULL, "\n", &save))
        if (load_ins_line(load, line))
            return -1;
    return 0;
}

static int load_image(struct load *load, const struct file *file)
{
    if (is_elf(file))
        return load_elf(load, file);
    if (file->size && file->bytes[0] == '*')
        return load_ins(load, file);
    return place(load, 0, file->bytes, file->size);
}

static int set_parameters(struct load *load, const char *parameters)
{
    uint8_t field[8] = {0};
    uint64_t room;

    storage_read(load->machine->storage, PARAMETER_ROOM, field, sizeof field);
    room = be64_load(field) ? be64_load(field) : PARAMETERS_DEFAULT;
    if (strlen(parameters) >= room)
        return fail(load, "parameters longer than %u characters", (unsigned)room - 1);
    return place(load, PARAMETERS, parameters, strlen(parameters) + 1);
}

static bool is_linux(struct machine *machine)
{
    char magic[6] = {0};
    return storage_read(machine->storage, LINUX_MAGIC, magic, sizeof magic) &&
           !memcmp(magic, "S390EP", sizeof magic);
}

static int start(struct load *load)
{
    struct machine *machine = load->machine;
    struct cpu *cpu = machine_first_cpu(machine);

    if (!cpu)
        return fail(load, "no CPU");
    if (!load->has_entry && is_linux(machine)) {
        load->has_entry = true;
        load->entry = LINUX_ENTRY;
    }
    if (!load->has_entry) {
        machine_load_short_psw(machine, cpu);
        return 0;
    }
    return machine_start_at(machine, load->entry, false) ? fail(load, "entry point too high") : 0;
}

int machine_ipl_image(struct machine *machine, const void *bytes, size_t n, const char *path,
                      const char *parameters, const char **reason)
{
    struct load load = {.machine = machine, .path = path};
    struct file file = {.bytes = mem_alloc(n + 1), .size = n};
    int rc;

    memcpy(file.bytes, bytes, n);
    file.bytes[n] = '\0';
    machine_reset(machine, true);
    machine->ipl_device_valid = false;
    *reason = machine->ipl_reason;
    rc = load_image(&load, &file);
    free(file.bytes);
    if (!rc && parameters && *parameters)
        rc = set_parameters(&load, parameters);
    return rc ? rc : start(&load);
}

int machine_ipl_file(struct machine *machine, const char *path, const char *parameters,
                     const char **reason)
{
    struct load load = {.machine = machine, .path = path};
    struct file file;
    int rc;

    *reason = machine->ipl_reason;
    if (read_file(&load, path, &file))
        return -1;
    rc = machine_ipl_image(machine, file.bytes, file.size, path, parameters, reason);
    free(file.bytes);
    return rc;
}
