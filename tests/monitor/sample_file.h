// SPDX-License-Identifier: MIT
// MONWRITE files made record by record: fields are set by name, sets are packed into frames. Knows
// the layouts only by the tables.
#ifndef ENDICOTT_TESTS_MONITOR_SAMPLE_FILE_H
#define ENDICOTT_TESTS_MONITOR_SAMPLE_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/text.h"
#include "monitor/reader.h"
#include "stream.h"

#define SAMPLE_SECOND UINT64_C(4096000000)
#define SAMPLE_START  (UINT64_C(0x7D91048BCA000000) + UINT64_C(1767225600) * SAMPLE_SECOND) // 2026

struct sample_file {
    struct text out;
    uint8_t set[1 << 18];
    size_t used;
    uint64_t time;
};

static inline const struct record_field *sample_field(const uint8_t *record, const char *name)
{
    const struct record_layout *l = record_layout(record[4], be16_load(record + 6));
    for (unsigned i = 0; l && i < l->field_count; i++)
        if (strcmp(l->fields[i].name, name) == 0)
            return &l->fields[i];
    fprintf(stderr, "D%uR%u has no %s\n", record[4], be16_load(record + 6), name);
    abort();
}

static inline void sample_put(uint8_t *record, const char *name, uint64_t v)
{
    const struct record_field *f = sample_field(record, name);
    for (unsigned i = f->length; i-- > 0; v >>= 8)
        record[f->offset + i] = (uint8_t)v;
}

static inline void sample_span(uint8_t *record, const char *name, double seconds)
{
    sample_put(record, name, (uint64_t)(seconds * (double)SAMPLE_SECOND));
}

static inline void sample_text(uint8_t *record, const char *name, const char *text)
{
    const struct record_field *f = sample_field(record, name);
    ebcdic_field(record + f->offset, f->length, text);
}

// A set begins, `seconds` after 2026-01-01 00:00:00.
static inline void sample_begin(struct sample_file *f, double seconds)
{
    f->time = SAMPLE_START + (uint64_t)(seconds * (double)SAMPLE_SECOND);
    f->used = 0;
}

static inline uint8_t *sample_record(struct sample_file *f, unsigned domain, unsigned number)
{
    const struct record_layout *l = record_layout(domain, number);
    uint8_t *record = f->set + f->used;
    if (!l || f->used + l->length >= sizeof f->set)
        abort();
    memset(record, 0, l->length);
    be16_store(record, (uint16_t)l->length);
    record[4] = (uint8_t)domain;
    be16_store(record + 6, (uint16_t)number);
    be64_store(record + 8, f->time);
    f->used += l->length;
    return record;
}

// A frame is full at `at`: its end record, and zeros.
static inline void sample_close_frame(uint8_t *frame, size_t *at, uint64_t time, struct text *out)
{
    memset(frame + *at, 0, 4096 - *at);
    be16_store(frame + *at, 20);
    frame[*at + 4] = 1;
    be16_store(frame + *at + 6, 13);
    be64_store(frame + *at + 8, time);
    text_add(out, (char *)frame, 4096);
    *at = 0;
}

static inline void sample_end(struct sample_file *f, uint32_t target)
{
    struct text frames = {0};
    uint8_t frame[4096], control[4096];
    size_t at = 0;
    sample_record(f, 1, 11);
    for (size_t from = 0, length; from < f->used; from += length) {
        length = be16_load(f->set + from);
        if (at + length + 20 > sizeof frame)
            sample_close_frame(frame, &at, f->time, &frames);
        memcpy(frame + at, f->set + from, length);
        at += length;
    }
    uint32_t end = STREAM_BASE + (uint32_t)frames.len + (uint32_t)at - 1;
    memset(frame + at, 0, sizeof frame - at);
    text_add(&frames, (char *)frame, sizeof frame);
    stream_control(control, target, STREAM_BASE, end);
    text_add(&f->out, (char *)control, sizeof control);
    text_add(&f->out, frames.s, frames.len);
    text_free(&frames);
}

#define SAMPLE_SET     0xE2C40000u
#define SAMPLE_CONFIG  0xE2C30000u
#define SAMPLE_BETWEEN 0xE2C48000u // for subinterval users

// D1R4 and D1R9 in a set of their own, at the time of the samples' beginning.
static inline void sample_config(struct sample_file *f, double seconds, unsigned interval,
                                 unsigned subinterval)
{
    sample_begin(f, seconds);
    uint8_t *r = sample_record(f, 1, 9);
    sample_put(r, "INTERVAL", interval);
    sample_put(r, "SUBINTVL", subinterval);
    r = sample_record(f, 1, 4);
    sample_text(r, "SYSTMID", "TESTSYS");
    sample_put(r, "SYSTODST", SAMPLE_START);
    r = sample_record(f, 1, 7);
    sample_put(r, "RSAGSTOR", UINT64_C(4) << 30);
    sample_put(r, "RSANONPG", 1000);
    sample_end(f, SAMPLE_CONFIG);
}

#endif
