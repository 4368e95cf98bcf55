// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <stdarg.h>
#include <string.h>

unsigned log_channels_on;

static FILE *log_file;
static const char *const channel_names[] = {
#define X(id, name) name,
    LOG_CHANNELS(X)
#undef X
};

static int channel_by_name(const char *s, size_t n)
{
    for (int i = 0; i < LOG_CHANNEL_COUNT; i++)
        if (strlen(channel_names[i]) == n && memcmp(channel_names[i], s, n) == 0)
            return i;
    return -1;
}

bool log_enable(const char *spec, const char **bad)
{
    unsigned on = 0;
    if (strcmp(spec, "all") == 0) {
        log_channels_on = (1u << LOG_CHANNEL_COUNT) - 1;
        return true;
    }
    for (const char *s = spec; *s;) {
        size_t n = strcspn(s, ",");
        int channel = channel_by_name(s, n);
        if (channel < 0) {
            if (bad)
                *bad = s;
            return false;
        }
        on |= 1u << channel;
        s += n + (s[n] == ',');
    }
    log_channels_on = on;
    return true;
}

void log_output(FILE *out)
{
    log_file = out;
}

void log_line(enum log_channel channel, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    FILE *out = log_file ? log_file : stderr;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    flockfile(out);
    fprintf(out, "[%s] ", channel_names[channel]);
    for (const unsigned char *p = (const unsigned char *)line; *p; p++) {
        if (*p < 0x20 || *p == 0x7F)
            fprintf(out, "\\x%02x", *p);
        else
            fputc(*p, out);
    }
    fputc('\n', out);
    funlockfile(out);
}
