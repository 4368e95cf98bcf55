// SPDX-License-Identifier: MIT
// IUCV messages. The sender's data are copied when it sends, so a sender that is reset, or changes
// its buffer, does no harm.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cp/iucv_inside.h"

struct iucv_message *iucv_message_new(struct iucv_end *from, uint8_t flags, uint32_t trgcls,
                                      uint32_t srccls, uint32_t tag, const void *bytes, uint32_t n)
{
    struct iucv_message *m = mem_zero(1, sizeof *m);

    m->from = from;
    m->flags = flags;
    m->trgcls = trgcls;
    m->srccls = srccls;
    m->tag = tag;
    m->n = n;
    m->bytes = mem_alloc(n ? n : 1);
    if (n)
        memcpy(m->bytes, bytes, n);
    return m;
}

void iucv_message_free(struct iucv_message *m)
{
    free(m->bytes);
    free(m->answer);
    free(m);
}

static void unlink_message(struct iucv_message *m)
{
    struct iucv_message **at = &m->from->sent;

    while (*at && *at != m)
        at = &(*at)->next;
    if (*at)
        *at = m->next;
    m->next = NULL;
}

static enum iucv_target target_of(const struct iucv_end *to)
{
    static const struct {
        const char *name;
        enum iucv_target target;
    } services[] = {{"*MONITOR", IUCV_TO_MONITOR},
                    {"*MSG", IUCV_TO_MSG},
                    {"*ACCOUNT", IUCV_TO_ACCOUNT},
                    {"*LOGREC", IUCV_TO_LOGREC},
                    {"*SYMPTOM", IUCV_TO_SYMPTOM}};

    if (!to || to->user->vm)
        return IUCV_TO_VM;
    for (unsigned i = 0; i < sizeof services / sizeof *services; i++)
        if (strcmp(to->user->name, services[i].name) == 0)
            return services[i].target;
    return IUCV_TO_OTHER;
}

// Counted on the processor that does it, for the kind of partner: what a service sends counts for
// that service as well.
static int count(const struct iucv_end *end, int code)
{
    struct vm *vm = end->user->vm;
    struct cp *cp = end->user->cp;
    unsigned on = vm && vm->vcpu[0] ? vm->vcpu[0]->last_processor : 0;

    if (!cp->processor)
        return code;
    enum iucv_target target = target_of(vm ? end->peer : end);
    cp->processor[on].iucv[target].total++;
    cp->processor[on].iucv[target].good += code == IUCV_OK;
    if (vm)
        vm->iucv_refused += code != IUCV_OK;
    return code;
}

static int queue(struct iucv_message *m)
{
    struct iucv_end *end = m->from;
    struct iucv_message **at = &end->sent;
    bool priority = (m->flags & IUCV_PRTY) != 0;

    if (end->state != END_OPEN)
        return IUCV_BAD_PATH;
    if (end->quiesced)
        return IUCV_QUIESCED;
    if (end->outstanding >= end->limit)
        return IUCV_LIMIT;
    if (priority && !end->priority)
        return IUCV_NO_PRIORITY;
    if ((m->flags & IUCV_PRMDATA) && !end->prmdata)
        return IUCV_NO_PRMDATA;
    m->id = end->user->next_message++;
    if (end->user->vm)
        end->user->vm->messages++;
    while (*at)
        at = &(*at)->next;
    *at = m;
    end->outstanding++;
    iucv_notify(end->peer, priority ? IUCV_PRIORITY_MESSAGE : IUCV_MESSAGE)->message = m;
    return IUCV_OK;
}

int iucv_message_send(struct iucv_message *m)
{
    return count(m->from, queue(m));
}

struct iucv_message *iucv_message_for(struct iucv_end *end, bool by_id, uint32_t id, bool by_class,
                                      uint32_t trgcls, bool taken_too)
{
    for (struct iucv_message *m = end->peer ? end->peer->sent : NULL; m; m = m->next) {
        if (m->state == MESSAGE_OVER || (m->state == MESSAGE_TAKEN && !taken_too))
            continue;
        if ((!by_id || m->id == id) && (!by_class || m->trgcls == trgcls))
            return m;
    }
    return NULL;
}

struct iucv_message *iucv_message_sent(struct iucv_end *end, uint32_t id)
{
    for (struct iucv_message *m = end->sent; m; m = m->next)
        if (m->id == id)
            return m;
    return NULL;
}

