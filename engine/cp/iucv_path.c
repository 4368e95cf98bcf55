// SPDX-License-Identifier: MIT
// IUCV paths: CONNECT, ACCEPT, QUIESCE, RESUME, SEVER, and who may connect to whom.
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/log.h"
#include "base/memory.h"
#include "cp/directory.h"
#include "cp/iucv_inside.h"

struct iucv_end *iucv_end(struct iucv_user *user, uint16_t id)
{
    return id < user->ends ? user->end[id] : NULL;
}

unsigned iucv_max_paths(const struct iucv_user *user)
{
    if (!user->vm)
        return 65535;
    return user->vm->entry->option.maxconn ? user->vm->entry->option.maxconn : IUCV_DEFAULT_PATHS;
}

// A new end with the lowest free path number, or NULL when there is none.
static struct iucv_end *end_new(struct iucv_user *user)
{
    unsigned id = 0, max = iucv_max_paths(user);
    struct iucv_end *end;

    while (id < user->ends && user->end[id])
        id++;
    if (id >= max || id > 65534)
        return NULL;
    if (id >= user->ends_max) {
        user->ends_max = user->ends_max ? user->ends_max * 2 : 8;
        user->end = mem_resize(user->end, user->ends_max, sizeof(struct iucv_end *));
    }
    end = mem_zero(1, sizeof *end);
    end->user = user;
    end->id = (uint16_t)id;
    user->end[id] = end;
    if (id >= user->ends)
        user->ends = id + 1;
    return end;
}

static void end_free(struct iucv_end *end)
{
    iucv_forget_end(end);
    iucv_messages_drop(end);
    end->user->end[end->id] = NULL;
    free(end);
}

// --- authority -----------------------------------------------------------------------------

static const struct directory_iucv *statement(const struct vm *vm, const char *target)
{
    for (unsigned i = 0; vm && i < vm->entry->iucvs; i++)
        if (strcasecmp(vm->entry->iucv[i].target, target) == 0)
            return &vm->entry->iucv[i];
    return NULL;
}

// The statement that lets `from` connect to `to`; *allowed says whether one is needed and missing.
static const struct directory_iucv *authority(const struct iucv_user *from,
                                              const struct iucv_user *to, bool *allowed)
{
    const struct directory_iucv *own = statement(from->vm, to->name);

    *allowed = true;
    // CP itself may, everybody may talk to himself, and *MSG is open to all.
    if (own || !from->vm || from == to || strcmp(to->name, "*MSG") == 0)
        return own;
    if (!to->vm) { // other services must be named
        *allowed = false;
        return NULL;
    }
    own = statement(from->vm, "ANY");
    *allowed = own || statement(to->vm, "ALLOW");
    return own;
}

static uint16_t limit_of(const struct directory_iucv *by, uint16_t wanted)
{
    uint16_t most = by && by->msglimit ? (uint16_t)by->msglimit : IUCV_DEFAULT_LIMIT;

    // Without a MSGLIMIT of the directory the program's own wish counts.
    if (wanted == 0)
        return most;
    return by && by->msglimit && by->msglimit < wanted ? most : wanted;
}

// --- connecting -------------------------------------------------------------------------

int iucv_connect(struct iucv_user *from, const char *target, uint8_t flags, uint16_t msglimit,
                 const uint8_t user_data[IUCV_USER_DATA], struct iucv_end **out)
{
    struct iucv_user *to = iucv_target(from->cp, target);
    const struct directory_iucv *by;
    struct iucv_end *ours, *theirs;
    bool allowed;

    if (!to)
        return IUCV_NOT_LOGGED_ON;
    by = authority(from, to, &allowed);
    if (!allowed)
        return IUCV_NOT_AUTHORISED;
    if (!to->ops && !to->declared)
        return IUCV_NO_BUFFER;
    ours = end_new(from);
    if (!ours)
        return IUCV_MAX_CALLER;
    theirs = end_new(to);
    if (!theirs) {
        end_free(ours);
        return IUCV_MAX_TARGET;
    }
    ours->peer = theirs;
    theirs->peer = ours;
    ours->state = END_CONNECTING;
    theirs->state = END_INVITED;
    ours->limit = theirs->limit = limit_of(by, msglimit);
    // IPRMDATA: the one who asks is willing to receive data in parameter lists.
    theirs->prmdata = (flags & IUCV_PRMDATA) != 0;
    ours->priority = theirs->priority = by && by->priority && (flags & IUCV_PRTY);
    memcpy(theirs->user_data, user_data, IUCV_USER_DATA);
    memcpy(iucv_notify(theirs, IUCV_PENDING)->user_data, user_data, IUCV_USER_DATA);
    LOG(IUCV, "%s connects to %s, paths %u and %u", from->name, to->name, ours->id, theirs->id);
    *out = ours;
    return IUCV_OK;
}

int iucv_accept(struct iucv_end *end, uint8_t flags, uint16_t msglimit,
                const uint8_t user_data[IUCV_USER_DATA])
{
    if (end->state != END_INVITED || !end->peer)
        return IUCV_NOT_PENDING;
    end->state = end->peer->state = END_OPEN;
    if (msglimit && msglimit < end->peer->limit)
        end->peer->limit = msglimit;
    end->peer->prmdata = (flags & IUCV_PRMDATA) != 0;
    memcpy(iucv_notify(end->peer, IUCV_COMPLETE)->user_data, user_data, IUCV_USER_DATA);
    return IUCV_OK;
}

int iucv_path_quiesce(struct iucv_end *end, bool on)
{
    if (end->state != END_OPEN)
        return IUCV_BAD_PATH;
    end->peer->quiesced = on;
    iucv_notify(end->peer, on ? IUCV_QUIESCED_BY_PEER : IUCV_RESUMED);
    return IUCV_OK;
}

// The other side keeps its end, severed, until it severs too (a C program: until it was told).
void iucv_sever(struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA])
{
    struct iucv_end *peer = end->peer;

    if (peer) {
        iucv_forget_end(peer);
        iucv_messages_drop(peer);
        iucv_messages_drop(end);
        peer->peer = NULL;
        peer->state = END_SEVERED;
        memcpy(iucv_notify(peer, IUCV_SEVERED)->user_data, user_data, IUCV_USER_DATA);
        LOG(IUCV, "%s severs path %u to %s", end->user->name, end->id, peer->user->name);
    }
    end_free(end);
}

void iucv_sever_all(struct iucv_user *user, const uint8_t user_data[IUCV_USER_DATA])
{
    for (unsigned i = 0; i < user->ends; i++)
        if (user->end[i])
            iucv_sever(user->end[i], user_data);
}
