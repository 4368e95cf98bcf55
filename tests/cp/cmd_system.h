// SPDX-License-Identifier: MIT
// A small system for the tests of CP commands: four users, one volume, virtual time.
#ifndef ENDICOTT_TESTS_CP_CMD_SYSTEM_H
#define ENDICOTT_TESTS_CP_CMD_SYSTEM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cp/command.h"
#include "cp/cp.h"
#include "cp/vm_console.h"

static const char cmd_config[] = "System_Identifier * * ZVMTEST\n"
                                 "System_Residence Checkpoint Volid TSTRES From Cyl 1 For 1 "
                                 "Warmstart Volid TSTRES From Cyl 2 For 1\n"
                                 "CP_Owned Slot 1 TSTRES\n"
                                 "User_Volume_List TSTVOL\n"
                                 "RDevice 0200 Type DASD Volume TSTRES Cylinders 10\n"
                                 "RDevice 0201 Type DASD Volume TSTVOL Cylinders 60\n"
                                 "RDevice 0202 Type DASD Volume TSTFRE Cylinders 10\n"
                                 "Features Enable Set_Privclass Retrieve Default 20 Maximum 255\n"
                                 "Timezone_Definition EDT West 4.00.00\n"
                                 "System_Userids Operator OPERATOR\n"
                                 "Processors 2 CP\n"
                                 "Storage 1G\n";

static const char cmd_directory[] = "USER OPERATOR OPPASS 16M 32M ABCDEG\n"
                                    " MACHINE ESA 4\n"
                                    " CONSOLE 0009 3215 T\n"
                                    "USER MAINT MTPASS 32M 64M ABCDEFG\n"
                                    " MACHINE ESA 4\n"
                                    " CONSOLE 0009 3215 T\n"
                                    " SPOOL 000C 2540 READER *\n"
                                    " SPOOL 000D 2540 PUNCH A\n"
                                    " SPOOL 000E 1403 A\n"
                                    " MDISK 0190 3390 1 20 TSTVOL MR ALL WPASS MPASS\n"
                                    " MDISK 0191 3390 21 10 TSTVOL MR RPASS\n"
                                    "USER USER1 U1PASS 16M 32M G\n"
                                    " MACHINE ESA 3\n"
                                    " XAUTOLOG USER2\n"
                                    " CONSOLE 0009 3215 T MAINT\n"
                                    " SPOOL 000C 2540 READER *\n"
                                    " SPOOL 000D 2540 PUNCH A\n"
                                    " SPOOL 000E 1403 A\n"
                                    " LINK MAINT 0190 0190 RR\n"
                                    "USER USER2 U2PASS 16M 16M G\n"
                                    " MACHINE Z 1\n"
                                    " CONSOLE 0009 3215 T\n";

struct cmd_terminal {
    struct terminal terminal; // first: the operations get it
    struct text lines;        // everything shown, a newline after each
    enum terminal_status status;
    bool ended;
};

static void cmd_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    (void)kind;
    text_printf(&((struct cmd_terminal *)term)->lines, "%s\n", utf8);
}

static void cmd_status(struct terminal *term, enum terminal_status status)
{
    ((struct cmd_terminal *)term)->status = status;
}

static void cmd_ended(struct terminal *term)
{
    ((struct cmd_terminal *)term)->ended = true;
}

static void cmd_conceal(struct terminal *term, bool on)
{
    (void)term;
    (void)on;
}

static const struct terminal_ops cmd_terminal_ops = {
    .line = cmd_line, .status = cmd_status, .ended = cmd_ended, .conceal = cmd_conceal};

struct cmd_system {
    struct machine_world world;
    struct cp *cp;
    struct cmd_terminal term[4];
    struct text out; // of the last command
    struct response response;
};

static inline void cmd_terminal_init(struct cmd_terminal *term, const char *name)
{
    *term = (struct cmd_terminal){.terminal.ops = &cmd_terminal_ops};
    snprintf(term->terminal.name, sizeof term->terminal.name, "%s", name);
}

// 2026-01-05, a Monday, 14:30:00 UTC: 10:30:00 EDT.
static inline void cmd_system_start(struct cmd_system *sys)
{
    struct text errors = {0};
    struct cp_options options = {.mode = CLOCK_VIRTUAL,
                                 .start = tod_from_unix(INT64_C(1767623400), 0),
                                 .config_text = cmd_config,
                                 .directory_text = cmd_directory};
    memset(sys, 0, sizeof *sys);
    world_init(&sys->world, CLOCK_VIRTUAL, options.start);
    sys->cp = cp_new(&sys->world, &options, &errors);
    if (!sys->cp) {
        fprintf(stderr, "%s", text_get(&errors));
        abort();
    }
    text_free(&errors);
    for (unsigned i = 0; i < 4; i++) {
        char name[9];
        snprintf(name, sizeof name, "%04X", 0x20 + i);
        cmd_terminal_init(&sys->term[i], name);
    }
}

static inline void cmd_system_stop(struct cmd_system *sys)
{
    cp_free(sys->cp);
    for (unsigned i = 0; i < 4; i++)
        text_free(&sys->term[i].lines);
    text_free(&sys->out);
    world_free(&sys->world);
}

// Logs on at terminal `t` (-1: disconnected); does not IPL.
static inline struct vm *cmd_logon(struct cmd_system *sys, const char *userid, int t)
{
    struct logon_options options = {.no_ipl = true, .autolog = t < 0};
    struct text text = {0};
    struct response out = response_to_text(&text);
    if (t >= 0)
        options.terminal = &sys->term[t].terminal;
    if (vm_logon(sys->cp, userid, &options, &out) != 0) {
        fprintf(stderr, "%s: %s\n", userid, text_get(&text));
        abort();
    }
    text_free(&text);
    if (t >= 0)
        text_clear(&sys->term[t].lines);
    return cp_user(sys->cp, userid);
}

// One command; the response's lines stay in sys->out, id and return code in sys->response.
static inline int cmd(struct cmd_system *sys, struct vm *vm, const char *line)
{
    text_clear(&sys->out);
    sys->response = response_to_text(&sys->out);
    if (vm) {
        sys->response.emsg = vm->set.emsg;
        sys->response.quiet = !vm->set.imsg;
    }
    return command_execute(sys->cp, vm, NULL, line, &sys->response);
}

static inline const char *cmd_out(struct cmd_system *sys, struct vm *vm, const char *line)
{
    cmd(sys, vm, line);
    return text_get(&sys->out);
}

#endif
