// SPDX-License-Identifier: MIT
// Who is connected to *MONITOR, and the sets of records each of them has still to answer.
//
// A user that does not answer hurts itself alone: it is skipped while it holds more than half of
// the data area (of events: when somebody else wants them too), and of event records it is told how
// many it did not get; its configuration is taken back when CONFIG LIMIT is over, and the path
// severed. When several such users fill the area together, those that hold the oldest set are
// severed.
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cp/dcss.h"
#include "monitor/monitor.h"
#include "monitor/star_monitor.h"

static enum data_type type_of(uint32_t target)
{
    return (target & TARGET_TYPE) == TARGET_EVENT ? DATA_EVENT : DATA_SAMPLE;
}

static bool is_config(uint32_t target)
{
    return (target & TARGET_KIND) == TARGET_CONFIG;
}

static bool wants(const struct monitor_user *user, uint32_t target)
{
    if (type_of(target) == DATA_EVENT)
        return user->event;
    return user->sample && (user->subinterval || !(target & TARGET_SUBINTERVAL));
}

bool monitor_has_users(const struct monitor *m, enum data_type type, bool subinterval)
{
    for (const struct monitor_user *u = m->users; u; u = u->next)
        if (type == DATA_EVENT ? u->event : u->sample && (u->subinterval || !subinterval))
            return true;
    return false;
}

// --- sets in users' hands --------------------------------------------------------

static void drop(struct monitor_user *user, unsigned index)
{
    unsigned set = user->held[index].set;
    struct mondcss *dcss = &user->monitor->dcss;
    const struct mondcss_set *s = &dcss->set[set];
    user->pages[s->area] -= s->pages;
    if (is_config(s->target))
        user->configuring[type_of(s->target)]--;
    memmove(&user->held[index], &user->held[index + 1],
            (user->holds - index - 1) * sizeof user->held[0]);
    user->holds--;
    mondcss_unref(dcss, set);
}

static int find_held(const struct monitor_user *user, unsigned set)
{
    for (unsigned i = 0; i < user->holds; i++)
        if (user->held[i].set == set)
            return (int)i;
    return -1;
}

// The user may answer from inside.
static bool send(struct monitor_user *user, unsigned index)
{
    struct mondcss *dcss = &user->monitor->dcss;
    struct monitor_message message = {.set = user->held[index].set};
    user->held[index].sent = true;
    message.target = dcss->set[message.set].target;
    mondcss_control_area(dcss, message.set, &message.area_start, &message.area_end);
    user->received++;
    if (user->ops->message(user, &message))
        return true;
    user->received--;
    user->held[index].sent = false;
    return false;
}

// Sends what may be sent, oldest first: data wait until the configuration is answered.
static void send_waiting(struct monitor_user *user)
{
    if (user->sending || user->quiesced)
        return;
    user->sending = true;
    for (unsigned i = 0; i < user->holds;) {
        uint32_t target = user->monitor->dcss.set[user->held[i].set].target;
        if (user->held[i].sent || (!is_config(target) && user->configuring[type_of(target)]))
            i++;
        else if (send(user, i))
            i = 0; // the list may be another now
        else
            break;
    }
    user->sending = false;
}

static bool is_alone(const struct monitor_user *user, enum data_type type)
{
    for (const struct monitor_user *u = user->monitor->users; u; u = u->next)
        if (u != user && (type == DATA_EVENT ? u->event : u->sample))
            return false;
    return true;
}

static bool may_have(const struct monitor_user *user, enum mondcss_area area, unsigned pages)
{
    if (user->holds == USER_SETS)
        return false;
    if (area == AREA_EVENT_CONFIG || area == AREA_SAMPLE_CONFIG || user->pages[area] == 0)
        return true;
    if (area == AREA_EVENT_DATA && is_alone(user, DATA_EVENT))
        return true;
    return user->pages[area] + pages <= user->monitor->dcss.area[area].pages / 2;
}

static void hold(struct monitor_user *user, unsigned set)
{
    const struct mondcss_set *s = &user->monitor->dcss.set[set];
    user->pages[s->area] += s->pages;
    user->held[user->holds++] = (struct monitor_held){.set = (uint16_t)set};
    if (is_config(s->target))
        user->configuring[type_of(s->target)]++;
}

#define LOSS_PAGES 2u // control area and frame

