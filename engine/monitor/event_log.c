// SPDX-License-Identifier: MIT
// Event recording: records go to an open block of frames, which is announced when it is full, when
// an interval has passed, and at STOP. Without a free page recording is suspended: D1R12 ends the
// last block, and D1R3 with the number of records lost begins the next one.
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

static void announce(struct monitor *m, int end_record)
{
    int set = mondcss_end(&m->block_builder, end_record, clock_now(&m->cp->world->clock));
    if (set >= 0)
        monitor_deliver(m, (unsigned)set, NULL);
}

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

void event_log_flush(struct monitor *m, bool stopping)
{
    if (!m->block_builder.open)
        return;
    if (stopping)
        announce(m, D1R12);
    else if (!block_left(m) && m->event.state == RECORDING_ACTIVE)
        suspend(m);
    else
        announce(m, -1);
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
    m->event_lost = 0;
    return true;
}

void event_log_put(struct monitor *m, enum record_id id, const struct record_from *from)
{
    if (m->event.state < RECORDING_ACTIVE)
        return;
    tod_t now = clock_now(&m->cp->world->clock);
    size_t length = record_size(id, from);
    while (!has_room(m, length, now) && monitor_make_room(m, AREA_EVENT_DATA, now - NO_REPLY_TIME))
        ;
    if (m->event.state < RECORDING_ACTIVE) // the last user was severed
        return;
    if ((m->event.state == RECORDING_SUSPENDED && !resume(m, now)) || !has_room(m, length, now)) {
        suspend(m);
        m->event_lost++;
        return;
    }
    mondcss_put(&m->block_builder, id, from, now);
}

// --- what happens in the system --------------------------------------------------------

static bool enabled(const struct monitor *m, enum monitor_domain domain)
{
    return m->event.state >= RECORDING_ACTIVE && (m->event.enabled & DOMAIN_BIT(domain));
}

static bool user_enabled(const struct monitor *m, const struct vm *vm)
{
    return enabled(m, DOMAIN_USER) &&
           elements_have_user(&m->event.elements[DOMAIN_USER], vm->userid);
}

void event_log_notify(void *arg, const struct cp_event_data *event)
{
    struct monitor *m = arg;
    struct record_from from = {.cp = m->cp, .monitor = m, .vm = event->vm, .rdev = event->rdev};
    if (event->what == CP_EVENT_LOGON && user_enabled(m, event->vm)) {
        event_log_put(m, D4R1, &from);
    } else if (event->what == CP_EVENT_LOGOFF && user_enabled(m, event->vm)) {
        for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
            if ((from.vcpu = event->vm->vcpu[i]))
                event_log_put(m, D4R2, &from);
    } else if (event->what == CP_EVENT_RDEV_ON && enabled(m, DOMAIN_IO) &&
               elements_have_device(&m->event.elements[DOMAIN_IO], event->rdev)) {
        event_log_put(m, D6R1, &from);
    }
}
