// SPDX-License-Identifier: MIT
// The CP full screen while a guest has it for full screens of its own.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "screen_rig.h"

// EW, a protected title, an input field.
static const uint8_t guest_screen[] = {0x05, 0xC3, 0x1D, 0x60, 0xC7, 0xE4, 0xC5, 0xE2,
                                       0xE3, 0x11, 0xC1, 0x50, 0x1D, 0x40, 0x13};

static void cp_read(struct terminal *t)
{
    t->ops->status(t, TERMINAL_CP_READ);
}

static void test_guest_full_screen(void **state)
{
    (void)state;
    lines(1, 3);
    term->ops->data_stream(term, guest_screen, sizeof guest_screen);
    work();
    assert_row(0, " GUEST");
    assert_row(1, "");
    memory_display_type(&md, "ab");
    memory_display_press(&md, AID_ENTER);
    assert_int_equal(fake.stream_size, 8);
    assert_memory_equal(fake.stream, "\x7D\xC1\xD3\x11\xC1\xD1\x81\x82", 8);
    assert_int_equal(md.ps.lock, PS_LOCK_WAIT); // until the guest restores it
    assert_int_equal(fake.inputs, 0);
}

static void test_guest_break_and_back(void **state)
{
    (void)state;
    fake.on_break = cp_read;
    term->ops->data_stream(term, guest_screen, sizeof guest_screen);
    work();
    memory_display_press(&md, AID_PA1);
    assert_int_equal(fake.breaks, 1);
    assert_row(0, "");
    assert_status("CP READ");
    enter("query time");
    assert_row(0, "query time");
    enter("begin");
    term->ops->status(term, TERMINAL_RUNNING);
    work();
    assert_row(0, " GUEST");
}

static void test_message_covers_guest_screen(void **state)
{
    (void)state;
    term->ops->data_stream(term, guest_screen, sizeof guest_screen);
    work();
    line(LINE_MESSAGE, "  * MSG FROM MAINT   : LUNCH");
    work();
    assert_row(0, "  * MSG FROM MAINT   : LUNCH");
    assert_status("HOLDING");
    // the guest goes on meanwhile
    static const uint8_t more[] = {0x01, 0xC2, 0x11, 0x40, 0xC1, 0xC8, 0xC9};
    term->ops->data_stream(term, more, sizeof more);
    work();
    assert_row(0, "  * MSG FROM MAINT   : LUNCH");
    memory_display_press(&md, AID_CLEAR);
    assert_row(0, " HIEST");
    // its own line output ends it
    line(LINE_VM, "Ready;");
    work();
    assert_row(0, "Ready;");
    assert_status("RUNNING");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(test_guest_full_screen),
        T(test_guest_break_and_back),
        T(test_message_covers_guest_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
