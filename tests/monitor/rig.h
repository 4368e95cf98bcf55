// SPDX-License-Identifier: MIT
// A small system for monitor tests: real event queue and clock in virtual mode, a struct cp with
// some users, processors and devices and no guests, and monitor users that check what they are
// given.
#ifndef ENDICOTT_TESTS_MONITOR_RIG_H
#define ENDICOTT_TESTS_MONITOR_RIG_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cp/dcss.h"
#include "cp/iucv.h"
#include "monitor/monitor.h"
#include "monitor/reader.h"

#define RIG_USERS      5
#define RIG_PROCESSORS 2
#define RIG_DEVICES    3
#define RIG_START      (UINT64_C(0xE000000000000000))

struct rig {
    struct machine_world world;
    struct cp cp;
    struct real_processor processor[RIG_PROCESSORS];
    struct vm vm[RIG_USERS];
    struct vcpu vcpu[RIG_USERS];
    struct rdev rdev[RIG_DEVICES];
    struct monitor *monitor;
};

static inline void rig_system(struct rig *rig)
{
    struct cp *cp = &rig->cp;
    cp->world = &rig->world;
    cp->processor = rig->processor;
    cp->processors = RIG_PROCESSORS;
    cp->storage = 0x100000000;
    cp->ipl_time = RIG_START;
    snprintf(cp->system_name, sizeof cp->system_name, "RIGSYS");
    for (unsigned i = 0; i < RIG_PROCESSORS; i++)
        rig->processor[i] =
            (struct real_processor){.cp = cp, .address = i, .type = PROCESSOR_IFL, .online = true};
    for (unsigned i = 0; i < RIG_USERS; i++) {
        struct vm *vm = &rig->vm[i];
        vm->cp = cp;
        vm->next = i + 1 < RIG_USERS ? &rig->vm[i + 1] : NULL;
        snprintf(vm->userid, sizeof vm->userid, "USER%u", i);
        snprintf(vm->account, sizeof vm->account, "ACCT%u", i);
        snprintf(vm->mode, sizeof vm->mode, "XA");
        vm->vcpu[0] = &rig->vcpu[i];
        vm->vcpus = 1;
        vm->storage = 0x1000000;
        vm->share.value = 100;
        rig->vcpu[i] = (struct vcpu){.vm = vm, .state = VCPU_DORMANT, .state_since = RIG_START};
    }
    cp->users = rig->vm;
    cp->users_count = RIG_USERS;
    for (unsigned i = 0; i < RIG_DEVICES; i++) {
        rig->rdev[i] = (struct rdev){.next = i + 1 < RIG_DEVICES ? &rig->rdev[i + 1] : NULL,
                                     .number = (uint16_t)(0x200 + i),
                                     .type = "DASD",
                                     .model = "3390"};
        snprintf(rig->rdev[i].volser, sizeof rig->rdev[i].volser, "VOL%03u", i);
    }
    cp->rdevs = rig->rdev;
}

// A segment of `pages` pages named MONDCSS, 0: the shipped one.
static inline struct rig *rig_new(unsigned pages)
{
    struct rig *rig = calloc(1, sizeof *rig);
    world_init(&rig->world, CLOCK_VIRTUAL, RIG_START);
    rig_system(rig);
    if (pages)
        dcss_save(dcss_define(&rig->cp, "MONDCSS", 0x9000, 0x9000 + pages - 1, DCSS_SC, true));
    monitor_start(&rig->cp);
    rig->monitor = monitor_of(&rig->cp);
    return rig;
}

static inline void rig_free(struct rig *rig)
{
    monitor_stop(&rig->cp);
    iucv_free(&rig->cp);
    dcss_free_all(&rig->cp);
    world_free(&rig->world);
    free(rig);
}

static inline void rig_run(struct rig *rig, double seconds)
{
    tod_t until = clock_now(&rig->world.clock) + tod_from_seconds(seconds);
    while (events_next(&rig->world.events) <= until) {
        clock_set(&rig->world.clock, events_next(&rig->world.events));
        events_fire(&rig->world.events, clock_now(&rig->world.clock));
    }
    clock_set(&rig->world.clock, until);
}

// --- monitor users -----------------------------------------------------------------

enum rig_answer { ANSWER_AT_ONCE, ANSWER_LATER, ANSWER_NEVER };

