// SPDX-License-Identifier: MIT
// Later extensions of the message-security assist against OpenSSL's own modes (GCM, CMAC, XTS,
// SHA-3, SHAKE) and the answers that NIST gives for Hash_DRBG.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <openssl/core_names.h>
#include <openssl/evp.h>

#include "cpu/rig.h"

#define PARAMETERS 0x3000u
#define FROM       0x10000u
#define TO         0x80000u
#define DATA       0x100000u
#define MOST       200000u

#define KM    "B92E 0024"
#define KMA   "B929 6024" // R1 2, R3 6, R2 4
#define KIMD  "B93E 0024"
#define KLMD  "B93F 0024"
#define PCC   "B92C 0000"
#define PCKMO "B928 0000"
#define PRNO  "B93C 0024"

// The instruction until it does not pause, and the condition code to R15.
static struct bare *start(const char *code, unsigned r0)
{
    char text[64];
    snprintf(text, sizeof text, "%s A714 FFFE B222 00F0", code);
    struct bare *bare = rig_new(text);
    bare->cpu->gr[0] = r0;
    bare->cpu->gr[1] = PARAMETERS;
    bare->cpu->gr[2] = TO;
    bare->cpu->gr[4] = FROM;
    bare->cpu->gr[6] = DATA;
    return bare;
}

// The same once more, with registers and storage as they are.
static void again(struct bare *bare)
{
    struct cpu *cpu = bare->cpu;
    cpu->psw.address = CODE;
    cpu->psw.wait = false;
    cpu->psw.ea = cpu->psw.ba = true;
}

static unsigned finish(struct bare *bare)
{
    assert_true(rig_good(bare));
    return bare->cpu->gr[15] >> 28 & 3;
}

static uint64_t state = 1;

static void any_bytes(uint8_t *out, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        out[i] = (uint8_t)(state >> 56);
    }
}

static unsigned any(unsigned below)
{
    uint8_t bytes[4];
    any_bytes(bytes, 4);
    return be32_load(bytes) % below;
}

// --- Galois/Counter mode -------------------------------------------------------------------------

struct gcm_case {
    unsigned function, key_bytes, data, message;
    uint8_t key[32], iv[12];
    uint8_t plain[MOST], cipher[MOST], additional[MOST], tag[16];
};

static struct gcm_case gcm;

static void gcm_make(unsigned function, unsigned data, unsigned message)
{
    const EVP_CIPHER *ciphers[] = {EVP_aes_128_gcm(), EVP_aes_192_gcm(), EVP_aes_256_gcm()};
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int n;
    gcm.function = function;
    gcm.key_bytes = 16 + (function - 18) * 8;
    gcm.data = data;
    gcm.message = message;
    any_bytes(gcm.key, 32);
    any_bytes(gcm.iv, 12);
    any_bytes(gcm.plain, message);
    any_bytes(gcm.additional, data);
    assert_int_equal(EVP_EncryptInit_ex(c, ciphers[function - 18], NULL, gcm.key, gcm.iv), 1);
    if (data)
        assert_int_equal(EVP_EncryptUpdate(c, NULL, &n, gcm.additional, (int)data), 1);
    if (message)
        assert_int_equal(EVP_EncryptUpdate(c, gcm.cipher, &n, gcm.plain, (int)message), 1);
    assert_int_equal(EVP_EncryptFinal_ex(c, gcm.cipher + message, &n), 1);
    assert_int_equal(EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_GCM_GET_TAG, 16, gcm.tag), 1);
    EVP_CIPHER_CTX_free(c);
}

static struct bare *gcm_start(const char *code, unsigned r0, const uint8_t *input)
{
    struct bare *bare = start(code, r0);
    uint8_t p[80 + 32] = {0};
    p[15] = 1;
    be64_store(p + 48, gcm.data * 8);
    be64_store(p + 56, gcm.message * 8);
    memcpy(p + 64, gcm.iv, 12);
    p[79] = 1;
    memcpy(p + 80, gcm.key, 32);
    bare_put(bare, PARAMETERS, p, sizeof p);
    bare_put(bare, FROM, input, gcm.message);
    bare_put(bare, DATA, gcm.additional, gcm.data);
    bare->cpu->gr[5] = gcm.message;
    bare->cpu->gr[7] = gcm.data;
    return bare;
}

