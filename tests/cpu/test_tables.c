// SPDX-License-Identifier: MIT
// Translation tables and storage keys: COMPARE AND REPLACE DAT TABLE ENTRY, LOAD PAGE-TABLE-ENTRY
// ADDRESS, the condition codes of LOAD REAL ADDRESS, reference bits of many frames, region frames,
// key-controlled protection with its overrides.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

static unsigned condition(const struct bare *bare, unsigned r)
{
    return bare->cpu->gr[r] >> 28 & 3;
}

static void test_replace_entry(void **state)
{
    (void)state;
    // L 1,0(3); CRDTE 4,6,0; IPM 10; L 2,0(3): the page's old and new frame.
    struct bare *bare = rig_new("5810 3000 B98F 0046 B222 00A0 5820 3000");
    rig_dat(bare);
    bare->cpu->gr[3] = 0xD000;
    bare->cpu->gr[4] = 0xD000;
    bare->cpu->gr[5] = 0xE000;
    bare->cpu->gr[6] = 0x110000; // page table
    bare->cpu->gr[7] = 0xD123;
    bare_put32(bare, 0xD000, 0xD);
    bare_put32(bare, 0xE000, 0xE);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0xD);
    assert_int_equal(bare->cpu->gr[2], 0xE);
    assert_int_equal(condition(bare, 10), 0);
    assert_int_equal(bare_get64(bare, rig_pte(0xD000)), 0xE000);
    bare_free(bare);
    bare = rig_new("B98F 0046 B222 00A0"); // unequal
    bare->cpu->gr[4] = 0xC000;
    bare->cpu->gr[6] = 0x110000;
    bare->cpu->gr[7] = 0xD123;
    bare_put64(bare, rig_pte(0xD000), 0xD000);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[4], 0xD000);
    assert_int_equal(condition(bare, 10), 1);
    bare_free(bare);
    bare = rig_new("B98F 0046"); // a segment-table entry
    bare->cpu->gr[4] = 0x20;
    bare->cpu->gr[5] = 0x118000;
    bare->cpu->gr[6] = 0x100010;
    bare->cpu->gr[7] = 0x300000;
    bare_put64(bare, 0x100018, 0x20);
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0x100018), 0x118000);
    bare_free(bare);
    static const struct {
        const char *code;
        uint64_t type;
    } bad[] = {{"B98F 0056", 0}, {"B98F 0047", 0}, {"B98F 0046", 4}, {"B98F 0046", 0xC}};
    for (unsigned i = 0; i < 4; i++) {
        bare = rig_new(bad[i].code);
        bare->cpu->gr[6] = bad[i].type;
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
}

static void test_page_entry_address(void **state)
{
    (void)state;
    static const struct {
        uint64_t address, segment; // segment entry 1, or 0 for what is there
        uint64_t value;
        unsigned cc;
    } cases[] = {
        {0x10D123, 0, 0x110868, 0},
        {0x10D123, 0x110A00, 0x110868, 1},  // protected by the segment
        {0x10D123, 0x110820, 0x100008, 2},  // invalid
        {UINT64_C(0x80000000), 0, 0x38, 3}, // beyond what the ASCE covers
        {0x20000000, 0, 0x10, 3},           // beyond the segment table
        {0x10D123, 0x110804, 0, 0},         // wrong type of entry: an exception
    };
    for (unsigned i = 0; i < 6; i++) {
        struct bare *bare = rig_new("B9AA 0012 B222 0050"); // M4 0: primary
        rig_dat(bare);
        bare->cpu->gr[2] = cases[i].address;
        if (cases[i].segment)
            bare_put64(bare, 0x100008, cases[i].segment);
        bare->cpu->psw.dat = false;
        if (i == 5) {
            assert_int_equal(rig_fault(bare), 0x12);
        } else {
            assert_true(rig_good(bare));
            assert_int_equal(bare->cpu->gr[1], cases[i].value);
            assert_int_equal(condition(bare, 5), cases[i].cc);
        }
        bare_free(bare);
    }
}

static void test_real_address(void **state)
{
    (void)state;
    static const struct {
        uint64_t address, value;
        unsigned cc;
    } cases[] = {
        {0x10D123, 0x10D123, 0},
        {0x400000, 0x100020, 1},                       // segment entry invalid
        {0x20000000, UINT64_C(0xFFFFFFFF80000010), 3}, // outside the table
        {UINT64_C(0x80000000), UINT64_C(0xFFFFFFFF80000038), 3},
        {0x10E000, 0x110870, 2},
    };
    for (unsigned i = 0; i < 5; i++) {
        struct bare *bare = rig_new("B110 2000 B222 0050");
        rig_dat(bare);
        bare_put64(bare, rig_pte(0x10E000), 0x400);
        bare->cpu->gr[1] = UINT64_MAX;
        bare->cpu->gr[2] = cases[i].address;
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[1], cases[i].value);
        assert_int_equal(condition(bare, 5), cases[i].cc);
        bare_free(bare);
    }
    // In access-register mode what the ALET leads to counts, and its exceptions are cc 3.
    struct bare *bare = rig_new("B110 2000 B222 0050");
    rig_dat(bare);
    bare->cpu->psw.as = 1;
    bare->cpu->ar[2] = 0x02000000;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 0x80000028);
    assert_int_equal(condition(bare, 5), 3);
    bare_free(bare);
}

