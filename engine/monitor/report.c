// SPDX-License-Identifier: MIT
// The table of reports, and running one over a file.
#include "monitor/report.h"

#include "monitor/report_fcx155.h"

const struct report reports[] = {
    {155, "MONDATA", "Monitor data statistics", mondata_begin, mondata_report_record, mondata_end},
};
const unsigned report_count = sizeof reports / sizeof reports[0];

const struct report *report_find(unsigned fcx)
{
    for (unsigned i = 0; i < report_count; i++)
        if (reports[i].fcx == fcx)
            return &reports[i];
    return NULL;
}

struct run {
    const struct report *report;
    void *state;
    uint64_t damages;
};

static void run_record(void *arg, const struct reader_record *record)
{
    struct run *run = arg;
    run->report->record(run->state, record);
}

static void run_damage(void *arg, uint64_t offset, const char *reason)
{
    struct run *run = arg;
    (void)offset;
    (void)reason;
    run->damages++;
}

int report_file(const char *path, unsigned fcx, FILE *out, struct text *error)
{
    static const struct reader_ops ops = {run_record, run_damage};
    struct run run = {.report = report_find(fcx)};
    if (!run.report) {
        text_printf(error, "there is no report FCX%u", fcx);
        return -1;
    }
    run.state = run.report->begin();
    int rc = reader_file(path, &ops, &run, error);
    run.report->end(run.state, run.damages, rc < 0 ? NULL : out);
    return rc;
}
