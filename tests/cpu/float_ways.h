// SPDX-License-Identifier: MIT
// Floating-point functions computed by instructions: puts operands where a form wants them, runs it
// and says whether result, flags and condition code are those wanted.
#ifndef ENDICOTT_TESTS_CPU_FLOAT_WAYS_H
#define ENDICOTT_TESTS_CPU_FLOAT_WAYS_H

#include "cpu/rig.h"

#include "cpu/float_forms.h"
#include "cpu/float_kinds.h"

#define WAY_OPERAND 0x4000u // the operand in storage

struct mode {
    const char *option; // TestFloat's name
    int fpc;            // the FPC's rounding mode; -1: not there
    unsigned m3;        // an instruction's own
};

enum rounding { NEAR_EVEN, MIN_MAG, MAX, MIN, ODD, NEAR_MAX_MAG };

static const struct mode float_modes[] = {
    [NEAR_EVEN] = {"-rnear_even", 0, 4},
    [MIN_MAG] = {"-rminMag", 1, 5},
    [MAX] = {"-rmax", 2, 6},
    [MIN] = {"-rmin", 3, 7},
    [ODD] = {"-rodd", 7, 3},
    [NEAR_MAX_MAG] = {"-rnear_maxMag", -1, 1},
};
#define FLOAT_MODES (sizeof float_modes / sizeof float_modes[0])

// One form with its rounding mode, from the FPC or in the instruction, and with the inexact
// exception or without.
struct way {
    const struct form *form;
    struct bare *bare; // of all ways
    uint64_t at;       // its code
    const struct mode *mode;
    bool quietly, by_m3;
    uint64_t runs, bad;
};

#define WAYS 64
struct ways {
    struct bare *bare;
    struct way way[WAYS];
    unsigned count;
};

// What must come out. An exception that traps has a code: DXC, or VXC of vector instructions.
struct outcome {
    uint128 result;
    enum kind kind; // of the result; NOTHING: as the function has it
    bool kept;      // no result: suppressed
    uint8_t flags;  // set in the FPC
    uint8_t code;
    int cc; // -1: not set
};

static inline bool in_vectors(enum form_place place)
{
    return place == VECTORS || place == WORDS || place == SWAPPED;
}

static inline void ways_add(struct ways *ways, const struct form *form, const struct mode *mode,
                            bool by_m3, bool quietly)
{
    static const char digits[] = "0123456789ABCDEF";
    char code[48], *out = code;
    for (const char *c = form->code; *c; c++) {
        unsigned suppress = quietly ? 4 : 0;
        *out++ = *c == 'R'   ? digits[by_m3 ? mode->m3 : 0]
                 : *c == 'X' ? digits[suppress]
                 : *c == 'Y' ? digits[8 | suppress]
                             : *c;
    }
    *out = 0;
    if (ways->count == WAYS)
        abort();
    uint64_t at = CODE + 0x20 * ways->count;
    uint64_t end = rig_hex(ways->bare, at, code);
    rig_hex(ways->bare, end, "B2220050 B2B20E00"); // IPM 5, LPSWE
    ways->way[ways->count++] = (struct way){form, ways->bare, at, mode, quietly, by_m3, 0, 0};
}

// Another form of the same function stands before it in the table.
static inline bool form_repeats(unsigned form)
{
    for (unsigned i = 0; i < form; i++)
        if (strcmp(forms[i].function, forms[form].function) == 0)
            return true;
    return false;
}

// All ways to compute a function in a rounding mode.
static inline void ways_open(struct ways *ways, const char *function, const struct mode *mode)
{
    ways->count = 0;
    ways->bare = rig_new("");
    ways->bare->cpu->cr[0] |= 0x60000; // AFP registers, vectors
    ways->bare->cpu->gr[4] = WAY_OPERAND;
    cpu_state_changed(ways->bare->cpu);
    for (unsigned i = 0; i < FORMS; i++) {
        if (strcmp(forms[i].function, function) != 0)
            continue;
        bool has_mode = strchr(forms[i].code, 'R');
        for (unsigned quietly = 0; quietly <= has_mode; quietly++) {
            if (mode->fpc >= 0)
                ways_add(ways, &forms[i], mode, false, quietly);
            if (has_mode)
                ways_add(ways, &forms[i], mode, true, quietly);
        }
    }
}

