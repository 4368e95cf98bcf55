// SPDX-License-Identifier: MIT
// *MONITOR: IUCV paths on one side, monitor users on the other.
#include "monitor/star_monitor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/log.h"
#include "base/memory.h"
#include "cp/iucv.h"
#include "monitor/monitor.h"

#define MESSAGE_LIMIT 255

struct star_monitor;

// A path; its end's data.
struct path {
    struct monitor_user user;
    struct star_monitor *star;
    struct iucv_end *end;
    struct path *next;
};

struct star_monitor {
    struct monitor *monitor;
    struct iucv_user *service;
    struct path *paths;
};

static void path_free(struct path *path)
{
    for (struct path **p = &path->star->paths; *p; p = &(*p)->next)
        if (*p == path) {
            *p = path->next;
            break;
        }
    free(path);
}

static void sever(struct iucv_end *end, unsigned code)
{
    uint8_t data[IUCV_USER_DATA] = {(uint8_t)code};
    LOG(MONITOR, "*MONITOR severs its path to %s, code %02X", iucv_end_userid(end), code);
    iucv_sever(end, data);
}

static bool send_message(struct monitor_user *user, const struct monitor_message *message)
{
    struct path *path = user->arg;
    uint8_t parameters[8];
    uint32_t id;
    be32_store(parameters, message->area_start);
    be32_store(parameters + 4, message->area_end);
    int code = iucv_send(path->end, IUCV_PRMDATA, message->target, message->set, parameters,
                         sizeof parameters, 8, &id);
    if (code == IUCV_QUIESCED) // we are about to be told
        monitor_quiesce(user);
    return code == IUCV_OK;
}

static void user_severed(struct monitor_user *user, unsigned code)
{
    struct path *path = user->arg;
    sever(path->end, code);
    path_free(path);
}

static const struct monitor_user_ops user_ops = {send_message, user_severed};

static unsigned code_of(int error)
{
    return error == MONITOR_NO_SEGMENT      ? SEVER_NO_SEGMENT
           : error == MONITOR_OTHER_SEGMENT ? SEVER_OTHER_SEGMENT
           : error == MONITOR_EXCLUSIVE     ? SEVER_EXCLUSIVE
                                            : SEVER_CONFIG_SIZE;
}

static uint8_t state_byte(enum recording state, bool wanted)
{
    return (uint8_t)(state == RECORDING_PENDING && wanted ? RECORDING_ACTIVE : state);
}

static void accept(struct star_monitor *star, struct iucv_end *end, uint8_t mode, uint8_t wanted)
{
    const struct monitor *m = star->monitor;
    uint8_t data[IUCV_USER_DATA] = {mode, state_byte(m->event.state, wanted & CONNECT_EVENT),
                                    state_byte(m->sample.state, wanted & CONNECT_SAMPLE), wanted};
    iucv_accept(end, IUCV_PRMDATA, MESSAGE_LIMIT, data);
}

static void pending(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct star_monitor *star = arg;
    char segment[4 * 8 + 1]; // any EBCDIC as UTF-8
    uint8_t mode = user_data[0], wanted = user_data[1];
    if (mode > CONNECT_SHARED || !(wanted & (CONNECT_SAMPLE | CONNECT_EVENT))) {
        sever(end, SEVER_BAD_REQUEST);
        return;
    }
    ebcdic_field_text(user_data + CONNECT_SEGMENT, 8, segment, sizeof segment);
    int error = monitor_may_connect(star->monitor, segment, mode == CONNECT_EXCLUSIVE);
    if (error) {
        sever(end, code_of(error));
        return;
    }
    struct path *path = mem_zero(1, sizeof *path);
    *path = (struct path){.star = star, .end = end, .next = star->paths};
    path->user = (struct monitor_user){.ops = &user_ops,
                                       .arg = path,
                                       .sample = wanted & CONNECT_SAMPLE,
                                       .event = wanted & CONNECT_EVENT,
                                       .exclusive = mode == CONNECT_EXCLUSIVE,
                                       .subinterval = (wanted & CONNECT_SAMPLE) &&
                                                      (wanted & CONNECT_SUBINTERVAL)};
    snprintf(path->user.userid, sizeof path->user.userid, "%s", iucv_end_userid(end));
    star->paths = path;
    iucv_end_set(end, path);
    accept(star, end, mode, wanted);
    monitor_connect(star->monitor, &path->user, segment);
}

static void severed(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct path *path = iucv_end_get(end);
    (void)arg;
    (void)user_data;
    if (!path)
        return;
    monitor_disconnect(&path->user);
    path_free(path);
}

static void quiesced(void *arg, struct iucv_end *end, bool on)
{
    struct path *path = iucv_end_get(end);
    (void)arg;
    if (path && on)
        monitor_quiesce(&path->user);
    else if (path)
        monitor_resume(&path->user);
}

// Answered, or rejected, which frees the set as well.
static void done(void *arg, struct iucv_end *end, uint32_t id, uint32_t tag, uint32_t audit,
                 const uint8_t *answer, uint32_t n)
{
    struct path *path = iucv_end_get(end);
    (void)arg;
    (void)id;
    (void)audit;
    (void)answer;
    (void)n;
    if (path)
        monitor_reply(&path->user, tag);
}

// Nobody sends to *MONITOR: what comes is rejected.
static void message(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                    const uint8_t *bytes, uint32_t n)
{
    (void)arg;
    (void)trgcls;
    (void)bytes;
    (void)n;
    if (two_way)
        iucv_reject(end, id);
}

static const struct iucv_ops ops = {
    .pending = pending, .severed = severed, .quiesced = quiesced, .message = message, .done = done};

void star_monitor_start(struct monitor *monitor)
{
    struct star_monitor *star = mem_zero(1, sizeof *star);
    star->monitor = monitor;
    star->service = iucv_register_service(monitor->cp, "*MONITOR", &ops, star);
    monitor->star = star;
}

void star_monitor_stop(struct monitor *monitor)
{
    struct star_monitor *star = monitor->star;
    if (!star)
        return;
    while (star->paths) {
        struct path *path = star->paths;
        monitor_disconnect(&path->user);
        sever(path->end, SEVER_SHUTDOWN);
        path_free(path);
    }
    free(star);
    monitor->star = NULL;
}
