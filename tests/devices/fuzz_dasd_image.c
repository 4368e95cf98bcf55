// SPDX-License-Identifier: MIT
// Damaged image files: opening, checking, listing and a device's commands on them must report,
// never crash. Input: bytes that replace those at pseudo-random places of a good image of one
// cylinder.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "devices/dasd_rig.h"
#include "devices/dasd_tool.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Places worth damaging: header, home addresses, counts, labels.
static uint64_t place(const uint8_t *at)
{
    uint64_t base = at[0] % 4 == 0 ? 0 : 512 + (uint64_t)(at[0] / 4 % 15) * 56832;
    return base + at[1];
}

static void damage(int fd, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 4 <= size && i < 200; i += 4)
        if (pwrite(fd, data + i + 2, 2, (off_t)place(data + i)) != 2)
            abort();
}

static void use(const char *path)
{
    static const uint8_t codes[] = {0x06, 0x0E, 0x12, 0x1E, 0x5E, 0x16,
                                    0x1A, 0x1D, 0x05, 0x15, 0x11};
    struct rig r;
    struct irb irb;
    struct dasd_image *image = dasd_image_open(path, false, NULL);
    if (!image)
        return;
    rig_open(&r);
    dasd_image_set_sync(image, false);
    struct dasd_volume *volume = dasd_volume_new(image);
    uint32_t sid = rig_add(&r, dasd_ckd_new(0x100, volume, 0, 1, false), 1);
    for (unsigned head = 0; head < 15; head++)
        for (size_t i = 0; i < sizeof codes; i++) {
            uint8_t mask = 0xC0;
            rig_ccw(&r, 0x1F, CC, 1, dasd_parameter(&r, &mask, 1));
            dasd_seek(&r, 0, head);
            dasd_search(&r, 0, head, (unsigned)(i % 3));
            rig_ccw(&r, codes[i], SLI, 200, DATA);
            rig_run(&r, sid, &irb);
        }
    rig_close(&r);
    dasd_volume_free(volume);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    static FILE *nowhere;
    char *error = NULL;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    snprintf(path, sizeof path, "/tmp/endicott-fuzz-%d", (int)getpid());
    unlink(path);
    struct dasd_image *image = dasd_image_create(path, dasd_model("3390"), 1, "FUZZ01", NULL);
    if (!image)
        abort();
    dasd_image_set_sync(image, false);
    dasd_image_close(image);
    int fd = open(path, O_RDWR);
    if (fd < 0 || !nowhere)
        abort();
    damage(fd, data, size);
    if (size && data[0] == 0x55 && ftruncate(fd, (off_t)(data[size - 1] * 5000)) != 0)
        abort();
    close(fd);
    dasd_tool_check(path, nowhere, &error);
    free(error);
    error = NULL;
    dasd_tool_list(path, nowhere, &error);
    free(error);
    error = NULL;
    dasd_tool_export(path, 0, 0, 0, nowhere, &error);
    free(error);
    use(path);
    unlink(path);
    return 0;
}
