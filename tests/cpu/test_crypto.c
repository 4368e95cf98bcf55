// SPDX-License-Identifier: MIT
// The message-security assist against the answers that the standards give: FIPS 46-3, 113, 180-4,
// 197, SP 800-38A and 38D; queries, restarts after condition code 3, exceptions.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"

#define PARAMETERS 0x3000u
#define FROM       0x10000u
#define TO         0x40000u
#define COUNTERS   0x70000u

// R2 is the first operand, R4 and R5 the second, R6 the third.
static struct bare *start(const char *code, unsigned r0, const char *parameters, const char *from)
{
    char text[64];
    snprintf(text, sizeof text, "%s A714 FFFE B222 00F0", code); // again while cc 3
    struct bare *bare = rig_new(text);
    rig_hex(bare, PARAMETERS, parameters);
    rig_hex(bare, FROM, from);
    bare->cpu->gr[0] = r0;
    bare->cpu->gr[1] = PARAMETERS;
    bare->cpu->gr[2] = TO;
    bare->cpu->gr[4] = FROM;
    bare->cpu->gr[5] = strlen(from) / 2;
    bare->cpu->gr[6] = COUNTERS;
    rig_hex(bare, COUNTERS, "F0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFF00");
    return bare;
}

static void assert_storage(struct bare *bare, uint64_t at, const char *hex, unsigned i)
{
    uint8_t got[256], want[256];
    unsigned n = (unsigned)strlen(hex) / 2;
    storage_read(bare->storage, at, got, n);
    rig_hex(bare, 0x80000, hex);
    storage_read(bare->storage, 0x80000, want, n);
    if (memcmp(got, want, n) != 0)
        fail_msg("case %u at %llX: %02X%02X%02X%02X... not %.8s...", i, (unsigned long long)at,
                 got[0], got[1], got[2], got[3], hex);
}

#define KM    "B92E 0024"
#define KMC   "B92F 0024"
#define KMF   "B92A 0024"
#define KMO   "B92B 0024"
#define KMCTR "B92D 6024"
#define KIMD  "B93E 0024"
#define KLMD  "B93F 0024"
#define KMAC  "B91E 0024"

#define AES_KEY   "2B7E151628AED2A6ABF7158809CF4F3C"
#define COUNT     "000102030405060708090A0B0C0D0E0F"
#define AES_PLAIN "6BC1BEE22E409F96E93D7E117393172AAE2D8A571E03AC9C9EB76FAC45AF8E51"
#define AES_CBC   "7649ABAC8119B246CEE98E9B12E9197D5086CB9B507219EE95DB113A917678B2"
#define AES_CFB   "3B3FD92EB72DAD20333449F8E83CFB4AC8A64537A0B3A93FCDE3CDAD9F1CE58B"
#define AES_OFB   "3B3FD92EB72DAD20333449F8E83CFB4A7789508D16918F03F53C52DAC54ED825"
#define AES_CTR   "874D6191B620E3261BEF6864990DB6CE9806F66B7970FDFF8617187BB9FFFDFF"
#define TDEA_KEY  "0123456789ABCDEF23456789ABCDEF01456789ABCDEF0123"
#define TDEA_IN   "54686520717566636B2062726F776E20666F78206A756D70"
#define TDEA_OUT  "A826FD8CE53B855FCCE21C8112256FE668D5C05DD9B6B900"
#define SHA1_IV   "67452301EFCDAB8998BADCFE10325476C3D2E1F0"
#define SHA256_IV "6A09E667BB67AE853C6EF372A54FF53A510E527F9B05688C1F83D9AB5BE0CD19"
#define SHA512_IV                                                      \
    "6A09E667F3BCC908BB67AE8584CAA73B3C6EF372FE94F82BA54FF53A5F1D36F1" \
    "510E527FADE682D19B05688C2B3E6C1F1F83D9ABFB41BD6B5BE0CD19137E2179"

