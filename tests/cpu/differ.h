// SPDX-License-Identifier: MIT
// The differential tester: batches of cases that run in qemu-system-s390x and here, and what
// differs.
#ifndef ENDICOTT_TESTS_CPU_DIFFER_H
#define ENDICOTT_TESTS_CPU_DIFFER_H

#include "cpu/bare.h"
#include "cpu/differ_make.h"
#include "cpu/qemu.h"

#define DIFFER_STUCK    60u    // seconds without progress
#define DIFFER_FIRST    0x2000 // see programs/cases.S
#define DIFFER_LEFT     0x7F8
#define DIFFER_SHOWN    100
#define DIFFER_SUSPECTS 64u // that run again alone

struct row_count {
    uint64_t cases, absent;
};

// What judging counts; put back when a batch is judged again.
struct tally {
    uint64_t completed, interrupted, explained[RULES], row_explained[DIFFER_ROWS];
};

enum fate { FATE_RAN, FATE_ENDED_QEMU, FATE_STUCK_QEMU, FATE_ENDLESS, FATE_WILD };

struct differ {
    uint64_t seed;
    uint64_t cases, streams, stream_cases, endless, differences, read_others;
    struct tally tally;
    unsigned shown, suspects, suspect[CASE_MOST];
    unsigned wilds; // cases of the batch that have branched elsewhere
    const struct group *wild[DIFFER_GROUPS];
    struct row_count rows[DIFFER_ROWS];
    struct batch batch;
    uint8_t fate[CASE_MOST];
    struct qemu qemu;
    const uint8_t *ours, *theirs; // storage
    struct bare *bare;
};

// --- running a batch -----------------------------------------------------------------------------

static inline uint8_t *differ_block(uint8_t *storage, unsigned n)
{
    return storage + CASE_BLOCKS + (size_t)n * CASE_SIZE;
}

// All that QEMU might have and more: absent there is found out, absent here would hide.
static inline void differ_start_ours(struct differ *d, unsigned first, unsigned end)
{
    const struct batch *b = &d->batch;
    if (d->bare)
        bare_free(d->bare);
    struct bare *bare = d->bare = bare_new(2 * CASE_MIB);
    bare_put(bare, 0, b->image, sizeof b->image);
    bare_put(bare, CASE_BLOCKS, b->in, b->blocks * CASE_SIZE);
    bare_put64(bare, DIFFER_FIRST, CASE_BLOCKS + (uint64_t)first * CASE_SIZE);
    bare_put64(bare, DIFFER_FIRST + 8, end - first);
    for (unsigned bit = 0; bit < 256; bit++) {
        if (bit != 3 && bit != 10 && bit != 75)
            cpu_facility_set(bare->cpu, bit, true);
    }
    bare->cpu->psw.address = CASE_ENTRY;
    d->ours = bare->storage->extent[0].bytes;
}

// Case `n` does not go on, and takes its group with it: what is wrong is the text. Returns the case
// to go on with.
static inline unsigned differ_bury(struct differ *d, unsigned n, enum fate fate)
{
    const struct group *g = d->batch.group;
    while (n >= g->first + g->count)
        g++;
    for (; n < g->first + g->count; n++)
        d->fate[n] = (uint8_t)fate;
    return n;
}

// A stream may branch back for ever; qemu then gets none of its group.
static inline void differ_endless(struct differ *d, unsigned n, unsigned end)
{
    static const uint8_t svc[] = {0x0A, 1};
    struct batch *b = &d->batch;
    const struct group *g = b->group;
    while (n >= g->first + g->count)
        g++;
    unsigned next = differ_bury(d, g->first, FATE_ENDLESS);
    memcpy(b->image + CASE_SLOTS + g->slot, svc, 2);
    bare_put64(d->bare, DIFFER_FIRST, CASE_BLOCKS + (uint64_t)next * CASE_SIZE);
    bare_put64(d->bare, DIFFER_FIRST + 8, end - next);
    d->bare->cpu->psw = (struct psw){.address = CASE_ENTRY, .ea = true, .ba = true};
}

