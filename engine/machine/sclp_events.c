// SPDX-License-Identifier: MIT
// Event buffers of the service-call logical processor: the operating system's messages and its two
// consoles, and what the operator sends (layouts as Linux's drivers/s390/char/sclp expects them).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "machine/sclp.h"

// Event-buffer header: | length (2) | type (1) | flags (1) | reserved (2) |
#define EVENT_HEADER    6u
#define EVENT_TYPE      2
#define EVENT_FLAGS     3
#define EVENT_PROCESSED 0x80u

#define QUEUE_MAX 64u // what is not read in time is refused to the sender

struct sclp_event {
    struct sclp_event *next;
    unsigned length;
    uint8_t bytes[SCCB_MAX - SCCB_HEADER];
};

void sclp_reset(struct sclp *sclp)
{
    struct sclp_event *event;

    while ((event = sclp->first)) {
        sclp->first = event->next;
        free(event);
    }
    sclp->last = &sclp->first;
    sclp->queued = 0;
    sclp->signal_pending = false;
    sclp->parameter = 0;
    sclp->receive_mask = sclp->send_mask = 0;
    sclp->line_length = 0;
}

static uint64_t mask_get(const uint8_t *field, unsigned length)
{
    uint8_t bytes[8] = {0};
    memcpy(bytes, field, length < 8 ? length : 8);
    return be64_load(bytes);
}

static void mask_put(uint8_t *field, unsigned length, uint64_t mask)
{
    uint8_t bytes[8];
    be64_store(bytes, mask);
    memset(field, 0, length);
    memcpy(field, bytes, length < 8 ? length : 8);
}

// What this end takes from the guest.
static uint64_t we_receive(const struct sclp *sclp)
{
    return sclp_mask(SCLP_EVENT_MESSAGE) | sclp_mask(SCLP_EVENT_PROGRAM_ID) |
           (sclp->machine->owner.ascii ? sclp_mask(SCLP_EVENT_ASCII) : 0);
}

// And what it gives to it.
static uint64_t we_send(const struct sclp *sclp)
{
    return sclp_mask(SCLP_EVENT_OPERATOR_COMMAND) | sclp_mask(SCLP_EVENT_QUIESCE) |
           (sclp->machine->owner.ascii ? sclp_mask(SCLP_EVENT_ASCII) : 0);
}

// WRITE EVENT MASK: 10 mask length (2) | 12 four masks of that length: the guest receives, the
// guest sends, we receive, we send.
void sclp_write_event_mask(struct sclp *sclp, uint8_t *sccb, unsigned length)
{
    unsigned n = length < 12 ? 0 : be16_load(sccb + 10);

    if (n == 0 || 12 + 4 * n > length) {
        sclp_respond(sccb, SCLP_INVALID_MASK_LENGTH);
        return;
    }
    sclp->receive_mask = mask_get(sccb + 12, n);
    sclp->send_mask = mask_get(sccb + 12 + n, n);
    mask_put(sccb + 12 + 2 * n, n, we_receive(sclp));
    mask_put(sccb + 12 + 3 * n, n, we_send(sclp));
    sclp_respond(sccb, SCLP_COMPLETE);
    if (sclp->first)
        sclp_announce(sclp);
}

static void tell_owner(struct sclp *sclp, const char *utf8)
{
    struct machine *machine = sclp->machine;
    if (machine->owner.message)
        machine->owner.message(machine, utf8);
}

// Line messages and commands: a partition's consoles speak code page 500, CP 037 (as Linux's
// drivers/s390/char/sclp_rw.c has it).
static const struct codepage *console_codepage(const struct machine *machine)
{
    const struct codepage *page =
        machine->host == &machine_cpu_host ? codepage_get("IBM500") : codepage_default();
    return page ? page : codepage_default();
}

#define MDB_HEADER 12u // length (2), type (2), tag (4), revision (4)
#define MTO_HEADER 10u // length (2), type 4 (2), flags (2), alarm (1), reserved (3)
#define OBJECT_MTO 4u

// A message data block: its message text objects are one line each.
static bool take_message(struct sclp *sclp, const uint8_t *data, unsigned n)
{
    char text[4 * SCCB_MAX];

    for (unsigned at = MDB_HEADER; at < n;) {
        unsigned length = n - at < 4 ? 0 : be16_load(data + at);
        if (length < 4 || length > n - at)
            return false;
        if (be16_load(data + at + 2) == OBJECT_MTO && length >= MTO_HEADER) {
            ebcdic_to_utf8(console_codepage(sclp->machine), data + at + MTO_HEADER,
                           length - MTO_HEADER, text, sizeof text);
            tell_owner(sclp, text);
        }
        at += length;
    }
    return n >= MDB_HEADER;
}

// The ASCII console is a stream; the owner gets whole lines.
static bool take_ascii(struct sclp *sclp, const uint8_t *data, unsigned n)
{
    struct machine *machine = sclp->machine;

    for (unsigned i = 0; i < n; i++) {
        if (data[i] != '\n' && data[i] != '\r' && data[i] != 0)
            sclp->line[sclp->line_length++] = (char)data[i];
        if (data[i] != '\n' && sclp->line_length < sizeof sclp->line - 1)
            continue;
        sclp->line[sclp->line_length] = '\0';
        sclp->line_length = 0;
        machine->owner.ascii(machine, sclp->line);
    }
    return true;
}