static void test_reference_bits(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B9AC 0012 B9AE 0032 B9AC 0042");
    for (unsigned i = 0; i < 64; i++)
        storage_set_key(bare->storage, 0x200000 + i * 4096, i % 3 == 0 ? 0x14 : 0x12);
    bare->cpu->gr[2] = 0x23F123;
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], UINT64_C(0x9249249249249249));
    assert_int_equal(bare->cpu->gr[3], UINT64_C(0x9249249249249249));
    assert_int_equal(bare->cpu->gr[4], 0);
    assert_int_equal(storage_key(bare->storage, 0x200000), 0x10);
    assert_int_equal(storage_key(bare->storage, 0x201000), 0x12);
    bare_free(bare);
}

static void test_region_frame(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000");
    bare_put64(bare, 0x120000, 0x404); // region third: a frame at 0
    bare->cpu->cr[1] = 0x120000 | 0x4; // designates it, one entry of the first quarter
    bare->cpu->cr[0] |= 0x800000;
    bare->cpu->psw.dat = true;
    bare->cpu->gr[2] = 0x200000;
    bare_put32(bare, 0x200000, 77);
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 77);
    bare_free(bare);
    bare = rig_new("5010 2000");
    bare_put64(bare, 0x120000, 0x604); // protected
    bare->cpu->cr[1] = 0x120000 | 0x4;
    bare->cpu->cr[0] |= 0x800000;
    bare->cpu->psw.dat = true;
    bare->cpu->gr[2] = 0x200000;
    assert_int_equal(rig_fault(bare), 4);
    assert_int_equal(bare_get64(bare, 0xA8), 0x200404); // a store, by DAT
    bare_free(bare);
}

// A frame's address is absolute: no prefixing. LOAD REAL ADDRESS gives the real one.
static void test_region_frame_prefix(void **state)
{
    (void)state;
    struct bare *bare = rig_new("5810 2000 B903 0033 E330 2000 0003");
    bare_put64(bare, 0x120000, 0x404);
    bare->cpu->cr[1] = 0x120000 | 0x4;
    bare->cpu->cr[0] |= 0x800000;
    bare->cpu->psw.dat = true;
    bare->cpu->prefix = 0x8000;
    bare->cpu->gr[2] = 0x8F00;
    bare_put32(bare, 0x8F00, 77);
    uint8_t psw[16];
    assert_true(storage_read(bare->storage, 0xE00, psw, 16));
    assert_true(storage_write(bare->storage, 0x8E00, psw, 16));
    assert_true(rig_good(bare));
    assert_int_equal(bare->cpu->gr[1], 77);
    assert_int_equal(bare->cpu->gr[3], 0xF00);
    bare_free(bare);
}

// Keys: storage key, access key 3, override controls; 0 allowed, else the exception.
static void test_protection(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        uint8_t key;
        uint64_t controls, address;
        unsigned fault;
    } cases[] = {
        {"5810 2000", 0x40, 0, 0x200000, 0},          {"5010 2000", 0x40, 0, 0x200000, 4},
        {"5810 2000", 0x48, 0, 0x200000, 4},          {"5810 2000", 0x38, 0, 0x200000, 0},
        {"5010 2000", 0x38, 0, 0x200000, 0},          {"5010 2000", 0x90, 0x01000000, 0x200000, 0},
        {"5010 2000", 0x98, 0x01000000, 0x200000, 0}, {"5810 2000", 0x98, 0x01000000, 0x200000, 0},
        {"5010 2000", 0x90, 0, 0x200000, 4},          {"5010 2000", 0xA0, 0x01000000, 0x200000, 4},
        {"5810 2000", 0x48, 0x02000000, 0x7FC, 0},    {"5010 2000", 0x48, 0x02000000, 0x7FC, 4},
        {"5810 2000", 0x48, 0x02000000, 0x800, 4},    {"5010 2000", 0x30, 0x10000000, 0x1FC, 4},
        {"5010 2000", 0x30, 0x10000000, 0x200, 0},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = rig_new(cases[i].code);
        bare->cpu->psw.key = 3;
        bare->cpu->cr[0] |= cases[i].controls;
        bare->cpu->gr[2] = cases[i].address;
        storage_set_key(bare->storage, cases[i].address, cases[i].key);
        // The final LPSWE has its PSW in the page at 0, beyond what the override opens.
        bool closed = cases[i].key & 8 && cases[i].address < 0x1000;
        assert_int_equal(rig_fault(bare), closed ? 4 : cases[i].fault);
        if (closed)
            assert_int_equal(bare_get64(bare, 0x158), CODE + (cases[i].fault ? 4 : 8));
        if (cases[i].fault && cases[i].code[1] == '0') // stored: the identification says so
            assert_int_equal(bare_get64(bare, 0xA8) & 0xC00, 0x400);
        else if (cases[i].fault)
            assert_int_equal(bare_get64(bare, 0xA8) & 0xC00, 0x800);
        bare_free(bare);
    }
}

