// SPDX-License-Identifier: MIT
// The statements of SYSTEM CONFIG, one function each.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cp/system_config_inside.h"

// --- the system -------------------------------------------------------------

// System_Identifier {* * name | model cpuid name | LPAR lpar name | name}
static void read_identifier(struct config_reader *reader, struct statement *st)
{
    if (st->words - st->next == 3)
        st->next += 2;
    if (statement_name(&reader->source, st, "system name", reader->config->system_name, 9))
        statement_end(&reader->source, st);
}

// System_Residence Checkpoint Volid v From Cyl n For m  Warmstart Volid v From Cyl n For m
static void read_residence(struct config_reader *reader, struct statement *st)
{
    while (statement_peek(st))
        if (statement_keyword(st, "VOLID", 5)) {
            if (!statement_name(&reader->source, st, "volume", reader->config->residence, 7))
                return;
        } else {
            statement_take(st);
        }
}

static void read_cp_owned(struct config_reader *reader, struct statement *st)
{
    uint64_t slot;
    char volser[7];

    if (!statement_keyword(st, "SLOT", 4)) {
        statement_error(&reader->source, st, "CP_Owned: Slot is missing");
        return;
    }
    if (!statement_number(&reader->source, st, "slot", 1, CONFIG_SLOTS, &slot))
        return;
    if (statement_keyword(st, "RESERVED", 8))
        return;
    if (!statement_name(&reader->source, st, "volume", volser, sizeof volser))
        return;
    if (!statement_keyword(st, "OWN", 3))
        statement_keyword(st, "SHARED", 6);
    if (statement_end(&reader->source, st))
        memcpy(reader->config->owned[slot], volser, sizeof volser);
}

static void read_user_volumes(struct config_reader *reader, struct statement *st)
{
    char volser[7];

    while (statement_peek(st)) {
        if (!statement_name(&reader->source, st, "volume", volser, sizeof volser))
            return;
        reader->config->user_volumes.volser =
            mem_resize(reader->config->user_volumes.volser, reader->config->user_volumes.count + 1,
                       sizeof *reader->config->user_volumes.volser);
        memcpy(reader->config->user_volumes.volser[reader->config->user_volumes.count++], volser,
               sizeof volser);
    }
}

// RDevice rdev Type type [Model m] [Volume v] [Cylinders n] [Image file]
static void read_rdevice(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;
    struct config_rdev rdev = {.line = st->line};
    uint64_t value;

    if (!statement_vdev(&reader->source, st, &rdev.number))
        return;
    while (statement_peek(st)) {
        if (statement_keyword(st, "TYPE", 4)) {
            if (!statement_name(&reader->source, st, "type", rdev.type, sizeof rdev.type))
                return;
        } else if (statement_keyword(st, "MODEL", 5)) {
            if (!statement_name(&reader->source, st, "model", rdev.model, sizeof rdev.model))
                return;
        } else if (statement_keyword(st, "VOLUME", 3)) {
            if (!statement_name(&reader->source, st, "volume", rdev.volser, sizeof rdev.volser))
                return;
        } else if (statement_keyword(st, "CYLINDERS", 3)) {
            if (!statement_number(&reader->source, st, "cylinders", 1, 65520, &value))
                return;
            rdev.cylinders = (unsigned)value;
        } else if (statement_keyword(st, "IMAGE", 5)) {
            free(rdev.image);
            rdev.image = mem_string(statement_rest(st));
            st->next = st->words;
        } else {
            statement_end(&reader->source, st);
            free(rdev.image);
            return;
        }
    }
    if (!rdev.type[0])
        statement_error(&reader->source, st, "RDevice: Type is missing");
    if (strcmp(rdev.type, "DASD") == 0 && (!rdev.volser[0] || (!rdev.cylinders && !rdev.image)))
        statement_error(&reader->source, st,
                        "RDevice: a DASD needs Volume, and Cylinders or Image");
    config->rdev = mem_resize(config->rdev, config->rdevs + 1, sizeof *config->rdev);
    config->rdev[config->rdevs++] = rdev;
}

static void read_operator_consoles(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;
    uint64_t value;

    while (statement_peek(st)) {
        const char *word = statement_take(st);
        if (text_abbreviates(word, "SYSTEM_3270", 11) ||
            text_abbreviates(word, "SYSTEM_CONSOLE", 14))
            continue;
        if (strlen(word) > 4 || !text_to_u64(word, 16, 0xFFFF, &value)) {
            statement_error(&reader->source, st, "Operator_Consoles: %s is not a device number",
                            word);
            return;
        }
        if (config->operator_consoles < 32)
            config->operator_console[config->operator_consoles++] = (uint16_t)value;
    }
}

// --- features ---------------------------------------------------------------

