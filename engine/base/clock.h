// SPDX-License-Identifier: MIT
// The one source of time. TOD format throughout: bit 51 is one microsecond, so a unit is 2^-12 us;
// epoch 1900-01-01 00:00 UTC (z/Architecture Principles of Operation, "Timing", TOD-Clock Format).
//
// In real mode the clock follows the host. In virtual mode it stands still until the dispatcher
// moves it with clock_set(); nothing else in the system asks the host for the time.
#ifndef ENDICOTT_BASE_CLOCK_H
#define ENDICOTT_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t tod_t;

#define TOD_MICROSECOND UINT64_C(4096)
#define TOD_MILLISECOND (1000 * TOD_MICROSECOND)
#define TOD_SECOND      (1000000 * TOD_MICROSECOND)
#define TOD_NEVER       UINT64_MAX
// TOD value of the Unix epoch, 1970-01-01 00:00 UTC.
#define TOD_UNIX_EPOCH UINT64_C(0x7D91048BCA000000)

enum clock_mode { CLOCK_VIRTUAL, CLOCK_REAL };

struct clock {
    enum clock_mode mode;
    tod_t virtual_now;
};

// Virtual mode starts at `start`; real mode ignores it.
void clock_init(struct clock *clock, enum clock_mode mode, tod_t start);
tod_t clock_now(const struct clock *clock);
// Virtual mode only; time never goes back.
void clock_set(struct clock *clock, tod_t now);

// Host CPU time of the calling thread, in nanoseconds: what intercepts cost us, never guest time.
uint64_t host_thread_ns(void);
// Host monotonic time in nanoseconds, for measuring and for waiting.
uint64_t host_monotonic_ns(void);

tod_t tod_from_unix(int64_t seconds, uint32_t nanoseconds);
// Seconds since the Unix epoch; *nanoseconds (NULL allowed) gets the fraction.
int64_t tod_to_unix(tod_t tod, uint32_t *nanoseconds);
double tod_to_seconds(tod_t span);
tod_t tod_from_seconds(double seconds);

// Broken-down UTC time of a TOD value.
struct tod_calendar {
    int year, month, day; // month 1-12
    int hour, minute, second;
    int weekday; // 0 = Sunday
    int microsecond;
};
struct tod_calendar tod_calendar(tod_t tod);

#endif
