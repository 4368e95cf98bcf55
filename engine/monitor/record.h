// SPDX-License-Identifier: MIT
// Monitor records as data: the layout tables, and reading fields by name. Everything that knows a
// record (encoder, decoder, reports, panels, Lua, docs/records.md) reads these tables.
//
// A record starts with a header of 20 bytes, big-endian like all that follows:
//
//   0       2       4   5   6       8               16      20
//   | length|   0   |dom| - | record|   TOD clock   |   0   | fields ...
#ifndef ENDICOTT_MONITOR_RECORD_H
#define ENDICOTT_MONITOR_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"

#define FRAME_SIZE    4096u
#define RECORD_HEADER 20u
#define RECORD_MAX    (FRAME_SIZE - RECORD_HEADER) // so that an end-of-frame record always fits
#define DOMAIN_COUNT  16u

enum monitor_domain {
    DOMAIN_SYSTEM,
    DOMAIN_MONITOR,
    DOMAIN_SCHEDULER,
    DOMAIN_STORAGE,
    DOMAIN_USER,
    DOMAIN_PROCESSOR,
    DOMAIN_IO,
    DOMAIN_SEEKS,
    DOMAIN_NETWORK,
    DOMAIN_ISFC,
    DOMAIN_APPLDATA,
    DOMAIN_SSI,
};
extern const char *const domain_names[DOMAIN_COUNT]; // as commands spell them; NULL: no such domain
// A set of domains: bit 15 - n stands for domain n, as in D1R9 and in control area entries.
typedef uint16_t domain_set;
#define DOMAIN_BIT(domain) ((domain_set)(0x8000u >> (domain)))

enum field_type { FIELD_RESERVED, FIELD_NUMBER, FIELD_TIME, FIELD_SPAN, FIELD_TEXT, FIELD_BYTES };
enum field_kind {
    KIND_RESERVED,
    KIND_ID,
    KIND_COUNTER,
    KIND_HIGHWATER,
    KIND_GAUGE,
    KIND_FLAG,
    KIND_TEXT
};
// Since when a counter counts. None is reset by a sample: readers subtract, modulo the width.
enum field_reset { RESET_NEVER, RESET_IPL, RESET_LOGON, RESET_ONLINE, RESET_SAMPLING };

// Where values come from: record_sources.def. SOURCE_ABSENT: the system does not have the thing,
// the field is zero (blank when text).
enum record_source {
    SOURCE_ABSENT,
#define NUMBER_SOURCE(name, text, expression) SOURCE_##name,
#define TEXT_SOURCE(name, text, expression)   SOURCE_##name,
#define BYTES_SOURCE(name, text, expression)  SOURCE_##name,
#include "monitor/record_sources.def"
#undef NUMBER_SOURCE
#undef TEXT_SOURCE
#undef BYTES_SOURCE
    SOURCE_COUNT
};

struct record_field {
    uint16_t offset, length;
    uint16_t count; // elements of `length` bytes, 1 unless an array
    uint8_t type, kind, reset;
    uint16_t source;
    const char *name; // without the record's prefix: "PFXUTIME"
    const char *unit; // "" when none
    const char *text;
};

enum record_class { CLASS_SAMPLE, CLASS_CONFIG, CLASS_EVENT, CLASS_EVENT_CONFIG, CLASS_CONTROL };
enum record_per {
    PER_SYSTEM,
    PER_PROCESSOR,
    PER_USER,
    PER_VCPU,
    PER_DEVICE,
    PER_SWITCH,
    PER_NIC,
    PER_BUFFER,
    PER_COMMAND,
    PER_DOMAIN,
    PER_SET,
    PER_FRAME,
    PER_PARTITION,
    PER_CPU_TYPE,
    PER_SEGMENT,
    PER_VDISK,
    PER_SEEK,
    PER_VOLUME,
    PER_EXTENT,
    PER_CHANNEL_PATH,
    PER_CONTROL_UNIT,
    PER_IO_PROCESSOR,
    PER_CARD,
    PER_POOL,
    PER_SUBPOOL,
    PER_ADDRESS_SPACE,
};
// How sure the layout is: all bytes placed by a published length; the same without a length to
// check against; order inferred from a sister record; a published one with bytes of ours appended;
// all of it, at a later level than the others; only its first fields are known.
enum record_status {
    STATUS_FULL,
    STATUS_UNVERIFIED,
    STATUS_INFERRED,
    STATUS_EXTENDED,
    STATUS_LATER,
    STATUS_PARTIAL
};

// The part of a record that varies in length, after the fields.
struct record_tail {
    const char *name; // NULL: none
    enum field_type type;
    const char *length_name; // field that holds its length in bytes
    const char *offset_name; // field that holds where it starts, NULL: after the fields
    const char *count_name;  // field that holds how many equal items it has, NULL: one value
    const char *text;
    // Items made of fields; NULL: one value each.
    const struct record_field *fields;
    unsigned field_count;
    const char *item_name; // field that holds the length of an item, NULL: tail length / count
};

struct record_layout {
    unsigned domain, number;
    const char *name; // "MRSYTSYP"; fields are known as SYTSYP_...
    const char *title;
    unsigned length; // header and fields, without the tail
    enum record_class class;
    enum record_per per;
    enum record_status status;
    const struct record_field *fields; // the header's are not listed
    unsigned field_count;
};

enum record_id {
#define RECORD(domain, number, name, length, class, per, status, title) D##domain##R##number,
#include "monitor/records.def"
    RECORD_COUNT
};

extern const struct record_layout record_layouts[RECORD_COUNT];

// NULL when the record is not known.
const struct record_layout *record_layout(unsigned domain, unsigned number);
// Its tail, or NULL.
const struct record_tail *record_tail(const struct record_layout *layout);
// Why the system never builds it, NULL when it does.
const char *record_absent(const struct record_layout *layout);
extern const char *const record_class_names[], *const record_per_names[],
                                                   *const record_status_names[];
extern const char *const field_kind_names[], *const field_reset_names[], *const field_type_names[];

struct record_header {
    unsigned length, domain, number;
    tod_t time;
};
// False when fewer than 20 bytes are there, or the header is not one (length under 20 or beyond
// `size`, bytes 2-3 not zero, domain over 15).
bool record_header(const uint8_t *raw, size_t size, struct record_header *out);

struct record_value {
    const struct record_field *field; // NULL for the tail
    const char *name, *unit;
    enum field_type type;
    uint64_t number;      // NUMBER; TIME and SPAN in TOD units
    const uint8_t *bytes; // in the record, any type
    size_t size;
};
// Calls fn for each field the record holds, in order, reserved ones left out. Elements of arrays
// and items of lists come with `section` set to the array's name and their index; else NULL and 0.
// A record of an older level is shorter than the table: the fields that are missing are left out.
typedef void record_visitor(void *arg, const struct record_value *value, const char *section,
                            unsigned index);
void record_visit(const uint8_t *raw, size_t length, record_visitor *fn, void *arg);
// One field (element 0 of an array) by name, with the prefix ("SYTPRP_PFXUTIME") or without. False
// when the record is unknown or does not hold it.
bool record_value(const uint8_t *raw, size_t length, const char *name, struct record_value *out);
// Shorthand: its number, 0 when it is not there.
uint64_t record_number(const uint8_t *raw, size_t length, const char *name);

// docs/records.md: what each record holds and where each value comes from.
void record_document(FILE *out);

#endif
