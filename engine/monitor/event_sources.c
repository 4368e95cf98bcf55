// SPDX-License-Identifier: MIT
// Which event of CP becomes which record.
#include <string.h>

#include "cp/nic.h"
#include "devices/channel.h"
#include "devices/dasd_volume.h"
#include "monitor/monitor.h"
#include "monitor/network_view.h"

#define SCHEDULER_POP (30 * TOD_SECOND)

// What decides whether the record is enabled, and what `about` is.
enum subject {
    ABOUT_SYSTEM,
    ABOUT_USER,
    ABOUT_VCPU,
    ABOUT_TRANSACTION,
    ABOUT_DEVICE,
    ABOUT_SEGMENT,
    ABOUT_NIC,
    ABOUT_PROCESSOR,
};

static const struct source {
    enum cp_event what;
    enum monitor_domain domain;
    enum record_id id;
    enum subject subject;
} sources[] = {
    {CP_EVENT_READ_BEGIN, DOMAIN_SCHEDULER, D2R1, ABOUT_USER},
    {CP_EVENT_READ_END, DOMAIN_SCHEDULER, D2R2, ABOUT_USER},
    {CP_EVENT_WRITE, DOMAIN_SCHEDULER, D2R3, ABOUT_USER},
    {CP_EVENT_DISPATCH_ADD, DOMAIN_SCHEDULER, D2R4, ABOUT_VCPU},
    {CP_EVENT_DISPATCH_DROP, DOMAIN_SCHEDULER, D2R5, ABOUT_VCPU},
    {CP_EVENT_SRM, DOMAIN_SCHEDULER, D2R7, ABOUT_SYSTEM},
    {CP_EVENT_SHARE, DOMAIN_SCHEDULER, D2R9, ABOUT_USER},
    {CP_EVENT_QUICKDSP, DOMAIN_SCHEDULER, D2R10, ABOUT_USER},
    {CP_EVENT_SEGMENT_SAVED, DOMAIN_STORAGE, D3R5, ABOUT_SEGMENT},
    {CP_EVENT_SEGMENT_PURGED, DOMAIN_STORAGE, D3R6, ABOUT_SEGMENT},
    {CP_EVENT_SEGMENT_LOADED, DOMAIN_STORAGE, D3R15, ABOUT_SEGMENT},
    {CP_EVENT_SEGMENT_UNUSED, DOMAIN_STORAGE, D3R16, ABOUT_SEGMENT},
    {CP_EVENT_LOGON, DOMAIN_USER, D4R1, ABOUT_USER},
    {CP_EVENT_CPU_DEFINED, DOMAIN_USER, D4R5, ABOUT_VCPU},
    {CP_EVENT_CPU_DETACHED, DOMAIN_USER, D4R6, ABOUT_VCPU},
    {CP_EVENT_TRANSACTION_END, DOMAIN_USER, D4R8, ABOUT_TRANSACTION},
    {CP_EVENT_TRANSACTION_END, DOMAIN_USER, D4R9, ABOUT_TRANSACTION},
    {CP_EVENT_TRANSACTION_END, DOMAIN_USER, D4R10, ABOUT_TRANSACTION},
    {CP_EVENT_PROCESSOR_ON, DOMAIN_PROCESSOR, D5R1, ABOUT_PROCESSOR},
    {CP_EVENT_PROCESSOR_OFF, DOMAIN_PROCESSOR, D5R2, ABOUT_PROCESSOR},
    {CP_EVENT_RDEV_ON, DOMAIN_IO, D6R1, ABOUT_DEVICE},
    {CP_EVENT_RDEV_OFF, DOMAIN_IO, D6R2, ABOUT_DEVICE},
    {CP_EVENT_ATTACH, DOMAIN_IO, D6R5, ABOUT_DEVICE},
    {CP_EVENT_DETACH, DOMAIN_IO, D6R6, ABOUT_DEVICE},
    {CP_EVENT_LINK_UP, DOMAIN_NETWORK, D8R2, ABOUT_NIC},
    {CP_EVENT_LINK_DOWN, DOMAIN_NETWORK, D8R3, ABOUT_NIC},
};
#define SOURCES (sizeof sources / sizeof sources[0])

static bool recorded(const struct monitor *m, enum monitor_domain domain)
{
    return m->event.state >= RECORDING_ACTIVE && (m->event.enabled & DOMAIN_BIT(domain));
}

static bool has_users(enum monitor_domain domain)
{
    return domain == DOMAIN_USER || domain == DOMAIN_SCHEDULER;
}

