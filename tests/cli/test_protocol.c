// SPDX-License-Identifier: MIT
// Frames, and a session as a client sees it: greeting, commands, a display, what is refused.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/protocol.h"
#include "cli/session.h"
#include "console/datastream.h"
#include "console/display.h"

// --- frames -----------------------------------------------------------------

static void test_frames_in_pieces(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct frame_reader reader = {0};
    struct frame frame;
    unsigned frames = 0;
    frame_put(&bytes, FRAME_TEXT, "one", 3);
    frame_put(&bytes, FRAME_ATTENTION, NULL, 0);
    frame_put(&bytes, FRAME_TEXT, "three", 5);
    for (size_t i = 0; i < bytes.len; i++) {
        frame_reader_add(&reader, bytes.s + i, 1);
        while (frame_next(&reader, &frame)) {
            static const char *const expected[] = {"one", "", "three"};
            assert_int_equal(frame.n, strlen(expected[frames]));
            assert_memory_equal(frame.data, expected[frames], frame.n);
            frames++;
        }
    }
    assert_int_equal(frames, 3);
    assert_false(reader.broken);
    frame_reader_free(&reader);
    text_free(&bytes);
}

static void test_broken_streams(void **state)
{
    (void)state;
    static const uint8_t streams[][4] = {
        {'?', 0, 0, 1},       // no such type
        {0, 0, 0, 0},         // nor this
        {'T', 0x10, 0, 1},    // longer than any frame
        {'T', 0xFF, 0xFF, 0}, // far longer
    };
    for (size_t i = 0; i < sizeof streams / sizeof *streams; i++) {
        struct frame_reader reader = {0};
        struct frame frame;
        frame_reader_add(&reader, streams[i], 4);
        assert_false(frame_next(&reader, &frame));
        assert_true(reader.broken);
        frame_reader_add(&reader, "A\0\0\0", 4);
        assert_false(frame_next(&reader, &frame));
        frame_reader_free(&reader);
    }
}

static void test_long_texts(void **state)
{
    (void)state;
    struct text bytes = {0};
    struct frame_reader reader = {0};
    struct frame frame;
    size_t total = 0, n = FRAME_MAX + 1000;
    char *text = malloc(n + 1);
    assert_non_null(text);
    memset(text, 'x', n);
    text[n] = '\0';
    frame_put_text(&bytes, FRAME_TEXT, text);
    frame_put_text(&bytes, FRAME_TEXT, "");
    frame_reader_add(&reader, bytes.s, bytes.len);
    while (frame_next(&reader, &frame))
        total += frame.n;
    assert_int_equal(total, n);
    free(text);
    frame_reader_free(&reader);
    text_free(&bytes);
}

static void test_hello_and_goodbye(void **state)
{
    (void)state;
    char why[20];
    static const uint8_t older[] = "HELO";
    struct frame frame = {FRAME_HELLO, older, 4};
    assert_false(frame_is_hello(&frame));
    frame = (struct frame){FRAME_GOODBYE, (const uint8_t *)"\0so it is, and more than fits", 29};
    assert_int_equal(frame_goodbye(&frame, why, sizeof why), 0);
    assert_string_equal(why, "so it is, and more ");
    frame.n = 0;
    assert_int_equal(frame_goodbye(&frame, why, sizeof why), 1);
    assert_string_equal(why, "");
}

// --- a session --------------------------------------------------------------

struct rig {
    struct endicott *sys;
    struct session *session;
    struct frame_reader reader;
};

static void wake(void *arg)
{
    (void)arg;
}

static void say(struct rig *rig, enum frame_type type, const void *data, size_t n)
{
    struct text bytes = {0};
    frame_put(&bytes, type, data, n);
    session_bytes(rig->session, bytes.s, bytes.len);
    text_free(&bytes);
}

// The next frame of the session's; false when there is none.
static bool hear(struct rig *rig, struct frame *frame)
{
    session_work(rig->session);
    const struct text *out = session_output(rig->session);
    frame_reader_add(&rig->reader, out->s, out->len);
    session_sent(rig->session, out->len);
    return frame_next(&rig->reader, frame);
}

static void connect_session(struct rig *rig)
{
    struct text hello = {0};
    struct frame frame;
    rig->session = session_new(
        &(struct session_options){.sys = rig->sys, .name = "test", .number = 5, .wake = wake});
    frame_put_hello(&hello, "");
    session_bytes(rig->session, hello.s, hello.len);
    text_free(&hello);
    assert_true(hear(rig, &frame));
    assert_true(frame_is_hello(&frame));
}

