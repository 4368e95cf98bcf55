// SPDX-License-Identifier: MIT
// A program that is connected to *MONITOR by IUCV, for tests: it follows the addresses it is sent
// through the saved segment, checks the form of what it finds there, counts it, and answers at
// once, later, or never.
#ifndef ENDICOTT_TESTS_MONITOR_STAR_USER_H
#define ENDICOTT_TESTS_MONITOR_STAR_USER_H

#include "system.h"

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/dcss.h"
#include "cp/iucv.h"
#include "monitor/record.h"
#include "monitor/star_monitor.h"

enum star_answer { STAR_AT_ONCE, STAR_LATER, STAR_NEVER };

#define STAR_SETS 1000

// A message that came: what the program looked at when it did.
struct star_set {
    tod_t time;
    uint32_t trgcls, start, end;    // of the message
    unsigned records, frames, ends; // ends: D1R11
    uint16_t domains;
    uint8_t last_domain;
    uint16_t last_number;
    tod_t first_time; // the earliest of its records
    tod_t last_time;
};

struct star_user {
    struct system *sys;
    struct iucv_user *program;
    struct iucv_end *end;
    enum star_answer answer, answer_config;
    struct {
        uint32_t id;
        struct iucv_end *end;
    } waiting[MONDCSS_SETS];
    unsigned waits;
    struct star_set set[STAR_SETS]; // the first ones
    unsigned sets;
    unsigned samples, subinterval_samples, configs, event_blocks, event_configs;
    unsigned by[16][64];    // records, of all sets
    uint64_t events, told;  // event records, and how many were lost as D1R3 says
    unsigned losses, stops; // D1R3 and D1R12
    uint8_t accepted[IUCV_USER_DATA];
    bool complete;
    unsigned severed;
    tod_t severed_at;
};

static inline void star_event_record(struct star_user *u, const uint8_t *raw)
{
    unsigned domain = raw[4], number = be16_load(raw + 6);
    if (domain == 1 && number == 3) {
        u->told += record_number(raw, be16_load(raw), "LOSTRCCT");
        u->losses++;
    } else if (domain == 1 && number == 12) {
        u->stops++;
    } else if (domain != 1 || number != 13) {
        u->events++;
    }
}

static inline void star_record(struct star_user *u, struct star_set *s, const uint8_t *raw)
{
    unsigned domain = raw[4], number = be16_load(raw + 6);
    tod_t time = be64_load(raw + 8);
    assert_int_equal(be16_load(raw + 2), 0);
    assert_true(domain < 16 && number < 64);
    assert_int_equal(s->ends, 0); // nothing comes after the end of an interval
    u->by[domain][number]++;
    s->records++;
    s->domains |= (uint16_t)(0x8000 >> domain);
    s->ends += domain == 1 && number == 11;
    s->last_domain = (uint8_t)domain;
    s->last_number = (uint16_t)number;
    if (!s->first_time || time < s->first_time)
        s->first_time = time;
    s->last_time = time;
    if (s->trgcls >> 16 == 0xC5C4)
        star_event_record(u, raw);
}

// Records of a frame up to `limit`; it ends with D1R13 exactly when another follows.
static inline void star_frame(struct star_user *u, struct star_set *s, const uint8_t *frame,
                              size_t limit, bool more)
{
    bool ended = false;
    for (size_t at = 0; at < limit && !ended;) {
        unsigned length = be16_load(frame + at);
        assert_true(length >= 20 && at + length <= limit);
        star_record(u, s, frame + at);
        ended = s->last_domain == 1 && s->last_number == 13;
        at += length;
    }
    assert_int_equal(ended, more);
    s->frames++;
}

static inline void star_walk(struct star_user *u, struct star_set *s)
{
    const struct dcss *dcss = dcss_find(u->sys->cp, "MONDCSS");
    assert_non_null(dcss);
    assert_true(s->start >= dcss->start && s->end > s->start && s->end <= dcss->end);
    const uint8_t *area = dcss->bytes + (s->start - dcss->start);
    unsigned n = (s->end - s->start + 1) / 12;
    assert_int_equal((s->end - s->start + 1) % 12, 0);
    uint16_t domains = 0;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t *e = area + 12 * i;
        uint32_t first = be32_load(e + 4), last = be32_load(e + 8);
        assert_int_equal(e[0], s->trgcls >> 24);
        assert_true(last > first && first >= dcss->start && last <= dcss->end);
        domains |= be16_load(e + 1);
        for (uint32_t page = first >> 12; page <= last >> 12; page++) {
            bool last_page = page == last >> 12;
            star_frame(u, s, dcss->bytes + (((uint64_t)page << 12) - dcss->start),
                       last_page ? (last & 0xFFF) + 1 : 4096, !last_page || i + 1 < n);
        }
    }
    assert_int_equal(domains, s->domains); // the control area says what is there
}

