// SPDX-License-Identifier: MIT
// The Inter-User Communication Vehicle: paths between virtual machines and CP system services, and
// messages on them (CP Programming Services, "IUCV").
//
// An endpoint is a virtual machine's program (through the IUCV instruction), a CP system service
// such as *MONITOR, or a service machine that CP runs itself; the last two are C code with
// callbacks, delivered from the event queue, never from inside a call of theirs. Under the system
// lock.
#ifndef ENDICOTT_CP_IUCV_H
#define ENDICOTT_CP_IUCV_H

#include <stdbool.h>
#include <stdint.h>

struct cp;
struct vm;
struct cpu;
struct door_call;
struct iucv_user; // an endpoint
struct iucv_end;  // one end of a path
struct external_interruption;

#define IUCV_USER_DATA 16

// IPFLAGS1, as in parameter lists.
#define IUCV_PRMDATA 0x80u // data in the parameter list
#define IUCV_BUFLST  0x40u // buffer list
#define IUCV_PRTY    0x20u // priority message
#define IUCV_NORPY   0x10u // one-way
#define IUCV_ANSLST  0x08u // answer list
#define IUCV_FGMID   0x04u
#define IUCV_FGPID   0x02u
#define IUCV_CLASS   0x01u

// What a C program is told. `end` is its own end of the path; `arg` what it gave when it was made.
struct iucv_ops {
    // Somebody wants a path: iucv_accept() or iucv_sever() it, now or later.
    void (*pending)(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA]);
    // A CONNECT of ours was accepted.
    void (*complete)(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA]);
    // The other side severed. `end` is gone when this returns.
    void (*severed)(void *arg, struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA]);
    // The other side quiesced the path, or resumed it.
    void (*quiesced)(void *arg, struct iucv_end *end, bool on);
    // A message came in; the bytes are valid during the call. Two-way ones want iucv_reply(), now
    // or later.
    void (*message)(void *arg, struct iucv_end *end, uint32_t id, uint32_t trgcls, bool two_way,
                    const uint8_t *bytes, uint32_t n);
    // A message of ours is complete: the answer's bytes, or audit bits when rejected or severed.
    void (*done)(void *arg, struct iucv_end *end, uint32_t id, uint32_t tag, uint32_t audit,
                 const uint8_t *answer, uint32_t n);
};

// A CP system service, "*MONITOR". Anyone whose directory entry has IUCV for that name (or ANY is
// not enough) may connect.
struct iucv_user *iucv_register_service(struct cp *cp, const char *name, const struct iucv_ops *ops,
                                        void *arg);
// The service of that name, or NULL.
struct iucv_user *iucv_service(const struct cp *cp, const char *name);
// `user`'s end of its first open path to `userid`, or NULL.
struct iucv_end *iucv_path_to(struct iucv_user *user, const char *userid);
// Makes the program of virtual machine `vm` a C one (service machines); the guest side of it is
// then not usable. Freed at logoff, or with iucv_program_end().
struct iucv_user *iucv_program(struct vm *vm, const struct iucv_ops *ops, void *arg);
void iucv_program_end(struct vm *vm);

// For C programs. Connect answers an IPRCODE (0: pending, *end is the path), as the table below.
int iucv_connect(struct iucv_user *from, const char *target, uint8_t flags, uint16_t msglimit,
                 const uint8_t user_data[IUCV_USER_DATA], struct iucv_end **end);
int iucv_accept(struct iucv_end *end, uint8_t flags, uint16_t msglimit,
                const uint8_t user_data[IUCV_USER_DATA]);
// Severs and frees `end`.
void iucv_sever(struct iucv_end *end, const uint8_t user_data[IUCV_USER_DATA]);
// No more messages from the other side, or again. IPRCODE.
int iucv_path_quiesce(struct iucv_end *end, bool on);
// Sends `n` bytes (8 at most with IUCV_PRMDATA in flags); answer_max 0 and IUCV_NORPY: one way.
// IPRCODE; *id gets the message's number.
int iucv_send(struct iucv_end *end, uint8_t flags, uint32_t trgcls, uint32_t tag, const void *bytes,
              uint32_t n, uint32_t answer_max, uint32_t *id);
int iucv_reply(struct iucv_end *end, uint32_t message, uint8_t flags, const void *bytes,
               uint32_t n);
int iucv_reject(struct iucv_end *end, uint32_t message);
// Takes a message of ours back (when the sender gives up); false when it is not pending any more.
bool iucv_purge(struct iucv_end *end, uint32_t message);

const char *iucv_end_userid(const struct iucv_end *end); // of the other side
uint16_t iucv_end_path(const struct iucv_end *end);      // our path number
void iucv_end_set(struct iucv_end *end, void *data);     // the program's own pointer
void *iucv_end_get(const struct iucv_end *end);
unsigned iucv_end_outstanding(const struct iucv_end *end); // our messages not yet complete

// IPRCODE values.
enum iucv_code {
    IUCV_OK = 0,
    IUCV_BAD_PATH = 1,
    IUCV_QUIESCED = 2,
    IUCV_LIMIT = 3,
    IUCV_NO_PRIORITY = 4,
    IUCV_TOO_SHORT = 5,
    IUCV_PROTECTION = 6,
    IUCV_ADDRESSING = 7,
    IUCV_BAD_ID = 8,
    IUCV_PURGED = 9,
    IUCV_NEGATIVE_LENGTH = 10,
    IUCV_NOT_LOGGED_ON = 11,
    IUCV_NO_BUFFER = 12,
    IUCV_MAX_CALLER = 13,
    IUCV_MAX_TARGET = 14,
    IUCV_NOT_AUTHORISED = 15,
    IUCV_BAD_SERVICE = 16,
    IUCV_BUFFER_EXISTS = 19,
    IUCV_NOT_PENDING = 20,
    IUCV_NO_PRMDATA = 21,
    IUCV_BAD_LIST = 24,
};

// --- for the rest of CP ------------------------------------------------------
void iucv_vm_new(struct vm *vm);
// IUCV machine reset: buffers retrieved, paths severed.
void iucv_vm_reset(struct vm *vm);
void iucv_vm_free(struct vm *vm);
void iucv_free(struct cp *cp); // services
// The IUCV instruction (B2F0).
void iucv_instruction(struct cpu *cpu, const struct door_call *call);
// Takes one pending IUCV interruption that the masks allow, after storing its buffer.
bool iucv_take_external(struct cpu *cpu, uint32_t mask, struct external_interruption *out);
// For QUERY IUCV and the monitor.
unsigned iucv_vm_paths(const struct vm *vm);

#endif
