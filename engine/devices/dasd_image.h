// SPDX-License-Identifier: MIT
// A CKD volume's tracks: in an image file of the uncompressed format that Hercules uses, or in
// memory.
//
//   file: header, 512 bytes | track 0 | track 1 | ...      a track: dasd_track.h
// A volume may be split into several such files, NAME_1.EXT, NAME_2.EXT...: open the first.
//
//   header: "CKD_P370" | heads, LE 4 | track size, LE 4 | type's low byte | sequence | high cyl, LE
//   2
//
// What the guest was told is on disk is on disk, whatever happens to this process. A track that
// gets new records is written so that it is well formed at every moment: first the end marker where
// the track begins to differ, then all that comes behind, last the count field that makes the new
// records part of the track. Data changed within a record are written in place. dasd_image_sync()
// makes that survive a failure of the host too; the control unit calls it before it presents
// the end of a channel program that wrote.
#ifndef ENDICOTT_DEVICES_DASD_IMAGE_H
#define ENDICOTT_DEVICES_DASD_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/dasd_model.h"
#include "devices/dasd_track.h"

struct dasd_image;

// Makes a volume of empty tracks. `path` NULL: in memory, using host memory only for tracks that
// were written. `cylinders` 0: the model's. `volser` NULL: no label; else up to six characters,
// with which cylinder 0 gets IPL records that stop with a wait state, the label, and an empty VTOC
// place. NULL with *error (to be freed) when it cannot be made; an existing file is an error.
struct dasd_image *dasd_image_create(const char *path, const struct dasd_model *model,
                                     unsigned cylinders, const char *volser, char **error);
struct dasd_image *dasd_image_open(const char *path, bool read_only, char **error);
void dasd_image_close(struct dasd_image *image);

const struct dasd_model *dasd_image_model(const struct dasd_image *image);
unsigned dasd_image_cylinders(const struct dasd_image *image);
bool dasd_image_read_only(const struct dasd_image *image);
const char *dasd_image_path(const struct dasd_image *image); // NULL in memory
// Serial number from the label, without trailing blanks; false when there is no label.
bool dasd_image_volser(struct dasd_image *image, char volser[7]);

// `track` counts from 0: cylinder * heads + head. Buffers are of the model's track_size.
// 0, or -1 when there is no such track or the host failed (errno).
int dasd_image_read(struct dasd_image *image, unsigned track, uint8_t *buffer);
int dasd_image_write(struct dasd_image *image, unsigned track, const uint8_t *buffer);
// Makes all writes so far durable, unless nothing was written or syncing is switched off. 0 or -1.
int dasd_image_sync(struct dasd_image *image);
void dasd_image_set_sync(struct dasd_image *image, bool on); // default on
// For tests: after `writes` more writes to the file, all fail, as if the process had ended there.
void dasd_image_fail_after(struct dasd_image *image, unsigned writes);
// Offset in the file of a track, for messages.
uint64_t dasd_image_offset(const struct dasd_image *image, unsigned track);

#endif
