// SPDX-License-Identifier: MIT
// The table of facilities (number, name, first machine, what it needs) and the machines, and the
// words by which a model is chosen. Which facilities are implemented at all is facilities.c.
#include "cpu/model.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cpu/opcode.h"

#define NONE 255

// Principles of Operation, "Facility Indications"; the last two columns: facilities without which
// this one must not be on.
static const struct facility {
    uint8_t bit;
    uint8_t since;
    uint8_t needs[2];
    const char *name, *title;
} facilities[] = {
    // clang-format off
    {0,   GENERATION_Z900,  {NONE, NONE}, "n3",        "z/Architecture instructions in ESA/390 mode"},
    {1,   GENERATION_Z900,  {NONE, NONE}, "zarch",     "z/Architecture mode"},
    {2,   GENERATION_Z900,  {1, NONE},    "zactive",   "z/Architecture mode is active"},
    {3,   GENERATION_Z990,  {NONE, NONE}, "dat1",      "DAT enhancement 1"},
    {4,   GENERATION_Z9,    {3, NONE},    "idtes",     "IDTE clears by segment"},
    {5,   GENERATION_Z9,    {4, NONE},    "idter",     "IDTE clears by region"},
    {6,   GENERATION_Z990,  {NONE, NONE}, "asnlx",     "ASN-and-LX reuse"},
    {7,   GENERATION_Z9,    {NONE, NONE}, "stfle",     "STORE FACILITY LIST EXTENDED"},
    {8,   GENERATION_Z10,   {NONE, NONE}, "edat1",     "Enhanced DAT 1"},
    {9,   GENERATION_Z9,    {NONE, NONE}, "srs",       "Sense running status"},
    {10,  GENERATION_Z9,    {NONE, NONE}, "csske",     "Conditional SSKE"},
    {11,  GENERATION_Z10,   {NONE, NONE}, "topology",  "Configuration topology"},
    {13,  GENERATION_Z196,  {3, NONE},    "ipterange", "IPTE of a range"},
    {14,  GENERATION_Z196,  {NONE, NONE}, "nonqkey",   "Nonquiescing key setting"},
    {16,  GENERATION_Z900,  {NONE, NONE}, "etf2",      "Extended translation 2"},
    {17,  GENERATION_Z990,  {NONE, NONE}, "msa",       "Message-security assist"},
    {18,  GENERATION_Z990,  {NONE, NONE}, "ldisp",     "Long displacement"},
    {19,  GENERATION_Z990,  {18, NONE},   "ldispfast", "Long displacement is fast"},
    {20,  GENERATION_Z990,  {NONE, NONE}, "hfpmadd",   "HFP multiply and add or subtract"},
    {21,  GENERATION_Z9,    {NONE, NONE}, "eimm",      "Extended immediate"},
    {22,  GENERATION_Z9,    {NONE, NONE}, "etf3",      "Extended translation 3"},
    {23,  GENERATION_Z9,    {NONE, NONE}, "hfpun",     "HFP unnormalized extension"},
    {24,  GENERATION_Z9,    {16, NONE},   "etf2e",     "Extended translation 2 enhancement"},
    {25,  GENERATION_Z9,    {NONE, NONE}, "stckf",     "STORE CLOCK FAST"},
    {26,  GENERATION_Z10,   {NONE, NONE}, "parsing",   "Parsing enhancement"},
    {27,  GENERATION_Z9,    {NONE, NONE}, "mvcos",     "MOVE WITH OPTIONAL SPECIFICATIONS"},
    {28,  GENERATION_Z9,    {NONE, NONE}, "steering",  "TOD-clock steering"},
    {30,  GENERATION_Z9,    {22, NONE},   "etf3e",     "Extended translation 3 enhancement"},
    {31,  GENERATION_Z9,    {NONE, NONE}, "ectg",      "EXTRACT CPU TIME"},
    {32,  GENERATION_Z9,    {NONE, NONE}, "csst",      "COMPARE AND SWAP AND STORE"},
    {33,  GENERATION_Z10,   {32, NONE},   "csst2",     "COMPARE AND SWAP AND STORE, of 16 bytes"},
    {34,  GENERATION_Z10,   {NONE, NONE}, "giext",     "General-instructions extension"},
    {35,  GENERATION_Z10,   {NONE, NONE}, "exrl",      "Execute extensions"},
    {36,  GENERATION_Z196,  {NONE, NONE}, "emon",      "Enhanced monitor"},
    {37,  GENERATION_Z196,  {42, NONE},   "fpext",     "Floating-point extension"},
    {38,  GENERATION_Z14,   {NONE, NONE}, "opcmpsc",   "Order-preserving compression"},
    {40,  GENERATION_Z10,   {NONE, NONE}, "lpp",       "Set program parameters"},
    {41,  GENERATION_Z9,    {NONE, NONE}, "fpsupport", "Floating-point support: FPR-GR transfer, signs, rounding"},
    {42,  GENERATION_Z9,    {NONE, NONE}, "dfp",       "Decimal floating point"},
    {43,  GENERATION_Z10,   {42, NONE},   "dfpfast",   "Decimal floating point is fast"},
    {44,  GENERATION_Z9,    {NONE, NONE}, "pfpo",      "PERFORM FLOATING-POINT OPERATION"},
    {45,  GENERATION_Z196,  {NONE, NONE}, "distinct",  "Distinct operands, high word, interlocked access 1, population count"},
    {47,  GENERATION_Z196,  {NONE, NONE}, "cmpsce",    "CMPSC enhancement"},
    {48,  GENERATION_ZEC12, {42, NONE},   "zoned",     "DFP zoned conversion"},
    {49,  GENERATION_ZEC12, {NONE, NONE}, "misc1",     "Load and trap, miscellaneous extensions 1, execution hint"},
    {50,  GENERATION_ZEC12, {73, NONE},   "ctx",       "Constrained transactions"},
    {51,  GENERATION_ZEC12, {3, NONE},    "ltlb",      "Local TLB clearing"},
    {52,  GENERATION_Z196,  {NONE, NONE}, "iacc2",     "Interlocked access 2"},
    {53,  GENERATION_Z13,   {NONE, NONE}, "loc2",      "Load and store on condition 2, zero rightmost byte"},
    {54,  GENERATION_Z14,   {NONE, NONE}, "eecmpsc",   "Entropy-encoding compression"},
    {57,  GENERATION_Z13,   {17, NONE},   "msa5",      "Message-security assist 5"},
    {58,  GENERATION_Z14,   {NONE, NONE}, "misc2",     "Miscellaneous instruction extensions 2"},
    {59,  GENERATION_Z14,   {49, NONE},   "semaphore", "Semaphore assist"},
    {61,  GENERATION_Z15,   {45, NONE},   "misc3",     "Miscellaneous instruction extensions 3"},
    {66,  GENERATION_Z10,   {NONE, NONE}, "rrbm",      "Reset reference bits multiple"},
    {67,  GENERATION_Z10,   {NONE, NONE}, "cpumcf",    "CPU-measurement counters"},
    {68,  GENERATION_Z10,   {NONE, NONE}, "cpumsf",    "CPU-measurement sampling"},
    {73,  GENERATION_ZEC12, {49, NONE},   "tx",        "Transactional execution"},
    {74,  GENERATION_Z9,    {NONE, NONE}, "sthyi",     "STORE HYPERVISOR INFORMATION"},
    {75,  GENERATION_Z196,  {NONE, NONE}, "fsind",     "Access-exception fetch or store indication"},
    {76,  GENERATION_Z10,   {17, NONE},   "msa3",      "Message-security assist 3"},
    {77,  GENERATION_Z196,  {17, 76},     "msa4",      "Message-security assist 4"},
    {78,  GENERATION_ZEC12, {8, NONE},    "edat2",     "Enhanced DAT 2"},
    {80,  GENERATION_Z13,   {42, NONE},   "dfppacked", "DFP packed conversion"},
    {81,  GENERATION_ZEC12, {NONE, NONE}, "ppa15",     "PPA 15"},
    {82,  GENERATION_Z14,   {NONE, NONE}, "bpb",       "Branch-prediction blocking"},
    {129, GENERATION_Z13,   {NONE, NONE}, "vector",    "Vector"},
    {130, GENERATION_Z14,   {131, NONE},  "iep",       "Instruction-execution protection"},
    {131, GENERATION_Z14,   {NONE, NONE}, "esop2",     "Side-effect access, enhanced suppression on protection 2"},
    {133, GENERATION_Z14,   {131, NONE},  "gs",        "Guarded storage"},
    {134, GENERATION_Z14,   {129, NONE},  "vxpd",      "Vector packed decimal"},
    {135, GENERATION_Z14,   {129, NONE},  "vxe",       "Vector enhancements 1"},
    {139, GENERATION_Z14,   {25, 28},     "epoch",     "Multiple epoch"},
    {140, GENERATION_Z15,   {NONE, NONE}, "els",       "Extended-length SCCB"},
    {144, GENERATION_Z14,   {NONE, NONE}, "tpei",      "Test pending external interruption"},
    {145, GENERATION_Z14,   {NONE, NONE}, "irbm",      "Insert reference bits multiple"},
    {146, GENERATION_Z14,   {17, 76},     "msa8",      "Message-security assist 8"},
    {147, GENERATION_Z14,   {NONE, NONE}, "cmmnt",     "ESSA without translation"},
    {148, GENERATION_Z15,   {129, 135},   "vxe2",      "Vector enhancements 2"},
    {152, GENERATION_Z15,   {129, 134},   "vxpd2",     "Vector packed decimal enhancement"},
    {155, GENERATION_Z15,   {76, 77},     "msa9",      "Message-security assist 9"},
    {168, GENERATION_Z900,  {NONE, NONE}, "esa390",    "ESA/390 compatibility mode"},
    {169, GENERATION_Z14,   {NONE, NONE}, "skrf",      "Storage-key removal"},
    // clang-format on
};
#define FACILITY_COUNT (sizeof facilities / sizeof *facilities)

