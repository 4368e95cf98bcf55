// SPDX-License-Identifier: MIT
// CP Monitor: what MONITOR SAMPLE and MONITOR EVENT have set, the schedule of samples, and the
// users that are connected to *MONITOR. Everything under the system lock.
//
// Rules of the schedule:
//  - Intervals count from START. A user connected at START gets configuration records and a first
//    sample at once; a later one its configuration at connect and a first sample at the next end.
//  - The subinterval divides the interval evenly, at most 255 times; SUBINTERVAL with a value that
//    does not sets it equal to the interval, which means: no subintervals.
//  - New values of INTERVAL and SUBINTERVAL take effect when the running interval ends.
//  - STOP takes the samples that are due and then one last sample, for all users (our assumption;
//    it agrees with published sample counts).
//  - Samples at the end of an interval go to everyone, with all enabled domains; those in between
//    only to users that asked for subintervals, with the domains enabled for SUBINTERVAL.
#ifndef ENDICOTT_MONITOR_MONITOR_H
#define ENDICOTT_MONITOR_MONITOR_H

#include "base/events.h"
#include "cp/cp.h"
#include "monitor/elements.h"
#include "monitor/mondcss.h"
#include "monitor/record.h"

#define SUBINTERVALS_MAX 255u
#define DEFAULT_INTERVAL 60u  // seconds
#define DEFAULT_RATE     200u // hundredths of a second
#define DEFAULT_SEGMENT  "MONDCSS"
#define CONFIG_PAGES_MAX 65535u
#define SET_PAGES_MIN    2u // control area and a frame

enum data_type { DATA_EVENT, DATA_SAMPLE };
enum recording { RECORDING_INACTIVE, RECORDING_PENDING, RECORDING_ACTIVE, RECORDING_SUSPENDED };

struct profile {
    enum recording state;
    domain_set enabled;
    domain_set subinterval; // samples: domains that are not left out of subintervals
    struct element_list elements[DOMAIN_COUNT]; // of SCHEDULER, USER, I/O, SEEKS and APPLDATA
    unsigned config_pages;
    unsigned config_limit; // seconds
    bool limit_in_seconds; // as it was set, for QUERY
};

// Times in seconds; rate in hundredths. subinterval 0: equal to the interval.
struct schedule {
    unsigned interval, subinterval, rate;
    bool interval_in_seconds, rate_stopped;
    unsigned next_interval, next_subinterval; // from the next interval on
    bool next_in_seconds;
    tod_t start;    // of the running interval
    unsigned taken; // subintervals of it that have ended
};
unsigned schedule_subinterval(const struct schedule *schedule); // in force, never 0
// The subinterval to store for one of `seconds` in that interval: `seconds`, or 0 when it does not
// divide the interval, is the interval itself, or makes more than 255 of them.
unsigned schedule_fit(unsigned interval, unsigned seconds);

// Somebody connected to *MONITOR.
struct monitor_message {
    unsigned set;                  // to name it in monitor_reply()
    uint32_t target;               // target class, TARGET_ bits of reader.h
    uint32_t area_start, area_end; // of the control area: first and last byte in the segment
};
struct monitor_user;
struct monitor_user_ops {
    // A set of records is ready. To be answered by monitor_reply(), from inside or later; must not
    // connect or disconnect anybody. False: not now; it waits for the next answer or
    // monitor_resume().
    bool (*message)(struct monitor_user *user, const struct monitor_message *message);
    // The monitor gives this user up, for `code` (SEVER_ of star_monitor.h); it is disconnected
    // already.
    void (*severed)(struct monitor_user *user, unsigned code);
};

#define USER_SETS MONDCSS_SETS // sets a user may hold; how many are sent is for its path to say

