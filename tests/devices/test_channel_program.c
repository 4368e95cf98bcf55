// SPDX-License-Identifier: MIT
// Channel programs: lengths, chaining, indirect addresses, checks, time.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "devices/puppet.h"

static void lengths(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1008);
    assert_int_equal(byte_at(f, 0x2009), 9);
    assert_int_equal(f->irb.control & 0xFFFF, 0x4007);
    assert_int_equal(be32_load(f->irb.raw + 12), 0x00800000); // last-path-used mask
    rig_ccw(&f->rig, GIVE, 0, 12, 0x2000);                    // shorter record
    run(f, 0);
    expect(f, 0x0C, 0x40, 2, 0x1008);
    assert_int_equal(f->irb.control & 0x1F, 0x17);
    rig_ccw(&f->rig, GIVE, 0, 8, 0x2000); // longer record
    run(f, 0);
    expect(f, 0x0C, 0x40, 0, 0x1008);
    rig_ccw(&f->rig, GIVE, SLI, 12, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 2, 0x1008);
    // Incorrect length breaks the chain.
    rig_ccw(&f->rig, GIVE, CC, 12, 0x2000);
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0x40, 2, 0x1008);
    // An immediate command: its count matters in format 1 unless the ORB says no.
    rig_ccw(&f->rig, 0x03, 0, 5, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0x40, 5, 0x1008);
    rig_ccw(&f->rig, 0x03, 0, 5, 0x2000);
    run(f, 0x80);
    expect(f, 0x0C, 0, 5, 0x1008);
    f->rig.format0 = true;
    rig_ccw(&f->rig, 0x03, 0, 5, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 5, 0x1008);
}

static void command_chaining_and_tic(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1018);
    rig_ccw(&f->rig, REFUSE, 0, 1, 0x2000);
    rig_ccw(&f->rig, TAKE, 0, 4, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1020);
    assert_int_equal(f->puppet->commands, 2);
    assert_int_equal(f->puppet->indexes[1], 1);
    assert_memory_equal(f->puppet->taken, "\0\1\2\3", 4);
    // Status modifier skips a CCW, also over a TIC loop.
    rig_ccw(&f->rig, MODIFY, CC | SLI, 1, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1000);
    rig_ccw(&f->rig, GIVE, 0, 10, 0x3000);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1018);
    assert_int_equal(byte_at(f, 0x3001), 1);
}

static void program_checks(void **state)
{
    struct fixture *f = *state;
    static const struct {
        uint8_t code, flags;
        uint16_t count;
        uint32_t address, orb1;
        bool format0;
    } bad[] = {
        {0x00, 0, 1, 0x2000, 0, false},              // invalid command
        {0xF0, 0, 1, 0x2000, 0, false},              // invalid command
        {GIVE, 0, 0, 0x2000, 0, true},               // no count in format 0
        {GIVE, CD, 0, 0x2000, 0, false},             // no count in data chaining
        {GIVE, 0, 1, 0x80002000, 0, false},          // address above 2 GiB
        {GIVE, 0, 10, 0x7FFFFFF0, 0, false},         // no such storage
        {0x08, 0, 0, 0x1000, 0, false},              // begins with TIC
        {GIVE, SUSPEND, 10, 0x2000, 0, false},       // suspend not allowed by the ORB
        {GIVE, IDA, 10, 0x2002, 0, false},           // unaligned list
        {GIVE, IDA, 10, 0x2004, 0x20000, false},     // unaligned format-2 list
        {GIVE, MIDA, 10, 0x2000, 0, false},          // MIDAW not allowed by the ORB
        {GIVE, MIDA | IDA, 10, 0x2000, 0x40, false}, // both kinds
        {GIVE, MIDA, 10, 0x2008, 0x40, false},       // unaligned MIDAW list
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        f->rig.format0 = bad[i].format0;
        rig_ccw(&f->rig, bad[i].code, bad[i].flags, bad[i].count, bad[i].address);
        run(f, bad[i].orb1);
        assert_int_equal(f->irb.channel, 0x20);
        assert_int_equal(f->irb.ccw, 0x1008);
        assert_int_equal(f->irb.control & 0x1F, 0x17);
    }
    f->rig.format0 = false;
    // TIC to TIC, TIC with reserved bits, TIC to an odd place; a chain that leaves storage.
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1008);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x20);
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, 0x08, 0x40, 0, 0x1000);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x20);
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1004);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x20);
    f->rig.program = 0x3FFFF8;
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x3FFFF8, 0), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    expect(f, 0x0C, 0x20, 0, 0x400008);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1004, 0), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->irb.channel, 0x20);
    // Format 0 ignores what a TIC has beside its address.
    f->rig.format0 = true;
    f->rig.program = 0x1000;
    rig_ccw(&f->rig, GIVE, CC, 10, 0x2000);
    rig_ccw(&f->rig, 0x98, 0x40, 8, 0x1018);
    rig_ccw(&f->rig, REFUSE, 0, 1, 0x2000);
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1020);
}

