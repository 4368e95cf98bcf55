// SPDX-License-Identifier: MIT
// The inside of the CKD control unit, shared by the dasd_ckd_*.c files only.
// (IBM 3990/9390 Storage Control Reference: commands; sense data of 24 bytes.)
#ifndef ENDICOTT_DEVICES_DASD_CKD_STATE_H
#define ENDICOTT_DEVICES_DASD_CKD_STATE_H

#include "base/bytes.h"
#include "devices/channel.h"
#include "devices/dasd_ckd.h"

// Sense byte 1.
#define SENSE1_PERMANENT_ERROR 0x80u
#define SENSE1_INVALID_TRACK   0x40u
#define SENSE1_END_OF_CYLINDER 0x20u
#define SENSE1_NO_RECORD       0x08u
#define SENSE1_FILE_PROTECTED  0x04u
#define SENSE1_WRITE_INHIBITED 0x02u
// Sense byte 7, format 0: message.
#define MESSAGE_NONE              0x00u
#define MESSAGE_INVALID_COMMAND   0x01u
#define MESSAGE_INVALID_SEQUENCE  0x02u
#define MESSAGE_SHORT_COUNT       0x03u
#define MESSAGE_INVALID_PARAMETER 0x04u

// File mask, byte 0 of DEFINE EXTENT and the byte of SET FILE MASK.
#define MASK_WRITE          0xC0u
#define MASK_WRITE_NO_R0    0x00u // all but home address and R0
#define MASK_WRITE_NONE     0x40u
#define MASK_WRITE_UPDATE   0x80u // no formatting
#define MASK_WRITE_ALL      0xC0u
#define MASK_SEEK           0x18u
#define MASK_SEEK_HEAD_ONLY 0x10u
#define MASK_SEEK_NONE      0x18u

// LOCATE RECORD: byte 0.
#define LOCATE_ORIENT         0xC0u
#define LOCATE_COUNT          0x00u
#define LOCATE_HOME           0x40u
#define LOCATE_DATA           0x80u
#define LOCATE_INDEX          0xC0u
#define LOCATE_OPERATION      0x3Fu
#define OPERATION_ORIENT      0x00u
#define OPERATION_WRITE       0x01u
#define OPERATION_FORMAT      0x03u
#define OPERATION_READ_DATA   0x06u
#define OPERATION_READ_TRACKS 0x0Cu
#define OPERATION_READ        0x16u

// The area of the track that passed the head last.
enum area { AREA_NONE, AREA_INDEX, AREA_HOME, AREA_COUNT, AREA_KEY, AREA_DATA };

struct dasd_ckd {
    struct device dev;
    struct dasd_volume *volume;
    struct arm_user user;
    struct dasd_ckd *next;     // of volume->devices
    unsigned first, cylinders; // the window
    bool read_only;
    bool owes_device_end; // busy was shown because of a reservation

    // Where the heads are, in the window's own cylinders.
    unsigned cylinder, head;
    enum area area;
    unsigned record;    // index in the track of the record that `area` belongs to
    bool on_track_time; // the rotational delay of this orientation was counted
    bool index_passed;  // searching has met the index once without finding

    // Of the channel program.
    bool used_arm;
    bool found;      // the record was found by SEARCH EQUAL, or written: it may be written
    bool home_found; // the home address was: R0 may be written
    bool has_mask, has_extent, wrote;
    uint8_t mask;
    unsigned begin_track, end_track; // of DEFINE EXTENT, both inclusive, window's numbering
    unsigned domain;                 // commands left in the LOCATE RECORD domain
    uint8_t operation;
    uint8_t prepared; // suborder whose data READ SUBSYSTEM DATA gives, 0: none
    uint8_t sector;
    struct device_command waiting; // the command to do when the arm is ours

    // Of the command that runs: its time so far.
    tod_t time, disconnected;
};

typedef struct device_reply ckd_command(struct dasd_ckd *d, const struct device_command *cmd);

// --- dasd_ckd.c
// Ends our reservation, if any: who was told busy gets device end.
void ckd_end_reservation(struct dasd_ckd *d);
struct device_reply ckd_check(struct dasd_ckd *d, uint8_t sense0, uint8_t sense1, uint8_t message);

// --- dasd_ckd_position.c
// The track under the heads; NULL when it cannot be read: `*bad` is the reply.
uint8_t *ckd_track(struct dasd_ckd *d, struct device_reply *bad);
unsigned ckd_track_number(const struct dasd_ckd *d); // on the volume
// Moves the heads (no checks); the orientation is lost.
void ckd_move(struct dasd_ckd *d, unsigned cylinder, unsigned head);
// Rotational delay, once per orientation.
void ckd_orient(struct dasd_ckd *d);
void ckd_pass(struct dasd_ckd *d, uint64_t bytes); // time for bytes to go by
// To the next track of a multitrack operation.
bool ckd_next_track(struct dasd_ckd *d, struct device_reply *bad);
// Goes on to the next count area, with or without R0; false with the reply when there is none.
bool ckd_next_record(struct dasd_ckd *d, bool multitrack, bool skip_zero,
                     struct track_record *record, struct device_reply *bad);
// The record of the current orientation.
bool ckd_record(struct dasd_ckd *d, struct track_record *record, struct device_reply *bad);
// Copies a count area as the program shall see it: R0's names the window's cylinder.
void ckd_count(const struct dasd_ckd *d, const uint8_t *track, const struct track_record *record,
               uint8_t count[8]);
void ckd_home(const struct dasd_ckd *d, uint8_t home[5]);

// --- the commands
ckd_command ckd_seek, ckd_seek_cylinder, ckd_seek_head, ckd_recalibrate, ckd_set_file_mask,
    ckd_set_sector, ckd_read_sector, ckd_define_extent, ckd_locate_record; // dasd_ckd_control.c
ckd_command ckd_search_id, ckd_search_key, ckd_search_home;                // dasd_ckd_search.c
ckd_command ckd_read_ipl, ckd_read_home, ckd_read_zero, ckd_read_count, ckd_read_data,
    ckd_read_key_data, ckd_read_ckd, ckd_read_multiple, ckd_read_track; // dasd_ckd_read.c
ckd_command ckd_write_data, ckd_write_key_data, ckd_write_ckd, ckd_write_ckd_next, ckd_write_zero,
    ckd_write_home, ckd_erase; // dasd_ckd_write.c
ckd_command ckd_characteristics, ckd_configuration, ckd_read_log, ckd_reserve, ckd_release,
    ckd_subsystem_function, ckd_read_subsystem; // dasd_ckd_identify.c
#endif
