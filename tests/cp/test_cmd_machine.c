// SPDX-License-Identifier: MIT
// Commands that show and change a virtual machine: DISPLAY, STORE, DEFINE, DETACH, LINK, SYSTEM.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/bytes.h"
#include "cp/vdev.h"
#include "cmd_system.h"

static struct cmd_system sys;
static struct vm *maint;

static int start(void **state)
{
    (void)state;
    cmd_system_start(&sys);
    maint = cmd_logon(&sys, "MAINT", 0);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    cmd_system_stop(&sys);
    return 0;
}

static void expect(const char *line, const char *answer)
{
    assert_int_equal(cmd(&sys, maint, line), 0);
    assert_string_equal(text_get(&sys.out), answer);
}

static void words_go_in_and_come_out(void **state)
{
    (void)state;
    expect("STORE 20 070C2000 800151B2", "Store complete.");
    expect("DISPLAY 20.8", "V00000020  070C2000 800151B2");
    expect("STORE S14CB4 2F646576 2F636F6E 736F6C65 00001BF5", "Store complete.");
    expect("D 14CB4.10", "V00014CB4  2F646576 2F636F6E 736F6C65 00001BF5");
    expect("D R14CB4", "R00014CB4  2F646576");
    expect("D ABS14CB4.4", "A00014CB4  2F646576");
    expect("ST 203 1", "Store complete."); // words go to their boundary
    expect("D 200", "V00000200  00000001");
    expect("ST S301 c1c2", "Store complete.");
    expect("D 300", "V00000300  00C1C200");
}

static void text_stands_beside_the_words(void **state)
{
    (void)state;
    expect("STORE S400 C8C5D3D3D6", "Store complete.");
    assert_int_equal(cmd(&sys, maint, "D T400.10"), 0);
    assert_non_null(strstr(text_get(&sys.out), "*HELLO...........*"));
    expect("STORE S400 48656C6C6F20", "Store complete.");
    assert_int_equal(cmd(&sys, maint, "D TX400.10"), 0);
    assert_non_null(strstr(text_get(&sys.out), "*Hello ..........*"));
}

static void lines_that_repeat_are_suppressed(void **state)
{
    (void)state;
    expect("D 1000-1FFF", "V00001000  00000000 00000000 00000000 00000000\n"
                          "V00001010 TO 00001FFF SUPPRESSED LINE(S) SAME AS ABOVE ....");
    expect("ST 1800 1", "Store complete.");
    expect("D 1000-1FFF", "V00001000  00000000 00000000 00000000 00000000\n"
                          "V00001010 TO 000017FF SUPPRESSED LINE(S) SAME AS ABOVE ....\n"
                          "V00001800  00000001 00000000 00000000 00000000\n"
                          "V00001810  00000000 00000000 00000000 00000000\n"
                          "V00001820 TO 00001FFF SUPPRESSED LINE(S) SAME AS ABOVE ....");
}

static void looking_leaves_no_trace(void **state)
{
    (void)state;
    assert_true(storage_set_key(maint->machine->storage, 0x5000, 0x30));
    expect("D 5000", "V00005000  00000000");
    expect("D K5000-5FFF", "V00005000 TO 00005FFF  KEY = 30");
    expect("ST 5000 1", "Store complete.");
    expect("D K5000", "V00005000 TO 00005FFF  KEY = 36");
}

static void registers(void **state)
{
    (void)state;
    expect("STORE G1 156018 14359C", "Store complete.");
    expect("D G0-3", "GPR  0 =  00000000 00156018 0014359C 00000000");
    expect("D G2", "GPR  2 =  0014359C");
    expect("STORE GG15 0123456789ABCDEF", "Store complete.");
    expect("D GGF", "GRG 15 =  0123456789ABCDEF");
    expect("STORE GF 11111111", "Store complete.");
    expect("D GG15", "GRG 15 =  0123456711111111");
    expect("STORE XG5 1122334455667788", "Store complete.");
    expect("D XG5", "CRG  5 =  1122334455667788");
    expect("STORE AR3 77", "Store complete.");
    expect("D AR3.1", "AR   3 =  00000077");
    expect("STORE Y4 4011000000000000", "Store complete.");
    expect("D Y4", "FPR  4 =  4011000000000000");
    assert_int_equal(maint->vcpu[0]->cpu->vr[4].high, UINT64_C(0x4011000000000000));
}

