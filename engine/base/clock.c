// SPDX-License-Identifier: MIT
#include "base/clock.h"

#include <time.h>

#include "base/memory.h"

void clock_init(struct clock *clock, enum clock_mode mode, tod_t start)
{
    clock->mode = mode;
    clock->virtual_now = start;
}

tod_t clock_now(const struct clock *clock)
{
    struct timespec ts;
    if (clock->mode == CLOCK_VIRTUAL)
        return clock->virtual_now;
    clock_gettime(CLOCK_REALTIME, &ts);
    return tod_from_unix(ts.tv_sec, (uint32_t)ts.tv_nsec);
}

void clock_set(struct clock *clock, tod_t now)
{
    INVARIANT(clock->mode == CLOCK_VIRTUAL);
    INVARIANT(now >= clock->virtual_now);
    clock->virtual_now = now;
}

static uint64_t host_ns(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

uint64_t host_thread_ns(void)
{
    return host_ns(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t host_monotonic_ns(void)
{
    return host_ns(CLOCK_MONOTONIC);
}

tod_t tod_from_unix(int64_t seconds, uint32_t nanoseconds)
{
    return TOD_UNIX_EPOCH + (uint64_t)seconds * TOD_SECOND + (uint64_t)nanoseconds * 4096 / 1000;
}

int64_t tod_to_unix(tod_t tod, uint32_t *nanoseconds)
{
    bool before = tod < TOD_UNIX_EPOCH;
    uint64_t span = before ? TOD_UNIX_EPOCH - tod : tod - TOD_UNIX_EPOCH;
    uint64_t seconds = span / TOD_SECOND, rest = span % TOD_SECOND;
    if (before && rest) {
        seconds++;
        rest = TOD_SECOND - rest;
    }
    if (nanoseconds)
        *nanoseconds = (uint32_t)(rest * 1000 / 4096);
    return before ? -(int64_t)seconds : (int64_t)seconds;
}

double tod_to_seconds(tod_t span)
{
    return (double)span / (double)TOD_SECOND;
}

tod_t tod_from_seconds(double seconds)
{
    return (tod_t)(seconds * (double)TOD_SECOND + 0.5);
}

struct tod_calendar tod_calendar(tod_t tod)
{
    uint32_t ns;
    time_t t = (time_t)tod_to_unix(tod, &ns);
    struct tm tm;
    gmtime_r(&t, &tm);
    return (struct tod_calendar){
        .year = tm.tm_year + 1900,
        .month = tm.tm_mon + 1,
        .day = tm.tm_mday,
        .hour = tm.tm_hour,
        .minute = tm.tm_min,
        .second = tm.tm_sec,
        .weekday = tm.tm_wday,
        .microsecond = (int)(ns / 1000),
    };
}
