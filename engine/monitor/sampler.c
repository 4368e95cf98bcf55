// SPDX-License-Identifier: MIT
// What samples and configuration sets hold, and high-frequency sampling. Sampling copies counters
// into the segment's frames; it allocates nothing.
//
// Order in a set: D1R9, D1R4, D1R5, D1R7, D1R14, D1R15, D1R11 for configuration; domains and
// records in ascending order, then D1R11, for a sample. Readers should not rely on it.
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "cp/dcss.h"
#include "cp/vdev.h"
#include "monitor/application_data.h"
#include "monitor/device_view.h"
#include "monitor/monitor.h"
#include "monitor/network_view.h"
#include "monitor/system_view.h"

// A set being built.
struct build {
    struct monitor *m;
    struct mondcss_builder b;
    struct record_from from;
    tod_t now;
    domain_set domains;
    struct system_view system;
};

static void put(struct build *s, enum record_id id)
{
    mondcss_put(&s->b, id, &s->from, s->now);
}

static void begin(struct build *s, struct monitor *m, enum mondcss_area area, uint32_t target)
{
    s->m = m;
    s->now = clock_now(&m->cp->world->clock);
    s->from = (struct record_from){.cp = m->cp, .monitor = m, .time = s->now, .system = &s->system};
    mondcss_begin(&s->b, &m->dcss, area, target, s->now);
}

static void put_processors(struct build *s, enum record_id id)
{
    for (unsigned i = 0; i < s->m->cp->processors; i++) {
        s->from.processor = &s->m->cp->processor[i];
        if (s->from.processor->online)
            put(s, id);
    }
}

// --- configuration ---------------------------------------------------------------

static void put_device_configuration(struct build *s)
{
    for (const struct rdev *rdev = s->m->cp->rdevs; rdev; rdev = rdev->next) {
        s->from.rdev = rdev;
        if (!rdev->offline)
            put(s, D1R6);
    }
}

// Makes the pages of the next samples present, so that a sample finds no page of the host missing.
static void prepare_pages(struct monitor *m)
{
    uint64_t bytes = 16 * FRAME_SIZE;
    for (const struct rdev *rdev = m->cp->rdevs; rdev; rdev = rdev->next)
        bytes += record_layouts[D6R3].length + record_layouts[D6R4].length;
    for (const struct vm *vm = m->cp->users; vm; vm = vm->next)
        bytes += vm->vcpus * (record_layouts[D4R3].length + record_layouts[D4R4].length) + 2048;
    mondcss_prepare(&m->dcss, AREA_SAMPLE_DATA, (uint32_t)(2 * bytes / FRAME_SIZE));
}

void sampler_configuration(struct monitor *m, struct monitor_user *user)
{
    struct build s;
    prepare_pages(m);
    begin(&s, m, AREA_SAMPLE_CONFIG, TARGET_SAMPLE | TARGET_CONFIG);
    put(&s, D1R9);
    put(&s, D1R4);
    put_processors(&s, D1R5);
    put(&s, D1R7);
    put(&s, D1R16);
    put_device_configuration(&s);
    domain_lists_put(m, DATA_SAMPLE, &s.b, s.now);
    for (const struct vm *vm = m->cp->users; vm; vm = vm->next) {
        s.from.vm = vm;
        put(&s, D1R15);
    }
    int set = mondcss_end(&s.b, D1R11, s.now);
    if (set >= 0)
        monitor_deliver(m, (unsigned)set, user);
    else
        LOG(MONITOR, "no room for sample configuration records");
}

// --- samples -----------------------------------------------------------------------

// A record with a table of `*n` entries, fewer when it would be too long; the entries are for the
// caller to fill in. NULL when there is no room.
static uint8_t *put_table(struct build *s, enum record_id id, unsigned *n)
{
    s->from.count = *n;
    s->from.item_offset = record_layouts[id].length;
    s->from.item_length = record_item_size(id);
    if (*n > (RECORD_MAX - s->from.item_offset) / s->from.item_length)
        *n = (unsigned)((RECORD_MAX - s->from.item_offset) / s->from.item_length);
    s->from.tail_length = *n * s->from.item_length;
    uint8_t *at = mondcss_room(&s->b, record_layouts[id].domain, record_size(id, &s->from));
    if (at)
        record_encode(id, &s->from, s->now, at);
    s->from.tail_length = 0;
    return at;
}