static void the_psw_in_both_formats(void **state)
{
    (void)state;
    expect("STORE PSW 000A0000 80000FFF", "Store complete.");
    expect("DISPLAY PSW", "PSW = 000A0000 80000FFF");
    cpu_set_architecture(maint->vcpu[0]->cpu, ARCH_Z);
    expect("STORE PSW 07062001 80000000 00000000 0012AE8E", "Store complete.");
    expect("D PSW", "PSW = 0706200180000000 000000000012AE8E");
    expect("ST PSW 0706200180000000 000000000012AE90", "Store complete.");
    expect("ST PSW 1000", "Store complete.");
    expect("D PSW", "PSW = 0706200180000000 0000000000001000");
}

static void store_status_fills_the_assigned_locations(void **state)
{
    (void)state;
    expect("STORE G0 CAFE", "Store complete.");
    expect("STORE STATUS", "Store complete.");
    expect("SYSTEM STORE STATUS", "Status stored.");
    expect("D 180", "V00000180  0000CAFE"); // general registers, ESA/390
}

static void instructions_are_disassembled(void **state)
{
    (void)state;
    expect("STORE S600 1812 50E0C01C 07FE", "Store complete.");
    assert_int_equal(cmd(&sys, maint, "D I600-606"), 0);
    const char *lines = text_get(&sys.out);
    assert_ptr_equal(strstr(lines, "V00000600  1812          LR "), lines);
    assert_non_null(strstr(lines, "\nV00000602  50E0C01C      ST "));
    assert_non_null(strstr(lines, "\nV00000606  07FE "));
}

static void several_operands_at_once(void **state)
{
    (void)state;
    expect("D G0 200 PREFIX", "GPR  0 =  00000000\nV00000200  00000000\nPREFIX = 00000000");
}

static void virtual_machine_at_a_glance(void **state)
{
    (void)state;
    expect("QUERY VIRTUAL ALL",
           "STORAGE = 32M\n"
           "XSTORE = none\n"
           "CPU 00  ID  FF00000139068000 (BASE) STOPPED CP   CPUAFF ON\n"
           "CONS 0009 ON GRAF 0020 TERM STOP\n"
           "     0009 CL T NOCONT NOHOLD COPY 001    READY FORM STANDARD\n"
           "     0009 TO MAINT    PRT DIST MAINT      FLASHC 000 DEST OFF\n"
           "     0009 FLASH      CHAR      MDFY      0 FCB      LPP OFF\n"
           "     0009 3215   NOEOF CLOSED    NOKEEP NOMSG NONAME\n"
           "     0009 SUBCHANNEL = 0000\n"
           "RDR  000C CL * NOCONT NOHOLD   EOF      READY\n"
           "     000C 2540   CLOSED    NOKEEP NORESCAN  SUBCHANNEL = 0001\n"
           "PUN  000D CL A NOCONT NOHOLD COPY 001    READY FORM STANDARD\n"
           "     000D TO MAINT    PUN DIST MAINT      DEST OFF\n"
           "     000D FLASH      000 CHAR      MDFY      0 FCB\n"
           "     000D 2540   NOEOF CLOSED    NOKEEP NOMSG NONAME\n"
           "     000D SUBCHANNEL = 0002\n"
           "PRT  000E CL A NOCONT NOHOLD COPY 001    READY FORM STANDARD\n"
           "     000E TO MAINT    PRT DIST MAINT      FLASHC 000 DEST OFF\n"
           "     000E FLASH      CHAR      MDFY      0 FCB      LPP OFF\n"
           "     000E 1403   NOEOF CLOSED    NOKEEP NOMSG NONAME\n"
           "     000E SUBCHANNEL = 0003\n"
           "DASD 0190 3390 TSTVOL R/W         20 CYL ON DASD  0201 SUBCHANNEL = 0004\n"
           "DASD 0191 3390 TSTVOL R/W         10 CYL ON DASD  0201 SUBCHANNEL = 0005");
    expect("Q V STOR", "STORAGE = 32M");
    assert_int_equal(cmd(&sys, maint, "QUERY CONSOLE"), 0); // Linux looks for the console so
    assert_non_null(strstr(text_get(&sys.out), "SUBCHANNEL = 0000"));
    expect("Q V 191", "DASD 0191 3390 TSTVOL R/W         10 CYL ON DASD  0201 SUBCHANNEL = 0005");
    expect("Q V OSA", "An OSA was not found.");
    expect("DEFINE NIC 0600 QDIO", "NIC 0600 is created; devices 0600-0602 defined");
    assert_int_equal(cmd(&sys, maint, "Q V NIC"), 0);
    assert_ptr_equal(strstr(text_get(&sys.out), "Adapter 0600"), text_get(&sys.out));
    assert_int_equal(cmd(&sys, maint, "Q V OSA"), 0);
    assert_ptr_equal(strstr(text_get(&sys.out), "OSA  0600 ON NIC  0600"), text_get(&sys.out));
    expect("DETACH 601", "NIC 0600 is destroyed; devices 0600-0602 detached");
}