static const struct machine_type {
    const char *name;
    uint16_t type;
    const char *capacity;
} machines[] = {
    [GENERATION_Z900] = {"z900", 0x2064, "116"}, [GENERATION_Z990] = {"z990", 0x2084, "332"},
    [GENERATION_Z9] = {"z9", 0x2094, "754"},     [GENERATION_Z10] = {"z10", 0x2097, "764"},
    [GENERATION_Z196] = {"z196", 0x2817, "M15"}, [GENERATION_ZEC12] = {"zEC12", 0x2827, "H20"},
    [GENERATION_Z13] = {"z13", 0x2964, "N30"},   [GENERATION_Z14] = {"z14", 0x3906, "M01"},
};
#define MACHINE_COUNT (sizeof machines / sizeof *machines)

const char *cpu_generation_name(enum cpu_generation generation)
{
    return generation < MACHINE_COUNT ? machines[generation].name : "z15";
}

bool cpu_facility_row(size_t i, struct cpu_facility_row *row)
{
    if (i >= FACILITY_COUNT)
        return false;
    *row = (struct cpu_facility_row){.bit = facilities[i].bit,
                                     .name = facilities[i].name,
                                     .title = facilities[i].title,
                                     .since = facilities[i].since};
    return true;
}

static bool is_on(const struct cpu_model *model, unsigned bit)
{
    return model->facilities[bit / 64] >> (63 - bit % 64) & 1;
}