static void gcm_check(struct bare *bare, const uint8_t *output)
{
    static uint8_t got[MOST];
    uint8_t tag[16];
    storage_read(bare->storage, TO, got, gcm.message);
    storage_read(bare->storage, PARAMETERS + 16, tag, 16);
    assert_memory_equal(got, output, gcm.message);
    assert_memory_equal(tag, gcm.tag, 16);
    assert_int_equal(bare->cpu->gr[2], TO + gcm.message);
    assert_int_equal(bare->cpu->gr[4], FROM + gcm.message);
    assert_int_equal(bare->cpu->gr[5], 0);
    assert_int_equal(bare->cpu->gr[6], DATA + gcm.data);
    assert_int_equal(bare->cpu->gr[7], 0);
}

static void test_gcm(void **unused)
{
    static const unsigned lengths[] = {0, 1, 15, 16, 17, 4096, 4097, 70000, 131072};
    (void)unused;
    for (unsigned i = 0; i < 60; i++) {
        gcm_make(18 + i % 3, i < 9 ? lengths[i] : any(300),
                 i < 9 ? lengths[(i + 4) % 9] : any(300));
        struct bare *bare = gcm_start(KMA, gcm.function | 0x300, gcm.plain);
        assert_int_equal(finish(bare), 0);
        gcm_check(bare, gcm.cipher);
        assert_int_equal(bare->cpu->gr[0], gcm.function | 0x700); // the subkey is there now
        bare_free(bare);
        bare = gcm_start(KMA, gcm.function | 0x380, gcm.cipher);
        assert_int_equal(finish(bare), 0);
        gcm_check(bare, gcm.plain);
        bare_free(bare);
    }
}

// Whole blocks, first of the data, then of the message, then what is left of both.
static void test_gcm_in_parts(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 20; i++) {
        gcm_make(20, 32 + any(100), 48 + any(100));
        struct bare *bare = gcm_start(KMA, gcm.function, gcm.plain);
        struct cpu *cpu = bare->cpu;
        assert_int_equal(finish(bare), 2);
        assert_int_equal(cpu->gr[7], gcm.data % 16);
        assert_int_equal(cpu->gr[5], gcm.message); // waits for all of the data
        cpu->gr[0] |= 0x200;
        cpu->gr[5] = 20;
        again(bare);
        assert_int_equal(finish(bare), 2);
        assert_int_equal(cpu->gr[7], 0);
        assert_int_equal(cpu->gr[5], 4);
        cpu->gr[0] |= 0x100;
        cpu->gr[5] = gcm.message - 16;
        again(bare);
        assert_int_equal(finish(bare), 0);
        gcm_check(bare, gcm.cipher);
        bare_free(bare);
    }
}

