// SPDX-License-Identifier: MIT
// From messages to blocks on a minidisk and in a file.
#include "monitor/monwrite_writer.h"

#include <string.h>

#include "base/bytes.h"
#include "cp/cp.h"
#include "cp/dcss.h"

static void next_set(struct monwrite_writer *w);

// What CP does for the virtual machine is charged to it, as the door does for a guest.
static void charge(const struct monwrite_writer *w, enum intercept reason)
{
    struct vcpu *vcpu = w->vm->vcpu[0];
    tod_t before = vcpu->cp_time;
    vcpu_charge(vcpu, reason, 0);
    w->vm->cp->processor[vcpu->last_processor].user_time += vcpu->cp_time - before;
}

static void over(struct monwrite_writer *w, enum monwrite_result result, const char *reason)
{
    uint32_t id = w->waiting[0].id;
    w->busy = false;
    memmove(&w->waiting[0], &w->waiting[1], --w->count * sizeof w->waiting[0]);
    if (result == MONWRITE_FAILED)
        w->count = 0;
    else
        charge(w, INTERCEPT_IUCV_REPLY);
    w->done(w->arg, id, result, reason);
    next_set(w);
}

// All of it is on the disk, or there is none.
static void to_file(struct monwrite_writer *w)
{
    const char *reason = NULL;
    if (monwrite_file_set(w->file, &w->set, &reason))
        over(w, MONWRITE_WRITTEN, NULL);
    else
        over(w, MONWRITE_FAILED, reason);
}

static void to_disk(struct monwrite_writer *w)
{
    if (w->at == w->set.blocks) {
        to_file(w);
        return;
    }
    const char *reason = monwrite_disk_write(&w->disk, w->set.block + w->at, w->set.blocks - w->at);
    charge(w, INTERCEPT_SSCH);
    if (reason)
        over(w, MONWRITE_FAILED, reason);
    else
        w->vm->vcpu[0]->ssch[0]++;
}

static void program_over(void *arg, bool ok, const char *reason)
{
    struct monwrite_writer *w = arg;
    charge(w, INTERCEPT_INT_IO);
    charge(w, INTERCEPT_TSCH);
    w->at += w->disk.writing;
    if (ok)
        to_disk(w);
    else
        over(w, MONWRITE_FAILED, reason);
}

static void next_set(struct monwrite_writer *w)
{
    struct monwrite_set *set = &w->set;
    if (w->busy || w->count == 0)
        return;
    w->busy = true;
    w->at = 0;
    memcpy(set->interruption, w->waiting[0].interruption, sizeof set->interruption);
    set->area_start = be32_load(set->interruption + 12);
    set->area_end = be32_load(set->interruption + 16);
    if (!monwrite_set_gather(set, w->dcss->bytes, w->dcss->start,
                             w->dcss->end - w->dcss->start + 1))
        over(w, MONWRITE_LEFT_OUT, "a set outside of the segment was left out");
    else if (w->disk.number)
        to_disk(w);
    else
        to_file(w);
}

void monwrite_writer_start(struct monwrite_writer *w, struct vm *vm, struct dcss *dcss,
                           struct monwrite_file *file)
{
    w->vm = vm;
    w->dcss = dcss;
    w->file = file;
    w->count = 0;
    w->busy = false;
    w->disk.done = program_over;
    w->disk.arg = w;
    monwrite_disk_open(&w->disk, vm, MONWRITE_DISK);
}

void monwrite_writer_add(struct monwrite_writer *w, uint32_t id,
                         const uint8_t interruption[CONTROL_HEADER])
{
    if (w->count == MONWRITE_WAITING)
        return; // more than a path can have
    struct monwrite_waiting *waiting = &w->waiting[w->count++];
    waiting->id = id;
    memcpy(waiting->interruption, interruption, CONTROL_HEADER);
    charge(w, INTERCEPT_INT_EXTERNAL);
    next_set(w);
}

bool monwrite_writer_busy(const struct monwrite_writer *w)
{
    return w->count > 0;
}

void monwrite_writer_stop(struct monwrite_writer *w)
{
    if (w->vm)
        monwrite_disk_stop(&w->disk);
    w->count = 0;
    w->busy = false;
}

void monwrite_writer_free(struct monwrite_writer *w)
{
    monwrite_set_free(&w->set);
}
