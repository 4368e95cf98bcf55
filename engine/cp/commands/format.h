// SPDX-License-Identifier: MIT
// Pieces of text that several responses share.
#ifndef ENDICOTT_CP_COMMANDS_FORMAT_H
#define ENDICOTT_CP_COMMANDS_FORMAT_H

#include "cp/cp.h"

// "16:45:28 EDT FRIDAY 2025-05-30" in the system's time zone.
void format_moment(struct text *text, const struct cp *cp, tod_t tod);
// "2025-05-30 16:45:28 EDT"
void format_stamp(struct text *text, const struct cp *cp, tod_t tod);
// "16:45:28"
void format_clock(struct text *text, const struct cp *cp, tod_t tod);
// "CONNECT= 00:12:31 VIRTCPU= 000:01.20 TOTCPU= 000:01.43"
void format_usage(struct text *text, const struct vm *vm);
// Largest unit that divides it: "256M", "2G", "512K".
void format_size(struct text *text, uint64_t bytes);
// "MAINT    - DSC ", "OPERATOR - 0020": a user in QUERY NAMES, 15 columns.
void format_user(struct text *text, const struct vm *vm);
// Rounded; 0 of nothing.
unsigned format_percent(tod_t part, tod_t whole);

#endif
