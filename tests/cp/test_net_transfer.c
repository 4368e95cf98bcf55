// SPDX-License-Identifier: MIT
// DIAGNOSE X'2A8': frames between two virtual machines, and its condition codes.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "cpu/cpu.h"
#include "net_rig.h"

#define BLOCK  UINT64_C(0x4000)
#define BUFFER UINT64_C(0x5000)

static struct net_rig *rig;
static struct vm *a, *b;

static void command(const char *userid, const char *line)
{
    int rc = net_rig_command(rig, userid, line);
    if (rc != 0)
        fail_msg("%s: %d %s", line, rc, text_get(&rig->text));
}

static int start(void **state)
{
    (void)state;
    rig = net_rig_new();
    a = net_rig_logon(rig, "LNX00085");
    b = net_rig_logon(rig, "LNX00090");
    command("OPERATOR", "DEFINE VSWITCH SW VLAN 1");
    command("OPERATOR", "SET VSWITCH SW GRANT LNX00085 VLAN 1");
    command("OPERATOR", "SET VSWITCH SW GRANT LNX00090 VLAN 1");
    command("LNX00085", "DEFINE NIC 600 QDIO");
    command("LNX00090", "DEFINE NIC 700 QDIO");
    command("LNX00085", "COUPLE 600 TO SYSTEM SW");
    command("LNX00090", "COUPLE 700 TO SYSTEM SW");
    return 0;
}

static int finish(void **state)
{
    (void)state;
    net_rig_free(rig);
    return 0;
}

// Executes the DIAGNOSE with R2 at `block` and R3 for the return code.
static int diagnose_at(struct vm *vm, uint64_t block, uint32_t *ry)
{
    struct vcpu *vcpu = vm->vcpu[0];
    struct door_call call = {.r1 = 2, .r3 = 3};
    vcpu->cpu->gr[2] = block;
    vcpu->cpu->gr[3] = UINT64_C(0x1234567800000000);
    int cc = nic_diagnose_2a8(vcpu, &call);
    assert_int_equal(vcpu->cpu->psw.cc, cc);
    assert_int_equal(vcpu->cpu->gr[3] >> 32, 0x12345678);
    *ry = (uint32_t)vcpu->cpu->gr[3];
    return cc;
}

static int diagnose(struct vm *vm, uint16_t function, uint16_t vdev, uint32_t length,
                    uint64_t buffer, uint32_t *ry)
{
    uint8_t block[32] = {0};
    be16_store(block, function);
    be16_store(block + 2, vdev);
    be32_store(block + 4, length);
    be64_store(block + 8, buffer);
    assert_true(storage_write(vm->machine->storage, BLOCK, block, sizeof block));
    return diagnose_at(vm, BLOCK, ry);
}

static uint32_t returned(struct vm *vm)
{
    uint8_t word[4];
    storage_read(vm->machine->storage, BLOCK + 16, word, 4);
    return be32_load(word);
}

static void put_frame(struct vm *from, const uint8_t *to, size_t n)
{
    uint8_t frame[9100];
    memset(frame, 0xA5, sizeof frame);
    memcpy(frame, to, 6);
    memcpy(frame + 6, from->nics->mac, 6);
    be16_store(frame + 12, 0x0800);
    storage_write(from->machine->storage, BUFFER, frame, n);
}

static void a_frame_goes_from_guest_to_guest(void **state)
{
    uint32_t ry;
    uint8_t got[100];
    (void)state;
    put_frame(a, b->nics->mac, 100);
    assert_int_equal(diagnose(a, 1, 0x600, 100, BUFFER, &ry), 0);
    assert_int_equal(ry, 0);
    assert_int_equal(returned(a), 100);
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 0);
    assert_int_equal(returned(b), 100);
    storage_read(b->machine->storage, BUFFER, got, sizeof got);
    assert_memory_equal(got, b->nics->mac, 6);
    assert_memory_equal(got + 6, a->nics->mac, 6);
    assert_int_equal(got[99], 0xA5);
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 1);
    assert_int_equal(ry, 8);
    struct adapter_counters c = port_adapter_counters(b->nics->port);
    assert_int_equal(c.rx_packets, 1);
    assert_int_equal(c.rx_bytes, 100);
}

static void a_guest_learns_its_address(void **state)
{
    uint32_t ry;
    uint8_t mac[6];
    (void)state;
    assert_int_equal(diagnose(a, 3, 0x601, 0, 0, &ry), 0); // any of its devices will do
    storage_read(a->machine->storage, BLOCK + 24, mac, 6);
    assert_memory_equal(mac, a->nics->mac, 6);
}

static void an_idle_guest_is_interrupted_once(void **state)
{
    struct external_interruption what;
    uint32_t ry;
    (void)state;
    put_frame(a, b->nics->mac, 60);
    assert_int_equal(diagnose(a, 1, 0x600, 60, BUFFER, &ry), 0);
    assert_int_equal(diagnose(a, 1, 0x600, 60, BUFFER, &ry), 0);
    assert_false(vm_take_external(b, 0x40, &what));
    assert_true(vm_take_external(b, NIC_EXTERNAL_MASK, &what));
    assert_int_equal(what.code, 0x4002);
    assert_int_equal(what.parameter, 0x700);
    assert_false(vm_take_external(b, NIC_EXTERNAL_MASK, &what));
    // Not again until the guest has found the queue empty.
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 0);
    put_frame(a, b->nics->mac, 60);
    diagnose(a, 1, 0x600, 60, BUFFER, &ry);
    assert_false(vm_take_external(b, NIC_EXTERNAL_MASK, &what));
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 0);
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 0);
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 1);
    diagnose(a, 1, 0x600, 60, BUFFER, &ry);
    assert_true(vm_take_external(b, NIC_EXTERNAL_MASK, &what));
}

