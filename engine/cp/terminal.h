// SPDX-License-Identifier: MIT
// A terminal as CP sees it: lines out, lines in, a status word, and on request a full-screen
// program's 3270 data stream. The CP full screen (console/), a Lua console and a headless recorder
// are such terminals. The front end owns the struct; CP keeps a pointer while someone is logged on
// there. CP calls the operations with the system lock held, from any thread: they must neither
// block nor call back into CP.
#ifndef ENDICOTT_CP_TERMINAL_H
#define ENDICOTT_CP_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cp;
struct vm;
struct terminal;

enum line_kind {
    LINE_CP,      // CP responses
    LINE_VM,      // the guest's console output
    LINE_MESSAGE, // MSG, WNG: sounds the alarm, holds the screen
    LINE_ECHO,    // what was typed, redisplayed
};

// The status area's words.
enum terminal_status {
    TERMINAL_LOGO, // nobody is logged on
    TERMINAL_CP_READ,
    TERMINAL_VM_READ,
    TERMINAL_RUNNING,
};

struct terminal_ops {
    void (*line)(struct terminal *term, enum line_kind kind, const char *utf8);
    void (*status)(struct terminal *term, enum terminal_status status);
    // The session ended (LOGOFF, FORCE, DISCONNECT); a "Press enter or clear key to continue" line
    // was sent before. CP no longer knows the terminal.
    void (*ended)(struct terminal *term);
    // A guest's full-screen write to a 3270 console: outbound 3270 data stream, command code first.
    // NULL: the terminal shows lines only.
    void (*data_stream)(struct terminal *term, const uint8_t *data, size_t n);
    // CP asks for a line whose text must not be shown (a password).
    void (*conceal)(struct terminal *term, bool on);
};

struct terminal {
    const struct terminal_ops *ops;
    char name[9];  // "GRAF 0020", "LDEV L0003": shown as 0020, L0003
    uint16_t rdev; // real device number of a local one, 0 for logical ones
    struct vm *vm; // who is logged on there, NULL at the logo; CP's field
    // CP's state of a LOGON in progress at this terminal.
    char logon_userid[9];
    char logon_rest[200];
    struct logon_request *logon; // CP's: what waits for a password
};

struct logon_options;
struct response;
// LOGON at this terminal: looks the user up and checks the password, or asks for it when `password`
// is NULL (the next terminal_input() is it). Reconnects a disconnected user. 0, or the message
// number with its text in `out`. The texts in `options` are copied.
int terminal_logon(struct cp *cp, struct terminal *term, const char *userid, const char *password,
                   const struct logon_options *options, struct response *out);
// Logs on without a password (the operator's console at IPL, scripts).
int terminal_logon_trusted(struct cp *cp, struct terminal *term, const char *userid,
                           const struct logon_options *options, struct response *out);

// A line was typed. At the logo: a pre-LOGON command or a password; in CP READ: a CP command; else
// console input for the guest, or a CP command after #CP. Returns the command's return code, 0 for
// guest input.
int terminal_input(struct cp *cp, struct terminal *term, const char *utf8);
// Attention (ENTER on an empty line counts as empty input instead), and PA1: to CP READ.
void terminal_attention(struct cp *cp, struct terminal *term, bool break_key);
// Inbound 3270 data stream (AID, cursor, fields) for a guest's full-screen program.
void terminal_data_stream(struct cp *cp, struct terminal *term, const uint8_t *data, size_t n);
// The line went away: disconnects whoever is logged on there.
void terminal_hangup(struct cp *cp, struct terminal *term);

#endif
