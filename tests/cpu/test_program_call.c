// SPDX-License-Identifier: MIT
// PROGRAM CALL, PROGRAM RETURN from it, PROGRAM TRANSFER, SET SECONDARY ASN and LOAD ADDRESS SPACE
// PARAMETERS: tables, authority, space switches, ASN-and-LX reuse.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/spaces.h"

#define G     0x40000000u // 64-bit
#define T     0x80000000u // stacking
#define REUSE UINT64_C(0x80000)

static void put_basic(struct bare *bare, uint16_t asn)
{
    const uint32_t words[8] = {0, PROGRAM, 0x80000000u | asn, 0x0F000000, G, ASTE_42, 0x11, 0x22};
    spaces_entry(bare, 0, words);
}

static void put_stacking(struct bare *bare, uint16_t asn, uint32_t options)
{
    const uint32_t words[8] = {
        0, PROGRAM, 0x80000000u | asn, 0x0F000000, T | G | options, ASTE_42, 0x11, 0x22};
    spaces_entry(bare, 1, words);
}

static void test_basic(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 0000");
    struct cpu *cpu = bare->cpu;
    put_basic(bare, 0);
    cpu->cr[3] = 0xF0000099;
    cpu->cr[7] = 0;
    assert_true(rig_good(bare));
    assert_int_equal(cpu->gr[14], CODE + 4);
    assert_int_equal(cpu->gr[3] & 0xFFFFFFFF, 0xF0000041);
    assert_int_equal(cpu->gr[4], UINT64_C(0x1100000022));
    assert_int_equal(cpu->cr[3], 0xFF000041); // key mask grown; secondary is primary
    assert_int_equal(cpu->cr[7], ASCE_41);
    assert_int_equal(cpu->cr[1], ASCE_41);
    bare_free(bare);
}

static void test_basic_switch(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 0000");
    put_basic(bare, 0x42);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[1], ASCE_42);
    assert_int_equal(bare->cpu->cr[4], 0x00050042);
    assert_int_equal(bare->cpu->cr[5], ASTE_42);
    assert_int_equal(bare->cpu->cr[7], ASCE_41);
    assert_int_equal(bare->cpu->cr[3], 0xFF000041);
    bare_free(bare);
}

// A call into the other space with every option, and the way back.
static void test_stacking(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 0001 A709 0007");
    struct cpu *cpu = bare->cpu;
    put_stacking(bare, 0x42, 0x1F900777);                         // K M E C S, key 9, EEAX 777
    rig_hex(bare, PROGRAM, "B249 0055 A719 0001 B98D 00AB 0101"); // EREG 5,5; EPSW 10,11; PR
    cpu->gr[5] = 55;
    cpu->gr[10] = 10;
    assert_true(rig_good(bare));
    assert_int_equal(cpu->gr[0], 7);
    assert_int_equal(cpu->gr[10], 10); // restored
    assert_int_equal(cpu->cr[1], ASCE_41);
    assert_int_equal(cpu->cr[3], 0xF0000041);
    assert_int_equal(cpu->cr[4], 0x00050041);
    assert_int_equal(cpu->cr[5], ASTE_41);
    assert_int_equal(cpu->cr[8], 0x00050000);
    // The entry: target is called-space identification (ASN, sequence) and number, 64-bit result.
    assert_int_equal(bare_get64(bare, STACK + 16 + 144), UINT64_C(0x0042004280000001));
    assert_int_equal(bare_get64(bare, STACK + 16 + 288) >> 56, 0x0D);
    bare_free(bare);
    bare = spaces_new("B218 0001");
    put_stacking(bare, 0x42, 0x1F900777);
    rig_hex(bare, PROGRAM, "4700 0000 B2B2 0E00");
    bare->cpu->psw.key = 0;
    bare_put64(bare, 0xE00, UINT64_C(0x0002000180000000));
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[3], 0x0F000042);
    assert_int_equal(bare->cpu->cr[8], 0x07770000);
    assert_int_equal(bare->cpu->cr[7], ASCE_42);
    assert_int_equal(bare->cpu->gr[4], UINT64_C(0x1100000022));
    bare_free(bare);
}

static void test_space_switch_event(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 0001");
    put_stacking(bare, 0x42, 0);
    bare_put64(bare, ASTE_42 + 8, ASCE_42 | 0x40);
    assert_int_equal(rig_fault(bare), 0x1C);
    assert_int_equal(bare_get64(bare, 0xA8), 0x41);
    assert_int_equal(bare_get64(bare, 0x158), PROGRAM); // completed
    assert_int_equal(rig_ilc(bare), 4);
    bare_free(bare);
    bare = spaces_new("B218 0001");
    put_stacking(bare, 0x42, 0);
    bare->cpu->cr[1] |= 0x40;
    assert_int_equal(rig_fault(bare), 0x1C);
    assert_int_equal(bare_get64(bare, 0xA8), 0x80000041);
    bare_free(bare);
}

