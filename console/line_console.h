// SPDX-License-Identifier: MIT
// The console without a screen: lines in, lines out, for pipes and terminals that cannot do more.
#ifndef ENDICOTT_CONSOLE_LINE_CONSOLE_H
#define ENDICOTT_CONSOLE_LINE_CONSOLE_H

#include "console/console.h"

// As console_run(). Ends also at the end of input.
int line_console_run(struct endicott *sys, const struct console_options *options);

#endif