static int set_up(void **state)
{
    char *error = NULL;
    struct rig *rig = calloc(1, sizeof *rig);
    if (!rig)
        return -1;
    rig->sys = endicott_new(&(struct endicott_options){.mode = CLOCK_VIRTUAL}, &error);
    if (!rig->sys)
        return -1;
    connect_session(rig);
    *state = rig;
    return 0;
}

static int tear_down(void **state)
{
    struct rig *rig = *state;
    session_free(rig->session);
    frame_reader_free(&rig->reader);
    endicott_free(rig->sys);
    free(rig);
    return 0;
}

static int result(struct rig *rig, char *text, size_t size)
{
    struct frame frame;
    text[0] = '\0';
    while (hear(rig, &frame) && frame.type == FRAME_TEXT)
        strncat(text, (const char *)frame.data,
                frame.n < size - strlen(text) ? frame.n : size - strlen(text) - 1);
    assert_int_equal(frame.type, FRAME_RESULT);
    assert_int_equal(frame.n, 4);
    return (int)be32_load(frame.data);
}

static void test_commands(void **state)
{
    struct rig *rig = *state;
    char text[4096];
    static const char good[] = "\0QUERY USERID", bad[] = "\0FROBNICATE";
    static const char other[] = "guest9\0QUERY USERID", mine[] = "autolog1\0QUERY USERID";
    say(rig, FRAME_COMMAND, good, sizeof good - 1);
    assert_int_equal(result(rig, text, sizeof text), 0);
    assert_non_null(strstr(text, "OPERATOR AT ENDICOTT"));
    say(rig, FRAME_COMMAND, bad, sizeof bad - 1);
    assert_int_equal(result(rig, text, sizeof text), 1);
    assert_non_null(strstr(text, "HCPCMD001E"));
    say(rig, FRAME_COMMAND, other, sizeof other - 1);
    assert_int_equal(result(rig, text, sizeof text), -1);
    say(rig, FRAME_COMMAND, mine, sizeof mine - 1);
    assert_int_equal(result(rig, text, sizeof text), 0);
    assert_non_null(strstr(text, "AUTOLOG1 AT ENDICOTT"));
}

static void expect_goodbye(struct rig *rig)
{
    struct frame frame;
    char why[100];
    do {
        assert_true(hear(rig, &frame));
    } while (frame.type != FRAME_GOODBYE);
    assert_int_equal(frame_goodbye(&frame, why, sizeof why), 1);
    assert_true(strlen(why) > 10);
    assert_true(session_over(rig->session));
}

static void test_shutdown(void **state)
{
    struct rig *rig = *state;
    char text[4096];
    assert_false(session_shutdown(rig->session));
    say(rig, FRAME_SHUTDOWN, NULL, 0);
    assert_int_equal(result(rig, text, sizeof text), 0);
    assert_true(session_shutdown(rig->session));
    assert_true(endicott_is_down(rig->sys));
}

// What a session refuses, each on a new connection.
static void test_refused(void **state)
{
    struct rig *rig = *state;
    static const struct {
        enum frame_type type;
        const char *data;
        size_t n;
    } frames[] = {
        {FRAME_COMMAND, "no NUL", 6},                   // no userid
        {FRAME_COMMAND, "TOOLONGNAME\0QUERY TIME", 22}, // no userid either
        {FRAME_COMMAND, "\0QUERY\0TIME", 11},           // NUL within
        {FRAME_DISPLAY, "\0\x18\0", 3},                 // no columns
        {FRAME_DISPLAY, "\0\x17\0\x50", 4},             // 23 rows
        {FRAME_DISPLAY, "\xFF\xFF\xFF\xFF", 4},         // more than the addresses
        {FRAME_DISPLAY, "\0\x18\0\x50TOOLONGNAME", 15}, // no userid
        {FRAME_DISPLAY, "\0\x18\0\x50NOBODY", 10},      // not in the directory
        {FRAME_INBOUND, "\x7D\x40\x40", 3},             // no display
        {FRAME_HISTORY, NULL, 0},                       // no display
        {FRAME_RESULT, "\0\0\0\0", 4},                  // the other way
    };
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        say(rig, frames[i].type, frames[i].data, frames[i].n);
        expect_goodbye(rig);
        session_free(rig->session);
        frame_reader_free(&rig->reader);
        connect_session(rig);
    }
}

static void test_long_command(void **state)
{
    struct rig *rig = *state;
    char line[2000];
    memset(line, 'Q', sizeof line);
    line[0] = '\0';
    say(rig, FRAME_COMMAND, line, sizeof line);
    expect_goodbye(rig);
}