struct rig_user {
    struct monitor_user user;
    enum rig_answer answer;
    unsigned waiting[USER_SETS], waits; // sets to answer later
    unsigned configs, event_configs, samples, subinterval_samples, event_blocks, severed;
    unsigned records, by[DOMAIN_COUNT][64];
    tod_t times[2000];        // of samples
    domain_set domains;       // of the last sample, from its control entries
    uint8_t last[FRAME_SIZE]; // last record seen of `keep_domain`, `keep_number`
    unsigned keep_domain, keep_number;
};

static inline void rig_frame(struct rig_user *u, const uint8_t *frame, size_t limit, bool more)
{
    size_t at = 0;
    bool ended = false;
    while (at < limit) {
        unsigned length = be16_load(frame + at), domain = frame[at + 4];
        unsigned number = be16_load(frame + at + 6);
        assert_true(length >= 20 && at + length <= limit && !ended);
        assert_int_equal(be16_load(frame + at + 2), 0);
        assert_true(domain < DOMAIN_COUNT && number < 64);
        u->records++;
        u->by[domain][number]++;
        if (domain == u->keep_domain && number == u->keep_number)
            memcpy(u->last, frame + at, length);
        at += length;
        ended = domain == 1 && number == 13;
        if (ended)
            break;
    }
    assert_int_equal(ended, more); // a frame that another follows ends with D1R13, others do not
}

// Walks a set as a program would: addresses from the message, then from the control area.
static inline void rig_walk(struct rig_user *u, const struct monitor_message *m)
{
    const struct mondcss *dcss = &u->user.monitor->dcss;
    uint32_t n = m->area_end - m->area_start + 1;
    const uint8_t *area = mondcss_at(dcss, m->area_start, n);
    assert_non_null(area);
    assert_true(n > 0 && n % 12 == 0);
    u->domains = 0;
    for (uint32_t i = 0; i < n / 12; i++) {
        uint32_t start = be32_load(area + 12 * i + 4), end = be32_load(area + 12 * i + 8);
        assert_int_equal(area[12 * i], m->target >> 24);
        assert_int_equal(area[12 * i + 3], 0);
        assert_int_not_equal(be16_load(area + 12 * i + 1), 0);
        assert_true(end > start && start % 4096 == 0);
        u->domains |= be16_load(area + 12 * i + 1);
        for (uint32_t page = start / 4096; page <= end / 4096; page++) {
            const uint8_t *frame = mondcss_at(dcss, page * 4096, 4096);
            assert_non_null(frame);
            bool last_of_set = i + 1 == n / 12 && page == end / 4096;
            rig_frame(u, frame, page == end / 4096 ? end % 4096 + 1 : 4096, !last_of_set);
        }
    }
}

static inline bool rig_message(struct monitor_user *user, const struct monitor_message *m)
{
    struct rig_user *u = user->arg;
    bool event = m->target >> 24 == 0xC5, config = (m->target >> 16 & 0xFF) == 0xC3;
    if (config && event)
        u->event_configs++;
    else if (config)
        u->configs++;
    else if (event)
        u->event_blocks++;
    else {
        u->times[u->samples++ % 2000] = clock_now(&user->monitor->cp->world->clock);
        u->subinterval_samples += (m->target & 0x8000) != 0;
    }
    rig_walk(u, m);
    if (u->answer == ANSWER_AT_ONCE)
        assert_true(monitor_reply(user, m->set));
    else if (u->answer == ANSWER_LATER)
        u->waiting[u->waits++] = m->set;
    return true;
}

static inline void rig_severed(struct monitor_user *user, unsigned code)
{
    struct rig_user *u = user->arg;
    u->severed = code;
}

static inline void rig_connect(struct rig *rig, struct rig_user *u, const char *userid,
                               const char *wants)
{
    static const struct monitor_user_ops ops = {rig_message, rig_severed};
    u->user = (struct monitor_user){.ops = &ops,
                                    .arg = u,
                                    .sample = strchr(wants, 'S') != NULL,
                                    .event = strchr(wants, 'E') != NULL,
                                    .subinterval = strchr(wants, 'U') != NULL};
    snprintf(u->user.userid, sizeof u->user.userid, "%s", userid);
    assert_int_equal(monitor_connect(rig->monitor, &u->user, "MONDCSS"), 0);
}

// What has come so far; what comes upon that waits again.
static inline void rig_answer_all(struct rig_user *u)
{
    unsigned n = u->waits, waiting[USER_SETS];
    memcpy(waiting, u->waiting, sizeof waiting);
    u->waits = 0;
    for (unsigned i = 0; i < n; i++)
        assert_true(monitor_reply(&u->user, waiting[i]));
}

#endif