static void set_feature(struct config_reader *reader, struct statement *st, const char *word,
                        bool on)
{
    struct config_features *f = &reader->config->features;
    const struct {
        const char *name;
        bool *flag; // NULL: known, and nothing depends on it
    } rows[] = {
        {"SET_PRIVCLASS", &f->set_privclass},
        {"AUTO_WARM_IPL", &f->auto_warm_ipl},
        {"CLEAR_TDISK", &f->clear_tdisk},
        {"LOGMSG_FROM_FILE", &f->logmsg_from_file},
        {"IPL_MESSAGES", NULL},
        {"CPCHECKING", NULL},
        {"STP_TZ", NULL},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(word, rows[i].name) == 0) {
            if (rows[i].flag)
                *rows[i].flag = on;
            return;
        }
    statement_error(&reader->source, st, "Features: unknown feature %s", word);
}

static bool feature_operand(const char *word)
{
    static const char *const words[] = {
        "ENABLE", "DISABLE",           "RETRIEVE",          "MAXUSERS",
        "VDISK",  "PASSWORDS_ON_CMDS", "DISCONNECT_TIMEOUT"};
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static void feature_passwords(struct config_reader *reader, struct statement *st)
{
    struct config_features *f = &reader->config->features;

    for (;;) {
        bool *flag = statement_keyword(st, "AUTOLOG", 7) ? &f->passwords_autolog
                     : statement_keyword(st, "LINK", 4)  ? &f->passwords_link
                     : statement_keyword(st, "LOGON", 5) ? &f->passwords_logon
                                                         : NULL;
        if (!flag)
            return;
        *flag = statement_keyword(st, "YES", 1);
        if (!*flag && !statement_keyword(st, "NO", 1)) {
            statement_error(&reader->source, st, "Passwords_on_Cmds: YES or NO is missing");
            return;
        }
    }
}

static void feature_retrieve(struct config_reader *reader, struct statement *st)
{
    uint64_t value;

    for (;;) {
        unsigned *to = statement_keyword(st, "DEFAULT", 3) ? &reader->config->features.retrieve
                       : statement_keyword(st, "MAXIMUM", 3)
                           ? &reader->config->features.retrieve_max
                           : NULL;
        if (!to || !statement_number(&reader->source, st, "Retrieve", 0, 255, &value))
            return;
        *to = (unsigned)value;
    }
}

static void feature_vdisk(struct config_reader *reader, struct statement *st)
{
    while (statement_keyword(st, "USERLIM", 7) || statement_keyword(st, "SYSLIM", 6)) {
        bool user = st->word[st->next - 1][0] == 'U';
        const char *word = statement_take(st);
        uint64_t value = UINT64_MAX;
        if (!word ||
            (strcmp(word, "INFINITE") != 0 && !text_to_u64(word, 10, UINT64_MAX, &value))) {
            statement_error(&reader->source, st, "Vdisk: invalid limit");
            return;
        }
        statement_keyword(st, "BLOCKS", 3);
        if (user)
            reader->config->vdisk_user_limit = value;
    }
}

static void feature_number(struct config_reader *reader, struct statement *st, const char *none,
                           unsigned *to)
{
    uint64_t value = 0;

    if (!statement_keyword(st, none, 3) &&
        !statement_number(&reader->source, st, st->word[st->next - 1], 1, 99999, &value))
        return;
    *to = (unsigned)value;
}

static void read_features(struct config_reader *reader, struct statement *st)
{
    struct config_features *f = &reader->config->features;

    while (statement_peek(st)) {
        if (statement_keyword(st, "ENABLE", 6) || statement_keyword(st, "DISABLE", 7)) {
            bool on = st->word[st->next - 1][0] == 'E';
            while (statement_peek(st) && !feature_operand(statement_peek(st)))
                set_feature(reader, st, statement_take(st), on);
        } else if (statement_keyword(st, "RETRIEVE", 8)) {
            feature_retrieve(reader, st);
        } else if (statement_keyword(st, "MAXUSERS", 8)) {
            feature_number(reader, st, "NOLIMIT", &f->max_users);
        } else if (statement_keyword(st, "DISCONNECT_TIMEOUT", 18)) {
            feature_number(reader, st, "OFF", &f->disconnect_timeout);
        } else if (statement_keyword(st, "VDISK", 5)) {
            feature_vdisk(reader, st);
        } else if (statement_keyword(st, "PASSWORDS_ON_CMDS", 17)) {
            feature_passwords(reader, st);
        } else {
            statement_error(&reader->source, st, "Features: unexpected operand %s",
                            statement_peek(st));
            return;
        }
    }
}

static void read_set(struct config_reader *reader, struct statement *st)
{
    unsigned *to = NULL;
    uint64_t value;

    if (statement_keyword(st, "SHUTDOWNTIME", 12))
        to = &reader->config->shutdown_time;
    else if (statement_keyword(st, "SIGNAL", 6) && statement_keyword(st, "SHUTDOWNTIME", 12))
        to = &reader->config->signal_shutdown_time;
    if (!to)
        statement_error(&reader->source, st, "Set: ShutdownTime or Signal ShutdownTime expected");
    else if (statement_number(&reader->source, st, "seconds", 0, 32767, &value))
        *to = (unsigned)value;
}

// --- characters and time ----------------------------------------------------

// A character as written: "#", '"', OFF.
static bool edit_character_value(const char *raw, char out[5])
{
    size_t n = strcspn(raw, " ");

    if ((n >= 3) && (*raw == '"' || *raw == '\'') && raw[n - 1] == *raw) {
        raw++;
        n -= 2;
    }
    if (n == 3 && strncasecmp(raw, "OFF", 3) == 0)
        n = 0;
    if (n > 4 || (n > 1 && (raw[0] & 0x80) == 0))
        return false;
    memset(out, 0, 5);
    memcpy(out, raw, n);
    return true;
}

static void read_characters(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;

    while (statement_peek(st)) {
        char *to = statement_keyword(st, "LINE_END", 8)      ? config->line_end
                   : statement_keyword(st, "LINE_DELETE", 8) ? config->line_delete
                   : statement_keyword(st, "CHAR_DELETE", 8) ? config->character_delete
                   : statement_keyword(st, "ESCAPE", 6)      ? config->escape
                   : statement_keyword(st, "TAB", 3)         ? config->tab
                                                             : NULL;
        if (!to || !statement_peek(st) || !edit_character_value(statement_rest(st), to)) {
            statement_error(&reader->source, st, "Character_Defaults: invalid operand near %s",
                            statement_peek(st) ? statement_peek(st) : "the end");
            return;
        }
        statement_take(st);
    }
}

// Timezone_Definition zone {East | West} hh.mm.ss
static void read_timezone(struct config_reader *reader, struct statement *st)
{
    char zone[9];
    const char *word;
    unsigned h, m, s;
    char rest;
    bool west;

    if (!statement_name(&reader->source, st, "zone", zone, sizeof zone))
        return;
    west = statement_keyword(st, "WEST", 4);
    if (!west && !statement_keyword(st, "EAST", 4)) {
        statement_error(&reader->source, st, "Timezone_Definition: East or West is missing");
        return;
    }
    word = statement_take(st);
    if (!word || sscanf(word, "%2u.%2u.%2u%c", &h, &m, &s, &rest) != 3 || h > 23 || m > 59 ||
        s > 59) {
        statement_error(&reader->source, st, "Timezone_Definition: offset must be hh.mm.ss");
        return;
    }
    // The last definition before a Timezone_Boundary that names another one holds.
    memcpy(reader->config->timezone, zone, sizeof zone);
    reader->config->timezone_offset = (int64_t)(h * 3600 + m * 60 + s) * (west ? -1 : 1);
}

// --- our machine ------------------------------------------------------------

static void read_processors(struct config_reader *reader, struct statement *st)
{
    static const struct {
        const char *word;
        enum processor_type type;
    } types[] = {{"CP", PROCESSOR_CP},
                 {"IFL", PROCESSOR_IFL},
                 {"ICF", PROCESSOR_ICF},
                 {"ZIIP", PROCESSOR_ZIIP},
                 {"ZAAP", PROCESSOR_ZAAP}};
    uint64_t count;
    const char *word;

    if (!statement_number(&reader->source, st, "number", 1, MACHINE_MAX_CPUS, &count))
        return;
    reader->config->processors = (unsigned)count;
    word = statement_take(st);
    if (!word)
        return;
    for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(word, types[i].word) == 0) {
            reader->config->processor_type = types[i].type;
            statement_end(&reader->source, st);
            return;
        }
    statement_error(&reader->source, st, "Processors: invalid type %s", word);
}