static void expect(const char *code, void (*change)(struct bare *bare), unsigned fault,
                   uint64_t teid)
{
    struct bare *bare = spaces_new(code);
    put_basic(bare, 0);
    put_stacking(bare, 0x42, 0);
    change(bare);
    assert_int_equal(rig_fault(bare), fault);
    if (teid)
        assert_int_equal(bare_get64(bare, 0xA8), teid);
    bool nullified = fault == 0x20 || fault == 0x21 || (fault >= 0x22 && fault <= 0x2F);
    assert_int_equal(bare_get64(bare, 0x158), nullified ? CODE : CODE + 4);
    bare_free(bare);
}

static void nothing(struct bare *bare)
{
    (void)bare;
}

static void linkage_off(struct bare *bare)
{
    bare_put32(bare, ASTE_41 + 24, LINKAGE);
}

static void linkage_invalid(struct bare *bare)
{
    bare_put32(bare, LINKAGE, 0x80000000u);
}

static void no_authority(struct bare *bare)
{
    bare->cpu->psw.problem = true;
    bare_put32(bare, ENTRIES + 8, 0x01000000);
}

static void ar_mode(struct bare *bare)
{
    bare->cpu->psw.as = 1;
}

static void no_translation(struct bare *bare)
{
    bare->cpu->cr[14] = 0;
}

static void space_invalid(struct bare *bare)
{
    bare_put32(bare, ASTE_42, 0x80000000u);
}

static void to_24(struct bare *bare)
{
    bare_put32(bare, ENTRIES + 32 + 16, T);
    bare_put32(bare, ENTRIES + 32 + 4, 0x01000000);
}

static void to_31(struct bare *bare)
{
    bare_put32(bare, ENTRIES + 16, 0);
}

static void test_call_exceptions(void **state)
{
    (void)state;
    expect("B218 0000", linkage_off, 0x13, 0);
    expect("B218 0000", linkage_invalid, 0x22, 0);
    expect("B218 0045", linkage_invalid, 0x22, 0x045);
    expect("B218 0008", nothing, 0x23, 0x008); // beyond the entry table
    expect("B218 0000", no_authority, 0x02, 0);
    expect("B218 0000", ar_mode, 0x13, 0);
    expect("B218 0001", no_translation, 0x13, 0);
    expect("B218 0001", space_invalid, 0x21, 0x42);
    expect("B218 0001", to_24, 0x1F, 0);
    expect("B218 0000", to_31, 0x13, 0); // basic does not change to and from 64
}

// --- PROGRAM TRANSFER, SET SECONDARY ASN --------------------------------------------------

static void transfer_other(struct bare *bare)
{
    bare->cpu->gr[1] = 0xC0000042;
    bare->cpu->gr[2] = PROGRAM;
}

static void test_transfer(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B228 0012");
    transfer_other(bare);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[1], ASCE_42);
    assert_int_equal(bare->cpu->cr[7], ASCE_42);
    assert_int_equal(bare->cpu->cr[3], 0xC0000042);
    assert_int_equal(bare->cpu->cr[4], 0x00050042);
    assert_int_equal(bare->cpu->cr[5], ASTE_42);
    bare_free(bare);
    bare = spaces_new("B228 0012"); // to the current primary, problem state: LPSWE is refused there
    bare->cpu->gr[1] = 0xFFFF0041;
    bare->cpu->gr[2] = PROGRAM + 1;
    assert_int_equal(rig_fault(bare), 0x02);
    assert_int_equal(bare_get64(bare, 0x158), PROGRAM + 4);
    assert_int_equal(bare->cpu->cr[3], 0xF0000041);
    bare_free(bare);
}

static void primary_refused(struct bare *bare)
{
    uint8_t secondary_only = 0x10;
    bare_put(bare, AUTHORITY + 1, &secondary_only, 1);
    transfer_other(bare);
}

static void index_too_high(struct bare *bare)
{
    bare->cpu->cr[4] = 0x00200041;
    transfer_other(bare);
}

static void first_invalid(struct bare *bare)
{
    bare_put32(bare, FIRST_TABLE + 4, 0x80000000u);
    transfer_other(bare);
}

static void secondary_refused(struct bare *bare)
{
    uint8_t primary_only = 0x20;
    bare_put(bare, AUTHORITY + 1, &primary_only, 1);
    transfer_other(bare);
}