struct monitor_user {
    struct monitor_user *next; // in order of connecting
    struct monitor *monitor;   // NULL: not connected
    const struct monitor_user_ops *ops;
    void *arg;
    char userid[USERID_SIZE];
    bool sample, event, subinterval;
    bool hidden;    // a panel inside the process: QUERY MONITOR does not list it
    bool exclusive; // wants to be the only one, but for hidden ones
    bool quiesced, sending;
    // Sets this user has to answer; configuration first: data wait until it is answered.
    struct monitor_held {
        uint16_t set;
        bool sent;
    } held[USER_SETS];
    unsigned holds;
    unsigned pages[AREA_COUNT]; // in those sets
    unsigned configuring[2];    // by data type: configuration sets that it has not answered yet
    uint64_t received, skipped; // sets
    // Event records in blocks that it was not given: a D1R3 for it alone will say how many.
    uint64_t lost;
};

struct monitor {
    struct cp *cp;
    struct profile event, sample;
    struct schedule schedule;
    struct mondcss dcss;
    char segment[9];    // its name, "" while nobody is connected
    unsigned partition; // pages for event data, as asked for; 0: default
    unsigned block;     // pages of event data per message
    struct monitor_user *users;
    struct event sample_event, rate_event, block_event, limit_event[2];
    tod_t rate_due; // next high-frequency tick
    struct cp_listener listener;
    struct command_text *commands, **commands_end; // for D1R10, until the next interval sample
    struct mondcss_builder block_builder;          // open block of event records
    uint64_t event_lost;                           // records lost while suspended
    uint64_t event_records, event_lost_ever;       // put, and of these lost, since IPL
    uint16_t ready[MONDCSS_SETS];                  // blocks to be delivered by ready_event
    unsigned ready_count;
    // Event records that who does not get a block misses, those that its D1R3 counts among them:
    // of the open block, and of each set.
    uint64_t block_events, set_events[MONDCSS_SETS];
    bool room_wanted;
    struct event ready_event, pop_event;
    // High-frequency sums of the system, since sampling started.
    uint64_t hf_ticks, hf_depth, *hf_running;
    uint64_t samples, subinterval_samples, skipped_samples; // sets built; not built: no room
    // cp->rdevs, all of which IPL makes: as an array, so that the host can look at many at a time
    // where a list would have it wait for one after the other.
    struct rdev **devices;
    unsigned device_count;
    struct star_monitor *star;
    char *monwrite_folder; // NULL: the system folder
};

// Starts the monitor of a system that cp_new() has made; before cp_start(). Defines the segment
// MONDCSS when SYSTEM CONFIG or the administrator has not.
void monitor_start(struct cp *cp);
void monitor_stop(struct cp *cp);
struct monitor *monitor_of(const struct cp *cp);
domain_set monitor_hf_domains(const struct monitor *monitor);

// --- recording (schedule.c) ---------------------------------------------------

// MONITOR SAMPLE START and STOP. 0, or a negative enum monitor_error.
enum monitor_error {
    MONITOR_ALREADY_ACTIVE = -1,
    MONITOR_NOT_ACTIVE = -2,
    MONITOR_NO_SEGMENT = -3,  // not defined, not saved, or not of type SC
    MONITOR_CONFIG_SIZE = -4, // the configuration areas do not fit
    MONITOR_OTHER_SEGMENT = -5,
    MONITOR_PARTITION = -6,
    MONITOR_EXCLUSIVE = -7, // somebody has, or wants, *MONITOR alone
};
int monitor_sample_start(struct monitor *monitor);
int monitor_sample_stop(struct monitor *monitor);
int monitor_event_start(struct monitor *monitor, unsigned block, unsigned partition); // 0: default
int monitor_event_stop(struct monitor *monitor);
// What the segment in use leaves for a configuration area, in pages; without users, the segment
// that most will name (DEFAULT_SEGMENT). And what it leaves for the partition: 0 to 0 when it is
// too small.
unsigned monitor_config_max(const struct monitor *monitor, enum data_type type);
void monitor_partition_range(const struct monitor *monitor, unsigned *min, unsigned *max);
void monitor_set_interval(struct monitor *monitor, unsigned seconds, bool in_seconds);
void monitor_set_subinterval(struct monitor *monitor, unsigned seconds);
void monitor_set_rate(struct monitor *monitor, unsigned hundredths); // 0: stop
// A MONITOR SAMPLE command's text that waits.
struct command_text {
    struct command_text *next;
    tod_t time;
    uint8_t *ebcdic;
    size_t length;
};
// The text of a MONITOR command, for D1R10 or D1R2.
void monitor_record_command(struct monitor *monitor, enum data_type type, const char *text);