static void protection(void **state)
{
    struct fixture *f = *state;
    storage_set_key(f->rig.storage, 0x3000, 0x10);
    storage_set_key(f->rig.storage, 0x4000, 0x18); // fetch-protected
    // Key 2 may not store at 3000; what lies before is stored.
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2FFC);
    storage_set_key(f->rig.storage, 0x2000, 0x20);
    storage_set_key(f->rig.storage, 0x1000, 0x20);
    run(f, 0x20000000);
    expect(f, 0x0C, 0x10, 6, 0x1008);
    assert_int_equal(f->irb.control >> 28, 2);
    assert_int_equal(byte_at(f, 0x2FFF), 3);
    assert_int_equal(byte_at(f, 0x3000), 0);
    rig_ccw(&f->rig, GIVE, 0, 10, 0x2FFC);
    run(f, 0); // key 0 may
    expect(f, 0x0C, 0, 0, 0x1008);
    assert_int_equal(byte_at(f, 0x3005), 9);
    rig_ccw(&f->rig, TAKE, 0, 10, 0x3000); // fetching from there is allowed
    run(f, 0x20000000);
    expect(f, 0x0C, 0, 0, 0x1008);
    rig_ccw(&f->rig, TAKE, 0, 10, 0x3FFA); // but not from 4000
    run(f, 0x20000000);
    expect(f, 0x0C, 0x10, 4, 0x1008);
    assert_int_equal(f->puppet->count, 6);
    f->rig.program = 0x4000; // CCWs are fetched under the key too
    rig_ccw(&f->rig, 0x03, 0, 0, 0);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x4000, 0x20000000), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    expect(f, 0, 0x10, 0, 0x4008);
}

static void data_chaining(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, GIVE, CD, 3, 0x2000);
    rig_ccw(&f->rig, 0, CD | SKIP, 4, 0x3000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1020);
    rig_ccw(&f->rig, REFUSE, 0, 1, 0);
    rig_ccw(&f->rig, 0, CC, 3, 0x4000);
    rig_ccw(&f->rig, 0x03, 0, 0, 0);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1030);
    assert_int_equal(f->puppet->commands, 2);
    assert_int_equal(byte_at(f, 0x2002), 2);
    assert_int_equal(byte_at(f, 0x3000), 0); // skipped
    assert_int_equal(byte_at(f, 0x3001), 0);
    assert_int_equal(byte_at(f, 0x4000), 7);
    assert_int_equal(byte_at(f, 0x4002), 9);
    // The record ends within the first of two: incorrect length whatever SLI says.
    rig_ccw(&f->rig, GIVE, CD | SLI, 12, 0x2000);
    rig_ccw(&f->rig, 0, SLI, 3, 0x4000);
    run(f, 0);
    expect(f, 0x0C, 0x40, 2, 0x1008);
    // Gathered for a write.
    rig_put(&f->rig, 0x2000, "abcdef", 6);
    rig_ccw(&f->rig, TAKE, CD, 2, 0x2004);
    rig_ccw(&f->rig, 0, 0, 4, 0x2000);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1010);
    assert_memory_equal(f->puppet->taken, "efabcd", 6);
    // A bad CCW in the chain counts when the data get there.
    rig_ccw(&f->rig, GIVE, CD, 10, 0x2000);
    rig_ccw(&f->rig, 0, 0, 0, 0x4000);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x20);
    assert_int_equal(f->irb.ccw, 0x1010);
    // A chain that goes in circles ends.
    rig_ccw(&f->rig, GIVE, CD, 1, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1000);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x40);
    rig_ccw(&f->rig, TAKE, CD, 1, 0x2000);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1000);
    run(f, 0);
    assert_int_equal(f->irb.channel, 0x20);
}

