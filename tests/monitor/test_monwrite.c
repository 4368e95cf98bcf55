// SPDX-License-Identifier: MIT
// MONWRITE in a whole system: files byte for byte, read by a small parser of its own.
#include "system.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "monitor/report.h"

struct contents {
    unsigned sets, configs, samples, subinterval_samples, records, blocks, ends;
    unsigned by[16][64];
};

static uint8_t *load(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    if (!in)
        fail_msg("%s is not there", path);
    fseek(in, 0, SEEK_END);
    *size = (size_t)ftell(in);
    rewind(in);
    uint8_t *bytes = malloc(*size);
    assert_int_equal(fread(bytes, 1, *size, in), *size);
    fclose(in);
    return bytes;
}

static void parse_frame(struct contents *c, const uint8_t *frame, size_t limit)
{
    for (size_t at = 0; at + 20 <= limit;) {
        unsigned length = be16_load(frame + at);
        assert_true(length >= 20 && at + length <= limit);
        assert_int_equal(be16_load(frame + at + 2), 0);
        c->records++;
        c->by[frame[at + 4]][be16_load(frame + at + 6)]++;
        if (frame[at + 4] == 1 && be16_load(frame + at + 6) == 13)
            return;
        at += length;
    }
}

// As described: control record, then the frames of its entries, ..., a block of zeros.
static struct contents parse(const char *path)
{
    struct contents c = {0};
    size_t size, at = 0;
    uint8_t *b = load(path, &size);
    assert_int_equal(size % 4096, 0);
    c.blocks = (unsigned)(size / 4096);
    while (at < size) {
        const uint8_t *control = b + at;
        at += 4096;
        if (be32_load(control + 40) == 0) {
            for (unsigned i = 0; i < 4096; i++)
                assert_int_equal(control[i], 0);
            assert_int_equal(at, size); // the last one
            c.ends++;
            continue;
        }
        uint32_t first = be32_load(control + 12), last = be32_load(control + 16);
        assert_int_equal(control[3], 9);    // message pending
        assert_int_equal(control[2], 0x80); // data in the parameter list
        assert_int_equal((last - first + 1) % 12, 0);
        c.sets++;
        if (control[9] == 0xC3)
            c.configs++;
        else if (control[8] == 0xE2)
            c.samples++;
        c.subinterval_samples += control[9] == 0xC4 && (control[10] & 0x80) != 0;
        for (unsigned i = 0; i < (last - first + 1) / 12; i++) {
            const uint8_t *e = control + 40 + 12 * i;
            uint32_t start = be32_load(e + 4), end = be32_load(e + 8);
            assert_int_equal(e[0], control[8]);
            assert_true(end > start && start >= 0x9000000 && end < 0xD000000);
            for (uint32_t page = start >> 12; page <= end >> 12; page++, at += 4096) {
                assert_true(at + 4096 <= size);
                parse_frame(&c, b + at, page == end >> 12 ? (end & 0xFFF) + 1 : 4096);
            }
        }
    }
    free(b);
    return c;
}

static char folder[64];

static struct system *writers(void)
{
    struct system *sys = system_new();
    snprintf(folder, sizeof folder, "/tmp/endicott-monwrite-XXXXXX");
    assert_non_null(mkdtemp(folder));
    monwrite_set_folder(sys->cp, folder);
    system_good(sys, "OPERATOR", "XAUTOLOG WRITER");
    system_good(sys, "OPERATOR", "XAUTOLOG WRITER2");
    return sys;
}

static void remove_folder(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

static const char *file_of(const char *user, const char *name)
{
    static char path[400];
    snprintf(path, sizeof path, "%s/%s/%s", folder, user, name);
    return path;
}

static void monwstop(struct system *sys, const char *user)
{
    struct vm *vm = cp_user(sys->cp, user);
    text_clear(&sys->answer);
    struct response out = response_to_text(&sys->answer);
    assert_non_null(vm->service);
    world_lock(&sys->world);
    assert_int_equal(vm->service->input(vm, "monwstop", &out), 0);
    world_unlock(&sys->world);
    system_run(sys, 0.1);
}

static void files_are_laid_out_as_described(void **state)
{
    (void)state;
    struct system *sys = writers();
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 60 SECONDS");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 6 SECONDS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK FAST DATA A SUBINT");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK SLOW DATA");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "QUERY MONITOR SAMPLE");
    assert_non_null(strstr(text_get(&sys->answer),
                           "USERS CONNECTED TO *MONITOR - WRITER   WRITER2\n"
                           "   WITH SUBINTERVAL DATA - WRITER\n"
                           "   WITH INTERVAL DATA ONLY - WRITER2\n"));
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    assert_string_equal(text_get(&sys->answer), "");
    system_run(sys, 603);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE STOP");
    assert_int_equal(access(file_of("WRITER", "FAST.DATA"), F_OK), -1); // not under its name yet
    assert_int_equal(access(file_of("WRITER", "FAST.DATA.part"), F_OK), 0);
    monwstop(sys, "WRITER"); // at once: what was announced is written first
    monwstop(sys, "WRITER2");
    struct contents fast = parse(file_of("WRITER", "FAST.DATA"));
    struct contents slow = parse(file_of("WRITER2", "SLOW.DATA"));
    assert_int_equal(fast.samples, 102);
    assert_int_equal(fast.subinterval_samples, 90);
    assert_int_equal(slow.samples, 12);
    assert_int_equal(slow.subinterval_samples, 0);
    assert_int_equal(fast.configs, 1);
    assert_int_equal(fast.ends, 1);
    assert_int_equal(fast.by[1][11], 103);
    assert_int_equal(fast.by[0][1], 2 * 102);
    assert_int_equal(fast.by[6][3], 2 * 102);
    assert_int_equal(slow.by[4][3], 3 * 12);
    assert_int_equal(fast.by[1][9], 1);

    // The reader sees the same.
    struct mondata d;
    struct text error = {0};
    assert_int_equal(mondata_file(file_of("WRITER", "FAST.DATA"), &d, &error), 0);
    assert_int_equal(d.samples, 102);
    assert_int_equal(d.subinterval_samples, 90);
    assert_int_equal(d.records + d.config_records, fast.records);
    mondata_free(&d);
    remove_folder();
    system_free(sys);
}