static void test_gcm_refused(void **unused)
{
    (void)unused;
    gcm_make(18, 20, 40);
    // PCKMO; LA 0,26 or 0x31A: its key is another
    struct bare *bare = gcm_start(PCKMO, 18, gcm.plain);
    bare->cpu->gr[1] = PARAMETERS + 80;
    finish(bare);
    bare->cpu->gr[0] = 26 | 0x300;
    bare->cpu->gr[1] = PARAMETERS;
    rig_hex(bare, CODE, KMA);
    cpu_pend(bare->cpu, PEND_DECODE);
    again(bare);
    assert_int_equal(finish(bare), 0);
    gcm_check(bare, gcm.cipher);
    bare_free(bare);
    bare = gcm_start(KMA, 26 | 0x300, gcm.plain); // a clear key is no encrypted one
    assert_int_equal(finish(bare), 1);
    assert_int_equal(bare->cpu->gr[5], 40);
    bare_free(bare);
    static const struct {
        const char *code;
        unsigned r0;
    } wrong[] = {{KMA, 3},          {KMA, 21},         {"B929 6025", 18}, {"B929 6034", 18},
                 {"B929 7024", 18}, {"B929 0024", 18}, {"B929 4024", 18}, {"B929 2024", 18}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bare = gcm_start(wrong[i].code, wrong[i].r0, gcm.plain);
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
    bare = gcm_start(KMA, 18, gcm.plain);
    cpu_facility_set(bare->cpu, 146, false);
    assert_int_equal(rig_fault(bare), 1);
    bare_free(bare);
}

// --- CMAC and XTS --------------------------------------------------------------------------------

// The whole code by libcrypto; ours by chaining the blocks before the last through the cipher
// alone.
static void one_cmac(unsigned function, const char *name, unsigned key_bytes, unsigned block)
{
    uint8_t key[32], message[32], want[16], got[16], p[104] = {0};
    size_t n = 0;
    unsigned bytes = any(block + 1);
    EVP_MAC *mac = EVP_MAC_fetch(NULL, "CMAC", NULL);
    EVP_MAC_CTX *c = EVP_MAC_CTX_new(mac);
    char cipher[32];
    snprintf(cipher, sizeof cipher, "%s", name);
    OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_CIPHER, cipher, 0),
                               OSSL_PARAM_construct_end()};
    any_bytes(key, sizeof key);
    any_bytes(message, sizeof message);
    assert_int_equal(EVP_MAC_init(c, key, key_bytes, parameters), 1);
    assert_int_equal(EVP_MAC_update(c, message, bytes), 1);
    assert_int_equal(EVP_MAC_final(c, want, &n, sizeof want), 1);
    EVP_MAC_CTX_free(c);
    EVP_MAC_free(mac);
    struct bare *bare = start(PCC, function);
    p[0] = (uint8_t)(bytes * 8);
    memcpy(p + 8, message, block); // also what is behind its end
    memcpy(p + 8 + 2 * block, key, key_bytes);
    bare_put(bare, PARAMETERS, p, sizeof p);
    assert_int_equal(finish(bare), 0);
    storage_read(bare->storage, PARAMETERS + 8 + block, got, block);
    assert_memory_equal(got, want, block);
    bare_free(bare);
}

static void test_cmac(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 40; i++) {
        one_cmac(18, "AES-128-CBC", 16, 16);
        one_cmac(19, "AES-192-CBC", 24, 16);
        one_cmac(20, "AES-256-CBC", 32, 16);
        one_cmac(3, "DES-EDE3-CBC", 24, 8);
        one_cmac(2, "DES-EDE-CBC", 16, 8);
    }
    // Bits, not bytes: the others do not matter. A chaining value is as if xored to the message.
    uint8_t p[2][16], block[56] = {13};
    any_bytes(block + 8, 48);
    for (unsigned i = 0; i < 2; i++) {
        struct bare *bare = start(PCC, 18);
        block[9] ^= 7; // bits 13 to 15
        bare_put(bare, PARAMETERS, block, sizeof block);
        assert_int_equal(finish(bare), 0);
        storage_read(bare->storage, PARAMETERS + 24, p[i], 16);
        bare_free(bare);
    }
    assert_memory_equal(p[0], p[1], 16);
    struct bare *bare = start(PCC, 18);
    bare_put32(bare, PARAMETERS, 129u << 24);
    assert_int_equal(finish(bare), 2);
    bare_free(bare);
    bare = start(PCC, 26);
    assert_int_equal(finish(bare), 1);
    bare_free(bare);
    bare = start(PCC, 18 | 0x80);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

static void put_tweak(struct bare *bare, uint64_t at, const uint8_t *tweak, unsigned number)
{
    uint8_t fields[64] = {0};
    memcpy(fields, tweak, 16);
    fields[31] = (uint8_t)number;
    fields[30] = (uint8_t)(number >> 8);
    bare_put(bare, at, fields, sizeof fields);
}

