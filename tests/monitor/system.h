// SPDX-License-Identifier: MIT
// A whole system in virtual mode with an operator and two writers, for tests of commands and
// MONWRITE.
#ifndef ENDICOTT_TESTS_MONITOR_SYSTEM_H
#define ENDICOTT_TESTS_MONITOR_SYSTEM_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cp/command.h"
#include "cp/cp.h"
#include "monitor/monitor.h"
#include "monitor/monwrite.h"

static const char system_config_text[] = "System_Identifier * * TESTSYS\n"
                                         "Processors 2 IFL\n"
                                         "Storage 4G\n"
                                         "System_Userids Operator OPERATOR\n"
                                         "RDevice 0200 Type DASD Volume VOL200 Cylinders 5\n"
                                         "RDevice 0201 Type DASD Volume VOL201 Cylinders 5\n";
static const char system_directory_text[] = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n"
                                            " CONSOLE 0009 3215 T\n"
                                            "USER WRITER WRITER 64M 64M EG\n"
                                            " IUCV *MONITOR MSGLIMIT 255\n"
                                            " NAMESAVE MONDCSS\n"
                                            " CONSOLE 0009 3215 T\n"
                                            "USER WRITER2 WRITER 64M 64M EG\n"
                                            " IUCV *MONITOR MSGLIMIT 255\n"
                                            " NAMESAVE MONDCSS\n"
                                            " CONSOLE 0009 3215 T\n"
                                            "USER NOIUCV X 16M 16M G\n"
                                            " NAMESAVE MONDCSS\n"
                                            " CONSOLE 0009 3215 T\n"
                                            "USER NOSAVE X 16M 16M G\n"
                                            " IUCV *MONITOR\n"
                                            " MDISK 0300 FB-512 V-DISK 1000 MR\n"
                                            " CONSOLE 0009 3215 T\n";

struct system {
    struct machine_world world;
    struct cp *cp;
    struct text answer; // of the last command
    char id[12];        // its message
};

static inline struct system *system_new_of(const char *config, const char *directory)
{
    struct system *sys = calloc(1, sizeof *sys);
    struct text errors = {0};
    struct cp_options options = {.mode = CLOCK_VIRTUAL,
                                 .start = UINT64_C(0xE000000000000000),
                                 .config_text = config,
                                 .directory_text = directory};
    world_init(&sys->world, options.mode, options.start);
    world_lock(&sys->world);
    sys->cp = cp_new(&sys->world, &options, &errors);
    if (!sys->cp)
        fail_msg("%s", text_get(&errors));
    monitor_start(sys->cp);
    cp_start(sys->cp);
    world_unlock(&sys->world);
    text_free(&errors);
    return sys;
}

static inline struct system *system_new(void)
{
    return system_new_of(system_config_text, system_directory_text);
}

static inline void system_free(struct system *sys)
{
    cp_shutdown(sys->cp);
    monitor_stop(sys->cp);
    cp_free(sys->cp);
    world_free(&sys->world);
    text_free(&sys->answer);
    free(sys);
}

static inline void system_run(struct system *sys, double seconds)
{
    cp_run(sys->cp, clock_now(&sys->world.clock) + tod_from_seconds(seconds));
}

// A command as that user; its return code, the text in sys->answer.
static inline int system_command(struct system *sys, const char *user, const char *line)
{
    struct vm *vm = cp_user(sys->cp, user);
    assert_non_null(vm);
    text_clear(&sys->answer);
    struct response out = response_to_text(&sys->answer);
    world_lock(&sys->world);
    int rc = command_execute(sys->cp, vm, NULL, line, &out);
    world_unlock(&sys->world);
    memcpy(sys->id, out.message_id, sizeof sys->id);
    return rc;
}

static inline void system_good(struct system *sys, const char *user, const char *line)
{
    int rc = system_command(sys, user, line);
    if (rc)
        fail_msg("%s: %d %s", line, rc, text_get(&sys->answer));
}

#endif