// One record with an entry for each real CPU that is online.
static void put_processor_table(struct build *s, enum record_id id)
{
    unsigned n = 0;
    for (unsigned i = 0; i < s->m->cp->processors; i++)
        n += s->m->cp->processor[i].online;
    uint8_t *at = put_table(s, id, &n);
    for (unsigned i = 0, entry = 0; at && i < s->m->cp->processors && entry < n; i++) {
        s->from.processor = &s->m->cp->processor[i];
        if (s->from.processor->online)
            record_item(id, &s->from, entry++, at);
    }
}

static void put_locks(struct build *s, enum record_id id)
{
    unsigned n = 1;
    uint8_t *at = put_table(s, id, &n);
    if (at)
        record_item(id, &s->from, 0, at);
}

// For each type of real CPU that is there.
static void put_processor_types(struct build *s)
{
    unsigned seen = 0;
    for (unsigned i = 0; i < s->m->cp->processors; i++) {
        s->from.processor = &s->m->cp->processor[i];
        unsigned bit = 1u << s->from.processor->type;
        if (!(seen & bit) && s->from.processor->online)
            put(s, D0R24);
        seen |= bit;
    }
}

static void put_system(struct build *s)
{
    static const struct {
        enum record_id id;
        void (*put)(struct build *s, enum record_id id);
    } records[] = {{D0R1, put_processors},
                   {D0R2, put_processors},
                   {D0R3, put},
                   {D0R4, put_processors},
                   {D0R6, put},
                   {D0R7, put},
                   {D0R8, put},
                   {D0R10, put},
                   {D0R11, put_processors},
                   {D0R12, put},
                   {D0R13, put_processors},
                   {D0R14, put},
                   {D0R15, put},
                   {D0R16, put_processor_table},
                   {D0R17, put_processor_table},
                   {D0R19, put},
                   {D0R21, put},
                   {D0R22, put_processors},
                   {D0R23, put_locks}};
    for (unsigned i = 0; i < sizeof records / sizeof records[0]; i++)
        records[i].put(s, records[i].id);
    put_processor_types(s);
}

static void put_commands(struct build *s)
{
    for (const struct command_text *c = s->m->commands; c; c = c->next) {
        s->from.time = c->time;
        s->from.tail = c->ebcdic;
        s->from.tail_length = c->length;
        put(s, D1R10);
    }
    s->from.tail_length = 0;
}

static void put_storage(struct build *s)
{
    put(s, D3R1);
    put_processors(s, D3R2);
    for (const struct dcss *d = s->m->cp->segments; d; d = d->next) {
        s->from.segment = d;
        if (d->saved)
            put(s, D3R3);
    }
    put(s, D3R8);
    for (const struct mdisk *disk = s->m->cp->mdisks; disk; disk = disk->next) {
        s->from.vdisk = disk;
        if (disk->blocks)
            put(s, D3R17);
    }
    put(s, D3R19);
    put_processors(s, D3R20);
}

static void put_users(struct build *s)
{
    const struct element_list *list = &s->m->sample.elements[DOMAIN_USER];
    static const enum record_id ids[] = {D4R3, D4R4};
    for (unsigned r = 0; r < 2; r++)
        for (const struct vm *vm = s->m->cp->users; vm; vm = vm->next) {
            if (!elements_have_user(list, vm->userid))
                continue;
            s->from.vm = vm;
            for (unsigned i = 0, left = vm->vcpus; left && i < MACHINE_MAX_CPUS; i++)
                if ((s->from.vcpu = vm->vcpu[i])) {
                    put(s, ids[r]);
                    left--;
                }
        }
}

static void put_switch(void *arg, const struct network_view *view)
{
    struct build *s = arg;
    s->from.network = *view;
    put(s, D6R21);
}

static void put_nic(void *arg, const struct network_view *view)
{
    struct build *s = arg;
    s->from.network = *view;
    put(s, D8R1);
}

static void put_devices(struct build *s)
{
    const struct element_list *list = &s->m->sample.elements[DOMAIN_IO];
    bool all = list->all && list->rules == 0;
    device_view_links(s->m->cp);
    for (unsigned i = 0; i < s->m->device_count; i++) {
        struct rdev *rdev = s->m->devices[i];
        s->from.rdev = rdev;
        s->from.device = device_view(rdev);
        rdev->links = 0;
        if (rdev->offline || (!all && !elements_have_device(list, rdev)))
            continue;
        put(s, D6R3);
        if (rdev->volume)
            put(s, D6R4);
    }
    network_view_switches(s->m->cp->network, put_switch, s);
}

