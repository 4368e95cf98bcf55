// SPDX-License-Identifier: MIT
// Any line at a user with every class: the system must survive, and the return code must be the
// number of the last message. Newlines separate commands. IPL FILE is left out: it reads the host.
#include <ctype.h>
#include <stdint.h>

#include "cmd_system.h"

// Words that lead noise into the handlers; a byte with the high bit set stands for one of them.
static const char *const words[] = {
    "QUERY ",    "SET ",      "DEFINE ",   "DETACH ", "DISPLAY ",  "STORE ",    "TRACE ",
    "LINK ",     "MSG ",      "SPOOL ",    "PURGE ",  "CHANGE ",   "TRANSFER ", "XAUTOLOG ",
    "FORCE ",    "INDICATE ", "TERMINAL ", "CPU ",    "SYSTEM ",   "HELP ",     "VIRTUAL ",
    "SHARE ",    "USER1 ",    "MAINT ",    "ALL ",    "RDR ",      "PRT ",      "191 ",
    "0-END ",    "G ",        "STORAGE ",  "64M ",    "SEND ",     "FOR ",      "CMD ",
    "ATTACH ",   "VARY ",     "ON ",       "OFF ",    "200 ",      "RELATIVE ", "100 ",
    "CLASS ",    "A ",        "VSWITCH ",  "LAN ",    "NIC ",      "COUPLE ",   "I ",
    "RUN ",      "RANGE ",    "20-40 ",    "PSW ",    "READER ",   "T3390 ",    "CYL ",
    "SILENTLY ", "EXTERNAL ", "LOGMSG ",   "PF5 ",    "COMMANDS ", "NAMES ",    "DASD ",
    "* ",
};

static char *expand(const uint8_t *data, size_t size)
{
    struct text line = {0};
    for (size_t i = 0; i < size && line.len < 1500; i++) {
        if (data[i] & 0x80)
            text_puts(&line, words[data[i] & 63]);
        else if (data[i])
            text_add(&line, (const char *)&data[i], 1);
    }
    char *s = line.s ? line.s : calloc(1, 1);
    for (char *p = s; *p; p++)
        if (strncasecmp(p, "FILE", 4) == 0)
            *p = 'X';
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cmd_system sys;
    cmd_system_start(&sys);
    cmd_logon(&sys, "OPERATOR", 0);
    struct vm *maint = cmd_logon(&sys, "MAINT", 1);
    cmd_logon(&sys, "USER1", 2);
    maint->classes = CLASS_ANY;
    char *line = expand(data, size);
    int rc = cmd(&sys, maint, line);
    if (rc < 0 || rc > 9999)
        abort();
    if (cp_user(sys.cp, "MAINT")) {
        struct response out = response_to_text(&sys.out);
        command_execute(sys.cp, cp_user(sys.cp, "MAINT"), &sys.term[1].terminal, line, &out);
    }
    if (!sys.cp->down)
        cp_run(sys.cp, clock_now(&sys.world.clock) + TOD_MILLISECOND);
    free(line);
    cmd_system_stop(&sys);
    return 0;
}
