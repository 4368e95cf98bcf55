// SPDX-License-Identifier: MIT
// TestFloat's vectors through real instructions: testfloat GENERATOR [-level N] [-n N] [PREFIX...]
// GENERATOR is a testfloat_gen that the user built; PREFIX chooses functions (f32, f64_mulAdd).
// Results, IEEE flags and condition codes must be as TestFloat has them, with two exceptions where
// the architecture says more than the standard: which NaN comes out, and what a conversion gives
// for a number that does not fit. Those are judged by the architecture's own rule.
#include <ctype.h>

#include "cpu/rig.h"

#include "cpu/testfloat_forms.h"
#include "cpu/wide.h"

#define OPERAND 0x4000u // in storage

// --- what TestFloat's functions take and give
// -----------------------------------------------------

enum kind { NOTHING, F32, F64, F128, I32, I64, UI32, UI64, BOOL };

static const struct {
    const char *name;
    unsigned bits, fraction;
} kinds[] = {
    [NOTHING] = {"-", 0, 0},     [F32] = {"f32", 32, 23},  [F64] = {"f64", 64, 52},
    [F128] = {"f128", 128, 112}, [I32] = {"i32", 32, 0},   [I64] = {"i64", 64, 0},
    [UI32] = {"ui32", 32, 0},    [UI64] = {"ui64", 64, 0}, [BOOL] = {"bool", 1, 0},
};

static bool is_float(enum kind k)
{
    return k == F32 || k == F64 || k == F128;
}

static const struct shape {
    const char *name;
    unsigned operands;
    enum kind result;  // NOTHING: as the operands
    bool rounds;       // depends on the rounding mode
    unsigned accepted; // of comparisons: the condition codes, bit n for n
} shapes[] = {
    {"add", 2, NOTHING, true, 0},  {"sub", 2, NOTHING, true, 0},
    {"mul", 2, NOTHING, true, 0},  {"div", 2, NOTHING, true, 0},
    {"rem", 2, NOTHING, false, 0}, {"mulAdd", 3, NOTHING, true, 0},
    {"sqrt", 1, NOTHING, true, 0}, {"roundToInt", 1, NOTHING, true, 0},
    {"eq", 2, BOOL, false, 1},     {"eq_signaling", 2, BOOL, false, 1},
    {"le", 2, BOOL, false, 3},     {"le_quiet", 2, BOOL, false, 3},
    {"lt", 2, BOOL, false, 2},     {"lt_quiet", 2, BOOL, false, 2},
};

struct function {
    const char *name;
    enum kind operand, result;
    unsigned operands, accepted;
    bool rounds, to_integer, exact_option;
};

static enum kind kind_of(const char *text, size_t n)
{
    for (unsigned k = F32; k <= UI64; k++)
        if (strlen(kinds[k].name) == n && memcmp(kinds[k].name, text, n) == 0)
            return (enum kind)k;
    abort(); // a fault of the table of forms
}

static struct function function_of(const char *name)
{
    const char *rest = strchr(name, '_') + 1;
    struct function f = {.name = name, .operand = kind_of(name, (size_t)(rest - name - 1))};
    if (strncmp(rest, "to_", 3) == 0) {
        f.operands = 1;
        f.result = kind_of(rest + 3, strlen(rest + 3));
        f.to_integer = !is_float(f.result);
        f.exact_option = f.to_integer;
        f.rounds = f.to_integer || !is_float(f.operand) ||
                   kinds[f.result].fraction < kinds[f.operand].fraction;
        return f;
    }
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        if (strcmp(rest, shapes[i].name) != 0)
            continue;
        f.operands = shapes[i].operands;
        f.result = shapes[i].result == NOTHING ? f.operand : shapes[i].result;
        f.rounds = shapes[i].rounds;
        f.accepted = shapes[i].accepted;
        f.exact_option = strcmp(rest, "roundToInt") == 0;
        return f;
    }
    abort();
}

// --- what must come out
// ---------------------------------------------------------------------------

struct vector {
    uint128 operand[3], result;
    uint8_t flags; // as the FPC has them
};

struct outcome {
    uint128 result;
    uint8_t flags;
    int cc; // -1: not set
};

