// SPDX-License-Identifier: MIT
#include "cp/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/cp.h"
#include "cp/iucv.h"

// A queue that nobody empties ends here: the oldest records go first.
#define QUEUE_MAX 65536u
// IPUSER when a second program connects; our own, there is no published one.
#define SEVER_IN_USE 0x01

struct record {
    struct record *next;
    uint32_t message; // its number while it is on its way, 0 not sent
    size_t n;
    uint8_t bytes[];
};

struct recording {
    struct cp *cp;
    enum recording_kind kind;
    struct iucv_end *end;
    char userid[USERID_SIZE];
    bool on;
    unsigned limit, queued, told;
    struct record *first, **last;
};

struct recordings {
    struct recording of[RECORDING_KINDS];
};

static const struct {
    const char *name, *service;
    unsigned limit;
} kinds[RECORDING_KINDS] = {
    {"EREP", "*LOGREC", 2},
    {"ACCOUNT", "*ACCOUNT", 20},
    {"SYMPTOM", "*SYMPTOM", 2},
};

static struct recording *of(const struct cp *cp, enum recording_kind kind)
{
    return &cp->recordings->of[kind];
}

static void drop_first(struct recording *recording)
{
    struct record *record = recording->first;

    recording->first = record->next;
    if (!recording->first)
        recording->last = &recording->first;
    recording->queued--;
    free(record);
}

// Sends what has not been sent, as far as the path's message limit allows.
static void send_queued(struct recording *recording)
{
    if (!recording->end)
        return;
    for (struct record *r = recording->first; r; r = r->next) {
        if (r->message)
            continue;
        if (iucv_send(recording->end, IUCV_NORPY, 0, 0, r->bytes, (uint32_t)r->n, 0, &r->message))
            return;
    }
}

// --- the service ----------------------------------------------------------------------------

static void pending(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    static const uint8_t in_use[IUCV_USER_DATA] = {SEVER_IN_USE}, none[IUCV_USER_DATA];
    struct recording *recording = arg;

    (void)user_data;
    if (recording->end) {
        iucv_sever(end, in_use);
        return;
    }
    recording->end = end;
    copy_text(recording->userid, sizeof recording->userid, iucv_end_userid(end));
    iucv_accept(end, 0, 0, none);
    cp_operator_line(recording->cp,
                     "HCPCRC8064I Recording data retrieval has been started; recording %s for "
                     "userid %s.",
                     kinds[recording->kind].service, recording->userid);
    send_queued(recording);
}

static void severed(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct recording *recording = arg;

    (void)user_data;
    if (end != recording->end)
        return;
    recording->end = NULL;
    for (struct record *r = recording->first; r; r = r->next)
        r->message = 0; // on its way, and not received
}

static void done(void *arg, struct iucv_end *end, uint32_t id, uint32_t tag, uint32_t audit,
                 const uint8_t *answer, uint32_t n)
{
    struct recording *recording = arg;

    (void)end, (void)tag, (void)answer, (void)n;
    struct record *first = recording->first;
    if (first && first->message == id && audit == 0)
        drop_first(recording);
    else if (first && first->message == id)
        first->message = 0; // rejected: it stays, for another time
    recording->told = recording->queued;
    if (audit == 0)
        send_queued(recording);
}

static const struct iucv_ops ops = {.pending = pending, .severed = severed, .done = done};

void recording_init(struct cp *cp)
{
    cp->recordings = mem_zero(1, sizeof *cp->recordings);
    for (unsigned i = 0; i < RECORDING_KINDS; i++) {
        struct recording *recording = of(cp, i);
        *recording = (struct recording){.cp = cp, .kind = i, .on = true, .limit = kinds[i].limit};
        recording->last = &recording->first;
        iucv_register_service(cp, kinds[i].service, &ops, recording);
    }
}

void recording_free(struct cp *cp)
{
    if (!cp->recordings)
        return;
    for (unsigned i = 0; i < RECORDING_KINDS; i++)
        recording_purge(cp, i);
    free(cp->recordings);
    cp->recordings = NULL;
}

// --- for CP -----------------------------------------------------------------------------------

void recording_add(struct cp *cp, enum recording_kind kind, const void *bytes, size_t n)
{
    struct recording *recording = of(cp, kind);
    struct record *record;

    if (!recording->on)
        return;
    if (recording->queued == QUEUE_MAX && !recording->first->message)
        drop_first(recording);
    record = mem_zero(1, sizeof *record + n);
    record->n = n;
    memcpy(record->bytes, bytes, n);
    *recording->last = record;
    recording->last = &record->next;
    recording->queued++;
    send_queued(recording);
    if (recording->limit && recording->queued >= recording->told + recording->limit) {
        recording->told = recording->queued;
        cp_operator_line(cp, "%s RECORDS QUEUED FOR %s: %u", kinds[kind].name, kinds[kind].service,
                         recording->queued);
    }
}

struct recording_view recording_view(const struct cp *cp, enum recording_kind kind)
{
    const struct recording *recording = of(cp, kind);

    return (struct recording_view){.name = kinds[kind].name,
                                   .userid = recording->userid,
                                   .on = recording->on,
                                   .connected = recording->end != NULL,
                                   .queued = recording->queued,
                                   .limit = recording->limit};
}

void recording_set(struct cp *cp, enum recording_kind kind, bool on)
{
    of(cp, kind)->on = on;
}

void recording_limit(struct cp *cp, enum recording_kind kind, unsigned limit)
{
    of(cp, kind)->limit = limit;
}

unsigned recording_purge(struct cp *cp, enum recording_kind kind)
{
    struct recording *recording = of(cp, kind);
    unsigned count = recording->queued;

    while (recording->first) {
        if (recording->first->message && recording->end)
            iucv_purge(recording->end, recording->first->message);
        drop_first(recording);
    }
    recording->told = 0;
    return count;
}

const uint8_t *recording_peek(const struct cp *cp, enum recording_kind kind, unsigned index,
                              size_t *n)
{
    const struct record *record = of(cp, kind)->first;

    while (record && index--)
        record = record->next;
    if (!record)
        return NULL;
    *n = record->n;
    return record->bytes;
}
