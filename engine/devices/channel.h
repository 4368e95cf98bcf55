// SPDX-License-Identifier: MIT
// The channel subsystem of one configuration: subchannels, channel programs, interruptions.
// Everything here runs under the system lock.
//
// A channel program is walked one CCW at a time on the event queue, so that data moves when the
// device says it does; a command of no duration continues at once. (Principles of Operation,
// chapters "I/O Overview" to "I/O Support Functions".)
#ifndef ENDICOTT_DEVICES_CHANNEL_H
#define ENDICOTT_DEVICES_CHANNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/events.h"
#include "cpu/storage.h"
#include "devices/device.h"

struct channel_subsystem;

// What the channel subsystem needs of its configuration; all outlive it.
struct css_host {
    struct storage *storage;
    const struct clock *clock;
    struct event_queue *events;
    // Some subchannel of interruption subclass `isc` has status pending.
    void (*interruption)(void *arg, unsigned isc);
    // A channel report word is pending (machine check).
    void (*channel_report)(void *arg);
    void *arg;
};

struct channel_subsystem *css_new(const struct css_host *host);
void css_free(struct channel_subsystem *css); // frees attached devices too
void css_reset(struct channel_subsystem *css);

// Attaches `dev` (ownership passes) under its device number, on the lowest free subchannel, or on
// the subchannel that number had before; 0, or -1 when the number is in use or none is free.
// `announce` makes channel reports (not during set-up).
int css_attach(struct channel_subsystem *css, struct device *dev, bool announce);
// Detaches and frees. Running programs end; the subchannel loses its device.
int css_detach(struct channel_subsystem *css, uint16_t devno, bool announce);
struct device *css_device(const struct channel_subsystem *css, uint16_t devno);
// Iterates attached devices in ascending device number: next after `devno` (-1 to start), or NULL.
struct device *css_next(const struct channel_subsystem *css, int devno);
// Subchannel number of an attached device (its subsystem id is X'00010000' + number), or -1.
int css_subchannel_number(const struct channel_subsystem *css, uint16_t devno);

// I/O instructions; condition codes, -1 = operand exception. `sid` is general register 1.
int css_start(struct channel_subsystem *css, uint32_t sid, const uint8_t orb[32]);
int css_test(struct channel_subsystem *css, uint32_t sid, uint8_t irb[96]);
int css_modify(struct channel_subsystem *css, uint32_t sid, const uint8_t schib[52]);
int css_store(struct channel_subsystem *css, uint32_t sid, uint8_t schib[52]);
int css_halt(struct channel_subsystem *css, uint32_t sid);
int css_clear(struct channel_subsystem *css, uint32_t sid);
int css_resume(struct channel_subsystem *css, uint32_t sid);
int css_cancel(struct channel_subsystem *css, uint32_t sid);
int css_report_word(struct channel_subsystem *css, uint8_t crw[4]);
int css_chsc(struct channel_subsystem *css, uint8_t block[4096]);
int css_measure(struct channel_subsystem *css, uint32_t gr1, uint64_t address); // SCHM
int css_path_status(struct channel_subsystem *css, uint8_t out[32]);            // STCPS
int css_reset_path(struct channel_subsystem *css, uint8_t chpid);               // RCHP

struct css_interruption {
    uint32_t subchannel_id, parameter, id_word;
};
// Takes (or with `peek` only shows) the first pending interruption among subclasses in `isc_mask`
// (leftmost bit = ISC 0), lowest ISC first, oldest first within it. False when none.
bool css_take_interruption(struct channel_subsystem *css, uint8_t isc_mask, bool peek,
                           struct css_interruption *out);
bool css_take_report(struct channel_subsystem *css); // is a CRW machine check due? clears it

// IPL: runs the initial channel program of device `devno` (READ IPL, 24 bytes to absolute 0, then
// the chain there) as a start function whose end is told to `done` instead of an interruption:
// ok, or not with a reason. 0, or -1 when there is no such device.
int css_ipl(struct channel_subsystem *css, uint16_t devno,
            void (*done)(void *arg, bool ok, const char *reason), void *arg);

// Starts the channel program (format-1 CCWs, key 0) at absolute `ccws`, for C code in place of a
// guest: its end is told to `done`, as of css_ipl(), from an event or from inside. 0, or -1 when
// there is no such device or it is busy.
int css_run(struct channel_subsystem *css, uint16_t devno, uint32_t ccws,
            void (*done)(void *arg, bool ok, const char *reason), void *arg);
// Ends a program of css_run() with that `arg`, if it runs, and tells nobody.
void css_forget(struct channel_subsystem *css, uint16_t devno, const void *arg);

// For device models.
// Ends a `pending` command now. It may even be called before the command function has returned; the
// reply given here then counts.
void device_complete(struct device *dev, struct device_reply reply);
// Unsolicited status such as attention; stacked until the subchannel can take it.
void device_attention(struct device *dev, uint8_t status);
// Unsolicited status that the program has not seen yet, stacked or pending.
uint8_t device_unsolicited(const struct device *dev);
// Takes these bits of stacked status back; what is pending already stays.
void device_withdraw(struct device *dev, uint8_t status);
const struct css_host *device_host(const struct device *dev);

#endif
