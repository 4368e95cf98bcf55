// SPDX-License-Identifier: MIT
// SERVICE CALL commands on control blocks in storage, and the service signal.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/ebcdic.h"
#include "machine/bare.h"

#define SCCB 0x20000u

static struct bare bare;
static uint8_t sccb[4096];

static int setup(void **state)
{
    (void)state;
    bare_open(&bare, 16, 3);
    memset(sccb, 0, sizeof sccb);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    bare_close(&bare);
    return 0;
}

static bool take(struct external_interruption *x)
{
    return machine_take_external(bare.machine, bare.machine->cpu[0], 0x200, x);
}

// Issues the command on `sccb`, takes the signal, reads the block back; the response code.
static unsigned call(uint32_t command)
{
    struct external_interruption x;

    assert_true(storage_write(bare.machine->storage, SCCB, sccb, sizeof sccb));
    assert_int_equal(machine_service_call(bare.machine, bare.machine->cpu[0], command, SCCB), 0);
    assert_true(take(&x));
    assert_int_equal(x.code, 0x2401);
    assert_int_equal(x.parameter & ~7u, SCCB);
    assert_true(storage_read(bare.machine->storage, SCCB, sccb, sizeof sccb));
    return be16_load(sccb + 6);
}

static void test_scp_info(void **state)
{
    (void)state;
    ebcdic_field(bare.machine->loadparm, 8, "2");
    be16_store(sccb, 4096);
    assert_int_equal(call(0x00120001), 0x0010);
    assert_int_equal(be16_load(sccb + 8), 16); // increments
    assert_int_equal(sccb[10], 1);             // of 1 MiB
    assert_int_equal(be16_load(sccb + 16), 3); // CPUs
    unsigned at = be16_load(sccb + 18);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(sccb[at + 16 * i], i);
    assert_memory_equal(sccb + 24, bare.machine->loadparm, 8);
    assert_int_equal(sccb[80] & 0x20, 0x20); // suppression on protection
    assert_int_equal(sccb[85] & 0x02, 0x02); // the enhanced one
    assert_int_equal(be16_load(sccb + 120), 2); // highest CPU address
}

static void test_cpu_info(void **state)
{
    (void)state;
    machine_remove_cpu(bare.machine, 1);
    be16_store(sccb, 24 + 2 * 16 - 1);
    assert_int_equal(call(0x00010001), 0x0300);
    be16_store(sccb, 4096);
    assert_int_equal(call(0x00010001), 0x0010);
    assert_int_equal(be16_load(sccb + 8), 2);
    assert_int_equal(sccb[be16_load(sccb + 10) + 16], 2);
}

static void test_bad_blocks(void **state)
{
    static const struct {
        unsigned length;
        uint32_t command;
        unsigned response;
    } rows[] = {
        {4096, 0x00990001, 0x01F0},   // unknown command
        {64, 0x00020001, 0x0300},     // too short for the answer
        {0x2000, 0x00020001, 0x0100}, // crosses a page
        {12, 0x00780005, 0x74F0},     // no masks
        {8, 0x00760005, 0x72F0},      // no event buffer
        {4096, 0x00770005, 0x60F0},   // nothing to read
    };

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        memset(sccb, 0, sizeof sccb);
        be16_store(sccb, (uint16_t)rows[i].length);
        assert_int_equal(call(rows[i].command), rows[i].response);
    }
}

// The signal waits until it is allowed, and until it was taken the next command must wait.
static void test_signal(void **state)
{
    struct external_interruption x;
    struct cpu *cpu = bare.machine->cpu[0];

    (void)state;
    be16_store(sccb, 4096);
    assert_true(storage_write(bare.machine->storage, SCCB, sccb, sizeof sccb));
    assert_int_equal(machine_service_call(bare.machine, cpu, 0x00020001, SCCB), 0);
    assert_false(machine_take_external(bare.machine, cpu, ~0x200u, &x));
    assert_int_equal(machine_service_call(bare.machine, cpu, 0x00020001, SCCB), 2);
    assert_true(take(&x));
    assert_int_equal(machine_service_call(bare.machine, cpu, 0x00020001, SCCB), 0);
    assert_true(take(&x));
    assert_false(take(&x));
}

static void set_masks(uint64_t receive, uint64_t send)
{
    memset(sccb, 0, sizeof sccb);
    be16_store(sccb, 12 + 4 * 8);
    be16_store(sccb + 10, 8);
    be64_store(sccb + 12, receive);
    be64_store(sccb + 20, send);
    assert_int_equal(call(0x00780005), 0x0020);
}

#define MASK(type) (UINT64_C(1) << (64 - (type)))

static void test_event_mask(void **state)
{
    (void)state;
    set_masks(MASK(0x01), MASK(0x02) | MASK(0x1A));
    uint64_t we_receive = be64_load(sccb + 28), we_send = be64_load(sccb + 36);
    assert_true(we_receive & MASK(0x02));
    assert_true(we_receive & MASK(0x1A));
    assert_true(we_send & MASK(0x01));
    // Masks of four bytes hold the same.
    memset(sccb, 0, sizeof sccb);
    be16_store(sccb, 12 + 4 * 4);
    be16_store(sccb + 10, 4);
    assert_int_equal(call(0x00780005), 0x0020);
    assert_int_equal(be32_load(sccb + 20), we_receive >> 32);
}

