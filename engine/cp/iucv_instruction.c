// SPDX-License-Identifier: MIT
// The IUCV instruction (B2F0): general register 0 holds the function, the operand address is the
// guest-real address of a 40-byte parameter list, on a doubleword boundary below 2 GB:
//
//        0    2     3     4        8             16         24 20      28     32
//  path: path flags code  limit    target userid  user data             target system
//  data: path flags code  id       class  address length    source tag  answer address, length
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/diagnose.h"
#include "cp/iucv_inside.h"

enum {
    LIST_PATH = 0,
    LIST_FLAGS = 2,
    LIST_CODE = 3,
    LIST_LIMIT = 4,
    LIST_ID = 4,
    LIST_CLASS = 8,
    LIST_USERID = 8,
    LIST_ADDRESS = 12,
    LIST_DATA = 12,
    LIST_LENGTH = 16,
    LIST_USER_DATA = 16,
    LIST_SOURCE_CLASS = 20,
    LIST_TAG = 24,
    LIST_ANSWER_ADDRESS = 28,
    LIST_ANSWER_LENGTH = 32
};

#define SEVER_ALL       0x80u
#define PURGE_NOT_FOUND 2u

struct iucv_call {
    struct cpu *cpu;
    struct vm *vm;
    struct iucv_user *user;
    uint8_t list[IUCV_LIST];
    unsigned cc;
    bool store;      // the list was changed
    uint8_t *buffer; // freed whatever happens
    uint32_t n;      // its length
};

static uint8_t flags_of(const struct iucv_call *call)
{
    return call->list[LIST_FLAGS];
}

static struct iucv_end *path_of(const struct iucv_call *call)
{
    return iucv_end(call->user, be16_load(call->list + LIST_PATH));
}

// Condition code 1 with IPRCODE, or 0.
static void result(struct iucv_call *call, int code)
{
    call->list[LIST_CODE] = (uint8_t)code;
    call->cc = code ? 1 : 0;
    call->store = true;
}

// --- data in guest storage -----------------------------------------------------------------

// Runs through a buffer, or a list of buffers, at guest-real addresses. False: not all there.
static bool each_piece(struct iucv_call *call, uint32_t address, bool list, uint32_t n,
                       bool (*move)(struct iucv_call *call, uint32_t at, uint8_t *bytes,
                                    uint32_t n))
{
    uint8_t *bytes = call->buffer, entry[8];

    if (!list)
        return !n || move(call, address, bytes, n);
    for (; n; address += 8) {
        if (!storage_read(call->cpu->storage, cpu_real_to_absolute(call->cpu, address), entry, 8))
            return false;
        uint32_t part = be32_load(entry + 4) < n ? be32_load(entry + 4) : n;
        if (!part || !move(call, be32_load(entry), bytes, part))
            return false;
        bytes += part;
        n -= part;
    }
    return true;
}

// Guest-real storage, under the key of the PSW.
static bool fetch_piece(struct iucv_call *call, uint32_t at, uint8_t *bytes, uint32_t n)
{
    return storage_read_key(call->cpu->storage, cpu_real_to_absolute(call->cpu, at), bytes, n,
                            call->cpu->psw.key) == 0;
}

static bool store_piece(struct iucv_call *call, uint32_t at, uint8_t *bytes, uint32_t n)
{
    return storage_write_key(call->cpu->storage, cpu_real_to_absolute(call->cpu, at), bytes, n,
                             call->cpu->psw.key) == 0;
}

// The data that SEND and REPLY name in the list; IPRCODE.
static int gather(struct iucv_call *call, unsigned address, unsigned length, bool in_list,
                  bool list)
{
    call->n = in_list ? 8 : be32_load(call->list + length);
    if (call->n > IUCV_MESSAGE_MAX)
        return IUCV_NEGATIVE_LENGTH;
    call->buffer = mem_alloc(call->n ? call->n : 1);
    if (in_list) {
        memcpy(call->buffer, call->list + LIST_DATA, 8);
        return IUCV_OK;
    }
    return each_piece(call, be32_load(call->list + address), list, call->n, fetch_piece)
               ? IUCV_OK
               : IUCV_PROTECTION;
}

