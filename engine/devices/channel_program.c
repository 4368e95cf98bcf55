// SPDX-License-Identifier: MIT
// Walks a channel program, one CCW at a time. (Principles of Operation, "Execution of I/O
// Operations": "Command Chaining", "Data Chaining", "Skipping", "Program-Controlled Interruption",
// "Suspension of Channel-Program Execution".)
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "devices/subchannel.h"

// A program that goes on without ever taking time is interrupted after so much work, a CCW or a
// block of data being one unit, for this long, so that the rest of the system goes on.
#define WORK_AT_ONCE 2000u
#define WORK_PAUSE   (100 * TOD_MICROSECOND)

static void walk(struct subchannel *s);

static tod_t now(const struct subchannel *s)
{
    return clock_now(s->css->host.clock);
}

static void schedule(struct subchannel *s, tod_t delay)
{
    event_schedule(s->css->host.events, &s->program.event, now(s) + delay);
}

// --- the end of a start function -----------------------------------------------------------------

static const char *failure_text(const struct subchannel *s)
{
    if (s->channel_status & CHANNEL_PROGRAM_CHECK)
        return "channel program check";
    if (s->channel_status & CHANNEL_PROTECTION_CHECK)
        return "channel protection check";
    if (s->channel_status)
        return "incorrect length";
    if (s->device_status & STATUS_UNIT_CHECK)
        return s->dev->sense[0] & SENSE_INTERVENTION_REQUIRED ? "intervention required"
                                                              : "unit check";
    if (s->device_status & STATUS_UNIT_EXCEPTION)
        return "unit exception: end of file";
    return "unusual device status";
}

static void finish_ipl(struct subchannel *s, bool ok)
{
    void (*done)(void *, bool, const char *) = s->program.done;
    void *arg = s->program.done_arg;
    const char *reason = ok ? NULL : failure_text(s);
    s->program.done = NULL;
    subchannel_clear_status(s);
    s->pmcw1 |= PMCW_ENABLED;
    done(arg, ok, reason);
}

// Concurrent sense: the sense bytes go with the unit check, and are gone from the device.
static void sense_now(struct subchannel *s)
{
    if (!(s->pmcw6 & PMCW6_CONCURRENT_SENSE) || !(s->device_status & STATUS_UNIT_CHECK))
        return;
    memcpy(s->sense, s->dev->sense, sizeof s->sense);
    memset(s->dev->sense, 0, sizeof s->dev->sense);
    s->sense_count = sizeof s->sense;
    s->scsw0 |= SCSW_EXTENDED;
}

static void present_end(struct subchannel *s, uint32_t status)
{
    const uint8_t usual = STATUS_NORMAL | STATUS_MODIFIER;
    bool unusual = (s->device_status & ~usual) || (s->channel_status & ~CHANNEL_PCI);
    if (s->program.done) {
        finish_ipl(s, !unusual);
        return;
    }
    sense_now(s);
    subchannel_present(s, status | (unusual ? SCSW_ALERT : 0));
}

static void account(struct subchannel *s)
{
    struct program *p = &s->program;
    s->dev->connect += p->connect;
    s->dev->disconnect += p->disconnect;
    s->dev->pending_time += p->queued;
    measure_end_function(s);
}

// The program is over with the status now in the subchannel.
static void end_program(struct subchannel *s)
{
    struct program *p = &s->program;
    bool device_end = (s->device_status & STATUS_DEVICE_END) ||
                      !(s->device_status & STATUS_CHANNEL_END); // a channel check needs none
    s->ccw_address = p->ccw.at + 8;
    s->scsw0 &= ~(SCSW_ACTIVITY | SCSW_INTERMEDIATE);
    p->state = PROGRAM_NONE;
    account(s);
    if (!device_end) {
        p->state = PROGRAM_DEVICE_END;
        s->scsw0 |= SCSW_DEVICE_ACTIVE;
        present_end(s, SCSW_PRIMARY);
        return;
    }
    if (s->dev->ops->end)
        s->dev->ops->end(s->dev);
    present_end(s, SCSW_PRIMARY | SCSW_SECONDARY);
}

static void end_with_check(struct subchannel *s, uint8_t check, uint16_t residual)
{
    s->channel_status |= check;
    s->residual = residual;
    end_program(s);
}

