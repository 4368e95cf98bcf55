// SPDX-License-Identifier: MIT
// Test scripts: lines, comments, symbols, included scripts and conditionals.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "machine/tst_internal.h"

#define MAX_DEPTH      8
#define MAX_CONDITIONS 60

char *tst_read(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    struct text text = {0};
    char buffer[4096];
    size_t n;

    if (!in)
        return NULL;
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0)
        text_add(&text, buffer, n);
    bool ok = !ferror(in);
    fclose(in);
    *size = text.len;
    if (ok)
        return text.s ? text.s : mem_string("");
    text_free(&text);
    return NULL;
}

static struct tst_symbol *find(const struct tst *tst, const char *name, size_t n)
{
    for (size_t i = 0; i < tst->symbol_count; i++)
        if (strlen(tst->symbols[i].name) == n && !memcmp(tst->symbols[i].name, name, n))
            return &tst->symbols[i];
    return NULL;
}

const char *tst_symbol(const struct tst *tst, const char *name)
{
    const struct tst_symbol *symbol = find(tst, name, strlen(name));
    return symbol ? symbol->value : NULL;
}

void tst_define(struct tst *tst, const char *name, const char *value)
{
    struct tst_symbol *symbol = find(tst, name, strlen(name));

    if (!symbol) {
        tst->symbols = mem_resize(tst->symbols, tst->symbol_count + 1, sizeof *symbol);
        symbol = &tst->symbols[tst->symbol_count++];
        *symbol = (struct tst_symbol){.name = mem_string(name)};
    }
    char *copy = mem_string(value); // `value` may be the old one
    free(symbol->value);
    symbol->value = copy;
}

// A copy of the line with $(name) replaced; what is not defined stays.
static char *substitute(const struct tst *tst, const char *line)
{
    struct text out = {0};

    while (*line) {
        const char *end = line[0] == '$' && line[1] == '(' ? strchr(line, ')') : NULL;
        const struct tst_symbol *symbol =
            end ? find(tst, line + 2, (size_t)(end - line - 2)) : NULL;
        if (symbol) {
            text_puts(&out, symbol->value);
            line = end + 1;
        } else {
            text_add(&out, line++, 1);
        }
    }
    return out.s ? out.s : mem_string("");
}

// Cuts a comment (# up to the end, outside of quotes) and blanks at both ends.
static char *trim(char *line)
{
    bool quoted = false;

    while (isspace((unsigned char)*line))
        line++;
    for (char *p = line; *p; p++) {
        if (*p == '"')
            quoted = !quoted;
        if (*p == '#' && !quoted)
            *p = '\0';
        if (!*p)
            break;
    }
    for (size_t n = strlen(line); n && isspace((unsigned char)line[n - 1]); n--)
        line[n - 1] = '\0';
    return line;
}

static bool taken(const struct tst *tst)
{
    return tst->conditions == (UINT64_C(1) << tst->condition_depth) - 1;
}

// A value of an expression: $name is a fact about the machine, 0 when nobody knows it.
static const char *value_of(const char *word)
{
    static const char *const facts[][2] = {
        {"$ptrsize", "8"},         {"$platform", "Linux"},     {"$can_zarch_mode", "1"},
        {"$can_esa390_mode", "1"}, {"$max_cpu_engines", "64"}, {"$ZLIB", "1"},
        {"$HET_BZIP2", "1"},
    };
    if (word[0] != '$')
        return word;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        if (!strcmp(word, facts[i][0]))
            return facts[i][1];
    return "0";
}

static bool compare(const char *a, const char *op, const char *b)
{
    int order = isdigit((unsigned char)a[0]) && isdigit((unsigned char)b[0])
                    ? (atol(a) > atol(b)) - (atol(a) < atol(b))
                    : strcmp(a, b);
    switch (op[0]) {
    case '=':
        return order == 0;
    case '>':
        return order > 0;
    case '<':
        return order < 0;
    default: // \=
        return order != 0;
    }
}