static inline bool differ_run_ours(struct differ *d, unsigned first, unsigned end)
{
    differ_start_ours(d, first, end);
    struct cpu *cpu = d->bare->cpu;
    uint64_t left = UINT64_MAX;
    for (;;) {
        enum cpu_exit why = cpu_run(cpu, 50000);
        uint64_t now = be64_load(d->ours + DIFFER_LEFT);
        if (why == CPU_EXIT_DISABLED_WAIT && now == 0)
            return true;
        if (now > end) {
            printf("# seed %llu batch %u: endicott stops at %llX\n", (unsigned long long)d->seed,
                   d->batch.number, (unsigned long long)cpu->psw.address);
            return false;
        }
        if (now == left || why != CPU_EXIT_BUDGET) // for ever, or a PSW that waits
            differ_endless(d, end - (unsigned)now, end);
        left = now;
    }
}

// Runs cases `first` to before `end`, here and in qemu.
static inline bool differ_run(struct differ *d, unsigned first, unsigned end)
{
    const struct batch *b = &d->batch;
    uint8_t *storage = d->qemu.storage;
    if (!differ_run_ours(d, first, end))
        return false;
    memcpy(storage, b->image, sizeof b->image);
    memcpy(storage + CASE_BLOCKS, b->in, (size_t)b->blocks * CASE_SIZE);
    for (unsigned n = first; n < end;) {
        memcpy(storage, b->image, CASE_TABLES); // the lowcore, if that went wrong
        be64_store(storage + DIFFER_FIRST, CASE_BLOCKS + (uint64_t)n * CASE_SIZE);
        be64_store(storage + DIFFER_FIRST + 8, end - n);
        be64_store(storage + DIFFER_LEFT, UINT64_MAX);
        pid_t child = qemu_start(&d->qemu);
        enum qemu_end how = qemu_wait(&d->qemu, child, DIFFER_LEFT, DIFFER_STUCK);
        uint64_t left = be64_load(storage + DIFFER_LEFT);
        if (left > end) {
            printf("# %s cannot be started\n", QEMU);
            return false;
        }
        n = end - (unsigned)left;
        if (left)
            n = differ_bury(d, n, how == QEMU_STUCK ? FATE_STUCK_QEMU : FATE_ENDED_QEMU);
    }
    d->theirs = storage;
    return true;
}

// --- judging it ----------------------------------------------------------------------------------

static inline void differ_show_text(const struct group *g)
{
    char text[80];
    if (g->target) {
        cpu_disassemble(g->text, CASE_SLOTS + g->slot, text, sizeof text);
        printf("#   %s\n", text);
    }
    for (unsigned at = g->target, n = 0; g->target ? n < 1 : at < g->length; n++) {
        cpu_disassemble(g->text + at, CASE_SLOTS + g->slot + at, text, sizeof text);
        const uint8_t *t = g->text + at;
        unsigned length = opcode_length(t[0]);
        printf("#   %02X%02X", t[0], t[1]);
        for (unsigned i = 2; i < length; i += 2)
            printf(" %02X%02X", t[i], t[i + 1]);
        printf("  %s\n", text);
        at += length;
    }
}

