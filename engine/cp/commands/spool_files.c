// SPDX-License-Identifier: MIT
// Spool queues and selections of files as the spooling commands name them.
#include "cp/commands/spool_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const struct {
    const char *name;
    unsigned min;
    enum spool_queue queue;
} queues[] = {
    {"READER", 1, SPOOL_RDR}, {"RDR", 3, SPOOL_RDR},   {"PRINTER", 1, SPOOL_PRT},
    {"PRT", 3, SPOOL_PRT},    {"PUNCH", 2, SPOOL_PUN}, {"PCH", 3, SPOOL_PUN},
};

bool take_queue(struct command_call *call, enum spool_queue *queue)
{
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (call_keyword(call, queues[i].name, queues[i].min)) {
            *queue = queues[i].queue;
            return true;
        }
    return false;
}

const char *queue_name(enum spool_queue queue)
{
    static const char *const names[] = {
        [SPOOL_RDR] = "RDR", [SPOOL_PRT] = "PRT", [SPOOL_PUN] = "PUN"};
    return names[queue];
}

bool is_spool_class(const char *word)
{
    return word && strlen(word) == 1 && strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789*", *word);
}

static void gather(void *arg, const struct spool_file *file)
{
    struct spool_files *files = arg;
    files->file = mem_resize(files->file, files->count + 1, sizeof *files->file);
    files->file[files->count++] = *file;
}

void gather_files(struct cp *cp, const char *owner, enum spool_queue queue,
                  struct spool_files *files)
{
    spool_list(cp->spool, owner, queue, gather, files);
}

// Keeps what `keep` wants of the files.
static void keep_only(struct spool_files *files,
                      bool (*keep)(const struct spool_file *, const char *), const char *word)
{
    unsigned n = 0;
    for (unsigned i = 0; i < files->count; i++)
        if (keep(&files->file[i], word))
            files->file[n++] = files->file[i];
    files->count = n;
}

static bool has_class(const struct spool_file *file, const char *word)
{
    return *word == '*' || file->spool_class == *word;
}

static bool has_form(const struct spool_file *file, const char *word)
{
    return strncmp(file->form, word, sizeof file->form - 1) == 0;
}

static int choose_ids(struct command_call *call, struct spool_files *files)
{
    bool *chosen = mem_zero(files->count + 1, sizeof *chosen);
    int rc = 0;
    while (rc == 0 && call_peek(call)) {
        const char *word = call_peek(call);
        uint64_t id;
        bool found = false;
        if (!text_to_u64(word, 10, 9999, &id))
            break;
        call->next++;
        for (unsigned i = 0; i < files->count; i++)
            if (files->file[i].id == id)
                chosen[i] = found = true;
        if (!found)
            rc = call_error(call, MESSAGE_no_such_spoolid, word);
    }
    unsigned n = 0;
    for (unsigned i = 0; i < files->count; i++)
        if (chosen[i])
            files->file[n++] = files->file[i];
    files->count = n;
    free(chosen);
    return rc;
}

int select_files(struct command_call *call, struct spool_files *files)
{
    const char *word = call_peek(call);
    uint64_t id;
    if (!word)
        return call_error(call, MESSAGE_spoolid_missing);
    if (call_keyword(call, "ALL", 3))
        return 0;
    if (call_keyword(call, "CLASS", 2)) {
        word = call_take(call);
        if (!is_spool_class(word))
            return call_error(call, MESSAGE_class_missing);
        keep_only(files, has_class, word);
        return 0;
    }
    if (call_keyword(call, "FORM", 4)) {
        word = call_take(call);
        if (!word)
            return call_error(call, MESSAGE_operand_missing);
        keep_only(files, has_form, word);
        return 0;
    }
    if (!text_to_u64(word, 10, 9999, &id))
        return call_error(call, MESSAGE_invalid_spoolid, word);
    return choose_ids(call, files);
}

void show_count(struct command_call *call, unsigned count, const char *done)
{
    if (call->out->quiet)
        return;
    if (count == 0)
        call_line(call, "NO FILES %s", done);
    else
        call_line(call, "%07u %s %s", count, count == 1 ? "FILE " : "FILES", done);
}
