// SPDX-License-Identifier: MIT
// PERFORM LOCKED OPERATION: up to four storage operands compared, loaded, stored as one operation,
// in respect of others that name the same lock.
// (Principles of Operation, "General Instructions".)
//
// R0 bits 56-63 hold the function code, bit 55 asks whether it exists; R1's register has the lock's
// address, which we need not tell apart: one lock serves all.
//
// code = operation * 4 + form; forms: 0 words in registers, 1 doublewords in the parameter list,
// 2 doublewords in registers, 3 quadwords in the list. Parameter list at the fourth operand D4(B4)
// (offsets for doublewords; quadwords fill their 16 bytes):
//
//   08 / 00  first comparison value      18 / 10  first replacement
//   28 / 20  second comparison value     38 / 30  second replacement
//   48 operand 4 ALET/address words (44 ALET, 4C address): and 64/6C operand 6, 84/8C operand 8
//   38 / 30, 58 / 50, 78 / 70  values for operands 3, 5, 7 to be stored
#include <pthread.h>
#include <string.h>

#include "cpu/operands.h"

enum locked_operation {
    COMPARE_AND_LOAD,
    COMPARE_AND_SWAP,
    DOUBLE_COMPARE_AND_SWAP,
    COMPARE_SWAP_STORE,
    COMPARE_SWAP_DOUBLE_STORE,
    COMPARE_SWAP_TRIPLE_STORE,
    OPERATIONS
};

enum locked_form { WORDS, LIST_DOUBLE, REGISTERS_DOUBLE, LIST_QUAD };

