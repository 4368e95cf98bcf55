// SPDX-License-Identifier: MIT
// What IUCV has to tell an endpoint: external interruptions of a guest, callbacks of a C program.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/iucv_inside.h"

#define EXTERNAL_IUCV  0x4000u
#define CR0_IUCV       0x00000002u
#define TYPES_CONTROL  0x3Eu // types 1 to 5
#define TYPES_MESSAGES 0x3C0u

struct iucv_notice *iucv_notify(struct iucv_end *end, enum iucv_type type)
{
    struct iucv_notice *notice = mem_zero(1, sizeof *notice);
    struct iucv_user *user = end->user;

    notice->type = type;
    notice->end = end;
    *user->last = notice;
    user->last = &notice->next;
    if (user->ops) {
        if (!event_pending(&user->deliver))
            event_schedule(&user->cp->world->events, &user->deliver,
                           clock_now(&user->cp->world->clock));
    } else {
        machine_pend_all(user->vm->machine, PEND_EXTERNAL);
    }
    return notice;
}

static bool owns_message(const struct iucv_notice *notice)
{
    return notice->type == IUCV_DONE || notice->type == IUCV_PRIORITY_DONE;
}

void iucv_notice_free(struct iucv_notice *notice)
{
    if (owns_message(notice))
        iucv_message_free(notice->message);
    free(notice);
}

static void unlink_at(struct iucv_user *user, struct iucv_notice **at)
{
    struct iucv_notice *notice = *at;

    *at = notice->next;
    if (!*at)
        user->last = at;
}

void iucv_forget_end(struct iucv_end *end)
{
    for (struct iucv_notice **at = &end->user->first; *at;) {
        struct iucv_notice *notice = *at;
        if (notice->end != end) {
            at = &notice->next;
            continue;
        }
        unlink_at(end->user, at);
        iucv_notice_free(notice);
    }
}

void iucv_forget_message(struct iucv_user *user, const struct iucv_message *message)
{
    for (struct iucv_notice **at = &user->first; *at;) {
        struct iucv_notice *notice = *at;
        if (notice->message != message || owns_message(notice)) {
            at = &notice->next;
            continue;
        }
        unlink_at(user, at);
        iucv_notice_free(notice);
    }
}

void iucv_notices_free(struct iucv_user *user)
{
    while (user->first) {
        struct iucv_notice *notice = user->first;
        unlink_at(user, &user->first);
        iucv_notice_free(notice);
    }
}

struct iucv_notice *iucv_notice_find(struct iucv_user *user, unsigned wanted, bool take)
{
    for (struct iucv_notice **at = &user->first; *at; at = &(*at)->next) {
        struct iucv_notice *notice = *at;
        if (!(wanted >> notice->type & 1))
            continue;
        if (take)
            unlink_at(user, at);
        return notice;
    }
    return NULL;
}

// --- guests ---------------------------------------------------------------------------------

static void control_image(const struct iucv_notice *notice, uint8_t *image)
{
    const struct iucv_end *end = notice->end;

    be16_store(image + 4, end->limit);
    if (notice->type == IUCV_PENDING && end->peer)
        ebcdic_field(image + 8, 8, end->peer->user->name);
    memcpy(image + 16, notice->user_data, IUCV_USER_DATA);
    if (end->prmdata)
        image[2] |= IUCV_PRMDATA;
}

// A message that came, or one that is complete (see the reference in cp/iucv_inside.h).
static void message_image(const struct iucv_notice *notice, uint8_t *image)
{
    const struct iucv_message *m = notice->message;

    be32_store(image + 4, m->id);
    if (owns_message(notice)) {
        image[2] = m->answer_in_list ? IUCV_PRMDATA : 0;
        be32_store(image + 8, m->audit);
        if (m->answer_in_list)
            memcpy(image + 12, m->answer, m->answer_n < 8 ? m->answer_n : 8);
        be32_store(image + 20, m->srccls);
        be32_store(image + 24, m->tag);
        be32_store(image + 32, m->answer_max > m->answer_n ? m->answer_max - m->answer_n : 0);
        return;
    }
    image[2] = m->flags & (IUCV_PRMDATA | IUCV_NORPY | IUCV_PRTY);
    be32_store(image + 8, m->trgcls);
    if (m->flags & IUCV_PRMDATA)
        memcpy(image + 12, m->bytes, 8);
    else
        be32_store(image + 16, m->n);
    be32_store(image + 32, m->answer_max);
}

void iucv_notice_image(const struct iucv_notice *notice, uint8_t image[IUCV_LIST])
{
    memset(image, 0, IUCV_LIST);
    be16_store(image, notice->end->id);
    if (TYPES_CONTROL >> notice->type & 1)
        control_image(notice, image);
    else
        message_image(notice, image);
    image[3] = (uint8_t)notice->type;
}