// The rest of what the record is about; false when there is nothing.
static bool look_at(struct record_from *from, const struct source *source, const void *about)
{
    switch (source->subject) {
    case ABOUT_VCPU:
        from->vcpu = about;
        return true;
    case ABOUT_TRANSACTION:
        from->transaction = about;
        from->vcpu = from->transaction->vcpu;
        return true;
    case ABOUT_SEGMENT:
        from->segment = about;
        return true;
    case ABOUT_PROCESSOR:
        from->processor = about;
        return true;
    case ABOUT_NIC: {
        const struct nic *nic = about;
        if (!nic->port)
            return false;
        from->network = network_view_port(nic->port);
        return true;
    }
    default:
        return true;
    }
}

static void record(struct monitor *m, const struct source *source,
                   const struct cp_event_data *event)
{
    struct record_from from = {.cp = m->cp, .monitor = m, .vm = event->vm, .rdev = event->rdev};
    const struct element_list *list = &m->event.elements[source->domain];
    if (!recorded(m, source->domain) ||
        (event->vm && has_users(source->domain) && !elements_have_user(list, event->vm->userid)) ||
        (event->rdev && !elements_have_device(list, event->rdev)))
        return;
    if (look_at(&from, source, event->about))
        event_log_put(m, source->id, &from);
}

static void logoff(struct monitor *m, const struct cp_event_data *event)
{
    static const struct source source = {CP_EVENT_LOGOFF, DOMAIN_USER, D4R2, ABOUT_VCPU};
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (event->vm->vcpu[i]) {
            vcpu_end_transaction(event->vm->vcpu[i], true);
            struct cp_event_data one = *event;
            one.about = event->vm->vcpu[i];
            record(m, &source, &one);
        }
}

void event_sources_notify(void *arg, const struct cp_event_data *event)
{
    struct monitor *m = arg;
    if (event->what == CP_EVENT_LOGOFF)
        logoff(m, event);
    for (unsigned i = 0; i < SOURCES; i++)
        if (sources[i].what == event->what)
            record(m, &sources[i], event);
    if (event->what == CP_EVENT_RDEV_ON)
        event_sources_watch(m);
}

// --- seeks -------------------------------------------------------------------------------------

static void moved(void *arg, struct dasd_volume *volume, const struct device *by, unsigned from,
                  unsigned to, unsigned head)
{
    const struct rdev *rdev = arg;
    const struct machine *machine = device_host(by)->arg;
    const struct vm *vm = machine->owner.arg;
    struct monitor *m = monitor_of(vm->cp);
    struct record_from about = {
        .cp = vm->cp, .monitor = m, .vm = vm, .rdev = rdev, .seek = {from, to, head, by->number}};
    (void)volume;
    if (elements_have_device(&m->event.elements[DOMAIN_SEEKS], rdev))
        event_log_put(m, D7R1, &about);
}

static void watch_seeks(struct monitor *m)
{
    bool on = recorded(m, DOMAIN_SEEKS);
    for (struct rdev *rdev = m->cp->rdevs; rdev; rdev = rdev->next)
        if (rdev->volume) {
            rdev->volume->moved = on ? moved : NULL;
            rdev->volume->moved_arg = rdev;
        }
}

void event_sources_watch(struct monitor *m)
{
    for (unsigned i = 0; i < SOURCES; i++)
        if (sources[i].what >= CP_EVENT_WATCHED)
            cp_watch(m->cp, sources[i].what, recorded(m, sources[i].domain));
    watch_seeks(m);
    if (m->event.state < RECORDING_ACTIVE)
        event_cancel(&m->cp->world->events, &m->pop_event);
    else if (!event_pending(&m->pop_event))
        event_schedule(&m->cp->world->events, &m->pop_event,
                       clock_now(&m->cp->world->clock) + SCHEDULER_POP);
}

// --- the scheduler's timer -----------------------------------------------------------------------

static void pop(struct event *event, void *arg)
{
    struct monitor *m = arg;
    struct record_from from = {.cp = m->cp, .monitor = m};
    if (recorded(m, DOMAIN_SCHEDULER))
        event_log_put(m, D2R8, &from);
    event_schedule(&m->cp->world->events, event, event->due + SCHEDULER_POP);
}

void event_sources_init(struct monitor *m)
{
    event_init(&m->pop_event, pop, m);
}

void event_sources_free(struct monitor *m)
{
    event_cancel(&m->cp->world->events, &m->pop_event);
}