// What comes out at TO (NULL: nothing), and the beginning of the parameter block afterwards.
static const struct {
    const char *code;
    unsigned r0;
    const char *parameters, *from, *to, *after;
} cases[] = {
    {KM, 1, "133457799BBCDFF1", "0123456789ABCDEF", "85E813540F0AB405", ""},
    {KM, 0x81, "133457799BBCDFF1", "85E813540F0AB405", "0123456789ABCDEF", ""},
    {KM, 2, "133457799BBCDFF1133457799BBCDFF1", "0123456789ABCDEF", "85E813540F0AB405", ""},
    {KM, 3, TDEA_KEY, TDEA_IN, TDEA_OUT, ""},
    {KM, 0x83, TDEA_KEY, TDEA_OUT, TDEA_IN, ""},
    {KM, 18, COUNT, "00112233445566778899AABBCCDDEEFF", "69C4E0D86A7B0430D8CDB78070B4C55A", ""},
    {KM, 19, COUNT "1011121314151617", "00112233445566778899AABBCCDDEEFF",
     "DDA97CA4864CDFE06EAF70A0EC0D7191", ""},
    {KM, 20, COUNT "101112131415161718191A1B1C1D1E1F", "00112233445566778899AABBCCDDEEFF",
     "8EA2B7CA516745BFEAFC49904B496089", ""},
    {KM, 0x94, COUNT "101112131415161718191A1B1C1D1E1F", "8EA2B7CA516745BFEAFC49904B496089",
     "00112233445566778899AABBCCDDEEFF", ""},
    {KMC, 18, COUNT AES_KEY, AES_PLAIN, AES_CBC, "5086CB9B507219EE95DB113A917678B2" AES_KEY},
    {KMC, 0x92, COUNT AES_KEY, AES_CBC, AES_PLAIN, "5086CB9B507219EE95DB113A917678B2" AES_KEY},
    {KMF, 0x10000012, COUNT AES_KEY, AES_PLAIN, AES_CFB, "C8A64537A0B3A93FCDE3CDAD9F1CE58B"},
    {KMF, 0x10000092, COUNT AES_KEY, AES_CFB, AES_PLAIN, "C8A64537A0B3A93FCDE3CDAD9F1CE58B"},
    {KMF, 0x01000012, COUNT AES_KEY, "6BC1BEE22E409F96E93D7E117393172AAE2D",
     "3B79424C9C0DD436BACE9E0ED4586A4F32B9", "424C9C0DD436BACE9E0ED4586A4F32B9"},
    {KMF, 0x01000092, COUNT AES_KEY, "3B79424C9C0DD436BACE9E0ED4586A4F32B9",
     "6BC1BEE22E409F96E93D7E117393172AAE2D", "424C9C0DD436BACE9E0ED4586A4F32B9"},
    {KMO, 18, COUNT AES_KEY, AES_PLAIN, AES_OFB, ""},
    {KMO, 0x92, COUNT AES_KEY, AES_OFB, AES_PLAIN, ""},
    {KMCTR, 18, AES_KEY, AES_PLAIN, AES_CTR, AES_KEY},
    {KMCTR, 0x92, AES_KEY, AES_CTR, AES_PLAIN, AES_KEY},
    {KMAC, 1, "00000000000000000123456789ABCDEF",
     "37363534333231204E6F77206973207468652074696D6520666F722000000000", NULL, "F1D30F6849312CA4"},
    {KMAC, 18, COUNT AES_KEY, AES_PLAIN, NULL, "5086CB9B507219EE95DB113A917678B2" AES_KEY},
    {KLMD, 1, SHA1_IV "0000000000000018", "616263", NULL,
     "A9993E364706816ABA3E25717850C26C9CD0D89D0000000000000018"},
    {KLMD, 1, SHA1_IV "0000000000000000", "", NULL, "DA39A3EE5E6B4B0D3255BFEF95601890AFD80709"},
    {KLMD, 2, SHA256_IV "0000000000000018", "616263", NULL,
     "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"},
    {KLMD, 2, SHA256_IV "00000000000001C0",
     "6162636462636465636465666465666765666768666768696768696A68696A6B696A6B6C6A6B6C6D6B6C6D6E6C6D"
     "6E6F6D6E6F706E6F7071",
     NULL, "248D6A61D20638B8E5C026930C3E6039A33CE45964FF2167F6ECEDD419DB06C1"},
    {KLMD, 3, SHA512_IV "00000000000000000000000000000018", "616263", NULL,
     "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A"
     "2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F"},
    {KIMD, 65, "0000000000000000000000000000000066E94BD4EF8A2C3B884CFA59CA342B2E",
     "0388DACE60B6A392F328C2B971B2FE7800000000000000000000000000000080", NULL,
     "F38CBB1AD69223DCC3457AE5B6B0F88566E94BD4EF8A2C3B884CFA59CA342B2E"},
};

