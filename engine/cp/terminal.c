// SPDX-License-Identifier: MIT
// Terminals: what a typed line means where, attention, and the logo.
#include "cp/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cp/command.h"
#include "cp/inside.h"
#include "cp/system_config.h"
#include "cp/vm_console.h"

static void line_to_terminal(struct response *out, const char *utf8)
{
    struct terminal *term = out->arg;
    term->ops->line(term, LINE_CP, utf8);
}

static struct response response_to_terminal(struct terminal *term)
{
    return (struct response){.line = line_to_terminal, .arg = term, .emsg = EMSG_ON};
}

// The line-mode form of the logo.
void terminal_logo(struct cp *cp, struct terminal *term, bool say)
{
    static const char *const lines[] = {
        "",
        "Enter one of the following commands:",
        "",
        "   LOGON userid             (Example:  LOGON VMUSER1)",
        "   MSG userid message       (Example:  MSG VMUSER2 GOOD MORNING)",
        "   LOGOFF",
        "",
    };
    (void)cp;
    for (unsigned i = 0; say && i < sizeof lines / sizeof *lines; i++)
        term->ops->line(term, LINE_CP, lines[i]);
    term->ops->status(term, TERMINAL_LOGO);
}

static int logo_input(struct cp *cp, struct terminal *term, const char *line)
{
    struct response out = response_to_terminal(term);

    if (term->logon)
        return logon_password(cp, term, line, &out);
    if (!line[strspn(line, " ")]) {
        terminal_logo(cp, term, true);
        return 0;
    }
    term->ops->line(term, LINE_ECHO, line);
    return command_execute(cp, NULL, term, line, &out);
}

// --- line editing -----------------------------------------------------------------------

static size_t matches(const char *s, const char *c)
{
    size_t n = strlen(c);
    return n && strncmp(s, c, n) == 0 ? n : 0;
}

static void delete_character(struct text *t)
{
    while (t->len && ((unsigned char)t->s[t->len - 1] & 0xC0) == 0x80)
        t->s[--t->len] = '\0';
    if (t->len)
        t->s[--t->len] = '\0';
}

// Applies character and line delete; LINEND and escapes of it stay for command_execute(). Free it.
static char *edit(const struct vm *vm, const char *line)
{
    const struct terminal_settings *t = &vm->console->terminal;
    struct text out = {0};
    size_t n;

    if (!vm->set.linedit)
        return mem_string(line);
    while (*line) {
        if ((n = matches(line, t->escape)) && line[n]) {
            if (matches(line + n, t->line_end))
                text_add(&out, line, n);
            line += n;
            text_add(&out, line++, 1);
        } else if ((n = matches(line, t->character_delete))) {
            delete_character(&out);
            line += n;
        } else if ((n = matches(line, t->line_delete))) {
            text_clear(&out);
            line += n;
        } else {
            text_add(&out, line++, 1);
        }
    }
    return out.s ? out.s : mem_string("");
}

// "#CP command" and "#CP": what follows, or NULL when the line is something else.
static const char *after_escape(const struct vm *vm, const char *line)
{
    size_t n = matches(line, vm->console->terminal.line_end);

    if (!n || !vm->set.linedit || strncasecmp(line + n, "CP", 2) != 0)
        return NULL;
    line += n + 2;
    return *line == '\0' || *line == ' ' ? line + strspn(line, " ") : NULL;
}

static void echo(struct vm *vm, const char *line)
{
    vm_console_show_partial(vm);
    if (*line)
        vm_line(vm, LINE_ECHO, line);
}

static int cp_command(struct vm *vm, struct terminal *term, const char *line)
{
    struct response out = response_to_vm(vm);

    if (!line[strspn(line, " ")])
        return 0;
    return command_execute(vm->cp, vm, term, line, &out);
}

static int guest_input(struct vm *vm, const char *line)
{
    if (vm_console_input(vm, line))
        return 0;
    struct response out = response_to_vm(vm);
    return message_send(&out, MESSAGE_not_accepted);
}

static int user_input(struct vm *vm, struct terminal *term, const char *typed)
{
    char *line = edit(vm, typed);
    const char *command = after_escape(vm, line);
    int rc = 0;

    echo(vm, line);
    if (command) {
        if (*command)
            rc = cp_command(vm, term, command);
        else
            vm_stop(vm);
    } else if (vm->cp_read || vm->sleep_until) {
        vm->sleep_until = 0;
        rc = cp_command(vm, term, line);
    } else {
        rc = guest_input(vm, line);
    }
    free(line);
    return rc;
}

int terminal_input(struct cp *cp, struct terminal *term, const char *utf8)
{
    int rc;

    world_lock(cp->world);
    rc = term->vm ? user_input(term->vm, term, utf8) : logo_input(cp, term, utf8);
    world_unlock(cp->world);
    return rc;
}

void terminal_attention(struct cp *cp, struct terminal *term, bool break_key)
{
    world_lock(cp->world);
    if (term->vm && break_key && !term->vm->cp_read)
        vm_stop(term->vm);
    else if (term->vm && !break_key)
        vm_console_attention(term->vm);
    world_unlock(cp->world);
}

void terminal_hangup(struct cp *cp, struct terminal *term)
{
    world_lock(cp->world);
    logon_request_drop(term);
    if (term->vm)
        vm_disconnect(term->vm);
    world_unlock(cp->world);
}
