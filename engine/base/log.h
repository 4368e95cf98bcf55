// SPDX-License-Identifier: MIT
// Log channels per subject; a channel that is off costs one test. Lines are escaped before they
// are written, so that nothing a guest says can harm a terminal.
#ifndef ENDICOTT_BASE_LOG_H
#define ENDICOTT_BASE_LOG_H

#include <stdbool.h>
#include <stdio.h>

#define LOG_CHANNELS(X)     \
    X(CPU, "cpu")           \
    X(IO, "io")             \
    X(CP, "cp")             \
    X(DISPATCH, "dispatch") \
    X(IUCV, "iucv")         \
    X(NETWORK, "network")   \
    X(MONITOR, "monitor")   \
    X(CONSOLE, "console")   \
    X(LUA, "lua")

enum log_channel {
#define X(id, name) LOG_##id,
    LOG_CHANNELS(X)
#undef X
        LOG_CHANNEL_COUNT
};

extern unsigned log_channels_on; // bit per channel

#define LOG_ON(ch)   ((log_channels_on >> LOG_##ch & 1u) != 0)
#define LOG(ch, ...) (LOG_ON(ch) ? log_line(LOG_##ch, __VA_ARGS__) : (void)0)

// `spec` is a comma-separated list of channel names, or "all"; returns false and names the bad
// one in *bad (NULL allowed). The output goes to `out`, standard error by default.
bool log_enable(const char *spec, const char **bad);
void log_output(FILE *out);
void log_line(enum log_channel channel, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
