// SPDX-License-Identifier: MIT
// A bare machine in virtual time with a 3215 at 0009, for tests: runs a guest and keeps what it
// said.
#ifndef TESTS_MACHINE_BARE_H
#define TESTS_MACHINE_BARE_H

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/text.h"
#include "devices/console_3215.h"
#include "machine/machine.h"

#define BARE_START (TOD_UNIX_EPOCH + 1700000000 * TOD_SECOND)

struct bare {
    struct machine_world world;
    struct machine *machine;
    struct device *console;
    struct text output;   // lines of the console
    struct text messages; // lines by SCLP
    unsigned stops;       // times the owner was told of a stop
};

static void bare_output(void *arg, const char *utf8, bool newline)
{
    struct bare *bare = arg;
    text_puts(&bare->output, utf8);
    if (newline)
        text_puts(&bare->output, "\n");
}

static void bare_message(struct machine *machine, const char *utf8)
{
    struct bare *bare = machine->owner.arg;
    text_puts(&bare->messages, utf8);
    text_puts(&bare->messages, "\n");
}

static void bare_stopped(struct machine *machine, struct cpu *cpu, enum cpu_exit why)
{
    struct bare *bare = machine->owner.arg;
    (void)cpu;
    (void)why;
    bare->stops++;
}

static inline void bare_open(struct bare *bare, uint64_t mebibytes, unsigned cpus)
{
    *bare = (struct bare){0};
    world_init(&bare->world, CLOCK_VIRTUAL, BARE_START);
    bare->machine = machine_new(&bare->world, &(struct machine_config){
                                                  .storage = mebibytes << 20,
                                                  .cpus = cpus,
                                                  .owner = {.message = bare_message,
                                                            .ascii = bare_message,
                                                            .stopped = bare_stopped,
                                                            .arg = bare},
                                                  .name = "TEST",
                                              });
    bare->console =
        console_3215_new(0x0009, NULL, &(struct console_sink){.output = bare_output, .arg = bare});
    css_attach(bare->machine->css, bare->console, false);
}

static inline void bare_close(struct bare *bare)
{
    machine_free(bare->machine);
    world_free(&bare->world);
    text_free(&bare->output);
    text_free(&bare->messages);
}

// Path of a bundled guest: in the build directory that this test was built in.
static inline const char *bare_guest(const char *name)
{
    static char path[PATH_MAX];
    char self[PATH_MAX - 64] = "";
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    self[n > 0 ? n : 0] = '\0';
    for (int up = 0; up < 3; up++)
        *(strrchr(self, '/') ? strrchr(self, '/') : self) = '\0';
    snprintf(path, sizeof path, "%s/guests/%s.elf", self, name);
    return path;
}

static inline int bare_load(struct bare *bare, const char *guest, const char *parameters)
{
    const char *reason = "";
    int rc = machine_ipl_file(bare->machine, bare_guest(guest), parameters, &reason);
    if (rc)
        fprintf(stderr, "# %s: %s\n", bare_guest(guest), reason);
    return rc;
}

// Runs for at most `seconds` of virtual time; true when the machine came to rest.
static inline bool bare_run(struct bare *bare, double seconds)
{
    machine_run(bare->machine, clock_now(&bare->world.clock) + tod_from_seconds(seconds));
    return machine_at_rest(bare->machine);
}

// The code of the disabled wait that CPU 0 ended in, or -1.
static inline int64_t bare_end(const struct bare *bare)
{
    const struct cpu *cpu = bare->machine->cpu[0];
    if (atomic_load(&cpu->state) != CPU_OPERATING || !cpu_at_rest(cpu))
        return -1;
    return (int64_t)cpu->psw.address;
}

static inline bool bare_said(const struct bare *bare, const char *text)
{
    bool said = strstr(text_get(&bare->output), text) != NULL;
    if (!said)
        fprintf(stderr, "# not said: %s\n# but:\n%s", text, text_get(&bare->output));
    return said;
}

#endif
