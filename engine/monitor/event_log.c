// SPDX-License-Identifier: MIT
// Event recording: records go to an open block of frames, which is announced when it is full, when
// an interval has passed, and at STOP. Without a free page recording is suspended: D1R12 ends the
// last block, and D1R3 with the number of records lost begins the next one.
//
// Records are put from the middle of the dispatcher or of a channel program, where nobody may be
// woken or severed: what follows from a full block is done by an event, at the same time.
#include <string.h>

#include "base/log.h"
#include "monitor/monitor.h"

#define NO_REPLY_TIME (60 * TOD_SECOND) // who has not answered an event block that long may go

void event_log_configuration(struct monitor *m, struct monitor_user *user)
{
    struct mondcss_builder b;
    struct record_from from = {.cp = m->cp, .monitor = m};
    tod_t now = clock_now(&m->cp->world->clock);
    mondcss_begin(&b, &m->dcss, AREA_EVENT_CONFIG, TARGET_EVENT | TARGET_CONFIG, now);
    mondcss_put(&b, D1R1, &from, now);
    domain_lists_put(m, DATA_EVENT, &b, now);
    int set = mondcss_end(&b, -1, now);
    if (set >= 0)
        monitor_deliver(m, (unsigned)set, user);
    else
        LOG(MONITOR, "no room for event configuration records");
}

// --- what waits for the event --------------------------------------------------------------

static void deliver_ready(struct monitor *m)
{
    unsigned n = m->ready_count;
    m->ready_count = 0; // delivering may add new ones: they are delivered next time
    uint16_t ready[MONDCSS_SETS];
    memcpy(ready, m->ready, n * sizeof ready[0]);
    for (unsigned i = 0; i < n; i++)
        if (m->dcss.bytes && m->dcss.set[ready[i]].used)
            monitor_deliver(m, ready[i], NULL);
}

static void ready_fire(struct event *event, void *arg)
{
    struct monitor *m = arg;
    (void)event;
    deliver_ready(m);
    if (!m->room_wanted)
        return;
    m->room_wanted = false;
    tod_t now = clock_now(&m->cp->world->clock);
    if (m->event.state == RECORDING_SUSPENDED)
        monitor_make_room(m, AREA_EVENT_DATA, now - NO_REPLY_TIME);
}

void event_log_init(struct monitor *m)
{
    event_init(&m->ready_event, ready_fire, m);
}

void event_log_free(struct monitor *m)
{
    event_cancel(&m->cp->world->events, &m->ready_event);
}

static void soon(struct monitor *m)
{
    if (!event_pending(&m->ready_event))
        event_schedule(&m->cp->world->events, &m->ready_event, clock_now(&m->cp->world->clock));
}

static void lose(struct monitor *m, uint64_t records)
{
    m->event_lost += records;
    m->event_lost_ever += records;
    if (records && m->event.state == RECORDING_ACTIVE)
        m->event.state = RECORDING_SUSPENDED;
}

static void announce(struct monitor *m, int end_record)
{
    int set = mondcss_end(&m->block_builder, end_record, clock_now(&m->cp->world->clock));
    if (set < 0) {
        lose(m, m->block_events);
        m->block_events = 0;
        return;
    }
    m->set_events[set] = m->block_events;
    m->block_events = 0;
    m->ready[m->ready_count++] = (uint16_t)set; // each set once: there is room
    soon(m);
}

// --- blocks --------------------------------------------------------------------------------

// Can a further block be opened: a control area and a frame?
static bool block_left(const struct monitor *m)
{
    return m->dcss.area[AREA_EVENT_DATA].used + 2 <= m->dcss.area[AREA_EVENT_DATA].pages;
}

static void suspend(struct monitor *m)
{
    if (m->event.state != RECORDING_SUSPENDED)
        LOG(MONITOR, "event recording is suspended: no free page");
    announce(m, D1R12);
    m->event.state = RECORDING_SUSPENDED;
}

static void open_block(struct monitor *m, tod_t now)
{
    mondcss_begin(&m->block_builder, &m->dcss, AREA_EVENT_DATA, TARGET_EVENT | TARGET_DATA, now);
    m->block_builder.limit = m->block;
}

static bool has_room(struct monitor *m, size_t length, tod_t now)
{
    if (m->block_builder.open && mondcss_fits(&m->block_builder, length) == MONDCSS_LIMIT) {
        if (!block_left(m))
            return false; // the block stays open for D1R12
        announce(m, -1);
    }
    if (!m->block_builder.open)
        open_block(m, now);
    return mondcss_fits(&m->block_builder, length) == MONDCSS_FITS;
}

static bool resume(struct monitor *m, tod_t now)
{
    struct record_from from = {.cp = m->cp, .monitor = m, .count = m->event_lost};
    if (!has_room(m, record_layouts[D1R3].length, now))
        return false;
    mondcss_put(&m->block_builder, D1R3, &from, now);
    m->event.state = RECORDING_ACTIVE;
    m->block_events += m->event_lost;
    m->event_lost = 0;
    return true;
}

int event_log_loss(struct monitor *m, uint64_t lost)
{
    struct mondcss_builder b;
    struct record_from from = {.cp = m->cp, .monitor = m, .count = lost};
    tod_t now = clock_now(&m->cp->world->clock);
    mondcss_begin(&b, &m->dcss, AREA_EVENT_DATA, TARGET_EVENT | TARGET_DATA, now);
    mondcss_put(&b, D1R3, &from, now);
    int set = mondcss_end(&b, -1, now);
    if (set >= 0)
        m->set_events[set] = lost;
    return set;
}

// From where users may be told at once.
void event_log_flush(struct monitor *m, bool stopping)
{
    tod_t now = clock_now(&m->cp->world->clock);
    if (stopping && m->event.state == RECORDING_SUSPENDED)
        resume(m, now); // the count of what was lost, if there is room
    if (m->block_builder.open && stopping)
        announce(m, D1R12);
    else if (m->block_builder.open && !block_left(m) && m->event.state == RECORDING_ACTIVE)
        suspend(m);
    else if (m->block_builder.open)
        announce(m, -1);
    deliver_ready(m);
    if (stopping && m->event_lost) {
        monitor_events_lost(m, m->event_lost);
        m->event_lost = 0;
    }
}

void event_log_put(struct monitor *m, enum record_id id, const struct record_from *from)
{
    if (m->event.state < RECORDING_ACTIVE)
        return;
    tod_t now = clock_now(&m->cp->world->clock);
    size_t length = record_size(id, from);
    m->event_records++;
    if ((m->event.state != RECORDING_SUSPENDED || resume(m, now)) && has_room(m, length, now) &&
        mondcss_put(&m->block_builder, id, from, now)) {
        m->block_events++;
        return;
    }
    suspend(m);
    lose(m, 1);
    m->room_wanted = true;
    soon(m);
}
