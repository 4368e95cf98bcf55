// SPDX-License-Identifier: MIT
// Reports: expected outputs of each, and the edges at which rates go wrong.
#include "monitor/report.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "monitor/report_expression.h"
#include "monitor/report_set.h"
#include "sample_system.h"

static const struct sample_what ordinary;

// Samples at 0, 60, ... 240 s; LATE logs on at 150.
static struct sample_file *standard(void)
{
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 4; i++) {
        struct sample_what what = {.late_logon = i >= 3 ? 150 : 0};
        sample_everything(f, 60.0 * i, &what);
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    return f;
}

static char *run_on(const struct text *bytes, const struct report_options *options, int expected)
{
    char *s = NULL;
    size_t size;
    FILE *out = open_memstream(&s, &size);
    int rc = report_bytes(bytes->s, bytes->len, options, out);
    fclose(out);
    if (expected >= 0)
        assert_int_equal(rc, expected);
    return s;
}

static char *run(struct sample_file *f, struct report_options options)
{
    char *s = run_on(&f->out, &options, 0);
    text_free(&f->out);
    free(f);
    return s;
}

// The line that begins with `start`, as its words; 0 of them when there is none.
static unsigned line_of(const char *report, const char *start, char word[32][32])
{
    unsigned n = 0;
    for (const char *p = report; p; p = strchr(p, '\n'), p += p != NULL) {
        if (strncmp(p, start, strlen(start)) != 0)
            continue;
        char line[512];
        snprintf(line, sizeof line, "%.*s", (int)strcspn(p, "\n"), p);
        for (char *w = strtok(line, " "); w && n < 32; w = strtok(NULL, " "))
            snprintf(word[n++], 32, "%s", w);
        break;
    }
    return n;
}

static void same_as_file(const char *what, char *report)
{
    char path[128], *expected;
    snprintf(path, sizeof path, "tests/monitor/expected/%s.txt", what);
    if (getenv("UPDATE_EXPECTED")) {
        FILE *out = fopen(path, "w");
        assert_non_null(out);
        fputs(report, out);
        fclose(out);
    }
    FILE *in = fopen(path, "r");
    if (!in)
        fail_msg("%s is not there", path);
    expected = calloc(1, 100000);
    expected[fread(expected, 1, 99999, in)] = '\0';
    fclose(in);
    if (strcmp(report, expected) != 0)
        fail_msg("%s differs; this is what came:\n%s", path, report);
    free(expected);
    free(report);
}

static void each_report_is_as_expected(void **state)
{
    (void)state;
    for (unsigned i = 0; i < report_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "fcx%u", reports[i].fcx);
        same_as_file(name, run(standard(), (struct report_options){.fcx = reports[i].fcx}));
    }
    same_as_file("fcx112-log", run(standard(), (struct report_options){.fcx = 112, .log = true}));
    same_as_file("fcx112-by", run(standard(), (struct report_options){.fcx = 112, .by = 120}));
    same_as_file("fcx100-interim",
                 run(standard(), (struct report_options){.fcx = 100, .interim = true}));
    same_as_file("fcx225-by", run(standard(), (struct report_options){.fcx = 225, .by = 120}));
}

static void one_user_of_many(void **state)
{
    (void)state;
    char word[32][32];
    char *s = run(standard(), (struct report_options){.fcx = 112, .user = "lin*"});
    assert_int_not_equal(line_of(s, "LINUX1", word), 0);
    assert_string_equal(word[1], "40.00");
    assert_int_equal(line_of(s, "TCPIP", word), 0);
    assert_null(strstr(s, "\nTotal "));
    free(s);
    s = run(standard(), (struct report_options){.fcx = 240, .user = "NOBODY"});
    assert_int_equal(line_of(s, "LINUX1", word), 0);   // the NIC is LINUX1's
    assert_int_not_equal(line_of(s, "1002", word), 0); // the switch is nobody's
    free(s);
}