static void turn(struct cpu_model *model, unsigned bit, bool on)
{
    uint64_t mask = UINT64_C(1) << (63 - bit % 64);

    if (on)
        model->facilities[bit / 64] |= mask;
    else
        model->facilities[bit / 64] &= ~mask;
}

static const struct facility *facility_find(const char *word)
{
    char *end;
    unsigned long bit = strtoul(word, &end, 10);
    bool number = end != word && *end == '\0';

    for (size_t i = 0; i < FACILITY_COUNT; i++)
        if (number ? facilities[i].bit == bit : strcasecmp(facilities[i].name, word) == 0)
            return &facilities[i];
    return NULL;
}

static void describe(struct cpu_model *model, const char *name, enum cpu_generation machine)
{
    snprintf(model->name, sizeof model->name, "%s", name);
    model->type = machines[machine].type;
    snprintf(model->capacity, sizeof model->capacity, "%s", machines[machine].capacity);
    model->generation = machine;
}

void cpu_model_default(struct cpu_model *model)
{
    struct cpu *cpu = mem_zero(1, sizeof *cpu); // only its facilities are looked at

    opcode_default_facilities(cpu);
    *model = (struct cpu_model){0};
    memcpy(model->facilities, cpu->facilities, sizeof model->facilities);
    describe(model, CPU_MODEL_MAX, GENERATION_Z14);
    free(cpu);
}

