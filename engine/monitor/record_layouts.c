// SPDX-License-Identifier: MIT
// The layout tables. layouts_DOMAIN.def (layouts.def: all of them) list each record's fields as
//
//   F(offset, length, elements, type, name, kind, counts since, source, unit, meaning)
//
// Layouts are those of z/VM 5.3, whose later levels only append (docs/records.md says where not).
#include "monitor/record.h"

#define LAYOUT(domain, number) static const struct record_field fields_##domain##_##number[] = {
#define F(offset, length, count, type, name, kind, reset, source, unit, text) \
    {offset,        length,          count, FIELD_##type, KIND_##kind,        \
     RESET_##reset, SOURCE_##source, name,  unit,         text},
#define ITEM(domain, number) static const struct record_field items_##domain##_##number[] = {
#define END \
    {       \
        0   \
    }       \
    }       \
    ;
#include "monitor/layouts.def"
#undef LAYOUT
#undef ITEM
#undef F
#undef END

#define FIELDS(a) (sizeof(a) / sizeof(a)[0] - 1) // without the closing row

// Entries of a table: where it starts, how many there are, how long each is.
#define TABLE(name, offset, length, count, items, text)                            \
    {                                                                              \
        name, FIELD_BYTES, NULL, offset, count, text, items, FIELDS(items), length \
    }

static const struct record_tail tails[RECORD_COUNT] = {
    [D0R16] = TABLE("CPUDATA", "CALCPUOF", "CALCPULN", "LCUPCPCT", items_0_16, "CPUs"),
    [D0R17] = TABLE("MIBDATA", "CALMIBOF", "CALMIBLN", "LCUPCPCT", items_0_17, "physical CPUs"),
    [D0R18] = TABLE("CHPATH", "CALOFFST", "CHPATHLN", "CHPATHCT", items_0_18, "channel paths"),
    [D0R20] = {"ECMDATA", FIELD_BYTES, NULL, "CALOFST1", NULL, "measurement tables"},
    [D0R23] = TABLE("CALLKDATA", "CALENTDSP", "CALENTSZ", "CALNMLKS", items_0_23, "locks"),
    [D1R2] = {"CALCMD", FIELD_TEXT, "CALBYCT", NULL, NULL, "text of the command"},
    [D1R10] = {"CALCMD", FIELD_TEXT, "CALBYCT", NULL, NULL, "text of the command"},
    [D1R14] = {"DMITEMS", FIELD_TEXT, NULL, NULL, "DMITEMCT",
               "user IDs of 8 characters, or device numbers of 2 bytes (our item form)"},
    [D1R31] = {"SERVICE", FIELD_BYTES, NULL, NULL, NULL, "service levels"},
    [D2R2] = {"CALTEXT", FIELD_TEXT, "CALBYCT", NULL, NULL,
              "the line, while SET MONDATA is on: never here"},
    [D2R3] = {"CALTEXT", FIELD_TEXT, "CALBYCT", NULL, NULL,
              "the line, while SET MONDATA is on: never here"},
    [D5R10] = {"CARDDATA", FIELD_BYTES, NULL, NULL, NULL, "measurement of the card"},
    [D6R10] = {"DATA", FIELD_BYTES, "CALDATLN", "CALDATOF", NULL, "library statistics"},
    [D10R1] = {"ADATA", FIELD_BYTES, "CALDATLN", "CALDATOF", NULL, "the application's data"},
    [D10R2] = {"ADATA", FIELD_BYTES, "CALDATLN", "CALDATOF", NULL, "the application's data"},
};

// Index + 1 of each known record.
static const uint8_t by_number[DOMAIN_COUNT][64] = {
#define RECORD(domain, number, name, length, class, per, status, title) \
    [domain][number] = D##domain##R##number + 1,
#include "monitor/records.def"
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
};

const struct record_layout *record_layout(unsigned domain, unsigned number)
{
    if (domain >= DOMAIN_COUNT || number >= sizeof by_number[0] || !by_number[domain][number])
        return NULL;
    return &record_layouts[by_number[domain][number] - 1];
}

const struct record_tail *record_tail(const struct record_layout *layout)
{
    const struct record_tail *tail = &tails[layout - record_layouts];
    return tail->name ? tail : NULL;
}

static const char *const absent[RECORD_COUNT] = {
#define ABSENT_RECORD(domain, number, why) [D##domain##R##number] = why,
#include "monitor/records.def"
};

const char *record_absent(const struct record_layout *layout)
{
    return absent[layout - record_layouts];
}

const char *const domain_names[DOMAIN_COUNT] = {
    "SYSTEM", "MONITOR", "SCHEDULER", "STORAGE", "USER",     "PROCESSOR",
    "I/O",    "SEEKS",   "NETWORK",   "ISFC",    "APPLDATA", "SSI",
};
const char *const record_class_names[] = {"sample", "configuration", "event", "event configuration",
                                          "control"};
const char *const record_per_names[] = {
    "system",       "real CPU",           "user",          "virtual CPU",
    "real device",  "virtual switch",     "virtual NIC",   "buffer",
    "command",      "domain with a list", "set",           "frame",
    "partition",    "CPU type",           "saved segment", "virtual disk",
    "seek",         "CP volume",          "extent",        "channel path",
    "control unit", "I/O processor",      "card",          "pool",
    "subpool",      "address space"};
const char *const record_status_names[] = {"full",
                                           "full, length not checked against a published one",
                                           "inferred: do not rely on the offsets",
                                           "published, with bytes of our own appended",
                                           "full, of a later level",
                                           "only its first fields are known"};
const char *const field_type_names[] = {"reserved", "number", "time", "span", "text", "bytes"};
const char *const field_kind_names[] = {"reserved", "id",   "counter", "high water",
                                        "gauge",    "flag", "text"};
const char *const field_reset_names[] = {"", "IPL", "logon", "online", "start of sampling"};