static void from_and_to(void **state)
{
    (void)state;
    // The second and third minute, by the time of the day and by the date.
    double midnight = 1767225600;
    char *s = run(standard(), (struct report_options){.fcx = 225, .from = 60, .to = 180});
    assert_null(strstr(s, "\n00:01:00"));
    assert_non_null(strstr(s, "\n00:02:00"));
    assert_non_null(strstr(s, "\n00:03:00"));
    assert_null(strstr(s, "\n00:04:00"));
    free(s);
    s = run(standard(),
            (struct report_options){.fcx = 225, .from = midnight + 60, .to = midnight + 120});
    assert_non_null(strstr(s, "\n00:02:00"));
    assert_null(strstr(s, "\n00:03:00"));
    free(s);
    s = run(standard(), (struct report_options){.fcx = 225, .from = 3600});
    assert_non_null(strstr(s, "no two samples"));
    free(s);
}

// --- the edges ----------------------------------------------------------------------------

static void one_sample_makes_no_rate(void **state)
{
    (void)state;
    for (unsigned i = 0; i < report_count; i++) {
        struct sample_file *f = calloc(1, sizeof *f);
        sample_config(f, 0, 60, 60);
        sample_everything(f, 100, &ordinary);
        sample_end(f, SAMPLE_SET);
        stream_end(&f->out);
        char *s = run(f, (struct report_options){.fcx = reports[i].fcx});
        assert_non_null(strstr(s, reports[i].fcx == 155 ? "Samples 1 " : "no two samples"));
        free(s);
    }
}

static void logon_between_samples(void **state)
{
    (void)state;
    char word[32][32];
    // LATE: 30 s of the third minute and all of the fourth, half a CPU: 45 s in the two minutes
    // for which it was seen.
    char *s = run(standard(), (struct report_options){.fcx = 112});
    assert_int_not_equal(line_of(s, "LATE", word), 0);
    assert_string_equal(word[1], "37.50");
    assert_string_equal(word[2], "45.000");
    free(s);
}

static void logoff_and_logon_between_samples(void **state)
{
    (void)state;
    char word[32][32];
    // LINUX1 logs off and on at 90 s: of the second minute only what it used since is known.
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 2; i++) {
        sample_everything(f, 60.0 * i, &(struct sample_what){.again = i == 2 ? 90 : 0});
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 112, .log = true});
    const char *second = strstr(s, "00:02:00");
    assert_non_null(second);
    assert_int_not_equal(line_of(second, "00:02:00      LINUX1", word), 0);
    assert_string_equal(word[2], "20.00"); // 30 of 60 seconds
    free(s);
}

static void a_cpu_varied_off_and_on(void **state)
{
    (void)state;
    char word[32][32];
    // CPU 1 is off at 120 s; back at 180 with counters that began anew.
    static const double own[] = {0, 0, -1, 5, 65};
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 4; i++) {
        sample_everything(f, 60.0 * i, &(struct sample_what){.cpu1_counters = own[i]});
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    struct report_options log = {.fcx = 144};
    char *whole = run_on(&f->out, &(struct report_options){.fcx = 100}, 0);
    char *busy = run_on(&f->out, &(struct report_options){.fcx = 225}, 0);
    char *s = run(f, log);
    assert_int_not_equal(line_of(s, "00:01:00      0001", word), 0);
    assert_int_equal(line_of(s, "00:02:00      0001", word), 0);
    assert_int_equal(line_of(s, "00:03:00      0001", word), 0); // nothing to compare with
    assert_int_not_equal(line_of(s, "00:04:00      0001", word), 0);
    assert_string_equal(word[3], "45.0");
    // The CPU's shares are of the two minutes for which it was measured.
    assert_int_not_equal(line_of(whole, "0001", word), 0);
    assert_string_equal(word[2], "45.0");
    assert_string_equal(word[5], "55.0");
    assert_int_not_equal(line_of(busy, "00:01:00", word), 0);
    assert_string_equal(word[1], "45.0");
    assert_int_not_equal(line_of(busy, "00:03:00", word), 0);
    assert_string_equal(word[1], "45.0");
    free(busy);
    free(whole);
    free(s);
}