// A data unit from one of its blocks on must come out as in the whole unit.
static void one_xts(unsigned function, const EVP_CIPHER *cipher, unsigned key_bytes)
{
    static uint8_t plain[16 * 512], want[16 * 512], got[16 * 512];
    uint8_t key[64], tweak[16], value[16];
    int n;
    unsigned number = any(500);
    any_bytes(key, sizeof key);
    any_bytes(tweak, sizeof tweak);
    any_bytes(plain, sizeof plain);
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    assert_int_equal(EVP_EncryptInit_ex(c, cipher, NULL, key, tweak), 1);
    assert_int_equal(EVP_EncryptUpdate(c, want, &n, plain, sizeof plain), 1);
    EVP_CIPHER_CTX_free(c);
    struct bare *bare = start(PCC, function);
    bare_put(bare, PARAMETERS, key + key_bytes, key_bytes);
    put_tweak(bare, PARAMETERS + key_bytes, tweak, number);
    assert_int_equal(finish(bare), 0);
    assert_int_equal(bare_get64(bare, PARAMETERS + key_bytes + 32), 0);
    assert_int_equal(bare_get64(bare, PARAMETERS + key_bytes + 40), 128);
    storage_read(bare->storage, PARAMETERS + key_bytes + 48, value, 16);
    if (number) { // done already
        again(bare);
        assert_int_equal(finish(bare), 2);
    }
    bare_free(bare);
    bare = start(KM, function);
    bare_put(bare, PARAMETERS, key, key_bytes);
    bare_put(bare, PARAMETERS + key_bytes, value, 16);
    bare_put(bare, FROM, plain + 16 * number, sizeof plain - 16 * number);
    bare->cpu->gr[5] = sizeof plain - 16 * number;
    assert_int_equal(finish(bare), 0);
    storage_read(bare->storage, TO, got, sizeof plain - 16 * number);
    assert_memory_equal(got, want + 16 * number, sizeof plain - 16 * number);
    bare_free(bare);
}

static void test_xts(void **unused)
{
    (void)unused;
    for (unsigned i = 0; i < 20; i++) {
        one_xts(50, EVP_aes_128_xts(), 16);
        one_xts(52, EVP_aes_256_xts(), 32);
    }
    // The number's first bit: one bit of work left of it, or all.
    uint8_t tweak[16] = {1}, whole[16], rest[16];
    for (unsigned i = 0; i < 2; i++) {
        struct bare *bare = start(PCC, 50);
        put_tweak(bare, PARAMETERS + 16, tweak, 5);
        if (i == 1) { // bits 0 to 124 are zeros and done: the result goes on from the block's own
            uint8_t zero[16] = {0}, out[16];
            int n;
            EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
            EVP_EncryptInit_ex(c, EVP_aes_128_ecb(), NULL, zero, NULL);
            EVP_EncryptUpdate(c, out, &n, tweak, 16);
            EVP_CIPHER_CTX_free(c);
            bare_put64(bare, PARAMETERS + 16 + 40, 125);
            bare_put(bare, PARAMETERS + 16 + 48, out, 16);
        }
        assert_int_equal(finish(bare), 0);
        storage_read(bare->storage, PARAMETERS + 64, i ? rest : whole, 16);
        bare_free(bare);
    }
    assert_memory_equal(rest, whole, 16);
}

// --- SHA-3
// ------------------------------------------------------------------------------------------

static uint8_t text[MOST], output[MOST], expected[MOST];

static void one_digest(unsigned function, const EVP_MD *md, unsigned block, unsigned n)
{
    unsigned bytes = 0, first = n / block * block / 2 / block * block;
    any_bytes(text, n);
    assert_int_equal(EVP_Digest(text, n, expected, &bytes, md, NULL), 1);
    struct bare *bare = start(KIMD, function); // some blocks before
    bare_put(bare, FROM, text, n);
    bare->cpu->gr[5] = first;
    assert_int_equal(finish(bare), 0);
    rig_hex(bare, CODE, KLMD);
    cpu_pend(bare->cpu, PEND_DECODE);
    bare->cpu->gr[5] = n - first;
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_int_equal(bare->cpu->gr[4], FROM + n);
    assert_int_equal(bare->cpu->gr[2], TO); // no first operand
    storage_read(bare->storage, PARAMETERS, output, bytes);
    assert_memory_equal(output, expected, bytes);
    bare_free(bare);
}

