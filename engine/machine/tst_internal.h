// SPDX-License-Identifier: MIT
// What the files of the test-script runner (tst_*.c) share.
#ifndef ENDICOTT_MACHINE_TST_INTERNAL_H
#define ENDICOTT_MACHINE_TST_INTERNAL_H

#include "base/text.h"
#include "machine/machine.h"
#include "machine/tst.h"

struct tst_symbol {
    char *name, *value;
};

// One test case, from *Testcase to *Done.
struct tst_case {
    bool open;
    char *name;
    struct text problems;   // lines that say what was wrong
    struct text skip;       // why it cannot be judged
    struct text said;       // what the program said by DIAGNOSE X'8'
    unsigned waits;         // runs that ended in a disabled wait
    bool expect_timeout;    // *Timeout
    bool expect_program;    // *Program
    unsigned long expected; // its code
    uint64_t checks;        // program checks of the CPU before the run
};

struct tst {
    struct machine_world world;
    struct machine *machine;
    struct cpu_host host; // the bare machine's, with messages by DIAGNOSE X'8'
    bool diagnose_8;      // diag8cmd enable
    enum architecture arch;
    bool s370; // archlvl S/370: not a mode of ours
    unsigned cpu;
    const struct cpu_model *model;
    double limit;

    const char *name;
    char *folder;
    unsigned line, depth; // of included scripts
    struct tst_symbol *symbols;
    size_t symbol_count;
    uint64_t conditions; // one bit for each open *If: does its branch count?
    unsigned condition_depth;

    char shown[80]; // bytes of the last line displayed, as it looks
    int key;        // key of the storage displayed last, -1: none

    struct tst_case now;
    FILE *out;
    struct tst_totals *totals;
};

// tst_script.c
void tst_define(struct tst *tst, const char *name, const char *value);
const char *tst_symbol(const struct tst *tst, const char *name); // or NULL
// Lines of a script, included ones too.
void tst_lines(struct tst *tst, const char *text);
int tst_include(struct tst *tst, const char *path); // -1: cannot be read
// All of `path` and a NUL (free it); NULL when it cannot be read.
char *tst_read(const char *path, size_t *size);

// tst_commands.c: one console command; the case is skipped when there is no such command here.
void tst_command(struct tst *tst, char *line);

// tst_directives.c: a line that starts with an asterisk; `*If` and the like are tst_script.c's.
void tst_directive(struct tst *tst, char *line);
// Judges and reports the open case if there is one; `must_wait`: a run must have ended in a wait.
void tst_case_done(struct tst *tst, bool must_wait);
// The script ended: what went wrong after its last case is a failure too.
void tst_end(struct tst *tst);
__attribute__((format(printf, 2, 3))) void tst_wrong(struct tst *tst, const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void tst_skip(struct tst *tst, const char *fmt, ...);

// tst_machine.c
void tst_open(struct tst *tst);
void tst_close(struct tst *tst);
// A machine with as much storage and as many CPUs; what the old one had is gone.
void tst_configure(struct tst *tst, uint64_t storage, unsigned cpus);
void tst_reset(struct tst *tst, bool clear);
struct cpu *tst_cpu(struct tst *tst); // the one that commands mean
// Starts that CPU (`restart`: by a restart interruption) and runs for at most `seconds`; judges how
// it ended.
void tst_go(struct tst *tst, bool restart, double seconds);

#endif
