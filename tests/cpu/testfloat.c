// SPDX-License-Identifier: MIT
// TestFloat's vectors through real instructions: testfloat GENERATOR [-level N] [-n N] [PREFIX...]
// GENERATOR is a testfloat_gen that the user built; PREFIX chooses functions (f32, f64_to,
// f64_mulAdd).
// Results, IEEE flags and condition codes must be as TestFloat has them, with two exceptions where
// the architecture says more than the standard: which NaN comes out, and what a conversion gives
// for a number that does not fit. Those are judged by the architecture's own rule.
#include <ctype.h>

#include "cpu/float_ways.h"

#define INEXACT 0x80000u // in the FPC: when it is on, instructions may go a shorter way

struct vector {
    uint128 operand[3], result;
    uint8_t flags; // as the FPC has them
};

static struct outcome expected(const struct function *f, const struct vector *v, bool quietly)
{
    struct outcome o = {.result = v->result, .flags = v->flags};
    if (is_nan(f->result, v->result))
        o.result = nan_that_goes_through(f, v->operand);
    if (f->to_integer && v->flags & 0x80) {
        o.result = out_of_range(f, v->operand[0]);
        o.flags |= 8; // as well: what is stored is not the source
    }
    o.cc = expected_cc(f, v->operand, o.result, o.flags);
    if (quietly)
        o.flags &= 0xF7;
    return o;
}

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

static void run_vector(struct ways *ways, const struct function *f, const struct vector *v)
{
    for (unsigned i = 0; i < ways->count; i++) {
        struct way *way = &ways->way[i];
        struct outcome want = expected(f, v, way->quietly);
        uint32_t fpc = way_fpc_mode(way);
        way_run(way, f, v->operand, fpc, &want);
        if (!in_vectors(way->form->place))
            way_run(way, f, v->operand, fpc | INEXACT, &want);
    }
}

static bool run_lines(FILE *in, struct ways *ways, const struct function *f, struct total *sum)
{
    char line[256];
    while (fgets(line, sizeof line, in)) {
        struct vector v;
        if (!parse(line, f, &v)) {
            printf("  not a vector: %s", line);
            return false;
        }
        sum->vectors++;
        run_vector(ways, f, &v);
    }
    return sum->vectors > 0;
}

static void run_mode(const char *generator, const char *options, const struct function *f,
                     const struct mode *mode, struct total *total)
{
    char command[1024];
    snprintf(command, sizeof command, "%s %s -tininessbefore %s %s %s", generator, options,
             mode->option, f->integral || f->to_integer ? "-exact" : "", f->name);
    struct ways ways;
    struct total sum = {0};
    ways_open(&ways, f->name, mode);
    FILE *in = ways.count ? popen(command, "r") : NULL;
    if (!in) { // no instruction has the mode
        ways_close(&ways);
        return;
    }
    sum.bad = !run_lines(in, &ways, f, &sum);
    sum.bad += pclose(in) != 0;
    for (unsigned i = 0; i < ways.count; i++) {
        sum.runs += ways.way[i].runs;
        sum.bad += ways.way[i].bad;
    }
    printf("%-4s %-18s %-14s %9llu vectors, %2u ways: %llu mismatches\n", sum.bad ? "BAD" : "ok",
           f->name, mode->option + 2, (unsigned long long)sum.vectors, ways.count,
           (unsigned long long)sum.bad);
    fflush(stdout);
    ways_close(&ways);
    total->vectors += sum.vectors;
    total->runs += sum.runs;
    total->bad += sum.bad;
}

static bool chosen(const char *function, char **prefixes, int count)
{
    for (int i = 0; i < count; i++) {
        size_t n = strlen(prefixes[i]);
        if (strncmp(function, prefixes[i], n) == 0 && (function[n] == 0 || function[n] == '_'))
            return true;
    }
    return count == 0;
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
    for (unsigned i = 0; i < FORMS; i++) {
        struct function f = function_of(forms[i].function);
        if (f.ours || form_repeats(i) || !chosen(f.name, argv + at, argc - at))
            continue;
        for (unsigned m = 0; m < (f.rounds ? FLOAT_MODES : 1); m++)
            run_mode(argv[1], options, &f, &float_modes[m], &total);
    }
    printf("%llu vectors, %llu executions, %llu mismatches\n", (unsigned long long)total.vectors,
           (unsigned long long)total.runs, (unsigned long long)total.bad);
    return total.bad || !total.vectors;
}