static void test_cases(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bare *bare = start(cases[i].code, cases[i].r0, cases[i].parameters, cases[i].from);
        unsigned n = (unsigned)strlen(cases[i].from) / 2;
        if (!rig_good(bare) || bare->cpu->gr[15] >> 28 & 3)
            fail_msg("case %u did not end well", i);
        if (cases[i].to) {
            assert_storage(bare, TO, cases[i].to, i);
            assert_int_equal(bare->cpu->gr[2], TO + n);
        }
        assert_storage(bare, PARAMETERS, cases[i].after, i);
        assert_int_equal(bare->cpu->gr[4], FROM + n);
        assert_int_equal(bare->cpu->gr[5], 0);
        assert_int_equal(bare->cpu->gr[6], COUNTERS + (strcmp(cases[i].code, KMCTR) ? 0 : n));
        bare_free(bare);
    }
}

static void test_queries(void **state)
{
    (void)state;
    static const struct {
        const char *code, *bits;
    } queries[] = {
        {KM, "F0703838000028280000000000000000"},
        {KMC, "F0703838000000001000000000000000"},
        {KMF, "F0703838000000000000000000000000"},
        {KMO, "F0703838000000000000000000000000"},
        {KMCTR, "F0703838000000000000000000000000"},
        {KMAC, "F0703838000000000000000000000000"},
        {KIMD, "F0000000FC0000004000000000000000"},
        {KLMD, "F0000000FC0000000000000000000000"},
        {"B92C 0000", "F0703838000028280000000000000000"}, // PCC
        {"B929 6024", "80003838000000000000000000000000"}, // KMA
        {"B928 0000", "F0003800000000000000000000000000"}, // PCKMO
        {"B93C 0024", "9000000000000000000000000000A000"}, // PRNO
    };
    for (unsigned i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        struct bare *bare = start(queries[i].code, 0, "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "");
        assert_true(rig_good(bare));
        assert_storage(bare, PARAMETERS, queries[i].bits, i);
        bare_free(bare);
    }
}

// 200,000 bytes take several executions; SHA-256 of as many letters a, CBC there and back.
static void test_long(void **state)
{
    (void)state;
    static uint8_t bytes[200000], got[200000];
    memset(bytes, 'a', sizeof bytes);
    struct bare *bare = start(KLMD, 2, SHA256_IV "0000000000186A00", "");
    bare_put(bare, FROM, bytes, sizeof bytes);
    bare->cpu->gr[5] = sizeof bytes;
    cpu_run(bare->cpu, 1);
    assert_int_equal(bare->cpu->psw.cc, 3); // paused, the registers moved on
    assert_in_range(bare->cpu->gr[5], 1, sizeof bytes - 4096);
    assert_int_equal(bare->cpu->gr[4] + bare->cpu->gr[5], FROM + sizeof bytes);
    assert_true(rig_good(bare));
    assert_storage(bare, PARAMETERS,
                   "2287D207F24A941FF3B56C04C8A25AD56B63E3023207B3BB5B4AC0C9869D74BE", 0);
    bare_free(bare);

    bare = start(KMC, 18, COUNT AES_KEY, "");
    bare_put(bare, FROM, bytes, sizeof bytes);
    bare->cpu->gr[2] = 0x100000;
    bare->cpu->gr[5] = sizeof bytes;
    assert_true(rig_good(bare));
    rig_hex(bare, PARAMETERS, COUNT);
    bare->cpu->gr[0] = 0x92;
    bare->cpu->gr[2] = bare->cpu->gr[4] = 0x100000; // in place
    bare->cpu->gr[5] = sizeof bytes;
    bare->cpu->psw.address = CODE;
    bare->cpu->psw.wait = false;
    bare->cpu->psw.ea = bare->cpu->psw.ba = true;
    assert_true(rig_good(bare));
    storage_read(bare->storage, 0x100000, got, sizeof got);
    assert_memory_equal(got, bytes, sizeof got);
    bare_free(bare);
}

static void test_exceptions(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        unsigned r0, length;
    } wrong[] = {
        {KM, 18, 15},                               // not whole blocks
        {KM, 4, 16},                                // no such function
        {"B92E 0034", 0, 0},                        // odd register
        {"B92E 0004", 0, 0},                        // register 0
        {"B92D 0024", 0, 0},                        // the third one, too
        {KMF, 18, 16},                              // a segment of no bytes
        {KMF, 0x11000012, 17}, {KIMD, 0x81, 64},    // modifier
        {KIMD, 2, 63},         {KLMD, 65, 16},      // not a last digest
        {KMAC, 18, 8},         {"B93C 0024", 3, 0}, // no seed
    };
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct bare *bare = start(wrong[i].code, wrong[i].r0, "", "");
        bare->cpu->gr[5] = wrong[i].length;
        if (rig_fault(bare) != 6)
            fail_msg("case %u", i);
        bare_free(bare);
    }
    // Past the end of storage: what was before it is done, and the chaining value says so.
    struct bare *bare = start(KMC, 18, COUNT AES_KEY, "");
    rig_dat(bare);
    bare_put64(bare, rig_pte(FROM + 0x1000), 0x400); // invalid
    bare->cpu->gr[5] = 0x2000;
    assert_int_equal(rig_fault(bare), 0x11);
    assert_int_equal(bare->cpu->gr[5], 0x1000);
    assert_int_equal(bare->cpu->gr[4], FROM + 0x1000);
    uint8_t value[16], last[16];
    storage_read(bare->storage, PARAMETERS, value, 16);
    storage_read(bare->storage, TO + 0xFF0, last, 16);
    assert_memory_equal(value, last, 16);
    assert_int_equal(bare_get64(bare, 0x158), CODE); // nullified
    bare_free(bare);
    bare = start("B928 0000", 0, "", ""); // PCKMO is privileged
    bare->cpu->psw.problem = true;
    assert_int_equal(rig_fault(bare), 2);
    bare_free(bare);
}

