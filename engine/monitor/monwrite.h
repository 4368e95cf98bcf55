// SPDX-License-Identifier: MIT
// MONWRITE, the collector: a virtual machine's program that CP runs itself. It connects to *MONITOR
// by IUCV like any other and writes what it is given to a file of the host:
//
//   IPL MONWRITE PARM segment *MONITOR DISK [fn [ft [fm]]] [CLOSE n|HOUR|DAY] [SUBINT]
//   IPL MONWRITE PARM segment *MONITOR TAPE [vdev] [CLOSE n|HOUR|DAY] [SUBINT]
//
// Without PARM it waits for the same as a command at its console, after the word MONWRITE; MONWSTOP
// or HX there ends it. Files are <folder>/<userid>/<fn>.<ft>, by default Dmmddyy.Thhmmss; one whose
// name is taken gets another type. While it is being written a file has ".part" after its name and
// holds whole sets of records only; closing adds the end-of-data record and gives it its name, so a
// file that has its name is complete. One that was left open is closed by the next start.
//
// A virtual machine that has a minidisk 0191 writes its blocks there first, by channel programs on
// the disk's subchannel; a set is answered when it is written. So its I/O is counted where
// everybody's is, takes its time, and ends when the disk is full. CPU time is what CP charges for
// its interruptions, IUCV and I/O instructions: a program of CP's own has no others.
//
// To a tape (0181) blocks go by channel programs, too, and there is no file of the host: each of
// its files ends with a tape mark, the last one with two, and a set that does not fit any more is
// written over by the end. A logoff ends the tape where it is.
#ifndef ENDICOTT_MONITOR_MONWRITE_H
#define ENDICOTT_MONITOR_MONWRITE_H

#include "cp/cp.h"

void monwrite_register(struct cp *cp);
// Where files go instead of the system folder; NULL: there.
void monwrite_set_folder(struct cp *cp, const char *path);

#endif