static void storage_and_cpus_are_defined(void **state)
{
    (void)state;
    expect("ST 200 1", "Store complete.");
    expect("DEFINE STORAGE 64M", "STORAGE = 64M\nStorage cleared - system reset.");
    expect("D 200", "V00000200  00000000");
    assert_int_equal(storage_size(maint->machine->storage), UINT64_C(64) << 20);
    expect("DEFINE CPU 1-2", "CPU 01 defined\nCPU 02 defined");
    assert_int_equal(cmd(&sys, maint, "DEFINE CPU 3-4"), 1458);
    assert_string_equal(text_get(&sys.out),
                        "CPU 03 defined\n"
                        "HCPCPU1458E CPU 04 not defined; the maximum number of CPUs is 4");
    expect("CPU 1 STORE G5 1234", "Store complete.");
    expect("CPU 1 D G5", "GPR  5 =  00001234");
    expect("CPU 0-2 02 D G5", "GPR  5 =  00000000\nGPR  5 =  00001234\nGPR  5 =  00000000");
    expect("D G5", "GPR  5 =  00000000");
    expect("DETACH CPU 1", "CPU 01 detached\nStorage cleared - system reset.");
    assert_int_equal(maint->vcpus, 3);
}

static void system_resets(void **state)
{
    (void)state;
    expect("ST 200 1", "Store complete.");
    expect("SYSTEM RESET", "System reset.");
    expect("D 200", "V00000200  00000001");
    expect("SYSTEM CLEAR", "Storage cleared - system reset.");
    expect("D 200", "V00000200  00000000");
    expect("SET MACHINE XA", "System reset.");
    assert_string_equal(maint->mode, "XA");
}

static void devices_come_and_go(void **state)
{
    (void)state;
    expect("DEFINE T3390 AS 0500 CYL 5", "DASD 0500 DEFINED");
    expect("QUERY V 500",
           "DASD 0500 3390 (TEMP) R/W          5 CYL ON DASD  TEMP SUBCHANNEL = 0006");
    expect("DEFINE 1403 1E", "PRT  001E DEFINED");
    expect("DEFINE READER AS 1C", "RDR  001C DEFINED");
    expect("DETACH 1C-1E", "RDR  001C DETACHED\nPRT  001E DETACHED");
    expect("DETACH 500", "DASD 0500 DETACHED");
    assert_null(vdev_find(maint, 0x500));
    expect("DETACH 9", "CONS 0009 DETACHED");
    expect("DEFINE CONSOLE 9", "CONS 0009 DEFINED");
    assert_int_equal(cmd(&sys, maint, "DEFINE CONSOLE A"), 92);
}

