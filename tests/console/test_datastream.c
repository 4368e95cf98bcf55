// SPDX-License-Identifier: MIT
// The data stream, byte for byte. Streams are written in hexadecimal, blanks for reading.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/datastream.h"

static struct presentation ps;
static struct text inbound;

static int setup(void **state)
{
    (void)state;
    ps_init(&ps, 24, 80);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    ps_free(&ps);
    text_free(&inbound);
    return 0;
}

static size_t from_hex(const char *hex, uint8_t *out)
{
    size_t n = 0;
    for (; *hex; hex++) {
        if (*hex == ' ')
            continue;
        char two[3] = {hex[0], hex[1], 0};
        out[n++] = (uint8_t)strtoul(two, NULL, 16);
        hex++;
    }
    return n;
}

static enum ds_result send(const char *hex)
{
    uint8_t data[4096];
    text_clear(&inbound);
    return ds_outbound(&ps, data, from_hex(hex, data), &inbound);
}

static void assert_hex(const char *want)
{
    uint8_t data[4096];
    size_t n = from_hex(want, data);
    assert_int_equal(inbound.len, n);
    assert_memory_equal(inbound.s, data, n);
}

static void assert_row(unsigned row, const char *want)
{
    char text[400];
    ps_row(&ps, row, text, sizeof text);
    assert_string_equal(text, want);
}

static void test_erase_write(void **state)
{
    (void)state;
    // EW, WCC restore; SBA row 2 col 1, SF protected, "HELLO", SF unprotected, IC
    ps.lock = PS_LOCK_WAIT;
    assert_int_equal(send("05 C2 11 C1 50 1D 60 C8 C5 D3 D3 D6 1D 40 13"), DS_OK);
    assert_row(1, " HELLO");
    assert_int_equal(ps.cursor, 87);
    assert_int_equal(ps.lock, PS_UNLOCKED);
    assert_int_equal(ps.cell[80].attribute, PS_PROTECTED);
}

static void test_addresses(void **state)
{
    (void)state;
    static const uint8_t twelve[] = {0xC1, 0x50}, fourteen[] = {0x00, 0x50}, bad[] = {0x80, 0};
    assert_int_equal(ds_get_address(twelve), 80);
    assert_int_equal(ds_get_address(fourteen), 80);
    assert_true(ds_get_address(bad) > PS_MAX_CELLS);
    struct text out = {0};
    for (unsigned at = 0; at < 4096; at++) {
        text_clear(&out);
        ds_put_address(&out, 1920, at);
        assert_int_equal(ds_get_address((const uint8_t *)out.s), at);
    }
    for (unsigned at = 0; at < PS_MAX_CELLS; at++) {
        text_clear(&out);
        ds_put_address(&out, PS_MAX_CELLS, at);
        assert_int_equal(ds_get_address((const uint8_t *)out.s), at);
    }
    text_free(&out);
}

static void test_alternate_size(void **state)
{
    (void)state;
    ps_alternate(&ps, 43, 80);
    assert_int_equal(send("0D C0"), DS_OK);
    assert_int_equal(ps.rows, 43);
    assert_int_equal(send("7E C0"), DS_OK); // SNA form
    assert_int_equal(ps.rows, 43);
    assert_int_equal(send("F5 C0"), DS_OK);
    assert_int_equal(ps.rows, 24);
}

static void test_read_modified(void **state)
{
    (void)state;
    send("05 C3 11 40 40 1D 60 11 40 4A 1D 40 13 11 40 50 1D 60");
    ps_type(&ps, 'a');
    ps_type(&ps, 'b');
    assert_true(ps_attention(&ps, AID_ENTER));
    send("06");
    assert_hex("7D 40 4D 11 40 4B 81 82");
    ps.lock = PS_UNLOCKED;
    assert_true(ps_attention(&ps, AID_PA1));
    send("06");
    assert_hex("6C");
    send("0E");
    assert_hex("6C 40 4D 11 40 4B 81 82");
    struct ds_inbound in;
    assert_true(ds_parse_inbound((const uint8_t *)inbound.s, inbound.len, &in));
    assert_int_equal(in.aid, AID_PA1);
    assert_int_equal(in.cursor, 13);
    assert_int_equal(in.fields, 1);
    assert_int_equal(in.field[0].at, 11);
    assert_int_equal(in.field[0].n, 2);
}