// CPU_Model model [+facility | -facility]...
static void read_cpu_model(struct config_reader *reader, struct statement *st)
{
    char reason[200];

    if (!statement_peek(st))
        statement_error(&reader->source, st, "CPU_Model: the model is missing");
    else if (cpu_model_parse(&reader->config->cpu_model, statement_rest(st), reason,
                             sizeof reason) < 0)
        statement_error(&reader->source, st, "CPU_Model: %s", reason);
}

static void read_storage(struct config_reader *reader, struct statement *st)
{
    const char *word = statement_take(st);

    if (!word || !text_to_size(word, &reader->config->storage) ||
        reader->config->storage < UINT64_C(16) << 20) {
        statement_error(&reader->source, st, "Storage: invalid size %s", word ? word : "(missing)");
        return;
    }
    statement_end(&reader->source, st);
}

static void read_userids(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;
    char other[9];

    while (statement_peek(st)) {
        char *to = statement_keyword(st, "OPERATOR", 8)   ? config->userid_operator
                   : statement_keyword(st, "AUTOLOG", 7)  ? config->userid_autolog
                   : statement_keyword(st, "ACCOUNT1", 8) ? config->userid_account
                   : statement_keyword(st, "ACCOUNT2", 8) || statement_keyword(st, "DUMP", 4) ||
                           statement_keyword(st, "EREP", 4) || statement_keyword(st, "SYMPTOM", 7)
                       ? other
                       : NULL;
        if (!to) {
            statement_error(&reader->source, st, "System_Userids: unexpected operand %s",
                            statement_peek(st));
            return;
        }
        if (!statement_name(&reader->source, st, "userid", to, 9))
            return;
    }
}

