// SPDX-License-Identifier: MIT
// Compiling and evaluating the expressions of report columns.
#include "monitor/report_expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct parser {
    const char *at;
    unsigned record;
    struct report_terms *terms;
    struct report_expression *out;
    bool bad;
};

static void emit(struct parser *p, char op, double number, unsigned term)
{
    struct report_expression *e = p->out;
    if (e->steps == EXPRESSION_OPERATIONS) {
        p->bad = true;
        return;
    }
    e->step[e->steps].op = op;
    e->step[e->steps].number = number;
    e->step[e->steps++].term = term;
}

static void skip_blanks(struct parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

static bool accept(struct parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c)
        return false;
    p->at++;
    return true;
}

static unsigned add_term(struct report_terms *terms, struct report_term term)
{
    for (unsigned i = 0; i < terms->count; i++)
        if (terms->term[i].kind == term.kind && terms->term[i].field == term.field)
            return i;
    if (terms->count == terms->cap) {
        terms->cap = terms->cap ? 2 * terms->cap : 16;
        terms->term = mem_resize(terms->term, terms->cap, sizeof *terms->term);
    }
    terms->term[terms->count] = term;
    return terms->count++;
}

// DdRr. before a name; the block's own record without it. False when the tables do not know it.
static bool parse_record(struct parser *p, unsigned *record)
{
    char *end;
    *record = p->record;
    if (*p->at != 'D' || !isdigit((unsigned char)p->at[1]))
        return true;
    unsigned long domain = strtoul(p->at + 1, &end, 10);
    if (*end != 'R')
        return true;
    unsigned long number = strtoul(end + 1, &end, 10);
    if (*end != '.')
        return true;
    p->at = end + 1;
    const struct record_layout *layout = record_layout((unsigned)domain, (unsigned)number);
    *record = layout ? (unsigned)(layout - record_layouts) : RECORD_COUNT;
    return layout != NULL;
}

static const struct record_field *field_of(unsigned record, const char *name, size_t n)
{
    const struct record_layout *layout = &record_layouts[record];
    for (unsigned i = 0; i < layout->field_count; i++) {
        const struct record_field *f = &layout->fields[i];
        if (f->type != FIELD_RESERVED && strlen(f->name) == n && memcmp(f->name, name, n) == 0)
            return f;
    }
    return NULL;
}

static void parse_field(struct parser *p, enum term_kind kind)
{
    unsigned record;
    bool known = parse_record(p, &record);
    const char *name = p->at;
    while (isalnum((unsigned char)*p->at) || *p->at == '_')
        p->at++;
    const struct record_field *field =
        known ? field_of(record, name, (size_t)(p->at - name)) : NULL;
    if (field)
        emit(p, '@', 0, add_term(p->terms, (struct report_term){kind, record, field}));
    else
        emit(p, '?', 0, 0);
    p->bad = p->bad || p->at == name || !accept(p, ')');
}

static void parse_alternative(struct parser *p);

static void parse_primary(struct parser *p)
{
    static const char kinds[] = "dvbcna";
    skip_blanks(p);
    const char *kind = *p->at ? strchr(kinds, *p->at) : NULL;
    if (accept(p, '(')) {
        parse_alternative(p);
        p->bad = p->bad || !accept(p, ')');
    } else if (kind && p->at[1] == '(') {
        p->at += 2;
        parse_field(p, (enum term_kind)(kind - kinds));
    } else if (*p->at == 't' || *p->at == 'T') {
        emit(p, *p->at++, 0, 0);
    } else if (isdigit((unsigned char)*p->at)) {
        char *end;
        double number = strtod(p->at, &end);
        p->at = end;
        emit(p, '#', number, 0);
    } else {
        p->bad = true;
    }
}

static void parse_product(struct parser *p)
{
    parse_primary(p);
    while (!p->bad) {
        if (accept(p, '*')) {
            parse_primary(p);
            emit(p, '*', 0, 0);
        } else if (accept(p, '/')) {
            parse_primary(p);
            emit(p, '/', 0, 0);
        } else {
            return;
        }
    }
}

static void parse_sum(struct parser *p)
{
    parse_product(p);
    while (!p->bad) {
        if (accept(p, '+')) {
            parse_product(p);
            emit(p, '+', 0, 0);
        } else if (accept(p, '-')) {
            parse_product(p);
            emit(p, '-', 0, 0);
        } else {
            return;
        }
    }
}

static void parse_alternative(struct parser *p)
{
    parse_sum(p);
    while (!p->bad && accept(p, '|')) {
        parse_sum(p);
        emit(p, '|', 0, 0);
    }
}

bool expression_compile(const char *text, unsigned record, struct report_terms *terms,
                        struct report_expression *out)
{
    struct parser p = {text, record, terms, out, false};
    out->steps = 0;
    parse_alternative(&p);
    skip_blanks(&p);
    return !p.bad && *p.at == '\0';
}

static double apply(char op, double a, double b)
{
    switch (op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return b != 0 ? a / b : (double)NAN;
    default:
        return isnan(a) ? b : a;
    }
}

double expression_value(const struct report_expression *e, const double *value, const bool *there,
                        double t, double elapsed)
{
    double stack[EXPRESSION_OPERATIONS];
    unsigned n = 0;
    for (unsigned i = 0; i < e->steps; i++) {
        unsigned term = e->step[i].term;
        switch (e->step[i].op) {
        case '#':
            stack[n++] = e->step[i].number;
            break;
        case '@':
            stack[n++] = there[term] ? value[term] : (double)NAN;
            break;
        case 't':
            stack[n++] = t;
            break;
        case 'T':
            stack[n++] = elapsed;
            break;
        case '?':
            stack[n++] = (double)NAN;
            break;
        default: // the compiler sees to it that there are two
            n--;
            stack[n - 1] = apply(e->step[i].op, stack[n - 1], stack[n]);
        }
    }
    return n ? stack[0] : (double)NAN;
}
