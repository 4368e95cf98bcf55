// SPDX-License-Identifier: MIT
// A guest that asks for everything without end (storm.h) beside one that formats, writes and reads
// its disk: what the second says on its console is always the same, and SHUTDOWN ends the system.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "endicott.h"
#include "engine/hostile_session.h"
#include "engine/storm.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define INPUTS_A_SYSTEM  64
#define INPUTS_A_SESSION 8

static const char config[] = "System_Identifier * * FUZZ\nProcessors 3 IFL\nStorage 256M\n"
                             "RDevice 0200 Type DASD Volume V00001 Cylinders 10\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n CONSOLE 009 3215\n"
    "USER HOSTILE HOSTILE 1M 4M G\n MACHINE Z 3\n CPU 00\n CPU 01\n OPTION APPLMON\n IUCV ANY\n"
    " IUCV ALLOW\n IUCV *MONITOR MSGLIMIT 255\n IUCV *MSG\n IUCV *ACCOUNT\n IUCV *LOGREC\n"
    " NAMESAVE MONDCSS\n CONSOLE 009 3215\n"
    " SPOOL 00C 2540 READER\n SPOOL 00D 2540 PUNCH A\n SPOOL 00E 1403 A\n"
    " MDISK 191 3390 1 2 V00001 MR\n MDISK 192 3390 3 1 V00001 RR\n MDISK 193 FB-512 V-DISK 100\n"
    "USER VICTIM VICTIM 16M 16M G\n MACHINE Z\n CONSOLE 009 3215\n MDISK 191 3390 4 2 V00001 MR\n";

static unsigned inputs;
static bool ending; // SHUTDOWN logs everybody off

// --- the innocent one ------------------------------------------------------------------

static struct {
    struct terminal terminal; // first: the operations get it
    char text[512];           // what it wrote since its last IPL
    unsigned ends;
} victim;

static void victim_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    (void)term;
    if (kind != LINE_VM)
        return;
    size_t n = strlen(victim.text);
    snprintf(victim.text + n, sizeof victim.text - n, "%s\n", utf8);
}

static void victim_status(struct terminal *term, enum terminal_status status)
{
    (void)term;
    (void)status;
}

static void victim_ended(struct terminal *term)
{
    (void)term;
    must(ending, "the victim was logged off");
}

static const struct terminal_ops victim_ops = {
    .line = victim_line, .status = victim_status, .ended = victim_ended};

static void start_victim(void)
{
    victim.text[0] = 0;
    command("VICTIM", "IPL DASDIO PARM n=5 tracks=2");
}

// At its end it has written what it always writes; then it begins again.
static void check_victim(void)
{
    static const char expected[] =
        "dasdio: 24 records formatted\ndasdio: 5 records written, 4 verified\n";
    must(logged_on("VICTIM"), "the victim is gone");
    must(strncmp(victim.text, expected, strlen(victim.text)) == 0, victim.text);
    if (strlen(victim.text) < sizeof expected - 1)
        return;
    victim.ends++;
    start_victim();
}

// --- the system --------------------------------------------------------------------------

// Bundled guests are in the build directory that this program is in, unless said otherwise.
static void find_guests(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 20);
    for (unsigned up = 0; n > 0 && up < 3; n--)
        up += path[n - 1] == '/';
    if (n > 0) {
        strcpy(path + n, "/guests");
        setenv("ENDICOTT_GUESTS", path, 0);
    }
}

static void new_system(void)
{
    char *error = NULL;
    find_guests();
    sys = endicott_new(
        &(struct endicott_options){
            .mode = CLOCK_VIRTUAL, .config_text = config, .directory_text = directory, .mips = 20},
        &error);
    must(sys != NULL, error);
    command(NULL, "DEFINE VSWITCH SW");
    command(NULL, "SET VSWITCH SW GRANT HOSTILE");
    victim.terminal = (struct terminal){.ops = &victim_ops, .name = "LDEV 1"};
    must(endicott_terminal_logon(sys, &victim.terminal, "VICTIM") == 0, "no victim");
    start_victim();
}

static void end_system(void)
{
    must(victim.ends > 0, "the victim got nothing done");
    victim.ends = 0;
    ending = true;
    command(NULL, "SHUTDOWN");
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(0.1));
    must(endicott_is_down(sys), "SHUTDOWN did not end it");
    endicott_free(sys);
    sys = NULL;
    ending = false;
}

static void ready_hostile(void)
{
    if (inputs % INPUTS_A_SESSION == 0 && logged_on("HOSTILE"))
        log_off_hostile();
    if (!logged_on("HOSTILE")) {
        command(NULL, "XAUTOLOG HOSTILE");
        command("HOSTILE", "DEFINE NIC 6200 QDIO");
        command("HOSTILE", "DEFINE T3390 400 1");
    }
    command("HOSTILE", "SYSTEM CLEAR");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct storm storm;
    if (!sys)
        new_system();
    ready_hostile();
    storm_make(&storm, data, size);
    must(endicott_poke(sys, "HOSTILE", 0, storm.storage, sizeof storm.storage) > 0, "poke");
    command("HOSTILE", "STORE PSW 00080000 80004000");
    command("HOSTILE", "BEGIN");
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(0.002));
    check_victim();
    if (++inputs % INPUTS_A_SYSTEM == 0)
        end_system();
    return 0;
}