// [\]VALUE or VALUE OPERATOR VALUE.
static bool evaluate(char *expression)
{
    char *save, *word[3] = {0};
    bool negative = expression[0] == '\\';

    word[0] = strtok_r(expression + negative, " \t\"", &save);
    for (int i = 1; i < 3 && word[i - 1]; i++)
        word[i] = strtok_r(NULL, " \t\"", &save);
    if (!word[0])
        return false;
    if (!word[2])
        return (strcmp(value_of(word[0]), "0") != 0) != negative;
    return compare(value_of(word[0]), word[1], value_of(word[2]));
}

// *If, *Else and *Fi; true when the line was one.
static bool conditional(struct tst *tst, char *line)
{
    uint64_t bit = tst->condition_depth ? UINT64_C(1) << (tst->condition_depth - 1) : 0;

    if (!strncmp(line, "*If ", 4)) {
        if (tst->condition_depth == MAX_CONDITIONS) {
            tst_wrong(tst, "conditions nested too deep");
            return true;
        }
        if (evaluate(line + 4))
            tst->conditions |= UINT64_C(1) << tst->condition_depth;
        tst->condition_depth++;
    } else if (!strcmp(line, "*Else")) {
        tst->conditions ^= bit;
    } else if (!strcmp(line, "*Fi")) {
        tst->conditions &= ~bit;
        tst->condition_depth -= tst->condition_depth > 0;
    } else {
        return false;
    }
    return true;
}

static void one_line(struct tst *tst, const char *text)
{
    char *copy = substitute(tst, text);
    char *line = trim(copy);

    if (line[0] == '-')
        line++;
    if (!conditional(tst, line) && taken(tst)) {
        if (line[0] == '*' && line[1] && !isspace((unsigned char)line[1]))
            tst_directive(tst, line);
        else if (line[0] && line[0] != '*')
            tst_command(tst, line);
    }
    free(copy);
}

void tst_lines(struct tst *tst, const char *text)
{
    unsigned outer = tst->line;

    tst->line = 0;
    while (*text) {
        size_t n = strcspn(text, "\r\n");
        char *line = mem_alloc(n + 1);
        memcpy(line, text, n);
        line[n] = '\0';
        tst->line += text[n] != '\r';
        one_line(tst, line);
        free(line);
        text += n + (text[n] != '\0');
    }
    tst->line = outer;
}

int tst_include(struct tst *tst, const char *path)
{
    size_t n;
    char *text = tst->depth < MAX_DEPTH ? tst_read(path, &n) : NULL;

    if (!text)
        return -1;
    tst->depth++;
    tst_lines(tst, text);
    tst->depth--;
    free(text);
    return 0;
}

void tst_run_text(const char *text, const char *name, const char *folder,
                  const struct cpu_model *model, double limit, FILE *out, struct tst_totals *totals)
{
    struct tst *tst = mem_zero(1, sizeof *tst);

    tst->name = name;
    tst->folder = mem_string(folder);
    tst->limit = limit;
    tst->model = model;
    tst->out = out;
    tst->totals = totals;
    tst_define(tst, "testpath", folder);
    tst_open(tst);
    tst_lines(tst, text);
    tst_case_done(tst, true);
    tst_end(tst);
    tst_close(tst);
    for (size_t i = 0; i < tst->symbol_count; i++) {
        free(tst->symbols[i].name);
        free(tst->symbols[i].value);
    }
    free(tst->symbols);
    free(tst->folder);
    free(tst);
}

// Longest run that a script may ask for: those that say more only allow for slow machines.
#define LIMIT 30.0

int tst_run_file(const char *path, const struct cpu_model *model, FILE *out,
                 struct tst_totals *totals, char **error)
{
    size_t n;
    char *text = tst_read(path, &n);
    const char *slash = strrchr(path, '/');

    if (!text) {
        struct text message = {0};
        text_printf(&message, "%s: cannot be read", path);
        *error = message.s;
        return -1;
    }
    char *folder = mem_string(slash ? path : ".");
    if (slash)
        folder[slash - path] = '\0';
    tst_run_text(text, slash ? slash + 1 : path, folder, model, LIMIT, out, totals);
    free(folder);
    free(text);
    return 0;
}
