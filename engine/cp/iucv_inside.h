// SPDX-License-Identifier: MIT
// What the iucv*.c files share among themselves.
#ifndef ENDICOTT_CP_IUCV_INSIDE_H
#define ENDICOTT_CP_IUCV_INSIDE_H

#include "cp/cp.h"
#include "cp/iucv.h"

#define IUCV_LIST           40u // bytes of parameter lists and external interrupt buffers
#define IUCV_DEFAULT_LIMIT  10u // messages outstanding on a path
#define IUCV_DEFAULT_PATHS  64u
#define IUCV_MESSAGE_MAX    (1u << 20)
#define IUCV_AUDIT_REJECTED 0x00800000u

// Interruption types, as in byte 3 of the external interrupt buffer.
enum iucv_type {
    IUCV_PENDING = 1,
    IUCV_COMPLETE = 2,
    IUCV_SEVERED = 3,
    IUCV_QUIESCED_BY_PEER = 4,
    IUCV_RESUMED = 5,
    IUCV_PRIORITY_DONE = 6,
    IUCV_DONE = 7,
    IUCV_PRIORITY_MESSAGE = 8,
    IUCV_MESSAGE = 9,
};

enum end_state { END_CONNECTING, END_INVITED, END_OPEN, END_SEVERED };

struct iucv_end {
    struct iucv_user *user;
    struct iucv_end *peer; // NULL once severed
    uint16_t id;           // path number at this user
    enum end_state state;
    bool quiesced;          // by the peer: we must not send
    bool prmdata, priority; // what we may send
    uint16_t limit;         // messages that we may have outstanding
    unsigned outstanding;
    struct iucv_message *sent; // ours, not yet complete; oldest first
    uint8_t user_data[IUCV_USER_DATA];
    void *data; // a C program's
};

enum message_state { MESSAGE_SENT, MESSAGE_TAKEN, MESSAGE_OVER };

struct iucv_message {
    struct iucv_message *next;
    struct iucv_end *from;
    uint32_t id, trgcls, srccls, tag;
    uint8_t flags;
    enum message_state state;
    uint8_t *bytes;
    uint32_t n, received;
    // Where a guest wants the answer.
    uint32_t answer_address, answer_max;
    // The answer, and what became of it.
    uint8_t *answer;
    uint32_t answer_n, audit;
    bool answer_in_list;
};

// Something its user shall be told.
struct iucv_notice {
    struct iucv_notice *next;
    enum iucv_type type;
    struct iucv_end *end;
    struct iucv_message *message; // owned by the notice for DONE types
    uint8_t user_data[IUCV_USER_DATA];
};

struct iucv_user {
    struct iucv_user *next; // services of the system
    struct cp *cp;
    struct vm *vm; // NULL: a system service
    char name[9];
    const struct iucv_ops *ops; // C program, NULL: the guest
    void *arg;
    struct event deliver;  // C programs
    struct iucv_end **end; // by path number
    unsigned ends, ends_max;
    uint32_t next_message;
    struct iucv_notice *first, **last;
    // The guest's side, by CPU address.
    uint64_t declared; // one bit per CPU
    uint32_t buffer[MACHINE_MAX_CPUS];
    uint8_t mask[MACHINE_MAX_CPUS], control_mask[MACHINE_MAX_CPUS];
};

// iucv.c
struct iucv_user *iucv_user_new(struct cp *cp, struct vm *vm, const char *name);
void iucv_user_free(struct iucv_user *user);
struct iucv_user *iucv_target(struct cp *cp, const char *name); // NULL: not there

// iucv_notice.c
struct iucv_notice *iucv_notify(struct iucv_end *end, enum iucv_type type);
// Forgets what was to be told about a path, or about a message.
void iucv_forget_end(struct iucv_end *end);
void iucv_forget_message(struct iucv_user *user, const struct iucv_message *message);
void iucv_notices_free(struct iucv_user *user);
void iucv_deliver_due(struct event *event, void *arg);
// The 40 bytes that tell a guest of the notice.
void iucv_notice_image(const struct iucv_notice *notice, uint8_t image[IUCV_LIST]);
// The first notice of the types in `wanted` (bit per type); unlinked with `take`.
struct iucv_notice *iucv_notice_find(struct iucv_user *user, unsigned wanted, bool take);
void iucv_notice_free(struct iucv_notice *notice);

// iucv_path.c
struct iucv_end *iucv_end(struct iucv_user *user, uint16_t id); // NULL: no such path
void iucv_sever_all(struct iucv_user *user, const uint8_t user_data[IUCV_USER_DATA]);
unsigned iucv_max_paths(const struct iucv_user *user);

// iucv_message.c
struct iucv_message *iucv_message_new(struct iucv_end *from, uint8_t flags, uint32_t trgcls,
                                      uint32_t srccls, uint32_t tag, const void *bytes, uint32_t n);
int iucv_message_send(struct iucv_message *message); // IPRCODE; owned by the path when 0
void iucv_message_free(struct iucv_message *message);
// Messages for the receiver at `end`: the first sent or taken one that the selectors allow.
struct iucv_message *iucv_message_for(struct iucv_end *end, bool by_id, uint32_t id, bool by_class,
                                      uint32_t trgcls, bool taken_too);
// The receiver has all of it; a one-way message is then over.
void iucv_message_taken(struct iucv_message *message);
// Ends it: the sender is told.
void iucv_message_complete(struct iucv_message *message, const void *answer, uint32_t n,
                           uint32_t audit);
struct iucv_message *iucv_message_sent(struct iucv_end *end, uint32_t id);
void iucv_messages_drop(struct iucv_end *end); // of a path that goes

#endif