static inline void ways_close(struct ways *ways)
{
    bare_free(ways->bare);
}

// The rounding mode in the FPC: another one than the instruction's own.
static inline uint32_t way_fpc_mode(const struct way *way)
{
    return way->by_m3 ? way->mode->fpc == 0 : (uint32_t)way->mode->fpc;
}

// --- operands and results
// -------------------------------------------------------------------------

static inline struct vector_register way_replicate(enum kind k, uint128 bits)
{
    uint64_t low = (uint64_t)bits;
    if (k == F128)
        return (struct vector_register){(uint64_t)(bits >> 64), low};
    if (kinds[k].bits == 32)
        low |= low << 32;
    return (struct vector_register){low, low};
}

static inline void way_put(const struct way *way, const struct function *f, const uint128 *operand)
{
    struct cpu *cpu = way->bare->cpu;
    enum form_place place = way->form->place;
    if (in_vectors(place)) {
        for (unsigned i = 0; i < f->operands; i++)
            cpu->vr[1 + (place == SWAPPED ? 1 - i : i)] = way_replicate(f->operand, operand[i]);
        return;
    }
    if (!is_float(f->operand)) {
        cpu->gr[1] = (uint64_t)operand[0];
        return;
    }
    for (unsigned i = 0; i < f->operands; i++) {
        if (f->operand == F128) {
            cpu->vr[4 * i].high = (uint64_t)(operand[i] >> 64);
            cpu->vr[4 * i + 2].high = (uint64_t)operand[i];
        } else {
            cpu->vr[4 * i].high = (uint64_t)operand[i] << (64 - kinds[f->operand].bits);
        }
    }
    if (place == IN_STORAGE)
        bare_put64(way->bare, WAY_OPERAND,
                   (uint64_t)operand[f->operands == 2] << (64 - kinds[f->operand].bits));
}

static inline bool way_same(enum kind k, uint64_t register_half, uint128 bits)
{
    return register_half >> (64 - kinds[k].bits) == (uint64_t)bits;
}

// The elements of a vector that have a meaning: of conversions to another length the even ones.
static inline bool way_vector_right(const struct way *way, const struct function *f, uint128 want)
{
    struct vector_register got = way->bare->cpu->vr[5];
    bool all = way->form->place == VECTORS;
    if (f->result == BOOL) {
        uint64_t full = want ? UINT64_MAX : 0;
        unsigned shift = f->operand == F32 ? 32 : 0;
        return got.high >> shift == full >> shift && (f->operand != F128 || got.low == full);
    }
    if (f->result == F128)
        return got.high == (uint64_t)(want >> 64) && got.low == (uint64_t)want;
    if (!way_same(f->result, got.high, want) || (all && !way_same(f->result, got.low, want)))
        return false;
    bool odd = all && f->operand == F32 && f->result == F32;
    return !odd || (way_same(F32, got.high << 32, want) && way_same(F32, got.low << 32, want));
}

// The target register is not one of the operands' and keeps the result of the last run.
static inline bool way_in_v5(const struct way *way)
{
    return in_vectors(way->form->place) && way->form->code[2] == '5';
}

static inline bool way_result_right(const struct way *way, const struct function *f, uint128 want)
{
    const struct cpu *cpu = way->bare->cpu;
    if (way_in_v5(way))
        return way_vector_right(way, f, want);
    if (f->result == BOOL) // by condition code
        return (f->accepted >> (cpu->gr[5] >> 28 & 3) & 1) == want;
    if (f->to_integer)
        return (kinds[f->result].bits == 32 ? (uint32_t)cpu->gr[1] : cpu->gr[1]) == (uint64_t)want;
    unsigned r = f->operands == 3 ? 8 : 0;
    if (f->result == F128)
        return cpu->vr[r].high == (uint64_t)(want >> 64) && cpu->vr[r + 2].high == (uint64_t)want;
    return way_same(f->result, cpu->vr[r].high, want);
}

// --- running
// --------------------------------------------------------------------------------------

