// SPDX-License-Identifier: MIT
// What a block knows of its neighbours: operations joined with the conditional branch behind them,
// and condition codes that nobody sees.
#include "cpu/handler_map.h"
#include "cpu/operands.h"

enum effect {
    CC_SET_BY_REGISTERS, // nothing but its own overflow interrupts it, which sets the code, too
    CC_SET_BY_STORAGE,   // an access exception may show the code of before
    CC_UNTOUCHED,
};

static const struct {
    insn_fn *alone, *then, *quiet;
    enum effect effect;
} operations[] = {
#define OF_REGISTERS(name) {op_##name, op_##name##_then, op_##name##_quiet, CC_SET_BY_REGISTERS},
#define OF_STORAGE(name)   {op_##name, op_##name##_then, op_##name##_quiet, CC_SET_BY_STORAGE},
#define KEPT(name)         {op_##name, NULL, NULL, CC_UNTOUCHED},
    CC_OF_REGISTERS(OF_REGISTERS) CC_OF_STORAGE(OF_STORAGE) CC_KEPT(KEPT)};

static struct handler_map map;

static void make_map(void)
{
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++)
        handler_map_set(&map, operations[i].alone, i);
}

static bool conditional(const struct insn *insn)
{
    return insn->run == op_brc && insn->r1 != 0 && insn->r1 != 15;
}

// From the last to the first, since whether a condition code is seen depends on what follows.
// Blocks are only left at their end, at a branch, or by an exception.
void block_join(struct insn *insn, unsigned count)
{
    static pthread_once_t made = PTHREAD_ONCE_INIT;
    pthread_once(&made, make_map);
    bool unseen = false;
    for (unsigned i = count; i-- > 0;) {
        int known = handler_map_get(&map, insn[i].run);
        if (known < 0) {
            unseen = false;
            continue;
        }
        enum effect effect = operations[known].effect;
        if (effect == CC_UNTOUCHED)
            continue;
        if (unseen)
            insn[i].run = operations[known].quiet;
        else if (i + 1 < count && conditional(&insn[i + 1]))
            insn[i].run = operations[known].then;
        unseen = effect == CC_SET_BY_REGISTERS;
    }
}
