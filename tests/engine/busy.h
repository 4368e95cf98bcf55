// SPDX-License-Identifier: MIT
// A system with something of everything going on: computing, I/O, two virtual CPUs that signal each
// other, transactions over IUCV, frames over a virtual switch, monitor data. Through endicott.h.
#ifndef ENDICOTT_TESTS_ENGINE_BUSY_H
#define ENDICOTT_TESTS_ENGINE_BUSY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "endicott.h"

#define BUSY_TRANSACTIONS 0x10018 // where the guests count (examples/guests/README.md)

static const char busy_config[] = "System_Identifier * * BUSY\nProcessors 4 IFL\nStorage 4G\n"
                                  "RDevice 0200 Type DASD Volume BUSY01 Cylinders 50\n"
                                  "DEFINE VSWITCH BUSYSW VLAN 1\n";

// clang-format off
#define BUSY_GUEST(name, first, devices) \
    "USER " name " " name " 16M 16M G\n MACHINE Z 4\n" first " CONSOLE 0009 3215 T\n" devices
#define BUSY_NIC " COMMAND DEFINE NIC 6200 QDIO\n COMMAND COUPLE 6200 TO SYSTEM BUSYSW\n"
static const char busy_directory[] =
    "USER OPERATOR OPERATOR 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n"
    "USER WRITER WRITER 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n"
    " IPL MONWRITE PARM MONDCSS *MONITOR DISK BUSY MONDATA\n CONSOLE 0009 3215 T\n"
    BUSY_GUEST("COMPUTE1", " IPL COMPUTE PARM n=1000000\n", "")
    BUSY_GUEST("COMPUTE2", " IPL COMPUTE PARM n=1000000\n", "")
    BUSY_GUEST("COMPUTE3", " IPL COMPUTE PARM n=1000000\n", "")
    BUSY_GUEST("IOLOOP", " IPL IOLOOP PARM n=100000000\n", "")
    BUSY_GUEST("DASDIO", " IPL DASDIO PARM n=1000000\n", " MDISK 0191 3390 1 10 BUSY01 MR\n")
    BUSY_GUEST("SMP", " CPU 00\n CPU 01\n IPL SMP\n", "")
    BUSY_GUEST("SERVER", " IUCV ALLOW\n IPL SERVER\n", " MDISK 0191 3390 11 10 BUSY01 MR\n")
    BUSY_GUEST("CLIENT", " IUCV ANY\n IPL CLIENT PARM servers=SERVER think=1ms\n", "")
    BUSY_GUEST("ECHO", BUSY_NIC " IPL NETECHO\n", "")
    BUSY_GUEST("PING", BUSY_NIC " IPL PING PARM n=1000000 wait=1ms\n", "");
// clang-format on

static const char *const busy_guests[] = {"COMPUTE1", "COMPUTE2", "IOLOOP", "DASDIO", "SMP",
                                          "SERVER",   "CLIENT",   "ECHO",   "PING"};
#define BUSY_GUESTS (sizeof busy_guests / sizeof *busy_guests)

// Bundled guests are in the build directory that this program is in, unless said otherwise.
static inline void busy_find_guests(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 20);
    for (unsigned up = 0; n > 0 && up < 3; n--)
        up += path[n - 1] == '/';
    if (n < 0)
        return;
    strcpy(path + n, "/guests");
    setenv("ENDICOTT_GUESTS", path, 0);
}

// `mips`: virtual mode, 0: default.
static inline struct endicott *busy_new_at(enum clock_mode mode, double mips)
{
    struct endicott_options options = {
        .mode = mode, .config_text = busy_config, .directory_text = busy_directory, .mips = mips};
    char *error = NULL;
    busy_find_guests();
    struct endicott *sys = endicott_new(&options, &error);
    if (!sys)
        fprintf(stderr, "%s\n", error);
    free(error);
    return sys;
}

static inline struct endicott *busy_new(enum clock_mode mode)
{
    return busy_new_at(mode, 0);
}

// One command as `user` (NULL: the operator); its return code.
static inline int busy_command(struct endicott *sys, const char *user, const char *line)
{
    return endicott_command(sys, user, line, NULL, NULL);
}

static inline int busy_xautolog(struct endicott *sys, const char *user)
{
    char line[32];
    snprintf(line, sizeof line, "XAUTOLOG %s", user);
    return busy_command(sys, NULL, line);
}

static inline uint64_t busy_instructions(struct endicott *sys, const char *user)
{
    struct endicott_user info;
    return endicott_user(sys, user, &info) == 0 ? info.instructions : 0;
}

static inline uint64_t busy_transactions(struct endicott *sys, const char *user)
{
    uint8_t b[8] = {0};
    uint64_t n = 0;
    if (endicott_peek(sys, user, BUSY_TRANSACTIONS, b, sizeof b) != sizeof b)
        return 0;
    for (unsigned i = 0; i < sizeof b; i++)
        n = n << 8 | b[i];
    return n;
}

#endif