static uint128 fraction_of(enum kind k, uint128 bits)
{
    return bits & (((uint128)1 << kinds[k].fraction) - 1);
}

// The exponent field, at the right.
static unsigned exponent_of(enum kind k, uint128 bits)
{
    unsigned width = kinds[k].bits - 1 - kinds[k].fraction;
    return (unsigned)(bits >> kinds[k].fraction) & ((1u << width) - 1);
}

static bool is_special(enum kind k, uint128 bits)
{
    return exponent_of(k, bits) == (1u << (kinds[k].bits - 1 - kinds[k].fraction)) - 1;
}

static bool is_nan(enum kind k, uint128 bits)
{
    return is_float(k) && is_special(k, bits) && fraction_of(k, bits);
}

static bool is_quiet(enum kind k, uint128 bits)
{
    return bits >> (kinds[k].fraction - 1) & 1;
}

static bool is_zero(enum kind k, uint128 bits)
{
    return bits << (128 - kinds[k].bits + 1) == 0;
}

static bool sign_of(enum kind k, uint128 bits)
{
    return bits >> (kinds[k].bits - 1) & 1;
}

static uint128 default_nan(enum kind k)
{
    unsigned width = kinds[k].bits - kinds[k].fraction;
    return ((uint128)(1u << width) - 1) << (kinds[k].fraction - 1);
}

// The same NaN, quiet, in another format: its fraction stays at the left.
static uint128 convert_nan(enum kind from, enum kind to, uint128 bits)
{
    uint128 fraction = fraction_of(from, bits);
    int shift = (int)kinds[to].fraction - (int)kinds[from].fraction;
    fraction = shift >= 0 ? fraction << shift : fraction >> -shift;
    return default_nan(to) | fraction | (uint128)sign_of(from, bits) << (kinds[to].bits - 1);
}

// Signalling before quiet, the first operand before the others.
static uint128 nan_that_goes_through(const struct function *f, const struct vector *v)
{
    enum kind k = f->operand;
    bool first_infinite = is_special(k, v->operand[0]),
         second_infinite = is_special(k, v->operand[1]);
    if (f->operands == 3 && !is_nan(k, v->operand[0]) && !is_nan(k, v->operand[1]) &&
        ((first_infinite && is_zero(k, v->operand[1])) ||
         (second_infinite && is_zero(k, v->operand[0]))))
        return default_nan(f->result);
    for (unsigned quiet = 0; quiet < 2; quiet++)
        for (unsigned i = 0; i < f->operands; i++)
            if (is_nan(k, v->operand[i]) && is_quiet(k, v->operand[i]) == quiet)
                return convert_nan(k, f->result, v->operand[i]);
    return default_nan(f->result);
}

// The nearest bound; a NaN gives the least.
static uint128 out_of_range(const struct function *f, uint128 operand)
{
    bool least = is_nan(f->operand, operand) || sign_of(f->operand, operand);
    uint128 one = 1;
    unsigned bits = kinds[f->result].bits;
    if (f->result == I32 || f->result == I64)
        return least ? one << (bits - 1) : (one << (bits - 1)) - 1;
    return least ? 0 : (one << bits) - 1;
}

static int float_cc(enum kind k, uint128 bits)
{
    return is_nan(k, bits) ? 3 : is_zero(k, bits) ? 0 : sign_of(k, bits) ? 1 : 2;
}

static int expected_cc(const struct function *f, const struct vector *v, uint128 result)
{
    if (f->to_integer)
        return v->flags & 0x80 ? 3 : float_cc(f->operand, v->operand[0]);
    bool sum = strstr(f->name, "_add") || strstr(f->name, "_sub");
    return sum ? float_cc(f->result, result) : -1;
}

static struct outcome expected(const struct function *f, const struct vector *v, bool quietly)
{
    struct outcome o = {v->result, v->flags, -1};
    if (is_nan(f->result, v->result))
        o.result = nan_that_goes_through(f, v);
    if (f->to_integer && v->flags & 0x80) {
        o.result = out_of_range(f, v->operand[0]);
        o.flags |= 8; // as well: what is stored is not the source
    }
    o.cc = expected_cc(f, v, o.result);
    if (quietly)
        o.flags &= 0xF7;
    return o;
}

