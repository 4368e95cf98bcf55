// SPDX-License-Identifier: MIT
// segment *MONITOR {DISK [fn [ft [fm]]] | TAPE [vdev]} [CLOSE n|HOUR|DAY] [SUBINT]
#include "monitor/monwrite_options.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cp/command.h"

#define WORDS 16

// A CMS file name: 1 to 8 letters, digits and $ # @ + - _. No other character reaches the host.
static bool is_file_name(const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i < n; i++)
        if (!isalnum((unsigned char)word[i]) && !strchr("$#@+-_", word[i]))
            return false;
    return n >= 1 && n <= 8;
}

static bool is_file_mode(const char *word)
{
    return isalpha((unsigned char)word[0]) &&
           (word[1] == '\0' || (isdigit((unsigned char)word[1]) && word[2] == '\0'));
}

static bool is_option(const char *word)
{
    return strcmp(word, "CLOSE") == 0 || strcmp(word, "SUBINT") == 0;
}

static bool parse_close(struct monwrite_options *o, const char *when)
{
    uint64_t minutes;
    if (!when)
        return false;
    if (strcmp(when, "DAY") == 0)
        o->close = CLOSE_DAY;
    else if (strcmp(when, "HOUR") == 0)
        o->close = CLOSE_HOUR;
    else if (text_to_u64(when, 10, 1440, &minutes) && minutes > 0) {
        o->close = CLOSE_MINUTES;
        o->close_minutes = (unsigned)minutes;
    } else
        return false;
    return true;
}

// Takes file name, type and mode as far as they are there; the word that is wrong, or NULL.
static const char *parse_file(struct monwrite_options *o, char *const *word, unsigned words,
                              unsigned *next)
{
    char *const targets[] = {o->fn, o->ft};
    for (unsigned i = 0; i < 3 && *next < words && !is_option(word[*next]); i++) {
        const char *w = word[(*next)++];
        if (i < 2 ? !is_file_name(w) : !is_file_mode(w))
            return w;
        if (i < 2)
            snprintf(targets[i], 9, "%s", w);
    }
    return NULL;
}

#define TAPE_USUAL 0x0181u

static const char *parse_tape(struct monwrite_options *o, char *const *word, unsigned words,
                              unsigned *next)
{
    o->tape = TAPE_USUAL;
    if (*next == words || is_option(word[*next]))
        return NULL;
    return parse_vdev(word[*next], &o->tape) && o->tape ? (++*next, NULL) : word[*next];
}

static const char *parse_options(struct monwrite_options *o, char *const *word, unsigned words,
                                 unsigned next)
{
    while (next < words) {
        const char *w = word[next++];
        if (strcmp(w, "SUBINT") == 0)
            o->subint = true;
        else if (strcmp(w, "CLOSE") != 0 || !parse_close(o, next < words ? word[next] : NULL))
            return w;
        else
            next++;
    }
    return NULL;
}

int monwrite_options_parse(struct monwrite_options *o, const char *operands, struct response *out)
{
    char line[256], *word[WORDS + 1], *save = NULL;
    unsigned words = 0, next = 3;
    *o = (struct monwrite_options){0};
    snprintf(line, sizeof line, "%s", operands);
    text_upper(line);
    for (char *w = strtok_r(line, " ()", &save); w && words < WORDS;
         w = strtok_r(NULL, " ()", &save))
        word[words++] = w;
    if (words < 3)
        return message_send(out, MESSAGE_monwrite_missing);
    bool tape = strcmp(word[2], "TAPE") == 0;
    if (!is_file_name(word[0]) || strcmp(word[1], "*MONITOR") != 0 ||
        (!tape && strcmp(word[2], "DISK") != 0))
        return message_send(out, MESSAGE_monwrite_options,
                            !is_file_name(word[0])             ? word[0]
                            : strcmp(word[1], "*MONITOR") != 0 ? word[1]
                                                               : word[2]);
    snprintf(o->segment, sizeof o->segment, "%s", word[0]);
    const char *wrong =
        tape ? parse_tape(o, word, words, &next) : parse_file(o, word, words, &next);
    if (!wrong)
        wrong = parse_options(o, word, words, next);
    return wrong ? message_send(out, MESSAGE_monwrite_options, wrong) : 0;
}