// --- buffers and masks --------------------------------------------------------------------------

static void do_query(struct iucv_call *call)
{
    call->cpu->gr[1] = (call->cpu->gr[1] & ~UINT64_C(0xFFFFFFFF)) | iucv_max_paths(call->user);
    call->cpu->gr[0] = (call->cpu->gr[0] & ~UINT64_C(0xFFFFFFFF)) | IUCV_LIST;
}

static void do_declare(struct iucv_call *call)
{
    uint32_t address = be32_load(call->list + LIST_ADDRESS);
    uint64_t bit = UINT64_C(1) << call->cpu->address;

    if (call->user->declared & bit) {
        result(call, IUCV_BUFFER_EXISTS);
    } else if (address % 8 || !storage_find(call->cpu->storage,
                                            cpu_real_to_absolute(call->cpu, address), IUCV_LIST)) {
        result(call, IUCV_ADDRESSING);
    } else {
        call->user->declared |= bit;
        call->user->buffer[call->cpu->address] = address;
        call->user->mask[call->cpu->address] = call->user->control_mask[call->cpu->address] = 0xF8;
        result(call, IUCV_OK);
    }
}

static void do_retrieve(struct iucv_call *call)
{
    static const uint8_t none[IUCV_USER_DATA];
    uint64_t bit = UINT64_C(1) << call->cpu->address;

    if (!(call->user->declared & bit)) {
        result(call, IUCV_NO_BUFFER);
        return;
    }
    call->user->declared &= ~bit;
    if (!call->user->declared)
        iucv_sever_all(call->user, none);
    result(call, IUCV_OK);
}

static void do_set_mask(struct iucv_call *call)
{
    call->user->mask[call->cpu->address] = call->list[0];
    cpu_pend(call->cpu, PEND_EXTERNAL);
}

static void do_set_control_mask(struct iucv_call *call)
{
    call->user->control_mask[call->cpu->address] = call->list[0];
    cpu_pend(call->cpu, PEND_EXTERNAL);
}

// --- paths ------------------------------------------------------------------------------------

static void do_connect(struct iucv_call *call)
{
    char target[9];
    struct iucv_end *end;
    int code;

    ebcdic_field_text(call->list + LIST_USERID, 8, target, sizeof target);
    if (!call->user->declared) {
        result(call, IUCV_NO_BUFFER);
        return;
    }
    code = iucv_connect(call->user, target, flags_of(call), be16_load(call->list + LIST_LIMIT),
                        call->list + LIST_USER_DATA, &end);
    result(call, code);
    if (code)
        return;
    be16_store(call->list + LIST_PATH, end->id);
    be16_store(call->list + LIST_LIMIT, end->limit);
}

static void do_accept(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);

    if (!end) {
        result(call, IUCV_BAD_PATH);
        return;
    }
    result(call, iucv_accept(end, flags_of(call), be16_load(call->list + LIST_LIMIT),
                             call->list + LIST_USER_DATA));
    be16_store(call->list + LIST_LIMIT, end->limit);
}

static void do_sever(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);

    if (flags_of(call) & SEVER_ALL) {
        iucv_sever_all(call->user, call->list + LIST_USER_DATA);
        result(call, IUCV_OK);
    } else if (!end) {
        result(call, IUCV_BAD_PATH);
    } else {
        iucv_sever(end, call->list + LIST_USER_DATA);
        result(call, IUCV_OK);
    }
}

static void do_quiesce(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);
    result(call, end ? iucv_path_quiesce(end, true) : IUCV_BAD_PATH);
}

static void do_resume(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);
    result(call, end ? iucv_path_quiesce(end, false) : IUCV_BAD_PATH);
}

// --- messages ---------------------------------------------------------------------------------