// --- one command ---------------------------------------------------------------------------------

// Which CCW of the data chain was in use when `n` bytes had been transferred.
static const struct chained *used(const struct data_area *area, uint32_t n)
{
    size_t i = 0;
    while (i + 1 < area->chained && n >= area->chain[i].end)
        i++;
    return &area->chain[i];
}

// A control command that moved nothing ends with its channel end as initial status.
static bool immediate(const struct program *p)
{
    return (p->ccw.code & 3) == 3 && p->reply.transferred == 0;
}

static bool incorrect_length(const struct program *p, const struct ccw *last, uint32_t residual,
                             bool longer)
{
    if (residual == 0 && !longer)
        return false;
    if (immediate(p) && (!(p->orb & ORB_FORMAT_1) || (p->orb & ORB_LENGTH_SUPPRESSION)))
        return false;
    return (last->flags & CCW_DATA_CHAIN) || !(last->flags & CCW_SLI);
}

// Ended before any data could move: the length is nothing to complain of.
static bool refused(const struct device_reply *r)
{
    return (r->status & STATUS_UNIT_CHECK) ||
           ((r->status & STATUS_UNIT_EXCEPTION) && r->transferred == 0);
}

// Moves what the device gave to storage; returns how many bytes count as transferred.
static uint32_t transfer(struct subchannel *s)
{
    struct program *p = &s->program;
    uint32_t n = p->reply.transferred;
    if (device_transfer(p->ccw.code) == TRANSFER_FROM_DEVICE) {
        uint32_t stored =
            data_write(s, &p->area, p->buffer, n < p->area.length ? n : p->area.length);
        if (stored < n && n <= p->area.length)
            n = stored;
    }
    return n;
}

// Has the transfer of `n` bytes met what is wrong with the data area?
static bool fault_met(const struct data_area *area, uint32_t n)
{
    if (!area->fault)
        return false;
    return n > area->fault_at || (n == area->fault_at && area->fault_in_ccw) ||
           (n == area->fault_at && area->fault_at < area->length);
}

// Where the chain goes after `last`: two CCWs on when the device says so.
static void chain(struct subchannel *s, const struct ccw *last)
{
    struct program *p = &s->program;
    p->previous = p->ccw.code;
    p->index++;
    p->next = last->at + (p->reply.status & STATUS_MODIFIER ? 16 : 8);
    p->after_tic = false;
    p->state = PROGRAM_STEP;
}

// The reply takes effect: data, residual count, length check; then the next CCW or the end.
static void finish_command(struct subchannel *s)
{
    struct program *p = &s->program;
    uint32_t n = transfer(s), wanted = n;
    bool fault = p->ccw.code != 0x03 && fault_met(&p->area, n);
    if (n > p->area.length || (fault && n > p->area.fault_at))
        n = fault ? p->area.fault_at : p->area.length;
    const struct chained *c = used(&p->area, n);
    struct ccw last = c->ccw;
    uint32_t residual = c->end - n;
    p->ccw.at = last.at;
    s->dev->bytes += n;
    s->device_status = p->reply.status;
    s->residual = (uint16_t)residual;
    if (fault)
        s->channel_status |= p->area.fault;
    else if (!refused(&p->reply) && incorrect_length(p, &last, residual, wanted > n))
        s->channel_status |= CHANNEL_INCORRECT_LENGTH;
    LOG(IO, "%04X CCW %02X%02X%04X at %08X moved %u status %02X%02X", s->devno, p->ccw.code,
        last.flags, last.count, last.at, n, s->device_status, s->channel_status);
    const uint8_t chainable = STATUS_NORMAL | STATUS_MODIFIER;
    if ((s->channel_status & ~CHANNEL_PCI) || (s->device_status & ~chainable) ||
        !(s->device_status & STATUS_DEVICE_END) || !(last.flags & CCW_COMMAND_CHAIN) ||
        (last.flags & CCW_DATA_CHAIN))
        end_program(s);
    else
        chain(s, &last);
}

// Initial status of the first command shows the device busy: the start function is not accepted,
// deferred condition code 1.
static void end_busy(struct subchannel *s)
{
    s->scsw0 |= SCSW_CC_1;
    s->device_status = s->program.reply.status;
    end_program(s);
}

