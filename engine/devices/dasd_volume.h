// SPDX-License-Identifier: MIT
// A CKD volume: an image, its arm, a cache of tracks (written through), and counters. Several
// devices, each a window of cylinders, may share it.
#ifndef ENDICOTT_DEVICES_DASD_VOLUME_H
#define ENDICOTT_DEVICES_DASD_VOLUME_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/dasd_arm.h"
#include "devices/dasd_image.h"
#include "devices/device.h"

#define VOLUME_CACHED_TRACKS 8

struct dasd_volume {
    struct dasd_image *image;
    const struct dasd_model *model;
    char volser[7]; // from the label when the volume was made, "" without one
    struct dasd_arm arm;
    struct device *reserved_by; // by RESERVE, NULL
    struct dasd_ckd *devices;   // all on this volume

    // Counters since the volume was made.
    uint64_t ssch;           // channel programs that used the arm
    uint64_t seeks;          // that moved it
    uint64_t seek_cylinders; // by so many altogether
    uint64_t reads, writes;  // commands that read or wrote data
    uint64_t bytes_read, bytes_written;
    uint64_t track_misses; // tracks read from the image
    tod_t connect, disconnect, pending;
    // Told of each movement of the arm, by absolute cylinders; NULL: nobody.
    void (*moved)(void *arg, struct dasd_volume *volume, const struct device *by, unsigned from,
                  unsigned to, unsigned head);
    void *moved_arg;

    struct {
        unsigned track;
        uint64_t used; // 0 = empty
        uint8_t *bytes;
    } cached[VOLUME_CACHED_TRACKS];
    uint64_t use;
};

// Takes the image over.
struct dasd_volume *dasd_volume_new(struct dasd_image *image);
// Every device on it must be gone.
void dasd_volume_free(struct dasd_volume *volume);

// The bytes of a track, of image's model's track_size, valid until the next call; NULL when the
// host cannot read it, or it is damaged (see dasd_image_check in dasd_tool.h).
uint8_t *dasd_volume_track(struct dasd_volume *volume, unsigned track);
// Writes the changed bytes of a track that dasd_volume_track() gave last. 0 or -1.
int dasd_volume_write(struct dasd_volume *volume, unsigned track);

#endif
