// SPDX-License-Identifier: MIT
// PURGE, TRANSFER, CHANGE: what happens to spool files that are closed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/spool_files.h"
#include "cp/commands/table.h"

// "*" is the issuer; a class D issuer may name another owner, SYSTEM meaning everybody.
static int take_owner(struct command_call *call, const char **owner, char userid[USERID_SIZE])
{
    *owner = call->vm->userid;
    if (call_keyword(call, "*", 1))
        return 0;
    if (!(call->classes & CLASS('D')) || !call_peek(call))
        return 0;
    if (call_keyword(call, "SYSTEM", 6)) {
        *owner = NULL;
        return 0;
    }
    enum spool_queue queue;
    unsigned before = call->next;
    bool is_queue = take_queue(call, &queue) || call_keyword(call, "ALL", 3);
    call->next = before;
    if (is_queue || !parse_userid(call_peek(call), userid))
        return 0;
    call->next++;
    *owner = userid;
    return 0;
}

// [owner] {RDR | PRT | PUN | ALL} {ALL | spoolid ... | CLASS c | FORM f} into `files`.
static int take_files(struct command_call *call, struct spool_files *files)
{
    const char *owner;
    char userid[USERID_SIZE];
    enum spool_queue queue;
    if (take_owner(call, &owner, userid))
        return call->out->rc;
    if (call_keyword(call, "ALL", 3)) {
        for (queue = SPOOL_RDR; queue <= SPOOL_PUN; queue++)
            gather_files(call->cp, owner, queue, files);
        return call_peek(call) ? select_files(call, files) : 0;
    }
    if (!take_queue(call, &queue))
        return call_peek(call) ? call_error(call, MESSAGE_invalid_operand, call_peek(call))
                               : call_error(call, MESSAGE_operand_missing);
    gather_files(call->cp, owner, queue, files);
    return select_files(call, files);
}

static int purge(struct command_call *call)
{
    struct spool_files files = {0};
    unsigned n = 0;
    if ((call->classes & CLASS('E')) && call_keyword(call, "NSS", 3))
        return purge_nss(call);
    if (take_files(call, &files) == 0 && call_end(call) == 0) {
        for (unsigned i = 0; i < files.count; i++)
            if (!files.file[i].in_use) {
                spool_purge(call->cp->spool, &files.file[i]);
                n++;
            }
        show_count(call, n, "PURGED");
    }
    free(files.file);
    return call->out->rc;
}

static int transfer(struct command_call *call)
{
    struct spool_files files = {0};
    char userid[USERID_SIZE];
    enum spool_queue queue = SPOOL_RDR;
    unsigned n = 0;
    if (take_files(call, &files))
        goto done;
    if (!call_keyword(call, "TO", 2)) {
        call_error(call, MESSAGE_operand_missing);
        goto done;
    }
    if (take_known_user(call, userid))
        goto done;
    take_queue(call, &queue);
    if (call_end(call))
        goto done;
    for (unsigned i = 0; i < files.count; i++)
        if (!files.file[i].in_use) {
            spool_give(call->cp->spool, &files.file[i], userid, queue);
            n++;
        }
    show_count(call, n, "TRANSFERRED");
    if (n && queue == SPOOL_RDR)
        spool_reader_ready(call->cp, userid);
done:
    free(files.file);
    return call->out->rc;
}

// The last one named comes first in the end when they are moved one by one.
static int order(struct command_call *call)
{
    struct spool_files files = {0};
    if (take_files(call, &files) == 0 && call_end(call) == 0) {
        for (unsigned i = files.count; i > 0; i--)
            spool_order(call->cp->spool, &files.file[i - 1]);
        show_count(call, files.count, "ORDERED");
    }
    free(files.file);
    return call->out->rc;
}

// What CHANGE sets, by the operands it was given.
static int take_change(struct command_call *call, struct spool_file *to, unsigned *given)
{
    uint64_t copies;
    const char *word;
    if (call_keyword(call, "HOLD", 2) || call_keyword(call, "NOHOLD", 3)) {
        to->hold = call->word[call->next - 1][0] == 'H';
        *given |= 1u;
        return 0;
    }
    if (call_keyword(call, "KEEP", 2) || call_keyword(call, "NOKEEP", 3)) {
        to->keep = call->word[call->next - 1][0] == 'K';
        *given |= 2u;
        return 0;
    }
    if (call_keyword(call, "CLASS", 2)) {
        word = call_take(call);
        if (!is_spool_class(word) || *word == '*')
            return call_error(call, MESSAGE_class_missing);
        to->spool_class = *word;
        *given |= 4u;
        return 0;
    }
    if (call_keyword(call, "COPY", 2)) {
        word = call_take(call);
        if (!word || !text_to_u64(word, 10, 255, &copies) || copies == 0)
            return call_error(call, MESSAGE_copies_invalid);
        to->copies = (unsigned)copies;
        *given |= 8u;
        return 0;
    }
    if (call_keyword(call, "NAME", 4)) {
        word = call_take(call);
        if (!word)
            return call_error(call, MESSAGE_filename_missing);
        snprintf(to->name, sizeof to->name, "%s", word);
        word = call_take(call);
        snprintf(to->type, sizeof to->type, "%s", word ? word : "");
        *given |= 16u;
        return 0;
    }
    return call_peek(call) ? call_end(call) : call_error(call, MESSAGE_operand_missing);
}

static void apply_change(struct spool_file *file, const struct spool_file *to, unsigned given)
{
    if (given & 1u)
        file->hold = to->hold;
    if (given & 2u)
        file->keep = to->keep;
    if (given & 4u)
        file->spool_class = to->spool_class;
    if (given & 8u)
        file->copies = to->copies;
    if (given & 16u) {
        memcpy(file->name, to->name, sizeof file->name);
        memcpy(file->type, to->type, sizeof file->type);
    }
}

static int change(struct command_call *call)
{
    struct spool_files files = {0};
    struct spool_file to = {0};
    unsigned given = 0;
    int rc = take_files(call, &files);
    while (rc == 0 && (call_peek(call) || given == 0))
        rc = take_change(call, &to, &given);
    for (unsigned i = 0; rc == 0 && i < files.count; i++) {
        apply_change(&files.file[i], &to, given);
        spool_update(call->cp->spool, &files.file[i]);
    }
    if (rc == 0)
        show_count(call, files.count, "CHANGED");
    free(files.file);
    return rc;
}

#define FILES                                                                                     \
    "[* | userid | SYSTEM] {Reader | PRinter | PUnch | ALL} {ALL | spoolid ... | CLass c | FORM " \
    "f}"
#define DG (CLASS('D') | CLASS('G'))
static const struct command rows[] = {
    {"PURGE", 3, DG | CLASS('E'), false, purge, FILES "\nNSS NAME name",
     "Deletes spool files. Another owner than yourself: class D. NSS (class E): a saved segment, "
     "which goes with its last user."},
    {"TRANSFER", 4, DG, false, transfer, FILES " TO userid [RDR | PRT | PUN]",
     "Gives spool files to another user."},
    {"ORDER", 3, DG, false, order, FILES, "Puts spool files first in their queue."},
    {"CHANGE", 2, DG, false, change,
     FILES " {HOld | NOHold | KEep | NOKeep | CLass c | COpy n | NAME fn [ft]} ...",
     "Changes attributes of spool files."},
};
COMMAND_TABLE(spool_file_commands, NULL, rows);
