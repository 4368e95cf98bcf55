// SPDX-License-Identifier: MIT
// SYSTEM CONFIG and USER DIRECT: what statements mean, and each error with its line.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "cp/directory.h"
#include "cp/system_config.h"

// --- errors: one pair a line -----------------------------------------------------

struct pair {
    const char *text, *error;
};

static const struct pair directory_errors[] = {
    {"USER A A\n FROB X\n", "t:2: unknown directory statement FROB\n"},
    {"USER A A\n POSIXINFO UID 1\n", "t:2: unknown directory statement POSIXINFO\n"},
    {"MDISK 191 3390 1 1 V MR\n", "t:1: MDISK does not follow a USER or PROFILE statement\n"},
    {"USER A\n", "t:1: USER: password is missing\n"},
    {"USER TOOLONGID A\n", "t:1: USER: userid is longer than 8 characters: TOOLONGID\n"},
    {"USER A.B A\n", "t:1: USER: invalid userid A.B\n"},
    {"USER A A 12Q\n", "t:1: USER: invalid storage size 12Q (1M to 64G)\n"},
    {"USER A A 64M 32M\n", "t:1: USER: storage exceeds its maximum\n"},
    {"USER A A 32M 64M A7\n", "t:1: USER: invalid privilege classes A7\n"},
    {"USER A A\n\n* comment\nUSER A B\n", "t:4: USER: A is defined twice\n"},
    {"USER A A\n INCLUDE NONE\n", "t:2: INCLUDE: there is no PROFILE NONE before this\n"},
    {"PROFILE P\nUSER A A\n IUCV ANY\n INCLUDE P\n",
     "t:4: INCLUDE must follow the USER statement\n"},
    {"USER A A\n CONSOLE 009 3215\n MACHINE ESA\n",
     "t:3: statement sequence error following USER A: MACHINE must come before the device "
     "statements\n"},
    {"USER A A\n MACHINE S360\n", "t:2: MACHINE: invalid mode S360 (ESA, XA, XC or Z)\n"},
    {"USER A A\n CPUMODEL\n", "t:2: CPUMODEL: the model is missing\n"},
    {"USER A A\n CPUMODEL z10 -nosuch\n", "t:2: CPUMODEL: facility nosuch is not known\n"},
    {"USER A A\n CPU 40\n", "t:2: CPU: invalid CPU address 40 (00 to 3F)\n"},
    {"USER A A\n CONSOLE 10009 3215\n", "t:2: CONSOLE: 10009 is not a device number\n"},
    {"USER A A\n CONSOLE 009 VT100\n", "t:2: CONSOLE: invalid device type VT100\n"},
    {"USER A A\n SPOOL 00C 2540\n", "t:2: SPOOL: invalid device type 2540\n"},
    {"USER A A\n MDISK 191 3390 1 0 V\n",
     "t:2: MDISK: size must be a number from 1 to 65520, not 0\n"},
    {"USER A A\n MDISK 191 3390 1 1 V QQ\n", "t:2: MDISK: invalid mode QQ\n"},
    {"USER A A\n MDISK 191 3390 1 1 V\n MDISK 0191 3390 2 1 V\n",
     "t:3: MDISK: 0191 is defined twice\n"},
    {"USER A A\n LINK B 191 191 RRR\n", "t:2: LINK: invalid mode RRR\n"},
    {"USER A A\n NICDEF 600 TYPE TOKEN\n", "t:2: NICDEF: invalid TYPE\n"},
    {"USER A A\n IUCV\n", "t:2: IUCV: target is missing\n"},
    {"USER A A\n IUCV ANY FAST\n", "t:2: IUCV: unexpected operand FAST\n"},
    {"USER A A\n OPTION FLY\n", "t:2: OPTION: unknown option FLY\n"},
    {"USER A A\n SHARE ABS 200%\n", "t:2: SHARE: ABSOLUTE .1% to 100% or RELATIVE 1 to 10000\n"},
    {"USER A A\n SHARE REL 0\n", "t:2: SHARE: ABSOLUTE .1% to 100% or RELATIVE 1 to 10000\n"},
    {"USER A A 32M,\n 64M,\n G G G G G G G\n", "t:1: USER: unexpected operand G\n"},
};