// CPU 1 is off and on within one minute: it is in both samples, with less than before.
static void a_cpu_whose_counters_went_back(void **state)
{
    (void)state;
    char word[32][32];
    static const double own[] = {0, 0, 10, 70};
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 3; i++) {
        sample_everything(f, 60.0 * i, &(struct sample_what){.cpu1_counters = own[i]});
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 144});
    assert_int_equal(line_of(s, "00:02:00      0001", word), 0);
    assert_int_not_equal(line_of(s, "00:03:00      0001", word), 0);
    assert_string_equal(word[3], "45.0");
    free(s);
}

static void counters_wrap(void **state)
{
    (void)state;
    char word[32][32];
    // Device 0200's 32-bit counters pass their end within the second minute.
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 2; i++) {
        sample_everything(f, 60.0 * i, &ordinary);
        for (size_t at = 0; at < f->used; at += be16_load(f->set + at))
            if (f->set[at + 4] == 6 && be16_load(f->set + at + 6) == 3) {
                uint32_t n = 0xFFFFF000u + 3000 * i, sum = 0xFFFF0000u + 48000 * i;
                sample_put(f->set + at, "SCGSSCH", n);
                sample_put(f->set + at, "SCGCOUNT", n);
                sample_put(f->set + at, "SCMCNTIM", sum);
            }
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 108});
    assert_int_not_equal(line_of(s, "0200", word), 0);
    assert_string_equal(word[4], "50.0"); // a second
    assert_string_equal(word[8], "2.05"); // ms connected: 16 units of 128 us
    free(s);
}

static void missing_samples_are_flagged(void **state)
{
    (void)state;
    char word[32][32];
    static const double times[] = {0, 60, 240, 300};
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i < 4; i++) {
        sample_everything(f, times[i], &ordinary);
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 225});
    assert_int_not_equal(line_of(s, "00:04:00*", word), 0);
    assert_string_equal(word[1], "45.0");
    assert_string_equal(word[8], "100.0");
    assert_int_not_equal(line_of(s, "00:05:00 ", word), 0);
    assert_non_null(strstr(s, "Samples are missing at 1 places"));
    free(s);
}

static void interim_of_subintervals(void **state)
{
    (void)state;
    // A user of subintervals of 15 s gets both kinds of sets.
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 15);
    for (unsigned i = 0; i <= 8; i++) {
        sample_everything(f, 15.0 * i, &ordinary);
        sample_end(f, i % 4 ? SAMPLE_BETWEEN : SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 112, .interim = true});
    unsigned n = 0;
    for (const char *p = s; (p = strstr(p, "for 15 secs 00:00:15, 1 interval\n")); p++)
        n++;
    assert_int_equal(n, 8);
    assert_null(strstr(s, "missing"));
    assert_non_null(strstr(s, "with those of subintervals"));
    free(s);
}

