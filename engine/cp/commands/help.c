// SPDX-License-Identifier: MIT
// HELP, and the coverage document: both are made from the command tables.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/commands/table.h"
#include "cp/directory.h"

void class_set_print(struct text *text, class_set classes)
{
    char letters[33];
    if (classes == CLASS_ANY) {
        text_puts(text, "Any");
        return;
    }
    class_set_format(classes, letters);
    for (size_t i = 0; letters[i]; i++)
        text_printf(text, "%s%c", i ? "," : "", letters[i]);
}

// "DEFine": the minimum in upper case, the rest in lower case.
static void print_name(struct text *text, const struct command *row)
{
    for (unsigned i = 0; row->name[i]; i++) {
        char c = row->name[i];
        if (i >= row->min && c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        text_add(text, &c, 1);
    }
}

// Breaks `words` into lines of at most 76 columns.
static void show_paragraph(struct command_call *call, const char *words)
{
    while (*words) {
        size_t n = strlen(words), cut = n;
        if (n > 76)
            for (cut = 76; cut > 0 && words[cut] != ' '; cut--)
                ;
        if (cut == 0)
            cut = n;
        call_line(call, "  %.*s", (int)cut, words);
        words += cut;
        words += strspn(words, " ");
    }
}

static void show_syntax(struct command_call *call, const char *under, const struct command *row)
{
    struct text head = {0};
    if (under)
        text_printf(&head, "%s ", under);
    print_name(&head, row);
    const char *line = row->syntax;
    do {
        size_t n = strcspn(line, "\n");
        call_line(call, "%s %.*s", text_get(&head), (int)n, line);
        line += n + (line[n] == '\n');
    } while (*line);
    text_free(&head);
}

static void show_row(struct command_call *call, const char *under, const struct command *row)
{
    struct text classes = {0};
    class_set_print(&classes, row->classes);
    show_syntax(call, under, row);
    call_line(call, "  Class: %s", text_get(&classes));
    show_paragraph(call, row->help);
    text_free(&classes);
}

static bool matches(const struct command_table *t, const char *under)
{
    return t->under == under || (t->under && under && strcmp(t->under, under) == 0);
}

// Shows every version of what `word` means under `under`; the full name, or NULL.
static const char *show_all_versions(struct command_call *call, const char *under, const char *word)
{
    const struct command *first = command_find(under, word, CLASS_ANY, true);
    if (!first)
        return NULL;
    const char *name = first->alias_of ? first->alias_of : first->name;
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; matches(t, under) && i < t->count; i++)
            if (strcmp(t->rows[i].name, name) == 0)
                show_row(call, under, &t->rows[i]);
    return name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// Names under `under` (NULL: the commands), sorted, six a line. True when there are any.
static bool list_names(struct command_call *call, const char *under)
{
    const char **names = NULL;
    size_t count = 0;
    struct text line = {0};
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; matches(t, under) && i < t->count; i++) {
            if (t->rows[i].alias_of)
                continue;
            names = mem_resize(names, count + 1, sizeof *names);
            names[count++] = t->rows[i].name;
        }
    if (count)
        qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (i && strcmp(names[i], names[i - 1]) == 0)
            continue; // another version of it
        if (line.len >= 60) {
            call_line(call, "%s", text_get(&line));
            text_clear(&line);
        }
        size_t column = line.len ? (line.len / 12 + 1) * 12 : 0;
        text_printf(&line, "%*s%s", (int)(column - line.len), "", names[i]);
    }
    if (line.len)
        call_line(call, "%s", text_get(&line));
    text_free(&line);
    free(names);
    return count > 0;
}

static int help(struct command_call *call)
{
    const char *word = call_take(call), *operand = call_take(call), *name;
    if (!word) {
        list_names(call, NULL);
        call_line(call, "HELP command [operand] tells about one of them.");
        return 0;
    }
    if (!operand) {
        name = show_all_versions(call, NULL, word);
        if (name)
            list_names(call, name);
        return name ? 0 : call_error(call, MESSAGE_unknown_command, word);
    }
    const struct command *row = command_find(NULL, word, CLASS_ANY, true);
    if (!row)
        return call_error(call, MESSAGE_unknown_command, word);
    const char *verb = row->alias_of ? row->alias_of : row->name;
    name = show_all_versions(call, verb, operand);
    if (!name)
        return call_error(call, MESSAGE_invalid_option, operand);
    struct text under = {0};
    text_printf(&under, "%s %s", verb, name); // QUERY VIRTUAL has operands of its own
    list_names(call, text_get(&under));
    text_free(&under);
    return call_end(call);
}

// Markdown has no line breaks and no bare | inside a table cell.
static void put_cell(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '|')
            fputs("\\|", out);
        else if (*s == '\n')
            fputs("` `", out);
        else
            fputc(*s, out);
    }
}

static void document_row(FILE *out, const char *under, const struct command *row)
{
    struct text name = {0}, classes = {0};
    print_name(&name, row);
    class_set_print(&classes, row->classes);
    fprintf(out, "| %s%s%s | ", under ? under : "", under ? " " : "", text_get(&name));
    if (row->syntax[0]) {
        fputc('`', out);
        put_cell(out, row->syntax);
        fputc('`', out);
    }
    fprintf(out, " | %s | ", text_get(&classes));
    put_cell(out, row->help);
    fputs(" |\n", out);
    text_free(&name);
    text_free(&classes);
}

void command_document(FILE *out)
{
    fputs("| command | operands | class | purpose |\n| --- | --- | --- | --- |\n", out);
    for (const struct command_table *t = command_tables(); t; t = t->next)
        for (unsigned i = 0; i < t->count; i++)
            if (!t->rows[i].alias_of)
                document_row(out, t->under, &t->rows[i]);
}

static const struct command rows[] = {
    {"HELP", 2, CLASS_ANY, true, help, "[command [operand]]",
     "Lists the commands, or shows the operands and the purpose of one."},
};
COMMAND_TABLE(help_commands, NULL, rows);