// IDTE: bits 44-51 of R2 must be zero; further entries wrap within the table.
static void test_invalidate_entries(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B98E 3012");
    bare->cpu->gr[2] = 0x1000;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    bare = rig_new("B98E 3012");
    bare->cpu->gr[1] = 0x120000;
    bare->cpu->gr[2] = UINT64_C(0x7FF00001); // index 7FF, one more
    assert_true(rig_good(bare));
    assert_int_equal(bare_get64(bare, 0x123FF8), 0x20);
    assert_int_equal(bare_get64(bare, 0x120000), 0x20);
    assert_int_equal(bare_get64(bare, 0x120008), 0);
    bare_free(bare);
}

// ESSA: only where a hypervisor takes notice; the state before comes back.
static void test_usage(void **state)
{
    (void)state;
    struct cpu_host host;
    struct bare *bare = rig_new("B9AB 2012");
    assert_int_equal(rig_fault(bare), 1);
    host = *bare->cpu->host;
    host.memory_assist = true;
    bare_free(bare);
    bare = rig_new("B9AB 2012 B9AB 3032 B9AB 4042 B9AB 0052 B9AB 1062 B9AB 0072");
    bare->cpu->host = &host;
    bare->cpu->gr[2] = 0x203000;
    assert_true(rig_good(bare));
    static const uint64_t before[] = {0, 4, 12, 8, 8, 0}; // into 1, 3, 4, 5, 6, 7
    for (unsigned i = 0; i < 6; i++)
        assert_int_equal(bare->cpu->gr[i ? i + 2 : 1], before[i]);
    bare_free(bare);
    static const struct {
        const char *code;
        bool problem;
        uint64_t address;
        unsigned fault;
    } bad[] = {{"B9AB 8012", false, 0x3000, 6},
               {"B9AB 0012", true, 0x3000, 2},
               {"B9AB 0012", false, 0x10000000, 5}};
    for (unsigned i = 0; i < 3; i++) {
        bare = rig_new(bad[i].code);
        bare->cpu->host = &host;
        bare->cpu->psw.problem = bad[i].problem;
        bare->cpu->gr[2] = bad[i].address;
        assert_int_equal(rig_fault(bare), bad[i].fault);
        bare_free(bare);
    }
}

// A machine of type 3906, partition 7 of it called TEST.
static int some_system(struct cpu *cpu, unsigned fc, unsigned s1, unsigned s2, uint8_t *block)
{
    (void)cpu;
    if (s1 != s2 || fc != s1)
        return 3;
    if (fc == 1) {
        memcpy(block + 48, "3906", 4);
    } else {
        be16_store(block + 32, 7);
        memcpy(block + 44, "TEST    ", 8);
    }
    return 0;
}

static void test_hypervisor_information(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B256 0024 B222 0010");
    struct cpu_host host = *bare->cpu->host;
    host.stsi = some_system;
    bare->cpu->host = &host;
    bare->cpu->gr[4] = 0x5000;
    bare->cpu->gr[5] = 99;
    assert_true(rig_good(bare));
    assert_int_equal(condition(bare, 1), 0);
    assert_int_equal(bare->cpu->gr[5], 0);
    assert_int_equal(bare_get64(bare, 0x5008), UINT64_C(0x0098003000300040));
    assert_int_equal(bare_get32(bare, 0x5030 + 20), 0x33393036); // the type
    assert_int_equal(bare_get32(bare, 0x5070), 0x00001000);      // partition: valid
    assert_int_equal(bare_get32(bare, 0x5074) >> 16, 7);
    assert_int_equal(bare_get32(bare, 0x5080), 0x54455354); // its name
    bare_free(bare);
    bare = rig_new("B256 0024 B222 0010"); // no such function
    bare->cpu->gr[2] = 42;
    assert_true(rig_good(bare));
    assert_int_equal(condition(bare, 1), 3);
    assert_int_equal(bare->cpu->gr[5], 4);
    bare_free(bare);
    static const char *const bad[] = {"B256 0022", "B256 0034", "B256 0023", "B256 0024"};
    for (unsigned i = 0; i < 4; i++) {
        bare = rig_new(bad[i]);
        bare->cpu->gr[4] = 0x5001;
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replace_entry),
        cmocka_unit_test(test_page_entry_address),
        cmocka_unit_test(test_real_address),
        cmocka_unit_test(test_reference_bits),
        cmocka_unit_test(test_region_frame),
        cmocka_unit_test(test_protection),
        cmocka_unit_test(test_invalidate_entries),
        cmocka_unit_test(test_region_frame_prefix),
        cmocka_unit_test(test_usage),
        cmocka_unit_test(test_hypervisor_information),
    };
    return cmocka_run_group_tests_name("tables and keys", tests, NULL, NULL);
}