struct locked {
    enum locked_operation operation;
    enum locked_form form;
    unsigned size;
    uint64_t second, list; // addresses of the second operand and of operand 4 or the list
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool in_list(const struct locked *l)
{
    return l->form == LIST_DOUBLE || l->form == LIST_QUAD;
}

// A value of the parameter list: `place` is that of the doubleword form's 16-byte slot.
static void list_value(struct cpu *cpu, const struct insn *insn, const struct locked *l,
                       unsigned slot, uint8_t value[16])
{
    uint64_t at = l->list + slot + (l->form == LIST_DOUBLE ? 8 : 0);
    guest_fetch(cpu, insn->b2, cpu_wrap(cpu, at), value, l->size);
}

static void set_list_value(struct cpu *cpu, const struct insn *insn, const struct locked *l,
                           unsigned slot, const uint8_t value[16])
{
    uint64_t at = l->list + slot + (l->form == LIST_DOUBLE ? 8 : 0);
    guest_store(cpu, insn->b2, cpu_wrap(cpu, at), value, l->size);
}

static void register_value(const struct cpu *cpu, const struct locked *l, unsigned r,
                           uint8_t value[16])
{
    if (l->form == WORDS)
        be32_store(value, low(cpu, r));
    else
        be64_store(value, cpu->gr[r]);
}

static void set_register_value(struct cpu *cpu, const struct locked *l, unsigned r,
                               const uint8_t value[16])
{
    if (l->form == WORDS)
        set_low(cpu, r, be32_load(value));
    else
        cpu->gr[r] = be64_load(value);
}

// Address of a further operand (4, 6, 8) in the list, and its access register's content.
static uint64_t list_address(struct cpu *cpu, const struct insn *insn, const struct locked *l,
                             unsigned offset)
{
    uint64_t at = cpu_wrap(cpu, l->list + offset);
    uint64_t address = cpu->psw.ea ? guest_read64(cpu, NULL, insn->b2, at)
                                   : guest_read32(cpu, NULL, insn->b2, cpu_wrap(cpu, at + 4));
    address = cpu_wrap(cpu, address);
    check(cpu, !(address & (l->size - 1)), PIC_SPECIFICATION);
    return address;
}

// First comparison: R1's register (or the list) with the second operand.
static bool compare_first(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    uint8_t want[16], have[16];
    if (in_list(l))
        list_value(cpu, insn, l, 0x00, want);
    else
        register_value(cpu, l, insn->r1, want);
    guest_fetch(cpu, insn->b, l->second, have, l->size);
    if (memcmp(want, have, l->size) == 0)
        return true;
    if (in_list(l))
        set_list_value(cpu, insn, l, 0x00, have);
    else
        set_register_value(cpu, l, insn->r1, have);
    cpu->psw.cc = 1;
    return false;
}

static void replace_first(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    uint8_t value[16];
    if (in_list(l))
        list_value(cpu, insn, l, 0x10, value);
    else
        register_value(cpu, l, insn->r1 + 1u, value);
    guest_store(cpu, insn->b, l->second, value, l->size);
}

// Operand 4: in the register forms D4(B4) itself, else by address in the list.
static uint64_t fourth(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    return in_list(l) ? list_address(cpu, insn, l, 0x48) : l->list;
}

static void compare_and_load(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    uint8_t value[16];
    uint64_t from = fourth(cpu, insn, l);
    if (!compare_first(cpu, insn, l))
        return;
    guest_fetch(cpu, insn->b2, from, value, l->size);
    if (in_list(l))
        set_list_value(cpu, insn, l, 0x10, value);
    else
        set_register_value(cpu, l, insn->r2, value); // R3
    cpu->psw.cc = 0;
}

static void double_compare(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    uint8_t want[16], have[16], value[16];
    uint64_t at = fourth(cpu, insn, l);
    if (!compare_first(cpu, insn, l))
        return;
    if (in_list(l))
        list_value(cpu, insn, l, 0x20, want);
    else
        register_value(cpu, l, insn->r2, want);
    guest_fetch(cpu, insn->b2, at, have, l->size);
    if (memcmp(want, have, l->size) != 0) {
        if (in_list(l))
            set_list_value(cpu, insn, l, 0x20, have);
        else
            set_register_value(cpu, l, insn->r2, have);
        cpu->psw.cc = 2;
        return;
    }
    if (in_list(l))
        list_value(cpu, insn, l, 0x30, value);
    else
        register_value(cpu, l, insn->r2 + 1u, value);
    guest_probe_store(cpu, insn->b, l->second, l->size);
    guest_store(cpu, insn->b2, at, value, l->size);
    replace_first(cpu, insn, l);
    cpu->psw.cc = 0;
}

// Swap, then up to three stores. Their values: R3 and its successor, or list slots 30, 50, 70.
static void swap_and_store(struct cpu *cpu, const struct insn *insn, const struct locked *l,
                           unsigned stores)
{
    uint8_t value[3][16];
    uint64_t at[3];
    for (unsigned i = 0; i < stores; i++) {
        bool listed = in_list(l) || stores > 1;
        at[i] = listed ? list_address(cpu, insn, l, 0x48 + 0x20 * i) : l->list;
        if (!listed)
            register_value(cpu, l, insn->r2, value[i]);
        else if (in_list(l))
            list_value(cpu, insn, l, 0x30 + 0x20 * i, value[i]);
        else // words and doublewords stand at the right of their slots
            guest_fetch(cpu, insn->b2, cpu_wrap(cpu, l->list + 0x40 - l->size + 0x20 * i), value[i],
                        l->size);
    }
    if (!compare_first(cpu, insn, l))
        return;
    guest_probe_store(cpu, insn->b, l->second, l->size);
    for (unsigned i = 0; i < stores; i++)
        guest_probe_store(cpu, insn->b2, at[i], l->size);
    for (unsigned i = 0; i < stores; i++)
        guest_store(cpu, insn->b2, at[i], value[i], l->size);
    replace_first(cpu, insn, l);
    cpu->psw.cc = 0;
}

struct locked_call {
    const struct insn *insn;
    const struct locked *l;
};

static void perform(struct cpu *cpu, void *arg)
{
    const struct insn *insn = ((struct locked_call *)arg)->insn;
    const struct locked *l = ((struct locked_call *)arg)->l;
    switch (l->operation) {
    case COMPARE_AND_LOAD:
        compare_and_load(cpu, insn, l);
        break;
    case COMPARE_AND_SWAP:
        if (compare_first(cpu, insn, l)) {
            replace_first(cpu, insn, l);
            cpu->psw.cc = 0;
        }
        break;
    case DOUBLE_COMPARE_AND_SWAP:
        double_compare(cpu, insn, l);
        break;
    default:
        swap_and_store(cpu, insn, l, l->operation - COMPARE_SWAP_STORE + 1u);
        break;
    }
}

// Registers that a form uses as pairs must be even.
static void check_operands(struct cpu *cpu, const struct insn *insn, const struct locked *l)
{
    bool pair1 = !in_list(l) && l->operation != COMPARE_AND_LOAD;
    bool pair3 = !in_list(l) && l->operation == DOUBLE_COMPARE_AND_SWAP;
    check(cpu, !(pair1 && insn->r1 & 1) && !(pair3 && insn->r2 & 1), PIC_SPECIFICATION);
    check(cpu, !(l->second & (l->size - 1)), PIC_SPECIFICATION);
    bool list = in_list(l) || l->operation >= COMPARE_SWAP_DOUBLE_STORE;
    bool uses = list || l->operation != COMPARE_AND_SWAP;
    check(cpu, !uses || !(l->list & (list ? 7 : l->size - 1)), PIC_SPECIFICATION);
}

PLAIN(do_plo)
{
    static const uint8_t sizes[4] = {4, 8, 8, 16};
    unsigned code = low(cpu, 0) & 0xFF;
    bool exists = code < OPERATIONS * 4;
    if (low(cpu, 0) & 0x100) { // test only
        cpu->psw.cc = exists ? 0 : 3;
        return;
    }
    check(cpu, exists && !(low(cpu, 0) & 0xFFFFFE00), PIC_SPECIFICATION);
    struct locked l = {.operation = (enum locked_operation)(code / 4),
                       .form = (enum locked_form)(code % 4),
                       .size = sizes[code % 4],
                       .second = address_bd(cpu, insn),
                       .list = address_bd2(cpu, insn)};
    check_operands(cpu, insn, &l);
    struct locked_call call = {insn, &l};
    pthread_mutex_lock(&lock);
    bool raised = cpu_protect(cpu, perform, &call);
    pthread_mutex_unlock(&lock);
    if (raised)
        cpu_unwind_again(cpu);
}
