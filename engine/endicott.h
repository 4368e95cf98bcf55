// SPDX-License-Identifier: MIT
// The engine's one public header: what the console, the Lua binding, the command line, the tests
// and anyone who embeds Endicott use.
//
// Threads: call everything from one thread, the front end's. In real mode the engine's processors
// are threads of its own, and the functions here take the system lock. Callbacks come from
// endicott_pump() and endicott_run_until() on the caller's thread, with the lock held (take your
// time elsewhere), except terminal operations, which come with the lock held from any thread (see
// cp/terminal.h) and must not call back. endicott_break() and endicott_timer_new() may be called
// from any thread.
//
// Times are seconds as double where a person gives them, TOD values (64 bits, bit 51 = 1 us) where
// they are exact. Texts are UTF-8. Functions return 0 or a negative code unless they say otherwise.
#ifndef ENDICOTT_H
#define ENDICOTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/clock.h"
#include "cp/terminal.h"
#include "cpu/intercept.h"
#include "machine/tst.h"

struct endicott;
struct endicott_bare;

// --- the system -------------------------------------------------------------

struct endicott_options {
    enum clock_mode mode;
    const char *folder;      // system folder (system.config, user.direct), NULL: embedded default
    const char *config_text; // instead of the folder's or the embedded SYSTEM CONFIG
    const char *directory_text; // instead of USER DIRECT
    unsigned processors;        // 0: as configured
    uint64_t storage;           // bytes, 0: as configured
    double mips;                // virtual mode: instructions per microsecond, 0: default
    const char *model;          // CPU model of the processors ("z13,-vector"), NULL: as configured
    const char *start;          // virtual mode: "2026-01-01 00:00:00" UTC, NULL: that
};

// NULL on error. *error (free it) gets lines "file:line: text": the errors, or with a system its
// configuration's warnings; NULL when there are none.
struct endicott *endicott_new(const struct endicott_options *options, char **error);
void endicott_free(struct endicott *sys); // shuts down first
// Virtual mode: advances to `until`; returns early after endicott_break() or when the system is
// down. Real mode: pumps and sleeps until then.
void endicott_run_until(struct endicott *sys, tod_t until);
void endicott_break(struct endicott *sys);
// Real mode: fires what is due and returns; sleep on the descriptor until the next due time.
void endicott_pump(struct endicott *sys);
int endicott_notify_fd(struct endicott *sys); // readable when endicott_pump has something to do
tod_t endicott_next_due(struct endicott *sys);
tod_t endicott_now(const struct endicott *sys);
bool endicott_is_virtual(const struct endicott *sys);
bool endicott_is_down(struct endicott *sys); // after SHUTDOWN
const char *endicott_name(const struct endicott *sys);
struct cp *endicott_cp(struct endicott *sys); // for terminal_input() and the like

// A one-shot timer on the system's time; fires in the pump. Free it also after it fired.
struct endicott_timer;
struct endicott_timer *endicott_timer_new(struct endicott *sys, tod_t due, void (*fn)(void *arg),
                                          void *arg);
void endicott_timer_free(struct endicott_timer *timer);

// --- commands and terminals -------------------------------------------------

// One CP command as `user` (must be logged on; NULL: the operator's authority). The response's
// lines in *text and the message id in *message_id (free both; either may be NULL). The command's
// return code; -1 when the user is not logged on.
int endicott_command(struct endicott *sys, const char *user, const char *line, char **text,
                     char **message_id);
// Terminals under the lock: see cp/terminal.h. terminal->ops and ->name must be set.
int endicott_terminal_input(struct endicott *sys, struct terminal *term, const char *utf8);
void endicott_terminal_attention(struct endicott *sys, struct terminal *term, bool break_key);
void endicott_terminal_data_stream(struct endicott *sys, struct terminal *term, const uint8_t *data,
                                   size_t n);
void endicott_terminal_hangup(struct endicott *sys, struct terminal *term);
// Connects a terminal at once as `userid` without a password (the operator's console at IPL,
// scripts); message number, 0 when logged on or reconnected.
int endicott_terminal_logon(struct endicott *sys, struct terminal *term, const char *userid);
void endicott_lock(struct endicott *sys);
void endicott_unlock(struct endicott *sys);
// The user's SET PFnn of terminal `term`: *mode 'I' immediate, 'D' delayed, 'N' no display, 'S'
// substitute, 'R' retrieve backward, 'F' retrieve forward, 0 undefined; text to `out`.
void endicott_pf_key(struct endicott *sys, struct terminal *term, unsigned pf, char *mode,
                     char *out, size_t size);