// Autolog userid...: logged on at IPL, after AUTOLOG1, in this order. Our own.
static void read_autolog(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;
    char userid[9];

    while (statement_peek(st)) {
        if (!statement_name(&reader->source, st, "userid", userid, sizeof userid))
            return;
        config->autolog =
            mem_resize(config->autolog, config->autologs + 1, sizeof *config->autolog);
        memcpy(config->autolog[config->autologs++], userid, sizeof userid);
    }
}

static void read_logmsg(struct config_reader *reader, struct statement *st)
{
    free(reader->config->log_message);
    reader->config->log_message = mem_string(statement_rest(st));
}

static void read_command(struct config_reader *reader, struct statement *st)
{
    struct system_config *config = reader->config;

    config->command = mem_resize(config->command, config->commands + 1, sizeof *config->command);
    config->command[config->commands++] =
        (struct config_command){.text = mem_string(st->raw_word[reader->start]), .line = st->line};
}

// Known to a real system, nothing to act on here: said aloud.
static void read_without_effect(struct config_reader *reader, struct statement *st)
{
    if (reader->source.errors)
        text_printf(reader->source.errors, "%s:%u: warning: %s has no effect in this version\n",
                    reader->source.name, st->line, st->word[reader->start]);
}

// clang-format off
const struct config_statement config_statements[] = {
    {"SYSTEM_IDENTIFIER",         17, read_identifier},
    {"SYSTEM_IDENTIFIER_DEFAULT", 25, read_identifier},
    {"SYSTEM_RESIDENCE",          16, read_residence},
    {"CP_OWNED",                   8, read_cp_owned},
    {"USER_VOLUME_LIST",          16, read_user_volumes},
    {"RDEVICE",                    4, read_rdevice},
    {"OPERATOR_CONSOLES",         17, read_operator_consoles},
    {"EMERGENCY_MESSAGE_CONSOLES", 26, read_without_effect},
    {"FEATURES",                   8, read_features},
    {"SET",                        3, read_set},
    {"CHARACTER_DEFAULTS",        18, read_characters},
    {"TIMEZONE_DEFINITION",       19, read_timezone},
    {"TIMEZONE_BOUNDARY",         17, read_without_effect},
    {"SYSTEM_USERIDS",            14, read_userids},
    {"PROCESSORS",                10, read_processors},
    {"CPU_MODEL",                  9, read_cpu_model},
    {"STORAGE",                    7, read_storage},
    {"AUTOLOG",                    7, read_autolog},
    {"LOGMSG",                     6, read_logmsg},
    {"DEFINE",                     6, read_command},
    {"MODIFY",                     6, read_command},
    {"VMLAN",                      5, read_without_effect},
    {"DEVICES",                    7, read_without_effect},
    {"DRAIN",                      5, read_without_effect},
    {"FORM_DEFAULT",              12, read_without_effect},
    {"USER_FORM",                  9, read_without_effect},
    {"HOT_IO_RATE",               11, read_without_effect},
    {"JOURNALING",                10, read_without_effect},
    {"LOGO_CONFIG",               11, read_without_effect},
    {"MULTITHREADING",            14, read_without_effect},
    {"PRINTER_TITLE",             13, read_without_effect},
    {"PRIVCLASSES",               11, read_without_effect},
    {"PRODUCT",                    7, read_without_effect},
    {"SRM",                        3, read_without_effect},
    {"SSI",                        3, read_without_effect},
    {"SYSTEM_DATEFORMAT",         17, read_without_effect},
    {"TOLERATE_CONFIG_ERRORS",    22, read_without_effect},
    {"USER_DEFAULTS",             13, read_without_effect},
    {"USER_VOLUME_EXCLUDE",       19, read_without_effect},
    {"USER_VOLUME_INCLUDE",       19, read_without_effect},
    {0},
};
// clang-format on