static void test_no_greeting(void **state)
{
    struct rig *rig = *state;
    session_free(rig->session);
    rig->session = session_new(
        &(struct session_options){.sys = rig->sys, .name = "test", .number = 5, .wake = wake});
    say(rig, FRAME_COMMAND, "\0QUERY TIME", 11);
    expect_goodbye(rig);
}

// --- a display --------------------------------------------------------------

// Everything the session sends goes to the display; the history's lines are counted.
static unsigned show(struct rig *rig, struct memory_display *display)
{
    struct frame frame;
    unsigned lines = 0;
    while (hear(rig, &frame)) {
        if (frame.type == FRAME_OUTBOUND)
            display->display.ops->outbound(&display->display, frame.data, frame.n);
        lines += frame.type == FRAME_HISTORY;
    }
    return lines;
}

static void send_inbound(void *arg, const uint8_t *data, size_t n)
{
    say(arg, FRAME_INBOUND, data, n);
}

static void enter(struct rig *rig, struct memory_display *display, const char *line)
{
    assert_true(memory_display_type(display, line));
    assert_true(memory_display_press(display, AID_ENTER));
    show(rig, display);
}

static bool shows(const struct memory_display *display, const char *text)
{
    char row[1024];
    for (unsigned i = 0; i < display->ps.rows; i++) {
        ps_row(&display->ps, i, row, sizeof row);
        if (strstr(row, text))
            return true;
    }
    return false;
}

static void test_display(void **state)
{
    struct rig *rig = *state;
    struct memory_display display;
    struct frame frame;
    memory_display_init(&display, 24, 80);
    display.display.host = (struct display_host){.inbound = send_inbound, .arg = rig};
    say(rig, FRAME_DISPLAY, "\0\x18\0\x50", 4);
    assert_true(hear(rig, &frame));
    assert_int_equal(frame.type, FRAME_TERMINAL);
    assert_memory_equal(frame.data, "L0005", 5);
    show(rig, &display);
    assert_true(shows(&display, "Endicott ONLINE"));
    enter(rig, &display, "maint");
    assert_true(shows(&display, "ENTER PASSWORD"));
    enter(rig, &display, "maint");
    assert_true(shows(&display, "LOGON AT"));
    enter(rig, &display, "query userid");
    assert_true(shows(&display, "MAINT    AT ENDICOTT"));
    say(rig, FRAME_HISTORY, NULL, 0);
    assert_true(show(rig, &display) >= 3);
    say(rig, FRAME_DISPLAY, "\0\x18\0\x50", 4); // one is enough
    expect_goodbye(rig);
    memory_display_free(&display);
}

// What is typed goes along with a new size.
static void test_resize(void **state)
{
    struct rig *rig = *state;
    struct memory_display display;
    struct text payload = {0};
    static const uint8_t size[] = {0, 43, 0, 132};
    memory_display_init(&display, 24, 80);
    display.display.host = (struct display_host){.inbound = send_inbound, .arg = rig};
    say(rig, FRAME_DISPLAY, "\0\x18\0\x50MAINT", 9);
    show(rig, &display);
    assert_true(memory_display_type(&display, "half"));
    text_add(&payload, (const char *)size, sizeof size);
    ds_read_modified(&display.ps, false, &payload);
    ps_alternate(&display.ps, 43, 132);
    say(rig, FRAME_RESIZE, payload.s, payload.len);
    show(rig, &display);
    assert_int_equal(display.ps.rows, 43);
    assert_int_equal(display.ps.cols, 132);
    assert_true(shows(&display, "half"));
    say(rig, FRAME_RESIZE, "\0\1\0\1", 4);
    expect_goodbye(rig);
    text_free(&payload);
    memory_display_free(&display);
}

// A connection that ends disconnects its user.
static void test_line_drop(void **state)
{
    struct rig *rig = *state;
    struct endicott_user user;
    say(rig, FRAME_DISPLAY, "\0\x18\0\x50maint", 9);
    assert_int_equal(endicott_user(rig->sys, "MAINT", &user), 0);
    assert_false(user.disconnected);
    session_free(rig->session);
    frame_reader_free(&rig->reader);
    connect_session(rig);
    assert_int_equal(endicott_user(rig->sys, "MAINT", &user), 0);
    assert_true(user.disconnected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_in_pieces),
        cmocka_unit_test(test_broken_streams),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_hello_and_goodbye),
        cmocka_unit_test_setup_teardown(test_commands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shutdown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_command, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_greeting, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_display, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resize, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_line_drop, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
