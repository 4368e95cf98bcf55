// SPDX-License-Identifier: MIT
// MONWRITE in a whole system: files byte for byte, read by a small parser of its own.
#include "writers.h"

#include <dirent.h>

#include "cp/dcss.h"
#include "devices/dasd_track.h"
#include "devices/dasd_volume.h"
#include "monitor/report.h"

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

// Writers with a minidisk each: WRITER's of `cylinders`, WRITER2's of a hundred.
static struct system *writers_with_disks(unsigned cylinders)
{
    static const char config[] = "System_Identifier * * TESTSYS\n"
                                 "Processors 2 IFL\n"
                                 "Storage 4G\n"
                                 "System_Userids Operator OPERATOR\n"
                                 "RDevice 0200 Type DASD Volume VOL200 Cylinders 120\n"
                                 "RDevice 0201 Type DASD Volume VOL201 Cylinders 120\n";
    char directory[600];
    snprintf(directory, sizeof directory,
             "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
             "USER WRITER WRITER 64M 64M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
             " CONSOLE 0009 3215 T\n MDISK 0191 3390 1 %u VOL200 MR\n"
             "USER WRITER2 WRITER 64M 64M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
             " CONSOLE 0009 3215 T\n MDISK 0191 3390 1 100 VOL201 MR\n",
             cylinders);
    struct system *sys = system_new_of(config, directory);
    make_folder(sys);
    return sys;
}

#define BLOCKS_PER_TRACK 12u // of 4096 bytes, on a 3390

// Bytes of the disk's block, as it lies on the volume.
static const uint8_t *block_of(struct dasd_volume *volume, unsigned block)
{
    unsigned track = volume->model->heads + block / BLOCKS_PER_TRACK; // from cylinder 1 on
    const uint8_t *bytes = dasd_volume_track(volume, track);
    struct track_record record;
    assert_true(
        track_find(bytes, volume->model->track_size, block % BLOCKS_PER_TRACK + 1, &record));
    assert_int_equal(record.data, 4096);
    return bytes + record.offset + TRACK_COUNT_BYTES + record.key;
}

static void cost_is_in_proportion_to_the_data(void **state)
{
    (void)state;
    struct system *sys = writers_with_disks(100);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 2 SECONDS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK FAST DATA SUBINT");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK SLOW DATA");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 3000.5);
    const struct vcpu *fast = cp_user(sys->cp, "WRITER")->vcpu[0];
    const struct vcpu *slow = cp_user(sys->cp, "WRITER2")->vcpu[0];
    assert_true(slow->ssch[0] > 50 && slow->cp_time > 0);
    double io = (double)fast->ssch[0] / (double)slow->ssch[0];
    double time = (double)fast->cp_time / (double)slow->cp_time;
    double samples = 1501.0 / 51;
    assert_true(io > 0.97 * samples && io < 1.03 * samples);
    assert_true(time > 0.97 * samples && time < 1.03 * samples);
    // What the volume counted is what the virtual CPU started; both are what the file needs.
    struct dasd_volume *volume = sys->cp->rdevs->volume;
    assert_int_equal(volume->ssch, fast->ssch[0]);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE STOP");
    system_run(sys, 1);
    monwstop(sys, "WRITER");
    size_t size;
    uint8_t *bytes = load(file_of("WRITER", "FAST.DATA"), &size);
    assert_true(volume->ssch >= size / 4096 / 4);
    for (unsigned i = 0; i + 1 < size / 4096; i++) // but for the closing block
        assert_memory_equal(bytes + 4096 * (size_t)i, block_of(volume, i), 4096);
    free(bytes);
    remove_folder();
    system_free(sys);
}

// The disk is full in the middle of a set: the file ends before it, and says nothing else.
static void a_full_minidisk_ends_the_file_with_a_whole_set(void **state)
{
    (void)state;
    struct system *sys = writers_with_disks(1); // 180 blocks
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE SUBINTERVAL 2 SECONDS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK FAST DATA SUBINT");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK OTHER DATA SUBINT");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 300.5);
    monwstop(sys, "WRITER2");
    struct contents full = parse(file_of("WRITER", "FAST.DATA"));
    struct contents other = parse(file_of("WRITER2", "OTHER.DATA"));
    assert_true(full.blocks > 170 && full.blocks <= 181);
    assert_int_equal(full.ends, 1);
    assert_int_equal(full.by[1][11], full.samples + full.configs);
    assert_int_equal(full.configs, 1);
    assert_true(full.samples > 10 && full.samples < 100);
    assert_int_equal(other.samples, 151); // who has room goes on
    assert_null(monitor_of(sys->cp)->users);
    remove_folder();
    system_free(sys);
}

// So it is when the host has no room.
static void a_full_host_ends_the_file_with_a_whole_set(void **state)
{
    (void)state;
    struct system *sys = writers();
    struct rlimit old, few;
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 6 SECONDS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 30.5);
    struct stat st;
    assert_int_equal(stat(file_of("WRITER", "A.B.part"), &st), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    few = old;
    few.rlim_cur = (rlim_t)st.st_size + 4096 + 2000; // of a set that has at least three blocks
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    system_run(sys, 30);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    struct contents c = parse(file_of("WRITER", "A.B"));
    assert_int_equal(c.samples, 6); // up to then
    assert_int_equal(c.ends, 1);
    assert_int_equal(c.blocks, st.st_size / 4096 + 1);
    assert_null(monitor_of(sys->cp)->users);
    remove_folder();
    system_free(sys);
}

