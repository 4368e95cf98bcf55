// SPDX-License-Identifier: MIT
// Test scripts: the directives, which say what has to come out, and the report of a case.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/tst_internal.h"

void tst_wrong(struct tst *tst, const char *fmt, ...)
{
    va_list ap;

    text_printf(&tst->now.problems, "# line %u: ", tst->line);
    va_start(ap, fmt);
    text_vprintf(&tst->now.problems, fmt, ap);
    va_end(ap);
    text_puts(&tst->now.problems, "\n");
}

// The first reason is the one reported.
void tst_skip(struct tst *tst, const char *fmt, ...)
{
    va_list ap;

    if (tst->now.skip.len)
        return;
    va_start(ap, fmt);
    text_vprintf(&tst->now.skip, fmt, ap);
    va_end(ap);
}

static void case_free(struct tst_case *now)
{
    free(now->name);
    text_free(&now->problems);
    text_free(&now->skip);
    text_free(&now->said);
    *now = (struct tst_case){0};
}

static void report(struct tst *tst)
{
    struct tst_case *now = &tst->now;
    struct tst_totals *totals = tst->totals;
    unsigned number = totals->passed + totals->failed + totals->skipped + 1;
    bool failed = now->problems.len && !now->skip.len;

    fprintf(tst->out, "%sok %u - %s: %s%s%s\n", failed ? "not " : "", number, tst->name,
            now->name ? now->name : "no name", now->skip.len ? " # SKIP " : "",
            text_get(&now->skip));
    if (now->skip.len)
        totals->skipped++;
    else if (failed)
        totals->failed++;
    else
        totals->passed++;
    if (failed)
        fprintf(tst->out, "%s%s", text_get(&now->problems), text_get(&now->said));
    case_free(now);
}

void tst_case_done(struct tst *tst, bool must_wait)
{
    if (!tst->now.open)
        return;
    if (must_wait && !tst->now.waits)
        tst_wrong(tst, "no run ended in a disabled wait");
    report(tst);
}

void tst_end(struct tst *tst)
{
    if (tst->now.problems.len)
        report(tst);
    else
        case_free(&tst->now);
}

static void begin(struct tst *tst, char *operand)
{
    tst_case_done(tst, true);
    struct tst_case *now = &tst->now;
    now->open = true;
    now->name = mem_string(operand);
    if (tst->s370)
        tst_skip(tst, "S/370 mode");
    tst->shown[0] = '\0';
    tst->key = -1;
}

static void done(struct tst *tst, char *operand)
{
    tst_case_done(tst, strcmp(operand, "nowait") != 0);
}

static void program(struct tst *tst, char *operand)
{
    tst->now.expect_program = true;
    tst->now.expected = strtoul(operand, NULL, 16);
}

static void timeout(struct tst *tst, char *operand)
{
    (void)operand;
    tst->now.expect_timeout = true;
}

// The last line displayed, without the text in quotes that explains it. How many blanks there are
// does not matter.
static void want(struct tst *tst, char *operand)
{
    char wanted[sizeof tst->shown];
    size_t n = 0;
    char *end = operand[0] == '"' ? strchr(operand + 1, '"') : NULL;

    if (end)
        operand = end + 1;
    for (; *operand && n + 1 < sizeof wanted; operand++) {
        if (!isspace((unsigned char)*operand))
            wanted[n++] = (char)toupper((unsigned char)*operand);
        else if (n && wanted[n - 1] != ' ')
            wanted[n++] = ' ';
    }
    n -= n && wanted[n - 1] == ' ';
    wanted[n] = '\0';
    if (strcmp(wanted, tst->shown) != 0)
        tst_wrong(tst, "storage is %s, wanted %s", tst->shown, wanted);
}

static void check_value(struct tst *tst, const char *what, uint64_t is, uint64_t wanted)
{
    if (tst->arch == ARCH_ESA390 && what[0] != 'F')
        is &= UINT32_MAX;
    if (is != wanted)
        tst_wrong(tst, "%s is %016llX, wanted %016llX", what, (unsigned long long)is,
                  (unsigned long long)wanted);
}

// Reads "N HEX"; false (and the case is wrong) when that is not there.
static bool register_and_value(struct tst *tst, char *operand, unsigned *number, uint64_t *value)
{
    char *save, *first = strtok_r(operand, " \t", &save), *second = strtok_r(NULL, " \t", &save);
    uint64_t n;

    if (first && second && text_to_u64(first, 10, 15, &n) &&
        text_to_u64(second, 16, UINT64_MAX, value)) {
        *number = (unsigned)n;
        return true;
    }
    tst_wrong(tst, "not a register and its value");
    return false;
}

static void gpr(struct tst *tst, char *operand)
{
    unsigned n;
    uint64_t value;
    char what[16];

    if (!register_and_value(tst, operand, &n, &value))
        return;
    snprintf(what, sizeof what, "GR%u", n);
    check_value(tst, what, tst_cpu(tst)->gr[n], value);
}

static void fpr(struct tst *tst, char *operand)
{
    unsigned n;
    uint64_t value;
    char what[16];

    if (!register_and_value(tst, operand, &n, &value))
        return;
    snprintf(what, sizeof what, "FPR%u", n);
    check_value(tst, what, tst_cpu(tst)->vr[n].high, value);
}

static void cr(struct tst *tst, char *operand)
{
    unsigned n;
    uint64_t value;
    char what[16];

    if (!register_and_value(tst, operand, &n, &value))
        return;
    snprintf(what, sizeof what, "CR%u", n);
    check_value(tst, what, tst_cpu(tst)->cr[n], value);
}

static void prefix(struct tst *tst, char *operand)
{
    check_value(tst, "prefix", tst_cpu(tst)->prefix, strtoull(operand, NULL, 16));
}

static void key(struct tst *tst, char *operand)
{
    long wanted = strtol(operand, NULL, 16);

    if (tst->key != wanted)
        tst_wrong(tst, "key is %02X, wanted %02lX", (unsigned)tst->key & 0xFF,
                  (unsigned long)wanted);
}

static void nothing(struct tst *tst, char *operand)
{
    (void)tst;
    (void)operand;
}

static void console_message(struct tst *tst, char *operand)
{
    (void)operand;
    tst_skip(tst, "checks messages of another console");
}

void tst_directive(struct tst *tst, char *line)
{
    static const struct {
        const char *name;
        void (*fn)(struct tst *tst, char *operand);
    } table[] = {
        {"*Testcase", begin},
        {"*Done", done},
        {"*Program", program},
        {"*Timeout", timeout},
        {"*Want", want},
        {"*Gpr", gpr},
        {"*Fpr", fpr},
        {"*Cr", cr},
        {"*Prefix", prefix},
        {"*Key", key},
        {"*Compare", nothing},
        {"*Message", nothing},
        {"*Explain", nothing},
        {"*Error", console_message},
        {"*Info", console_message},
        {"*Hmsg", console_message},
    };
    size_t n = strcspn(line, " \t");
    char *operand = line + n + strspn(line + n, " \t");

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strlen(table[i].name) == n && !strncmp(line, table[i].name, n)) {
            table[i].fn(tst, operand);
            return;
        }
    }
    // Rows of asterisks and the like are comments.
    if (isalpha((unsigned char)line[1]))
        tst_skip(tst, "directive %.*s", (int)n, line);
}
