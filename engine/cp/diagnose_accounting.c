// SPDX-License-Identifier: MIT
// DIAGNOSE X'204' and X'2FC': what processors and virtual machines used, as Linux's hypfs shows it.
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/directory.h"
#include "cp/diagnose.h"

// --- X'204': the partition that CP runs in
// --------------------------------------------------------

// Ry: subcode, and X'10000' for the extended form, which is not there; Ry+1: pages at Rx. Ry is
// zero when it worked, and Ry+1 the pages used.
//
//   0 partitions | 1 flags | 2 time slice (2) | 4 CPUs (2) | 6 this one (2) | 8 TOD clock
//   16 number | 17 CPUs | 24 name (8)
//   32 each CPU: address (2) | 4 type | 5 flags | 6 weight (2) | 8 time used | 16 partition time
#define SIMPLE_WITH_TIMES 4u
#define HEADER            16u
#define PARTITION         16u
#define CPU_ENTRY         24u

static size_t describe_partition(const struct cp *cp, uint8_t *page)
{
    uint8_t *cpu = page + HEADER + PARTITION;

    memset(page, 0, FRAME_SIZE);
    page[0] = 1;
    be16_store(page + 4, (uint16_t)cp->processors);
    be16_store(page + 6, HEADER);
    be64_store(page + 8, clock_now(&cp->world->clock));
    page[16] = 1;
    page[17] = (uint8_t)cp->processors;
    ebcdic_field(page + 24, 8, cp->system_name);
    for (unsigned i = 0; i < cp->processors; i++, cpu += CPU_ENTRY) {
        const struct real_processor *p = &cp->processor[i];
        tod_t busy = p->user_time + p->system_time;
        be16_store(cpu, (uint16_t)p->address);
        cpu[4] = (uint8_t)p->type;
        cpu[5] = p->online ? 0x20 : 0;
        be16_store(cpu + 6, 100);
        be64_store(cpu + 8, busy / TOD_MICROSECOND);
        be64_store(cpu + 16, busy / TOD_MICROSECOND);
    }
    return (size_t)(cpu - page);
}

void diagnose_204(struct diagnose_call *call)
{
    uint64_t at = diagnose_register(call, call->x);
    uint8_t page[FRAME_SIZE];

    if (call->y % 2)
        diagnose_specification(call);
    // An unchanged Ry tells that there is no such subcode.
    if ((uint32_t)call->cpu->gr[call->y] != SIMPLE_WITH_TIMES ||
        HEADER + PARTITION + CPU_ENTRY * call->vm->cp->processors > FRAME_SIZE)
        return;
    if (at % FRAME_SIZE || (uint32_t)call->cpu->gr[call->y + 1] == 0)
        diagnose_specification(call);
    cp_sync_processors(call->vm->cp);
    describe_partition(call->vm->cp, page);
    cpu_store(call->cpu, at, page, sizeof page);
    diagnose_set(call, call->y, 0);
    diagnose_set(call, call->y + 1, 1);
}

// --- X'2FC': virtual machines
// ---------------------------------------------------------------------

// Addresses are logical: Linux gives those of its virtual storage.
// Rx: 0 userid (8, "*" all, blanks own) | 8 group (8) | 16 buffer | 24 its size | 28 format. After
// it Rx holds the size less what all entries need, Ry 0, or -2 when the buffer was too small.
#define GUEST_DATA_FORMAT 2u
#define REQUEST           32u
#define ENTRY             112u
#define RC_TOO_SMALL      (-2)
#define RC_FORMAT         (-4)

static uint32_t samples(const struct vm *vm, enum sample_state state)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i])
            sum += vm->vcpu[i]->sample[state];
    return (uint32_t)sum;
}

static uint32_t all_samples(const struct vm *vm)
{
    uint32_t sum = 0;

    for (unsigned i = 0; i < SAMPLE_STATE_COUNT; i++)
        sum += samples(vm, (enum sample_state)i);
    return sum;
}

static void describe_guest(const struct vm *vm, uint8_t *entry)
{
    uint32_t using = samples(vm, SAMPLE_RUNNING), delay = samples(vm, SAMPLE_CPU_WAIT);
    uint32_t page = samples(vm, SAMPLE_PAGE_WAIT), idle = samples(vm, SAMPLE_DORMANT);
    uint32_t total = all_samples(vm);

    memset(entry, 0, ENTRY);
    be32_store(entry, 1);
    be64_store(entry + 8, vm_total_time(vm) / TOD_MICROSECOND);
    be64_store(entry + 16, (clock_now(&vm->cp->world->clock) - vm->logon_time) / TOD_MICROSECOND);
    be64_store(entry + 32, vm->entry->max_storage >> 10);
    be64_store(entry + 48, vm->storage >> 10);
    be32_store(entry + 56, vm->cp->processors);
    be32_store(entry + 60, vm->cp->processors);
    be32_store(entry + 64, vm->vcpus);
    be32_store(entry + 68, vm->active_vcpus);
    be32_store(entry + 72, vm->share.limited ? vm->share.limit : 0);
    be32_store(entry + 76, vm->share.value);
    be32_store(entry + 80, using);
    be32_store(entry + 84, delay);
    be32_store(entry + 88, page);
    be32_store(entry + 92, idle);
    be32_store(entry + 96, total - using - delay - page - idle);
    be32_store(entry + 100, total);
    ebcdic_field(entry + 104, 8, vm->userid);
}

// Whether the issuer may see this one: the system's operators see everybody.
static bool is_asked_for(const struct diagnose_call *call, const struct vm *vm, const char *wanted)
{
    bool all = (call->vm->classes & (CLASS('B') | CLASS('E'))) != 0;

    if (vm != call->vm && !all)
        return false;
    if (!wanted[0])
        return vm == call->vm;
    return strcmp(wanted, "*") == 0 || strcmp(wanted, vm->userid) == 0;
}

void diagnose_2fc(struct diagnose_call *call)
{
    uint8_t request[REQUEST], entry[ENTRY];
    uint64_t at;
    uint32_t size, needed = 0;
    char wanted[9];

    cpu_fetch(call->cpu, diagnose_register(call, call->x), request, sizeof request);
    ebcdic_field_text(request, 8, wanted, sizeof wanted);
    at = be64_load(request + 16);
    size = be32_load(request + 24);
    if (be32_load(request + 28) != GUEST_DATA_FORMAT) {
        diagnose_set(call, call->y, (uint64_t)RC_FORMAT);
        return;
    }
    for (const struct vm *vm = call->vm->cp->users; vm; vm = vm->next) {
        if (!is_asked_for(call, vm, wanted))
            continue;
        if (needed + ENTRY <= size) {
            describe_guest(vm, entry);
            cpu_store(call->cpu, at + needed, entry, sizeof entry);
        }
        needed += ENTRY;
    }
    diagnose_set(call, call->x, (uint64_t)((int64_t)size - (int64_t)needed));
    diagnose_set(call, call->y, needed > size ? (uint64_t)RC_TOO_SMALL : 0);
}