static void do_send(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);
    uint8_t flags = flags_of(call);
    struct iucv_message *m;
    int code;

    if (!end) {
        result(call, IUCV_BAD_PATH);
        return;
    }
    code = gather(call, LIST_ADDRESS, LIST_LENGTH, (flags & IUCV_PRMDATA) != 0,
                  (flags & IUCV_BUFLST) != 0);
    if (code) {
        result(call, code);
        return;
    }
    m = iucv_message_new(end, flags, be32_load(call->list + LIST_CLASS),
                         be32_load(call->list + LIST_SOURCE_CLASS),
                         be32_load(call->list + LIST_TAG), call->buffer, call->n);
    if (!(flags & IUCV_NORPY)) {
        m->answer_address = be32_load(call->list + LIST_ANSWER_ADDRESS);
        m->answer_max = be32_load(call->list + LIST_ANSWER_LENGTH);
    }
    code = iucv_message_send(m);
    result(call, code);
    if (code)
        iucv_message_free(m);
    else
        be32_store(call->list + LIST_ID, m->id);
}

// The message that RECEIVE, REPLY and REJECT name: by path, or any; by id, class, or the first.
static struct iucv_message *chosen(struct iucv_call *call, bool taken_too, struct iucv_end **end)
{
    uint8_t flags = flags_of(call);
    bool by_id = (flags & IUCV_FGMID) != 0, by_class = (flags & IUCV_CLASS) != 0;
    uint32_t id = be32_load(call->list + LIST_ID), class = be32_load(call->list + LIST_CLASS);
    struct iucv_message *m;

    if (flags & IUCV_FGPID) {
        *end = path_of(call);
        return *end ? iucv_message_for(*end, by_id, id, by_class, class, taken_too) : NULL;
    }
    for (unsigned i = 0; i < call->user->ends; i++) {
        *end = call->user->end[i];
        m = *end ? iucv_message_for(*end, by_id, id, by_class, class, taken_too) : NULL;
        if (m)
            return m;
    }
    *end = NULL;
    return NULL;
}

static void receive_data(struct iucv_call *call, struct iucv_message *m)
{
    uint32_t room = be32_load(call->list + LIST_LENGTH), left = m->n - m->received;
    uint32_t n = left < room ? left : room;

    call->buffer = mem_alloc(n ? n : 1);
    memcpy(call->buffer, m->bytes + m->received, n);
    if (!each_piece(call, be32_load(call->list + LIST_ADDRESS), (flags_of(call) & IUCV_BUFLST) != 0,
                    n, store_piece)) {
        result(call, IUCV_PROTECTION);
        return;
    }
    m->received += n;
    result(call, n < left ? IUCV_TOO_SHORT : IUCV_OK);
    be32_store(call->list + LIST_LENGTH, n < left ? left - n : room - n);
}

static void do_receive(struct iucv_call *call)
{
    struct iucv_end *end;
    struct iucv_message *m = chosen(call, false, &end);

    if (!m) {
        call->cc = 2; // nothing there that was asked for
        return;
    }
    uint8_t flags = m->flags & (IUCV_PRMDATA | IUCV_NORPY | IUCV_PRTY);
    if (m->flags & IUCV_PRMDATA) {
        memcpy(call->list + LIST_DATA, m->bytes, 8);
        result(call, IUCV_OK);
    } else {
        receive_data(call, m);
    }
    be16_store(call->list + LIST_PATH, end->id);
    call->list[LIST_FLAGS] = flags;
    be32_store(call->list + LIST_ID, m->id);
    be32_store(call->list + LIST_CLASS, m->trgcls);
    be32_store(call->list + LIST_ANSWER_LENGTH, m->answer_max);
    if (!call->cc)
        iucv_message_taken(m);
}

static void do_reply(struct iucv_call *call)
{
    uint8_t flags = flags_of(call);
    struct iucv_end *end = path_of(call);
    int code;

    if (!end) {
        result(call, IUCV_BAD_PATH);
        return;
    }
    code = gather(call, LIST_ANSWER_ADDRESS, LIST_ANSWER_LENGTH, (flags & IUCV_PRMDATA) != 0,
                  (flags & IUCV_ANSLST) != 0);
    if (!code)
        code = iucv_reply(end, be32_load(call->list + LIST_ID), flags, call->buffer, call->n);
    result(call, code);
}

