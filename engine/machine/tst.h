// SPDX-License-Identifier: MIT
// Runs the test scripts of Hercules (.tst) on a bare machine of their own.
//
// A script is one console command a line (load storage, restart, display) with directives between
// them, which say what has to come out. docs/conformance.md lists what is understood; a test case
// that needs anything else is reported as skipped, with the reason, never as passed.
#ifndef ENDICOTT_MACHINE_TST_H
#define ENDICOTT_MACHINE_TST_H

#include <stddef.h>
#include <stdio.h>

#include "cpu/model.h"

struct tst_totals {
    unsigned passed, failed, skipped; // test cases
};

// `model`: the CPUs' (cpu/model.h), NULL: all that is implemented.
//
// Runs the script `path` and writes a TAP line for each test case to `out`, numbered on from those
// in `totals`. 0, or -1 with *error (free it) when the file cannot be read.
int tst_run_file(const char *path, const struct cpu_model *model, FILE *out,
                 struct tst_totals *totals, char **error);
// The same for a script in memory. `name` is what its cases are called by, `folder` where the files
// that it loads are, `limit` how many seconds of virtual time one `runtest` may get.
void tst_run_text(const char *text, const char *name, const char *folder,
                  const struct cpu_model *model, double limit, FILE *out,
                  struct tst_totals *totals);

#endif
