// SPDX-License-Identifier: MIT
// The service-call logical processor: what stands behind SERVICE CALL (SERVC) and the service
// signal. Everything runs under the system lock.
#ifndef ENDICOTT_MACHINE_SCLP_H
#define ENDICOTT_MACHINE_SCLP_H

#include "machine/machine.h"

#define SCCB_MAX 4096u

// Event types, as event-buffer headers carry them.
enum sclp_event_type {
    SCLP_EVENT_OPERATOR_COMMAND = 0x01,
    SCLP_EVENT_MESSAGE = 0x02,
    SCLP_EVENT_PRIORITY_COMMAND = 0x09,
    SCLP_EVENT_PROGRAM_ID = 0x0B,
    SCLP_EVENT_ASCII = 0x1A, // the VT220 console
    SCLP_EVENT_QUIESCE = 0x1D,
};

// In a 64-bit event mask, type 1 is the leftmost bit; types that have no bit are in no mask.
static inline uint64_t sclp_mask(unsigned type)
{
    return type >= 1 && type <= 64 ? UINT64_C(1) << (64 - type) : 0;
}

struct sclp_event; // one that waits to be read (machine/sclp_events.c)

struct sclp {
    struct machine *machine;
    bool signal_pending;              // a service signal waits to be taken
    uint32_t parameter;               // for it: SCCB address, and 1 when events can be read
    uint64_t receive_mask, send_mask; // what the guest asked for
    struct sclp_event *first, **last; // queue for READ EVENT DATA
    unsigned queued;
    char line[256]; // of the VT220 console, until it is complete
    size_t line_length;
};

struct sclp *sclp_new(struct machine *machine);
void sclp_free(struct sclp *sclp);
void sclp_reset(struct sclp *sclp);
bool sclp_take_external(struct sclp *sclp, uint32_t mask, struct external_interruption *out);

// Commands on event buffers: `sccb` holds `length` bytes, its header included; the response code is
// stored there.
void sclp_write_event_mask(struct sclp *sclp, uint8_t *sccb, unsigned length);
void sclp_write_event_data(struct sclp *sclp, uint8_t *sccb, unsigned length);
void sclp_read_event_data(struct sclp *sclp, uint8_t *sccb, unsigned length);
void sclp_respond(uint8_t *sccb, uint16_t code);
// Makes events that the guest can read known to it by a service signal.
void sclp_announce(struct sclp *sclp);

// SCCB header:
//
//   0        2          3              6               8
//   | length | function | control mask | response code | ...
#define SCCB_LENGTH   0
#define SCCB_FUNCTION 2
#define SCCB_CONTROL  3
#define SCCB_RESPONSE 6
#define SCCB_HEADER   8u

// Response codes.
#define SCLP_BOUNDARY             0x0100u
#define SCLP_INVALID_COMMAND      0x01F0u
#define SCLP_READ_COMPLETE        0x0010u
#define SCLP_COMPLETE             0x0020u
#define SCLP_MORE_EVENTS          0x0220u
#define SCLP_LENGTH               0x0300u
#define SCLP_INVALID_FUNCTION     0x40F0u
#define SCLP_NO_EVENTS            0x60F0u
#define SCLP_INCONSISTENT_LENGTHS 0x72F0u
#define SCLP_EVENT_SYNTAX         0x73F0u
#define SCLP_INVALID_MASK_LENGTH  0x74F0u

#endif