// Which types the two masks let through to this CPU. SET MASK: 80 messages, 40 priority messages,
// 20 completions, 10 priority completions, 08 control. SET CONTROL MASK: 80 to 08 for types 1 to 5.
static unsigned enabled_types(const struct iucv_user *user, unsigned cpu)
{
    uint8_t mask = user->mask[cpu], control = user->control_mask[cpu];
    unsigned types = 0;

    if (mask & 0x80)
        types |= 1u << IUCV_MESSAGE;
    if (mask & 0x40)
        types |= 1u << IUCV_PRIORITY_MESSAGE;
    if (mask & 0x20)
        types |= 1u << IUCV_DONE;
    if (mask & 0x10)
        types |= 1u << IUCV_PRIORITY_DONE;
    for (unsigned i = 0; (mask & 0x08) && i < 5; i++)
        if (control & 0x80 >> i)
            types |= 1u << (IUCV_PENDING + i);
    return types;
}

bool iucv_take_external(struct cpu *cpu, uint32_t mask, struct external_interruption *out)
{
    const struct vcpu *vcpu = cpu->owner;
    struct iucv_user *user = vcpu->vm->iucv;
    struct iucv_notice *notice;
    uint8_t image[IUCV_LIST];

    if (!user || user->ops || !(mask & CR0_IUCV) || !(user->declared >> cpu->address & 1))
        return false;
    notice = iucv_notice_find(user, enabled_types(user, cpu->address), true);
    if (!notice)
        return false;
    iucv_notice_image(notice, image);
    iucv_notice_free(notice);
    storage_write(cpu->storage, cpu_real_to_absolute(cpu, user->buffer[cpu->address]), image,
                  sizeof image);
    *out = (struct external_interruption){.code = EXTERNAL_IUCV};
    return true;
}

// --- C programs --------------------------------------------------------------------------------

static void tell_message(struct iucv_user *user, const struct iucv_notice *notice)
{
    struct iucv_message *m = notice->message;
    struct iucv_end *end = notice->end;
    bool two_way = !(m->flags & IUCV_NORPY);
    uint32_t id = m->id;
    uint16_t path = end->id;

    m->state = MESSAGE_TAKEN;
    if (user->ops->message)
        user->ops->message(user->arg, end, id, m->trgcls, two_way, m->bytes, m->n);
    // The program may have severed, or replied, meanwhile.
    if (two_way || iucv_end(user, path) != end)
        return;
    m = iucv_message_for(end, true, id, false, 0, true);
    if (m)
        iucv_message_complete(m, NULL, 0, 0);
}

static void tell(struct iucv_user *user, const struct iucv_notice *notice)
{
    const struct iucv_ops *ops = user->ops;
    struct iucv_end *end = notice->end;
    const struct iucv_message *m = notice->message;
    static const uint8_t none[IUCV_USER_DATA];
    uint16_t path = end->id;

    switch (notice->type) {
    case IUCV_PENDING:
        if (ops->pending)
            ops->pending(user->arg, end, notice->user_data);
        else
            iucv_sever(end, none);
        break;
    case IUCV_COMPLETE:
        if (ops->complete)
            ops->complete(user->arg, end, notice->user_data);
        break;
    case IUCV_SEVERED:
        if (ops->severed)
            ops->severed(user->arg, end, notice->user_data);
        if (iucv_end(user, path) == end)
            iucv_sever(end, none);
        break;
    case IUCV_QUIESCED_BY_PEER:
    case IUCV_RESUMED:
        if (ops->quiesced)
            ops->quiesced(user->arg, end, notice->type == IUCV_QUIESCED_BY_PEER);
        break;
    case IUCV_DONE:
    case IUCV_PRIORITY_DONE:
        if (ops->done)
            ops->done(user->arg, end, m->id, m->tag, m->audit, m->answer, m->answer_n);
        break;
    case IUCV_MESSAGE:
    case IUCV_PRIORITY_MESSAGE:
        tell_message(user, notice);
        break;
    default:
        break;
    }
}

// One notice an event: callbacks may do anything, even end the program.
void iucv_deliver_due(struct event *event, void *arg)
{
    struct iucv_user *user = arg;
    struct iucv_notice *notice = user->first;

    if (!notice || !user->ops)
        return;
    unlink_at(user, &user->first);
    if (user->first)
        event_schedule(&user->cp->world->events, event, clock_now(&user->cp->world->clock));
    tell(user, notice);
    iucv_notice_free(notice);
}
