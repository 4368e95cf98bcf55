// SPDX-License-Identifier: MIT
// Reader, punch, printer; end of file and not ready; IPL from a deck of cards.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

#include "devices/rig.h"
#include "devices/unit_record_file.h"

static void cards_end_file_and_hopper(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    uint8_t deck[170], card[80];
    rig_open(&r);
    memset(deck, 0xC1, 80);
    memset(deck + 80, 0xC2, 90);
    struct card_hopper *hopper = card_hopper_new();
    card_hopper_add(hopper, deck, sizeof deck);
    struct unit_record_source source = card_hopper_source(hopper);
    uint32_t sid = rig_add(&r, card_reader_new(0x00C, 0x2540, &source), 1);
    for (uint32_t i = 0; i < 5; i++)
        rig_ccw(&r, 0x02, CC | SLI, 80, 0x2000 + 80 * i);
    rig_ccw(&r, 0x02, SLI, 80, 0x2800);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    // Three cards, then unit exception on the fourth read: nothing of it was transferred.
    assert_int_equal(irb.status, 0x0D);
    assert_int_equal(irb.channel, 0);
    assert_int_equal(irb.ccw, 0x1020);
    assert_int_equal(irb.residual, 80);
    rig_get(&r, 0x2000 + 160, card, 80);
    assert_int_equal(card[9], 0xC2);
    assert_int_equal(card[10], 0);
    rig_ccw(&r, 0x02, SLI, 80, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    assert_int_equal(be32_load(irb.raw + 16), 0x01200000); // concurrent sense, 32 bytes
    assert_int_equal(irb.raw[32], 0x40);
    card_hopper_add(hopper, deck, 0);
    rig_ccw(&r, 0x02, SLI, 80, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0D); // an empty file is nothing but its end
    rig_close(&r);
    card_hopper_free(hopper);
}

static void ready_is_device_end(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    rig_open(&r);
    struct card_hopper *hopper = card_hopper_new();
    struct unit_record_source source = card_hopper_source(hopper);
    struct device *dev = card_reader_new(0x00C, 0x2540, &source);
    uint32_t sid = rig_add(&r, dev, 0);
    unit_record_ready(dev);
    assert_int_equal(rig_test(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x04);
    assert_int_equal(irb.control & 0xFFFF, 0x11);
    rig_close(&r);
    card_hopper_free(hopper);
}

struct lines {
    struct {
        uint8_t command, first;
        size_t n;
    } line[20];
    size_t count;
    bool full;
};

static bool take(void *arg, uint8_t command, const uint8_t *record, size_t n)
{
    struct lines *l = arg;
    if (l->full)
        return false;
    l->line[l->count].command = command;
    l->line[l->count].first = n ? record[0] : 0;
    l->line[l->count++].n = n;
    return true;
}

static void printer_commands(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    struct lines lines = {0};
    struct unit_record_sink sink = {take, &lines};
    rig_open(&r);
    uint32_t sid = rig_add(&r, printer_new(0x00E, 0x1403, &sink), 0);
    rig_put(&r, 0x2000, "\xC1\xC2\xC3", 3);
    rig_ccw(&r, 0x8B, CC | SLI, 1, 0x2000); // skip to channel 1
    rig_ccw(&r, 0x09, CC | SLI, 3, 0x2000);
    rig_ccw(&r, 0xE1, CC | SLI, 132, 0x2000); // write, skip to channel 12
    rig_ccw(&r, 0x63, CC | SLI, 180, 0x2000);
    rig_ccw(&r, 0x01, CC, 132, 0x2000);
    rig_ccw(&r, 0x03, SLI, 1, 0);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    assert_int_equal(irb.channel, 0);
    assert_int_equal(lines.count, 4);
    assert_int_equal(lines.line[0].n, 0);
    assert_int_equal(lines.line[1].n, 3);
    assert_int_equal(lines.line[1].first, 0xC1);
    assert_int_equal(lines.line[2].command, 0xE1);
    assert_int_equal(lines.line[3].n, 132);
    // A channel that no tape has, a space of none, a line too long.
    rig_ccw(&r, 0xEB + 0x08, SLI, 1, 0x2000); // F3 is a buffer load
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    rig_ccw(&r, 0xF9, SLI, 1, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    rig_ccw(&r, 0x09, 0, 133, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.channel, 0x40);
    assert_int_equal(irb.residual, 1);
    lines.full = true;
    rig_ccw(&r, 0x09, 0, 1, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0E);
    rig_close(&r);
}

static void punch_to_file(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    uint8_t card[81];
    FILE *out = tmpfile();
    struct unit_record_sink sink = card_file_sink(out);
    rig_open(&r);
    uint32_t sid = rig_add(&r, card_punch_new(0x00D, 0x2540, &sink), 0);
    rig_put(&r, 0x2000, "\xC1\xC2\xC3", 3);
    rig_ccw(&r, 0x41, 0, 3, 0x2000);
    assert_int_equal(rig_run(&r, sid, &irb), 0);
    assert_int_equal(irb.status, 0x0C);
    rewind(out);
    assert_int_equal(fread(card, 1, sizeof card, out), 80);
    assert_int_equal(card[2], 0xC3);
    assert_int_equal(card[79], 0x40);
    rig_close(&r);
    fclose(out);
}

static void printed_text(void **state)
{
    (void)state;
    char text[40] = "";
    FILE *out = tmpfile();
    struct unit_record_sink sink = print_file_sink(out);
    assert_true(sink.write(sink.arg, 0x8B, NULL, 0));
    assert_true(sink.write(sink.arg, 0x11, (const uint8_t *)"\xC1\xC2\x40\x40", 4));
    assert_true(sink.write(sink.arg, 0x09, (const uint8_t *)"\xF1", 1));
    rewind(out);
    assert_int_equal(fread(text, 1, sizeof text, out), 7);
    assert_string_equal(text, "\fAB\n\n1\n");
    fclose(out);
}

struct load {
    bool done, ok;
    const char *reason;
};

static void on_load(void *arg, bool ok, const char *reason)
{
    struct load *load = arg;
    load->done = true;
    load->ok = ok;
    load->reason = reason;
}

// 24 bytes: a PSW, a CCW that reads the second card to X'3000' and one that reads the third.
static void ipl_from_cards(void **state)
{
    (void)state;
    struct rig r;
    struct irb irb;
    uint8_t deck[240] = {0}, word[8];
    static const uint8_t first[24] = {0x00, 0x08, 0, 0,  0x80, 0, 0x12, 0x34, 0x02, 0, 0x30, 0,
                                      0x60, 0,    0, 80, 0x02, 0, 0x30, 80,   0x20, 0, 0,    80};
    memcpy(deck, first, sizeof first);
    memset(deck + 80, 0xC5, 80);
    memset(deck + 160, 0xC6, 80);
    rig_open(&r);
    struct card_hopper *hopper = card_hopper_new();
    card_hopper_add(hopper, deck, sizeof deck);
    struct unit_record_source source = card_hopper_source(hopper);
    rig_add(&r, card_reader_new(0x00C, 0x2540, &source), 0);
    struct load load = {0};
    assert_int_equal(css_ipl(r.css, 0x00D, on_load, &load), -1);
    assert_false(load.done);
    assert_int_equal(css_ipl(r.css, 0x00C, on_load, &load), 0);
    rig_settle(&r, 10);
    assert_true(load.done);
    assert_true(load.ok);
    rig_get(&r, 0, word, 8);
    assert_memory_equal(word, first, 8);
    rig_get(&r, 0x3000 + 76, word, 8);
    assert_int_equal(word[3], 0xC5);
    assert_int_equal(word[4], 0xC6);
    // No interruption, and the subchannel is ready for a program that enables nothing.
    assert_int_equal(r.interruptions, 0);
    assert_int_equal(rig_test(&r, SID(0), &irb), 1);
    // At the end of the file IPL fails, with a reason.
    load = (struct load){0};
    assert_int_equal(css_ipl(r.css, 0x00C, on_load, &load), 0);
    assert_true(load.done);
    assert_false(load.ok);
    assert_string_equal(load.reason, "unit exception: end of file");
    rig_close(&r);
    card_hopper_free(hopper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cards_end_file_and_hopper),
        cmocka_unit_test(ready_is_device_end),
        cmocka_unit_test(printer_commands),
        cmocka_unit_test(punch_to_file),
        cmocka_unit_test(printed_text),
        cmocka_unit_test(ipl_from_cards),
    };
    return cmocka_run_group_tests_name("unit_record", tests, NULL, NULL);
}