// General registers before and after, and all else that differs.
static inline void differ_show(const struct differ *d, const struct group *g, unsigned n,
                               const uint8_t *o, const uint8_t *t)
{
    const uint8_t *in = d->batch.in + (size_t)n * CASE_SIZE;
    printf("# difference: seed %llu batch %u case %u at %X, psw %016llX fpc %08X\n",
           (unsigned long long)d->seed, d->batch.number, n, CASE_BLOCKS + n * CASE_SIZE,
           (unsigned long long)be64_load(in + CASE_PSW), be32_load(in + CASE_FPC));
    differ_show_text(g);
    for (unsigned i = 0; i < CASE_SIZE; i += 8) {
        uint64_t x = be64_load(in + i), a = be64_load(o + i), b = be64_load(t + i);
        if (a != b)
            printf("#   +%03X in %016llX ours %016llX qemu %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)a, (unsigned long long)b);
        else if (i >= CASE_GR && i < CASE_FPC)
            printf("#   +%03X in %016llX both %016llX\n", i, (unsigned long long)x,
                   (unsigned long long)a);
    }
    const uint8_t *text = g->text + g->target;
    for (unsigned v = 0; v < 32 && g->kind != CASE_GENERAL && g->kind != CASE_STRING; v++) {
        const uint8_t *value = in + CASE_VR + v * 16;
        unsigned low = v & 15;
        if (g->row && (low == text[1] >> 4 || low == (text[1] & 15) || low == text[2] >> 4 ||
                       low == text[3] >> 4 || low == (text[3] & 15) || low == text[4] >> 4))
            printf("#   v%-3u in %016llX %016llX\n", v, (unsigned long long)be64_load(value),
                   (unsigned long long)be64_load(value + 8));
    }
}

static inline void differ_found(struct differ *d, const struct group *g, unsigned n,
                                const uint8_t *ours, const uint8_t *theirs)
{
    d->differences++;
    if (d->shown++ < DIFFER_SHOWN)
        differ_show(d, g, n, ours, theirs);
}

// Do rules explain all of the difference? They count then.
static inline bool differ_explained(struct differ *d, const struct judged *j)
{
    bool used[RULES] = {false};
    for (unsigned i = 0; i < RULES; i++) {
        if (rule_covers(&rules[i], j->row) && memcmp(j->ours, j->theirs, CASE_SIZE) != 0)
            used[i] = rules[i].explain(j);
    }
    if (memcmp(j->ours, j->theirs, CASE_SIZE) != 0)
        return false;
    for (unsigned i = 0; i < RULES; i++)
        d->tally.explained[i] += used[i];
    if (j->row)
        d->tally.row_explained[j->row - opcode_table]++;
    return true;
}

// Is the outcome of case `n` the same, or explained?
static inline bool differ_same(struct differ *d, const struct group *g, unsigned n)
{
    static uint8_t ours[CASE_SIZE], theirs[CASE_SIZE];
    const uint8_t *o = d->ours + CASE_BLOCKS + (size_t)n * CASE_SIZE,
                  *t = d->theirs + CASE_BLOCKS + (size_t)n * CASE_SIZE;
    if (g->alone && case_interruption(o) == 0 &&
        memcmp(d->ours + CASE_SLOTS + g->slot, d->theirs + CASE_SLOTS + g->slot, CASE_SLOT) != 0)
        return false;
    // Operands of others that run past the end of 24-bit addresses meet this one in qemu.
    bool behind = CASE_BLOCKS + n * CASE_SIZE == 0x1000000;
    if (behind || memcmp(o, t, CASE_SIZE) == 0)
        return true;
    memcpy(ours, o, CASE_SIZE);
    memcpy(theirs, t, CASE_SIZE);
    struct judged j = {.row = g->row,
                       .text = g->text + g->target,
                       .executed = g->executed,
                       .slot = CASE_SLOTS + g->slot,
                       .changed = memcmp(d->ours + CASE_SLOTS + g->slot, g->text, SLOT_DATA) != 0 &&
                                  memcmp(d->ours + CASE_SLOTS + g->slot,
                                         d->theirs + CASE_SLOTS + g->slot, SLOT_DATA) == 0,
                       .in = d->batch.in + (size_t)n * CASE_SIZE,
                       .ours = ours,
                       .theirs = theirs,
                       .our_code = case_interruption(o),
                       .their_code = case_interruption(t)};
    bool wild = is_wild(&j);
    if (!differ_explained(d, &j))
        return false;
    if (wild)
        d->wild[d->wilds++ % DIFFER_GROUPS] = g;
    return true;
}

// What is different may come from another case, whose own difference is explained: from storage
// that it has left there, or where qemu alone has stored. Such a case is carried out again without
// the others. Where we alone have stored we have a fault.
static inline bool differ_by_others(const struct differ *d, unsigned n)
{
    const uint8_t *in = d->batch.in + (size_t)n * CASE_SIZE,
                  *o = d->ours + CASE_BLOCKS + (size_t)n * CASE_SIZE,
                  *t = d->theirs + CASE_BLOCKS + (size_t)n * CASE_SIZE;
    for (unsigned i = 0; i < CASE_SIZE; i++) {
        bool storage = i < CASE_GR || i >= CASE_AREA;
        if (storage && o[i] != t[i] && o[i] != in[i])
            return false;
    }
    return true;
}

static inline void differ_judge(struct differ *d, const struct group *g, unsigned n)
{
    const uint8_t *o = d->ours + CASE_BLOCKS + (size_t)n * CASE_SIZE,
                  *t = d->theirs + CASE_BLOCKS + (size_t)n * CASE_SIZE;
    if (d->batch.number == 0) { // not judged: what qemu has not may do anything to others here
        d->rows[g->row - opcode_table].absent += case_interruption(t) == 1;
        return;
    }
    if (case_interruption(o) == 0)
        d->tally.completed++;
    else
        d->tally.interrupted++;
    if (differ_same(d, g, n))
        return;
    if (d->suspects < CASE_MOST)
        d->suspect[d->suspects++] = n;
}

static inline const struct group *differ_group(const struct differ *d, unsigned n)
{
    const struct group *g = d->batch.group;
    while (n >= g->first + g->count)
        g++;
    return g;
}

static inline void differ_try_alone(struct differ *d)
{
    unsigned left = 0;
    for (unsigned i = 0; i < d->suspects; i++) {
        unsigned n = d->suspect[i];
        if (left < DIFFER_SUSPECTS && differ_by_others(d, n))
            d->suspect[left++] = n;
        else
            differ_found(d, differ_group(d, n), n, d->ours + CASE_BLOCKS + (size_t)n * CASE_SIZE,
                         d->theirs + CASE_BLOCKS + (size_t)n * CASE_SIZE);
    }
    for (unsigned i = 0; i < left; i++) {
        unsigned n = d->suspect[i];
        const struct group *g = differ_group(d, n);
        if (differ_run(d, n, n + 1) && differ_same(d, g, n))
            d->read_others++;
        else
            differ_found(d, g, n, d->ours + CASE_BLOCKS + (size_t)n * CASE_SIZE,
                         d->theirs + CASE_BLOCKS + (size_t)n * CASE_SIZE);
    }
}

static inline void differ_count(struct differ *d, const struct group *g)
{
    static const uint8_t ex[] = {0x44, 0, 0, 0, 0, 0}, exrl[] = {0xC6, 0, 0, 0, 0, 0};
    d->cases += d->batch.number ? g->count : 0;
    if (!g->row) {
        d->streams++;
        d->stream_cases += g->count;
        return;
    }
    d->rows[g->row - opcode_table].cases += g->count;
    if (g->executed)
        d->rows[opcode_find(g->executed == 0x44 ? ex : exrl) - opcode_table].cases += g->count;
}

// qemu's process ended or hung in this group, or Endicott does not come to its end.
static inline void differ_lost(struct differ *d, const struct group *g, enum fate fate)
{
    d->endless += fate == FATE_ENDLESS;
    if (fate == FATE_ENDLESS && !g->row)
        return;
    if (differ_run(d, g->first, g->first + g->count) &&
        d->fate[g->first + g->count - 1] == FATE_RAN) {
        d->read_others++;
        return;
    }
    d->differences++;
    if (d->shown++ >= DIFFER_SHOWN)
        return;
    printf("# difference: seed %llu batch %u case %u: qemu %s\n", (unsigned long long)d->seed,
           d->batch.number, g->first,
           fate == FATE_ENDED_QEMU ? "ended itself" : "or endicott does not go on");
    differ_show_text(g);
}

static inline void differ_judge_all(struct differ *d)
{
    d->suspects = d->wilds = 0;
    for (unsigned i = 0; i < d->batch.groups; i++) {
        const struct group *g = &d->batch.group[i];
        for (unsigned n = g->first; n < g->first + g->count; n++) {
            if (d->fate[n] == FATE_RAN)
                differ_judge(d, g, n);
        }
    }
}

// Nothing is left of the streams that have branched elsewhere.
static inline void differ_calm(struct differ *d)
{
    static const uint8_t svc[] = {0x0A, 1};
    for (unsigned i = 0; i < d->wilds && i < DIFFER_GROUPS; i++) {
        const struct group *g = d->wild[i];
        memcpy(d->batch.image + CASE_SLOTS + g->slot, svc, 2);
        memset(d->fate + g->first, FATE_WILD, g->count);
    }
}

// Makes, runs and judges a batch; false when it did not run.
static inline bool differ_batch(struct differ *d, unsigned number, unsigned most)
{
    struct batch *b = &d->batch;
    differ_make(b, d->seed, number, most < CASE_MOST ? most : CASE_MOST);
    memset(d->fate, FATE_RAN, sizeof d->fate);
    for (unsigned i = 0; i < b->groups; i++)
        differ_count(d, &b->group[i]);
    struct tally before = d->tally;
    if (!differ_run(d, 0, b->blocks))
        return false;
    differ_judge_all(d);
    if (d->suspects && d->wilds) { // once more without those that have done anything anywhere
        d->tally = before;
        differ_calm(d);
        if (!differ_run(d, 0, b->blocks))
            return false;
        differ_judge_all(d);
    }
    differ_try_alone(d);
    for (unsigned i = 0; i < b->groups; i++) {
        unsigned last = b->group[i].first + b->group[i].count - 1;
        enum fate fate = (enum fate)d->fate[last];
        d->fate[last] = FATE_RAN;
        if (fate != FATE_RAN && fate != FATE_WILD)
            differ_lost(d, &b->group[i], fate);
    }
    return true;
}

// Reads the driver, and finds out by batch 0 what qemu has. NULL when that cannot be. `only`: the
// mnemonic that alone takes part, or NULL.
static inline struct differ *differ_new(uint64_t seed, const char *only)
{
    struct differ *d = calloc(1, sizeof *d);
    struct batch *b = &d->batch;
    d->seed = seed;
    b->streams = !only;
    b->in = malloc((size_t)CASE_MOST * CASE_SIZE);
    char path[512];
    snprintf(path, sizeof path, "%s/programs/cases.bin", CPU_PROGRAMS);
    FILE *f = fopen(path, "rb");
    if (!f || fread(b->image, 1, 0x4000, f) < CASE_ENTRY) {
        printf("# %s: not built\n", path);
        return NULL;
    }
    fclose(f);
    case_map(b->image);
    if (!qemu_open(&d->qemu, 2 * CASE_MIB, CASE_ENTRY, b->image + CASE_ENTRY))
        return NULL;
    for (unsigned i = 0; i < opcode_count; i++)
        b->alive[i] = !left_out_reason(&opcode_table[i]) &&
                      (!only || strcmp(only, opcode_table[i].mnemonic) == 0);
    for (unsigned i = 0; i < 2; i++) { // twice, since a case may not get as far as its instruction
        d->seed = seed + i;
        if (!differ_batch(d, 0, CASE_MOST))
            return NULL;
    }
    d->seed = seed;
    for (unsigned i = 0; i < opcode_count; i++)
        b->alive[i] = b->alive[i] && d->rows[i].absent * 2 < d->rows[i].cases;
    return d;
}

static inline void differ_free(struct differ *d)
{
    if (d->bare)
        bare_free(d->bare);
    qemu_close(&d->qemu);
    free(d->batch.in);
    free(d);
}

// --- the report ----------------------------------------------------------------------------------

// Which instruction had how many cases, what took no part and why, which rules were needed.
static inline void differ_report(const struct differ *d)
{
    unsigned both = 0, absent = 0, out = 0;
    printf("# instruction cases explained\n");
    for (unsigned i = 0; i < opcode_count; i++) {
        const struct row_count *c = &d->rows[i];
        if (c->cases > c->absent) {
            printf("#   %-8s %8llu %8llu\n", opcode_table[i].mnemonic, (unsigned long long)c->cases,
                   (unsigned long long)d->tally.row_explained[i]);
            both++;
        }
    }
    printf("# not in qemu:");
    for (unsigned i = 0; i < opcode_count; i++) {
        if (d->rows[i].cases && d->rows[i].absent == d->rows[i].cases) {
            printf(" %s", opcode_table[i].mnemonic);
            absent++;
        }
    }
    printf("\n# left out:\n");
    for (unsigned i = 0; i < opcode_count; i++) {
        if (!d->rows[i].cases) {
            const char *why = left_out_reason(&opcode_table[i]);
            printf("#   %-8s %s\n", opcode_table[i].mnemonic, why ? why : "no case");
            out++;
        }
    }
    printf("# texts drawn again, since they end qemu:\n");
    for (unsigned i = 0; i < DEATHS; i++)
        printf("#   %8llu %s\n", (unsigned long long)d->batch.left_out[i], deaths[i].reason);
    printf("# explained differences:\n");
    for (unsigned i = 0; i < RULES; i++)
        printf("#   %8llu %s\n", (unsigned long long)d->tally.explained[i], rules[i].reason);
    printf("#   %8llu come from what another case had left; the same alone\n",
           (unsigned long long)d->read_others);
    printf("# instructions: %u compared, %u not in qemu, %u left out, of %u\n", both, absent, out,
           opcode_count);
    printf("# seed %llu: %llu cases (%llu in %llu streams; %llu completed, %llu interrupted; "
           "%llu streams endless), %llu unexplained differences\n",
           (unsigned long long)d->seed, (unsigned long long)d->cases,
           (unsigned long long)d->stream_cases, (unsigned long long)d->streams,
           (unsigned long long)d->tally.completed, (unsigned long long)d->tally.interrupted,
           (unsigned long long)d->endless, (unsigned long long)d->differences);
}

#endif
