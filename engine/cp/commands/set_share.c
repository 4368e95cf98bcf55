// SPDX-License-Identifier: MIT
// SET SHARE and QUERY SHARE: a user's part of the processors.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/directory.h"

// "12.5%" or "12" as tenths of a percent, .1% to 100%.
static bool parse_percent(const char *word, unsigned *tenths)
{
    char digits[8];
    size_t n = word ? strlen(word) : 0;
    uint64_t whole, tenth = 0;
    if (n == 0 || n >= sizeof digits)
        return false;
    memcpy(digits, word, n + 1);
    if (digits[n - 1] == '%')
        digits[n - 1] = '\0';
    char *dot = strchr(digits, '.');
    if (dot) {
        *dot = '\0';
        if (!text_to_u64(dot + 1, 10, 9, &tenth))
            return false;
    }
    if (!text_to_u64(digits[0] || !dot ? digits : "0", 10, 100, &whole))
        return false;
    *tenths = (unsigned)(whole * 10 + tenth);
    return *tenths >= 1 && *tenths <= 1000;
}

// ABSOLUTE n% or RELATIVE n. False, with nothing taken, when the next operand is neither.
static bool take_amount(struct command_call *call, bool *absolute, unsigned *value, int *rc)
{
    uint64_t relative;
    if (call_keyword(call, "ABSOLUTE", 3)) {
        const char *word = call_take(call);
        *absolute = true;
        *rc = parse_percent(word, value) ? 0
              : word                     ? call_error(call, MESSAGE_invalid_operand, word)
                                         : call_error(call, MESSAGE_operand_missing);
        return true;
    }
    if (call_keyword(call, "RELATIVE", 3)) {
        *absolute = false;
        *rc = take_number(call, 1, 10000, &relative);
        *value = *rc ? 0 : (unsigned)relative;
        return true;
    }
    return false;
}

// The maximum share, after the share itself.
static int take_limit(struct command_call *call, struct share *share)
{
    int rc = 0;
    if (call_keyword(call, "NOLIMIT", 3)) {
        share->limited = false;
        return 0;
    }
    if (!take_amount(call, &share->limit_absolute, &share->limit, &rc))
        return 0;
    if (rc)
        return rc;
    share->limited = true;
    share->limit_hard = call_keyword(call, "LIMITHARD", 6);
    if (!share->limit_hard && !call_keyword(call, "LIMITSOFT", 6))
        return call_error(call, MESSAGE_operand_missing);
    return 0;
}

static struct share initial_share(const struct vm *vm)
{
    return vm->entry->has_share ? vm->entry->share : (struct share){.value = 100};
}

static void show_amount(struct text *text, bool absolute, unsigned value, const char *is)
{
    if (absolute && value % 10)
        text_printf(text, "ABSOLUTE%s%u.%u%%", is, value / 10, value % 10);
    else if (absolute)
        text_printf(text, "ABSOLUTE%s%u%%", is, value / 10);
    else
        text_printf(text, is[1] == 'S' ? "RELATIVE%s%5u" : "RELATIVE%s%u", is, value);
}

static void show_share(struct command_call *call, const struct vm *vm)
{
    const struct share *share = &vm->share;
    struct text line = {0};
    show_amount(&line, share->absolute, share->value, " SHARE = ");
    call_line(call, "USER %-8s: %s", vm->userid, text_get(&line));
    text_clear(&line);
    if (share->limited) {
        text_puts(&line, share->limit_hard ? "LIMITHARD " : "LIMITSOFT ");
        show_amount(&line, share->limit_absolute, share->limit, " ");
    } else {
        text_puts(&line, "NOLIMIT");
    }
    call_line(call, "               MAXIMUM SHARE = %s", text_get(&line));
    text_free(&line);
}

static int set_share(struct command_call *call)
{
    struct vm *vm = call_user(call);
    int rc = 0;
    if (!vm)
        return call->out->rc;
    struct share share = vm->share;
    if (call_keyword(call, "INITIAL", 4))
        share = initial_share(vm);
    else if (!take_amount(call, &share.absolute, &share.value, &rc) && !call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    if (rc || take_limit(call, &share) || call_end(call))
        return call->out->rc;
    vm->share = share;
    cp_notify(call->cp, CP_EVENT_SHARE, vm, NULL, NULL);
    show_share(call, vm);
    return 0;
}

static int query_share(struct command_call *call)
{
    struct vm *vm = call_user(call);
    if (!vm || call_end(call))
        return call->out->rc;
    show_share(call, vm);
    return 0;
}

static const struct command set_rows[] = {
    {"SHARE", 5, CLASS('A'), false, set_share,
     "{userid | *} {INITial | {ABSolute n% | RELative n} [{ABSolute n% | RELative n} {LIMITSoft | "
     "LIMITHard} | NOLimit]}",
     "Sets a user's share of the processors: relative to other users (1 to 10000), or an absolute "
     "part of the system (.1% to 100%), and a maximum share. INITIAL takes the directory's."},
};
static const struct command query_rows[] = {
    {"SHARE", 5, CLASS('A') | CLASS('E'), false, query_share, "{userid | *}",
     "Shows a user's share and maximum share of the processors."},
};
COMMAND_TABLE(set_share_commands, "SET", set_rows);
COMMAND_TABLE(query_share_commands, "QUERY", query_rows);
