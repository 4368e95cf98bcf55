// SPDX-License-Identifier: MIT
// DIAGNOSE X'2A8': a guest's program sends and receives frames without QDIO. Our own interface; see
// the drawing of its parameter block in cp/nic.h.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cp/nic.h"
#include "cpu/cpu.h"

#define BLOCK_SIZE  32u
#define BUFFER_MAX  65535u
#define AT_FUNCTION 0
#define AT_DEVICE   2
#define AT_LENGTH   4
#define AT_BUFFER   8
#define AT_RETURNED 16
#define AT_MAC      24

enum function { FUNCTION_SEND = 1, FUNCTION_RECEIVE = 2, FUNCTION_MAC = 3 };

// Condition code and what goes to Ry.
struct answer {
    int cc;
    unsigned ry;
};

static const struct answer done = {0, 0}, not_coupled = {1, 4}, no_frame = {1, 8},
                           no_such_nic = {3, 12}, bad_parameters = {3, 16};

// A transfer under way.
struct frame_transfer {
    struct cpu *cpu;
    struct nic *nic;
    uint32_t length;
    uint64_t buffer; // guest real
    uint8_t block[BLOCK_SIZE];
};

// Copies between a guest-real range and `bytes`, a page at a time, since prefixing may move each
// page elsewhere. False, and nothing copied, when some of it is not there.
static bool copy_real(struct cpu *cpu, uint64_t real, uint8_t *bytes, uint64_t n, bool store)
{
    for (int copy = 0; copy < 2; copy++) {
        for (uint64_t done_n = 0, part; done_n < n; done_n += part) {
            uint64_t at = real + done_n, absolute = cpu_real_to_absolute(cpu, at);
            part = FRAME_SIZE - (at & (FRAME_SIZE - 1));
            if (part > n - done_n)
                part = n - done_n;
            if (!copy && !storage_find(cpu->storage, absolute, part))
                return false;
            if (copy && !(store ? storage_write(cpu->storage, absolute, bytes + done_n, part)
                                : storage_read(cpu->storage, absolute, bytes + done_n, part)))
                return false;
        }
    }
    return true;
}

static struct answer send(struct frame_transfer *t)
{
    struct answer answer = done;
    if (!t->nic->port)
        return not_coupled;
    if (t->length < FRAME_HEADER || t->length > BUFFER_MAX)
        return bad_parameters;
    uint8_t *frame = mem_alloc(t->length);
    if (!copy_real(t->cpu, t->buffer, frame, t->length, false)) {
        answer = bad_parameters;
    } else {
        enum forward_result result = lan_send(t->nic->port, frame, t->length);
        if (result == FORWARD_MALFORMED)
            answer = bad_parameters;
        else if (result == FORWARD_DENIED)
            answer = not_coupled; // the authority was revoked
        else
            be32_store(t->block + AT_RETURNED, t->length);
    }
    free(frame);
    return answer;
}

static struct answer receive(struct frame_transfer *t)
{
    struct frame_queue *queue = &t->nic->received;
    struct answer answer = done;
    if (!t->nic->port)
        return not_coupled;
    size_t n = frame_queue_first(queue);
    if (n == 0) {
        t->nic->idle = true;
        return no_frame;
    }
    be32_store(t->block + AT_RETURNED, (uint32_t)n);
    if (n > t->length)
        return bad_parameters;
    uint8_t *frame = mem_alloc(n);
    frame_queue_peek(queue, frame);
    if (copy_real(t->cpu, t->buffer, frame, n, true))
        frame_queue_drop(queue);
    else
        answer = bad_parameters;
    free(frame);
    return answer;
}

static struct answer query_mac(struct frame_transfer *t)
{
    memcpy(t->block + AT_MAC, t->nic->mac, MAC_SIZE);
    be32_store(t->block + AT_RETURNED, MAC_SIZE);
    return done;
}

static struct answer perform(struct vm *vm, struct frame_transfer *t)
{
    static struct answer (*const functions[])(struct frame_transfer *) = {
        [FUNCTION_SEND] = send, [FUNCTION_RECEIVE] = receive, [FUNCTION_MAC] = query_mac};
    unsigned function = be16_load(t->block + AT_FUNCTION);
    if (function >= sizeof functions / sizeof *functions || !functions[function])
        return bad_parameters;
    t->nic = nic_of_device(vm, be16_load(t->block + AT_DEVICE));
    if (!t->nic)
        return no_such_nic;
    t->length = be32_load(t->block + AT_LENGTH);
    t->buffer = be64_load(t->block + AT_BUFFER);
    be32_store(t->block + AT_RETURNED, 0);
    return functions[function](t);
}

int nic_diagnose_2a8(struct vcpu *vcpu, const struct door_call *call)
{
    struct cpu *cpu = vcpu->cpu;
    struct frame_transfer t = {.cpu = cpu};
    struct answer answer = bad_parameters;
    uint64_t real = cpu_wrap(cpu, cpu->gr[call->r1]);
    if ((real & 7) == 0 && copy_real(cpu, real, t.block, BLOCK_SIZE, false)) {
        answer = perform(vcpu->vm, &t);
        copy_real(cpu, real, t.block, BLOCK_SIZE, true);
    }
    cpu->gr[call->r3] = (cpu->gr[call->r3] & ~UINT64_C(0xFFFFFFFF)) | answer.ry;
    cpu->psw.cc = (uint8_t)answer.cc;
    return answer.cc;
}