// TERMINAL MORE s1 s2 and HOLD of the user at `term`; defaults 50 10 on at the logo.
void endicott_screen_times(struct endicott *sys, struct terminal *term, unsigned *more1,
                           unsigned *more2, bool *hold);

// --- looking at it ----------------------------------------------------------

struct endicott_user {
    char userid[9];
    bool disconnected, in_cp_read, waiting, service;
    char terminal[9];
    unsigned vcpus;
    uint64_t storage;
    double connect_time;           // seconds
    double guest_time, total_time; // seconds of virtual CPU and of virtual CPU + CP
    uint64_t instructions, ssch, messages;
    uint64_t intercept_count[INTERCEPT_COUNT];
    double intercept_seconds[INTERCEPT_COUNT]; // virtual cost
    double intercept_host[INTERCEPT_COUNT];    // host seconds (real mode)
};
// Fills up to `max`; returns the number of users logged on.
size_t endicott_users(struct endicott *sys, struct endicott_user *out, size_t max);
int endicott_user(struct endicott *sys, const char *userid, struct endicott_user *out);
const char *endicott_intercept_name(enum intercept reason);
const char *endicott_intercept_group(enum intercept reason);
// Guest storage (absolute): bytes copied, or -1 when not all of it exists or the user is not on.
int endicott_peek(struct endicott *sys, const char *userid, uint64_t absolute, void *to, size_t n);
int endicott_poke(struct endicott *sys, const char *userid, uint64_t absolute, const void *from,
                  size_t n);

// Path of the image of a bundled guest (free it); NULL when it is nowhere.
char *endicott_guest_path(const char *name);

// --- bare machines ----------------------------------------------------------

// A machine without CP on its own time line (virtual mode): console 0009 (3215), DASD 0191 of
// `cylinders` when not 0, reader 000C.
struct endicott_bare_options {
    uint64_t storage;   // bytes, 0: 64 MiB
    unsigned cpus;      // 0: 1
    double mips;        // 0: default
    unsigned cylinders; // of a scratch 3390 at 0191
    bool zarch;         // an ELF program starts in z/Architecture mode, not in ESA/390 mode
    bool no_console;    // without the 3215; what it writes by service calls is kept all the same
    const char *model; // CPU model and facilities in words ("z13,-129"), see cpu/model.h; NULL: all
    // What it claims to run under at level 3 of STSI, its name there (both up to 16 and 64
    // characters) and its UUID; NULL: it is a partition.
    const char *hypervisor, *name;
    const uint8_t *uuid;
    // A device that only says what it is (SENSE ID); type 0: none.
    uint16_t device_number, device_type;
    uint8_t device_model;
};
// NULL with *error (free it) when the model is not understood or storage cannot be had.
struct endicott_bare *endicott_bare_new(const struct endicott_bare_options *options, char **error);
void endicott_bare_free(struct endicott_bare *bare);
int endicott_bare_ipl(struct endicott_bare *bare, const char *path, const char *parameters,
                      char **error);
// Runs until at rest or for `seconds`; true while something can still happen.
bool endicott_bare_run(struct endicott_bare *bare, double seconds);
void endicott_bare_input(struct endicott_bare *bare, const char *line);
struct endicott_bare_state {
    double elapsed, cpu_time; // seconds
    uint64_t instructions;
    bool at_rest;
    uint64_t wait_address; // PSW address of CPU 0 when in a disabled wait
};
void endicott_bare_state(struct endicott_bare *bare, struct endicott_bare_state *out);
const char *endicott_bare_output(struct endicott_bare *bare); // console text so far
int endicott_bare_peek(struct endicott_bare *bare, uint64_t absolute, void *to, size_t n);

// --- monitor data -----------------------------------------------------------

// A decoded field value.
enum endicott_kind { ENDICOTT_NUMBER, ENDICOTT_TIME, ENDICOTT_SPAN, ENDICOTT_TEXT, ENDICOTT_BYTES };
struct endicott_field {
    const char *name, *unit;
    enum endicott_kind kind;
    uint64_t number;      // NUMBER; TIME and SPAN in TOD units
    const uint8_t *bytes; // TEXT (EBCDIC) and BYTES
    size_t size;
};
// One record. `raw` points into the reader's or subscriber's buffer, valid during the call.
struct endicott_record {
    unsigned domain, number;
    const char *name, *title; // "MRSYTSYP", or NULL when the layout is not known
    tod_t time;
    const uint8_t *raw;
    size_t length;
    bool subinterval;   // of a set that only subinterval users get
    bool configuration; // of a configuration set
};
// Calls fn for each field of the record's table, repeated sections included (index from 0).
void endicott_record_fields(const struct endicott_record *record,
                            void (*fn)(void *arg, const struct endicott_field *field,
                                       const char *section, unsigned index),
                            void *arg);
