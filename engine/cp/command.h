// SPDX-License-Identifier: MIT
// CP commands: one table lists them all; a family a file (cp/commands/). A handler parses its
// operands from the call, answers with response lines and returns the message number as the return
// code, 0 when it worked.
#ifndef ENDICOTT_CP_COMMAND_H
#define ENDICOTT_CP_COMMAND_H

#include <stdio.h>

#include "cp/cp.h"
#include "cp/messages.h"

// Where response lines go: a terminal, a DIAGNOSE X'08' buffer, a Lua string.
struct response {
    void (*line)(struct response *out, const char *utf8);
    void *arg;
    int rc;                 // return code of the last command
    char message_id[12];    // id of the last error message, "" when none ("HCPCMD001E")
    enum emsg emsg;         // how error messages are shown there
    bool prefix_cpu;        // lines get "00: " in a multiprocessor configuration
    bool quiet;             // SET IMSG OFF: no "Command complete"
    uint8_t cpu;            // the address that prefix_cpu shows
    unsigned lines;         // sent so far
};

// A response that gathers lines, separated by newlines, in `text` (arg).
struct response response_to_text(struct text *text);
// A response that goes to the user's terminal under the user's EMSG setting.
struct response response_to_vm(struct vm *vm);
void response_line(struct response *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#define COMMAND_WORDS 64

// An executing command. The line is folded to upper case and cut into words; `raw` keeps the text
// as typed for those who need it (MSG, SEND).
struct command_call {
    struct cp *cp;
    struct vm *vm;          // the issuer; NULL only before LOGON
    struct terminal *terminal; // before LOGON, and for LOGOFF, DISCONNECT
    class_set classes;      // the issuer's
    class_set version;      // classes of the table row that was chosen
    struct response *out;
    const char *raw;        // whole line
    const char *raw_operands; // after the command word (QUERY, SET: after the second word)
    const char *raw_word[COMMAND_WORDS]; // where each word starts in the raw line
    const char *word[COMMAND_WORDS]; // operands, upper case; word[words] is NULL
    unsigned words, next;   // next operand to take
    const struct command *command;
};

struct command {
    const char *name;    // full spelling
    unsigned min;        // minimum abbreviation
    class_set classes;   // who may use this version; several rows may have one name
    bool before_logon;
    int (*run)(struct command_call *call);
    const char *syntax;  // operands, as HELP shows them, lines separated by \n
    const char *help;    // one paragraph
    const char *alias_of; // this row only spells that command differently: not listed
};

struct command_table {
    const struct command *rows;
    unsigned count;
    const char *under; // NULL: top level; "QUERY", "SET", "DEFINE", ... for operand tables
    struct command_table *next;
};

// Families register at start (cp/commands/table.c lists CP's own); the monitor adds its own.
void command_register(struct command_table *table);
// First row under `under` that `word` abbreviates and whose classes meet `classes` (pass CLASS_ANY
// to ignore authority); NULL when there is none.
const struct command *command_find(const char *under, const char *word, class_set classes,
                                   bool logged_on);
// Iterates all tables, for HELP, QUERY COMMANDS and the coverage document.
const struct command_table *command_tables(void);

// Executes one line as `vm` (or at the terminal before LOGON). Newlines separate several commands
// (DIAGNOSE X'08'), and so does the user's LINEND character when the line comes from a terminal;
// the first one with a message number ends the line. Gives CP_EVENT_COMMAND for each. Return code.
// The user may be logged off when it comes back (LOGOFF, FORCE, SHUTDOWN).
int command_execute(struct cp *cp, struct vm *vm, struct terminal *terminal, const char *line,
                    struct response *out);

// --- for handlers -----------------------------------------------------------
const char *call_peek(const struct command_call *call); // next operand or NULL
const char *call_take(struct command_call *call);       // and consume it
// Consumes the next operand if it abbreviates `full` (at least `min` letters).
bool call_keyword(struct command_call *call, const char *full, unsigned min);
// Text from the next operand to the end, as typed.
const char *call_rest_raw(const struct command_call *call);
// 0 when no operand is left, else message 003 (Invalid option - x) is given and 3 returned.
int call_end(struct command_call *call);
// Virtual device number of 1 to 4 hex digits; false: not one (no message given).
bool parse_vdev(const char *word, uint16_t *vdev);
bool parse_userid(const char *word, char userid[USERID_SIZE]); // 1-8 valid characters
// Gives message `id` (see cp/messages.h) with these insertions; returns its number.
int call_error(struct command_call *call, enum message id, ...);
void call_line(struct command_call *call, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
// "Command complete", unless SET IMSG OFF; returns 0.
int call_complete(struct command_call *call);
// The user the next operand names ("*": the issuer), or NULL after message 020 or 045.
struct vm *call_user(struct command_call *call);
// Dispatches the next operand to the tables registered under `under`; message 026 (missing) or 003.
int call_subcommand(struct command_call *call, const char *under);
// Executes the rest of the line, from the next operand on, as a command of its own.
int call_rest(struct command_call *call);

// --- help and coverage ------------------------------------------------------
// Every row of every table as a Markdown table: command, operands, classes, purpose.
void command_document(FILE *out);
// "A,B,G", or "Any", into `text`.
void class_set_print(struct text *text, class_set classes);

#endif