static void to_supervisor(struct bare *bare)
{
    bare->cpu->psw.problem = true;
    transfer_other(bare);
}

static void reusable(struct bare *bare)
{
    bare->cpu->cr[0] |= REUSE;
    bare_put32(bare, ASTE_42 + 4, 5u << 16 | 1 << 4 | 1);
    transfer_other(bare);
}

static void test_transfer_exceptions(void **state)
{
    (void)state;
    expect("B228 0012", primary_refused, 0x24, 0x42);
    expect("B228 0012", index_too_high, 0x24, 0x42);
    expect("B228 0012", first_invalid, 0x20, 0x42);
    expect("B228 0012", to_supervisor, 0x02, 0);
    expect("B228 0012", reusable, 0x13, 0);
    expect("B225 0010", secondary_refused, 0x25, 0x42);
    expect("B225 0010", reusable, 0x13, 0);
    expect("B99E 0012", reusable, 0x2F, 0); // the instance is not 462
}

static void test_secondary(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B225 0010");
    bare->cpu->gr[1] = 0x42;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->cr[3], 0xF0000042);
    assert_int_equal(bare->cpu->cr[7], ASCE_42);
    bare_free(bare);
    bare = spaces_new("B99F 0010 B99B 0050 B99A 0060"); // SSAIR; ESAIR; EPAIR
    bare->cpu->gr[1] = UINT64_C(0x46200000042);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[5], UINT64_C(0x46200000042));
    assert_int_equal(bare->cpu->gr[6], 0x41);
    bare_free(bare);
}

// --- ASN-and-LX reuse -----------------------------------------------------------------------

// Number X'00182301': LFX1 1, bit 44, LFX2 1, LSX 3, EX 1.
static void test_reuse(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 1000");
    struct cpu *cpu = bare->cpu;
    put_stacking(bare, 0x42, 0);
    cpu->cr[0] |= REUSE;
    cpu->cr[4] = UINT64_C(0x45100050041);
    cpu->gr[1] = 0x00182301;
    bare_put32(bare, ASTE_41 + 24, 0x80000000u | 0xC000 | 1); // first table, LFX1 up to 1
    bare_put32(bare, 0xC000 + (1 << 6 | 1) * 4, 0xC800);
    bare_put64(bare, 0xC800 + 3 * 8, UINT64_C(0x6C0100001234));
    cpu->gr[15] = UINT64_C(0x123400000000);
    assert_true(rig_good(bare));
    assert_int_equal(cpu->cr[4], UINT64_C(0x46200050042));
    assert_int_equal(cpu->cr[3], UINT64_C(0x451FF000041));
    assert_int_equal(bare_get64(bare, STACK + 16 + 144), UINT64_C(0x0042046280082301));
    assert_int_equal(bare_get64(bare, STACK + 16 + 176), UINT64_C(0x0000000000000451));
    bare_free(bare);
}

static void reuse(struct bare *bare)
{
    bare->cpu->cr[0] |= REUSE;
    bare->cpu->gr[1] = 0x00182301;
    bare_put32(bare, ASTE_41 + 24, 0x80000000u | 0xC000 | 1);
    bare_put32(bare, 0xC000 + (1 << 6 | 1) * 4, 0xC800);
    bare_put64(bare, 0xC800 + 3 * 8, UINT64_C(0x6C0100001234));
}

static void reuse_short(struct bare *bare)
{
    reuse(bare);
    bare_put32(bare, ASTE_41 + 24, 0x80000000u | 0xC000);
}

static void reuse_invalid(struct bare *bare)
{
    reuse(bare);
    bare_put32(bare, 0xC800 + 3 * 8, 0x80000000u);
}

static void test_reuse_exceptions(void **state)
{
    (void)state;
    expect("B218 1000", reuse, 0x2E, 0x00182301); // sequence number
    expect("B218 1000", reuse_short, 0x26, 0x00182301);
    expect("B218 1000", reuse_invalid, 0x27, 0x00182301);
}

// --- LOAD ADDRESS SPACE PARAMETERS, TEST ACCESS -----------------------------------------------

static struct bare *load(uint64_t parameters, unsigned function, void (*change)(struct bare *bare))
{
    struct bare *bare = spaces_new("E500 0F00 1000 B222 0050");
    bare_put64(bare, 0xF00, parameters);
    change(bare);
    bare->cpu->gr[1] = function;
    assert_true(rig_good(bare));
    return bare;
}

