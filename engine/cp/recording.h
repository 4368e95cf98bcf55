// SPDX-License-Identifier: MIT
// Recording: accounting, error and symptom records, which CP queues for the programs that connect
// to *ACCOUNT, *LOGREC and *SYMPTOM (CP Programming Services, "Accounting System Service" and its
// sisters). One program a service; a record leaves the queue when that program has received it.
#ifndef ENDICOTT_CP_RECORDING_H
#define ENDICOTT_CP_RECORDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cp;

enum recording_kind { RECORDING_EREP, RECORDING_ACCOUNT, RECORDING_SYMPTOM, RECORDING_KINDS };

// What QUERY RECORDING shows of one.
struct recording_view {
    const char *name;   // "EREP", "ACCOUNT", "SYMPTOM"
    const char *userid; // who gets the records; "" when nobody did so far
    bool on, connected;
    unsigned queued, limit; // the operator is told each time the queue has grown by `limit`
};

// Registers the services; all are on.
void recording_init(struct cp *cp);
void recording_free(struct cp *cp);
// Queues a copy of a record, unless recording is off.
void recording_add(struct cp *cp, enum recording_kind kind, const void *bytes, size_t n);
struct recording_view recording_view(const struct cp *cp, enum recording_kind kind);
void recording_set(struct cp *cp, enum recording_kind kind, bool on);
void recording_limit(struct cp *cp, enum recording_kind kind, unsigned limit);
unsigned recording_purge(struct cp *cp, enum recording_kind kind); // how many there were
// Record number `index` (from 0, oldest first), for tests and scripts; NULL beyond the last.
const uint8_t *recording_peek(const struct cp *cp, enum recording_kind kind, unsigned index,
                              size_t *n);

#endif