// --- one form, one rounding mode, one set of flags before
// -----------------------------------------

struct mode {
    const char *option;
    int fpc;     // the FPC's rounding mode; -1: not there
    unsigned m3; // an instruction's own
};

static const struct mode modes[] = {
    {"-rnear_even", 0, 4}, {"-rminMag", 1, 5}, {"-rmax", 2, 6},
    {"-rmin", 3, 7},       {"-rodd", 7, 3},    {"-rnear_maxMag", -1, 1},
};

struct variant {
    const struct form *form;
    struct bare *bare;
    uint32_t fpc; // before: flags and rounding mode
    bool quietly, by_m3;
    uint64_t runs, bad;
};

#define VARIANTS 64
static struct variant variants[VARIANTS];
static unsigned variant_count;

static bool in_vectors(enum form_place place)
{
    return place == VECTORS || place == WORDS || place == SWAPPED;
}

static char digit(unsigned v)
{
    return "0123456789ABCDEF"[v];
}

static void add_variant(const struct form *form, unsigned m3, bool quietly, uint32_t fpc)
{
    char code[40], *out = code;
    for (const char *c = form->code; *c; c++)
        *out++ = *c == 'R'                ? digit(m3)
                 : *c == 'X' || *c == 'Y' ? digit((quietly ? 4u : 0) | (*c == 'Y' ? 8u : 0))
                                          : *c;
    strcpy(out, "B2220050"); // IPM 5
    if (variant_count == VARIANTS)
        abort();
    struct variant *v = &variants[variant_count++];
    *v = (struct variant){form, rig_new(code), fpc, quietly, m3 != 0, 0, 0};
    v->bare->cpu->cr[0] |= 0x60000; // AFP registers, vectors
    v->bare->cpu->gr[4] = OPERAND;
    cpu_state_changed(v->bare->cpu);
}

// All ways to go: rounding mode from the FPC or from the instruction, where it is not the FPC's;
// with the inexact exception or without; with the inexact flag on before, which allows short ways
// (vectors have none).
static void add_form(const struct form *form, const struct mode *mode)
{
    bool has_mode = strchr(form->code, 'R');
    uint32_t last = in_vectors(form->place) ? 0 : 0x80000;
    for (unsigned quietly = 0; quietly <= has_mode; quietly++) {
        for (uint32_t before = 0; before <= last; before += 0x80000) {
            if (mode->fpc >= 0)
                add_variant(form, 0, quietly, before | (uint32_t)mode->fpc);
            if (has_mode)
                add_variant(form, mode->m3, quietly, before | (mode->fpc == 0));
        }
    }
}

static void free_variants(void)
{
    while (variant_count)
        bare_free(variants[--variant_count].bare);
}

// --- running
// ----------------------------------------------------------------------------------------

static struct vector_register replicate(enum kind k, uint128 bits)
{
    uint64_t low = (uint64_t)bits;
    if (k == F128)
        return (struct vector_register){(uint64_t)(bits >> 64), low};
    if (kinds[k].bits == 32)
        low |= low << 32;
    return (struct vector_register){low, low};
}

static void put_register(struct cpu *cpu, enum kind k, unsigned r, uint128 bits)
{
    if (k == F128) {
        cpu->vr[r].high = (uint64_t)(bits >> 64);
        cpu->vr[r + 2].high = (uint64_t)bits;
    } else {
        cpu->vr[r].high = (uint64_t)bits << (64 - kinds[k].bits);
    }
}

static void put_operands(struct variant *variant, const struct function *f, const struct vector *v)
{
    struct cpu *cpu = variant->bare->cpu;
    enum form_place place = variant->form->place;
    if (in_vectors(place)) {
        for (unsigned i = 0; i < f->operands; i++)
            cpu->vr[1 + (place == SWAPPED ? 1 - i : i)] = replicate(f->operand, v->operand[i]);
        return;
    }
    if (!is_float(f->operand)) {
        cpu->gr[1] = (uint64_t)v->operand[0];
        return;
    }
    for (unsigned i = 0; i < f->operands; i++)
        put_register(cpu, f->operand, 4 * i, v->operand[i]);
    unsigned stored = f->operands == 2 ? 1 : 0;
    if (place == IN_STORAGE)
        bare_put64(variant->bare, OPERAND,
                   (uint64_t)v->operand[stored] << (64 - kinds[f->operand].bits));
}

