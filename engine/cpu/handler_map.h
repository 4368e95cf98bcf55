// SPDX-License-Identifier: MIT
// From a handler to a small number: what decoding asks for every instruction.
#ifndef ENDICOTT_CPU_HANDLER_MAP_H
#define ENDICOTT_CPU_HANDLER_MAP_H

#include <pthread.h>
#include <stdint.h>

#include "base/memory.h"
#include "cpu/opcode.h"

#define HANDLER_MAP_SLOTS 1024

struct handler_map {
    struct {
        insn_fn *handler;
        int value;
    } slot[HANDLER_MAP_SLOTS];
};

static inline unsigned handler_map_slot(const struct handler_map *map, insn_fn *handler)
{
    unsigned i = (unsigned)(((uintptr_t)handler >> 4) * 2654435761u >> 12) % HANDLER_MAP_SLOTS;
    while (map->slot[i].handler && map->slot[i].handler != handler)
        i = (i + 1) % HANDLER_MAP_SLOTS;
    return i;
}

// The map must stay well below full: it is made once from constant tables.
static inline void handler_map_set(struct handler_map *map, insn_fn *handler, unsigned value)
{
    unsigned i = handler_map_slot(map, handler);
    map->slot[i].handler = handler;
    map->slot[i].value = (int)value;
}

// -1 when the handler is not there.
static inline int handler_map_get(const struct handler_map *map, insn_fn *handler)
{
    unsigned i = handler_map_slot(map, handler);
    return map->slot[i].handler ? map->slot[i].value : -1;
}

#endif
