// SPDX-License-Identifier: MIT
// AWSTAPE files that somebody else wrote, or nobody: what can be read forward is found again going
// back, and writing works wherever that has stopped.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/tape_image.h"

#define CHECK(condition)  \
    do {                  \
        if (!(condition)) \
            abort();      \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t block[TAPE_BLOCK_MAX];
    char path[40], *error = NULL;
    uint32_t n, forward = 0, back = 0;
    int fd = memfd_create("fuzz", 0);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct tape_image *tape = tape_image_open(path, false, &error);
    CHECK(tape);
    for (; tape_image_read(tape, block, sizeof block, &n) < TAPE_END; forward++)
        CHECK(n <= size);
    CHECK(tape_image_block(tape) == forward);
    for (; tape_image_back(tape, &n) < TAPE_END; back++)
        CHECK(n <= size);
    CHECK(forward == back && tape_image_place(tape) == 0);
    if (forward)
        tape_image_read(tape, NULL, 0, &n);
    CHECK(tape_image_write(tape, data, size ? 1 : 0) == (size != 0));
    CHECK(tape_image_write_mark(tape));
    CHECK(tape_image_back(tape, &n) == TAPE_MARK);
    CHECK(size == 0 || (tape_image_back(tape, &n) == TAPE_DATA && n == 1));
    tape_image_free(tape);
    close(fd);
    return 0;
}