static void test_sha3(void **unused)
{
    static const unsigned lengths[] = {0, 1, 71, 72, 143, 144, 145, 5000, 150000};
    (void)unused;
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        one_digest(32, EVP_sha3_224(), 144, lengths[i]);
        one_digest(33, EVP_sha3_256(), 136, lengths[i]);
        one_digest(34, EVP_sha3_384(), 104, lengths[i]);
        one_digest(35, EVP_sha3_512(), 72, lengths[i]);
    }
    struct bare *bare = start(KIMD, 33);
    bare->cpu->gr[5] = 135;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
    bare = start(KLMD, 33);
    cpu_facility_set(bare->cpu, 146, false);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

static void one_shake(unsigned function, const EVP_MD *md, unsigned block, unsigned n, unsigned out)
{
    EVP_MD_CTX *c = EVP_MD_CTX_new();
    any_bytes(text, n);
    EVP_DigestInit_ex(c, md, NULL);
    EVP_DigestUpdate(c, text, n);
    assert_int_equal(EVP_DigestFinalXOF(c, expected, out), 1);
    EVP_MD_CTX_free(c);
    struct bare *bare = start(KLMD, function);
    unsigned first = out / 2 / block * block;
    bare_put(bare, FROM, text, n);
    bare->cpu->gr[3] = first;
    bare->cpu->gr[5] = n;
    assert_int_equal(finish(bare), 0);
    assert_int_equal(bare->cpu->gr[0], function | 0x100); // padded
    bare->cpu->gr[3] = out - first;                       // the rest of it
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_int_equal(bare->cpu->gr[2], TO + out);
    assert_int_equal(bare->cpu->gr[3], 0);
    storage_read(bare->storage, TO, output, out);
    assert_memory_equal(output, expected, out);
    bare_free(bare);
}

