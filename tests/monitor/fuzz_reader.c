// SPDX-License-Identifier: MIT
// MONWRITE streams of any bytes: the reader, the report over it, and decoding every record found.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "monitor/application_data.h"
#include "monitor/reader.h"
#include "monitor/report.h"
#include "stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void on_value(void *arg, const struct record_value *v, const char *section, unsigned index)
{
    uint64_t *sum = arg;
    (void)section;
    for (size_t i = 0; i < v->size; i++)
        *sum += v->bytes[i];
    *sum += v->number + index;
}

static void on_record(void *arg, const struct reader_record *r)
{
    uint64_t sum = 0, count;
    unsigned rows;
    tod_t cost;
    mondata_record(arg, r);
    record_visit(r->raw, r->header.length, on_value, &sum);
    if (overhead_record(r->raw, r->header.length, &rows))
        overhead_row(r->raw, r->header.length, rows - 1, &count, &cost);
}

static void feed(const void *bytes, size_t size)
{
    static const struct reader_ops ops = {on_record, NULL};
    struct mondata d = {0};
    struct reader reader;
    reader_init(&reader, &ops, &d);
    reader_feed(&reader, bytes, size);
    reader_finish(&reader);
    mondata_free(&d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text t = {0};
    feed(data, size);
    // The same bytes scattered over a good stream: each four make one changed byte.
    stream_set(&t, 0xE2C40000);
    stream_set(&t, 0xC5C40000);
    stream_end(&t);
    for (size_t i = 0; i + 4 <= size; i += 4)
        t.s[(be32_load(data + i) >> 8) % t.len] = (char)data[i + 3];
    feed(t.s, t.len);
    // And as the contents of a frame.
    text_clear(&t);
    stream_set(&t, 0xE2C40000);
    memcpy(t.s + 4096, data, size < 4096 ? size : 4096);
    feed(t.s, t.len);
    text_free(&t);
    return 0;
}
