// SPDX-License-Identifier: MIT
// docs/records.md, from the tables.
#include <string.h>

#include "monitor/record.h"
#include "monitor/record_encode.h"

// Returns how many have no source.
static unsigned document_rows(FILE *out, const struct record_field *field, unsigned count)
{
    unsigned absent = 0;
    fprintf(out,
            "| offset | length | field | type | kind | counts since | unit | meaning | from |\n"
            "|---:|---:|---|---|---|---|---|---|---|\n");
    for (unsigned i = 0; i < count; i++) {
        const struct record_field *f = &field[i];
        if (f->type == FIELD_RESERVED)
            continue;
        if (f->source == SOURCE_ABSENT)
            absent++;
        char elements[16] = "";
        if (f->count > 1)
            snprintf(elements, sizeof elements, "[%u]", f->count);
        fprintf(out, "| %u | %u | %s%s | %s | %s | %s | %s | %s | %s |\n", f->offset,
                f->length * f->count, f->name, elements, field_type_names[f->type],
                field_kind_names[f->kind], field_reset_names[f->reset], f->unit, f->text,
                f->source == SOURCE_ABSENT ? "-"
                                           : record_source_text((enum record_source)f->source));
    }
    return absent;
}

static void document_tail(FILE *out, const struct record_layout *layout)
{
    const struct record_tail *tail = record_tail(layout);
    if (tail && tail->fields) {
        fprintf(out,
                "\nThen %s: a table that starts at %s, of %s entries of %s bytes each, called"
                " %s:\n\n",
                tail->text, tail->offset_name, tail->count_name, tail->item_name, tail->name);
        document_rows(out, tail->fields, tail->field_count);
    } else if (tail) {
        fprintf(out, "| %u | varies | %s | %s | | | | %s | |\n", layout->length, tail->name,
                field_type_names[tail->type], tail->text);
    }
}

static void document_fields(FILE *out, const struct record_layout *layout)
{
    const char *why = record_absent(layout);
    if (why)
        fprintf(out, "Read only, never built: %s.\n\n", why);
    unsigned absent = document_rows(out, layout->fields, layout->field_count);
    document_tail(out, layout);
    if (absent && !why)
        fprintf(out,
                "\nFields marked `-` (%u) are zero or blank: this system does not have what they"
                " count.\n",
                absent);
    fputc('\n', out);
}

void record_document(FILE *out)
{
    fprintf(
        out,
        "# Monitor records\n\n"
        "Made from the layout tables (`engine/monitor/layouts_*.def`); `endicott document records`"
        " prints it anew.\n\n"
        "Layouts are those of z/VM 5.3, to which later levels only append, unless a record says"
        " otherwise. All values are big-endian; text is EBCDIC; times are TOD clock values (bit 51"
        " is one microsecond). Every record starts with the header: length (2 bytes), zero (2),"
        " domain (1), reserved (1), record number (2), TOD of building (8), reserved (4).\n\n"
        "Counters are never reset by a sample: the difference of two samples, modulo the width of"
        " the field, is what happened in between. Where a record grows at later levels, its length"
        " says how much of it there is.\n\n"
        "| record | name | title | class | one per | length | layout | built |\n"
        "|---|---|---|---|---|---:|---|---|\n");
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *l = &record_layouts[i];
        fprintf(out, "| D%uR%u | %s | %s | %s | %s | %u%s | %s | %s |\n", l->domain, l->number,
                l->name, l->title, record_class_names[l->class], record_per_names[l->per],
                l->length, record_tail(l) ? "+" : "", record_status_names[l->status],
                record_absent(l) ? record_absent(l) : "yes");
    }
    fputc('\n', out);
    for (unsigned i = 0; i < RECORD_COUNT; i++) {
        const struct record_layout *l = &record_layouts[i];
        fprintf(out, "## D%uR%u %s: %s\n\n", l->domain, l->number, l->name, l->title);
        if (l->field_count || record_tail(l))
            document_fields(out, l);
        else
            fprintf(out, "The header alone.\n\n");
    }
}
