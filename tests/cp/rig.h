// SPDX-License-Identifier: MIT
// A system in virtual time for tests of the control program, with a terminal that keeps what it is
// shown.
#ifndef ENDICOTT_TESTS_CP_RIG_H
#define ENDICOTT_TESTS_CP_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/cp.h"

struct rig_terminal {
    struct terminal term;
    struct text text; // all lines so far, each ended by \n
    enum terminal_status status;
    bool ended, concealed;
};

static struct rig_terminal *rig_of(struct terminal *term)
{
    return (struct rig_terminal *)(void *)term;
}

static inline void rig_line(struct terminal *term, enum line_kind kind, const char *utf8)
{
    if (kind != LINE_ECHO)
        text_printf(&rig_of(term)->text, "%s\n", utf8);
}

static inline void rig_status(struct terminal *term, enum terminal_status status)
{
    rig_of(term)->status = status;
}

static inline void rig_ended(struct terminal *term)
{
    rig_of(term)->ended = true;
}

static inline void rig_conceal(struct terminal *term, bool on)
{
    rig_of(term)->concealed = on;
}

static const struct terminal_ops rig_ops = {
    .line = rig_line, .status = rig_status, .ended = rig_ended, .conceal = rig_conceal};

static inline void rig_terminal_init(struct rig_terminal *t, const char *name)
{
    *t = (struct rig_terminal){.term = {.ops = &rig_ops}};
    snprintf(t->term.name, sizeof t->term.name, "%s", name);
}

struct rig {
    struct machine_world world;
    struct cp *cp;
};

#define RIG_START (TOD_UNIX_EPOCH + UINT64_C(1767225600) * TOD_SECOND) // 2026-01-01 00:00:00 UTC

// Bundled guests are in the build directory that this program is in, unless said otherwise.
static inline void rig_find_guests(void)
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

static inline void rig_new(struct rig *rig, enum clock_mode mode, const char *config,
                           const char *directory)
{
    struct text errors = {0};
    struct cp_options options = {
        .mode = mode, .start = RIG_START, .config_text = config, .directory_text = directory};
    rig_find_guests();
    world_init(&rig->world, mode, RIG_START);
    rig->cp = cp_new(&rig->world, &options, &errors);
    if (!rig->cp)
        fprintf(stderr, "%s", text_get(&errors));
    INVARIANT(rig->cp != NULL);
    text_free(&errors);
    cp_start(rig->cp);
}

static inline void rig_free(struct rig *rig)
{
    cp_free(rig->cp);
    world_free(&rig->world);
}

// Logs a user on without a terminal.
static inline struct vm *rig_log_on(struct rig *rig, const char *userid)
{
    struct text text = {0};
    struct response out = response_to_text(&text);
    struct logon_options options = {.autolog = true};
    world_lock(&rig->world);
    int rc = vm_logon(rig->cp, userid, &options, &out);
    struct vm *vm = cp_user(rig->cp, userid);
    world_unlock(&rig->world);
    INVARIANT(rc == 0);
    text_free(&text);
    return vm;
}

// A command as `userid`; its lines in *text, emptied first.
static inline int rig_command(struct rig *rig, const char *userid, const char *line,
                              struct text *text)
{
    text_clear(text);
    struct response out = response_to_text(text);
    world_lock(&rig->world);
    int rc = command_execute(rig->cp, cp_user(rig->cp, userid), NULL, line, &out);
    world_unlock(&rig->world);
    return rc;
}

static inline void rig_run(struct rig *rig, double seconds)
{
    cp_run(rig->cp, clock_now(&rig->world.clock) + tod_from_seconds(seconds));
}

#endif
