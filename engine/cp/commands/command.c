// SPDX-License-Identifier: MIT
// From a line to a handler: separate the commands, fold and cut each into words, find the row its
// first word abbreviates among those the issuer's classes allow.
#include "cp/command.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"
#include "cp/vm_console.h"

static void cut_words(struct command_call *call, char *upper, const char *raw)
{
    char *p = upper;
    while (*p) {
        while (*p == ' ')
            *p++ = '\0';
        if (!*p)
            return;
        call->raw_word[call->words] = raw + (p - upper);
        call->word[call->words++] = p;
        if (call->words == COMMAND_WORDS - 1)
            return; // the rest stays one word with blanks in it, which no operand parser accepts
        while (*p && *p != ' ')
            p++;
    }
}

// The command word becomes words' predecessor: call->word[0] is the first operand.
static void drop_first_word(struct command_call *call)
{
    memmove(call->word, call->word + 1, call->words * sizeof *call->word);
    memmove(call->raw_word, call->raw_word + 1, call->words * sizeof *call->raw_word);
    call->words--;
}

static int not_found(struct command_call *call, const char *word)
{
    if (!call->vm)
        return call_error(call, MESSAGE_before_logon, word);
    return call_error(call, MESSAGE_unknown_command, word);
}

static int run_words(struct command_call *call)
{
    const char *name = call->word[0];
    const struct command *row = command_find(NULL, name, call->classes, call->vm != NULL);
    if (!row)
        return not_found(call, name);
    drop_first_word(call);
    call->command = row;
    call->version = row->classes & call->classes;
    call->raw_operands = call_rest_raw(call);
    return row->run(call);
}

static void blank_controls(char *line)
{
    for (; *line; line++)
        if ((unsigned char)*line < ' ' || *line == 0x7F)
            *line = ' ';
}

// More than any console line or DIAGNOSE X'08' buffer holds; bounds how deep CP, SILENTLY and FOR
// can nest.
#define COMMAND_LINE_MAX 2048

static int execute_one(struct cp *cp, struct vm *vm, struct terminal *terminal, const char *line,
                       struct response *out)
{
    if (strlen(line) > COMMAND_LINE_MAX)
        return message_send(out, MESSAGE_data_missing);
    char *raw = mem_string(line), *upper;
    blank_controls(raw);
    upper = mem_string(raw);
    text_upper(upper);
    struct command_call call = {
        .cp = cp,
        .vm = vm,
        .terminal = terminal,
        .classes = vm ? vm->classes : 0,
        .out = out,
        .raw = raw,
    };
    out->rc = 0;
    out->message_id[0] = '\0';
    cut_words(&call, upper, raw);
    if (call.words > 0 && call.word[0][0] != '*') {
        LOG(CP, "%s: %s", vm ? vm->userid : "(logo)", raw);
        cp_notify(cp, CP_EVENT_COMMAND, vm, NULL, raw);
        out->rc = run_words(&call);
    }
    free(upper);
    free(raw);
    return out->rc;
}

static bool still_logged_on(const struct cp *cp, const struct vm *vm, uint64_t vmdbk)
{
    for (const struct vm *v = cp->users; v; v = v->next)
        if (v == vm)
            return v->vmdbk == vmdbk;
    return false;
}

// Does `p` begin with the line-editing character `c` ("" = OFF)? Its length, or 0.
static size_t begins(const char *p, const char *c)
{
    size_t n = strlen(c);
    return n && strncmp(p, c, n) == 0 ? n : 0;
}

// Copies one command out of *line, up to a newline or the LINEND character, and moves *line behind
// it. The escape character keeps the next one from separating.
static char *next_command(const char **line, const struct terminal_settings *editing)
{
    struct text one = {0};
    const char *p = *line;
    size_t n = 0;
    for (; *p && *p != '\n'; p++) {
        n = editing ? begins(p, editing->line_end) : 0;
        if (n)
            break;
        size_t escape = editing ? begins(p, editing->escape) : 0;
        if (escape && begins(p + escape, editing->line_end))
            p += escape;
        text_add(&one, p, 1);
    }
    *line = *p ? p + (n ? n : 1) : NULL;
    return one.s ? one.s : mem_string("");
}