// Tells a user that could not be given event blocks how much it has missed; true when there is
// nothing left to be told.
static bool tell_loss(struct monitor_user *user)
{
    if (user->lost == 0)
        return true;
    int set = may_have(user, AREA_EVENT_DATA, LOSS_PAGES)
                  ? event_log_loss(user->monitor, user->lost)
                  : -1;
    if (set < 0)
        return false;
    hold(user, (unsigned)set); // with the only reference
    user->lost = 0;
    return true;
}

static void tell_losses(struct monitor *m)
{
    for (struct monitor_user *u = m->users; u; u = u->next)
        if (u->lost && tell_loss(u))
            send_waiting(u);
}

void monitor_events_lost(struct monitor *m, uint64_t lost)
{
    for (struct monitor_user *u = m->users; u; u = u->next)
        if (u->event)
            u->lost += lost;
    tell_losses(m);
}

static void give(struct monitor_user *user, unsigned set)
{
    struct mondcss *dcss = &user->monitor->dcss;
    const struct mondcss_set *s = &dcss->set[set];
    bool event = s->area == AREA_EVENT_DATA;
    if (!may_have(user, s->area, s->pages) || (event && !tell_loss(user))) {
        user->skipped++;
        if (event)
            user->lost += user->monitor->set_events[set];
        LOG(MONITOR, "%s has not answered %u sets: skipped", user->userid, user->holds);
        return;
    }
    mondcss_ref(dcss, set);
    hold(user, set);
    send_waiting(user);
}

void monitor_deliver(struct monitor *m, unsigned set, struct monitor_user *only)
{
    uint32_t target = m->dcss.set[set].target;
    for (struct monitor_user *u = m->users; u; u = u->next)
        if (only ? u == only : wants(u, target))
            give(u, set);
    mondcss_unref(&m->dcss, set);
    struct event *limit = &m->limit_event[type_of(target)];
    const struct profile *profile = type_of(target) == DATA_EVENT ? &m->event : &m->sample;
    if (is_config(target) && !event_pending(limit))
        event_schedule(&m->cp->world->events, limit,
                       clock_now(&m->cp->world->clock) + (tod_t)profile->config_limit * TOD_SECOND);
}

bool monitor_reply(struct monitor_user *user, unsigned set)
{
    int at = user->monitor ? find_held(user, set) : -1;
    if (at < 0 || !user->held[at].sent)
        return false;
    drop(user, (unsigned)at);
    tell_losses(user->monitor); // there may be room now
    send_waiting(user);
    return true;
}

void monitor_quiesce(struct monitor_user *user)
{
    user->quiesced = true;
}

void monitor_resume(struct monitor_user *user)
{
    user->quiesced = false;
    if (user->monitor)
        send_waiting(user);
}

// --- connecting --------------------------------------------------------------------

static int attach_segment(struct monitor *m, const char *name)
{
    struct dcss *dcss = dcss_find(m->cp, name);
    if (!dcss || !dcss->saved || dcss->type != DCSS_SC)
        return MONITOR_NO_SEGMENT;
    uint64_t size = dcss->end - dcss->start + 1;
    mondcss_attach(&m->dcss, dcss->bytes, dcss->start, (uint32_t)(size / FRAME_SIZE));
    if (!monitor_layout(m)) {
        mondcss_detach(&m->dcss);
        return MONITOR_CONFIG_SIZE;
    }
    memcpy(m->segment, dcss->name, sizeof m->segment);
    dcss->users++;
    return 0;
}

static void detach_segment(struct monitor *m)
{
    struct dcss *dcss = dcss_find(m->cp, m->segment);
    if (dcss && dcss->users)
        dcss->users--;
    mondcss_detach(&m->dcss);
    m->segment[0] = '\0';
}

static bool excluded(const struct monitor *m, bool exclusive)
{
    for (const struct monitor_user *u = m->users; u; u = u->next)
        if (!u->hidden && (exclusive || u->exclusive))
            return true;
    return false;
}

int monitor_may_connect(struct monitor *m, const char *segment, bool exclusive)
{
    if (excluded(m, exclusive))
        return MONITOR_EXCLUSIVE;
    if (m->segment[0])
        return strcmp(m->segment, segment) == 0 ? 0 : MONITOR_OTHER_SEGMENT;
    int rc = attach_segment(m, segment);
    if (rc == 0)
        detach_segment(m);
    return rc;
}

