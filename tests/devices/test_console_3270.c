// SPDX-License-Identifier: MIT
// The 3270's control unit: streams out, input by attention and READ MODIFIED, no display.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/console_3270.h"
#include "devices/rig.h"

struct display {
    uint8_t command, stream[100];
    size_t n;
};

static bool on_write(void *arg, uint8_t command, const uint8_t *stream, size_t n)
{
    struct display *d = arg;
    d->command = command;
    d->n = n < sizeof d->stream ? n : sizeof d->stream;
    memcpy(d->stream, stream, d->n);
    return true;
}

static void streams_in_and_out(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    struct display d = {0};
    struct display_3270 display = {.write = on_write, .arg = &d};
    uint8_t in[8];
    rig_open(&r);
    struct device *dev = console_3270_new(0x009, 2, &display);
    uint32_t sid = rig_add(&r, dev, 0);
    rig_put(&r, 0x2000, "\xC2\x11\x40\x40\xC1", 5);
    rig_ccw(&r, 0x0D, SLI, 5, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(d.command, 0x0D);
    assert_int_equal(d.n, 5);
    assert_memory_equal(d.stream, "\xC2\x11\x40\x40\xC1", 5);
    console_3270_input(dev, (const uint8_t *)"\x7D\x40\x40\x11\x40\x40\x88\x89", 8);
    assert_int_equal(rig_test(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x80);
    rig_ccw(&r, 0x06, SLI, 100, 0x3000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.residual, 92);
    rig_get(&r, 0x3000, in, 8);
    assert_memory_equal(in, "\x7D\x40\x40\x11\x40\x40\x88\x89", 8);
    rig_ccw(&r, 0x06, SLI, 100, 0x3000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    rig_get(&r, 0x3000, in, 8);
    assert_int_equal(in[0], 0x60);
    assert_int_equal(irb.residual, 97);
    rig_close(&r);
}

static void without_display(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    struct display d = {0};
    struct display_3270 display = {.write = on_write, .arg = &d};
    rig_open(&r);
    struct device *dev = console_3270_new(0x009, 2, NULL);
    uint32_t sid = rig_add(&r, dev, 1);
    rig_ccw(&r, 0x05, SLI, 1, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    assert_int_equal(irb.raw[32], 0x40);
    console_3270_connect(dev, &display);
    assert_int_equal(rig_test(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x04);
    console_3270_connect(dev, NULL);
    console_3270_input(dev, (const uint8_t *)"\x7D", 1);
    assert_int_equal(rig_test(&r, sid, &irb), 1);
    rig_close(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(streams_in_and_out),
                                       cmocka_unit_test(without_display)};
    return cmocka_run_group_tests_name("console_3270", tests, NULL, NULL);
}
