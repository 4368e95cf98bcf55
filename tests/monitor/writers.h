// SPDX-License-Identifier: MIT
// Two writers, a folder for their files, and a small parser of these that is its own.
#ifndef ENDICOTT_TESTS_MONITOR_WRITERS_H
#define ENDICOTT_TESTS_MONITOR_WRITERS_H

#include "system.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"

struct contents {
    unsigned sets, configs, samples, subinterval_samples, records, blocks, ends;
    unsigned by[16][64];
};

static inline uint8_t *load(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("%s is not there", path);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static inline void parse_frame(struct contents *c, const uint8_t *frame, size_t limit)
{
    for (size_t at = 0; at + 20 <= limit;) {
        unsigned length = be16_load(frame + at);
        assert_true(length >= 20 && at + length <= limit);
        assert_int_equal(be16_load(frame + at + 2), 0);
        c->records++;
        c->by[frame[at + 4]][be16_load(frame + at + 6)]++;
        if (frame[at + 4] == 1 && be16_load(frame + at + 6) == 13)
            return;
        at += length;
    }
}

// As described: control record, then the frames of its entries, ..., a block of zeros.
static inline struct contents parse(const char *path)
{
    struct contents c = {0};
    size_t size, at = 0;
    uint8_t *b = load(path, &size);
    assert_int_equal(size % 4096, 0);
    c.blocks = (unsigned)(size / 4096);
    while (at < size) {
        const uint8_t *control = b + at;
        at += 4096;
        if (be32_load(control + 40) == 0) {
            for (unsigned i = 0; i < 4096; i++)
                assert_int_equal(control[i], 0);
            assert_int_equal(at, size); // the last one
            c.ends++;
            continue;
        }
        uint32_t first = be32_load(control + 12), last = be32_load(control + 16);
        assert_int_equal(control[3], 9);    // message pending
        assert_int_equal(control[2], 0x80); // data in the parameter list
        assert_int_equal((last - first + 1) % 12, 0);
        c.sets++;
        if (control[9] == 0xC3)
            c.configs++;
        else if (control[8] == 0xE2)
            c.samples++;
        c.subinterval_samples += control[9] == 0xC4 && (control[10] & 0x80) != 0;
        for (unsigned i = 0; i < (last - first + 1) / 12; i++) {
            const uint8_t *e = control + 40 + 12 * i;
            uint32_t start = be32_load(e + 4), end = be32_load(e + 8);
            assert_int_equal(e[0], control[8]);
            assert_true(end > start && start >= 0x9000000 && end < 0xD000000);
            for (uint32_t page = start >> 12; page <= end >> 12; page++, at += 4096) {
                assert_true(at + 4096 <= size);
                parse_frame(&c, b + at, page == end >> 12 ? (end & 0xFFF) + 1 : 4096);
            }
        }
    }
    free(b);
    return c;
}

static char folder[64];

static inline void make_folder(struct system *sys)
{
    snprintf(folder, sizeof folder, "/tmp/endicott-monwrite-XXXXXX");
    assert_non_null(mkdtemp(folder));
    monwrite_set_folder(sys->cp, folder);
    system_good(sys, "OPERATOR", "XAUTOLOG WRITER");
    system_good(sys, "OPERATOR", "XAUTOLOG WRITER2");
}

static inline struct system *writers(void)
{
    struct system *sys = system_new();
    make_folder(sys);
    return sys;
}

static inline void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static inline const char *file_of(const char *user, const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s/%s", folder, user, name);
    return path;
}

static inline void monwstop(struct system *sys, const char *user)
{
    struct vm *vm = cp_user(sys->cp, user);
    text_clear(&sys->answer);
    struct response out = response_to_text(&sys->answer);
    assert_non_null(vm->service);
    world_lock(&sys->world);
    assert_int_equal(vm->service->input(vm, "monwstop", &out), 0);
    world_unlock(&sys->world);
    system_run(sys, 0.1);
}

#endif