static void put_nics(struct build *s)
{
    network_view_nics(s->m->cp->network, put_nic, s);
}

static void put_appldata(struct build *s)
{
    application_data_put(s->m, &s->b, s->now);
}

static void put_dispatching(struct build *s)
{
    put_processors(s, D5R3);
    put_processors(s, D5R11);
    put_processors(s, D5R12);
}

static const struct {
    enum monitor_domain domain;
    void (*put)(struct build *s);
} contents[] = {
    {DOMAIN_SYSTEM, put_system},         {DOMAIN_STORAGE, put_storage}, {DOMAIN_USER, put_users},
    {DOMAIN_PROCESSOR, put_dispatching}, {DOMAIN_IO, put_devices},      {DOMAIN_NETWORK, put_nics},
    {DOMAIN_APPLDATA, put_appldata},
};

static int build_sample(struct monitor *m, bool end)
{
    struct build s;
    domain_set domains = m->sample.enabled & (end ? UINT16_MAX : m->sample.subinterval);
    begin(&s, m, AREA_SAMPLE_DATA, TARGET_SAMPLE | TARGET_DATA | (end ? 0 : TARGET_SUBINTERVAL));
    system_view(m->cp, &s.system);
    for (unsigned i = 0; i < sizeof contents / sizeof contents[0]; i++) {
        if (domains & DOMAIN_BIT(contents[i].domain))
            contents[i].put(&s);
        // Commands go where everybody gets them, once: into samples of whole intervals.
        if (contents[i].domain == DOMAIN_SYSTEM && end)
            put_commands(&s);
    }
    return mondcss_end(&s.b, D1R11, s.now);
}

void sampler_sample(struct monitor *m, bool end)
{
    if (!monitor_has_users(m, DATA_SAMPLE, !end))
        return;
    tod_t now = clock_now(&m->cp->world->clock);
    // Who has not answered for a whole subinterval may be severed to make room.
    tod_t before = now - (tod_t)schedule_subinterval(&m->schedule) * TOD_SECOND + 1;
    int set = build_sample(m, end);
    while (set < 0 && monitor_make_room(m, AREA_SAMPLE_DATA, before))
        set = build_sample(m, end);
    if (set < 0) {
        m->skipped_samples++;
        LOG(MONITOR, "no room for a sample: skipped");
        return;
    }
    if (end) {
        m->samples++;
        monitor_forget_commands(m);
    } else {
        m->subinterval_samples++;
    }
    monitor_deliver(m, (unsigned)set, NULL);
}

// --- high-frequency samples ----------------------------------------------------------

static void tick_users(struct cp *cp)
{
    for (struct vm *vm = cp->users; vm; vm = vm->next)
        for (unsigned i = 0, left = vm->vcpus; left && i < MACHINE_MAX_CPUS; i++) {
            struct vcpu *vcpu = vm->vcpu[i];
            if (!vcpu)
                continue;
            left--;
            vcpu_end_transaction(vcpu, false);
            vcpu->sample[vcpu_sample_state(vcpu)]++;
            vcpu->sample_ticks++;
        }
}

static void tick_devices(const struct monitor *m)
{
    for (unsigned i = 0; i < m->device_count; i++) {
        struct rdev *rdev = m->devices[i];
        unsigned queued = 0;
        if (rdev->offline)
            continue;
        rdev->hf_samples++;
        rdev->hf_busy += device_busy(rdev, &queued);
        rdev->hf_queue += queued;
    }
}

void sampler_tick(struct monitor *m)
{
    domain_set domains = monitor_hf_domains(m);
    if (domains & DOMAIN_BIT(DOMAIN_USER))
        tick_users(m->cp);
    if (domains & DOMAIN_BIT(DOMAIN_IO))
        tick_devices(m);
    if (!(domains & DOMAIN_BIT(DOMAIN_PROCESSOR)))
        return;
    m->hf_ticks++;
    for (const struct vcpu *vcpu = m->cp->dispatch_list; vcpu; vcpu = vcpu->next)
        m->hf_depth++;
    for (unsigned i = 0; i < m->cp->processors; i++)
        m->hf_running[i] += m->cp->processor[i].running != NULL;
}
