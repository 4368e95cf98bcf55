// SPDX-License-Identifier: MIT
// Reading records by their tables.
#include "monitor/record.h"

#include <string.h>

#include "base/bytes.h"

bool record_header(const uint8_t *raw, size_t size, struct record_header *out)
{
    if (size < RECORD_HEADER)
        return false;
    *out = (struct record_header){be16_load(raw), raw[4], be16_load(raw + 6), be64_load(raw + 8)};
    return out->length >= RECORD_HEADER && out->length <= size && be16_load(raw + 2) == 0 &&
           out->domain < DOMAIN_COUNT;
}

static const struct record_layout *layout_of(const uint8_t *raw, size_t length)
{
    if (length < RECORD_HEADER)
        return NULL;
    return record_layout(raw[4], be16_load(raw + 6));
}

static uint64_t big_endian(const uint8_t *p, size_t n)
{
    uint64_t v = 0;
    for (size_t i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

static struct record_value value_of(const struct record_field *field, const uint8_t *at)
{
    struct record_value v = {field, field->name, field->unit,  (enum field_type)field->type,
                             0,     at,          field->length};
    if (field->type == FIELD_NUMBER || field->type == FIELD_TIME || field->type == FIELD_SPAN)
        v.number = big_endian(at, field->length);
    return v;
}

static void visit_field(const uint8_t *raw, size_t length, const struct record_field *field,
                        record_visitor *fn, void *arg)
{
    for (unsigned i = 0; i < field->count; i++) {
        size_t at = field->offset + (size_t)i * field->length;
        if (at + field->length > length)
            return;
        struct record_value v = value_of(field, raw + at);
        fn(arg, &v, field->count > 1 ? field->name : NULL, i);
    }
}

static const struct record_field *find_field(const struct record_layout *layout, const char *name)
{
    const char *prefix = layout->name + 2; // MRSYTSYP: fields are SYTSYP_...
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) == 0 && name[n] == '_')
        name += n + 1;
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].type != FIELD_RESERVED && strcmp(layout->fields[i].name, name) == 0)
            return &layout->fields[i];
    return NULL;
}

static bool field_number(const uint8_t *raw, size_t length, const struct record_layout *layout,
                         const char *name, uint64_t *number)
{
    const struct record_field *field = find_field(layout, name);
    if (!field || field->offset + (size_t)field->length > length)
        return false;
    *number = value_of(field, raw + field->offset).number;
    return true;
}

// Where the tail lies; false when there is none or it would lie outside the record.
static bool find_tail(const uint8_t *raw, size_t length, const struct record_layout *layout,
                      const struct record_tail *tail, size_t *start, size_t *size)
{
    uint64_t offset = layout->length, bytes = length - (length < offset ? length : offset);
    if (tail->offset_name && !field_number(raw, length, layout, tail->offset_name, &offset))
        return false;
    if (tail->offset_name)
        bytes = length - (length < offset ? length : offset);
    if (tail->length_name && !field_number(raw, length, layout, tail->length_name, &bytes))
        return false;
    if (offset < layout->length || offset > length || bytes > length - offset)
        return false;
    *start = (size_t)offset;
    *size = (size_t)bytes;
    return true;
}

// Items made of fields.
static void visit_table(const uint8_t *raw, const struct record_tail *tail, size_t start,
                        size_t item, size_t count, record_visitor *fn, void *arg)
{
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; k < tail->field_count; k++) {
            const struct record_field *field = &tail->fields[k];
            if (field->type == FIELD_RESERVED || field->offset + (size_t)field->length > item)
                continue;
            struct record_value v = value_of(field, raw + start + i * item + field->offset);
            fn(arg, &v, tail->name, (unsigned)i);
        }
}

static void visit_tail(const uint8_t *raw, size_t length, const struct record_layout *layout,
                       const struct record_tail *tail, record_visitor *fn, void *arg)
{
    size_t start, size;
    uint64_t count = 1, item;
    if (!find_tail(raw, length, layout, tail, &start, &size))
        return;
    if (tail->count_name && !field_number(raw, length, layout, tail->count_name, &count))
        return;
    if (tail->item_name) {
        if (!field_number(raw, length, layout, tail->item_name, &item) || item == 0 ||
            count > size / item)
            return;
        visit_table(raw, tail, start, (size_t)item, (size_t)count, fn, arg);
        return;
    }
    if (count == 0 || size == 0 || size % count != 0) // not items of one size
        return;
    item = size / count;
    for (size_t i = 0; i < count; i++) {
        struct record_value v = {NULL, tail->name, "", tail->type, 0, raw + start + i * item, item};
        if (tail->count_name && item < 8)
            v.type = FIELD_BYTES;
        fn(arg, &v, tail->count_name ? tail->name : NULL, (unsigned)i);
    }
}

void record_visit(const uint8_t *raw, size_t length, record_visitor *fn, void *arg)
{
    const struct record_layout *layout = layout_of(raw, length);
    if (!layout)
        return;
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].type != FIELD_RESERVED)
            visit_field(raw, length, &layout->fields[i], fn, arg);
    const struct record_tail *tail = record_tail(layout);
    if (tail)
        visit_tail(raw, length, layout, tail, fn, arg);
}

static bool tail_value(const uint8_t *raw, size_t length, const struct record_layout *layout,
                       const char *name, struct record_value *out)
{
    const struct record_tail *tail = record_tail(layout);
    const char *prefix = layout->name + 2;
    size_t start, size, n = strlen(prefix);
    if (strncmp(name, prefix, n) == 0 && name[n] == '_')
        name += n + 1;
    if (!tail || strcmp(tail->name, name) != 0 ||
        !find_tail(raw, length, layout, tail, &start, &size))
        return false;
    *out = (struct record_value){NULL, tail->name, "", tail->type, 0, raw + start, size};
    return true;
}

bool record_value(const uint8_t *raw, size_t length, const char *name, struct record_value *out)
{
    const struct record_layout *layout = layout_of(raw, length);
    if (!layout)
        return false;
    const struct record_field *field = find_field(layout, name);
    if (!field)
        return tail_value(raw, length, layout, name, out);
    if (field->offset + (size_t)field->length > length)
        return false;
    *out = value_of(field, raw + field->offset);
    return true;
}

uint64_t record_number(const uint8_t *raw, size_t length, const char *name)
{
    struct record_value v;
    return record_value(raw, length, name, &v) ? v.number : 0;
}