static void test_read_modified_unformatted(void **state)
{
    (void)state;
    send("05 C3 C1 00 C2");
    ps_attention(&ps, AID_ENTER);
    send("F6");
    assert_hex("7D 40 40 C1 C2");
}

static void test_read_buffer(void **state)
{
    (void)state;
    send("05 C3 1D 60 C1 1D 40");
    send("02");
    assert_int_equal(inbound.len, 3 + 1920 + 2); // two field starts take two bytes each
    assert_memory_equal(inbound.s, "\x60\x40\x40\x1D\x60\xC1\x1D\x40\x00", 9);
}

static void test_repeat_and_erase(void **state)
{
    (void)state;
    send("05 C3 3C 40 45 C1 1D 60 C2 1D 40 C3");
    assert_row(0, "AAAAA B C");
    // EUA over the whole buffer: the field of C goes round to the As, B is protected
    send("01 C0 11 40 40 12 40 40");
    assert_row(0, "      B");
    send("6F");
    assert_int_equal(ps.cursor, 8);
    // RA to its own address fills the buffer
    send("05 C0 3C 40 40 D1");
    assert_int_equal(ps.cell[1919].code, 0xD1);
}

static void test_program_tab(void **state)
{
    (void)state;
    send("05 C3 1D 40 C1 C1 C1 1D 60 C2 1D 40 C3 C3");
    // behind data: the rest of the field is erased
    send("01 C0 11 40 C1 D1 05 D2");
    assert_row(0, " J   B KC");
    // not behind data: nothing is erased
    send("01 C0 11 40 C1 05 D3");
    assert_row(0, " J   B LC");
    // none further on: address 0
    send("01 C0 11 5B 50 05 13");
    assert_int_equal(ps.cursor, 0);
}

static void test_attributes(void **state)
{
    (void)state;
    send("05 C3 29 03 C0 60 41 F4 42 F2 28 42 F5 C1 28 00 00 C2");
    assert_int_equal(ps_colour(&ps, 1), PS_TURQUOISE);
    assert_int_equal(ps_colour(&ps, 2), PS_RED);
    assert_int_equal(ps_highlight(&ps, 2), PS_UNDERSCORE);
    assert_int_equal(send("01 C0 11 40 40 2C 01 C0 4C"), DS_OK);
    assert_true(ps_hidden(&ps, 1));
    assert_int_equal(send("01 C0 11 40 C1 2C 01 C0 4C"), DS_BAD_ORDER); // no attribute there
}

static void test_malformed(void **state)
{
    static const struct {
        const char *stream;
        enum ds_result result;
    } cases[] = {
        {"", DS_BAD_COMMAND},
        {"99", DS_BAD_COMMAND},
        {"01 C0 11", DS_BAD_ORDER},
        {"01 C0 11 40", DS_BAD_ORDER},
        {"01 C0 11 7F 7F", DS_BAD_ADDRESS},
        {"01 C0 11 80 00", DS_BAD_ADDRESS},
        {"01 C0 1D", DS_BAD_ORDER},
        {"01 C0 29", DS_BAD_ORDER},
        {"01 C0 29 FF C0", DS_BAD_ORDER},
        {"01 C0 2C 02 C0", DS_BAD_ORDER},
        {"01 C0 28 41", DS_BAD_ORDER},
        {"01 C0 3C 40", DS_BAD_ORDER},
        {"01 C0 3C 40 41", DS_BAD_ORDER},
        {"01 C0 3C 40 41 08", DS_BAD_ORDER},
        {"01 C0 12 7F 7F", DS_BAD_ADDRESS},
        {"01 C0 08", DS_BAD_ORDER},
        {"11 00 02 01", DS_BAD_ORDER},
        {"11 00 FF 01 FF", DS_BAD_ORDER},
        {"11 00", DS_BAD_ORDER},
        {"11 00 03 01", DS_BAD_ORDER},
        {"11 00 05 01 FF 77", DS_BAD_ORDER},
        {"11 00 05 40 00 11", DS_BAD_COMMAND},
        {"11 00 00 40 00 05 C0 11", DS_BAD_ORDER},
        {"11 00 04 99 00", DS_OK},
        {"01 C0 04 06 07", DS_OK},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (send(cases[i].stream) != cases[i].result)
            fail_msg("%s", cases[i].stream);
    }
}