void iucv_message_taken(struct iucv_message *m)
{
    m->state = MESSAGE_TAKEN;
    iucv_forget_message(m->from->peer->user, m);
    if (m->flags & IUCV_NORPY)
        iucv_message_complete(m, NULL, 0, 0);
}

void iucv_message_complete(struct iucv_message *m, const void *answer, uint32_t n, uint32_t audit)
{
    struct iucv_end *end = m->from;

    if (end->peer)
        iucv_forget_message(end->peer->user, m);
    m->state = MESSAGE_OVER;
    m->audit = audit;
    m->answer_n = n;
    m->answer = mem_alloc(n ? n : 1);
    if (n)
        memcpy(m->answer, answer, n);
    unlink_message(m);
    end->outstanding--;
    iucv_notify(end, m->flags & IUCV_PRTY ? IUCV_PRIORITY_DONE : IUCV_DONE)->message = m;
}

void iucv_messages_drop(struct iucv_end *end)
{
    while (end->sent) {
        struct iucv_message *m = end->sent;
        end->sent = m->next;
        if (end->peer)
            iucv_forget_message(end->peer->user, m);
        iucv_message_free(m);
    }
    end->outstanding = 0;
}

// --- for C programs ------------------------------------------------------------------------

int iucv_send(struct iucv_end *end, uint8_t flags, uint32_t trgcls, uint32_t tag, const void *bytes,
              uint32_t n, uint32_t answer_max, uint32_t *id)
{
    uint8_t list[8] = {0};
    struct iucv_message *m;
    int rc;

    if (flags & IUCV_PRMDATA) {
        memcpy(list, bytes, n < sizeof list ? n : sizeof list);
        bytes = list;
        n = sizeof list;
    }
    m = iucv_message_new(end, flags, trgcls, 0, tag, bytes, n);
    m->answer_max = answer_max;
    rc = iucv_message_send(m);
    if (rc)
        iucv_message_free(m);
    else if (id)
        *id = m->id;
    return rc;
}

// Stores an answer where the sender, a guest, wants it; IPRCODE.
static int store_answer(struct iucv_message *m, const uint8_t *bytes, uint32_t n)
{
    struct vm *vm = m->from->user->vm;

    if (m->from->user->ops)
        return IUCV_OK;
    if (n > m->answer_max)
        return IUCV_TOO_SHORT;
    if (!(m->flags & IUCV_ANSLST))
        return storage_write(vm->machine->storage, m->answer_address, bytes, n) || !n
                   ? IUCV_OK
                   : IUCV_ADDRESSING;
    // An answer list: address and length, until it is all stored.
    for (uint32_t list = m->answer_address; n; list += 8) {
        uint8_t entry[8];
        uint32_t part;
        if (!storage_read(vm->machine->storage, list, entry, sizeof entry))
            return IUCV_ADDRESSING;
        part = be32_load(entry + 4) < n ? be32_load(entry + 4) : n;
        if (part && !storage_write(vm->machine->storage, be32_load(entry), bytes, part))
            return IUCV_ADDRESSING;
        if (!part)
            return IUCV_BAD_LIST;
        bytes += part;
        n -= part;
    }
    return IUCV_OK;
}

int iucv_reply(struct iucv_end *end, uint32_t message, uint8_t flags, const void *bytes, uint32_t n)
{
    struct iucv_message *m = iucv_message_for(end, true, message, false, 0, true);
    int rc = IUCV_OK;

    if (!m || (m->flags & IUCV_NORPY))
        return IUCV_BAD_ID;
    m->answer_in_list = (flags & IUCV_PRMDATA) != 0;
    if (!m->answer_in_list)
        rc = store_answer(m, bytes, n);
    if (rc)
        return rc;
    iucv_message_complete(m, bytes, n, 0);
    return IUCV_OK;
}

int iucv_reject(struct iucv_end *end, uint32_t message)
{
    struct iucv_message *m = iucv_message_for(end, true, message, false, 0, true);

    if (!m)
        return IUCV_BAD_ID;
    iucv_message_complete(m, NULL, 0, IUCV_AUDIT_REJECTED);
    return IUCV_OK;
}

bool iucv_purge(struct iucv_end *end, uint32_t message)
{
    struct iucv_message *m = iucv_message_sent(end, message);

    if (!m)
        return false;
    if (end->peer)
        iucv_forget_message(end->peer->user, m);
    unlink_message(m);
    end->outstanding--;
    iucv_message_free(m);
    return true;
}
