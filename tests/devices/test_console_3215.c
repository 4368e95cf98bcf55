// SPDX-License-Identifier: MIT
// The 3215 console: output lines, reads that wait, attention, halt.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

#include "base/text.h"
#include "devices/console_3215.h"
#include "devices/rig.h"

struct screen {
    struct text text;
    bool reading;
    unsigned alarms;
};

static void on_output(void *arg, const char *utf8, bool newline)
{
    struct screen *screen = arg;
    text_puts(&screen->text, utf8);
    if (newline)
        text_puts(&screen->text, "|");
}

static void on_reading(void *arg, bool reading)
{
    ((struct screen *)arg)->reading = reading;
}

static void on_alarm(void *arg)
{
    ((struct screen *)arg)->alarms++;
}

struct fixture {
    struct rig rig;
    struct screen screen;
    struct device *dev;
    uint32_t sid;
};

static int set_up(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_open(&f->rig);
    struct console_sink sink = {on_output, on_reading, on_alarm, &f->screen};
    f->dev = console_3215_new(0x009, NULL, &sink);
    f->sid = rig_add(&f->rig, f->dev, 0);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    rig_close(&f->rig);
    text_free(&f->screen.text);
    free(f);
    return 0;
}

static size_t put_text(struct rig *r, uint32_t at, const char *utf8)
{
    uint8_t ebcdic[200];
    size_t n = ebcdic_from_utf8(codepage_default(), utf8, ebcdic, sizeof ebcdic);
    for (size_t i = 0; i < n; i++)
        if (utf8[i] == '|')
            ebcdic[i] = 0x15;
    rig_put(r, at, ebcdic, n);
    return n;
}

static void write_makes_lines(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    unsigned n = (unsigned)put_text(&f->rig, 0x2000, "HELLO|WORLD|READY; ");
    rig_ccw(&f->rig, 0x01, CC | SLI, n, 0x2000);
    rig_ccw(&f->rig, 0x03, SLI, 1, 0x2000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.control & 0xFFFF, 0x4007);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(irb.channel, 0);
    assert_int_equal(irb.ccw, 0x1010);
    assert_string_equal(text_get(&f->screen.text), "HELLO|WORLD|READY; ");
    text_clear(&f->screen.text);
    n = (unsigned)put_text(&f->rig, 0x2000, "RETURN");
    rig_ccw(&f->rig, 0x09, 0, n, 0x2000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_string_equal(text_get(&f->screen.text), "RETURN|");
}

static void line_gives_attention_and_is_read(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    char text[40];
    uint8_t line[8];
    assert_true(console_3215_input(f->dev, "query"));
    assert_true(console_3215_input(f->dev, "x"));
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.control & 0xFFFF, 0x0011); // unsolicited: alert and pending alone
    assert_int_equal(irb.status, 0x80);
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(irb.residual, 155);
    rig_get(&f->rig, 0x3000, line, 5);
    ebcdic_to_utf8(codepage_default(), line, 5, text, sizeof text);
    assert_string_equal(text, "query");
    // The second line is announced once the first program is over.
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x80);
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.residual, 159);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 1);
}

static void read_waits_for_a_line(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_true(f->screen.reading);
    assert_true(console_3215_reading(f->dev));
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 1);
    assert_int_equal(irb.control & 0xFFFF, 0x40C0); // start function, subchannel and device active
    console_3215_input(f->dev, "abc");
    assert_false(f->screen.reading);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(irb.residual, 157);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 1);
}

static void halt_ends_a_waiting_read(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(css_halt(f->rig.css, f->sid), 0);
    assert_false(console_3215_reading(f->dev));
    assert_int_equal(css_halt(f->rig.css, f->sid), 1);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.control & 0xF000, 0x6000);
    assert_int_equal(irb.control & 0x1F, 0x07);
    console_3215_input(f->dev, "late");
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x80);
}

static void unknown_command_is_rejected(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    uint8_t sense[2];
    rig_ccw(&f->rig, 0x07, CC, 6, 0x3000);
    rig_ccw(&f->rig, 0x03, SLI, 1, 0x3000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    assert_int_equal(irb.control & 0x1F, 0x17);
    assert_int_equal(irb.ccw, 0x1008);
    rig_ccw(&f->rig, 0x04, SLI, 2, 0x3000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    rig_get(&f->rig, 0x3000, sense, 2);
    assert_int_equal(sense[0], 0x80);
}

// A program that clears the subchannel loses the attention, not the lines.
static void cleared_attention_comes_again(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    console_3215_input(f->dev, "one");
    assert_int_equal(css_clear(f->rig.css, f->sid), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 1);
    console_3215_input(f->dev, "two");
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x80);
    // Both lines by one chain: the second announcement is not needed any more.
    rig_ccw(&f->rig, 0x0A, CC | SLI, 160, 0x3000);
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3100);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.residual, 157);
    assert_int_equal(rig_test(&f->rig, f->sid, &irb), 1);
}

static void answer_at_once(void *arg, bool reading)
{
    if (reading)
        console_3215_input(*(struct device **)arg, "at once");
}

// Whoever is told that the program reads may type there and then.
static void input_from_inside_the_read(void **state)
{
    struct fixture *f = *state;
    struct irb irb;
    struct console_sink sink = {.reading = answer_at_once, .arg = &f->dev};
    console_3215_connect(f->dev, &sink);
    rig_ccw(&f->rig, 0x0A, SLI, 160, 0x3000);
    assert_int_equal(rig_run(&f->rig, f->sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(irb.residual, 153);
    assert_false(console_3215_reading(f->dev));
}

static void too_many_lines_are_refused(void **state)
{
    struct fixture *f = *state;
    for (int i = 0; i < CONSOLE_3215_LINES; i++)
        assert_true(console_3215_input(f->dev, "x"));
    assert_false(console_3215_input(f->dev, "x"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(write_makes_lines),
        TEST(line_gives_attention_and_is_read),
        TEST(read_waits_for_a_line),
        TEST(halt_ends_a_waiting_read),
        TEST(unknown_command_is_rejected),
        TEST(too_many_lines_are_refused),
        TEST(cleared_attention_comes_again),
        TEST(input_from_inside_the_read),
    };
    return cmocka_run_group_tests_name("console_3215", tests, NULL, NULL);
}