// Acts on the device's reply, now or when its time is over.
static void take_reply(struct subchannel *s)
{
    struct program *p = &s->program;
    const struct device_reply *r = &p->reply;
    p->queued += r->waited;
    p->disconnect += r->disconnected;
    p->connect += r->time - r->disconnected;
    p->state = PROGRAM_TIMED;
    if (r->time > 0)
        schedule(s, r->time);
    else if ((r->status & STATUS_BUSY) && !(r->status & STATUS_CHANNEL_END) && p->index == 0)
        end_busy(s);
    else
        finish_command(s);
}

static void reserve_buffer(struct program *p, size_t n)
{
    if (n <= p->buffer_size && p->buffer)
        return;
    free(p->buffer);
    p->buffer_size = n < 512 ? 512 : n;
    p->buffer = mem_zero(p->buffer_size, 1);
}

static void intermediate(struct subchannel *s, uint32_t extra)
{
    if (s->program.done)
        return;
    s->scsw0 |= extra;
    s->ccw_address = s->program.ccw.at + 8;
    subchannel_present(s, SCSW_INTERMEDIATE);
}

static void give_command(struct subchannel *s, const struct device_command *cmd)
{
    struct program *p = &s->program;
    p->in_command = true;
    p->completed = false;
    struct device_reply reply = s->dev->ops->command(s->dev, cmd);
    p->in_command = false;
    if (!p->completed)
        p->reply = reply;
}

static void execute(struct subchannel *s)
{
    struct program *p = &s->program;
    data_find(s, &p->ccw, &p->area);
    p->work += (unsigned)(p->area.pieces + p->area.chained);
    reserve_buffer(p, p->area.length);
    struct device_command cmd = {.code = p->ccw.code,
                                 .flags = p->ccw.flags,
                                 .data = p->buffer,
                                 .count = p->area.length,
                                 .index = p->index,
                                 .previous = p->previous};
    if (device_transfer(cmd.code) == TRANSFER_TO_DEVICE)
        cmd.count = data_read(s, &p->area, p->buffer);
    if (p->area.fault && cmd.count == 0 && cmd.code != 0x03) {
        end_with_check(s, p->area.fault, p->ccw.count);
        return;
    }
    if (cmd.index == 0 && (cmd.code & 0x0F) != 0x04 && cmd.code != 0x03)
        memset(s->dev->sense, 0, sizeof s->dev->sense); // the allegiance ends
    p->state = PROGRAM_TIMED;
    give_command(s, &cmd);
    s->scsw0 =
        (s->scsw0 & ~(SCSW_START_PENDING | SCSW_RESUME_PENDING)) | SCSW_ACTIVE | SCSW_DEVICE_ACTIVE;
    if (p->index == 0 && (p->orb & ORB_INITIAL) && !(p->reply.status & STATUS_BUSY))
        intermediate(s, SCSW_ZERO_CC);
    if (p->reply.pending)
        p->state = PROGRAM_PENDING;
    else
        take_reply(s);
}

static void suspend(struct subchannel *s)
{
    struct program *p = &s->program;
    p->state = PROGRAM_SUSPENDED;
    p->next = p->ccw.at;
    s->scsw0 &= ~SCSW_ACTIVITY;
    s->scsw0 |= SCSW_SUSPENDED;
    if (!(p->orb & ORB_NO_SUSPEND_INTERRUPTION))
        intermediate(s, 0);
}