static void condition_codes(void **state)
{
    uint64_t top = storage_size(a->machine->storage);
    uint32_t ry;
    (void)state;
    put_frame(a, b->nics->mac, 100);
    assert_int_equal(diagnose(a, 1, 0x999, 100, BUFFER, &ry), 3);
    assert_int_equal(ry, 12);
    struct {
        uint16_t function;
        uint32_t length;
        uint64_t buffer;
    } bad[] = {
        {0, 100, BUFFER},     {4, 100, BUFFER},        {0xFFFF, 100, BUFFER},
        {1, 0, BUFFER},       {1, 13, BUFFER},         {1, 65536, BUFFER},
        {1, 9015, BUFFER},    {1, 100, top - 50},      {1, 100, UINT64_MAX - 50},
        {1, 100, UINT64_MAX}, {1, UINT32_MAX, BUFFER},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        put_frame(a, b->nics->mac, 9015);
        assert_int_equal(diagnose(a, bad[i].function, 0x600, bad[i].length, bad[i].buffer, &ry), 3);
        assert_int_equal(ry, 16);
    }
    assert_int_equal(diagnose_at(a, BLOCK + 4, &ry), 3);
    assert_int_equal(ry, 16);
    assert_int_equal(diagnose_at(a, top - 16, &ry), 3);
    assert_int_equal(ry, 16);
    assert_int_equal(b->nics->received.frames, 0);
    command("LNX00085", "UNCOUPLE 600");
    assert_int_equal(diagnose(a, 1, 0x600, 100, BUFFER, &ry), 1);
    assert_int_equal(ry, 4);
    assert_int_equal(diagnose(a, 2, 0x600, 100, BUFFER, &ry), 1);
    assert_int_equal(ry, 4);
}

static void a_short_buffer_keeps_the_frame(void **state)
{
    uint32_t ry;
    (void)state;
    put_frame(a, b->nics->mac, 1000);
    diagnose(a, 1, 0x600, 1000, BUFFER, &ry);
    assert_int_equal(diagnose(b, 2, 0x700, 999, BUFFER, &ry), 3);
    assert_int_equal(ry, 16);
    assert_int_equal(returned(b), 1000);
    assert_int_equal(diagnose(b, 2, 0x700, 2000, storage_size(b->machine->storage) - 10, &ry), 3);
    assert_int_equal(diagnose(b, 2, 0x700, 1000, BUFFER, &ry), 0);
}

static void buffers_follow_prefixing(void **state)
{
    uint32_t ry;
    uint8_t byte;
    (void)state;
    // A buffer across the end of the prefix area (4 KiB in ESA/390 mode, where a CPU starts): its
    // first part is at the prefix.
    b->vcpu[0]->cpu->prefix = 0x20000;
    put_frame(a, b->nics->mac, 1000);
    diagnose(a, 1, 0x600, 1000, BUFFER, &ry);
    assert_int_equal(diagnose(b, 2, 0x700, 4096, 0xFF0 - 0x200, &ry), 0);
    storage_read(b->machine->storage, 0x20000 + 0xFF0 - 0x200, &byte, 1);
    assert_int_equal(byte, b->nics->mac[0]);
    storage_read(b->machine->storage, 0xFF0 - 0x200, &byte, 1);
    assert_int_equal(byte, 0);
    storage_read(b->machine->storage, 0xFF0 - 0x200 + 999, &byte, 1);
    assert_int_equal(byte, 0xA5);
}

static void a_wrong_vlan_gets_nothing(void **state)
{
    uint32_t ry;
    (void)state;
    command("OPERATOR", "SET VSWITCH SW GRANT LNX00090 VLAN 2");
    put_frame(a, b->nics->mac, 100);
    assert_int_equal(diagnose(a, 1, 0x600, 100, BUFFER, &ry), 0); // sent, like on a wire
    assert_int_equal(diagnose(b, 2, 0x700, 4096, BUFFER, &ry), 1);
    assert_int_equal(ry, 8);
    command("OPERATOR", "SET VSWITCH SW REVOKE LNX00085");
    assert_int_equal(diagnose(a, 1, 0x600, 100, BUFFER, &ry), 1);
    assert_int_equal(ry, 4);
    assert_int_equal(a->nics->port->counters.in.discarded, 2);
}

static void a_full_queue_drops_and_counts(void **state)
{
    uint32_t ry;
    (void)state;
    put_frame(a, b->nics->mac, 60);
    for (unsigned i = 0; i < 600; i++)
        assert_int_equal(diagnose(a, 1, 0x600, 60, BUFFER, &ry), 0);
    assert_int_equal(b->nics->received.frames, 512);
    assert_int_equal(port_adapter_counters(b->nics->port).rx_discarded, 88);
    nic_reset_all(b);
    assert_int_equal(b->nics->received.frames, 0);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, start, finish)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_frame_goes_from_guest_to_guest),  TEST(a_guest_learns_its_address),
        TEST(an_idle_guest_is_interrupted_once), TEST(condition_codes),
        TEST(a_short_buffer_keeps_the_frame),    TEST(buffers_follow_prefixing),
        TEST(a_wrong_vlan_gets_nothing),         TEST(a_full_queue_drops_and_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