// An IPL in between: what was before is no base for what comes.
static void an_ipl_begins_anew(void **state)
{
    (void)state;
    char word[32][32];
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    sample_everything(f, 0, &ordinary);
    sample_end(f, SAMPLE_SET);
    sample_begin(f, 300);
    uint8_t *r = sample_record(f, 1, 9);
    sample_put(r, "INTERVAL", 60);
    r = sample_record(f, 1, 4);
    sample_put(r, "SYSTODST", SAMPLE_START + 290 * SAMPLE_SECOND);
    sample_end(f, SAMPLE_CONFIG);
    for (unsigned i = 0; i <= 1; i++) {
        sample_everything(f, 360.0 + 60 * i, &ordinary);
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run(f, (struct report_options){.fcx = 225});
    assert_int_equal(line_of(s, "00:06:00", word), 0);
    assert_int_not_equal(line_of(s, "00:07:00", word), 0);
    free(s);
}

// A level before ours has shorter records, one after it longer ones: what is there is reported.
static void records_of_other_levels(void **state)
{
    (void)state;
    char word[32][32];
    struct sample_file *f = calloc(1, sizeof *f);
    sample_config(f, 0, 60, 60);
    for (unsigned i = 0; i <= 1; i++) {
        sample_begin(f, 60.0 * i);
        sample_user(f, "OLD", 0, 0, 60.0 * i, 0.5);
        be16_store(f->set, 140); // D4R3 without VMDVUSCT and what follows
        memmove(f->set + 140, f->set + 364, f->used - 364);
        f->used -= 364 - 140;
        uint8_t *longer = sample_record(f, 0, 8);
        sample_put(longer, "SYSUSRS", 7);
        memset(f->set + f->used, 0xFF, 28);
        f->used += 28;
        be16_store(longer, 128);
        sample_end(f, SAMPLE_SET);
    }
    stream_end(&f->out);
    char *s = run_on(&f->out, &(struct report_options){.fcx = 168}, 0);
    assert_int_not_equal(line_of(s, "00:01:00", word), 0);
    assert_string_equal(word[1], "7");
    free(s);
    // Without a logon time there is only the difference.
    s = run(f, (struct report_options){.fcx = 112});
    assert_int_not_equal(line_of(s, "OLD", word), 0);
    assert_string_equal(word[1], "50.00");
    assert_string_equal(word[6], "10.0"); // DASD
    assert_string_equal(word[5], "....");
    free(s);
}

// --- damage ---------------------------------------------------------------------------------

// Figures that no such system can have, or negative ones.
static void no_absurd_figure(const char *report, const char *what)
{
    char word[32][32];
    if (strstr(report, "nan") || strstr(report, "inf ") || strstr(report, " -"))
        fail_msg("%s:\n%s", what, report);
    for (const char *p = strstr(report, "\n00:"); p; p = strstr(p + 1, "\n00:")) {
        char start[16];
        snprintf(start, sizeof start, "%.8s", p + 1);
        if (line_of(p + 1, start, word) > 8 && (atof(word[1]) > 100.1 || atof(word[8]) > 1e9))
            fail_msg("%s: %s %s\n%s", what, word[1], word[8], report);
    }
}

static void only_right_rates(const char *report, const char *what);

// A file that ends within anything, with EVERY_BIT set at each byte: what is left is right.
static void truncations_leave_right_rates(void **state)
{
    (void)state;
    struct sample_file *f = standard();
    struct text part = {0};
    size_t step = getenv("EVERY_BIT") ? 1 : 101;
    for (size_t size = 0; size < f->out.len; size += step) {
        text_clear(&part);
        text_add(&part, f->out.s, size);
        char *s = run_on(&part, &(struct report_options){.fcx = 225}, 1);
        no_absurd_figure(s, "cut");
        only_right_rates(s, "cut");
        free(s);
    }
    text_free(&part);
    text_free(&f->out);
    free(f);
}

// True where a bit is part of a value: nothing can tell a wrong one that is possible.
static bool *value_map(const struct text *t)
{
    bool *map = calloc(t->len, sizeof *map);
    for (size_t block = 0; block + 4096 <= t->len; block += 4096) {
        const uint8_t *frame = (const uint8_t *)t->s + block;
        if (frame[3] == 9)
            continue;
        for (size_t at = 0; at + 20 <= 4096 && be16_load(frame + at) >= 20;
             at += be16_load(frame + at))
            memset(map + block + at + 20, true, be16_load(frame + at) - 20u);
    }
    return map;
}

static void only_right_rates(const char *report, const char *what)
{
    char word[32][32];
    for (unsigned i = 1; i <= 4; i++) {
        char time[16];
        snprintf(time, sizeof time, "00:%02u:00", i);
        if (line_of(report, time, word) == 0)
            continue;
        static const char *const right[] = {"45.0", "2", "1.50"};
        for (unsigned k = 0; k < 3; k++)
            if (strcmp(word[1 + k], right[k]) != 0)
                fail_msg("%s: %s\n%s", what, word[1 + k], report);
        if (strcmp(word[8], "100.0") != 0 || strcmp(word[11], "16.0") != 0)
            fail_msg("%s: %s %s\n%s", what, word[8], word[11], report);
    }
}

// Bits turned over here and there, with EVERY_BIT set all of them: no crash, no figure that cannot
// be, and none that is not right unless it is a value that was hit.
static void flipped_bits_make_no_wrong_rate(void **state)
{
    (void)state;
    struct sample_file *f = standard();
    bool *is_value = value_map(&f->out);
    size_t bits = 8 * (f->out.len - 4096), step = getenv("EVERY_BIT") ? 1 : bits / 5000 | 1;
    for (size_t bit = 0; bit < bits; bit += step) {
        char what[40];
        snprintf(what, sizeof what, "bit %zu of byte %zu", bit % 8, bit / 8);
        f->out.s[bit / 8] = (char)(f->out.s[bit / 8] ^ (1 << bit % 8));
        char *s = run_on(&f->out, &(struct report_options){.fcx = 225}, -1);
        no_absurd_figure(s, what);
        if (!is_value[bit / 8])
            only_right_rates(s, what);
        free(s);
        f->out.s[bit / 8] = (char)(f->out.s[bit / 8] ^ (1 << bit % 8));
    }
    free(is_value);
    text_free(&f->out);
    free(f);
}

// A set with damage in it is left out: the next rate is of both intervals, and right.
static void a_damaged_set_is_left_out(void **state)
{
    (void)state;
    char word[32][32];
    struct sample_file *f = standard();
    size_t third = 0;
    unsigned sets = 0;
    for (size_t at = 0; at < f->out.len; at += 4096)
        if (f->out.s[at + 3] == 9 && sets++ == 3) // configuration, 0, 60, 120
            third = at;
    f->out.s[third + 4096] = 0x7F; // the length of its first record
    char *s = run_on(&f->out, &(struct report_options){.fcx = 225}, 1);
    assert_int_equal(line_of(s, "00:02:00", word), 0);
    assert_int_not_equal(line_of(s, "00:03:00*", word), 0);
    assert_string_equal(word[1], "45.0");
    assert_non_null(strstr(s, "1 samples were not whole"));
    free(s);
    text_free(&f->out);
    free(f);
}

// --- the page ---------------------------------------------------------------------------------

static void a_page_has_it_all(void **state)
{
    (void)state;
    struct sample_file *f = standard();
    // A name that HTML would take for its own.
    for (size_t at = 0; at + 8 < f->out.len; at++) {
        uint8_t name[8], other[8];
        ebcdic_field(name, 8, "TCPIP");
        ebcdic_field(other, 8, "<B>&");
        if (memcmp(f->out.s + at, name, 8) == 0)
            memcpy(f->out.s + at, other, 8);
    }
    char *s = run(f, (struct report_options){.html = true});
    assert_ptr_equal(strstr(s, "<!DOCTYPE html>"), s);
    assert_non_null(strstr(s, "</body></html>"));
    assert_non_null(strstr(s, "&lt;B&gt;&amp;"));
    assert_null(strstr(s, "<B>"));
    assert_null(strstr(s, "http")); // nothing to fetch
    assert_null(strstr(s, "src="));
    assert_non_null(strstr(s, "<svg "));
    assert_null(strstr(s, "nan"));
    for (unsigned i = 0; i < report_count; i++) {
        char heading[32];
        snprintf(heading, sizeof heading, "<summary>FCX%u ", reports[i].fcx);
        assert_non_null(strstr(s, heading));
    }
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_report_is_as_expected),
        cmocka_unit_test(one_user_of_many),
        cmocka_unit_test(from_and_to),
        cmocka_unit_test(one_sample_makes_no_rate),
        cmocka_unit_test(logon_between_samples),
        cmocka_unit_test(logoff_and_logon_between_samples),
        cmocka_unit_test(a_cpu_varied_off_and_on),
        cmocka_unit_test(a_cpu_whose_counters_went_back),
        cmocka_unit_test(counters_wrap),
        cmocka_unit_test(missing_samples_are_flagged),
        cmocka_unit_test(interim_of_subintervals),
        cmocka_unit_test(an_ipl_begins_anew),
        cmocka_unit_test(records_of_other_levels),
        cmocka_unit_test(truncations_leave_right_rates),
        cmocka_unit_test(flipped_bits_make_no_wrong_rate),
        cmocka_unit_test(a_damaged_set_is_left_out),
        cmocka_unit_test(a_page_has_it_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