static const struct pair config_errors[] = {
    {"", "t:1: System_Identifier is missing\n"},
    {"System_Identifier X\nCPU_Model\n", "t:2: CPU_Model: the model is missing\n"},
    {"System_Identifier X\nCPU_Model z10 -18\n",
     "t:2: CPU_Model: facility 19 (ldispfast) needs 18 (ldisp), which is off\n"},
    {"System_Identifier X\nFrobnicate\n",
     "t:2: invalid system configuration file statement - FROBNICATE\n"},
    {"System_Identifier TOOLONGID\n",
     "t:1: SYSTEM_IDENTIFIER: system name is longer than 8 characters: "
     "TOOLONGID\nt:2: System_Identifier is missing\n"},
    {"System_Identifier X\n/* never\nclosed\n", "t:2: comment is not closed\n"},
    {"System_Identifier X\nCP_Owned Slot 300 V\n",
     "t:2: CP_OWNED: slot must be a number from 1 to 255, not 300\n"},
    {"System_Identifier X\nCP_Owned V\n", "t:2: CP_Owned: Slot is missing\n"},
    {"System_Identifier X\nRDevice 200\n", "t:2: RDevice: Type is missing\n"},
    {"System_Identifier X\nRDevice 200 Type DASD Volume V\n",
     "t:2: RDevice: a DASD needs Volume, and Cylinders or Image\n"},
    {"System_Identifier X\nFeatures Enable Flying\n", "t:2: Features: unknown feature FLYING\n"},
    {"System_Identifier X\nProcessors 0\n",
     "t:2: PROCESSORS: number must be a number from 1 to 64, not 0\n"},
    {"System_Identifier X\nProcessors 2 GPU\n", "t:2: Processors: invalid type GPU\n"},
    {"System_Identifier X\nStorage lots\n", "t:2: Storage: invalid size LOTS\n"},
    {"System_Identifier X\nTimezone_Definition EST North 5.00.00\n",
     "t:2: Timezone_Definition: East or West is missing\n"},
    {"System_Identifier X\nTimezone_Definition EST West 5.00\n",
     "t:2: Timezone_Definition: offset must be hh.mm.ss\n"},
    {"System_Identifier X\nCharacter_Defaults Bell '#'\n",
     "t:2: Character_Defaults: invalid operand near BELL\n"},
    {"System_Identifier X\nOperator_Consoles 20 Zork\n",
     "t:2: Operator_Consoles: ZORK is not a device number\n"},
    {"System_Identifier X\nSet Sail 1\n",
     "t:2: Set: ShutdownTime or Signal ShutdownTime expected\n"},
};

static void directory_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof directory_errors / sizeof *directory_errors; i++) {
        struct text errors = {0};
        assert_null(directory_parse("t", directory_errors[i].text, &errors));
        assert_string_equal(text_get(&errors), directory_errors[i].error);
        text_free(&errors);
    }
}

static void config_mistakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof config_errors / sizeof *config_errors; i++) {
        struct text errors = {0};
        assert_null(system_config_parse("t", config_errors[i].text, &errors));
        assert_string_equal(text_get(&errors), config_errors[i].error);
        text_free(&errors);
    }
}

// --- meaning --------------------------------------------------------------------------

static struct directory *directory(const char *text)
{
    struct text errors = {0};
    struct directory *d = directory_parse("t", text, &errors);
    if (!d)
        print_error("%s", text_get(&errors));
    text_free(&errors);
    assert_non_null(d);
    return d;
}

