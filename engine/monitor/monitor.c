// SPDX-License-Identifier: MIT
// The monitor's life.
#include "monitor/monitor.h"

#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/dcss.h"
#include "monitor/application_data.h"
#include "monitor/monwrite.h"
#include "monitor/schedule.h"
#include "monitor/star_monitor.h"

// MONDCSS as it is shipped: 64 MB at X'9000' to X'CFFF'.
#define SEGMENT_FIRST 0x9000u
#define SEGMENT_LAST  0xCFFFu

#define SAMPLE_CONFIG_PAGES 4096u
#define EVENT_CONFIG_PAGES  68u
#define CONFIG_LIMIT        60u
#define BLOCK_PAGES         4u

struct monitor *monitor_of(const struct cp *cp)
{
    return cp->monitor;
}

domain_set monitor_hf_domains(const struct monitor *m)
{
    domain_set hf = DOMAIN_BIT(DOMAIN_USER) | DOMAIN_BIT(DOMAIN_PROCESSOR) | DOMAIN_BIT(DOMAIN_IO);
    return m->schedule.rate ? m->sample.enabled & hf : 0;
}

static void find_devices(struct monitor *m)
{
    unsigned n = 0;
    for (const struct rdev *rdev = m->cp->rdevs; rdev; rdev = rdev->next)
        n++;
    m->devices = mem_zero(n, sizeof *m->devices);
    for (struct rdev *rdev = m->cp->rdevs; rdev; rdev = rdev->next)
        m->devices[m->device_count++] = rdev;
}

void monitor_start(struct cp *cp)
{
    if (cp->monitor)
        return;
    struct monitor *m = mem_zero(1, sizeof *m);
    m->cp = cp;
    m->event = (struct profile){.enabled = DOMAIN_BIT(DOMAIN_MONITOR),
                                .config_pages = EVENT_CONFIG_PAGES,
                                .config_limit = CONFIG_LIMIT};
    m->sample = (struct profile){.enabled = DOMAIN_BIT(DOMAIN_MONITOR) | DOMAIN_BIT(DOMAIN_SYSTEM),
                                 .subinterval = UINT16_MAX,
                                 .config_pages = SAMPLE_CONFIG_PAGES,
                                 .config_limit = CONFIG_LIMIT};
    m->block = BLOCK_PAGES;
    m->commands_end = &m->commands;
    m->hf_running = mem_zero(cp->processors, sizeof *m->hf_running);
    find_devices(m);
    event_init(&m->limit_event[DATA_EVENT], monitor_config_limit, m);
    event_init(&m->limit_event[DATA_SAMPLE], monitor_config_limit, m);
    monitor_schedule_init(m);
    event_log_init(m);
    event_sources_init(m);
    cp->monitor = m;
    struct dcss *dcss = dcss_find(cp, DEFAULT_SEGMENT);
    if (!dcss &&
        (dcss = dcss_define(cp, DEFAULT_SEGMENT, SEGMENT_FIRST, SEGMENT_LAST, DCSS_SC, true)))
        dcss_save(dcss);
    m->listener = (struct cp_listener){.notify = event_sources_notify, .arg = m};
    cp_listen(cp, &m->listener);
    cp->appldata_event = application_data_event;
    star_monitor_start(m);
    monwrite_register(cp);
    monitor_commands_register();
}

void monitor_stop(struct cp *cp)
{
    struct monitor *m = cp->monitor;
    if (!m)
        return;
    star_monitor_stop(m);
    while (m->users) {
        struct monitor_user *user = m->users;
        monitor_disconnect(user);
        user->ops->severed(user, SEVER_SHUTDOWN);
    }
    cp->appldata_event = NULL;
    cp_unlisten(cp, &m->listener);
    m->event.state = RECORDING_INACTIVE;
    event_sources_watch(m);
    event_log_free(m);
    event_sources_free(m);
    monitor_schedule_free(m);
    event_cancel(&cp->world->events, &m->limit_event[DATA_EVENT]);
    event_cancel(&cp->world->events, &m->limit_event[DATA_SAMPLE]);
    monitor_forget_commands(m);
    for (unsigned i = 0; i < DOMAIN_COUNT; i++) {
        elements_free(&m->event.elements[i]);
        elements_free(&m->sample.elements[i]);
    }
    free(m->hf_running);
    free(m->devices);
    free(m->monwrite_folder);
    free(m);
    cp->monitor = NULL;
}

// --- commands that become records --------------------------------------------------

#define COMMAND_MAX 240u // longest command line

void monitor_record_command(struct monitor *m, enum data_type type, const char *text)
{
    uint8_t ebcdic[COMMAND_MAX];
    size_t n = ebcdic_from_utf8(codepage_default(), text, ebcdic, sizeof ebcdic);
    if (type == DATA_EVENT) {
        struct record_from from = {.cp = m->cp, .monitor = m, .tail = ebcdic, .tail_length = n};
        event_log_put(m, D1R2, &from);
        return;
    }
    if (m->sample.state == RECORDING_INACTIVE)
        return; // there is no sample it could be part of
    struct command_text *c = mem_zero(1, sizeof *c);
    c->time = clock_now(&m->cp->world->clock);
    c->ebcdic = mem_alloc(n ? n : 1);
    memcpy(c->ebcdic, ebcdic, n);
    c->length = n;
    *m->commands_end = c;
    m->commands_end = &c->next;
}

void monitor_forget_commands(struct monitor *m)
{
    while (m->commands) {
        struct command_text *c = m->commands;
        m->commands = c->next;
        free(c->ebcdic);
        free(c);
    }
    m->commands_end = &m->commands;
}
