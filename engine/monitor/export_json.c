// SPDX-License-Identifier: MIT
// JSON Lines: an object for each record, with its fields, arrays as arrays, lists as arrays of
// objects or values.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "monitor/export.h"

struct json {
    struct export_sink sink;
    struct text line, value;
};

static void *json_begin(const struct export_sink *sink, const char *path, const bool *wanted,
                        struct text *error)
{
    struct json *json = mem_zero(1, sizeof *json);
    (void)path;
    (void)wanted;
    (void)error;
    json->sink = *sink;
    return json;
}

// A value that export_value() made; texts and times in quotes.
static void add_value(struct json *json, const struct record_field *field, const char *value)
{
    enum export_type type = export_type(field);
    if (type == EXPORT_INTEGER || type == EXPORT_REAL)
        text_puts(&json->line, value);
    else
        export_quote(&json->line, value);
}

static void add_field(struct json *json, const struct record_field *field, const uint8_t *raw,
                      size_t length, bool *first)
{
    bool array = field->count > 1;
    for (unsigned i = 0; i < field->count; i++) {
        text_clear(&json->value);
        if (!export_value(field, i, raw, length, &json->value)) {
            text_puts(&json->line, array && i > 0 ? "]" : "");
            return;
        }
        if (i == 0) {
            text_puts(&json->line, *first ? "" : ",");
            export_quote(&json->line, field->name);
            text_puts(&json->line, array ? ":[" : ":");
            *first = false;
        } else {
            text_puts(&json->line, ",");
        }
        add_value(json, field, text_get(&json->value));
    }
    text_puts(&json->line, array ? "]" : "");
}

// What follows the fields: one value, or items.
struct tail {
    struct json *json;
    const char *name; // of the list that is open
    unsigned item;
    bool open, item_open;
};

static void close_item(struct tail *tail)
{
    if (tail->item_open)
        text_puts(&tail->json->line, "}");
    tail->item_open = false;
}

static void add_plain(struct json *json, const struct record_value *v)
{
    struct record_field field = {.offset = 0,
                                 .length = (uint16_t)v->size,
                                 .count = 1,
                                 .type = (uint8_t)v->type,
                                 .unit = v->unit,
                                 .name = v->name};
    text_clear(&json->value);
    export_value(&field, 0, v->bytes, v->size, &json->value);
    add_value(json, &field, text_get(&json->value));
}

static void on_value(void *arg, const struct record_value *v, const char *section, unsigned index)
{
    struct tail *tail = arg;
    struct text *line = &tail->json->line;
    if (v->field && (!section || strcmp(section, v->field->name) == 0))
        return; // of the record itself
    if (!tail->open) {
        text_puts(line, ",\"list\":[");
        tail->open = true;
    } else if (!tail->item_open || index != tail->item) {
        close_item(tail);
        text_puts(line, ",");
    }
    if (!v->field) {
        add_plain(tail->json, v);
        return;
    }
    text_puts(line, tail->item_open ? "," : "{");
    tail->item_open = true;
    tail->item = index;
    export_quote(line, v->name);
    text_puts(line, ":");
    add_plain(tail->json, v);
}

static bool json_record(void *state, const struct reader_record *record)
{
    struct json *json = state;
    const struct record_layout *layout = record->layout;
    struct text *line = &json->line;
    char name[16];
    bool first = true;
    size_t length = record->header.length;
    export_record_name(layout, name);
    text_clear(line);
    text_printf(line, "{\"schema\":\"%s\",\"record\":\"%s\",\"name\":\"%s\",\"time\":\"",
                EXPORT_SCHEMA, name, layout->name);
    export_rfc3339(record->header.time, line);
    text_printf(line, "\",\"set\":\"%s\",\"fields\":{", export_set_name(record->target));
    for (unsigned i = 0; i < layout->field_count; i++)
        if (layout->fields[i].type != FIELD_RESERVED)
            add_field(json, &layout->fields[i], record->raw, length, &first);
    text_puts(line, "}");
    struct tail tail = {.json = json};
    if (record_tail(layout))
        record_visit(record->raw, length, on_value, &tail);
    close_item(&tail);
    text_puts(line, tail.open ? "]}\n" : "}\n");
    return json->sink.write(json->sink.arg, line->s, line->len);
}

static bool json_end(void *state, struct text *error)
{
    struct json *json = state;
    (void)error;
    text_free(&json->line);
    text_free(&json->value);
    free(json);
    return true;
}

const struct export_form export_json = {"jsonl", json_begin, json_record, json_end, false, false};
