// SPDX-License-Identifier: MIT
// Any line at a user with every class: the system must survive, and the return code must be the
// number of the last message. Newlines separate commands. IPL FILE is left out: it reads the host.
#include <ctype.h>
#include <stdint.h>

#include "cmd_system.h"

// Words that lead noise into the handlers: a byte that begins a command, or has the high bit set,
// stands for one of them.
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
        bool start = line.len == 0 || line.s[line.len - 1] == '\n';
        if (start || data[i] & 0x80)
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

// One system serves many inputs: making one costs more than a hundred commands. A crash that needs
// what earlier inputs did is reproduced by the driver's seed.
static struct cmd_system sys;
static unsigned inputs;

static void ready_system(void)
{
    static const char *const users[] = {"OPERATOR", "MAINT", "USER1"};
    if (inputs && (sys.cp->down || inputs % 500 == 0)) {
        cmd_system_stop(&sys);
        inputs = 0;
    }
    if (inputs++ == 0)
        cmd_system_start(&sys);
    for (int i = 0; i < 3; i++) {
        struct vm *vm = cp_user(sys.cp, users[i]);
        if (vm && !vm->terminal && !vm->logoff_pending)
            vm_logoff(vm, NULL);
        if (!cp_user(sys.cp, users[i]))
            cmd_logon(&sys, users[i], i);
        text_clear(&sys.term[i].lines);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ready_system();
    struct vm *maint = cp_user(sys.cp, "MAINT");
    maint->classes = CLASS_ANY;
    char *line = expand(data, size);
    int rc = cmd(&sys, maint, line);
    if (rc < 0 || rc > 9999)
        abort();
    maint = cp_user(sys.cp, "MAINT");
    if (maint) {
        struct response out = response_to_text(&sys.out);
        command_execute(sys.cp, maint, maint->terminal, line, &out);
    }
    if (!sys.cp->down)
        cp_run(sys.cp, clock_now(&sys.world.clock) + TOD_MILLISECOND);
    free(line);
    return 0;
}
