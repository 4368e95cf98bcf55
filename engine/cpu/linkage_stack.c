// SPDX-License-Identifier: MIT
// Forming, finding and removing state entries of the linkage stack.
#include "cpu/linkage_stack.h"

#include <string.h>

#include "base/bytes.h"
#include "cpu/asn.h"
#include "cpu/execute.h"
#include "cpu/psw.h"

#define CR15_ENTRY    (~UINT64_C(7))
#define TYPE_HEADER   0x09u
#define SUPPRESSED    0x80u // unstack suppression, beside the type
#define ADDRESS_VALID 1u    // last bit of a section address

struct descriptor {
    uint8_t type; // with the suppression bit
    uint8_t section;
    uint16_t free;
    uint16_t next; // size of the next entry
};

// Key-controlled protection does not apply, DAT and low-address protection do.
static struct space stack_space(struct cpu *cpu)
{
    return space_select(cpu, 3, 0);
}

static unsigned part_of(uint64_t address, unsigned n)
{
    return page_rest(address) < n ? page_rest(address) : n;
}

void stack_read(struct cpu *cpu, uint64_t address, void *to, unsigned n)
{
    struct space space = stack_space(cpu);
    uint8_t *out = to;
    while (n > 0) {
        unsigned part = part_of(address, n);
        memcpy(out, access_host(cpu, &space, address, part, ACCESS_READ), part);
        address += part;
        out += part;
        n -= part;
    }
}

static void probe(struct cpu *cpu, uint64_t address, unsigned n)
{
    struct space space = stack_space(cpu);
    while (n > 0) {
        unsigned part = part_of(address, n);
        access_host(cpu, &space, address, part, ACCESS_WRITE);
        address += part;
        n -= part;
    }
}

void stack_write(struct cpu *cpu, uint64_t address, const void *from, unsigned n)
{
    struct space space = stack_space(cpu);
    const uint8_t *in = from;
    probe(cpu, address, n);
    while (n > 0) {
        unsigned part = part_of(address, n);
        memcpy(access_host(cpu, &space, address, part, ACCESS_WRITE), in, part);
        address += part;
        in += part;
        n -= part;
    }
}

static struct descriptor read_descriptor(struct cpu *cpu, uint64_t address)
{
    uint8_t bytes[8];
    stack_read(cpu, address, bytes, 8);
    return (struct descriptor){bytes[0], bytes[1], be16_load(bytes + 2), be16_load(bytes + 4)};
}

static void pack_descriptor(uint8_t *out, const struct descriptor *d)
{
    out[0] = d->type;
    out[1] = d->section;
    be16_store(out + 2, d->free);
    be16_store(out + 4, d->next);
    be16_store(out + 6, 0);
}

static uint64_t read_address(struct cpu *cpu, uint64_t address)
{
    uint8_t bytes[8];
    stack_read(cpu, address, bytes, 8);
    return be64_load(bytes);
}

// --- forming ------------------------------------------------------------------------------

// Where the new entry goes: behind the entry whose descriptor stands at `at`, which may be the
// header of the next section.
struct room {
    uint64_t at;
    struct descriptor descriptor;
    bool next_section;
};

static struct room find_room(struct cpu *cpu)
{
    struct room room = {.at = cpu->cr[15] & CR15_ENTRY};
    room.descriptor = read_descriptor(cpu, room.at);
    if (room.descriptor.free >= STACK_ENTRY)
        return room;
    check(cpu, !(room.descriptor.free & 7), PIC_STACK_SPECIFICATION);
    uint64_t forward = read_address(cpu, room.at + 8 + room.descriptor.free); // in the trailer
    check(cpu, forward & ADDRESS_VALID, PIC_STACK_FULL);
    room.at = forward & CR15_ENTRY;
    room.descriptor = read_descriptor(cpu, room.at);
    check(cpu, room.descriptor.free >= STACK_ENTRY, PIC_STACK_SPECIFICATION);
    room.next_section = true;
    return room;
}

