// SPDX-License-Identifier: MIT
// The inside of the channel subsystem, shared by the channel_*.c files only.
#ifndef ENDICOTT_DEVICES_SUBCHANNEL_H
#define ENDICOTT_DEVICES_SUBCHANNEL_H

#include "base/bytes.h"
#include "devices/channel.h"

// Subchannel-status word, word 0 (Principles of Operation, "Subchannel-Status Word"):
//
//   KKKK S L CC F P I A U Z E N | 0 FFF AAAA AAA SSSSS
//   0    4 5 6  8 ...        15     17  20      27   31
#define SCSW_KEY            0xF0000000u
#define SCSW_SUSPEND        0x08000000u
#define SCSW_CC             0x03000000u
#define SCSW_CC_1           0x01000000u
#define SCSW_CC_3           0x03000000u
#define SCSW_FROM_ORB       0x08F80000u // S, F, P, I, A, U are copies of the ORB's bits
#define SCSW_ZERO_CC        0x00040000u
#define SCSW_EXTENDED       0x00020000u
#define SCSW_START          0x00004000u
#define SCSW_HALT           0x00002000u
#define SCSW_CLEAR          0x00001000u
#define SCSW_FUNCTIONS      0x00007000u
#define SCSW_RESUME_PENDING 0x00000800u
#define SCSW_START_PENDING  0x00000400u
#define SCSW_HALT_PENDING   0x00000200u
#define SCSW_CLEAR_PENDING  0x00000100u
#define SCSW_ACTIVE         0x00000080u
#define SCSW_DEVICE_ACTIVE  0x00000040u
#define SCSW_SUSPENDED      0x00000020u
#define SCSW_ACTIVITY       0x00000FE0u
#define SCSW_ALERT          0x00000010u
#define SCSW_INTERMEDIATE   0x00000008u
#define SCSW_PRIMARY        0x00000004u
#define SCSW_SECONDARY      0x00000002u
#define SCSW_PENDING        0x00000001u
#define SCSW_STATUS         0x0000001Fu

// Subchannel status, byte 9 of the SCSW.
#define CHANNEL_PCI              0x80u
#define CHANNEL_INCORRECT_LENGTH 0x40u
#define CHANNEL_PROGRAM_CHECK    0x20u
#define CHANNEL_PROTECTION_CHECK 0x10u

// ORB word 1.
#define ORB_SUSPEND                 0x08000000u
#define ORB_FORMAT_1                0x00800000u
#define ORB_INITIAL                 0x00200000u // initial-status interruption
#define ORB_NO_SUSPEND_INTERRUPTION 0x00080000u
#define ORB_TRANSPORT               0x00040000u
#define ORB_FORMAT_2_IDA            0x00020000u
#define ORB_2K_IDA                  0x00010000u
#define ORB_LPM                     0x0000FF00u
#define ORB_LENGTH_SUPPRESSION      0x00000080u
#define ORB_MIDAW                   0x00000040u
#define ORB_RESERVED                0x0000003Eu
#define ORB_EXTENSION               0x00000001u

// PMCW word 1 and word 6.
#define PMCW_ISC_SHIFT         27
#define PMCW_ENABLED           0x00800000u
#define PMCW_LIMIT             0x00600000u
#define PMCW_MEASURE           0x00100000u
#define PMCW_MULTIPATH         0x00040000u
#define PMCW_VALID             0x00010000u
#define PMCW_RESERVED          0xC3000000u // bits 0, 1, 6 and 7; 5 is ignored
#define PMCW_GUEST             0x38FC0000u // what MODIFY SUBCHANNEL sets: ISC, E, LM, MM, D
#define PMCW6_GUEST            0x00000007u
#define PMCW6_EXTENDED_BLOCK   0x00000004u
#define PMCW6_CONCURRENT_SENSE 0x00000001u

// CCW flags.
#define CCW_DATA_CHAIN    0x80u
#define CCW_COMMAND_CHAIN 0x40u
#define CCW_SLI           0x20u
#define CCW_SKIP          0x10u
#define CCW_PCI           0x08u
#define CCW_IDA           0x04u
#define CCW_SUSPEND       0x02u
#define CCW_MIDAW         0x01u

#define PATH_MASK 0x80u // every device has one channel path

struct ccw {
    uint8_t code, flags;
    uint16_t count;
    uint32_t address; // of the data
    uint32_t at;      // where the CCW itself was fetched
};

// A CCW of a data chain and where its bytes lie within the command's data.
struct chained {
    struct ccw ccw;
    uint32_t start, end;
};

// A run of bytes within one data block.
struct piece {
    uint64_t absolute;
    uint32_t length;
    bool skip; // takes data but stores none
};

