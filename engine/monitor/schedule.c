// SPDX-License-Identifier: MIT
// When samples are taken: START, STOP, intervals, subintervals and the high-frequency rate.
#include "monitor/schedule.h"

#include <limits.h>

#include "cp/dcss.h"

unsigned schedule_fit(unsigned interval, unsigned seconds)
{
    if (seconds == 0 || seconds >= interval || interval % seconds != 0 ||
        interval / seconds > SUBINTERVALS_MAX)
        return 0;
    return seconds;
}

unsigned schedule_subinterval(const struct schedule *schedule)
{
    return schedule->subinterval ? schedule->subinterval : schedule->interval;
}

static tod_t next_due(const struct schedule *s)
{
    return s->start + (tod_t)(s->taken + 1) * schedule_subinterval(s) * TOD_SECOND;
}

static void adopt(struct schedule *s)
{
    s->interval = s->next_interval;
    s->interval_in_seconds = s->next_in_seconds;
    s->subinterval = s->next_subinterval;
}

// The end of a subinterval; true when it is the end of the interval as well.
static bool advance(struct schedule *s)
{
    s->taken++;
    if (s->taken * schedule_subinterval(s) < s->interval)
        return false;
    s->start += (tod_t)s->interval * TOD_SECOND;
    s->taken = 0;
    return true;
}

static struct event_queue *events(struct monitor *m)
{
    return &m->cp->world->events;
}

static tod_t now(const struct monitor *m)
{
    return clock_now(&m->cp->world->clock);
}

static void sample_due(struct monitor *m)
{
    bool end = advance(&m->schedule);
    if (m->sample.state == RECORDING_ACTIVE)
        sampler_sample(m, end);
    if (end)
        adopt(&m->schedule);
}

static void sample_fire(struct event *event, void *arg)
{
    struct monitor *m = arg;
    sample_due(m);
    // Real time may have been away (the host slept): what was missed is not made up for.
    while (next_due(&m->schedule) + TOD_SECOND <= now(m))
        if (advance(&m->schedule))
            adopt(&m->schedule);
    event_schedule(events(m), event, next_due(&m->schedule));
}

// --- high-frequency sampling ---------------------------------------------------

static tod_t rate_span(const struct monitor *m)
{
    return (tod_t)m->schedule.rate * 10 * TOD_MILLISECOND;
}

static void rate_fire(struct event *event, void *arg)
{
    struct monitor *m = arg;
    if (m->sample.state == RECORDING_ACTIVE)
        sampler_tick(m);
    do
        m->rate_due += rate_span(m);
    while (m->rate_due <= now(m));
    event_schedule(events(m), event, m->rate_due);
}

static void rate_start(struct monitor *m)
{
    event_cancel(events(m), &m->rate_event);
    if (m->sample.state == RECORDING_INACTIVE || m->schedule.rate == 0)
        return;
    m->rate_due = now(m) + rate_span(m);
    event_schedule(events(m), &m->rate_event, m->rate_due);
}

void monitor_set_rate(struct monitor *m, unsigned hundredths)
{
    m->schedule.rate = hundredths;
    rate_start(m);
}

// --- settings ---------------------------------------------------------------------

static void changed(struct monitor *m)
{
    if (m->sample.state == RECORDING_INACTIVE)
        adopt(&m->schedule);
}

void monitor_set_interval(struct monitor *m, unsigned seconds, bool in_seconds)
{
    m->schedule.next_interval = seconds;
    m->schedule.next_in_seconds = in_seconds;
    m->schedule.next_subinterval = schedule_fit(seconds, m->schedule.next_subinterval);
    changed(m);
}

void monitor_set_subinterval(struct monitor *m, unsigned seconds)
{
    m->schedule.next_subinterval = schedule_fit(m->schedule.next_interval, seconds);
    changed(m);
}

bool monitor_layout(struct monitor *m)
{
    if (!m->dcss.bytes)
        return true;
    uint32_t partition = m->partition ? m->partition : m->dcss.pages / 2;
    return mondcss_layout(&m->dcss, partition, m->event.config_pages, m->sample.config_pages);
}

// Pages of the segment; 0 when there is none to go by.
static unsigned segment_pages(const struct monitor *m)
{
    const struct dcss *dcss = dcss_find(m->cp, DEFAULT_SEGMENT);
    if (m->dcss.bytes)
        return m->dcss.pages;
    return dcss && dcss->saved && dcss->type == DCSS_SC
               ? (unsigned)((dcss->end - dcss->start + 1) / FRAME_SIZE)
               : 0;
}

