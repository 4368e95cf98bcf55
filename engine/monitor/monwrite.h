// SPDX-License-Identifier: MIT
// MONWRITE, the collector: a virtual machine's program that CP runs itself. It connects to *MONITOR
// by IUCV like any other and writes what it is given to a file of the host:
//
//   IPL MONWRITE PARM segment *MONITOR DISK [fn [ft [fm]]] [CLOSE n|HOUR|DAY] [SUBINT]
//
// Without PARM it waits for the same as a command at its console, after the word MONWRITE; MONWSTOP
// or HX there ends it. Files are <folder>/<userid>/<fn>.<ft>, by default Dmmddyy.Thhmmss. While it
// is being written a file has ".part" after its name and holds whole sets of records only; closing
// adds the end-of-data record and gives it its name, so a file that has its name is complete.
#ifndef ENDICOTT_MONITOR_MONWRITE_H
#define ENDICOTT_MONITOR_MONWRITE_H

#include "cp/cp.h"

// What writing costs the virtual machine, so that its CPU time and I/O rate are in proportion to
// the data: time for each block of 4096 bytes, and starts of its disk, each moving several blocks.
// The proportions are those of a published measurement (about 2.5 blocks an I/O).
#define MONWRITE_TIME_PER_BLOCK (2 * TOD_MICROSECOND)
#define MONWRITE_STARTS         2u // for so many
#define MONWRITE_BLOCKS         5u // blocks

void monwrite_register(struct cp *cp);
// Where files go instead of the system folder; NULL: there.
void monwrite_set_folder(struct cp *cp, const char *path);

#endif