static int choose(struct cpu_model *model, const char *word)
{
    struct cpu_model all;

    cpu_model_default(&all);
    if (strcasecmp(word, CPU_MODEL_MAX) == 0) {
        *model = all;
        return 0;
    }
    for (size_t m = 0; m < MACHINE_COUNT; m++) {
        if (strcasecmp(machines[m].name, word) != 0)
            continue;
        *model = (struct cpu_model){0};
        for (size_t i = 0; i < FACILITY_COUNT; i++)
            if (facilities[i].since <= m && is_on(&all, facilities[i].bit))
                turn(model, facilities[i].bit, true);
        describe(model, machines[m].name, (enum cpu_generation)m);
        return 0;
    }
    return -1;
}

// +FACILITY or -FACILITY.
static int change(struct cpu_model *model, const char *word, char *error, size_t size)
{
    const struct facility *facility = facility_find(word + 1);
    struct cpu_model all;

    cpu_model_default(&all);
    if (!facility) {
        snprintf(error, size, "facility %s is not known", word + 1);
        return -1;
    }
    if (word[0] == '+' && !is_on(&all, facility->bit)) {
        snprintf(error, size, "facility %u (%s) is not implemented", facility->bit, facility->name);
        return -1;
    }
    turn(model, facility->bit, word[0] == '+');
    return 0;
}

static int one_word(struct cpu_model *model, const char *word, char *error, size_t size)
{
    if (*word == '+' || *word == '-')
        return change(model, word, error, size);
    if (choose(model, word) == 0)
        return 0;
    snprintf(error, size,
             "model %s is not known: z900, z990, z9, z10, z196, zEC12, z13, z14 or max", word);
    return -1;
}

// One that is needed and not implemented does not count: nobody could turn it on.
static int check_needs(const struct cpu_model *model, char *error, size_t size)
{
    struct cpu_model all;

    cpu_model_default(&all);
    for (size_t i = 0; i < FACILITY_COUNT; i++) {
        for (unsigned n = 0; is_on(model, facilities[i].bit) && n < 2; n++) {
            char number[4];
            unsigned need = facilities[i].needs[n];
            if (need == NONE || is_on(model, need) || !is_on(&all, need))
                continue;
            snprintf(number, sizeof number, "%u", need);
            snprintf(error, size, "facility %u (%s) needs %u (%s), which is off", facilities[i].bit,
                     facilities[i].name, need, facility_find(number)->name);
            return -1;
        }
    }
    return 0;
}

int cpu_model_parse(struct cpu_model *model, const char *text, char *error, size_t size)
{
    struct cpu_model all;

    cpu_model_default(&all);
    return cpu_model_parse_within(model, &all, text, error, size);
}

int cpu_model_parse_within(struct cpu_model *model, const struct cpu_model *limit, const char *text,
                           char *error, size_t size)
{
    struct cpu_model wanted = *limit;
    char words[CPU_MODEL_TEXT], *save;

    if (strlen(text) >= sizeof words) {
        snprintf(error, size, "the model is more than %d characters", CPU_MODEL_TEXT - 1);
        return -1;
    }
    strcpy(words, text);
    for (char *w = strtok_r(words, ", \t", &save); w; w = strtok_r(NULL, ", \t", &save))
        if (one_word(&wanted, w, error, size) < 0)
            return -1;
    if (check_needs(&wanted, error, size) < 0)
        return -1;
    for (unsigned i = 0; i < 4; i++)
        wanted.facilities[i] &= limit->facilities[i];
    *model = wanted;
    return 0;
}

void cpu_model_apply(struct cpu *cpu, const struct cpu_model *model)
{
    memcpy(cpu->facilities, model->facilities, sizeof cpu->facilities);
    cpu_pend(cpu, PEND_DECODE);
}

uint64_t cpu_model_identification(const struct cpu_model *model)
{
    return (uint64_t)model->type << 16 | 0x8000;
}
