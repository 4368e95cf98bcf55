// SPDX-License-Identifier: MIT
// QUERY of real devices: by number, by kind, and CP's volumes.
#include <stdio.h>
#include <string.h>

#include "cp/commands/attach.h"
#include "cp/commands/query.h"
#include "cp/system_config.h"
#include "cp/vdev.h"

enum condition { ACTIVE, SYSTEM, FREE, OFFLINE };

static enum condition condition_of(const struct cp *cp, const struct rdev *rdev)
{
    if (rdev->offline)
        return OFFLINE;
    if (rdev->attached || rdev_holder(cp, rdev))
        return ACTIVE;
    return rdev->cp_owned || rdev->cp_system ? SYSTEM : FREE;
}

static unsigned volume_users(const struct cp *cp, const struct rdev *rdev)
{
    unsigned n = 0;
    for (const struct mdisk *m = cp->mdisks; m; m = m->next)
        if (m->rdev == rdev)
            n += m->readers + m->writers;
    return n;
}

static void format_rdev(struct text *text, const struct cp *cp, const struct rdev *rdev)
{
    const struct mdisk *holder = rdev_holder(cp, rdev);
    text_printf(text, "%-4s %04X ", rdev->type, rdev->number);
    switch (condition_of(cp, rdev)) {
    case OFFLINE:
        text_puts(text, "OFFLINE");
        break;
    case ACTIVE:
        text_printf(text, "ATTACHED TO %-8s %04X R/W %s",
                    holder ? holder->owner : rdev->attached_to,
                    holder ? holder->vdev : rdev->attached_vdev, rdev->volser);
        break;
    case SYSTEM:
        text_printf(text, "CP %-6s %-6s %4u", rdev->cp_owned ? "OWNED" : "SYSTEM", rdev->volser,
                    volume_users(cp, rdev));
        break;
    case FREE:
        text_printf(text, "%-6s", rdev->volser[0] ? rdev->volser : "FREE");
        break;
    }
    while (text->len && text->s[text->len - 1] == ' ')
        text->s[--text->len] = '\0';
}

static void show_rdev(struct command_call *call, const struct rdev *rdev)
{
    struct text line = {0};
    format_rdev(&line, call->cp, rdev);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
}

// Terminals in use are real devices too, of whoever sits there.
static int query_rdev(struct command_call *call)
{
    uint16_t first, last;
    do {
        const char *word = call_take(call);
        bool any = false;
        if (!query_is_range(word, &first, &last))
            return call_error(call, MESSAGE_invalid_option, word);
        for (const struct rdev *r = call->cp->rdevs; r; r = r->next)
            if (r->number >= first && r->number <= last) {
                show_rdev(call, r);
                any = true;
            }
        if (!any)
            return call_error(call, MESSAGE_no_such_rdev, first);
    } while (call_peek(call));
    return 0;
}

// Devices of one type and condition: one a line in use, four a line free.
static bool show_condition(struct command_call *call, const char *type, enum condition condition)
{
    struct text line = {0};
    unsigned n = 0;
    for (const struct rdev *r = call->cp->rdevs; r; r = r->next) {
        if (strcmp(r->type, type) != 0 || condition_of(call->cp, r) != condition)
            continue;
        if (condition == ACTIVE || condition == SYSTEM) {
            show_rdev(call, r);
        } else {
            if (n && n % 4 == 0) {
                call_line(call, "%s ,", text_get(&line));
                text_clear(&line);
            }
            text_printf(&line, "%s%-4s %04X %-6s", n % 4 ? " , " : "", type, r->number,
                        condition == OFFLINE ? ""
                        : r->volser[0]       ? r->volser
                                             : "FREE");
        }
        n++;
    }
    if (line.len)
        call_line(call, "%s", text_get(&line));
    text_free(&line);
    return n > 0;
}

static const struct {
    const char *name, *article;
    unsigned min;
    enum condition condition;
} conditions[] = {
    {"ACTIVE", "An active", 3, ACTIVE},
    {"SYSTEM", "A system", 3, SYSTEM},
    {"FREE", "A free", 2, FREE},
    {"OFFLINE", "An offline", 3, OFFLINE},
};

static int query_kind(struct command_call *call, const char *type)
{
    bool all = call_keyword(call, "ALL", 3), none = !all && !call_peek(call);
    unsigned wanted = 0;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (all || (none && conditions[i].condition != OFFLINE) ||
            call_keyword(call, conditions[i].name, conditions[i].min))
            wanted |= 1u << i;
    if (call_end(call))
        return call->out->rc;
    bool any = false;
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        if (!(wanted >> i & 1))
            continue;
        bool found = show_condition(call, type, conditions[i].condition);
        any |= found;
        if (!found && !none)
            call_line(call, "%s %s was not found.", conditions[i].article, type);
    }
    if (none && !any)
        call_line(call, "An active %s was not found.", type);
    return 0;
}

static int query_dasd(struct command_call *call)
{
    return query_kind(call, "DASD");
}

static int query_osa(struct command_call *call)
{
    return query_kind(call, "OSA");
}

static int query_tapes(struct command_call *call)
{
    return query_kind(call, "TAPE");
}

static int query_cpowned(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "Slot  Vol-ID  Rdev  Type   Status");
    for (unsigned slot = 1; slot <= CONFIG_SLOTS; slot++) {
        const char *volser = call->cp->config->owned[slot];
        const struct rdev *rdev = volser[0] ? cp_volume(call->cp, volser) : NULL;
        if (!volser[0])
            continue;
        if (rdev)
            call_line(call, "%4u  %-6s  %04X  Own    %s", slot, volser, rdev->number,
                      rdev->offline ? "Offline" : "Online and attached");
        else
            call_line(call, "%4u  %-6s  ----  -----  Not mounted", slot, volser);
    }
    return 0;
}

#define HOST   (CLASS('A') | CLASS('B') | CLASS('C') | CLASS('E') | CLASS('F'))
#define SYNTAX "[ALL | ACTive | FRee | OFFline | SYStem]"
static const struct command rows[] = {
    {"<RDEV>", 6, CLASS('B'), false, query_rdev, "rdev[-rdev] ...",
     "QUERY with real device numbers: what each is and who has it."},
    {"DASD", 2, CLASS('B'), false, query_dasd, SYNTAX, "Lists real disks."},
    {"OSA", 3, CLASS('B'), false, query_osa, SYNTAX, "Lists real network adapters."},
    {"TAPES", 2, CLASS('B'), false, query_tapes, SYNTAX, "Lists real tape drives."},
    {"CPOWNED", 5, HOST, false, query_cpowned, "", "Lists CP's own volumes by slot."},
};
COMMAND_TABLE(query_real_commands, "QUERY", rows);