// All storage that one command may touch, in order: data chaining, indirect words and all.
struct data_area {
    struct chained *chain;
    size_t chained, chain_cap;
    struct piece *piece;
    size_t pieces, piece_cap;
    uint32_t length;
    // Something is wrong after `fault_at` bytes; CHANNEL_* bit, 0 = nothing. A bad CCW counts as
    // soon as the data reach it, a bad data address when a byte is wanted there.
    uint8_t fault;
    bool fault_in_ccw;
    uint32_t fault_at;
};

enum program_state {
    PROGRAM_NONE,
    PROGRAM_STEP,    // the next CCW can be fetched
    PROGRAM_TIMED,   // the reply is known and takes effect when the event fires
    PROGRAM_PENDING, // the device will call device_complete()
    PROGRAM_SUSPENDED,
    PROGRAM_DEVICE_END, // channel end was given, device end will come by device_complete()
};

struct program {
    enum program_state state;
    uint32_t orb;  // word 1
    uint32_t next; // address of the next CCW
    bool first, after_tic;
    unsigned index;
    uint8_t previous;
    unsigned work; // done in this event
    struct ccw ccw;
    struct data_area area;
    uint8_t *buffer;
    size_t buffer_size;
    struct device_reply reply;
    bool in_command, completed; // device_complete() came before the command function returned
    struct event event;
    tod_t started;
    tod_t connect, disconnect, queued; // of this start function, for the measurement block
    bool implied_first;                // IPL: the first CCW is not in storage
    void (*done)(void *arg, bool ok, const char *reason); // IPL only
    void *done_arg;
};

struct subchannel {
    struct channel_subsystem *css;
    uint16_t number;
    uint16_t devno; // also after detach, so that the device can come back here
    struct device *dev;

    uint32_t parameter; // PMCW
    uint32_t pmcw1;     // word 1, with the device number
    uint8_t lpm, pom;
    uint16_t mbi;
    uint32_t pmcw6;
    uint64_t mba;

    uint32_t scsw0;
    uint32_t ccw_address;
    uint8_t device_status, channel_status;
    uint16_t residual;
    uint8_t sense_count; // concurrent sense: bytes in `sense`
    uint8_t sense[SENSE_BYTES];

    uint8_t stacked; // unsolicited device status that waits
    struct program program;

    // Interruption queue of its subclass.
    bool queued;
    struct subchannel *queue_next, *queue_prev;
};

#define CRW_QUEUE 64

struct channel_subsystem {
    struct css_host host;
    struct subchannel **sub; // by subchannel number
    size_t subs, sub_cap;
    struct device **devices; // by device number
    size_t device_count, device_cap;
    struct {
        struct subchannel *first, *last;
    } queue[8];
    uint32_t crw[CRW_QUEUE];
    unsigned crw_first, crw_count;
    bool crw_lost;
    bool report_pending;
    bool measuring;
    uint64_t measurement_origin;
    uint8_t measurement_key;
};

// channel_status.c
bool subchannel_busy(const struct subchannel *s); // some function is in progress
// Adds status bits, makes the subchannel status pending and requests an interruption.
void subchannel_present(struct subchannel *s, uint32_t status);
void subchannel_dequeue(struct subchannel *s);
// Forgets all status and functions.
void subchannel_clear_status(struct subchannel *s);
// Presents stacked status when the subchannel can take it.
void subchannel_unstack(struct subchannel *s);
void subchannel_store_irb(const struct subchannel *s, uint8_t irb[96]);
void subchannel_store_scsw(const struct subchannel *s, uint8_t scsw[12]);

// channel_program.c
void program_start(struct subchannel *s, uint32_t orb1, uint32_t ccw, bool implied_first);
void program_resume(struct subchannel *s);
// Gives the program up without any status; the device is told when a command was pending.
void program_abandon(struct subchannel *s);
void program_free(struct program *p);

// channel_data.c
// Fetches the CCW at `at`; CHANNEL_* or 0.
uint8_t ccw_fetch(const struct subchannel *s, uint32_t at, struct ccw *out);
// Finds all storage of the command whose first CCW is `first`.
void data_find(const struct subchannel *s, const struct ccw *first, struct data_area *area);
// Copies the area's bytes to `buffer`; returns how many (stops at a fault, which it notes).
uint32_t data_read(const struct subchannel *s, struct data_area *area, uint8_t *buffer);
// Stores `n` bytes of `buffer` there; returns how many (stops at a fault, which it notes).
uint32_t data_write(const struct subchannel *s, struct data_area *area, const uint8_t *buffer,
                    uint32_t n);
void data_free(struct data_area *area);

// channel_measure.c
void measure_start_function(struct subchannel *s);
void measure_end_function(struct subchannel *s);

// channel.c
void css_report(struct channel_subsystem *css, unsigned source, unsigned error, uint16_t id);
struct subchannel *css_subchannel(const struct channel_subsystem *css, uint32_t sid);

#endif