static void test_query(void **state)
{
    (void)state;
    ps_alternate(&ps, 43, 80);
    assert_int_equal(send("11 00 05 01 FF 02"), DS_OK);
    const uint8_t *p = (const uint8_t *)inbound.s;
    assert_int_equal(p[0], AID_SF);
    bool usable = false, implicit = false;
    size_t at = 1;
    while (at < inbound.len) {
        size_t length = (size_t)p[at] << 8 | p[at + 1];
        assert_true(length >= 4 && at + length <= inbound.len);
        assert_int_equal(p[at + 2], 0x81);
        if (p[at + 3] == 0x81) {
            usable = true;
            assert_int_equal(length, 23);
            assert_memory_equal(p + at + 6, "\x00\x50\x00\x2B", 4);
        }
        if (p[at + 3] == 0xA6) {
            implicit = true;
            assert_memory_equal(p + at + 6, "\x0B\x01\x00\x00\x50\x00\x18\x00\x50\x00\x2B", 11);
        }
        at += length;
    }
    assert_true(usable && implicit);
}

static void test_compose_gives_the_same_screen(void **state)
{
    (void)state;
    struct text out = {0};
    struct presentation copy;
    send("05 C3 29 03 C0 60 41 F4 42 F2 28 42 F5 C1 28 00 00 C2 11 5B 60 1D 40 13 D1 1C 1E");
    ds_compose(&ps, &out);
    ps_init(&copy, 24, 80);
    assert_int_equal(ds_outbound(&copy, (const uint8_t *)out.s, out.len, NULL), DS_OK);
    assert_memory_equal(copy.cell, ps.cell, ps_size(&ps) * sizeof *ps.cell);
    assert_int_equal(copy.cursor, ps.cursor);
    assert_int_equal(copy.fields, ps.fields);
    ps_free(&copy);
    text_free(&out);
}

static void test_text_holds_no_orders(void **state)
{
    (void)state;
    struct text out = {0};
    ds_text(&out, ps.page, "a\t\x1d\x11\n\xff\xe4\xb8\xad!");
    for (size_t i = 0; i < out.len; i++)
        assert_true((uint8_t)out.s[i] >= 0x40 && (uint8_t)out.s[i] != 0xFF);
    assert_int_equal((uint8_t)out.s[out.len - 1], 0x5A);
    text_free(&out);
}

static void test_pf_codes(void **state)
{
    (void)state;
    for (unsigned pf = 1; pf <= 24; pf++)
        assert_int_equal(ds_pf_of_aid(ds_aid_of_pf(pf)), pf);
    assert_int_equal(ds_pf_of_aid(AID_ENTER), 0);
    assert_int_equal(ds_aid_of_pf(10), 0x7A);
    assert_int_equal(ds_aid_of_pf(22), 0x4A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
        T(test_erase_write),
        T(test_addresses),
        T(test_alternate_size),
        T(test_read_modified),
        T(test_read_modified_unformatted),
        T(test_read_buffer),
        T(test_repeat_and_erase),
        T(test_program_tab),
        T(test_attributes),
        T(test_malformed),
        T(test_query),
        T(test_compose_gives_the_same_screen),
        T(test_text_holds_no_orders),
        T(test_pf_codes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
