// SPDX-License-Identifier: MIT
// Reads streams in MONWRITE's form: 4096-byte blocks, a control record and then the frames it
// describes, again and again, at the end a block of zeros.
//
//   control record   0   40 bytes: the message-pending interruption (IUCV parameter list)
//                    40  control area entries of 12 bytes: type and domains, first and last byte
//   interruption     0  path id   2  flags  3  type   4 message id    8  target class: type (S, E),
//                    kind (D data, C configuration), X'80': only for subinterval users (ours), 0
//                    12  first and last byte of the control area (2 x 4)
//
// Damage never stops it: it says where and why, and goes on at the next frame or control record.
#ifndef ENDICOTT_MONITOR_READER_H
#define ENDICOTT_MONITOR_READER_H

#include "base/text.h"
#include "monitor/record.h"

#define CONTROL_HEADER  40u
#define CONTROL_ENTRY   12u
#define CONTROL_ENTRIES ((FRAME_SIZE - CONTROL_HEADER) / CONTROL_ENTRY) // 338
#define MESSAGE_PENDING 9u // IPTYPE of a message-pending interruption; 8 for a priority message

// Target class, as a number.
#define TARGET_SAMPLE      0xE2000000u
#define TARGET_EVENT       0xC5000000u
#define TARGET_TYPE        0xFF000000u
#define TARGET_DATA        0x00C40000u
#define TARGET_CONFIG      0x00C30000u
#define TARGET_KIND        0x00FF0000u
#define TARGET_SUBINTERVAL 0x00008000u

struct control_entry {
    uint32_t type_domains; // X'E2' or X'C5', domain bits, 0
    uint32_t start, end;   // addresses of the first and last byte
};
#define ENTRY_DOMAINS(e) ((domain_set)((e)->type_domains >> 8))

void control_entry_load(struct control_entry *entry, const uint8_t *from);
void control_entry_store(const struct control_entry *entry, uint8_t *to);

// A record as it was found; valid during the call.
struct reader_record {
    const uint8_t *raw;
    struct record_header header;
    const struct record_layout *layout; // NULL: not known
    uint32_t target;                    // target class of its set, TARGET_ bits
    uint64_t offset;                    // in the stream
};

struct reader_ops {
    void (*record)(void *arg, const struct reader_record *record);
    void (*damage)(void *arg, uint64_t offset, const char *reason); // NULL allowed
};

enum frame_end { FRAME_FULL, FRAME_ENDED, FRAME_DAMAGED };
// Calls fn for each record of a frame from byte `at` up to `limit` (4096 at most). FRAME_ENDED: an
// end-of-frame record ended it early. FRAME_DAMAGED: at *at, for *reason.
enum frame_end frame_walk(const uint8_t *frame, size_t *at, size_t limit,
                          void (*fn)(void *arg, const uint8_t *raw,
                                     const struct record_header *header),
                          void *arg, const char **reason);

struct reader {
    const struct reader_ops *ops;
    void *arg;
    uint8_t block[FRAME_SIZE]; // one that came in pieces
    size_t filled;
    const uint8_t *data; // the block being looked at
    uint64_t offset;     // of the block
    // The set in progress.
    struct control_entry entry[CONTROL_ENTRIES];
    unsigned entries, current;
    uint32_t frame; // next frame of the current entry
    uint32_t target;
    unsigned complete; // D1R11 of this set was seen; more: records after it too
    bool ended;        // the last block was the end-of-data record
    bool lost;         // skips blocks until a control record comes
    uint64_t damages, records;
};

void reader_init(struct reader *reader, const struct reader_ops *ops, void *arg);
void reader_feed(struct reader *reader, const void *bytes, size_t n);
// Feeds all that `fd` has; 0, or an errno value.
int reader_descriptor(struct reader *reader, int fd);
// The stream is over: an unfinished set or a missing end-of-data record is damage.
void reader_finish(struct reader *reader);

// A whole file, "-" for standard input. 0; 1 damaged (a text with the first place and reason in
// *error); -1 cannot be read, with the reason.
int reader_file(const char *path, const struct reader_ops *ops, void *arg, struct text *error);

#endif