static bool same_bits(enum kind k, uint64_t register_half, uint128 bits)
{
    return register_half >> (64 - kinds[k].bits) == (uint64_t)bits;
}

// The elements of a vector that have a meaning: of conversions to another length the even ones.
static bool vector_right(const struct variant *variant, const struct function *f, uint128 want)
{
    struct vector_register got = variant->bare->cpu->vr[5];
    bool all = variant->form->place == VECTORS;
    if (f->result == BOOL) {
        uint64_t full = want ? UINT64_MAX : 0;
        unsigned bits = kinds[f->operand].bits;
        return got.high >> (bits == 32 ? 32 : 0) == full >> (bits == 32 ? 32 : 0) &&
               (bits != 128 || got.low == full);
    }
    if (f->result == F128)
        return got.high == (uint64_t)(want >> 64) && got.low == (uint64_t)want;
    if (!same_bits(f->result, got.high, want))
        return false;
    bool odd = kinds[f->operand].bits == 32 && f->result == F32;
    if (all && odd &&
        (!same_bits(F32, got.high << 32, want) || !same_bits(F32, got.low << 32, want)))
        return false;
    return !all || same_bits(f->result, got.low, want);
}

static bool result_right(const struct variant *variant, const struct function *f, uint128 want)
{
    const struct cpu *cpu = variant->bare->cpu;
    if (in_vectors(variant->form->place) && variant->form->code[2] == '5')
        return vector_right(variant, f, want);
    if (f->result == BOOL) // by condition code
        return (f->accepted >> (cpu->gr[5] >> 28 & 3) & 1) == want;
    if (f->to_integer)
        return (kinds[f->result].bits == 32 ? (uint32_t)cpu->gr[1] : cpu->gr[1]) == (uint64_t)want;
    unsigned r = f->operands == 3 ? 8 : 0;
    if (f->result == F128)
        return cpu->vr[r].high == (uint64_t)(want >> 64) && cpu->vr[r + 2].high == (uint64_t)want;
    return same_bits(f->result, cpu->vr[r].high, want);
}

static void show(const struct variant *variant, const struct function *f, const struct vector *v,
                 const struct outcome *want, const struct mode *mode)
{
    const struct cpu *cpu = variant->bare->cpu;
    bool vectors = in_vectors(variant->form->place);
    unsigned r = f->operands == 3 ? 8 : 0;
    printf("  %s (%s %s%s%s, FPC %08X)", variant->form->name, f->name, mode->option,
           variant->quietly ? " quietly" : "", variant->by_m3 ? " M3" : "", variant->fpc);
    for (unsigned i = 0; i < f->operands; i++)
        printf(" %016llX%016llX", (unsigned long long)(v->operand[i] >> 64),
               (unsigned long long)v->operand[i]);
    printf("\n    want %016llX%016llX flags %02X cc %d\n", (unsigned long long)(want->result >> 64),
           (unsigned long long)want->result, want->flags, want->cc);
    printf("    have %016llX %016llX GR1 %016llX FPC %08X cc %u at %llX\n",
           (unsigned long long)cpu->vr[vectors ? 5 : r].high,
           (unsigned long long)(vectors ? cpu->vr[5].low : cpu->vr[r + 2].high),
           (unsigned long long)cpu->gr[1], cpu->fpc, (unsigned)(cpu->gr[5] >> 28) & 3,
           (unsigned long long)cpu->psw.address);
}

static void run_variant(struct variant *variant, const struct function *f, const struct vector *v,
                        const struct mode *mode)
{
    struct cpu *cpu = variant->bare->cpu;
    struct outcome want = expected(f, v, variant->quietly);
    put_operands(variant, f, v);
    cpu->psw.address = CODE;
    cpu->psw.wait = false;
    cpu->fpc = variant->fpc;
    rig_run(variant->bare);
    bool vectors = in_vectors(variant->form->place);
    bool cc = vectors || want.cc < 0 || (int)(cpu->gr[5] >> 28 & 3) == want.cc;
    variant->runs++;
    if (cpu->psw.address == 0x600D && cpu->fpc == (variant->fpc | (uint32_t)want.flags << 16) &&
        cc && result_right(variant, f, want.result))
        return;
    if (variant->bad++ < 3)
        show(variant, f, v, &want, mode);
}