// --- the inside ----------------------------------------------------------------

// Builds and delivers (sampler.c): a configuration set for `user`, NULL: all users of that type; a
// sample, `end`: of a whole interval. event_log.c: the event configuration.
void monitor_forget_commands(struct monitor *monitor);
void monitor_commands_register(void); // command.c
int monitor_query(struct command_call *call);
void sampler_configuration(struct monitor *monitor, struct monitor_user *user);
void sampler_sample(struct monitor *monitor, bool end);
void sampler_tick(struct monitor *monitor); // high-frequency
// D1R14 of domains with element lists, into a configuration set (domain_lists.c).
void domain_lists_put(struct monitor *monitor, enum data_type type, struct mondcss_builder *b,
                      tod_t now);
void event_log_configuration(struct monitor *monitor, struct monitor_user *user);
// Writes a record to the open block; `user` or `rdev` decide whether it is enabled.
void event_log_put(struct monitor *monitor, enum record_id id, const struct record_from *from);
void event_log_flush(struct monitor *monitor, bool stopping);
// A set of a D1R3 that counts `lost`; -1 when there is no room.
int event_log_loss(struct monitor *monitor, uint64_t lost);
void event_log_init(struct monitor *monitor);
void event_log_free(struct monitor *monitor);
// What happens in the system becomes records (event_sources.c).
void event_sources_notify(void *arg, const struct cp_event_data *event);
// Asks CP for the frequent events that are enabled; to be called when that may have changed.
void event_sources_watch(struct monitor *monitor);
// The scheduler's timer, every 30 seconds while events are recorded.
void event_sources_init(struct monitor *monitor);
void event_sources_free(struct monitor *monitor);
// Puts the areas where the settings want them; false: a configuration size does not fit.
bool monitor_layout(struct monitor *monitor);
// Recording goes on with its first user, waits without.
void monitor_users_changed(struct monitor *monitor);
void monitor_config_limit(struct event *event, void *arg);

// --- users (users.c) ----------------------------------------------------------

// `user` has ops, userid and what it wants; the struct stays the caller's and must not move. The
// first one brings the segment in. 0 or a negative enum monitor_error.
// monitor_may_connect() says the same without connecting, of one that is not hidden.
int monitor_may_connect(struct monitor *monitor, const char *segment, bool exclusive);
int monitor_connect(struct monitor *monitor, struct monitor_user *user, const char *segment);
void monitor_disconnect(struct monitor_user *user);
// The user is done with a set. False: it does not hold it.
bool monitor_reply(struct monitor_user *user, unsigned set);
// Until monitor_resume() nothing is sent to the user: what is for it waits, and counts as not
// answered.
void monitor_quiesce(struct monitor_user *user);
void monitor_resume(struct monitor_user *user);
// Nobody will get `lost` event records: all users of events are to be told.
void monitor_events_lost(struct monitor *monitor, uint64_t lost);
bool monitor_has_users(const struct monitor *monitor, enum data_type type, bool subinterval);
// Gives a built set to `user`, NULL: to all who are to have it. It takes over the caller's
// reference.
void monitor_deliver(struct monitor *monitor, unsigned set, struct monitor_user *user);
// Severs users that have held the oldest set of `area` since before `before`; true when pages may
// have become free.
bool monitor_make_room(struct monitor *monitor, enum mondcss_area area, tod_t before);

#endif