static void links_follow_password_and_mode(void **state)
{
    static const struct {
        const char *line, *answer;
        int rc;
    } rows[] = {
        {"LINK MAINT 190 290 RR", "DASD 0290 LINKED R/O; R/W BY MAINT; R/O BY USER1", 0},
        {"LINK MAINT 190 291 R", "HCPLNM104E MAINT 0190 not linked; R/W by MAINT", 104},
        {"LINK MAINT 190 292 W WPASS", "HCPLNM104E MAINT 0190 not linked; R/W by MAINT", 104},
        {"LINK MAINT 190 292 W WRONG",
         "HCPLNM114E MAINT 0190 not linked; mode or password incorrect", 114},
        {"LINK MAINT 190 293 MW MPASS", "DASD 0293 LINKED R/W; R/W BY MAINT; R/O BY 002 USERS", 0},
        {"LINK MAINT 191 294 RR", "HCPLNM114E MAINT 0191 not linked; mode or password incorrect",
         114},
        {"LINK MAINT 191 294 RR PASS= RPASS", "DASD 0294 LINKED R/O; R/W BY MAINT", 0},
        {"LINK MAINT 191 295 W", "HCPLNM112E MAINT 0191 not linked; no write password", 112},
        {"LINK MAINT 191 295 M", "HCPLNM113E MAINT 0191 not linked; no multiple password", 113},
        {"LINK MAINT 191 294 RR RPASS",
         "HCPLNM110E MAINT 0191 not linked; VDEV 0294 already defined", 110},
    };
    struct vm *user1 = cmd_logon(&sys, "USER1", 1);
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(cmd(&sys, user1, rows[i].line), rows[i].rc);
        assert_string_equal(text_get(&sys.out), rows[i].answer);
    }
    expect("QUERY LINKS 191", "MAINT    0191 R/W, USER1    0294 R/O");
}

static void sleep_ends_by_itself(void **state)
{
    (void)state;
    vm_begin(maint);
    expect("SLEEP 2 SEC", "");
    assert_true(maint->cp_read);
    tod_t now = clock_now(&sys.world.clock);
    cp_run(sys.cp, now + TOD_SECOND);
    assert_true(maint->cp_read);
    cp_run(sys.cp, now + 3 * TOD_SECOND);
    assert_false(maint->cp_read);
    vm_stop(maint);
    expect("SLEEP 1 SEC", "");
    cp_run(sys.cp, now + 9 * TOD_SECOND);
    assert_true(maint->cp_read); // where it came from
    assert_int_equal(maint->sleep_until, 0);
}

static void an_external_interruption_is_pending(void **state)
{
    struct external_interruption what;
    (void)state;
    expect("EXTERNAL", "");
    assert_true(vm_take_external(maint, 0x40, &what));
    assert_int_equal(what.code, 0x40);
    expect("EXTERNAL 2401 PARM ABCD", "");
    assert_true(vm_take_external(maint, 0x200, &what));
    assert_int_equal(what.parameter, 0xABCD);
    assert_false(vm_take_external(maint, 0x40, &what));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(words_go_in_and_come_out),
        TEST(text_stands_beside_the_words),
        TEST(lines_that_repeat_are_suppressed),
        TEST(looking_leaves_no_trace),
        TEST(registers),
        TEST(the_psw_in_both_formats),
        TEST(store_status_fills_the_assigned_locations),
        TEST(instructions_are_disassembled),
        TEST(several_operands_at_once),
        TEST(virtual_machine_at_a_glance),
        TEST(storage_and_cpus_are_defined),
        TEST(system_resets),
        TEST(devices_come_and_go),
        TEST(links_follow_password_and_mode),
        TEST(sleep_ends_by_itself),
        TEST(an_external_interruption_is_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