static inline void star_count(struct star_user *u, const struct star_set *s)
{
    switch (s->trgcls >> 16) {
    case 0xE2C4:
        u->samples++;
        u->subinterval_samples += (s->trgcls & 0x8000) != 0;
        assert_int_equal(s->ends, 1);
        break;
    case 0xE2C3:
        u->configs++;
        assert_int_equal(s->ends, 1);
        break;
    case 0xC5C4:
        u->event_blocks++;
        assert_int_equal(s->ends, 0);
        break;
    case 0xC5C3:
        u->event_configs++;
        assert_int_equal(s->ends, 0);
        break;
    default:
        fail_msg("target class %08X", s->trgcls);
    }
}

static inline void star_reply(struct iucv_end *end, uint32_t id)
{
    static const uint8_t answer[8];
    assert_int_equal(iucv_reply(end, id, IUCV_PRMDATA, answer, sizeof answer), IUCV_OK);
}

static inline void star_message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls,
                                bool two_way, const uint8_t *bytes, uint32_t n)
{
    struct star_user *u = arg;
    static struct star_set further;
    struct star_set *s = u->sets < STAR_SETS ? &u->set[u->sets] : &further;
    assert_true(two_way && n == 8);
    *s = (struct star_set){.time = clock_now(&u->sys->world.clock),
                           .trgcls = trgcls,
                           .start = be32_load(bytes),
                           .end = be32_load(bytes + 4)};
    u->sets++;
    star_walk(u, s);
    star_count(u, s);
    enum star_answer answer = (trgcls >> 16 & 0xFF) == 0xC3 ? u->answer_config : u->answer;
    if (answer == STAR_AT_ONCE) {
        star_reply(end, id);
    } else if (answer == STAR_LATER) {
        u->waiting[u->waits].id = id;
        u->waiting[u->waits++].end = end;
    }
}

static inline void star_answer_all(struct star_user *u)
{
    unsigned n = u->waits;
    u->waits = 0;
    for (unsigned i = 0; i < n; i++)
        star_reply(u->waiting[i].end, u->waiting[i].id);
}

static inline void star_complete(void *arg, struct iucv_end *end, const uint8_t *data)
{
    struct star_user *u = arg;
    (void)end;
    memcpy(u->accepted, data, IUCV_USER_DATA);
    u->complete = true;
}

static inline void star_severed(void *arg, struct iucv_end *end, const uint8_t *data)
{
    struct star_user *u = arg;
    (void)end;
    u->severed = data[0];
    u->severed_at = clock_now(&u->sys->world.clock);
    u->end = NULL;
    u->waits = 0;
}

// Connects a user that is logged on: `mode` and `wants` are the first two bytes of the user data.
// What IUCV answers; *MONITOR's answer comes later.
static inline int star_connect_to(struct star_user *u, struct system *sys, const char *userid,
                                  const char *segment, unsigned mode, unsigned wants)
{
    static const struct iucv_ops ops = {
        .complete = star_complete, .severed = star_severed, .message = star_message};
    uint8_t data[IUCV_USER_DATA] = {(uint8_t)mode, (uint8_t)wants};
    struct vm *vm = cp_user(sys->cp, userid);
    assert_non_null(vm);
    u->sys = sys;
    ebcdic_field(data + CONNECT_SEGMENT, 8, segment);
    if (!u->program)
        u->program = iucv_program(vm, &ops, u);
    return iucv_connect(u->program, "*MONITOR", IUCV_PRMDATA, 255, data, &u->end);
}

static inline void star_connect(struct star_user *u, struct system *sys, const char *userid,
                                unsigned wants)
{
    assert_int_equal(star_connect_to(u, sys, userid, "MONDCSS", CONNECT_SHARED, wants), IUCV_OK);
    system_run(sys, 0.001);
    assert_true(u->complete);
}

static inline void star_disconnect(struct star_user *u)
{
    static const uint8_t data[IUCV_USER_DATA];
    if (u->end)
        iucv_sever(u->end, data);
    u->end = NULL;
    u->complete = false;
    u->waits = 0;
}

#endif
