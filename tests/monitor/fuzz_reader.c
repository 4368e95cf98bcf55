// SPDX-License-Identifier: MIT
// MONWRITE streams of any bytes: the reader, the report over it, and decoding every record found.
#include "monitor/application_data.h"
#include "monitor/report.h"
#include "sample_system.h"

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

// Reports over a good file of which some bytes are others.
static void report_on(const uint8_t *data, size_t size)
{
    static struct text good;
    struct text t = {0};
    FILE *out = fopen("/dev/null", "w");
    if (!good.len) {
        struct sample_file *f = calloc(1, sizeof *f);
        const struct sample_what what = {0};
        sample_config(f, 0, 60, 60);
        for (unsigned i = 0; i <= 2; i++) {
            sample_everything(f, 60.0 * i, &what);
            sample_end(f, SAMPLE_SET);
        }
        stream_end(&f->out);
        good = f->out;
        free(f);
    }
    text_add(&t, good.s, good.len);
    for (size_t i = 0; i + 4 <= size && i < 64; i += 4)
        t.s[(be32_load(data + i) >> 8) % t.len] = (char)data[i + 3];
    const struct report_options options = {.fcx = reports[size % report_count].fcx,
                                           .interim = size & 1,
                                           .log = size & 2,
                                           .html = size % 16 == 0};
    report_bytes(t.s, size % 8 == 0 && size < t.len ? t.len - size : t.len, &options, out);
    fclose(out);
    text_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text t = {0};
    feed(data, size);
    report_on(data, size);
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
