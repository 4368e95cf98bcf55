// SPDX-License-Identifier: MIT
// What is wrong with a command, one line each: what goes in, the message and return code that come
// out. None of them may change anything.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmd_system.h"

static const struct {
    const char *line;
    const char *answer; // all of it
    int rc;
} rows[] = {
    // clang-format off
    {"NONSENSE",                 "HCPCMD001E Unknown CP command: NONSENSE", 1},
    {"QU!RY NAMES",              "HCPCMD001E Unknown CP command: QU!RY", 1},
    {"SHUTDOW",                  "HCPCMD001E Unknown CP command: SHUTDOW", 1},
    {"QUERY",                    "HCPCFC026E Operand missing or invalid", 26},
    {"QUERY NONSENSE",           "HCPCQV003E Invalid option - NONSENSE", 3},
    {"QUERY Q DA ALL",           "HCPCQV003E Invalid option - Q", 3},
    {"QUERY NAMES NOW",          "HCPCMD003E Invalid option - NOW", 3},
    {"QUERY TIME ZONE",          "HCPCMD003E Invalid option - ZONE", 3},
    {"QUERY USER NOBODY",        "HCPCQU045E NOBODY not logged on", 45},
    {"QUERY USER TOOLONGNAME",   "HCPCQV003E Invalid option - TOOLONGNAME", 3},
    {"QUERY USER2",              "HCPCQU045E USER2 not logged on", 45},
    {"QUERY V 0FFF",             "HCPQVD040E Device 0FFF does not exist", 40},
    {"QUERY V 12345",            "HCPCMD003E Invalid option - 12345", 3},
    {"QUERY V NONSENSE",         "HCPCMD003E Invalid option - NONSENSE", 3},
    {"QUERY 0FFF",               "HCPQDV040E Device 0FFF does not exist", 40},
    {"QUERY 0300-0200",          "HCPCQV003E Invalid option - 0300-0200", 3},
    {"QUERY SHARE",              "HCPUSR020E Userid missing or invalid", 20},
    {"QUERY SHARE USER2",        "HCPUSO045E USER2 not logged on", 45},
    {"QUERY PF25",               "HCPCQV003E Invalid option - PF25", 3},
    {"QUERY PF0",                "HCPCQV003E Invalid option - PF0", 3},
    {"QUERY RDR 7",              "HCPCMD042E Spoolid 7 does not exist", 42},
    {"QUERY RDR X7",             "HCPCMD008E Invalid spoolid - X7", 8},
    {"QUERY RDR CLASS",          "HCPCMD028E Class missing or invalid", 28},
    {"SET",                      "HCPCFC026E Operand missing or invalid", 26},
    {"SET NONSENSE",             "HCPCMD003E Invalid option - NONSENSE", 3},
    {"SET MSG",                  "HCPCFC026E Operand missing or invalid", 26},
    {"SET MSG PERHAPS",          "HCPCMD002E Invalid operand - PERHAPS", 2},
    {"SET MSG ON NOW",           "HCPCMD003E Invalid option - NOW", 3},
    {"SET EMSG",                 "HCPCFC026E Operand missing or invalid", 26},
    {"SET RUN MAYBE",            "HCPCMD002E Invalid operand - MAYBE", 2},
    {"SET PF25 X",               "HCPCMD003E Invalid option - PF25", 3},
    {"SET SHARE",                "HCPUSR020E Userid missing or invalid", 20},
    {"SET SHARE USER1",          "HCPCFC026E Operand missing or invalid", 26},
    {"SET SHARE USER1 REL",      "HCPCFC026E Operand missing or invalid", 26},
    {"SET SHARE USER1 REL 0",    "HCPCMD002E Invalid operand - 0", 2},
    {"SET SHARE USER1 REL 10001","HCPCMD002E Invalid operand - 10001", 2},
    {"SET SHARE USER1 ABS 101%", "HCPCMD002E Invalid operand - 101%", 2},
    {"SET SHARE USER1 ABS 0%",   "HCPCMD002E Invalid operand - 0%", 2},
    {"SET SHARE USER1 ABS 1.55%","HCPCMD002E Invalid operand - 1.55%", 2},
    {"SET SHARE USER1 REL 5 ABS 9%", "HCPCFC026E Operand missing or invalid", 26},
    {"SET SHARE USER1 REL 5 MORE", "HCPCMD003E Invalid option - MORE", 3},
    {"SET SECUSER NOBODY",       "HCPUSR053E NOBODY not in CP directory", 53},
    {"SET SECUSER",              "HCPCFC026E Operand missing or invalid", 26},
    {"SET PRIVCLASS * +?",       "HCPCMD028E Class missing or invalid", 28},
    {"SET PRIVCLASS *",          "HCPCMD028E Class missing or invalid", 28},
    {"SET PRIVCLASS NOBODY G",   "HCPUSO045E NOBODY not logged on", 45},
    {"SET MACHINE VAX",          "HCPCMD002E Invalid operand - VAX", 2},
    {"TERMINAL",                 "HCPCFC026E Operand missing or invalid", 26},
    {"TERMINAL MORE 10",         "HCPCFC026E Operand missing or invalid", 26},
    {"TERMINAL MORE 10 256",     "HCPCMD002E Invalid operand - 256", 2},
    {"TERMINAL MORE -1 0",       "HCPCMD002E Invalid operand - -1", 2},
    {"TERMINAL HOLD PERHAPS",    "HCPCMD002E Invalid operand - PERHAPS", 2},
    {"TERMINAL CONMODE 3279",    "HCPCMD002E Invalid operand - 3279", 2},
    {"TERMINAL LINEND AB",       "HCPCMD002E Invalid operand - AB", 2},
    {"TERMINAL LINEND A",        "HCPCMD002E Invalid operand - A", 2},
    {"TERMINAL BRKKEY PF25",     "HCPCMD002E Invalid operand - PF25", 2},
    {"TERMINAL LINESIZE 256",    "HCPCMD002E Invalid operand - 256", 2},
    {"MSG",                      "HCPUSR020E Userid missing or invalid", 20},
    {"MSG NOBODY HELLO",         "HCPUSO045E NOBODY not logged on", 45},
    {"MSG USER1",                "HCPCFC026E Operand missing or invalid", 26},
    {"MSG TOOLONGNAME HELLO",    "HCPUSR020E Userid missing or invalid", 20},
    {"SEND",                     "HCPUSR020E Userid missing or invalid", 20},
    {"FORCE",                    "HCPUSR020E Userid missing or invalid", 20},
    {"FORCE NOBODY",             "HCPUSO045E NOBODY not logged on", 45},
    {"FORCE USER1 WITHIN 0",     "HCPCMD002E Invalid operand - 0", 2},
    {"FORCE USER1 GENTLY",       "HCPCMD003E Invalid option - GENTLY", 3},
    {"SIGNAL",                   "HCPCFC026E Operand missing or invalid", 26},
    {"SIGNAL SHUTDOWN NOBODY",   "HCPUSO045E NOBODY not logged on", 45},
    {"XAUTOLOG",                 "HCPUSR020E Userid missing or invalid", 20},
    {"XAUTOLOG NOBODY",          "HCPUSR053E NOBODY not in CP directory", 53},
    {"XAUTOLOG USER1",           "HCPLGA054E Already logged on 0021", 54},
    {"XAUTOLOG USER2 STORAGE 1G","HCPDST094E Storage exceeds allowed maximum of 16M", 94},
    {"XAUTOLOG USER2 STORAGE X", "HCPCMD002E Invalid operand - X", 2},
    {"XAUTOLOG USER2 MACHINE Y", "HCPCMD002E Invalid operand - Y", 2},
    {"XAUTOLOG USER2 QUICKLY",   "HCPCMD003E Invalid option - QUICKLY", 3},
    {"AUTOLOG USER2",            "HCPCFC026E Operand missing or invalid", 26},
    {"AUTOLOG USER2 WRONG",      "HCPAUT059E AUTOLOG failed for USER2 - password incorrect", 59},
    {"FOR",                      "HCPUSR020E Userid missing or invalid", 20},
    {"FOR USER1 QUERY NAMES",    "HCPCFC026E Operand missing or invalid", 26},
    {"SILENTLY",                 "HCPCFC026E Operand missing or invalid", 26},
    {"BEGIN XYZ",                "HCPCMD004E Invalid hexloc - XYZ", 4},
    {"BEGIN 200 300",            "HCPCMD003E Invalid option - 300", 3},
    {"STOP CPU",                 "HCPCFC026E Operand missing or invalid", 26},
    {"STOP CPU 3",               "HCPCPU1457E CPU 03 is not defined", 1457},
    {"STOP CPU 40",              "HCPCMD002E Invalid operand - 40", 2},
    {"CPU 7 DISPLAY G",          "HCPCPU1457E CPU 07 is not defined", 1457},
    {"CPU 0",                    "HCPCFC026E Operand missing or invalid", 26},
    {"CPU 2-1 D G",              "HCPCMD002E Invalid operand - 2-1", 2},
    {"SYSTEM",                   "HCPCFC026E Operand missing or invalid", 26},
    {"SYSTEM CRASH",             "HCPCMD003E Invalid option - CRASH", 3},
    {"EXTERNAL 12345",           "HCPCMD003E Invalid option - 12345", 3},
    {"EXTERNAL 40 PARM",         "HCPCMD025E Data missing or invalid", 25},
    {"READY",                    "HCPCMD022E A virtual device number was not supplied or it was invalid", 22},
    {"READY 777",                "HCPDTV040E Device 0777 does not exist", 40},
    {"RESET 777",                "HCPDTV040E Device 0777 does not exist", 40},
    {"SLEEP 100",                "HCPCMD002E Invalid operand - 100", 2},
    {"IPL",                      "HCPCMD022E A virtual device number was not supplied or it was invalid", 22},
    {"IPL 777 LOADPARM TOOLONGPARM", "HCPCMD002E Invalid operand - TOOLONGPARM", 2},
    {"IPL 777 NONSENSE",         "HCPCMD003E Invalid option - NONSENSE", 3},
    {"DISPLAY",                  "HCPCFC026E Operand missing or invalid", 26},
    {"DISPLAY XYZ",              "HCPCMD010E Invalid register - YZ", 10},
    {"DISPLAY Q",                "HCPCMD004E Invalid hexloc - Q", 4},
    {"DISPLAY R",                "HCPCMD033E Hexloc missing or invalid", 33},
    {"DISPLAY 200-100",          "HCPCMD009E Invalid range - 200-100", 9},
    {"DISPLAY 200.0",            "HCPCMD009E Invalid range - 200.0", 9},
    {"DISPLAY 12345678123456781", "HCPCMD004E Invalid hexloc - 12345678123456781", 4},
    {"DISPLAY R7FFFFFF0",        "HCPCDB160E Hexloc 7FFFFFF0 exceeds storage", 160},
    {"DISPLAY G16",              "HCPCMD010E Invalid register - 16", 10},
    {"DISPLAY G5-3",             "HCPCMD010E Invalid register - 5-3", 10},
    {"DISPLAY SCHIB 777",        "HCPDTV040E Device 0777 does not exist", 40},
    {"STORE",                    "HCPCFC026E Operand missing or invalid", 26},
    {"STORE 200",                "HCPCMD025E Data missing or invalid", 25},
    {"STORE 200 XYZ",            "HCPCMD005E Invalid hexdata - XYZ", 5},
    {"STORE 200 123456789",      "HCPCMD005E Invalid hexdata - 123456789", 5},
    {"STORE S200 123",           "HCPCMD005E Invalid hexdata - 123", 5},
    {"STORE R7FFFFFF0 1",        "HCPCDB160E Hexloc 7FFFFFF0 exceeds storage", 160},
    {"STORE G",                  "HCPCMD010E Invalid register - ", 10},
    {"STORE G16 0",              "HCPCMD010E Invalid register - 16", 10},
    {"STORE GF 1 2",             "HCPCMD010E Invalid register - F", 10},
    {"STORE PSW",                "HCPCMD025E Data missing or invalid", 25},
    {"STORE PSW 1 2 3",          "HCPCMD025E Data missing or invalid", 25},
    {"STORE PSW 1 2 3 4 5",      "HCPCMD005E Invalid hexdata - 5", 5},
    {"TRACE",                    "HCPCFC026E Operand missing or invalid", 26},
    {"TRACE I RANGE",            "HCPCMD033E Hexloc missing or invalid", 33},
    {"TRACE I RANGE XYZ",        "HCPCMD004E Invalid hexloc - XYZ", 4},
    {"TRACE I RANGE 20-10",      "HCPCMD009E Invalid range - 20-10", 9},
    {"TRACE I SKIP",             "HCPCFC026E Operand missing or invalid", 26},
    {"TRACE I NONSENSE",         "HCPCMD003E Invalid option - NONSENSE", 3},
    {"TRACE END",                "HCPTRQ1507E No traces are in effect", 1507},
    {"TRACE OFF",                "HCPTRQ1507E No traces are in effect", 1507},
    {"DEFINE",                   "HCPCFC026E Operand missing or invalid", 26},
    {"DEFINE STORAGE",           "HCPCFC026E Operand missing or invalid", 26},
    {"DEFINE STORAGE 1",         "HCPCMD002E Invalid operand - 1", 2},
    {"DEFINE STORAGE LOTS",      "HCPCMD002E Invalid operand - LOTS", 2},
    {"DEFINE STORAGE 65M",       "HCPDST094E Storage exceeds allowed maximum of 64M", 94},
    {"DEFINE CPU",               "HCPCFC026E Operand missing or invalid", 26},
    {"DEFINE CPU 0",             "HCPCPU1450E CPU 00 already defined", 1450},
    {"DEFINE CPU 1 TYPE VAX",    "HCPCMD002E Invalid operand - VAX", 2},
    {"DEFINE CPU 1 TYPE",        "HCPCFC026E Operand missing or invalid", 26},
    {"DEFINE READER",            "HCPCMD022E A virtual device number was not supplied or it was invalid", 22},
    {"DEFINE READER 00E",        "HCPDFN092E PRT 000E not defined; device already defined", 92},
    {"DEFINE T3390 200 CYL 0",   "HCPCMD002E Invalid operand - 0", 2},
    {"DETACH",                   "HCPCMD022E A virtual device number was not supplied or it was invalid", 22},
    {"DETACH 777",               "HCPDTV040E Device 0777 does not exist", 40},
    {"DETACH XYZ",               "HCPCMD003E Invalid option - XYZ", 3},
    {"DETACH CPU 0",             "HCPCPU1456E The base CPU 00 cannot be detached.", 1456},
    {"DETACH CPU 5",             "HCPCPU1457E CPU 05 is not defined", 1457},
    {"LINK",                     "HCPUSR020E Userid missing or invalid", 20},
    {"LINK NOBODY 191 291",      "HCPLNM053E NOBODY not in CP directory", 53},
    {"LINK USER2 191 291",       "HCPLNM107E USER2 0191 not linked; not in CP directory", 107},
    {"LINK MAINT 191",           "HCPCMD022E A virtual device number was not supplied or it was invalid", 22},
    {"LINK MAINT 191 291 RR X Y", "HCPCMD003E Invalid option - Y", 3},
    {"SPOOL",                    "HCPCFC026E Operand missing or invalid", 26},
    {"SPOOL 777 HOLD",           "HCPDTV040E Device 0777 does not exist", 40},
    {"SPOOL PRT",                "HCPCFC026E Operand missing or invalid", 26},
    {"SPOOL PRT CLASS AB",       "HCPCMD028E Class missing or invalid", 28},
    {"SPOOL PRT CLASS *",        "HCPCMD028E Class missing or invalid", 28},
    {"SPOOL PRT COPY 0",         "HCPCMD030E Copies missing or invalid", 30},
    {"SPOOL PRT TO NOBODY",      "HCPUSR053E NOBODY not in CP directory", 53},
    {"SPOOL PRT NONSENSE",       "HCPCMD003E Invalid option - NONSENSE", 3},
    {"CLOSE",                    "HCPCFC026E Operand missing or invalid", 26},
    {"PURGE",                    "HCPCFC026E Operand missing or invalid", 26},
    {"PURGE RDR",                "HCPCMD027E Spoolid missing or invalid", 27},
    {"PURGE RDR 99",             "HCPCMD042E Spoolid 99 does not exist", 42},
    {"PURGE RDR CLASS ?",        "HCPCMD028E Class missing or invalid", 28},
    {"TRANSFER RDR ALL",         "HCPCFC026E Operand missing or invalid", 26},
    {"TRANSFER RDR ALL TO NOBODY", "HCPUSR053E NOBODY not in CP directory", 53},
    {"CHANGE RDR ALL",           "HCPCFC026E Operand missing or invalid", 26},
    {"ATTACH",                   "HCPCMD021E Real device number missing or invalid", 21},
    {"ATTACH 0777 SYSTEM",       "HCPATR040E Device 0777 does not exist", 40},
    {"ATTACH 0201 SYSTEM",       "HCPATR122E DASD 0201 already attached to SYSTEM", 122},
    {"VARY",                     "HCPCFC026E Operand missing or invalid", 26},
    {"VARY ON",                  "HCPCMD021E Real device number missing or invalid", 21},
    {"VARY OFF 0201",            "HCPCMD049E Device 0201 in use", 49},
    {"INDICATE NONSENSE",        "HCPCMD003E Invalid option - NONSENSE", 3},
    {"INDICATE PAGING",          "HCPCFC026E Operand missing or invalid", 26},
    {"SHUTDOWN SYSTEM OTHER",    "HCPCMD002E Invalid operand - OTHER", 2},
    {"SHUTDOWN WITHIN 0",        "HCPCMD002E Invalid operand - 0", 2},
    {"SHUTDOWN CANCEL",          "HCPSHU966E No shutdown is pending", 966},
    {"SHUTDOWN LATER",           "HCPCMD003E Invalid option - LATER", 3},
    {"SET SRM",                  "HCPCFC026E Operand missing or invalid", 26},
    {"SET SRM DSPSLICE 0",       "HCPCMD002E Invalid operand - 0", 2},
    // clang-format on
};

static void each_gives_its_message(void **state)
{
    struct cmd_system sys;
    unsigned wrong = 0;
    (void)state;
    cmd_system_start(&sys);
    struct vm *maint = cmd_logon(&sys, "MAINT", 0);
    cmd_logon(&sys, "USER1", 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int rc = cmd(&sys, maint, rows[i].line);
        if (rc == rows[i].rc && strcmp(text_get(&sys.out), rows[i].answer) == 0)
            continue;
        print_error("%s: rc %d, not %d: %s\n", rows[i].line, rc, rows[i].rc, text_get(&sys.out));
        wrong++;
    }
    assert_int_equal(wrong, 0);
    assert_int_equal(sys.cp->users_count, 2);
    assert_ptr_equal(cp_user(sys.cp, "MAINT"), maint);
    cmd_system_stop(&sys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_gives_its_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
