// SPDX-License-Identifier: MIT
#include "dasd.h"

#define COMMAND_WRITE_DATA 0x05
#define COMMAND_READ_DATA  0x06
#define COMMAND_SEEK       0x07
#define COMMAND_TIC        0x08
#define COMMAND_WRITE_CKD  0x1D
#define COMMAND_FILE_MASK  0x1F
#define COMMAND_SEARCH_ID  0x31
#define MASK_ALL_WRITES    0xC0 // of SET FILE MASK

static struct {
    uint8_t zeros[2]; // SEEK's argument starts here: 00 00 CC HH
    struct dasd_address at;
} __attribute__((packed)) place;

// SEEK, SEARCH ID EQUAL until it matches; returns where the next CCW goes.
static struct ccw *orient(struct ccw *ccw, const struct dasd_address *at)
{
    struct ccw *search;

    place.at = *at;
    *ccw++ = (struct ccw){COMMAND_SEEK, CCW_CC | CCW_SLI, 6, address_of(&place)};
    search = ccw;
    *ccw++ = (struct ccw){COMMAND_SEARCH_ID, CCW_CC | CCW_SLI, 5, address_of(&place.at)};
    *ccw++ = (struct ccw){COMMAND_TIC, 0, 0, address_of(search)};
    return ccw;
}

static bool transfer(struct device *device, const struct dasd_address *at, uint8_t command,
                     const void *data, uint16_t n)
{
    static struct ccw program[4];

    *orient(program, at) = (struct ccw){command, 0, n, address_of(data)};
    return device_run(device, program);
}

bool dasd_read(struct device *device, const struct dasd_address *at, void *to, uint16_t n)
{
    return transfer(device, at, COMMAND_READ_DATA, to, n);
}

bool dasd_write(struct device *device, const struct dasd_address *at, const void *from, uint16_t n)
{
    return transfer(device, at, COMMAND_WRITE_DATA, from, n);
}

struct count { // what WRITE COUNT, KEY AND DATA begins with
    struct dasd_address at;
    uint8_t key_length;
    uint16_t data_length;
} __attribute__((packed));

bool dasd_format(struct device *device, const struct dasd_address *at, unsigned records, uint16_t n)
{
    static const uint8_t mask = MASK_ALL_WRITES, zeros[1024];
    static struct ccw program[4 + 2 * 32];
    static struct count counts[32];
    struct ccw *ccw = program;

    if (!records || records > 32 || n > sizeof zeros)
        return false;
    *ccw++ = (struct ccw){COMMAND_FILE_MASK, CCW_CC, 1, address_of(&mask)};
    ccw = orient(ccw, &(struct dasd_address){at->cylinder, at->head, 0});
    for (unsigned i = 0; i < records; i++) {
        counts[i] = (struct count){{at->cylinder, at->head, (uint8_t)(i + 1)}, 0, n};
        *ccw++ = (struct ccw){COMMAND_WRITE_CKD, CCW_CD, sizeof counts[i], address_of(&counts[i])};
        *ccw++ = (struct ccw){0, CCW_CC, n, address_of(zeros)};
    }
    ccw[-1].flags = 0;
    return device_run(device, program);
}