static void indirect_addresses(void **state)
{
    struct fixture *f = *state;
    uint8_t list[32];
    f->puppet->give = 5000;
    // Format 1: 2K blocks, the first from anywhere.
    be32_store(list, 0x8700);
    be32_store(list + 4, 0xA000);
    be32_store(list + 8, 0x9000);
    be32_store(list + 12, 0xB800);
    rig_put(&f->rig, 0x1800, list, 16);
    rig_ccw(&f->rig, GIVE, IDA, 5000, 0x1800);
    run(f, 0);
    expect(f, 0x0C, 0, 0, 0x1008);
    assert_int_equal(byte_at(f, 0x87FF), 255);
    assert_int_equal(byte_at(f, 0xA001), 1);
    assert_int_equal(byte_at(f, 0xB800 + 4999 - 4352), (4999 & 255));
    // Format 2: 8-byte words, 4K blocks; the second one in high storage is not there.
    be64_store(list, 0x8F00);
    be64_store(list + 8, UINT64_C(0x100000000));
    rig_put(&f->rig, 0x1800, list, 16);
    rig_ccw(&f->rig, GIVE, IDA, 5000, 0x1800);
    run(f, 0x20000);
    expect(f, 0x0C, 0x20, 5000 - 256, 0x1008);
    // Only 256 bytes wanted: the bad word is not used.
    f->puppet->give = 256;
    rig_ccw(&f->rig, GIVE, IDA | SLI, 5000, 0x1800);
    run(f, 0x20000);
    expect(f, 0x0C, 0, 5000 - 256, 0x1008);
    // Format 2 with 2K blocks; a later word must be aligned to its block.
    f->puppet->give = 5000;
    be64_store(list, 0x8F00);
    be64_store(list + 8, 0xA800);
    be64_store(list + 16, 0xC000);
    be64_store(list + 24, 0xD010);
    rig_put(&f->rig, 0x1800, list, 32);
    rig_ccw(&f->rig, GIVE, IDA, 5000, 0x1800);
    run(f, 0x30000);
    expect(f, 0x0C, 0x20, 5000 - 256 - 4096, 0x1008);
    assert_int_equal(byte_at(f, 0xC7FF), 255);
}

static void modified_indirect_addresses(void **state)
{
    struct fixture *f = *state;
    uint8_t list[48] = {0};
    list[7] = 4; // 4 bytes at 8001
    be64_store(list + 8, 0x8001);
    list[16 + 5] = 0x40; // skips 2
    list[16 + 7] = 2;
    be64_store(list + 24, 0x9000);
    list[32 + 5] = 0x80; // last: 4 at 9100
    list[32 + 7] = 4;
    be64_store(list + 40, 0x9100);
    rig_put(&f->rig, 0x1800, list, 48);
    rig_ccw(&f->rig, GIVE, MIDA, 10, 0x1800);
    run(f, 0x40);
    expect(f, 0x0C, 0, 0, 0x1008);
    assert_int_equal(byte_at(f, 0x8004), 3);
    assert_int_equal(byte_at(f, 0x9001), 0);
    assert_int_equal(byte_at(f, 0x9103), 9);
    // The list ends too early, crosses a page, has reserved bits.
    list[16 + 5] = 0x80;
    rig_put(&f->rig, 0x1800, list, 48);
    rig_ccw(&f->rig, GIVE, MIDA, 10, 0x1800);
    run(f, 0x40);
    expect(f, 0x0C, 0x20, 6, 0x1008);
    be64_store(list + 8, 0x8FFE);
    rig_put(&f->rig, 0x1800, list, 48);
    rig_ccw(&f->rig, GIVE, MIDA, 10, 0x1800);
    run(f, 0x40);
    assert_int_equal(f->irb.channel, 0x20);
    assert_int_equal(f->irb.residual, 10);
}

static void endless_loop_lets_others_run(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, 0x03, CC, 0, 0);
    rig_ccw(&f->rig, 0x08, 0, 0, 0x1000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_false(rig_settle(&f->rig, 20));
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    assert_int_equal(css_halt(f->rig.css, f->sid), 0);
    assert_true(rig_settle(&f->rig, 1));
}

static void time_passes(void **state)
{
    struct fixture *f = *state;
    rig_ccw(&f->rig, SLOW, CC, 10, 0x2000);
    rig_ccw(&f->rig, SLOW, 0, 10, 0x3000);
    assert_int_equal(rig_start(&f->rig, f->sid, 0x1000, 0), 0);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 1);
    assert_int_equal(byte_at(f, 0x2001), 0); // data come with the end of the command
    tod_t start = clock_now(&f->rig.clock);
    clock_set(&f->rig.clock, start + TOD_MILLISECOND);
    events_fire(&f->rig.events, clock_now(&f->rig.clock));
    assert_int_equal(byte_at(f, 0x2001), 1);
    assert_int_equal(byte_at(f, 0x3001), 0);
    assert_int_equal(f->rig.interruptions, 0);
    assert_true(rig_settle(&f->rig, 5));
    assert_int_equal(f->rig.interruptions, 1);
    assert_int_equal(clock_now(&f->rig.clock) - start, 2 * TOD_MILLISECOND);
    assert_int_equal(rig_test(&f->rig, f->sid, &f->irb), 0);
    assert_int_equal(f->puppet->dev.connect, 2 * TOD_MILLISECOND);
    assert_int_equal(f->puppet->dev.bytes, 20);
    assert_int_equal(f->puppet->dev.starts, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(lengths),
        TEST(command_chaining_and_tic),
        TEST(program_checks),
        TEST(protection),
        TEST(data_chaining),
        TEST(indirect_addresses),
        TEST(modified_indirect_addresses),
        TEST(endless_loop_lets_others_run),
        TEST(time_passes),
    };
    return cmocka_run_group_tests_name("channel_program", tests, NULL, NULL);
}
