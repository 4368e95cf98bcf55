// SPDX-License-Identifier: MIT
// IUCV as the transaction guests use it. Under CP only; elsewhere iucv_begin() tells that there is
// none. Layouts: the three forms of its parameter list, 40 bytes, and the interruption buffer.
#ifndef GUEST_IUCV_H
#define GUEST_IUCV_H

#include "runtime/guest.h"

enum iucv_function {
    IUCV_SEND = 0x04,
    IUCV_RECEIVE = 0x05,
    IUCV_REPLY = 0x06,
    IUCV_ACCEPT = 0x0A,
    IUCV_CONNECT = 0x0B,
    IUCV_DECLARE = 0x0C,
    IUCV_SEVER = 0x0F,
};

enum iucv_type { // of an interruption
    IUCV_PENDING = 1,
    IUCV_COMPLETE = 2,
    IUCV_SEVERED = 3,
    IUCV_QUIESCED = 4,
    IUCV_RESUMED = 5,
    IUCV_MESSAGE_COMPLETE_PRIORITY = 6,
    IUCV_MESSAGE_COMPLETE = 7,
    IUCV_MESSAGE_PRIORITY = 8,
    IUCV_MESSAGE = 9,
};

// Paths: CONNECT, ACCEPT, SEVER; interruptions 1 to 5.
struct iucv_control {
    uint16_t path;
    uint8_t flags, code; // return code, or the type of an interruption
    uint16_t limit, reserved;
    uint8_t user[8];
    uint8_t data[16];
    uint8_t system[8];
} __attribute__((aligned(8)));

// Messages: SEND, RECEIVE, REPLY, DECLARE BUFFER; interruptions 6 to 9.
struct iucv_message {
    uint16_t path;
    uint8_t flags, code;
    uint32_t id, target_class;
    uint32_t address, length;
    uint32_t source_class, tag;
    uint32_t answer_address, answer_length;
    uint32_t reserved;
} __attribute__((aligned(8)));

#define IUCV_ANSWER_BY_ID 0x07 // message id, path and class are given

union iucv_buffer {
    struct iucv_control control;
    struct iucv_message message;
};

// Declares the interruption buffer and enables its interruptions; false when there is no IUCV.
bool iucv_begin(void);
int iucv_call(enum iucv_function function, void *list); // condition code
// Waits for an interruption of IUCV, or of the clock comparator: NULL.
const union iucv_buffer *iucv_wait(void);

#endif
