// SPDX-License-Identifier: MIT
// TERMINAL and QUERY TERMINAL: how a user's console behaves.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/system_config.h"
#include "cp/vm_console.h"

static struct terminal_settings *settings(struct command_call *call)
{
    return &call->vm->console->terminal;
}

static bool named(const struct command_call *call, const char *name)
{
    return strcmp(call->command->name, name) == 0;
}

// --- line-editing characters -------------------------------------------------

static const struct {
    const char *name;
    size_t offset;
} characters[] = {
    {"LINEND", offsetof(struct terminal_settings, line_end)},
    {"LINEDEL", offsetof(struct terminal_settings, line_delete)},
    {"CHARDEL", offsetof(struct terminal_settings, character_delete)},
    {"ESCAPE", offsetof(struct terminal_settings, escape)},
    {"TABCHAR", offsetof(struct terminal_settings, tab)},
};

static size_t character_offset(const struct command_call *call)
{
    size_t i = 0;
    while (i + 1 < sizeof characters / sizeof *characters && !named(call, characters[i].name))
        i++;
    return characters[i].offset;
}

// One UTF-8 character, not a letter, digit or blank; its length, or 0.
static size_t single_character(const char *word)
{
    unsigned char c = (unsigned char)word[0];
    size_t n = c < 0x80 ? 1 : c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 0;
    bool letter = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return !letter && strlen(word) == n ? n : 0;
}

static int set_character(struct command_call *call)
{
    struct terminal_settings defaults;
    size_t offset = character_offset(call);
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    terminal_settings_default(&defaults, call->cp->config);
    if (strcmp(word, "ON") == 0)
        word = (const char *)&defaults + offset;
    else if (strcmp(word, "OFF") == 0)
        word = "";
    else if (!single_character(word))
        return call_error(call, MESSAGE_invalid_operand, word);
    snprintf((char *)settings(call) + offset, sizeof(edit_character), "%s", word);
    return 0;
}

// --- switches ----------------------------------------------------------------

static const struct {
    const char *name;
    size_t offset;
    const char *on, *off;
} switches[] = {
    {"ATTN", offsetof(struct terminal_settings, attention), "ON", "OFF"},
    {"APL", offsetof(struct terminal_settings, apl), "ON", "OFF"},
    {"TEXT", offsetof(struct terminal_settings, text), "ON", "OFF"},
    {"MODE", offsetof(struct terminal_settings, mode_cp), "CP", "VM"},
    {"HILIGHT", offsetof(struct terminal_settings, highlight), "ON", "OFF"},
    {"CONMODE", offsetof(struct terminal_settings, conmode_3270), "3270", "3215"},
    {"BREAKIN", offsetof(struct terminal_settings, break_in_guest), "GUESTCTL", "IMMED"},
    {"SCRNSAVE", offsetof(struct terminal_settings, screen_save), "ON", "OFF"},
    {"AUTOCR", offsetof(struct terminal_settings, auto_cr), "ON", "OFF"},
    {"HOLD", offsetof(struct terminal_settings, hold), "ON", "OFF"},
    {"TIMESTAMP", offsetof(struct terminal_settings, timestamp), "ON", "OFF"},
    {"SYS3270", offsetof(struct terminal_settings, sys3270), "ON", "OFF"},
};

static int set_switch(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        if (!named(call, switches[i].name))
            continue;
        bool on = text_abbreviates(word, switches[i].on, strlen(switches[i].on) > 5 ? 5 : 2);
        if (!on && !text_abbreviates(word, switches[i].off, strlen(switches[i].off) > 4 ? 4 : 2))
            return call_error(call, MESSAGE_invalid_operand, word);
        *(bool *)((char *)settings(call) + switches[i].offset) = on;
    }
    vm_console_conmode(call->vm);
    return 0;
}

// --- the others --------------------------------------------------------------

static int set_linesize(struct command_call *call)
{
    uint64_t size = 0;
    if (!call_keyword(call, "OFF", 3) && take_number(call, 1, 255, &size))
        return call->out->rc;
    settings(call)->line_size = (unsigned)size;
    return 0;
}

static int set_more(struct command_call *call)
{
    uint64_t first, second;
    if (take_number(call, 0, 255, &first) || take_number(call, 0, 255, &second))
        return call->out->rc;
    settings(call)->more1 = (unsigned)first;
    settings(call)->more2 = (unsigned)second;
    return 0;
}

static bool is_break_key(const char *word)
{
    uint64_t n;
    if (strcmp(word, "NONE") == 0 || strcmp(word, "PA1") == 0 || strcmp(word, "PA2") == 0)
        return true;
    return strncmp(word, "PF", 2) == 0 && strlen(word) <= 4 &&
           text_to_u64(word + 2, 10, PF_KEYS, &n) && n > 0;
}