static void do_reject(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);
    result(call, end ? iucv_reject(end, be32_load(call->list + LIST_ID)) : IUCV_BAD_PATH);
}

static void do_purge(struct iucv_call *call)
{
    struct iucv_end *end = path_of(call);

    if (!end)
        result(call, IUCV_BAD_PATH);
    else if (iucv_purge(end, be32_load(call->list + LIST_ID)))
        result(call, IUCV_OK);
    else
        call->cc = PURGE_NOT_FOUND;
}

// --- polling
// --------------------------------------------------------------------------------------

#define TYPES_INCOMING (1u << IUCV_MESSAGE | 1u << IUCV_PRIORITY_MESSAGE)
#define TYPES_DONE     (1u << IUCV_DONE | 1u << IUCV_PRIORITY_DONE)

// Condition code 0 nothing, 1 a message came, 2 one of ours is complete. It does not wait.
static void do_test_message(struct iucv_call *call)
{
    call->cc = iucv_notice_find(call->user, TYPES_INCOMING, false) ? 1
               : iucv_notice_find(call->user, TYPES_DONE, false)   ? 2
                                                                   : 0;
}

// Gives a notice in the list instead of by interruption; condition code 2 when there is none.
static void poll(struct iucv_call *call, unsigned types)
{
    struct iucv_notice *notice = iucv_notice_find(call->user, types, true);

    if (!notice) {
        call->cc = 2;
        return;
    }
    iucv_notice_image(notice, call->list);
    iucv_notice_free(notice);
    call->list[LIST_CODE] = 0;
    call->store = true;
}

static void do_describe(struct iucv_call *call)
{
    poll(call, TYPES_INCOMING);
}

static void do_test_completion(struct iucv_call *call)
{
    poll(call, TYPES_DONE);
}

static void (*const functions[])(struct iucv_call *call) = {
    [0x00] = do_query,    [0x01] = do_test_message,
    [0x02] = do_retrieve, [0x03] = do_describe,
    [0x04] = do_send,     [0x05] = do_receive,
    [0x06] = do_reply,    [0x07] = do_test_completion,
    [0x08] = do_reject,   [0x09] = do_purge,
    [0x0A] = do_accept,   [0x0B] = do_connect,
    [0x0C] = do_declare,  [0x0D] = do_quiesce,
    [0x0E] = do_resume,   [0x0F] = do_sever,
    [0x10] = do_set_mask, [0x11] = do_set_control_mask,
};

// QUERY, RETRIEVE BUFFER and TEST MESSAGE have no list.
static bool has_list(uint32_t function)
{
    return function != 0x00 && function != 0x01 && function != 0x02;
}

void iucv_instruction(struct cpu *cpu, const struct door_call *door)
{
    struct vcpu *vcpu = cpu->owner;
    struct iucv_call call = {.cpu = cpu, .vm = vcpu->vm, .user = vcpu->vm->iucv};
    uint32_t function = (uint32_t)cpu->gr[0];
    uint64_t at = cpu_wrap(cpu, door->address2);

    if (cpu->psw.problem)
        cpu_program_interruption(cpu, PIC_PRIVILEGED_OPERATION);
    if (function >= sizeof functions / sizeof *functions ||
        (has_list(function) && (at % 8 || at > UINT32_C(0x7FFFFFFF))))
        cpu_program_interruption(cpu, PIC_SPECIFICATION_CHECK);
    if (has_list(function))
        cpu_fetch_real(cpu, at, call.list, sizeof call.list);
    functions[function](&call);
    free(call.buffer);
    if (call.store && has_list(function))
        cpu_store_real(cpu, at, call.list, sizeof call.list);
    cpu->psw.cc = (uint8_t)call.cc;
}
