// SPDX-License-Identifier: MIT
// libendicott-monitor: reads z/VM monitor data in MONWRITE's form. Bytes in, records out.
//
//   static void record(void *arg, const struct endicott_monitor_record *r) { ... }
//
//   struct endicott_monitor_events events = {.record = record};
//   uint64_t damages;
//   int rc = endicott_monitor_file("monwrite.mondata", &events, NULL, &damages);
//
// Records are found by their lengths, so that those whose layout is not known are passed over
// intact. A record of an older level is shorter than the tables say: the fields it does not have
// are not there. One of a newer level is longer: what was appended is in `raw` only.
//
// Damage never ends reading: it is told where and why, and reading goes on at the next frame or
// control record. Nothing is kept between readers, and no function here is unsafe with threads that
// have readers of their own.
#ifndef ENDICOTT_MONITOR_H
#define ENDICOTT_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define ENDICOTT_MONITOR_API __attribute__((visibility("default")))
#else
#define ENDICOTT_MONITOR_API
#endif

// Version of the library that is linked, "0.1.0".
ENDICOTT_MONITOR_API const char *endicott_monitor_version(void);

// --- reading ----------------------------------------------------------------------

#define ENDICOTT_MONITOR_EVENT         1u // an event record; else of a sample or its configuration
#define ENDICOTT_MONITOR_CONFIGURATION 2u // of a configuration set
#define ENDICOTT_MONITOR_SUBINTERVAL   4u // of a sample that only subinterval users are given

// Valid during the call that gives it.
struct endicott_monitor_record {
    unsigned domain, number;  // D1R11 is domain 1, number 11
    const char *name, *title; // "MRMTREND"; NULL when its layout is not known
    const uint8_t *raw;       // from its header on
    size_t length;
    uint64_t tod;    // when it was built: TOD clock, 2^-12 microseconds since 1900
    uint64_t offset; // in the stream
    unsigned flags;  // ENDICOTT_MONITOR_...
};

struct endicott_monitor_events {
    void (*record)(void *arg, const struct endicott_monitor_record *record); // either may be NULL
    void (*damage)(void *arg, uint64_t offset, const char *reason);
};

struct endicott_monitor_reader;

// NULL when there is no memory.
ENDICOTT_MONITOR_API struct endicott_monitor_reader *
endicott_monitor_open(const struct endicott_monitor_events *events, void *arg);
// The next bytes of the stream, in pieces of any size.
ENDICOTT_MONITOR_API void endicott_monitor_feed(struct endicott_monitor_reader *reader,
                                                const void *bytes, size_t n);
// The stream is over: an unfinished set or a missing end is damage too. Frees the reader; returns
// how many places were damaged.
ENDICOTT_MONITOR_API uint64_t endicott_monitor_close(struct endicott_monitor_reader *reader);
// A whole file, "-" for standard input. 0, or an errno value when it cannot be read (what was read
// before was given). *damages (NULL allowed): how many places were damaged.
ENDICOTT_MONITOR_API int endicott_monitor_file(const char *path,
                                               const struct endicott_monitor_events *events,
                                               void *arg, uint64_t *damages);

// --- fields -----------------------------------------------------------------------

enum endicott_monitor_type {
    ENDICOTT_MONITOR_NUMBER,
    ENDICOTT_MONITOR_TIME, // a point in time, TOD units
    ENDICOTT_MONITOR_SPAN, // a length of time, TOD units (4096 are a microsecond)
    ENDICOTT_MONITOR_TEXT, // EBCDIC, blank padded
    ENDICOTT_MONITOR_BYTES
};

struct endicott_monitor_field {
    const char *name; // without the record's prefix: "PFXUTIME"
    const char *unit; // "" when none
    enum endicott_monitor_type type;
    bool counter;         // counts up, modulo 2 to the power of 8 * size: subtract
    uint64_t number;      // NUMBER, TIME, SPAN
    const uint8_t *bytes; // in the record
    size_t size;
};

// A field by name, with the record's prefix ("SYTPRP_PFXUTIME") or without; of an array the first
// element. False when the record does not have it.
ENDICOTT_MONITOR_API bool endicott_monitor_field(const struct endicott_monitor_record *record,
                                                 const char *name,
                                                 struct endicott_monitor_field *out);
// All fields in order. `list` is NULL, or the name of the array or list that the field is element
// `index` of.
ENDICOTT_MONITOR_API void
endicott_monitor_fields(const struct endicott_monitor_record *record,
                        void (*fn)(void *arg, const struct endicott_monitor_field *field,
                                   const char *list, unsigned index),
                        void *arg);
// A TEXT field in UTF-8 without trailing blanks, cut at `size` bytes with the NUL. Returns its
// length; 0 for other types.
ENDICOTT_MONITOR_API size_t endicott_monitor_text(const struct endicott_monitor_field *field,
                                                  char *out, size_t size);
// What a counter counted between two values of it.
ENDICOTT_MONITOR_API uint64_t endicott_monitor_difference(
    const struct endicott_monitor_field *before, const struct endicott_monitor_field *now);
// Seconds since 1970 (negative before), and seconds of a span.
ENDICOTT_MONITOR_API double endicott_monitor_unix_time(uint64_t tod);
ENDICOTT_MONITOR_API double endicott_monitor_seconds(uint64_t span);

// --- layouts ----------------------------------------------------------------------

// The records whose layouts are known, in ascending order: false when `index` is too high. Fields
// are told without values (`bytes` NULL) by endicott_monitor_layout_fields().
struct endicott_monitor_layout {
    unsigned domain, number, length; // length without a varying part
    const char *name, *title;
};
ENDICOTT_MONITOR_API bool endicott_monitor_layout(unsigned index,
                                                  struct endicott_monitor_layout *out);
ENDICOTT_MONITOR_API void
endicott_monitor_layout_fields(unsigned domain, unsigned number,
                               void (*fn)(void *arg, const struct endicott_monitor_field *field,
                                          unsigned offset, unsigned elements, const char *meaning),
                               void *arg);

#ifdef __cplusplus
}
#endif

#endif