// One field by name ("SYTPRP_PFXUTIME", or without the prefix); false when the record has none.
bool endicott_record_field(const struct endicott_record *record, const char *name,
                           struct endicott_field *out);

// CP's own domain 10 record says what the hypervisor cost a user: the count and virtual cost (since
// logon) for one reason. False when it is another record, or has no such row.
bool endicott_record_overhead(const struct endicott_record *record, enum intercept reason,
                              uint64_t *count, tod_t *cost);

// A monitor user inside the process: connects to *MONITOR as CP's own users do.
struct endicott_subscription;
struct endicott_subscription *
endicott_subscribe(struct endicott *sys, bool subinterval,
                   void (*record)(void *arg, const struct endicott_record *record),
                   void (*sample_end)(void *arg, tod_t time, bool subinterval), void *arg);
void endicott_unsubscribe(struct endicott_subscription *sub);

// Where MONWRITE service machines write: FOLDER/USERID/fn.ft. NULL: the system folder again.
void endicott_monwrite_folder(struct endicott *sys, const char *folder);

// MONWRITE files. Reads all records in order; *error (free it) says where and why when damaged.
// 0 whole, 1 damaged or truncated (records before and after were given), -1 cannot be opened.
int endicott_read_monwrite(const char *path,
                           void (*record)(void *arg, const struct endicott_record *record),
                           void *arg, char **error);
// What report FCX155 counts: records of sample sets.
struct endicott_mondata {
    uint64_t samples, subinterval_samples, records, bytes;
    uint64_t configuration_records, configuration_bytes, event_records, event_bytes;
};
// Results as of endicott_read_monwrite().
int endicott_mondata(const char *path, struct endicott_mondata *out, char **error);
struct endicott_report_options {
    unsigned fcx;     // 155, ...; 0 with html: all
    double by;        // seconds in one stretch of time, 0: everything in one
    bool interim;     // a report for each sample, or stretch
    bool log;         // a line for each sample, or stretch, and user, device, ...
    const char *user; // only that user; * and ? are wild cards. NULL: all
    double from, to;  // seconds since 1970, or of the day when under 86400; 0: no limit
    bool html;        // a self-contained page with charts
};
// The report at `index` (from 0); false after the last.
bool endicott_report_name(unsigned index, unsigned *fcx, const char **name, const char **title);
// Writes the report; 0, 1 damaged input (report of what was readable), -1 with *error.
int endicott_report(const char *path, const struct endicott_report_options *options, FILE *out,
                    char **error);

// Monitor data for other programs: "jsonl", "csv", "sqlite", "influx", "openmetrics",
// "prometheus". Whole lines go to write() (false: it cannot be written), or with `path` to files:
// "sqlite" a new database, "csv" a folder.
struct endicott_export_options {
    const char *format;
    const char *records; // "D4R3,MRIODDEV"; NULL: all whose layouts are known
    const char *path;
    bool (*write)(void *arg, const char *lines, size_t n);
    void *arg;
};
// Results as of endicott_read_monwrite().
int endicott_export(const char *input, const struct endicott_export_options *options, char **error);
// Every field as a line of JSON, to write(). 0, or -1 with *error.
int endicott_export_schema(const struct endicott_export_options *options, char **error);

// A monitor user that keeps the last sample as metrics. NULL when *MONITOR does not accept it.
struct endicott_metrics;
struct endicott_metrics *endicott_metrics_new(struct endicott *sys);
// Their text, in OpenMetrics or Prometheus's older format (free it). From any thread.
char *endicott_metrics_text(struct endicott_metrics *metrics, bool openmetrics, size_t *size);
void endicott_metrics_free(struct endicott_metrics *metrics);

// --- DASD images ------------------------------------------------------------
int endicott_dasd_create(const char *path, const char *model, unsigned cylinders,
                         const char *volser, char **error);
// In Linux's compatible disk layout: one partition, filled with `in`. The number of its blocks of 4
// KB, or -1 with *error, and no file.
long endicott_dasd_create_linux(const char *path, const char *model, unsigned cylinders,
                                const char *volser, FILE *in, char **error);
// Writes a Linux partition (1 to 3) to `out`: the number of blocks, or -1 with *error.
long endicott_dasd_export(const char *path, unsigned partition, FILE *out, char **error);
int endicott_dasd_list(const char *path, FILE *out, char **error);
int endicott_dasd_check(const char *path, FILE *out, char **error);

// Instruction coverage, command coverage, record coverage as Markdown, from the code's own tables.
void endicott_document(const char *what,
                       FILE *out); // "instructions", "commands", "records", "reports"

#endif
