// SPDX-License-Identifier: MIT
// Guarded storage: loads of pointers that branch to a handler when what was loaded points into a
// region that a program moves its objects out of.
// (Principles of Operation, "Guarded-Storage Facility".)
#include "cpu/operands.h"

// The designation: the region's origin, how far a short pointer is shifted, and the power of two
// that the region is large; a 64th of it is a section, and the mask has a bit for each.
#define REGION_SIZE(designation)   ((unsigned)(designation)&0x3F)
#define POINTER_SHIFT(designation) ((unsigned)(designation) >> 8 & 7)

enum { REGION_LEAST = 25, REGION_MOST = 56, SHIFT_MOST = 4 };

// The control block: 8 reserved bytes, designation, mask, address of the parameter list.
#define CONTROL_BLOCK 32u

// The parameter list of an event. All but the handler's address is stored by the CPU.
enum event_field {
    EVENT_MODES = 1, // addressing mode, cause, access information; then 4 reserved bytes
    EVENT_HANDLER = 8,
    EVENT_INSTRUCTION = 16,
    EVENT_OPERAND = 24,
    EVENT_RESULT = 32,
    EVENT_RETURN = 40,
    EVENT_SIZE = 48,
};

// --- control ------------------------------------------------------------------------------------

static bool enabled(const struct cpu *cpu)
{
    return cpu->cr[2] & CR2_GUARDED_STORAGE;
}

PLAIN(do_lgsc)
{
    uint8_t block[CONTROL_BLOCK];
    check(cpu, enabled(cpu), PIC_SPECIAL_OPERATION);
    guest_fetch(cpu, insn->b, address_bxd(cpu, insn), block, CONTROL_BLOCK);
    uint64_t designation = be64_load(block + 8);
    unsigned size = REGION_SIZE(designation);
    check(cpu, size >= REGION_LEAST && size <= REGION_MOST, PIC_SPECIFICATION);
    check(cpu, POINTER_SHIFT(designation) <= SHIFT_MOST, PIC_SPECIFICATION);
    cpu->guarded.designation = designation;
    cpu->guarded.mask = be64_load(block + 16);
    cpu->guarded.parameters = be64_load(block + 24);
}

static void control_block(const struct cpu *cpu, uint8_t block[CONTROL_BLOCK])
{
    be64_store(block, 0);
    be64_store(block + 8, cpu->guarded.designation);
    be64_store(block + 16, cpu->guarded.mask);
    be64_store(block + 24, cpu->guarded.parameters);
}

PLAIN(do_stgsc)
{
    uint8_t block[CONTROL_BLOCK];
    check(cpu, enabled(cpu), PIC_SPECIAL_OPERATION);
    control_block(cpu, block);
    guest_store(cpu, insn->b, address_bxd(cpu, insn), block, CONTROL_BLOCK);
}

bool cpu_store_guarded(const struct cpu *cpu, uint64_t absolute)
{
    uint8_t block[CONTROL_BLOCK];
    control_block(cpu, block);
    return storage_write(cpu->storage, absolute, block, CONTROL_BLOCK);
}

// --- loads --------------------------------------------------------------------------------------

static bool guards(const struct cpu *cpu, uint64_t pointer)
{
    unsigned size = REGION_SIZE(cpu->guarded.designation);
    if (!enabled(cpu) || size < REGION_LEAST) // never loaded
        return false;
    unsigned section = (unsigned)(pointer >> (size - 6)) & 63;
    return pointer >> size == cpu->guarded.designation >> size &&
           cpu->guarded.mask << section >> 63;
}

// What the handler is told; whoever returns does so to the load, to try it again.
static void describe(const struct cpu *cpu, const struct insn *insn, uint64_t pointer, bool narrow,
                     uint8_t list[EVENT_SIZE])
{
    list[EVENT_MODES] = (uint8_t)(cpu->psw.ea << 1 | cpu->psw.ba);
    list[EVENT_MODES + 1] = narrow;
    list[EVENT_MODES + 2] = (uint8_t)(cpu->psw.dat << 6 | cpu->psw.as << 4);
    if (cpu->psw.dat && cpu->psw.as == 1)
        list[EVENT_MODES + 2] |= insn->b & 15;
    be64_store(list + EVENT_INSTRUCTION, cpu->instruction_address);
    be64_store(list + EVENT_OPERAND, address_bxd(cpu, insn));
    be64_store(list + EVENT_RESULT, pointer);
    be64_store(list + EVENT_RETURN, cpu->instruction_address);
}

static void event(struct cpu *cpu, const struct insn *insn, uint64_t pointer, bool narrow)
{
    uint8_t list[EVENT_SIZE];
    uint64_t at = cpu_wrap(cpu, cpu->guarded.parameters);
    guest_fetch(cpu, NO_REGISTER, at, list, EVENT_SIZE);
    describe(cpu, insn, pointer, narrow, list);
    guest_store(cpu, NO_REGISTER, at, list, EVENT_SIZE);
    cpu->breaking_event = cpu->instruction_address;
    cpu->psw.address = cpu_wrap(cpu, be64_load(list + EVENT_HANDLER));
}

static void load(struct cpu *cpu, const struct insn *insn, uint64_t value, bool narrow)
{
    uint64_t pointer = value & cpu->address_mask;
    if (guards(cpu, pointer))
        event(cpu, insn, pointer, narrow);
    else
        G1 = pointer;
}

PLAIN(do_lgg)
{
    load(cpu, insn, guest_read64(cpu, NULL, insn->b, address_bxd(cpu, insn)), false);
}

PLAIN(do_llgfsg)
{
    uint64_t word = guest_read32(cpu, NULL, insn->b, address_bxd(cpu, insn));
    load(cpu, insn, word << POINTER_SHIFT(cpu->guarded.designation), true);
}