static void a_user_has_what_its_profile_gives(void **state)
{
    (void)state;
    struct directory *d = directory("* first\n"
                                    "PROFILE BASE\n"
                                    "  MACHINE XC 2\n"
                                    "  OPTION QUICKDSP MAXCONN 32\n"
                                    "  COMMAND SET RUN ON\n"
                                    "  CONSOLE 009 3215 T MAINT\n"
                                    "  SPOOL 00C 2540 READER *\n"
                                    "USER ONE SECRET 64M 1G BG\n"
                                    "  INCLUDE BASE\n"
                                    "  CPU 03\n"
                                    "  IPL 190 PARM Auto cr\n"
                                    "  IUCV *MONITOR MSGLIMIT 255\n"
                                    "  SHARE ABSOLUTE 12.5% RELATIVE 200 LIMITHARD\n"
                                    "  SPOOL 00C 3505 X\n"
                                    "  MDISK 191 3390 10 END VOL001 MR READPW WRITEPW\n"
                                    "  LINK MAINT 190\n"
                                    "  NICDEF 600 TYPE QDIO,\n"
                                    "             LAN SYSTEM VSW1\n"
                                    "USER TWO NOLOG\n");
    const struct directory_user *u = directory_find(d, "one");

    assert_int_equal(d->users, 2);
    assert_string_equal(u->mode, "XC");
    assert_int_equal(u->max_cpus, 4); // its CPU 03 needs as many
    assert_true(u->option.quickdsp);
    assert_int_equal(u->option.maxconn, 32);
    assert_string_equal(u->command[0], "SET RUN ON");
    assert_string_equal(u->console.secondary, "MAINT");
    assert_int_equal(u->spools, 1); // the user's own replaces the profile's
    assert_string_equal(u->spool[0].type, "3505");
    assert_int_equal(u->classes, CLASS('B') | CLASS('G'));
    assert_int_equal(u->storage, 64 << 20);
    assert_string_equal(u->ipl, "190");
    assert_string_equal(u->ipl_parm, "Auto cr");
    assert_int_equal(u->iucv[0].msglimit, 255);
    assert_true(u->share.absolute && u->share.limited && u->share.limit_hard);
    assert_int_equal(u->share.value, 125);
    assert_int_equal(u->share.limit, 200);
    assert_int_equal(directory_mdisk(u, 0x191)->cylinders, 0);
    assert_string_equal(directory_mdisk(u, 0x191)->password[1], "WRITEPW");
    assert_string_equal(u->link[0].mode, "RR");
    assert_int_equal(u->link[0].as, 0x190);
    assert_string_equal(u->nic[0].lan_name, "VSW1");
    assert_true(directory_password(u, "secret"));
    assert_false(directory_password(u, "other"));
    assert_false(directory_password(directory_find(d, "TWO"), "NOLOG"));
    directory_free(d);
}

static void config_statements_mean_this(void **state)
{
    (void)state;
    struct text errors = {0};
    struct system_config *c = system_config_parse(
        "t",
        "System_Identifier * * TESTVM /* us */\n"
        "OTHER: Processors 99\n"
        "TESTVM: Processors 3 ZIIP\n"
        "Storage 8G\n"
        "CP_Owned Slot 2 SPL001\n"
        "User_Volume_List A B,\n"
        "   C\n"
        "RDevice 1000 Type DASD Volume SPL001 Cylinders 200\n"
        "Character_Defaults Line_End '!' Char_Delete OFF\n"
        "Timezone_Definition EST West 05.00.00\n"
        "Features Enable Set_Privclass Disable Clear_TDisk Disconnect_Timeout Off\n"
        "Autolog ONE TWO\n"
        "DEFINE VSWITCH Vsw1 rdev none\n",
        &errors);
    assert_non_null(c);
    assert_string_equal(text_get(&errors), "");
    assert_string_equal(c->system_name, "TESTVM");
    assert_int_equal(c->processors, 3);
    assert_int_equal(c->processor_type, PROCESSOR_ZIIP);
    assert_int_equal(c->storage, UINT64_C(8) << 30);
    assert_string_equal(c->owned[2], "SPL001");
    assert_int_equal(c->user_volumes.count, 3);
    assert_int_equal(c->rdev[0].cylinders, 200);
    assert_string_equal(c->line_end, "!");
    assert_string_equal(c->character_delete, "");
    assert_int_equal(c->timezone_offset, -5 * 3600);
    assert_true(c->features.set_privclass);
    assert_int_equal(c->features.disconnect_timeout, 0);
    assert_int_equal(c->autologs, 2);
    assert_string_equal(c->command[0].text, "DEFINE VSWITCH Vsw1 rdev none");
    assert_int_equal(c->command[0].line, 13);
    system_config_free(c);
    text_free(&errors);
}

static void the_embedded_system_is_right(void **state)
{
    (void)state;
    struct text errors = {0};
    struct system_config *c = system_config_parse("SYSTEM CONFIG", default_system_config, &errors);
    struct directory *d = directory_parse("USER DIRECT", default_user_direct, &errors);
    assert_string_equal(text_get(&errors), "");
    assert_non_null(directory_find(d, c->userid_operator));
    assert_non_null(directory_find(d, "GUEST1"));
    directory_free(d);
    system_config_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directory_mistakes),
        cmocka_unit_test(config_mistakes),
        cmocka_unit_test(a_user_has_what_its_profile_gives),
        cmocka_unit_test(config_statements_mean_this),
        cmocka_unit_test(the_embedded_system_is_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