static void fill_entry(const struct cpu *cpu, uint8_t *entry, const struct psw *back,
                       uint64_t target)
{
    uint8_t image[16];
    psw_pack_z(back, image);
    for (unsigned i = 0; i < 16; i++) {
        be64_store(entry + i * 8, cpu->gr[i]);
        be32_store(entry + STACK_ARS + i * 4, cpu->ar[i]);
    }
    be32_store(entry + STACK_STATUS, (uint32_t)cpu->cr[3]);
    be16_store(entry + STACK_STATUS + 4, (uint16_t)(cpu->cr[8] >> 16));
    be16_store(entry + STACK_STATUS + 6, primary_asn(cpu));
    memcpy(entry + STACK_PSW, image, 8);
    be64_store(entry + STACK_TARGET, target);
    memcpy(entry + STACK_ADDRESS, image + 8, 8);
    if (asn_reuse(cpu)) {
        be32_store(entry + STACK_INSTANCES, (uint32_t)(cpu->cr[3] >> 32));
        be32_store(entry + STACK_INSTANCES + 4, (uint32_t)(cpu->cr[4] >> 32));
    }
}

void stack_push(struct cpu *cpu, enum stack_type type, const struct psw *back, uint64_t target)
{
    struct room room = find_room(cpu);
    uint8_t entry[STACK_ENTRY] = {0}, old[8], backward[8];
    uint64_t start = room.at + 8;
    struct descriptor new = {(uint8_t)type, room.descriptor.section,
                             (uint16_t)(room.descriptor.free - STACK_ENTRY), 0};
    room.descriptor.next = STACK_ENTRY;
    pack_descriptor(old, &room.descriptor);
    fill_entry(cpu, entry, back, target);
    pack_descriptor(entry + STACK_ENTRY - 8, &new);
    probe(cpu, room.at, 8 + STACK_ENTRY);
    if (room.next_section) { // its header remembers where we come from
        be64_store(backward, (cpu->cr[15] & CR15_ENTRY) | ADDRESS_VALID);
        stack_write(cpu, room.at - 8, backward, 8);
    }
    stack_write(cpu, start, entry, STACK_ENTRY);
    stack_write(cpu, room.at, old, 8);
    cpu->cr[15] = start + STACK_ENTRY - 8;
}

// --- unstacking ---------------------------------------------------------------------------

struct stack_entry stack_find(struct cpu *cpu, bool unstack)
{
    unsigned as = cpu->psw.as;
    check(cpu, cpu->psw.dat && as != 2 && !(unstack && as == 3), PIC_SPECIAL_OPERATION);
    uint64_t at = cpu->cr[15] & CR15_ENTRY;
    struct descriptor d = read_descriptor(cpu, at);
    if ((d.type & 0x7F) == TYPE_HEADER) { // the entry is in the section before
        check(cpu, !(unstack && d.type & SUPPRESSED), PIC_STACK_OPERATION);
        uint64_t backward = read_address(cpu, at - 8);
        check(cpu, backward & ADDRESS_VALID, PIC_STACK_EMPTY);
        at = backward & CR15_ENTRY;
        d = read_descriptor(cpu, at);
        check(cpu, (d.type & 0x7F) != TYPE_HEADER, PIC_STACK_SPECIFICATION);
    }
    unsigned type = d.type & 0x7F;
    check(cpu, type == STACK_BRANCH || type == STACK_CALL, PIC_STACK_TYPE);
    check(cpu, !(unstack && d.type & SUPPRESSED), PIC_STACK_OPERATION);
    return (struct stack_entry){at + 8 - STACK_ENTRY, (enum stack_type)type};
}

uint64_t stack_probe_pop(struct cpu *cpu, const struct stack_entry *entry)
{
    uint64_t before = entry->start - 8;
    probe(cpu, before, 8);
    return before;
}

void stack_pop(struct cpu *cpu, uint64_t cr15)
{
    static const uint8_t none[2];
    stack_write(cpu, cr15 + 4, none, 2);
    cpu->cr[15] = cr15;
}
