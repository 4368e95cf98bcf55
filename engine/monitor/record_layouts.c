// SPDX-License-Identifier: MIT
// The layout tables. layouts_DOMAIN.def list each record's fields as
//
//   F(offset, length, elements, type, name, kind, counts since, source, unit, meaning)
//
// Layouts are those of z/VM 5.3, whose later levels only append (docs/records.md says where not).
#include "monitor/record.h"

#define LAYOUT(domain, number) static const struct record_field fields_##domain##_##number[] = {
#define F(offset, length, count, type, name, kind, reset, source, unit, text) \
    {offset,        length,          count, FIELD_##type, KIND_##kind,        \
     RESET_##reset, SOURCE_##source, name,  unit,         text},
#define END \
    {       \
        0   \
    }       \
    }       \
    ;
#include "monitor/layouts_system.def"
#include "monitor/layouts_monitor.def"
#include "monitor/layouts_storage.def"
#include "monitor/layouts_user.def"
#include "monitor/layouts_processor.def"
#include "monitor/layouts_io.def"
#include "monitor/layouts_network.def"
#include "monitor/layouts_appldata.def"
#undef LAYOUT
#undef F
#undef END

static const struct record_tail event_command = {"CALCMD", FIELD_TEXT, "CALBYCT",
                                                 NULL,     NULL,       "text of the command"};
static const struct record_tail sample_command = {"CALCMD", FIELD_TEXT, "CALBYCT",
                                                  NULL,     NULL,       "text of the command"};
static const struct record_tail items = {
    "DMITEMS",  FIELD_TEXT,
    NULL,       NULL,
    "DMITEMCT", "user IDs of 8 characters, or device numbers of 2 bytes (our item form)"};
static const struct record_tail data = {"ADATA",    FIELD_BYTES, "CALDATLN",
                                        "CALDATOF", NULL,        "the application's data"};

static const struct record_tail *const tails[RECORD_COUNT] = {[D1R2] = &event_command,
                                                              [D1R10] = &sample_command,
                                                              [D1R14] = &items,
                                                              [D10R1] = &data,
                                                              [D10R2] = &data};

#define FIELDS(a) (sizeof(a) / sizeof(a)[0] - 1) // without the closing row

// Index + 1 of each known record.
static const uint8_t by_number[DOMAIN_COUNT][64] = {
#define RECORD(domain, number, name, length, class, per, status, title) \
    [domain][number] = D##domain##R##number + 1,
#include "monitor/records.def"
#undef RECORD
};

const struct record_layout record_layouts[RECORD_COUNT] = {
#define RECORD(domain, number, name, length, class, per, status, title) \
    {domain,                                                            \
     number,                                                            \
     #name,                                                             \
     title,                                                             \
     length,                                                            \
     CLASS_##class,                                                     \
     PER_##per,                                                         \
     STATUS_##status,                                                   \
     fields_##domain##_##number,                                        \
     FIELDS(fields_##domain##_##number)},
#include "monitor/records.def"
#undef RECORD
};

const struct record_layout *record_layout(unsigned domain, unsigned number)
{
    if (domain >= DOMAIN_COUNT || number >= sizeof by_number[0] || !by_number[domain][number])
        return NULL;
    return &record_layouts[by_number[domain][number] - 1];
}

const struct record_tail *record_tail(const struct record_layout *layout)
{
    return tails[layout - record_layouts];
}

const char *const domain_names[DOMAIN_COUNT] = {
    "SYSTEM", "MONITOR", "SCHEDULER", "STORAGE", "USER",     "PROCESSOR",
    "I/O",    "SEEKS",   "NETWORK",   "ISFC",    "APPLDATA", "SSI",
};
const char *const record_class_names[] = {"sample", "configuration", "event", "event configuration",
                                          "control"};
const char *const record_per_names[] = {
    "system",      "real CPU", "user",    "virtual CPU",        "real device", "virtual switch",
    "virtual NIC", "buffer",   "command", "domain with a list", "set",         "frame"};
const char *const record_status_names[] = {
    "full", "full, length not checked against a published one",
    "inferred: do not rely on the offsets", "published, with bytes of our own appended"};
const char *const field_type_names[] = {"reserved", "number", "time", "span", "text", "bytes"};
const char *const field_kind_names[] = {"reserved", "id",   "counter", "high water",
                                        "gauge",    "flag", "text"};
const char *const field_reset_names[] = {"", "IPL", "logon", "online", "start of sampling"};