// What PCKMO made of a key works as the clear one does, is not the clear one, and is refused with
// condition code 1 when its pattern is another machine's.
static void test_encrypted_keys(void **state)
{
    (void)state;
    static const struct {
        unsigned function, key;
    } kinds[] = {{1, 8}, {2, 16}, {3, 24}, {18, 16}, {19, 24}, {20, 32}};
    static const char key[] = "000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F";
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint8_t clear[32], wrapped[32], want[32], got[32];
        struct bare *bare = start(KM, kinds[i].function, key, AES_PLAIN);
        assert_true(rig_good(bare));
        storage_read(bare->storage, TO, want, 32);
        storage_read(bare->storage, PARAMETERS, clear, 32);
        bare_free(bare);

        bare = start("B928 0000 4100 0000 B92E 0024", kinds[i].function, key, AES_PLAIN);
        // PCKMO; LA R0,function + 8; KM
        bare_put32(bare, CODE + 4, 0x41000000 | (kinds[i].function + 8));
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[15] >> 28 & 3, 0);
        storage_read(bare->storage, PARAMETERS, wrapped, 32);
        assert_memory_not_equal(wrapped, clear, kinds[i].key);
        storage_read(bare->storage, TO, got, 32);
        assert_memory_equal(got, want, 32);

        uint8_t wrong = 0xFF;
        storage_write(bare->storage, PARAMETERS + kinds[i].key + 3, &wrong, 1);
        rig_hex(bare, CODE, "0700 0700"); // without PCKMO this time
        bare->cpu->gr[2] = TO;
        bare->cpu->gr[4] = FROM;
        bare->cpu->gr[5] = 32;
        bare->cpu->psw.address = CODE;
        bare->cpu->psw.wait = false;
        cpu_pend(bare->cpu, PEND_DECODE);
        assert_true(rig_good(bare));
        assert_int_equal(bare->cpu->gr[15] >> 28 & 3, 1);
        assert_int_equal(bare->cpu->gr[5], 32); // nothing was done
        bare_free(bare);
    }
    // Without the third extension there are none.
    struct bare *bare = start(KM, 26, key, AES_PLAIN);
    cpu_facility_set(bare->cpu, 76, false);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

