// SPDX-License-Identifier: MIT
// From messages to blocks on a minidisk and in a file.
#include "monitor/monwrite_writer.h"

#include <string.h>

#include "base/bytes.h"
#include "cp/cp.h"
#include "cp/dcss.h"

// Kinds of starts in struct vcpu.
#define SSCH_DASD  0
#define SSCH_OTHER 4

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
    w->torn = w->tape.number && result == MONWRITE_FAILED;
    w->blocks += result == MONWRITE_WRITTEN ? w->set.blocks : 0;
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
    if (w->tape.number || monwrite_file_set(w->file, &w->set, &reason))
        over(w, MONWRITE_WRITTEN, NULL);
    else
        over(w, MONWRITE_FAILED, reason);
}

// Starts a program for the next blocks of the set, or is done with it.
static void to_device(struct monwrite_writer *w)
{
    const uint8_t *const *blocks = w->set.block + w->at;
    unsigned left = w->set.blocks - w->at;
    if (left == 0) {
        to_file(w);
        return;
    }
    const char *reason = w->tape.number ? monwrite_tape_write(&w->tape, blocks, left, w->at == 0)
                                        : monwrite_disk_write(&w->disk, blocks, left);
    charge(w, INTERCEPT_SSCH);
    if (reason)
        over(w, MONWRITE_FAILED, reason);
    else
        w->vm->vcpu[0]->ssch[w->tape.number ? SSCH_OTHER : SSCH_DASD]++;
}

static void program_over(void *arg, bool ok, const char *reason)
{
    struct monwrite_writer *w = arg;
    charge(w, INTERCEPT_INT_IO);
    charge(w, INTERCEPT_TSCH);
    if (w->ending) {
        w->busy = w->ending = false;
        w->marks = 0;
        w->ended(w->arg, w->blocks, ok ? NULL : reason);
        w->blocks = 0;
        next_set(w);
        return;
    }
    w->at += w->tape.number ? w->tape.writing : w->disk.writing;
    if (ok)
        to_device(w);
    else
        over(w, MONWRITE_FAILED, reason);
}

static void end_tape(struct monwrite_writer *w)
{
    w->busy = w->ending = true;
    const char *reason = monwrite_tape_end(&w->tape, w->marks, w->torn);
    charge(w, INTERCEPT_SSCH);
    w->torn = false;
    if (reason) {
        w->busy = w->ending = false;
        w->marks = 0;
        w->ended(w->arg, w->blocks, reason);
    }
}

static void next_set(struct monwrite_writer *w)
{
    struct monwrite_set *set = &w->set;
    if (w->busy)
        return;
    if (w->marks) {
        end_tape(w);
        return;
    }
    if (w->count == 0)
        return;
    w->busy = true;
    w->at = 0;
    memcpy(set->interruption, w->waiting[0].interruption, sizeof set->interruption);
    set->area_start = be32_load(set->interruption + 12);
    set->area_end = be32_load(set->interruption + 16);
    if (!monwrite_set_gather(set, w->dcss->bytes, w->dcss->start,
                             w->dcss->end - w->dcss->start + 1))
        over(w, MONWRITE_LEFT_OUT, "a set outside of the segment was left out");
    else if (w->disk.number || w->tape.number)
        to_device(w);
    else
        to_file(w);
}

static void prepare(struct monwrite_writer *w, struct vm *vm, struct dcss *dcss)
{
    w->vm = vm;
    w->dcss = dcss;
    w->file = NULL;
    w->count = w->marks = 0;
    w->busy = w->ending = w->torn = false;
    w->blocks = 0;
    w->disk = (struct monwrite_disk){.done = program_over, .arg = w};
    w->tape = (struct monwrite_tape){.done = program_over, .arg = w};
}

void monwrite_writer_start(struct monwrite_writer *w, struct vm *vm, struct dcss *dcss,
                           struct monwrite_file *file)
{
    prepare(w, vm, dcss);
    w->file = file;
    monwrite_disk_open(&w->disk, vm, MONWRITE_DISK);
}

bool monwrite_writer_start_tape(struct monwrite_writer *w, struct vm *vm, struct dcss *dcss,
                                uint16_t number)
{
    prepare(w, vm, dcss);
    return monwrite_tape_open(&w->tape, vm, number);
}

void monwrite_writer_end(struct monwrite_writer *w, unsigned marks)
{
    w->marks = marks;
    next_set(w);
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
    if (w->vm) {
        monwrite_disk_stop(&w->disk);
        monwrite_tape_stop(&w->tape);
    }
    w->count = w->marks = 0;
    w->busy = w->ending = false;
}

void monwrite_writer_free(struct monwrite_writer *w)
{
    monwrite_set_free(&w->set);
}
