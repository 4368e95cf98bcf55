// SPDX-License-Identifier: MIT
// Blocks against single steps: random streams of instructions run as decoded blocks (special
// handlers, joined branches, condition codes that nobody sees, lookaside hits), then in small
// slices, again one by one, and once more under PER, where nothing is remembered. All that a
// program can see must be the same, whichever instruction a fault, a branch or a store into the
// stream hits.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/rig.h"
#include "cpu/snippets.h"

#define STREAMS 4000
#define INSNS   24
#define AREA    0x6000u     // base register 14; 13 points to the end of its page
#define GAP     0x40000000u // no storage there

static bool usable(const struct opcode *row)
{
    if (!row->run || row->flags & (OP_PRIVILEGED | OP_END) || row->simulate)
        return false;
    static const char *const left_out[] = {"EX",  "EXRL", "BAL",  "BALR",  "BAS",  "BASR",
                                           "BC",  "BCR",  "BCT",  "BCTR",  "BCTG", "BCTGR",
                                           "BXH", "BXLE", "BXHG", "BXLEG", "BIC",  "SPM"};
    for (unsigned i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        if (strcmp(row->mnemonic, left_out[i]) == 0)
            return false;
    }
    return true;
}

static bool relative(unsigned format)
{
    return format == FORMAT_RI_B || format == FORMAT_RI_C || format == FORMAT_RSI ||
           format == FORMAT_RIE_B || format == FORMAT_RIE_C || format == FORMAT_RIE_E;
}

// Random fields, but storage operands by registers 13 and 14.
static unsigned make(struct random *r, const struct opcode *row, uint8_t text[6])
{
    for (unsigned i = 0; i < 6; i++)
        text[i] = (uint8_t)random64(r);
    text[0] = (uint8_t)(row->code >> 8);
    uint8_t extension = (uint8_t)row->code;
    uint8_t before[6];
    memcpy(before, text, 6);
    text[1] = extension; // one of the three places makes it this row
    if (opcode_find(text) != row) {
        text[1] = (uint8_t)((before[1] & 0xF0) | (extension & 15));
        if (opcode_find(text) != row) {
            text[1] = before[1];
            text[5] = extension;
        }
    }
    unsigned length = opcode_length(text[0]);
    bool storage = row->format >= FORMAT_RS_A && !relative(row->format) &&
                   row->format != FORMAT_MII &&
                   !(row->format >= FORMAT_RIE_A && row->format <= FORMAT_RIL_C);
    if (storage && length > 2 && row->format < FORMAT_VRI_A) {
        uint8_t base = (uint8_t)(random_below(r, 8) ? 0xE0 : random_below(r, 4) ? 0xD0 : 0xC0);
        text[2] = base | (text[2] & 3);
        if (row->format >= FORMAT_SS_A && row->format <= FORMAT_SSF)
            text[4] = 0xE0 | (text[4] & 3);
        else if (length == 6 && row->format != FORMAT_SIL)
            text[4] = row->format == FORMAT_RXY_A || row->format == FORMAT_RSY_A ||
                              row->format == FORMAT_SIY
                          ? 0
                          : text[4];
        if (row->format == FORMAT_RX_A || row->format == FORMAT_RXY_A || row->format == FORMAT_RXE)
            text[1] = (text[1] & 0xF0) | (random_below(r, 3) ? 0 : 12);
    }
    return length;
}

#define IMAGE 0x100000u // all of storage

struct state {
    uint64_t gr[16], base[3]; // base: registers 12 to 14 at the start
    struct vector_register vr[32];
    uint32_t ar[16], fpc;
    struct psw psw;
    uint64_t instructions, exceptions, breaking_event;
    uint8_t storage[IMAGE];
};

enum manner { BLOCKS, SLICES, STEPS, PER };

// What storage holds before a run: PSWs, data, the stream near `start`.
static void make_image(struct random *r, uint64_t start, uint8_t *image)
{
    static const struct opcode *rows[4096];
    static unsigned count;
    for (unsigned i = count ? opcode_count : 0; i < opcode_count; i++) {
        if (usable(&opcode_table[i]))
            rows[count++] = &opcode_table[i];
    }
    memset(image, 0, IMAGE);
    be64_store(image + 0x1C0, UINT64_C(0x0002000180000000)); // SVC: the end
    be64_store(image + 0x1C8, 0x600D);
    be64_store(image + 0x1D0, UINT64_C(0x0000000180000000)); // exception: on behind it
    be64_store(image + 0x1D8, 0x1800);
    be32_store(image + 0x1800, 0xB2B20150); // LPSWE of the old PSW
    for (unsigned i = 0; i < 8192; i += 8)
        be64_store(image + AREA + i, random_number(r));
    uint64_t at[INSNS + 1] = {start};
    for (unsigned i = 0; i < INSNS; i++)
        at[i + 1] = at[i] + make(r, rows[random_below(r, count)], image + at[i]);
    image[at[INSNS]] = 0x0A; // SVC 0
    image[at[INSNS] + 1] = 0;
    for (unsigned i = 0; i < INSNS; i++) { // branches go on to one of the next few
        unsigned to = i + 1 + random_below(r, 6);
        const struct opcode *row = opcode_find(image + at[i]);
        if (row && relative(row->format))
            be16_store(image + at[i] + 2, (uint16_t)((at[to < INSNS ? to : INSNS] - at[i]) / 2));
    }
}

// Only what differs, so that decoded blocks stay when nothing has changed in them.
static void put_image(struct bare *bare, const uint8_t *image)
{
    uint8_t *have = bare->storage->extent[0].bytes;
    for (unsigned page = 0; page < IMAGE; page += 4096) {
        if (memcmp(have + page, image + page, 4096) == 0)
            continue;
        for (unsigned i = page; i < page + 4096; i += 8) {
            if (memcmp(have + i, image + i, 8) != 0)
                bare_put(bare, i, image + i, 8);
        }
    }
}

