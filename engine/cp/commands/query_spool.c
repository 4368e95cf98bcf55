// SPDX-License-Identifier: MIT
// QUERY FILES, READER, PRINTER and PUNCH.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cp/commands/spool_files.h"
#include "cp/commands/table.h"

struct query {
    const char *owner; // NULL: everybody's
    char userid[USERID_SIZE];
    bool all;
};

static int take_owner(struct command_call *call, struct query *query)
{
    bool operator=(call->classes &CLASS('D')) != 0;
    query->owner = operator? NULL : call->vm->userid;
    if (call_keyword(call, "SYSTEM", 6)) {
        if (!operator)
            return call_error(call, MESSAGE_invalid_operand, "SYSTEM");
        query->owner = NULL;
        return 0;
    }
    if (!call_keyword(call, "USERID", 6) && !(call_peek(call) && strcmp(call_peek(call), "*") == 0))
        return 0;
    const char *word = call_take(call);
    if (word && strcmp(word, "*") == 0)
        word = call->vm->userid;
    if (!parse_userid(word, query->userid))
        return call_error(call, MESSAGE_userid_missing);
    if (!operator&& strcmp(query->userid, call->vm->userid) != 0)
        return call_error(call, MESSAGE_invalid_operand, query->userid);
    query->owner = query->userid;
    return 0;
}

static const char *hold_word(const struct spool_file *file)
{
    return file->hold ? "USER" : "NONE";
}

static void show_file(struct command_call *call, const struct query *query,
                      const struct spool_file *f)
{
    const char *id = query->owner == call->vm->userid || query->owner ? f->origin : f->owner;
    if (query->all) {
        int64_t local = f->created + call->cp->timezone;
        struct tod_calendar c = tod_calendar(tod_from_unix(local, 0));
        call_line(call, "%-8s %04u %c %-3s %08u %03u %-4s %02d/%02d %02d:%02d:%02d %-9.9s %-8s %s",
                  id, f->id, f->spool_class, f->origin_type, f->records, f->copies, hold_word(f),
                  c.month, c.day, c.hour, c.minute, c.second, f->name, f->type,
                  f->distribution[0] ? f->distribution : f->owner);
        return;
    }
    call_line(call, "%-8s %04u %c %-3s %08u %03u %-4s %-8s %-8s %-4s OFF", id, f->id,
              f->spool_class, f->origin_type, f->records, f->copies, hold_word(f), f->form, "OFF",
              f->keep ? "ON" : "OFF");
}

static int show_files(struct command_call *call, const struct query *query,
                      const struct spool_files *files, enum spool_queue queue)
{
    const char *id = query->owner ? "ORIGINID" : "OWNERID ";
    if (files->count == 0) {
        call_line(call, "NO %s FILES", queue_name(queue));
        return 0;
    }
    if (query->all)
        call_line(call, "%s FILE CLASS RECORDS  CPY HOLD DATE  TIME     NAME      TYPE     DIST",
                  id);
    else
        call_line(call, "%s FILE CLASS RECORDS  CPY HOLD FORM     DEST     KEEP MSG", id);
    for (unsigned i = 0; i < files->count; i++)
        show_file(call, query, &files->file[i]);
    return 0;
}

static int query_queue(struct command_call *call)
{
    struct query query = {0};
    struct spool_files files = {0};
    enum spool_queue queue = SPOOL_RDR;
    call->next--; // the operand that chose this row is the queue's name
    take_queue(call, &queue);
    int rc = take_owner(call, &query);
    if (rc == 0)
        gather_files(call->cp, query.owner, queue, &files);
    query.all = rc == 0 && call_keyword(call, "ALL", 3);
    if (rc == 0 && call_peek(call))
        rc = select_files(call, &files);
    query.all |= rc == 0 && call_keyword(call, "ALL", 3);
    if (rc == 0)
        call_keyword(call, "SHORTDATE", 6); // the only form of dates here
    if (rc == 0)
        rc = call_end(call);
    if (rc == 0)
        rc = show_files(call, &query, &files, queue);
    free(files.file);
    return rc;
}

static void put_count(struct text *text, unsigned count, unsigned width, const char *name)
{
    if (count)
        text_printf(text, "%0*u %s", (int)width, count, name);
    else
        text_printf(text, "%*s %s", (int)width, "NO", name);
}

static unsigned count_files(struct cp *cp, const char *owner, enum spool_queue queue)
{
    struct spool_files files = {0};
    if (owner)
        return spool_count(cp->spool, owner, queue);
    gather_files(cp, NULL, queue, &files);
    free(files.file);
    return files.count;
}

static int query_files(struct command_call *call)
{
    struct query query = {0};
    struct text line = {0};
    if (take_owner(call, &query) || call_end(call))
        return call->out->rc;
    unsigned width = query.owner ? 4 : 7;
    text_puts(&line, "FILES: ");
    put_count(&line, count_files(call->cp, query.owner, SPOOL_RDR), width, "RDR, ");
    put_count(&line, count_files(call->cp, query.owner, SPOOL_PRT), width, "PRT, ");
    put_count(&line, count_files(call->cp, query.owner, SPOOL_PUN), width, "PUN");
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

#define SYNTAX "[* | USERID userid | SYSTEM] [spoolid ... | CLass c | FORM f] [ALL] [SHORTDATE]"
#define DG     (CLASS('D') | CLASS('G'))
static const struct command rows[] = {
    {"FILES", 1, DG, false, query_files, "[* | USERID userid | SYSTEM]", "Counts spool files."},
    {"READER", 1, DG, false, query_queue, SYNTAX,
     "Lists reader files; ALL shows time and name. Class D sees everybody's."},
    {"RDR", 3, DG, false, query_queue, "", "", "READER"},
    {"PRINTER", 1, DG, false, query_queue, SYNTAX, "Lists printer files."},
    {"PRT", 3, DG, false, query_queue, "", "", "PRINTER"},
    {"PUNCH", 2, DG, false, query_queue, SYNTAX, "Lists punch files."},
    {"PCH", 3, DG, false, query_queue, "", "", "PUNCH"},
};
COMMAND_TABLE(query_spool_commands, "QUERY", rows);