// Fetches the next CCW and does it, or follows a transfer in channel.
static void step(struct subchannel *s)
{
    struct program *p = &s->program;
    uint8_t check = 0;
    if (p->implied_first)
        p->implied_first = false; // p->ccw is there already
    else
        check = ccw_fetch(s, p->next, &p->ccw);
    bool tic = (p->orb & ORB_FORMAT_1) ? p->ccw.code == 0x08 : (p->ccw.code & 0x0F) == 0x08;
    if (!check && tic) {
        if (p->first || p->after_tic)
            check = CHANNEL_PROGRAM_CHECK;
        else {
            p->next = p->ccw.address;
            p->after_tic = true;
            return;
        }
    }
    if (!check && (p->ccw.code & 0x0F) == 0)
        check = CHANNEL_PROGRAM_CHECK;
    if (!check && p->ccw.count == 0 &&
        (!(p->orb & ORB_FORMAT_1) || (p->ccw.flags & CCW_DATA_CHAIN)))
        check = CHANNEL_PROGRAM_CHECK;
    if (!check && (p->ccw.flags & CCW_SUSPEND) && !(p->orb & ORB_SUSPEND))
        check = CHANNEL_PROGRAM_CHECK;
    if (check) {
        end_with_check(s, check, p->ccw.count);
        return;
    }
    if (p->ccw.flags & CCW_SUSPEND) {
        suspend(s);
        return;
    }
    p->first = false;
    if (p->ccw.flags & CCW_PCI) {
        s->channel_status |= CHANNEL_PCI;
        intermediate(s, 0);
    }
    execute(s);
}

static void walk(struct subchannel *s)
{
    s->program.work = 0;
    while (s->program.state == PROGRAM_STEP) {
        if (s->program.work++ >= WORK_AT_ONCE) {
            schedule(s, WORK_PAUSE);
            return;
        }
        step(s);
    }
}

static void fire(struct event *event, void *arg)
{
    struct subchannel *s = arg;
    (void)event;
    if (s->program.state == PROGRAM_TIMED)
        finish_command(s);
    walk(s);
}

void device_complete(struct device *dev, struct device_reply reply)
{
    struct subchannel *s = dev->subchannel;
    if (!s)
        return;
    if (s->program.in_command) {
        s->program.completed = true;
        s->program.reply = reply;
    } else if (s->program.state == PROGRAM_PENDING) {
        s->program.reply = reply;
        take_reply(s);
        walk(s);
    } else if (s->program.state == PROGRAM_DEVICE_END) {
        s->program.state = PROGRAM_NONE;
        s->scsw0 &= ~SCSW_ACTIVITY;
        s->device_status |= reply.status;
        if (dev->ops->end)
            dev->ops->end(dev);
        present_end(s, SCSW_SECONDARY);
    }
}

// --- starting, resuming, giving up ---------------------------------------------------------------

void program_start(struct subchannel *s, uint32_t orb1, uint32_t ccw, bool implied_first)
{
    struct program *p = &s->program;
    event_init(&p->event, fire, s);
    subchannel_clear_status(s);
    // The suspend, format, prefetch and interruption bits of the SCSW are the ORB's; so is the key.
    s->scsw0 = (orb1 & (SCSW_KEY | SCSW_FROM_ORB)) | SCSW_START | SCSW_START_PENDING;
    p->orb = orb1;
    p->next = ccw;
    p->first = true;
    p->after_tic = false;
    p->implied_first = implied_first;
    p->index = 0;
    p->previous = 0;
    p->connect = p->disconnect = p->queued = 0;
    p->state = PROGRAM_STEP;
    s->dev->starts++;
    if (s->dev->ops->begin)
        s->dev->ops->begin(s->dev);
    walk(s);
}

void program_resume(struct subchannel *s)
{
    s->scsw0 |= SCSW_RESUME_PENDING;
    if (s->program.state != PROGRAM_SUSPENDED)
        return; // the next suspension looks at its CCW anew anyway
    s->scsw0 &= ~SCSW_SUSPENDED;
    s->program.state = PROGRAM_STEP;
    walk(s);
}

void program_abandon(struct subchannel *s)
{
    struct program *p = &s->program;
    if (p->state == PROGRAM_NONE)
        return;
    bool waiting = p->state == PROGRAM_PENDING || p->state == PROGRAM_DEVICE_END;
    event_cancel(s->css->host.events, &p->event);
    p->state = PROGRAM_NONE;
    if (waiting && s->dev->ops->halt)
        s->dev->ops->halt(s->dev);
    if (s->dev->ops->end)
        s->dev->ops->end(s->dev);
    if (p->done) {
        void (*done)(void *, bool, const char *) = p->done;
        p->done = NULL;
        done(p->done_arg, false, "reset");
    }
}

void program_free(struct program *p)
{
    free(p->buffer);
    data_free(&p->area);
}