static int set_brkkey(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (!is_break_key(word))
        return call_error(call, MESSAGE_invalid_operand, word);
    snprintf(settings(call)->break_key, sizeof settings(call)->break_key, "%.4s", word);
    return 0;
}

static const char *shown(const char *character)
{
    return character[0] ? character : "OFF";
}

static int query_terminal(struct command_call *call)
{
    const struct terminal_settings *s = settings(call);
    char size[12] = "OFF";
    if (call_end(call))
        return call->out->rc;
    if (s->line_size)
        snprintf(size, sizeof size, "%03u", s->line_size);
    call_line(call, "LINEND %s , LINEDEL %s , CHARDEL %s , ESCAPE %s , TABCHAR %s",
              shown(s->line_end), shown(s->line_delete), shown(s->character_delete),
              shown(s->escape), shown(s->tab));
    call_line(call, "LINESIZE %s, ATTN %s, APL %s, TEXT %s, MODE %s, HILIGHT %s", size,
              on_off(s->attention), on_off(s->apl), on_off(s->text), s->mode_cp ? "CP" : "VM",
              on_off(s->highlight));
    call_line(call, "CONMODE %s, BREAKIN %s, BRKKEY %-4s, SCRNSAVE %s",
              s->conmode_3270 ? "3270" : "3215", s->break_in_guest ? "GUESTCTL" : "IMMED ",
              s->break_key, on_off(s->screen_save));
    call_line(call, "AUTOCR %s, MORE %03u %03u, HOLD %s, TIMESTAMP %s, SYS3270 %s",
              on_off(s->auto_cr), s->more1, s->more2, on_off(s->hold), on_off(s->timestamp),
              on_off(s->sys3270));
    return 0;
}

// clang-format off
static const struct command terminal_rows[] = {
    {"LINEND", 5, CLASS_ANY, false, set_character, "{ON | OFF | character}",
     "The character that separates commands on one line."},
    {"LINEDEL", 5, CLASS_ANY, false, set_character, "{ON | OFF | character}",
     "The character that deletes what stands before it on the line."},
    {"CHARDEL", 2, CLASS_ANY, false, set_character, "{ON | OFF | character}",
     "The character that deletes the one before it."},
    {"ESCAPE", 2, CLASS_ANY, false, set_character, "{ON | OFF | character}",
     "The character that takes the editing meaning from the next one."},
    {"TABCHAR", 3, CLASS_ANY, false, set_character, "{ON | OFF | character}",
     "The character that stands for a tabulator."},
    {"LINESIZE", 5, CLASS_ANY, false, set_linesize, "{OFF | nnn}",
     "The length at which lines are folded, 1 to 255."},
    {"ATTN", 4, CLASS_ANY, false, set_switch, "{ON | OFF}", "Whether ! is shown at an attention."},
    {"APL", 3, CLASS_ANY, false, set_switch, "{ON | OFF}", "Whether APL characters are translated."},
    {"TEXT", 4, CLASS_ANY, false, set_switch, "{ON | OFF}", "Whether TEXT characters are translated."},
    {"MODE", 4, CLASS_ANY, false, set_switch, "{CP | VM}",
     "Whether an attention enters CP READ or interrupts the virtual machine."},
    {"HILIGHT", 2, CLASS_ANY, false, set_switch, "{ON | OFF}", "Whether redisplayed input is bright."},
    {"CONMODE", 4, CLASS_ANY, false, set_switch, "{3215 | 3270}",
     "Which console the guest's console device is: a 3215 typewriter or a 3270 screen."},
    {"BREAKIN", 6, CLASS_ANY, false, set_switch, "{IMMed | GUESTctl}",
     "Whether CP may interrupt a full-screen program to show a line."},
    {"BRKKEY", 3, CLASS_ANY, false, set_brkkey, "{PA1 | PA2 | PFnn | NONE}",
     "The key that interrupts the guest and enters CP READ."},
    {"SCRNSAVE", 4, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether CP restores a full-screen program's screen after it was used for lines."},
    {"AUTOCR", 6, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether each console write ends with a new line."},
    {"MORE", 4, CLASS_ANY, false, set_more, "seconds1 seconds2",
     "How long a full screen shows MORE... before the alarm, and from the alarm until it clears, "
     "0 to 255 seconds."},
    {"HOLD", 4, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether ENTER at MORE... holds the screen."},
    {"TIMESTAMP", 4, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether each line of CP is shown with the time of day."},
    {"SYS3270", 3, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether the system console acts as a 3270."},
};
static const struct command query_rows[] = {
    {"TERMINAL", 4, CLASS_ANY, false, query_terminal, "", "Shows the TERMINAL settings."},
};
// clang-format on
COMMAND_TABLE(terminal_commands, "TERMINAL", terminal_rows);
COMMAND_TABLE(query_terminal_commands, "QUERY", query_rows);