static void cost_is_in_proportion_to_the_data(void **state)
{
    (void)state;
    struct system *sys = writers();
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 2 SECONDS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK FAST DATA SUBINT");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK SLOW DATA");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 3000);
    const struct vcpu *fast = cp_user(sys->cp, "WRITER")->vcpu[0];
    const struct vcpu *slow = cp_user(sys->cp, "WRITER2")->vcpu[0];
    assert_true(slow->ssch[0] > 50 && slow->guest_time > 0);
    double io = (double)fast->ssch[0] / (double)slow->ssch[0];
    double time =
        (double)(fast->guest_time + fast->cp_time) / (double)(slow->guest_time + slow->cp_time);
    double samples = 1501.0 / 51;
    assert_true(io > 0.97 * samples && io < 1.03 * samples);
    assert_true(time > 0.97 * samples && time < 1.03 * samples);
    remove_folder();
    system_free(sys);
}

static void equal_runs_give_equal_files(void **state)
{
    (void)state;
    uint8_t *bytes[2];
    size_t size[2];
    for (unsigned i = 0; i < 2; i++) {
        struct system *sys = writers();
        system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
        system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B SUBINT");
        system_run(sys, 1);
        system_good(sys, "OPERATOR", "MONITOR START");
        system_run(sys, 300);
        system_good(sys, "OPERATOR", "MONITOR STOP");
        monwstop(sys, "WRITER");
        bytes[i] = load(file_of("WRITER", "A.B"), &size[i]);
        remove_folder();
        system_free(sys);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    free(bytes[0]);
    free(bytes[1]);
}

static void files_are_closed_by_time(void **state)
{
    (void)state;
    struct system *sys = writers();
    char path[128];
    unsigned files = 0, samples = 0;
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK CLOSE 2");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 600);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE STOP");
    monwstop(sys, "WRITER");
    snprintf(path, sizeof path, "%s/WRITER", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *d; (d = readdir(dir));) {
        if (d->d_name[0] == '.')
            continue;
        assert_int_equal(d->d_name[0], 'D');
        struct contents c = parse(file_of("WRITER", d->d_name));
        assert_int_equal(c.ends, 1);
        samples += c.samples;
        files++;
    }
    closedir(dir);
    assert_int_equal(files, 6);
    assert_int_equal(samples, 12);
    remove_folder();
    system_free(sys);
}

static void logoff_leaves_a_whole_file(void **state)
{
    (void)state;
    struct system *sys = writers();
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 120);
    system_good(sys, "OPERATOR", "FORCE WRITER");
    system_run(sys, 120);
    assert_int_equal(parse(file_of("WRITER", "A.B")).samples, 3);
    assert_null(monitor_of(sys->cp)->users);
    assert_int_equal(monitor_of(sys->cp)->sample.state, RECORDING_PENDING);
    remove_folder();
    system_free(sys);
}

static const struct {
    const char *user, *parameters, *id;
} refused[] = {
    {"WRITER", "MONDCSS", "HCPMOW6274E"},
    {"WRITER", "MONDCSS *MONITOR", "HCPMOW6274E"},
    {"WRITER", "MONDCSS *MONITOR TAPE", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MSG DISK", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK ../../X", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK TOOLONGNAME", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK A B 99", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK A B A X", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK CLOSE", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR DISK CLOSE 0", "HCPMOW6273E"},
    {"WRITER", "NOWHERE *MONITOR DISK", "HCPMOW6279E"},
    {"NOSAVE", "MONDCSS *MONITOR DISK", "HCPMOW6279E"},
    {"NOIUCV", "MONDCSS *MONITOR DISK", "HCPMOW6271E"},
};

static void bad_parameters_are_refused(void **state)
{
    (void)state;
    struct system *sys = writers();
    system_good(sys, "OPERATOR", "XAUTOLOG NOSAVE");
    system_good(sys, "OPERATOR", "XAUTOLOG NOIUCV");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        char line[200];
        snprintf(line, sizeof line, "IPL MONWRITE PARM %s", refused[i].parameters);
        int rc = system_command(sys, refused[i].user, line);
        if (rc == 0 || strcmp(sys->id, refused[i].id) != 0)
            fail_msg("%s: %d %s", line, rc, text_get(&sys->answer));
    }
    assert_null(monitor_of(sys->cp)->users);
    monwrite_set_folder(sys->cp, NULL); // the system has none either
    assert_int_equal(system_command(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK"),
                     6278);
    remove_folder();
    system_free(sys);
}

static void a_configuration_area_too_large_severs_with_2c(void **state)
{
    (void)state;
    struct system *sys = writers();
    system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 9000");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    assert_null(monitor_of(sys->cp)->users);
    assert_int_equal(parse(file_of("WRITER", "A.B")).sets, 0); // nothing but the end
    remove_folder();
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_laid_out_as_described),
        cmocka_unit_test(cost_is_in_proportion_to_the_data),
        cmocka_unit_test(equal_runs_give_equal_files),
        cmocka_unit_test(files_are_closed_by_time),
        cmocka_unit_test(logoff_leaves_a_whole_file),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(a_configuration_area_too_large_severs_with_2c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