// IEEE 1619, vector 1: zero keys; the tweak is that of sector 0, and goes on to the next block.
static void test_xts(void **state)
{
    (void)state;
    static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";
    static const char cipher[] = "917CF69EBD68B2EC9B9FE9A3EADDA692CD43D2F59598ED858C02C2652FBF922E";
    static const char parameters[] = "00000000000000000000000000000000"
                                     "66E94BD4EF8A2C3B884CFA59CA342B2E";
    struct bare *bare = start(KM, 50, parameters, zeros);
    assert_true(rig_good(bare));
    assert_storage(bare, TO, cipher, 0);
    bare_free(bare);
    bare = start(KM, 50 | 0x80, parameters, cipher);
    assert_true(rig_good(bare));
    assert_storage(bare, TO, zeros, 1);
    bare_free(bare);
    bare = start(KM, 50, parameters, zeros);
    cpu_facility_set(bare->cpu, 77, false);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

static uint64_t tdea(uint64_t block)
{
    char text[17];
    snprintf(text, sizeof text, "%016llX", (unsigned long long)block);
    struct bare *bare = start(KM, 3, "08090A0B0C0D0E0F1011121314151617181910111213141F", text);
    assert_true(rig_good(bare));
    block = bare_get64(bare, TO);
    bare_free(bare);
    return block;
}

// ANSI X9.17 from the block cipher: I = e(T), the number e(I + V), the next seed e(I + number).
static void test_random_numbers(void **state)
{
    (void)state;
    struct bare *bare = start(KMC, 67,
                              "0001020304050607"
                              "08090A0B0C0D0E0F1011121314151617181910111213141F",
                              "A0A1A2A3A4A5A6A7");
    assert_true(rig_good(bare));
    uint64_t time = tdea(UINT64_C(0xA0A1A2A3A4A5A6A7));
    uint64_t number = tdea(time ^ UINT64_C(0x0001020304050607));
    assert_int_equal(bare_get64(bare, TO), number);
    assert_int_equal(bare_get64(bare, PARAMETERS), tdea(time ^ number));
    bare_free(bare);
    bare = start(KMC, 67 | 0x80, "", "A0A1A2A3A4A5A6A7");
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),          cmocka_unit_test(test_queries),
        cmocka_unit_test(test_encrypted_keys), cmocka_unit_test(test_xts),
        cmocka_unit_test(test_random_numbers), cmocka_unit_test(test_long),
        cmocka_unit_test(test_exceptions)};
    return cmocka_run_group_tests_name("message-security assist", tests, NULL, NULL);
}
