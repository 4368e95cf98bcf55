// SPDX-License-Identifier: MIT
// FCX155 MONDATA: records and bytes by domain and record, in all and per sample.
//
// A sample set ends with D1R11. Configuration sets do too; they are told apart by the target class
// of their control record, and where that says nothing, by the D1R9 they hold.
#include "monitor/report_fcx155.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// The row of that record, kept in ascending order.
static struct mondata_row *row_of(struct mondata_row **rows, unsigned *count, unsigned *cap,
                                  unsigned domain, unsigned number)
{
    unsigned i = *count;
    while (i > 0 && ((*rows)[i - 1].domain > domain ||
                     ((*rows)[i - 1].domain == domain && (*rows)[i - 1].number >= number)))
        i--;
    if (i < *count && (*rows)[i].domain == domain && (*rows)[i].number == number)
        return &(*rows)[i];
    if (*count == *cap) {
        *cap = *cap ? 2 * *cap : 32;
        *rows = mem_resize(*rows, *cap, sizeof **rows);
    }
    memmove(*rows + i + 1, *rows + i, (*count - i) * sizeof **rows);
    ++*count;
    (*rows)[i] = (struct mondata_row){domain, number, 0, 0};
    return &(*rows)[i];
}

static void add(struct mondata_row *row, uint64_t records, uint64_t bytes)
{
    row->records += records;
    row->bytes += bytes;
}

// The end of a set: its rows count as a sample's or as configuration.
static void close_set(struct mondata *d, const struct reader_record *end)
{
    bool config = d->set_is_config || (end->target & TARGET_KIND) == TARGET_CONFIG;
    for (unsigned i = 0; i < d->set_rows; i++) {
        const struct mondata_row *r = &d->set[i];
        *(config ? &d->config_records : &d->records) += r->records;
        *(config ? &d->config_bytes : &d->bytes) += r->bytes;
        if (!config)
            add(row_of(&d->row, &d->rows, &d->cap, r->domain, r->number), r->records, r->bytes);
    }
    d->set_rows = 0;
    d->set_is_config = false;
    if (config) {
        d->config_sets++;
        return;
    }
    d->samples++;
    if (end->target & TARGET_SUBINTERVAL)
        d->subinterval_samples++;
    if (!d->first)
        d->first = end->header.time;
    d->last = end->header.time;
}

void mondata_record(struct mondata *d, const struct reader_record *record)
{
    const struct record_header *h = &record->header;
    if ((record->target & TARGET_TYPE) == TARGET_EVENT) {
        d->event_records++;
        d->event_bytes += h->length;
        return;
    }
    add(row_of(&d->set, &d->set_rows, &d->set_cap, h->domain, h->number), 1, h->length);
    if (h->domain == 1 && h->number == 9)
        d->set_is_config = true;
    if (h->domain == 1 && h->number == 11)
        close_set(d, record);
}

void mondata_free(struct mondata *d)
{
    free(d->row);
    free(d->set);
    *d = (struct mondata){0};
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : 0;
}

double mondata_records_per_sample(const struct mondata *d)
{
    return ratio(d->records, d->samples);
}

double mondata_bytes_per_record(const struct mondata *d)
{
    return ratio(d->bytes, d->records);
}

double mondata_bytes_per_sample(const struct mondata *d)
{
    return ratio(d->bytes, d->samples);
}

// --- the report ------------------------------------------------------------------------

static void print_time(FILE *out, const char *title, tod_t time)
{
    struct tod_calendar c = tod_calendar(time);
    fprintf(out, "%s%04d-%02d-%02d %02d:%02d:%02d", title, c.year, c.month, c.day, c.hour, c.minute,
            c.second);
}

static void print_rows(FILE *out, const struct mondata *d)
{
    fprintf(out, "Domain     Record Name      Title                                      Records"
                 "        Bytes  Recs/sample  Bytes/record\n");
    for (unsigned i = 0; i < d->rows; i++) {
        const struct mondata_row *r = &d->row[i];
        const struct record_layout *l = record_layout(r->domain, r->number);
        const char *domain = domain_names[r->domain];
        fprintf(out, "%2u %-9s %4u %-9s %-38s %10" PRIu64 " %12" PRIu64 " %12.2f %13.2f\n",
                r->domain, domain ? domain : "", r->number, l ? l->name : "-",
                l ? l->title : "(not known)", r->records, r->bytes, ratio(r->records, d->samples),
                ratio(r->bytes, r->records));
    }
    fprintf(out, "Total %60s %10" PRIu64 " %12" PRIu64 " %12.2f %13.2f\n", "", d->records, d->bytes,
            mondata_records_per_sample(d), mondata_bytes_per_record(d));
}

void mondata_print(const struct mondata *d, FILE *out)
{
    fprintf(out, "\nSamples %" PRIu64 " (%" PRIu64 " within intervals)", d->samples,
            d->subinterval_samples);
    if (d->samples) {
        print_time(out, ", from ", d->first);
        print_time(out, " to ", d->last);
        fprintf(out, " UTC, %.2f bytes/sample", mondata_bytes_per_sample(d));
    }
    fprintf(out, "\n\n");
    print_rows(out, d);
    fprintf(out, "\nConfiguration: %" PRIu64 " sets, %" PRIu64 " records, %" PRIu64 " bytes\n",
            d->config_sets, d->config_records, d->config_bytes);
    fprintf(out, "Events: %" PRIu64 " records, %" PRIu64 " bytes\n", d->event_records,
            d->event_bytes);
}

static void file_record(void *arg, const struct reader_record *record)
{
    mondata_record(arg, record);
}

int mondata_file(const char *path, struct mondata *data, struct text *error)
{
    static const struct reader_ops ops = {file_record, NULL};
    *data = (struct mondata){0};
    return reader_file(path, &ops, data, error);
}
