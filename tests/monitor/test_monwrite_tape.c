// SPDX-License-Identifier: MIT
// MONWRITE to tape.
#include "writers.h"

#include "devices/tape_image.h"

static struct system *writers_with_tape(void)
{
    static const char config[] = "System_Identifier * * TESTSYS\n"
                                 "System_Userids Operator OPERATOR\n"
                                 "RDevice 0580 Type TAPE\n";
    struct system *sys = system_new_of(config, system_directory_text);
    make_folder(sys);
    system_good(sys, "OPERATOR", "ATTACH 580 WRITER 181");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE ENABLE ALL");
    system_good(sys, "OPERATOR", "MONITOR SAMPLE INTERVAL 6 SECONDS");
    return sys;
}

// The next file of the tape, up to its mark, as a file of the host; false at the end.
static bool copy_from_tape(struct tape_image *tape, const char *path)
{
    uint8_t block[4096];
    uint32_t n;
    enum tape_found found = tape_image_read(tape, block, sizeof block, &n);
    if (found != TAPE_DATA)
        return false; // the second mark of two
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    for (; found == TAPE_DATA; found = tape_image_read(tape, block, sizeof block, &n)) {
        assert_int_equal(n, sizeof block);
        assert_int_equal(fwrite(block, 1, n, out), n);
    }
    fclose(out);
    assert_int_equal(found, TAPE_MARK);
    return true;
}

static void a_tape_holds_what_a_file_does(void **state)
{
    (void)state;
    struct system *sys = writers_with_tape();
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR TAPE");
    system_good(sys, "WRITER2", "IPL MONWRITE PARM MONDCSS *MONITOR DISK A B");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 60);
    monwstop(sys, "WRITER"); // an answer may be on its way
    monwstop(sys, "WRITER2");
    system_run(sys, 5);
    assert_null(monitor_of(sys->cp)->users);
    size_t tape_size, file_size;
    struct tape_image *tape = sys->cp->rdevs->tape;
    tape_image_rewind(tape);
    assert_true(copy_from_tape(tape, file_of("WRITER2", "TAPE")));
    assert_false(copy_from_tape(tape, file_of("WRITER2", "MORE")));
    struct contents c = parse(file_of("WRITER2", "TAPE"));
    assert_int_equal(c.samples, 11);
    assert_int_equal(c.ends, 1);
    uint8_t *a = load(file_of("WRITER2", "TAPE"), &tape_size);
    uint8_t *b = load(file_of("WRITER2", "A.B"), &file_size);
    assert_int_equal(tape_size, file_size);
    for (size_t at = 0; at < tape_size; at += 4096) // path and message ids differ
        assert_memory_equal(a + at + 40, b + at + 40, 4096 - 40);
    free(a);
    free(b);
    assert_true(cp_user(sys->cp, "WRITER")->vcpu[0]->ssch[4] > 11);
    remove_folder();
    system_free(sys);
}

static void a_tape_holds_several_files(void **state)
{
    (void)state;
    struct system *sys = writers_with_tape();
    unsigned samples = 0, files = 0;
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR TAPE 181 CLOSE 1 SUBINT");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 200);
    monwstop(sys, "WRITER");
    system_run(sys, 5);
    struct tape_image *tape = sys->cp->rdevs->tape;
    mkdir(file_of("X", ""), 0777);
    for (tape_image_rewind(tape); copy_from_tape(tape, file_of("X", "Y")); files++) {
        struct contents c = parse(file_of("X", "Y"));
        assert_int_equal(c.ends, 1);
        samples += c.samples;
    }
    assert_int_equal(files, 4);
    assert_int_equal(samples, 34);
    remove_folder();
    system_free(sys);
}

// No room on it in the middle of a set: that set goes, and the file gets its end.
static void a_full_tape_ends_with_a_whole_set(void **state)
{
    (void)state;
    struct system *sys = writers_with_tape();
    struct tape_image *tape = sys->cp->rdevs->tape;
    struct rlimit old, few;
    system_good(sys, "WRITER", "IPL MONWRITE PARM MONDCSS *MONITOR TAPE");
    system_run(sys, 1);
    system_good(sys, "OPERATOR", "MONITOR SAMPLE START");
    system_run(sys, 31);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_IGN);
    few = old;
    few.rlim_cur = (rlim_t)tape_image_place(tape) + 2 * 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &few), 0);
    system_run(sys, 30);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_null(monitor_of(sys->cp)->users);
    mkdir(file_of("X", ""), 0777);
    tape_image_rewind(tape);
    assert_true(copy_from_tape(tape, file_of("X", "Y")));
    assert_false(copy_from_tape(tape, file_of("X", "Z")));
    struct contents c = parse(file_of("X", "Y"));
    assert_int_equal(c.samples, 6);
    assert_int_equal(c.ends, 1);
    remove_folder();
    system_free(sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tape_holds_what_a_file_does),
        cmocka_unit_test(a_tape_holds_several_files),
        cmocka_unit_test(a_full_tape_ends_with_a_whole_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
