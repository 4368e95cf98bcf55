// SPDX-License-Identifier: MIT
// Cuts SYSTEM CONFIG and USER DIRECT into statements of words, and gathers line-numbered errors.
// Inside CP only.
#ifndef ENDICOTT_CP_STATEMENT_H
#define ENDICOTT_CP_STATEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

#define STATEMENT_WORDS 128

struct statement_source {
    const char *name, *text; // the file's name for messages, and what is left of it
    unsigned line;           // of the next record
    bool c_comments;         // SYSTEM CONFIG: /* */; USER DIRECT: * at the start of a record
    struct text *errors;
    unsigned error_count;
};

// One statement. Words are upper case; `raw` is the statement as written, continuations joined.
struct statement {
    unsigned line; // where it starts
    char *raw;
    char *folded;                          // holds the words
    const char *word[STATEMENT_WORDS + 1]; // [words] is NULL
    const char *raw_word[STATEMENT_WORDS];
    unsigned words, next;
};

// Reads the next statement; false at the end. Free each with statement_free().
bool statement_read(struct statement_source *source, struct statement *st);
void statement_free(struct statement *st);

// "file:line: text" with the line of `st`.
void statement_error(struct statement_source *source, const struct statement *st, const char *fmt,
                     ...) __attribute__((format(printf, 3, 4)));

// Operand access: the next word or NULL; consume it; consume it if it is that keyword.
const char *statement_peek(const struct statement *st);
const char *statement_take(struct statement *st);
bool statement_keyword(struct statement *st, const char *full, unsigned min);
// The text from the next operand to the end, as written.
const char *statement_rest(const struct statement *st);
// These give an error and return false when the next operand is not such a thing.
bool statement_vdev(struct statement_source *source, struct statement *st, uint16_t *vdev);
bool statement_name(struct statement_source *source, struct statement *st, const char *what,
                    char *out, unsigned size);
bool statement_number(struct statement_source *source, struct statement *st, const char *what,
                      uint64_t min, uint64_t max, uint64_t *value);
// Error when operands are left.
bool statement_end(struct statement_source *source, struct statement *st);

#endif
