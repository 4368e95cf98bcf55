// SPDX-License-Identifier: MIT
// What travels over a running system's local socket: frames of a type, a length and so many bytes.
//
//   0  type           enum frame_type
//   1  length         of the rest, 3 bytes, big-endian
//   4  payload
//
// Each side begins with FRAME_HELLO and its version. A client then either asks (commands, a
// shutdown; answers come in order) or opens a display, which stays until either side hangs up.
#ifndef ENDICOTT_CLI_PROTOCOL_H
#define ENDICOTT_CLI_PROTOCOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

#define PROTOCOL_VERSION 1u
#define FRAME_HEADER     4u
#define FRAME_MAX        0x100000u // bytes of a payload

// Numbers in payloads are big-endian; texts are UTF-8, NUL-terminated where more follows.
enum frame_type {
    FRAME_HELLO = 'H',     // both: "ENDICOTT" and the version (2 bytes); server: + its name
    FRAME_COMMAND = 'C',   // client: userid (empty: the operator) NUL, command
    FRAME_TEXT = 'T',      // server: a part of the response
    FRAME_RESULT = 'R',    // server: return code (4 bytes, signed): the response is complete
    FRAME_SHUTDOWN = 'S',  // client: the system is to end; result, then the connection goes with it
    FRAME_DISPLAY = 'D',   // client: rows, columns (2 bytes each), userid to log on or empty
    FRAME_TERMINAL = 'N',  // server: the display is open, its terminal name
    FRAME_OUTBOUND = 'O',  // server: outbound 3270 data stream, command code first
    FRAME_INBOUND = 'I',   // client: inbound 3270 data stream
    FRAME_RESIZE = 'Z',    // client: rows, columns, what a Read Modified would give
    FRAME_ATTENTION = 'A', // client: the ATTN key
    FRAME_HISTORY = 'L',   // client: send the scrollback; server: one line of it, oldest first
    FRAME_HISTORY_END = 'E', // server: that was all of it
    FRAME_GOODBYE = 'B',     // server: exit code for the client (1 byte), why it hangs up
};

// Gathers bytes and gives whole frames.
struct frame_reader {
    struct text bytes;
    size_t taken; // bytes in front that frames given before occupied
    bool broken;  // what came is not this protocol
};

struct frame {
    enum frame_type type;
    const uint8_t *data; // within the reader, until the next call
    size_t n;
};

void frame_reader_free(struct frame_reader *reader);
void frame_reader_add(struct frame_reader *reader, const void *bytes, size_t n);
// False when no whole frame is there (yet), or the stream is broken.
bool frame_next(struct frame_reader *reader, struct frame *frame);

// Appends a frame; `n` is at most FRAME_MAX.
void frame_put(struct text *out, enum frame_type type, const void *data, size_t n);
// A text of any length as one or more frames of `type`.
void frame_put_text(struct text *out, enum frame_type type, const char *utf8);

void frame_put_hello(struct text *out, const char *name);
// True when the frame is the other side's greeting in our version.
bool frame_is_hello(const struct frame *frame);
// Why a FRAME_GOODBYE's sender hangs up, as a text, and its exit code; 1 when it does not say.
int frame_goodbye(const struct frame *frame, char *why, size_t size);
// The NUL-terminated text at the front of a payload, and what is behind it; NULL when there is
// none.
const char *frame_string(const struct frame *frame, const uint8_t **rest, size_t *n);

#endif
