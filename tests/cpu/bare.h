// SPDX-License-Identifier: MIT
// A bare CPU with nothing around it: what the CPU's own tests run programs on.
#ifndef ENDICOTT_TESTS_CPU_BARE_H
#define ENDICOTT_TESTS_CPU_BARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cpu/cpu.h"
#include "cpu/opcode.h"

struct bare {
    struct clock clock;
    struct storage *storage;
    struct cpu *cpu;
    struct external_interruption external; // given to whoever asks, once, when has_external
    bool has_external;
    struct io_interruption io;
    bool has_io;
    unsigned flushes, intercepts;
    uint8_t orb[64]; // block of the last I/O instruction
    unsigned io_calls;
};

static inline struct bare *bare_of(struct cpu *cpu)
{
    return cpu->owner;
}

static inline void bare_intercept(struct cpu *cpu, const struct door_call *call)
{
    bare_of(cpu)->intercepts++;
    call->row->simulate(cpu, call);
}

static inline bool bare_take_external(struct cpu *cpu, uint32_t mask,
                                      struct external_interruption *out)
{
    struct bare *bare = bare_of(cpu);
    if (!bare->has_external || !(mask & 0x200))
        return false;
    bare->has_external = false;
    *out = bare->external;
    return true;
}

static inline bool bare_take_io(struct cpu *cpu, uint8_t isc_mask, struct io_interruption *out)
{
    struct bare *bare = bare_of(cpu);
    if (!bare->has_io || !isc_mask)
        return false;
    bare->has_io = false;
    *out = bare->io;
    return true;
}

static inline int bare_sigp(struct cpu *cpu, uint8_t order, uint16_t address, uint64_t parameter,
                            uint32_t *status)
{
    if (order == 0x12) { // SET ARCHITECTURE
        cpu_set_architecture(cpu, parameter & 3 ? ARCH_Z : ARCH_ESA390);
        return 0;
    }
    if (address != cpu->address)
        return 3;
    *status = 2; // invalid order
    return 1;
}

static inline int bare_io(struct cpu *cpu, enum io_instruction op, uint32_t subchannel_id,
                          uint64_t address, uint8_t *block)
{
    struct bare *bare = bare_of(cpu);
    (void)address;
    bare->io_calls++;
    if (subchannel_id >> 16 != 1)
        return -1;
    if (op == IO_SSCH)
        memcpy(bare->orb, block, 32);
    if (op == IO_STSCH)
        memset(block, 0x5A, 52);
    return (int)(subchannel_id & 3);
}

static inline void bare_flush_all(struct cpu *cpu)
{
    bare_of(cpu)->flushes++;
}

static const struct cpu_host bare_host = {
    .intercept = bare_intercept,
    .io = bare_io,
    .take_external = bare_take_external,
    .take_io = bare_take_io,
    .sigp = bare_sigp,
    .flush_all = bare_flush_all,
};

// A CPU in z/Architecture mode, 64-bit, supervisor, operating, with `mib` MiB of storage.
static inline struct bare *bare_new(unsigned mib)
{
    struct bare *bare = calloc(1, sizeof *bare);
    if (!bare)
        abort();
    clock_init(&bare->clock, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
    bare->storage = storage_new((uint64_t)mib << 20);
    bare->cpu = cpu_new(0, bare->storage, &bare->clock, &bare_host, bare);
    cpu_set_architecture(bare->cpu, ARCH_Z);
    bare->cpu->psw.ea = bare->cpu->psw.ba = true;
    atomic_store(&bare->cpu->state, CPU_OPERATING);
    return bare;
}

static inline void bare_free(struct bare *bare)
{
    cpu_free(bare->cpu);
    storage_free(bare->storage);
    free(bare);
}

static inline void bare_put(struct bare *bare, uint64_t at, const void *bytes, unsigned n)
{
    if (!storage_write(bare->storage, at, bytes, n))
        abort();
}

static inline void bare_put64(struct bare *bare, uint64_t at, uint64_t value)
{
    uint8_t bytes[8];
    be64_store(bytes, value);
    bare_put(bare, at, bytes, 8);
}

static inline void bare_put32(struct bare *bare, uint64_t at, uint32_t value)
{
    uint8_t bytes[4];
    be32_store(bytes, value);
    bare_put(bare, at, bytes, 4);
}

static inline uint64_t bare_get64(const struct bare *bare, uint64_t at)
{
    uint8_t bytes[8];
    if (!storage_read(bare->storage, at, bytes, 8))
        abort();
    return be64_load(bytes);
}

static inline uint32_t bare_get32(const struct bare *bare, uint64_t at)
{
    return (uint32_t)(bare_get64(bare, at) >> 32);
}

// Loads a program assembled from tests/cpu/NAME.S at absolute 0.
static inline void bare_load(struct bare *bare, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.bin", CPU_PROGRAMS, name);
    FILE *f = fopen(path, "rb");
    if (!f) {
        fprintf(stderr, "%s: not built\n", path);
        abort();
    }
    static uint8_t image[1 << 20];
    size_t n = fread(image, 1, sizeof image, f);
    fclose(f);
    bare_put(bare, 0, image, (unsigned)n);
}

#endif