static unsigned add_line(unsigned at, const char *text)
{
    be16_store(sccb + at, (uint16_t)(10 + strlen(text)));
    be16_store(sccb + at + 2, 4);
    be16_store(sccb + at + 4, 0x1000);
    ebcdic_from_utf8(codepage_default(), text, sccb + at + 10, strlen(text));
    return at + 10 + (unsigned)strlen(text);
}

static void test_message(void **state)
{
    (void)state;
    unsigned at = 8 + 6 + 12; // SCCB, event buffer and MDB headers
    be16_store(sccb + at, 56);
    be16_store(sccb + at + 2, 1); // general object
    at = add_line(add_line(at + 56, "Hello, operator"), "second line");
    be16_store(sccb, (uint16_t)at);
    be16_store(sccb + 8, (uint16_t)(at - 8));
    sccb[8 + 2] = 0x02;
    be16_store(sccb + 14, (uint16_t)(at - 14));
    assert_int_equal(call(0x00760005), 0x0020);
    assert_int_equal(sccb[8 + 3], 0x80); // processed
    assert_string_equal(text_get(&bare.messages), "Hello, operator\nsecond line\n");
}

static void test_message_damaged(void **state)
{
    (void)state;
    be16_store(sccb, 8 + 6 + 12 + 8);
    be16_store(sccb + 8, 6 + 12 + 8);
    sccb[8 + 2] = 0x02;
    be16_store(sccb + 26, 9); // an object longer than the rest
    assert_int_equal(call(0x00760005), 0x73F0);
    assert_int_equal(sccb[8 + 3], 0);
    assert_string_equal(text_get(&bare.messages), "");
}

static void test_ascii(void **state)
{
    static const char text[] = "one\r\ntwo\nrest";

    (void)state;
    be16_store(sccb, 8 + 6 + sizeof text - 1);
    be16_store(sccb + 8, 6 + sizeof text - 1);
    sccb[8 + 2] = 0x1A;
    memcpy(sccb + 14, text, sizeof text - 1);
    assert_int_equal(call(0x00760005), 0x0020);
    assert_string_equal(text_get(&bare.messages), "one\ntwo\n");
}

// An owner without an ASCII console: it is not offered, and refused.
static void test_no_ascii(void **state)
{
    (void)state;
    bare.machine->owner.ascii = NULL;
    set_masks(MASK(0x01) | MASK(0x1A), MASK(0x1A));
    assert_false(be64_load(sccb + 28) & MASK(0x1A));
    assert_false(be64_load(sccb + 36) & MASK(0x1A));
    memset(sccb, 0, sizeof sccb);
    be16_store(sccb, 8 + 6 + 2);
    be16_store(sccb + 8, 6 + 2);
    sccb[10] = 0x1A;
    assert_int_equal(call(0x00760005), 0x40F0);
    assert_int_equal(sccb[11], 0);
}

// Event types that no mask has a bit for.
static void test_odd_types(void **state)
{
    static const uint8_t types[] = {0, 65, 255};

    (void)state;
    for (unsigned i = 0; i < sizeof types; i++) {
        memset(sccb, 0, sizeof sccb);
        be16_store(sccb, 8 + 6);
        be16_store(sccb + 8, 6);
        sccb[10] = types[i];
        assert_int_equal(call(0x00760005), 0x40F0);
    }
}

static void test_operator_command(void **state)
{
    struct external_interruption x;
    char text[16] = "";

    (void)state;
    assert_false(machine_operator_command(bare.machine, "lost")); // the guest does not listen
    set_masks(MASK(0x01), 0);
    assert_false(machine_signal_quiesce(bare.machine));
    assert_true(machine_operator_command(bare.machine, "ls -l"));
    assert_true(take(&x));
    assert_int_equal(x.parameter, 1); // events, and no block
    memset(sccb, 0, sizeof sccb);
    be16_store(sccb, 4096);
    sccb[5] = 0x80;
    assert_int_equal(call(0x00770005), 0x0020);
    assert_int_equal(be16_load(sccb), 8 + 6 + 16 + 5);
    assert_int_equal(sccb[10], 0x01);
    assert_int_equal(be16_load(sccb + 14 + 2), 0x1310);
    ebcdic_to_utf8(codepage_default(), sccb + 14 + 16, 5, text, sizeof text);
    assert_string_equal(text, "ls -l");
    be16_store(sccb, 4096);
    assert_int_equal(call(0x00770005), 0x60F0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_scp_info),   TEST(test_cpu_info),  TEST(test_bad_blocks),       TEST(test_signal),
        TEST(test_event_mask), TEST(test_message),   TEST(test_message_damaged),  TEST(test_ascii),
        TEST(test_no_ascii),   TEST(test_odd_types), TEST(test_operator_command),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
