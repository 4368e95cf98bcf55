// SPDX-License-Identifier: MIT
// A guest that means harm beside one that minds its own business: whatever the first does, the
// second computes on, its storage is as it was, and SHUTDOWN ends the system.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "endicott.h"
#include "engine/hostile.h"
#include "engine/hostile_session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MIB     0x100000u
#define COUNTER 0x2000u // of the victim's passes
// A system serves many inputs, and so does a session: making them costs more than using them. What
// needs the inputs before it is reproduced by the driver's seed.
#define INPUTS_A_SYSTEM  64
#define INPUTS_A_SESSION 16

static const char config[] = "System_Identifier * * FUZZ\nProcessors 2 IFL\nStorage 64M\n"
                             "RDevice 0200 Type DASD Volume V00001 Cylinders 5\n";
static const char directory[] =
    "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n CONSOLE 009 3215\n"
    "USER HOSTILE HOSTILE 1M 4M G\n MACHINE Z 3\n CPU 00\n CPU 01\n OPTION APPLMON\n IUCV ANY\n"
    " IUCV ALLOW\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n CONSOLE 009 3215\n"
    " SPOOL 00C 2540 READER\n SPOOL 00D 2540 PUNCH A\n SPOOL 00E 1403 A\n"
    " MDISK 191 3390 1 2 V00001 MR\n"
    "USER VICTIM VICTIM 1M 1M G\n MACHINE Z\n CONSOLE 009 3215\n MDISK 191 3390 3 2 V00001 MR\n";

static uint8_t expected[MIB]; // the victim's storage, but for its counter
static uint32_t passes;
static unsigned inputs;

static void start_victim(void)
{
    // L 2,0(,1); AHI 2,1; ST 2,0(,1); XR 3,2; J to the L
    static const uint8_t loop[] = {0x58, 0x20, 0x10, 0x00, 0xA7, 0x2A, 0x00, 0x01, 0x50,
                                   0x20, 0x10, 0x00, 0x17, 0x32, 0xA7, 0xF4, 0xFF, 0xF9};
    for (unsigned i = 0; i < MIB; i++)
        expected[i] = (uint8_t)(i * 7 ^ i >> 8);
    memcpy(expected + 0x1000, loop, sizeof loop);
    memset(expected + COUNTER, 0, 4);
    command(NULL, "XAUTOLOG VICTIM");
    command("VICTIM", "SYSTEM CLEAR");
    must(endicott_poke(sys, "VICTIM", 0, expected, MIB) == (int)MIB, "no storage for the victim");
    command("VICTIM", "STORE G1 2000");
    command("VICTIM", "STORE PSW 00080000 80001000");
    command("VICTIM", "BEGIN");
    passes = 0;
}

static void new_system(void)
{
    char *error = NULL;
    sys = endicott_new(
        &(struct endicott_options){
            .mode = CLOCK_VIRTUAL, .config_text = config, .directory_text = directory, .mips = 1},
        &error);
    must(sys != NULL, error);
    command(NULL, "DEFINE VSWITCH SW");
    command(NULL, "SET VSWITCH SW GRANT HOSTILE");
    start_victim();
}

static void end_system(void)
{
    command(NULL, "SHUTDOWN");
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(0.1));
    must(endicott_is_down(sys), "SHUTDOWN did not end it");
    endicott_free(sys);
    sys = NULL;
}

static void check_victim(void)
{
    static uint8_t found[MIB];
    must(endicott_peek(sys, "VICTIM", 0, found, MIB) == (int)MIB, "the victim is gone");
    uint32_t now = be32_load(found + COUNTER);
    must(now > passes, "the victim was stopped");
    passes = now;
    memset(found + COUNTER, 0, 4);
    must(memcmp(found, expected, MIB) == 0, "the victim's storage was changed");
}

static void ready_hostile(void)
{
    if (inputs % INPUTS_A_SESSION == 0 && logged_on("HOSTILE"))
        log_off_hostile();
    if (!logged_on("HOSTILE")) {
        command(NULL, "XAUTOLOG HOSTILE");
        command("HOSTILE", "DEFINE NIC 6200 QDIO");
    }
    command("HOSTILE", "SYSTEM CLEAR");
}

static void run_hostile(const uint8_t *data, size_t size)
{
    static struct hostile hostile;
    hostile_make(&hostile, data, size);
    must(endicott_poke(sys, "HOSTILE", 0, hostile.storage, sizeof hostile.storage) > 0, "poke");
    if (size > 1 && (data[1] & 0x1F) == 0)
        command("HOSTILE", "TRACE I RUN");
    command("HOSTILE", "STORE PSW 00080000 80004000");
    command("HOSTILE", "BEGIN");
    endicott_run_until(sys, endicott_now(sys) + tod_from_seconds(0.004));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!sys)
        new_system();
    ready_hostile();
    run_hostile(data, size);
    check_victim();
    if (++inputs % INPUTS_A_SYSTEM == 0)
        end_system();
    return 0;
}