// Runs the stream of `seed` and takes the outcome. False when it did not come to an end.
static bool run(struct bare *bare, uint64_t seed, enum manner manner, struct state *out)
{
    static uint8_t image[IMAGE];
    struct random r = {seed};
    struct cpu *cpu = bare->cpu;
    // Near the end of its page in some streams, so that instructions and branches cross it.
    uint64_t start = 0x2000;
    if (random_below(&r, 4) == 0)
        start += 4096 - 2 * random_below(&r, 64);
    make_image(&r, start, image);
    put_image(bare, image);
    for (unsigned i = 0; i < 16; i++) {
        cpu->gr[i] = random_number(&r);
        cpu->ar[i] = (uint32_t)random64(&r);
    }
    for (unsigned i = 0; i < 32; i++)
        cpu->vr[i] = (struct vector_register){random_float(&r), random_float(&r)};
    // As a base register it must not lead to the old PSWs: they tell that PER was on.
    cpu->gr[12] =
        random_below(&r, 3) ? 0x160 + random_below(&r, 256) : start - AREA + random_below(&r, 64);
    cpu->gr[13] = random_below(&r, 6) ? AREA + 4096 - random_below(&r, 64) : GAP;
    cpu->gr[14] = AREA + random_below(&r, 256);
    memcpy(out->base, &cpu->gr[12], sizeof out->base);
    cpu->fpc = random_below(&r, 2) ? 0x00080000 : 0;
    cpu->cr[0] |= 0x60000;
    cpu->psw = (struct psw){.address = start, .ea = true, .ba = true, .problem = true};
    cpu->psw.cc = (uint8_t)random_below(&r, 4);
    cpu->psw.mask = (uint8_t)random_below(&r, 16);
    cpu->psw.per = manner == PER;
    cpu->tracing = manner == STEPS;
    cpu->breaking_event = 1;
    uint64_t before = cpu->instructions, exceptions = cpu->program_checks;
    enum cpu_exit why = CPU_EXIT_BUDGET;
    for (unsigned i = 0; manner == SLICES && why == CPU_EXIT_BUDGET && i < 5000; i++)
        why = cpu_run(cpu, 1 + i % 5); // left and entered again all the time
    if (manner != SLICES)
        why = cpu_run(cpu, 5000);
    bool ended = why == CPU_EXIT_DISABLED_WAIT;
    cpu->tracing = false;
    memcpy(out->gr, cpu->gr, sizeof out->gr);
    memcpy(out->ar, cpu->ar, sizeof out->ar);
    memcpy(out->vr, cpu->vr, sizeof out->vr);
    out->fpc = cpu->fpc;
    out->psw = cpu->psw;
    out->instructions = cpu->instructions - before;
    out->exceptions = cpu->program_checks - exceptions;
    out->breaking_event = cpu->breaking_event;
    storage_read(bare->storage, 0, out->storage, IMAGE);
    // The old PSWs tell that PER was on.
    out->storage[0x140] &= 0xBF;
    out->storage[0x150] &= 0xBF;
    return ended;
}

static const char *difference(const struct state *a, const struct state *b)
{
    if (memcmp(a->gr, b->gr, sizeof a->gr) != 0)
        return "general registers";
    if (memcmp(a->ar, b->ar, sizeof a->ar) != 0)
        return "access registers";
    if (memcmp(a->vr, b->vr, sizeof a->vr) != 0)
        return "vector registers";
    if (a->fpc != b->fpc)
        return "FPC";
    if (a->psw.address != b->psw.address || a->psw.cc != b->psw.cc)
        return "PSW";
    if (a->instructions != b->instructions)
        return "instructions executed";
    if (a->exceptions != b->exceptions)
        return "exceptions";
    if (a->breaking_event != b->breaking_event)
        return "breaking-event address";
    // Old PSWs, interruption codes, everything that was stored.
    return memcmp(a->storage, b->storage, IMAGE) != 0 ? "storage" : NULL;
}

static void test_streams(void **state)
{
    (void)state;
    static struct state expected, got;
    struct bare *bare = bare_new(1);
    unsigned ended = 0;
    uint64_t instructions = 0, exceptions = 0;
    for (uint64_t seed = 1; seed <= STREAMS; seed++) {
        if (!run(bare, seed, STEPS, &expected))
            continue; // a loop
        ended++;
        instructions += expected.instructions;
        exceptions += expected.exceptions;
        static const enum manner manners[] = {BLOCKS, BLOCKS, SLICES, PER};
        for (unsigned i = 0; i < sizeof manners / sizeof manners[0]; i++) {
            // A wild address or branch may lead to the old PSWs, where PER shows.
            bool tame = memcmp(&expected.gr[12], expected.base, sizeof expected.base) == 0 &&
                        expected.instructions <= INSNS + 1 + expected.exceptions;
            if (manners[i] == PER && !tame)
                continue;
            const char *what =
                run(bare, seed, manners[i], &got) ? difference(&got, &expected) : "it does not end";
            if (what) {
                print_error("seed %llu, run %u: %s differ\n", (unsigned long long)seed, i, what);
                fail();
            }
        }
    }
    // The streams must be worth it: most end, most instructions complete, some do not.
    print_message("%u streams end, %llu instructions, %llu exceptions\n", ended,
                  (unsigned long long)instructions, (unsigned long long)exceptions);
    assert_true(ended > STREAMS / 2);
    assert_true(exceptions > instructions / 100 && exceptions < instructions / 3);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