static void run_a_minute(struct system *sys)
{
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 60);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE STOP");
    monwstop(sys, "WRITER");
}

static void another_start_has_another_name(void **state)
{
    (void)state;
    struct system *sys = writers();
    size_t size, again;
    run_a_minute(sys);
    uint8_t *first = load(file_of("WRITER", "A.B"), &size);
    struct tod_calendar c = tod_calendar(clock_now(&sys->world.clock));
    char second[40];
    snprintf(second, sizeof second, "A.T%02d%02d%02d", c.hour, c.minute, c.second);
    run_a_minute(sys);
    uint8_t *same = load(file_of("WRITER", "A.B"), &again); // nothing was lost from it
    assert_int_equal(again, size);
    assert_memory_equal(same, first, size);
    assert_int_equal(parse(file_of("WRITER", second)).samples, 3);
    free(first);
    free(same);
    // Two starts in one second.
    for (unsigned i = 0; i < 3; i++) {
        system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK C D");
        system_run(sys, 0.01);
        monwstop(sys, "WRITER");
    }
    c = tod_calendar(clock_now(&sys->world.clock));
    snprintf(second, sizeof second, "C.T%02d%02d%02d", c.hour, c.minute, c.second);
    assert_int_equal(access(file_of("WRITER", "C.D"), F_OK), 0);
    assert_int_equal(access(file_of("WRITER", second), F_OK), 0);
    snprintf(second + strlen(second), 2, "A");
    assert_int_equal(access(file_of("WRITER", second), F_OK), 0);
    remove_folder();
    system_free(sys);
}

static void store(const char *path, const uint8_t *bytes, size_t n)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(out);
}

// The process that wrote a file is gone: at every length that it may have left, what a later start
// makes of it holds all whole sets and an end.
static void what_was_left_open_is_closed(void **state)
{
    (void)state;
    struct system *sys = writers();
    size_t size;
    run_a_minute(sys);
    uint8_t *bytes = load(file_of("WRITER", "A.B"), &size);
    unsigned last = 0;
    for (size_t n = 0; n <= size; n += n < 3 * 4096 ? 1000 : 4096 + 96) {
        store(file_of("WRITER", "LEFT.OPEN.part"), bytes, n);
        system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK X Y");
        assert_non_null(strstr(text_get(&sys->answer), "HCPMOW6281I"));
        monwstop(sys, "WRITER");
        struct contents c = parse(file_of("WRITER", "LEFT.OPEN"));
        assert_int_equal(c.ends, 1);
        assert_true(c.sets >= last && c.sets <= 4 && (c.blocks - 1) * (size_t)4096 <= n);
        assert_int_equal(c.by[1][11], c.sets);
        last = c.sets;
        assert_int_equal(remove(file_of("WRITER", "LEFT.OPEN")), 0);
    }
    assert_int_equal(last, 4);
    free(bytes);
    remove_folder();
    system_free(sys);
}

static void the_segment_is_loaded_while_it_runs(void **state)
{
    (void)state;
    struct system *sys = writers();
    const struct dcss *dcss = dcss_find(sys->cp, "MONDCSS");
    assert_int_equal(dcss->users, 0);
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B SUBINT");
    system_run(sys, 1);
    assert_int_equal(dcss->users, 3); // with *MONITOR itself
    monwstop(sys, "WRITER");
    assert_int_equal(dcss->users, 2);
    system_good(sys, "OPERATOR", "FORCE WRITER2");
    system_run(sys, 1);
    assert_int_equal(dcss->users, 0);
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
    {"WRITER", "MONDCSS *MONITOR TAPE", "HCPMOW6282E"}, // none is attached
    {"WRITER", "MONDCSS *MONITOR TAPE 1X1", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR TAPE 181 A", "HCPMOW6273E"},
    {"WRITER", "MONDCSS *MONITOR PAPER", "HCPMOW6273E"},
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
    system_good(sys, "OPERATOR", "PURGE NSS NAME MONDCSS");
    system_good(sys, "OPERATOR", "DEFSEG MONDCSS 9000-9FFF SC RSTD"); // as before z/VM 6.2
    system_good(sys, "OPERATOR", "SAVESEG MONDCSS");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    assert_null(monitor_of(sys->cp)->users);
    assert_int_equal(parse(file_of("WRITER", "A.B")).sets, 0); // nothing but the end
    system_good(sys, "OPERATOR", "MONITOR SAMPLE CONFIG SIZE 241");
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A C");
    system_run(sys, 1);
    assert_non_null(monitor_of(sys->cp)->users);
    remove_folder();
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_laid_out_as_described),
        cmocka_unit_test(cost_is_in_proportion_to_the_data),
        cmocka_unit_test(a_full_minidisk_ends_the_file_with_a_whole_set),
        cmocka_unit_test(a_full_host_ends_the_file_with_a_whole_set),
        cmocka_unit_test(another_start_has_another_name),
        cmocka_unit_test(what_was_left_open_is_closed),
        cmocka_unit_test(the_segment_is_loaded_while_it_runs),
        cmocka_unit_test(equal_runs_give_equal_files),
        cmocka_unit_test(files_are_closed_by_time),
        cmocka_unit_test(logoff_leaves_a_whole_file),
        cmocka_unit_test(bad_parameters_are_refused),
        cmocka_unit_test(a_configuration_area_too_large_severs_with_2c),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
