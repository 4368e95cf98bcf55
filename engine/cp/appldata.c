// SPDX-License-Identifier: MIT
// DIAGNOSE X'DC': the parameter list is 32 bytes at the guest-real address in Rx:
//
//   0 00DC | 2 function | 3 list length | 10 buffer length (2) | 16 product identification (8) |
//   24 buffer (8)                                                        Ry: return code
#include "cp/appldata.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "cp/diagnose.h"
#include "cp/directory.h"

#define LIST_BYTES 32u

enum { RC_OK = 0, RC_EXISTS = 2, RC_NOT_FOUND = 3, RC_NOT_AUTHORISED = 5, RC_LENGTH = 6 };
#define BUFFER_MAX  4024u
#define BUFFERS_MAX 64u

static struct appldata_buffer **find(struct vm *vm, uint64_t address)
{
    struct appldata_buffer **at = &vm->appldata;

    while (*at && (*at)->address != address)
        at = &(*at)->next;
    return at;
}

static int start(struct vm *vm, const struct appldata_buffer *wanted)
{
    struct appldata_buffer **at = find(vm, wanted->address);

    if (*at)
        return RC_EXISTS;
    if (vm->appldata_buffers >= BUFFERS_MAX)
        return RC_LENGTH;
    *at = mem_alloc(sizeof **at);
    **at = *wanted;
    vm->appldata_buffers++;
    return RC_OK;
}

static int stop(struct vm *vm, uint64_t address)
{
    struct appldata_buffer **at = find(vm, address), *buffer = *at;

    if (!buffer)
        return RC_NOT_FOUND;
    *at = buffer->next;
    free(buffer);
    vm->appldata_buffers--;
    return RC_OK;
}

static int perform(struct vm *vm, const struct appldata_buffer *wanted)
{
    if (!vm->entry->option.applmon)
        return RC_NOT_AUTHORISED;
    if (wanted->function == APPLDATA_STOP)
        return stop(vm, wanted->address);
    if (!wanted->length || wanted->length > BUFFER_MAX ||
        !storage_find(vm->machine->storage, wanted->address, wanted->length))
        return RC_LENGTH;
    if (wanted->function != APPLDATA_EVENT)
        return start(vm, wanted);
    if (vm->cp->appldata_event)
        vm->cp->appldata_event(vm, wanted);
    return RC_OK;
}

void appldata_diagnose(struct cpu *cpu, const struct door_call *door)
{
    struct vcpu *vcpu = cpu->owner;
    struct diagnose_call call = {
        .cpu = cpu, .vcpu = vcpu, .vm = vcpu->vm, .door = door, .x = door->r1, .y = door->r2};
    struct appldata_buffer wanted = {0};
    uint8_t list[LIST_BYTES];

    cpu_fetch_real(cpu, diagnose_register(&call, call.x), list, sizeof list);
    if (be16_load(list) != 0xDC || list[2] < APPLDATA_START || list[2] > APPLDATA_CONFIG ||
        list[3] != LIST_BYTES)
        diagnose_specification(&call);
    wanted.function = (enum appldata_function)list[2];
    wanted.length = be16_load(list + 10);
    wanted.address = cpu_real_to_absolute(cpu, be64_load(list + 24));
    cpu_fetch_real(cpu, be64_load(list + 16), wanted.product, sizeof wanted.product);
    diagnose_set(&call, call.y, (uint64_t)perform(vcpu->vm, &wanted));
}

bool appldata_read(struct vm *vm, const struct appldata_buffer *buffer, uint8_t *to)
{
    return storage_read(vm->machine->storage, buffer->address, to, buffer->length);
}

void appldata_reset(struct vm *vm)
{
    while (vm->appldata) {
        struct appldata_buffer *buffer = vm->appldata;
        vm->appldata = buffer->next;
        free(buffer);
    }
    vm->appldata_buffers = 0;
}

void appldata_free(struct vm *vm)
{
    appldata_reset(vm);
}