// Returns 0 or the response code that ends the command.
static uint16_t take_event(struct sclp *sclp, uint8_t *event, unsigned length)
{
    const uint8_t *data = event + EVENT_HEADER;
    unsigned n = length - EVENT_HEADER;
    bool good;

    if (!(we_receive(sclp) & sclp_mask(event[EVENT_TYPE])))
        return SCLP_INVALID_FUNCTION;
    switch (event[EVENT_TYPE]) {
    case SCLP_EVENT_MESSAGE:
        good = take_message(sclp, data, n);
        break;
    case SCLP_EVENT_ASCII:
        good = take_ascii(sclp, data, n);
        break;
    case SCLP_EVENT_PROGRAM_ID: // names of system and sysplex: nobody here wants them
        good = true;
        break;
    default: // not in we_receive()
        good = false;
    }
    if (!good)
        return SCLP_EVENT_SYNTAX;
    event[EVENT_FLAGS] |= EVENT_PROCESSED;
    return 0;
}

void sclp_write_event_data(struct sclp *sclp, uint8_t *sccb, unsigned length)
{
    uint16_t response = length > SCCB_HEADER ? 0 : SCLP_INCONSISTENT_LENGTHS;

    for (unsigned at = SCCB_HEADER; at < length && !response;) {
        unsigned n = length - at < EVENT_HEADER ? 0 : be16_load(sccb + at);
        if (n < EVENT_HEADER || n > length - at) {
            response = SCLP_INCONSISTENT_LENGTHS;
            break;
        }
        response = take_event(sclp, sccb + at, n);
        at += n;
    }
    sclp_respond(sccb, response ? response : SCLP_COMPLETE);
}

#define CONTROL_VARIABLE_RESPONSE 0x80u // in byte 2 of the control mask

// The first queued event that the guest's receive mask admits is moved into `sccb`; false when
// there is none or it does not fit.
static bool deliver(struct sclp *sclp, uint8_t *sccb, unsigned *at, unsigned length)
{
    for (struct sclp_event **p = &sclp->first, *event; (event = *p); p = &event->next) {
        if (!(sclp->receive_mask & sclp_mask(event->bytes[EVENT_TYPE])))
            continue;
        if (event->length > length - *at)
            return false;
        memcpy(sccb + *at, event->bytes, event->length);
        *at += event->length;
        *p = event->next;
        if (!*p)
            sclp->last = p;
        sclp->queued--;
        free(event);
        return true;
    }
    return false;
}

void sclp_read_event_data(struct sclp *sclp, uint8_t *sccb, unsigned length)
{
    unsigned at = SCCB_HEADER;

    while (deliver(sclp, sccb, &at, length))
        continue;
    if (at == SCCB_HEADER) {
        sclp_respond(sccb, SCLP_NO_EVENTS);
        return;
    }
    if (sccb[SCCB_CONTROL + 2] & CONTROL_VARIABLE_RESPONSE)
        be16_store(sccb + SCCB_LENGTH, (uint16_t)at);
    sclp_respond(sccb, sclp->first ? SCLP_MORE_EVENTS : SCLP_COMPLETE);
}

static bool queue_event(struct sclp *sclp, uint8_t type, const uint8_t *data, size_t n)
{
    struct sclp_event *event;

    if (!(sclp->receive_mask & sclp_mask(type)) || sclp->queued >= QUEUE_MAX ||
        n > sizeof event->bytes - EVENT_HEADER)
        return false;
    event = mem_zero(1, sizeof *event);
    event->length = (unsigned)(EVENT_HEADER + n);
    be16_store(event->bytes, (uint16_t)event->length);
    event->bytes[EVENT_TYPE] = type;
    memcpy(event->bytes + EVENT_HEADER, data, n);
    *sclp->last = event;
    sclp->last = &event->next;
    sclp->queued++;
    sclp_announce(sclp);
    return true;
}

// A command is a self-defining text message inside three general-data-stream vectors:
//
//   | len 1310 | len 1212 | len 1320 | len 31 | len 30 | text |
//    4 bytes    4 bytes    4 bytes    2 bytes  2 bytes
bool machine_operator_command(struct machine *machine, const char *utf8)
{
    uint8_t data[16 + 240] = {0};
    size_t n = ebcdic_from_utf8(console_codepage(machine), utf8, data + 16, sizeof data - 16);

    be16_store(data, (uint16_t)(16 + n));
    be16_store(data + 2, 0x1310);
    be16_store(data + 4, (uint16_t)(12 + n));
    be16_store(data + 6, 0x1212);
    be16_store(data + 8, (uint16_t)(8 + n));
    be16_store(data + 10, 0x1320);
    data[12] = (uint8_t)(4 + n);
    data[13] = 0x31;
    data[14] = (uint8_t)(2 + n);
    data[15] = 0x30;
    return queue_event(machine->sclp, SCLP_EVENT_OPERATOR_COMMAND, data, 16 + n);
}

bool machine_operator_ascii(struct machine *machine, const char *bytes, size_t n)
{
    uint8_t data[1024]; // the first byte is 0: data, not a session's start or end

    if (n > sizeof data - 1)
        return false;
    data[0] = 0;
    memcpy(data + 1, bytes, n);
    return queue_event(machine->sclp, SCLP_EVENT_ASCII, data, n + 1);
}

bool machine_signal_quiesce(struct machine *machine)
{
    static const uint8_t no_time_limit[6];
    return queue_event(machine->sclp, SCLP_EVENT_QUIESCE, no_time_limit, sizeof no_time_limit);
}