static void test_load_parameters(void **state)
{
    (void)state;
    struct bare *bare = load(UINT64_C(0xABCD004200090042), 2, nothing);
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 0);
    assert_int_equal(bare->cpu->cr[1], ASCE_42);
    assert_int_equal(bare->cpu->cr[3], 0xABCD0042);
    assert_int_equal(bare->cpu->cr[4], 0x00090042);
    assert_int_equal(bare->cpu->cr[5], ASTE_42);
    assert_int_equal(bare->cpu->cr[7], ASCE_42);
    bare_free(bare);
    bare = load(UINT64_C(0xABCD004200090041), 0, nothing); // primary as it is, secondary looked up
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 0);
    assert_int_equal(bare->cpu->cr[1], ASCE_41);
    assert_int_equal(bare->cpu->cr[4], 0x00050041); // AX stays
    assert_int_equal(bare->cpu->cr[7], ASCE_42);
    bare_free(bare);
    bare = load(UINT64_C(0xABCD004200090042), 0, space_invalid);
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 1);
    assert_int_equal(bare->cpu->cr[4], 0x00050041);
    bare_free(bare);
    bare = load(UINT64_C(0xABCD004200090041), 0, secondary_refused);
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 2);
    bare_free(bare);
    bare = load(UINT64_C(0xABCD004200090041), 1, secondary_refused); // without authorization
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 0);
    bare_free(bare);
}

static void test_access(void **state)
{
    (void)state;
    static const struct {
        uint32_t alet, ale;
        unsigned cc;
    } cases[] = {
        {0, 0, 0},
        {1, 0, 3},
        {0x00050001, 0x00050000, 1},
        {0x01050001, 0x00050000, 2},
        {0x00060001, 0x00050000, 3},
        {0x00050001, 0x80050000, 3},
        {0x02050001, 0x00050000, 3},
        {0x00050008, 0x00050000, 3},
        {0x00050001, 0x01050005, 1},
        {0x00050001, 0x01050007, 1}, // another index, but the authority table lets it in
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = spaces_new("B24C 0012 B222 0050");
        bare_put32(bare, DUCT + 16, ACCESSES);
        bare_put32(bare, ACCESSES + 16, cases[i].ale);
        bare_put32(bare, ACCESSES + 24, ASTE_42);
        bare_put32(bare, ACCESSES + 28, 0x42);
        bare->cpu->ar[1] = cases[i].alet;
        bare->cpu->gr[2] = 0x00050000;
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[5] >> 28 & 3, cases[i].cc);
        bare_free(bare);
    }
}

// ASN tracing: what each makes of the call, the return and the changes of space.
static void test_traces(void **state)
{
    (void)state;
    struct bare *bare = spaces_new("B218 0001 A709 0007");
    put_stacking(bare, 0x42, 0);
    rig_hex(bare, PROGRAM, "0101");
    bare->cpu->cr[12] = TRACES | 2;
    bare->cpu->psw.key = 0;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get32(bare, TRACES), 0x22000001); // PC from 64-bit mode
    assert_int_equal(bare_get64(bare, TRACES + 4), CODE + 4);
    assert_int_equal(bare_get32(bare, TRACES + 12), 0x320A0041); // PR, both addresses short
    assert_int_equal(bare_get64(bare, TRACES + 16), UINT64_C(0x0000200400003002));
    assert_int_equal(bare->cpu->cr[12], (TRACES + 24) | 2);
    bare_free(bare);
    bare = spaces_new("B225 0010 B99F 0030 B228 0012");
    transfer_other(bare);
    bare->cpu->gr[3] = UINT64_C(0x46200000042);
    bare->cpu->cr[12] = TRACES | 2;
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, TRACES), UINT64_C(0x1000004210010042));
    assert_int_equal(bare_get64(bare, TRACES + 8), UINT64_C(0x3108004200003000));
    bare_free(bare);
    bare = spaces_new("B218 0000"); // refused after its entry was made: CR12 stays
    put_basic(bare, 0x42);
    bare_put32(bare, ASTE_42, 0x80000000u);
    bare->cpu->cr[12] = TRACES | 2;
    assert_int_equal(rig_fault(bare), 0x21);
    assert_int_equal(bare->cpu->cr[12], TRACES | 2);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_basic),
        cmocka_unit_test(test_basic_switch),
        cmocka_unit_test(test_stacking),
        cmocka_unit_test(test_space_switch_event),
        cmocka_unit_test(test_call_exceptions),
        cmocka_unit_test(test_transfer),
        cmocka_unit_test(test_transfer_exceptions),
        cmocka_unit_test(test_secondary),
        cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_reuse_exceptions),
        cmocka_unit_test(test_load_parameters),
        cmocka_unit_test(test_access),
        cmocka_unit_test(test_traces),
    };
    return cmocka_run_group_tests_name("program call", tests, NULL, NULL);
}
