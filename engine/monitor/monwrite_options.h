// SPDX-License-Identifier: MIT
// Operands of MONWRITE.
#ifndef ENDICOTT_MONITOR_MONWRITE_OPTIONS_H
#define ENDICOTT_MONITOR_MONWRITE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct response;

enum monwrite_close { CLOSE_NEVER, CLOSE_MINUTES, CLOSE_HOUR, CLOSE_DAY };

struct monwrite_options {
    char segment[9], fn[9], ft[9];
    enum monwrite_close close;
    unsigned close_minutes;
    bool subint;
    uint16_t tape; // virtual device number, 0: to disk
};

// 0, or the number of the message given.
int monwrite_options_parse(struct monwrite_options *options, const char *operands,
                           struct response *out);

#endif