unsigned monitor_config_max(const struct monitor *m, enum data_type type)
{
    unsigned pages = segment_pages(m), partition = m->partition ? m->partition : pages / 2;
    if (pages == 0)
        return CONFIG_PAGES_MAX; // it will be seen when somebody names one
    unsigned half = type == DATA_EVENT ? partition : partition < pages ? pages - partition : 0;
    unsigned max = half > SET_PAGES_MIN ? half - SET_PAGES_MIN : 0;
    return max < CONFIG_PAGES_MAX ? max : CONFIG_PAGES_MAX;
}

void monitor_partition_range(const struct monitor *m, unsigned *min, unsigned *max)
{
    unsigned pages = segment_pages(m), others = m->sample.config_pages + SET_PAGES_MIN;
    *min = m->event.config_pages + SET_PAGES_MIN;
    *max = pages == 0 ? UINT_MAX : pages > others ? pages - others : 0;
    if (*max < *min)
        *min = *max = 0;
}

// --- START and STOP ---------------------------------------------------------------

int monitor_sample_start(struct monitor *m)
{
    if (m->sample.state != RECORDING_INACTIVE)
        return MONITOR_ALREADY_ACTIVE;
    if (!monitor_layout(m))
        return MONITOR_CONFIG_SIZE;
    adopt(&m->schedule);
    m->schedule.start = now(m);
    m->schedule.taken = 0;
    m->sample.state = RECORDING_PENDING;
    if (monitor_has_users(m, DATA_SAMPLE, false)) {
        m->sample.state = RECORDING_ACTIVE;
        sampler_configuration(m, NULL);
        sampler_sample(m, true);
    }
    event_schedule(events(m), &m->sample_event, next_due(&m->schedule));
    rate_start(m);
    return 0;
}

int monitor_sample_stop(struct monitor *m)
{
    if (m->sample.state == RECORDING_INACTIVE)
        return MONITOR_NOT_ACTIVE;
    // STOP at the very moment a sample is due comes after it.
    while (next_due(&m->schedule) <= now(m))
        sample_due(m);
    if (m->sample.state == RECORDING_ACTIVE)
        sampler_sample(m, true); // the last one: see monitor.h
    event_cancel(events(m), &m->sample_event);
    m->sample.state = RECORDING_INACTIVE;
    rate_start(m);
    adopt(&m->schedule);
    return 0;
}

static void block_fire(struct event *event, void *arg)
{
    struct monitor *m = arg;
    event_log_flush(m, false);
    event_schedule(events(m), event, event->due + (tod_t)m->schedule.interval * TOD_SECOND);
}

int monitor_event_start(struct monitor *m, unsigned block, unsigned partition)
{
    if (m->event.state != RECORDING_INACTIVE)
        return MONITOR_ALREADY_ACTIVE;
    unsigned old = m->partition, min, max;
    monitor_partition_range(m, &min, &max);
    if (partition && (partition < min || partition > max))
        return MONITOR_PARTITION;
    if (partition)
        m->partition = partition;
    if (!monitor_layout(m)) {
        m->partition = old;
        return partition ? MONITOR_PARTITION : MONITOR_CONFIG_SIZE;
    }
    if (block)
        m->block = block;
    m->event_lost = 0;
    m->event.state = RECORDING_PENDING;
    if (monitor_has_users(m, DATA_EVENT, false)) {
        m->event.state = RECORDING_ACTIVE;
        event_log_configuration(m, NULL);
    }
    event_sources_watch(m);
    // A block that is not full is announced when an interval has passed.
    event_schedule(events(m), &m->block_event, now(m) + (tod_t)m->schedule.interval * TOD_SECOND);
    return 0;
}

int monitor_event_stop(struct monitor *m)
{
    if (m->event.state == RECORDING_INACTIVE)
        return MONITOR_NOT_ACTIVE;
    event_log_flush(m, true);
    event_cancel(events(m), &m->block_event);
    m->event.state = RECORDING_INACTIVE;
    event_sources_watch(m);
    return 0;
}

void monitor_schedule_init(struct monitor *m)
{
    m->schedule = (struct schedule){
        .interval = DEFAULT_INTERVAL, .rate = DEFAULT_RATE, .next_interval = DEFAULT_INTERVAL};
    event_init(&m->sample_event, sample_fire, m);
    event_init(&m->rate_event, rate_fire, m);
    event_init(&m->block_event, block_fire, m);
}

void monitor_schedule_free(struct monitor *m)
{
    event_cancel(events(m), &m->sample_event);
    event_cancel(events(m), &m->rate_event);
    event_cancel(events(m), &m->block_event);
}