int command_execute(struct cp *cp, struct vm *vm, struct terminal *terminal, const char *line,
                    struct response *out)
{
    uint64_t vmdbk = vm ? vm->vmdbk : 0;
    const struct terminal_settings *editing = NULL;
    int rc = 0;
    if (vm && terminal && vm->set.linedit)
        editing = &vm->console->terminal;
    while (line && rc == 0) {
        char *one = next_command(&line, editing);
        rc = execute_one(cp, vm, terminal, one, out);
        free(one);
        if (vm && !still_logged_on(cp, vm, vmdbk))
            break;
    }
    return rc;
}

// --- for handlers -----------------------------------------------------------

const char *call_peek(const struct command_call *call)
{
    return call->next < call->words ? call->word[call->next] : NULL;
}

const char *call_take(struct command_call *call)
{
    return call->next < call->words ? call->word[call->next++] : NULL;
}

bool call_keyword(struct command_call *call, const char *full, unsigned min)
{
    const char *word = call_peek(call);
    if (!word || !text_abbreviates(word, full, min))
        return false;
    call->next++;
    return true;
}

const char *call_rest_raw(const struct command_call *call)
{
    return call->next < call->words ? call->raw_word[call->next] : "";
}

int call_end(struct command_call *call)
{
    const char *word = call_peek(call);
    return word ? call_error(call, MESSAGE_invalid_option, word) : 0;
}

bool parse_vdev(const char *word, uint16_t *vdev)
{
    uint64_t value;
    if (!word || strlen(word) > 4 || !text_to_u64(word, 16, UINT16_MAX, &value))
        return false;
    *vdev = (uint16_t)value;
    return true;
}

bool parse_userid(const char *word, char userid[USERID_SIZE])
{
    size_t n = word ? strlen(word) : 0;
    if (n == 0 || n >= USERID_SIZE ||
        strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$_-+:") != n)
        return false;
    memcpy(userid, word, n + 1);
    return true;
}

int call_error(struct command_call *call, enum message id, ...)
{
    va_list ap;
    va_start(ap, id);
    int rc = message_vsend(call->out, id, ap);
    va_end(ap);
    return rc;
}

void call_line(struct command_call *call, const char *fmt, ...)
{
    struct text text = {0};
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&text, fmt, ap);
    va_end(ap);
    response_line(call->out, "%s", text_get(&text));
    text_free(&text);
}

int call_complete(struct command_call *call)
{
    if (!call->out->quiet)
        call_line(call, "Command complete");
    return 0;
}

struct vm *call_user(struct command_call *call)
{
    const char *word = call_take(call);
    char userid[USERID_SIZE];
    if (word && call->vm && strcmp(word, "*") == 0)
        return call->vm;
    if (!parse_userid(word, userid)) {
        call_error(call, MESSAGE_userid_missing);
        return NULL;
    }
    struct vm *vm = cp_user(call->cp, userid);
    if (!vm)
        call_error(call, MESSAGE_not_logged_on, userid);
    return vm;
}

int call_subcommand(struct command_call *call, const char *under)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    const struct command *row = command_find(under, word, call->classes, call->vm != NULL);
    if (!row)
        return call_error(call, MESSAGE_invalid_option, word);
    call->command = row;
    call->version = row->classes & call->classes;
    call->raw_operands = call_rest_raw(call);
    return row->run(call);
}

int call_rest(struct command_call *call)
{
    char *line = mem_string(call_rest_raw(call));
    int rc = execute_one(call->cp, call->vm, call->terminal, line, call->out);
    free(line);
    return rc;
}