// --- TestFloat's lines
// ------------------------------------------------------------------------------

// Numbers in hexadecimal, blanks between them: operands, result, flags.
static bool parse(const char *line, const struct function *f, struct vector *v)
{
    uint128 values[5] = {0};
    unsigned n = 0, digits = 0;
    for (; n < 5; line++) {
        if (isxdigit((unsigned char)*line)) {
            unsigned d = *line <= '9' ? (unsigned)*line - '0' : ((unsigned)*line | 0x20) - 'a' + 10;
            values[n] = values[n] << 4 | d;
            digits++;
            continue;
        }
        n += digits > 0;
        digits = 0;
        if (*line == '\n' || *line == 0)
            break;
    }
    if (n != f->operands + 2)
        return false;
    memcpy(v->operand, values, f->operands * sizeof values[0]);
    v->result = values[f->operands];
    v->flags = (uint8_t)(values[f->operands + 1] << 3); // the same order as the FPC's
    return true;
}

struct total {
    uint64_t vectors, runs, bad;
};

static void run_mode(const char *generator, const char *options, const struct function *f,
                     const struct mode *mode, struct total *total)
{
    char command[1024], line[256];
    snprintf(command, sizeof command, "%s %s -tininessbefore %s %s %s", generator, options,
             mode->option, f->exact_option ? "-exact" : "", f->name);
    for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].function, f->name) == 0)
            add_form(&forms[i], mode);
    FILE *in = variant_count ? popen(command, "r") : NULL;
    if (!in) {
        free_variants();
        return;
    }
    uint64_t count = 0, runs = 0, bad = 0;
    while (fgets(line, sizeof line, in)) {
        struct vector v;
        if (!parse(line, f, &v)) {
            printf("  not a vector: %s", line);
            bad++;
            break;
        }
        count++;
        for (unsigned i = 0; i < variant_count; i++)
            run_variant(&variants[i], f, &v, mode);
    }
    for (unsigned i = 0; i < variant_count; i++) {
        runs += variants[i].runs;
        bad += variants[i].bad;
    }
    if (pclose(in) || !count)
        bad++;
    printf("%-4s %-18s %-14s %9llu vectors, %2u ways: %llu mismatches\n", bad ? "BAD" : "ok",
           f->name, mode->option + 2, (unsigned long long)count, variant_count,
           (unsigned long long)bad);
    fflush(stdout);
    free_variants();
    total->vectors += count;
    total->runs += runs;
    total->bad += bad;
}

static bool chosen(const char *function, char **prefixes, int count)
{
    for (int i = 0; i < count; i++)
        if (strncmp(function, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return count == 0;
}

static bool seen_before(unsigned form)
{
    for (unsigned i = 0; i < form; i++)
        if (strcmp(forms[i].function, forms[form].function) == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    char options[256] = "";
    int at = 2;
    for (; at + 1 < argc && argv[at][0] == '-'; at += 2)
        snprintf(options + strlen(options), sizeof options - strlen(options), "%s %s ", argv[at],
                 argv[at + 1]);
    if (argc < 2) {
        fprintf(stderr, "usage: %s GENERATOR [-level N] [-seed N] [-n N] [PREFIX...]\n", argv[0]);
        return 2;
    }
    struct total total = {0};
    for (unsigned i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (seen_before(i) || !chosen(forms[i].function, argv + at, argc - at))
            continue;
        struct function f = function_of(forms[i].function);
        for (unsigned m = 0; m < (f.rounds ? sizeof modes / sizeof modes[0] : 1); m++)
            run_mode(argv[1], options, &f, &modes[m], &total);
    }
    printf("%llu vectors, %llu executions, %llu mismatches\n", (unsigned long long)total.vectors,
           (unsigned long long)total.runs, (unsigned long long)total.bad);
    return total.bad || !total.vectors;
}