int monitor_connect(struct monitor *m, struct monitor_user *user, const char *segment)
{
    if (!user->hidden && excluded(m, user->exclusive))
        return MONITOR_EXCLUSIVE;
    if (!m->segment[0]) {
        int rc = attach_segment(m, segment);
        if (rc)
            return rc;
    } else if (strcmp(m->segment, segment) != 0) {
        return MONITOR_OTHER_SEGMENT;
    }
    struct monitor_user **end = &m->users;
    while (*end)
        end = &(*end)->next;
    *end = user;
    user->next = NULL;
    user->monitor = m;
    user->holds = user->configuring[0] = user->configuring[1] = 0;
    memset(user->pages, 0, sizeof user->pages);
    user->quiesced = user->sending = false;
    user->lost = 0;
    LOG(MONITOR, "%s connects: %s%s%s", user->userid, user->sample ? "sample " : "",
        user->event ? "event " : "", user->subinterval ? "subinterval" : "");
    monitor_users_changed(m);
    if (user->event && m->event.state == RECORDING_ACTIVE)
        event_log_configuration(m, user);
    if (user->sample && m->sample.state == RECORDING_ACTIVE)
        sampler_configuration(m, user);
    return 0;
}

void monitor_disconnect(struct monitor_user *user)
{
    struct monitor *m = user->monitor;
    if (!m)
        return;
    while (user->holds)
        drop(user, user->holds - 1);
    for (struct monitor_user **p = &m->users; *p; p = &(*p)->next)
        if (*p == user) {
            *p = user->next;
            break;
        }
    user->monitor = NULL;
    LOG(MONITOR, "%s disconnects", user->userid);
    monitor_users_changed(m);
    tell_losses(m);
    if (!m->users)
        detach_segment(m);
}

static void sever(struct monitor_user *user, unsigned code)
{
    LOG(MONITOR, "%s is severed, code %02X", user->userid, code);
    monitor_disconnect(user);
    user->ops->severed(user, code);
}

void monitor_users_changed(struct monitor *m)
{
    bool sample = monitor_has_users(m, DATA_SAMPLE, false);
    bool event = monitor_has_users(m, DATA_EVENT, false);
    if (m->sample.state != RECORDING_INACTIVE)
        m->sample.state = sample ? RECORDING_ACTIVE : RECORDING_PENDING;
    if (m->event.state == RECORDING_PENDING && event) {
        m->event.state = RECORDING_ACTIVE;
        m->event_lost = 0;
    }
    if (m->event.state >= RECORDING_ACTIVE && !event) {
        event_log_flush(m, false);
        m->event.state = RECORDING_PENDING;
    }
    event_sources_watch(m);
}

// --- users that do not answer --------------------------------------------------------

bool monitor_make_room(struct monitor *m, enum mondcss_area area, tod_t before)
{
    int set = mondcss_oldest(&m->dcss, area);
    if (set < 0 || m->dcss.set[set].built >= before)
        return false;
    struct monitor_user *next;
    bool any = false;
    for (struct monitor_user *u = m->users; u; u = next) {
        next = u->next;
        if (find_held(u, (unsigned)set) < 0)
            continue;
        any = true;
        sever(u, SEVER_NO_REPLY);
        next = m->users; // the list may be another now
        if (!m->dcss.bytes || !m->dcss.set[set].used)
            break;
    }
    return any && m->dcss.bytes;
}

void monitor_config_limit(struct event *event, void *arg)
{
    struct monitor *m = arg;
    enum data_type type = event == &m->limit_event[DATA_EVENT] ? DATA_EVENT : DATA_SAMPLE;
    const struct profile *profile = type == DATA_EVENT ? &m->event : &m->sample;
    tod_t now = clock_now(&m->cp->world->clock);
    tod_t limit = (tod_t)profile->config_limit * TOD_SECOND, next_due = TOD_NEVER;
    struct monitor_user *next;
    for (struct monitor_user *u = m->users; u; u = next) {
        next = u->next;
        tod_t oldest = TOD_NEVER;
        for (unsigned i = 0; i < u->holds; i++) {
            const struct mondcss_set *s = &m->dcss.set[u->held[i].set];
            if (is_config(s->target) && type_of(s->target) == type && s->built < oldest)
                oldest = s->built;
        }
        if (oldest == TOD_NEVER)
            continue;
        if (oldest + limit <= now) {
            sever(u, SEVER_CONFIG_LIMIT);
            next = m->users;
        } else if (oldest + limit < next_due) {
            next_due = oldest + limit;
        }
    }
    if (next_due != TOD_NEVER)
        event_schedule(&m->cp->world->events, event, next_due);
}
