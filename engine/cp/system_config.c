// SPDX-License-Identifier: MIT
// SYSTEM CONFIG as a whole: reading statements by one table.
#include "cp/system_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/system_config_inside.h"

static void config_defaults(struct system_config *config)
{
    config->features.passwords_autolog = false;
    config->features.passwords_link = config->features.passwords_logon = true;
    config->features.retrieve = 20;
    config->features.retrieve_max = 255;
    config->features.disconnect_timeout = 15;
    strcpy(config->line_end, "#");
    strcpy(config->line_delete, "\u00a2");
    strcpy(config->character_delete, "@");
    strcpy(config->escape, "\"");
    strcpy(config->timezone, "UTC");
    config->processors = 1;
    config->processor_type = PROCESSOR_IFL;
    cpu_model_default(&config->cpu_model);
    config->storage = UINT64_C(2) << 30;
    config->shutdown_time = config->signal_shutdown_time = 30;
    strcpy(config->userid_operator, "OPERATOR");
    strcpy(config->userid_autolog, "AUTOLOG1");
}

static const struct config_statement *find(const char *word)
{
    for (const struct config_statement *row = config_statements; row->name; row++)
        if (text_abbreviates(word, row->name, row->min))
            return row;
    return NULL;
}

// "NAME: statement" belongs to that system only. True when the statement is ours.
static bool for_this_system(struct config_reader *reader, struct statement *st)
{
    const char *word = statement_peek(st);
    size_t n = strlen(word);

    if (n < 2 || word[n - 1] != ':')
        return true;
    statement_take(st);
    return reader->config->system_name[0] && n - 1 == strlen(reader->config->system_name) &&
           strncmp(word, reader->config->system_name, n - 1) == 0 && statement_peek(st);
}

static void read_statement(struct config_reader *reader, struct statement *st)
{
    const struct config_statement *row;
    const char *word;

    if (!for_this_system(reader, st))
        return;
    reader->start = st->next;
    word = statement_take(st);
    row = find(word);
    if (!row) {
        statement_error(&reader->source, st, "invalid system configuration file statement - %s",
                        word);
        return;
    }
    row->read(reader, st);
}

struct system_config *system_config_parse(const char *name, const char *text, struct text *errors)
{
    struct config_reader reader = {
        .source = {.name = name, .text = text, .line = 1, .c_comments = true, .errors = errors},
        .config = mem_zero(1, sizeof(struct system_config)),
    };
    struct statement st;

    config_defaults(reader.config);
    while (statement_read(&reader.source, &st)) {
        read_statement(&reader, &st);
        statement_free(&st);
    }
    if (!reader.config->system_name[0]) {
        st = (struct statement){.line = reader.source.line};
        statement_error(&reader.source, &st, "System_Identifier is missing");
    }
    if (reader.source.error_count) {
        system_config_free(reader.config);
        return NULL;
    }
    return reader.config;
}

void system_config_free(struct system_config *config)
{
    if (!config)
        return;
    for (unsigned i = 0; i < config->rdevs; i++)
        free(config->rdev[i].image);
    for (unsigned i = 0; i < config->commands; i++)
        free(config->command[i].text);
    free(config->rdev);
    free(config->command);
    free(config->user_volumes.volser);
    free(config->autolog);
    free(config->log_message);
    free(config);
}
