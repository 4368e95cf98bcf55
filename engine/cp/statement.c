// SPDX-License-Identifier: MIT
#include "cp/statement.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// Appends one record to `raw` without comments and trailing blanks; takes it from the source.
static void record_read(struct statement_source *source, bool *in_comment, struct text *raw)
{
    const char *s = source->text;
    size_t n = strcspn(s, "\n");
    size_t from = raw->len;

    for (size_t i = 0; i < n; i++) {
        if (*in_comment) {
            if (s[i] == '*' && i + 1 < n && s[i + 1] == '/') {
                *in_comment = false;
                i++;
            }
        } else if (source->c_comments && s[i] == '/' && i + 1 < n && s[i + 1] == '*') {
            *in_comment = true;
            i++;
        } else {
            char c = isspace((unsigned char)s[i]) ? ' ' : s[i];
            text_add(raw, &c, 1);
        }
    }
    while (raw->len > from && raw->s[raw->len - 1] == ' ')
        raw->s[--raw->len] = '\0';
    source->text += n;
    if (*source->text)
        source->text++;
    source->line++;
}

static bool comment_record(const struct statement_source *source)
{
    const char *s = source->text;
    return !source->c_comments && s[strspn(s, " \t")] == '*';
}

static void skip_record(struct statement_source *source)
{
    source->text += strcspn(source->text, "\n");
    if (*source->text)
        source->text++;
    source->line++;
}

static void cut_words(struct statement_source *source, struct statement *st)
{
    char *s = st->folded;

    st->words = st->next = 0;
    for (;;) {
        s += strspn(s, " ");
        if (!*s)
            break;
        if (st->words == STATEMENT_WORDS) {
            statement_error(source, st, "statement has more than %u words", STATEMENT_WORDS);
            break;
        }
        size_t n = *s == '"' && strchr(s + 1, '"') ? (size_t)(strchr(s + 1, '"') - s) + 1
                                                   : strcspn(s, " ");
        st->raw_word[st->words] = st->raw + (s - st->folded);
        st->word[st->words++] = s;
        s += n;
        if (*s)
            *s++ = '\0';
    }
    st->word[st->words] = NULL;
}

bool statement_read(struct statement_source *source, struct statement *st)
{
    struct text raw = {0};
    bool in_comment = false;

    *st = (struct statement){0};
    while (*source->text) {
        if (!raw.len && comment_record(source)) {
            skip_record(source);
            continue;
        }
        if (!raw.len && !in_comment)
            st->line = source->line;
        record_read(source, &in_comment, &raw);
        if (raw.len && raw.s[raw.len - 1] == ',' && *source->text) {
            raw.s[raw.len - 1] = ' ';
            continue;
        }
        if (in_comment && *source->text)
            continue;
        if (raw.len && raw.s[strspn(raw.s, " ")])
            break;
        text_clear(&raw);
    }
    if (in_comment)
        statement_error(source, st, "comment is not closed");
    if (!raw.len || !raw.s[strspn(raw.s, " ")]) {
        text_free(&raw);
        return false;
    }
    st->raw = raw.s;
    st->folded = mem_string(raw.s);
    text_upper(st->folded);
    cut_words(source, st);
    return true;
}

void statement_free(struct statement *st)
{
    free(st->raw);
    free(st->folded);
    st->raw = st->folded = NULL;
}

void statement_error(struct statement_source *source, const struct statement *st, const char *fmt,
                     ...)
{
    va_list ap;

    source->error_count++;
    if (!source->errors)
        return;
    text_printf(source->errors, "%s:%u: ", source->name, st->line);
    va_start(ap, fmt);
    text_vprintf(source->errors, fmt, ap);
    va_end(ap);
    text_puts(source->errors, "\n");
}

const char *statement_peek(const struct statement *st)
{
    return st->next < st->words ? st->word[st->next] : NULL;
}

const char *statement_take(struct statement *st)
{
    return st->next < st->words ? st->word[st->next++] : NULL;
}

bool statement_keyword(struct statement *st, const char *full, unsigned min)
{
    const char *word = statement_peek(st);
    if (!word || !text_abbreviates(word, full, min))
        return false;
    st->next++;
    return true;
}

const char *statement_rest(const struct statement *st)
{
    return st->next < st->words ? st->raw_word[st->next] : "";
}

bool statement_vdev(struct statement_source *source, struct statement *st, uint16_t *vdev)
{
    const char *word = statement_take(st);
    uint64_t value;

    if (!word) {
        statement_error(source, st, "%s: device number is missing", st->word[0]);
        return false;
    }
    if (strlen(word) > 4 || !text_to_u64(word, 16, 0xFFFF, &value)) {
        statement_error(source, st, "%s: %s is not a device number", st->word[0], word);
        return false;
    }
    *vdev = (uint16_t)value;
    return true;
}

bool statement_name(struct statement_source *source, struct statement *st, const char *what,
                    char *out, unsigned size)
{
    const char *word = statement_take(st);

    if (!word) {
        statement_error(source, st, "%s: %s is missing", st->word[0], what);
        return false;
    }
    if (strlen(word) >= size) {
        statement_error(source, st, "%s: %s is longer than %u characters: %s", st->word[0], what,
                        size - 1, word);
        return false;
    }
    memset(out, 0, size);
    memcpy(out, word, strlen(word));
    return true;
}

bool statement_number(struct statement_source *source, struct statement *st, const char *what,
                      uint64_t min, uint64_t max, uint64_t *value)
{
    const char *word = statement_take(st);

    if (!word) {
        statement_error(source, st, "%s: %s is missing", st->word[0], what);
        return false;
    }
    if (!text_to_u64(word, 10, max, value) || *value < min) {
        statement_error(source, st, "%s: %s must be a number from %llu to %llu, not %s",
                        st->word[0], what, (unsigned long long)min, (unsigned long long)max, word);
        return false;
    }
    return true;
}

bool statement_end(struct statement_source *source, struct statement *st)
{
    if (st->next >= st->words)
        return true;
    statement_error(source, st, "%s: unexpected operand %s", st->word[0], st->word[st->next]);
    return false;
}