static void test_shake(void **unused)
{
    static const unsigned lengths[] = {0, 1, 135, 136, 167, 168, 1000, 150000};
    (void)unused;
    for (unsigned i = 0; i < 8; i++) {
        one_shake(36, EVP_shake128(), 168, lengths[i], 1 + lengths[(i + 3) % 8]);
        one_shake(37, EVP_shake256(), 136, lengths[i], 1 + lengths[(i + 3) % 8]);
    }
    struct bare *bare = start("B93F 0034", 36); // an odd first operand
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

// --- random numbers ------------------------------------------------------------------------------

static void assert_hex(struct bare *bare, uint64_t at, const char *hex)
{
    uint8_t want[256], got[256];
    unsigned n = (unsigned)strlen(hex) / 2;
    rig_hex(bare, 0x200000, hex);
    storage_read(bare->storage, 0x200000, want, n);
    storage_read(bare->storage, at, got, n);
    assert_memory_equal(got, want, n);
}

static void test_seeded(void **unused)
{
    static const char entropy[] =
        "3295117F02371270105A3783CFE0BF5AC1408E6CEAC5AEEBD6D814BC827DC04D"
        "21A1E480E3D5F2E378319ADE9BDDDA4C2E93B74E348D5EE32ED46A1AE62566E0";
    (void)unused;
    struct bare *bare = start(PRNO, 0x83);
    struct cpu *cpu = bare->cpu;
    rig_hex(bare, FROM, entropy);
    cpu->gr[5] = 64;
    assert_int_equal(finish(bare), 0);
    assert_hex(bare, PARAMETERS, "000000000000000100000000000000000041F59ED58025AA04");
    assert_hex(bare, PARAMETERS + 128, "004BF22239F6EBF3C2");
    cpu->gr[0] = 3;
    cpu->gr[3] = 64;
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_int_equal(cpu->gr[2], TO + 64);
    assert_int_equal(cpu->gr[3], 0);
    assert_hex(bare, TO,
               "F1DFE8330811ECD10AEB68728FAC57B05DC8B4116DFCC066C4FBB654B317FB0E"
               "011265748F7929B0180366625DE0665B116C878B0F05BAD8319416258824DFDC");
    assert_hex(bare, PARAMETERS, "00000000000000020000000000000040008DE7C10F77119DC6");
    // A new seed on top, and more than one hash's worth.
    cpu->gr[0] = 0x83;
    cpu->gr[5] = 64;
    for (unsigned i = 0; i < 64; i += 8)
        bare_put64(bare, FROM + i, UINT64_C(0x456E6469636F7474)); // "Endicott"
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_hex(bare, PARAMETERS,
               "00000000000000010000000000000040002680C6260174FBB863CBF9E7C75D3D94");
    assert_hex(bare, PARAMETERS + 128, "00AEF2B7A7F9D660FC7A807B9B90D01859");
    cpu->gr[0] = 3;
    cpu->gr[2] = TO;
    cpu->gr[3] = 200;
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_hex(bare, TO + 200 - 64,
               "440660DDB3AF9D10BD2503CEEA66A1D0B50F9230DE84D50A9BB86D0EDDAEE9BD"
               "737AE1B02F17958A32144C82B2F20F85A772E8CBA7125EC3E64B8CBC8BB0A9BC");
    assert_hex(bare, PARAMETERS + 112, "8C37673DA7B09B273592191E3F3856CE");
    // Long ones in several requests.
    cpu->gr[2] = TO;
    cpu->gr[3] = 150000;
    again(bare);
    assert_int_equal(finish(bare), 0);
    assert_int_equal(bare_get64(bare, PARAMETERS) & 0xFFFFFFFF, 5);
    assert_int_equal(bare_get64(bare, PARAMETERS + 8), 64 + 200 + 150000);
    bare_free(bare);
}

static void test_true_random(void **unused)
{
    (void)unused;
    uint8_t first[2][6000];
    for (unsigned i = 0; i < 2; i++) { // equal runs
        struct bare *bare = start(PRNO, 114);
        bare->cpu->gr[3] = 6000;
        bare->cpu->gr[5] = 100;
        assert_int_equal(finish(bare), 0);
        assert_int_equal(bare->cpu->gr[3] | bare->cpu->gr[5], 0);
        assert_int_equal(bare->cpu->gr[2], TO + 6000);
        assert_int_equal(bare->cpu->gr[4], FROM + 100);
        storage_read(bare->storage, TO, first[i], 6000);
        bare_free(bare);
    }
    assert_memory_equal(first[0], first[1], 6000);
    unsigned count[256] = {0}, most = 0;
    for (unsigned i = 0; i < 6000; i++)
        if (++count[first[0][i]] > most)
            most = count[first[0][i]];
    assert_in_range(most, 24, 60); // 23 on average
    struct bare *bare = start(PRNO, 112);
    assert_int_equal(finish(bare), 0);
    assert_int_not_equal(bare_get32(bare, PARAMETERS), 0);
    assert_int_not_equal(bare_get32(bare, PARAMETERS + 4), 0);
    bare_free(bare);
    static const struct {
        unsigned r0, length;
    } wrong[] = {{3, 0}, {0x83, 513}, {0x80, 0}, {0xF2, 0}, {4, 0}, {113, 0}, {127, 0}};
    for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        bare = start(PRNO, wrong[i].r0);
        bare->cpu->gr[5] = wrong[i].length;
        assert_int_equal(rig_fault(bare), 6);
        bare_free(bare);
    }
    bare = start(PRNO, 114);
    cpu_facility_set(bare->cpu, 146, false);
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gcm),         cmocka_unit_test(test_gcm_in_parts),
        cmocka_unit_test(test_gcm_refused), cmocka_unit_test(test_cmac),
        cmocka_unit_test(test_xts),         cmocka_unit_test(test_sha3),
        cmocka_unit_test(test_shake),       cmocka_unit_test(test_seeded),
        cmocka_unit_test(test_true_random),
    };
    return cmocka_run_group_tests_name("message-security extensions", tests, NULL, NULL);
}