#define WAY_KEPT UINT64_C(0x5A5A5A5A5A5A5A5A) // where a suppressed result must not be

static inline bool way_untouched(const struct way *way, const struct function *f,
                                 const uint128 *operand)
{
    const struct cpu *cpu = way->bare->cpu;
    if (way_in_v5(way))
        return cpu->vr[5].high == WAY_KEPT && cpu->vr[5].low == WAY_KEPT;
    if (f->to_integer)
        return cpu->gr[1] == WAY_KEPT;
    if (f->result == BOOL || !is_float(f->operand) || f->result != f->operand)
        return true;
    return way_result_right(way, f, operand[f->operands == 3 ? 2 : 0]);
}

static inline void way_show(const struct way *way, const struct function *f, const uint128 *operand,
                            uint32_t fpc, const struct outcome *want)
{
    const struct cpu *cpu = way->bare->cpu;
    const struct vector_register *r = &cpu->vr[way_in_v5(way) ? 5 : f->operands == 3 ? 8 : 0];
    printf("# %s (%s %s%s%s, FPC %08X)", way->form->name, f->name, way->mode->option,
           way->quietly ? " quietly" : "", way->by_m3 ? " M3" : "", fpc);
    for (unsigned i = 0; i < f->operands; i++)
        printf(" %016llX%016llX", (unsigned long long)(operand[i] >> 64),
               (unsigned long long)operand[i]);
    printf("\n#   want %016llX%016llX flags %02X code %02X cc %d%s\n",
           (unsigned long long)(want->result >> 64), (unsigned long long)want->result, want->flags,
           want->code, want->cc, want->kept ? " kept" : "");
    printf("#   have %016llX %016llX GR1 %016llX FPC %08X cc %u at %llX\n",
           (unsigned long long)r->high, (unsigned long long)(way_in_v5(way) ? r->low : r[2].high),
           (unsigned long long)cpu->gr[1], cpu->fpc, (unsigned)(cpu->gr[5] >> 28) & 3,
           (unsigned long long)cpu->psw.address);
}

static inline bool way_right(const struct way *way, const struct function *f,
                             const uint128 *operand, uint32_t fpc, const struct outcome *want)
{
    const struct cpu *cpu = way->bare->cpu;
    bool vectors = in_vectors(way->form->place);
    uint32_t fpc_after = fpc | (uint32_t)want->flags << 16;
    if (want->code) {
        fpc_after = (fpc_after & 0xFFFF00FF) | (uint32_t)want->code << 8;
        unsigned interruption = vectors ? 0x1B : 7;
        if (cpu->psw.address != 0xBAD || (bare_get32(way->bare, 0x8C) & 0xFFFF) != interruption)
            return false;
    } else if (cpu->psw.address != 0x600D) {
        return false;
    }
    if (cpu->fpc != fpc_after)
        return false;
    int cc = (int)(want->code ? bare_get32(way->bare, 0x150) >> 12 : cpu->gr[5] >> 28) & 3;
    if (!vectors && (want->kept ? cc != 0 : want->cc >= 0 && cc != want->cc))
        return false;
    if (want->kept)
        return way_untouched(way, f, operand);
    struct function stored = *f;
    if (want->kind != NOTHING)
        stored.result = want->kind;
    return way_result_right(way, &stored, want->result);
}

// Runs it with flags and masks of the FPC; tells of the first three faults.
static inline bool way_run(struct way *way, const struct function *f, const uint128 *operand,
                           uint32_t fpc, const struct outcome *want)
{
    struct cpu *cpu = way->bare->cpu;
    cpu->vr[5] = (struct vector_register){WAY_KEPT, WAY_KEPT};
    cpu->gr[1] = WAY_KEPT;
    way_put(way, f, operand);
    cpu->psw.address = way->at;
    cpu->psw.wait = false;
    cpu->psw.cc = 0;
    cpu->fpc = fpc;
    rig_run(way->bare);
    way->runs++;
    if (way_right(way, f, operand, fpc, want))
        return true;
    if (way->bad++ < 3)
        way_show(way, f, operand, fpc, want);
    return false;
}

#endif
