// SPDX-License-Identifier: MIT
// The general statements of a directory entry.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/directory_inside.h"

static void read_machine(struct directory_reader *reader, struct statement *st)
{
    static const char *const modes[] = {"ESA", "XA", "XC", "Z"};
    const char *word = statement_take(st);
    uint64_t cpus;

    for (unsigned i = 0; word && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(word, modes[i]) == 0) {
            strcpy(reader->current->mode, modes[i]);
            if (statement_peek(st)) {
                if (!statement_number(&reader->source, st, "number of CPUs", 1, MACHINE_MAX_CPUS,
                                      &cpus))
                    return;
                reader->current->max_cpus = (unsigned)cpus;
            }
            statement_end(&reader->source, st);
            return;
        }
    statement_error(&reader->source, st, "MACHINE: invalid mode %s (ESA, XA, XC or Z)",
                    word ? word : "(missing)");
}

static struct directory_cpu *cpu_entry(struct directory_user *user, unsigned address)
{
    for (unsigned i = 0; i < user->cpus; i++)
        if (user->cpu[i].address == address)
            return &user->cpu[i];
    struct directory_cpu *cpu = DIRECTORY_ADD(user->cpu, user->cpus);
    cpu->address = address;
    return cpu;
}

static void read_cpu(struct directory_reader *reader, struct statement *st)
{
    const char *word = statement_take(st);
    uint64_t address, id;
    struct directory_cpu *cpu;

    if (!word || !text_to_u64(word, 16, MACHINE_MAX_CPUS - 1, &address)) {
        statement_error(&reader->source, st, "CPU: invalid CPU address %s (00 to 3F)",
                        word ? word : "(missing)");
        return;
    }
    cpu = cpu_entry(reader->current, (unsigned)address);
    while (statement_peek(st)) {
        if (statement_keyword(st, "BASE", 4))
            cpu->base = true;
        else if (statement_keyword(st, "DEDICATE", 3))
            cpu->dedicate = true;
        else if (statement_keyword(st, "NODEDICATE", 5))
            cpu->dedicate = false;
        else if (statement_keyword(st, "CPUID", 5)) {
            word = statement_take(st);
            if (!word || strlen(word) != 6 || !text_to_u64(word, 16, 0xFFFFFF, &id)) {
                statement_error(&reader->source, st, "CPU: CPUID needs six hexadecimal digits");
                return;
            }
            cpu->cpuid = (uint32_t)id;
        } else {
            statement_end(&reader->source, st);
            return;
        }
    }
}

static void ipl_parameters(struct directory_reader *reader, struct statement *st,
                           struct directory_user *user)
{
    while (statement_peek(st)) {
        if (statement_keyword(st, "LOADPARM", 5)) {
            if (!statement_name(&reader->source, st, "LOADPARM", user->loadparm, 9))
                return;
        } else if (statement_keyword(st, "PARM", 4)) {
            free(user->ipl_parm);
            user->ipl_parm = mem_string(statement_rest(st));
            return;
        } else {
            statement_end(&reader->source, st);
            return;
        }
    }
}

// IPL {vdev | name | FILE path} [LOADPARM x] [PARM text]
static void read_ipl(struct directory_reader *reader, struct statement *st)
{
    struct directory_user *user = reader->current;

    user->ipl[0] = '\0';
    free(user->ipl_file);
    free(user->ipl_parm);
    user->ipl_file = user->ipl_parm = NULL;
    if (statement_keyword(st, "FILE", 4)) {
        const char *path = statement_rest(st);
        size_t n = strcspn(path, " ");
        if (!n) {
            statement_error(&reader->source, st, "IPL FILE: path is missing");
            return;
        }
        user->ipl_file = mem_zero(n + 1, 1);
        memcpy(user->ipl_file, path, n);
        statement_take(st);
    } else if (!statement_name(&reader->source, st, "system", user->ipl, sizeof user->ipl)) {
        return;
    }
    ipl_parameters(reader, st, user);
}

static bool share_value(const char *word, bool absolute, unsigned *value)
{
    char number[16];
    const char *point = strchr(word, '.');
    size_t n = strlen(word);
    uint64_t whole, tenths = 0;

    if (!absolute)
        return text_to_u64(word, 10, 10000, &whole) && whole >= 1 &&
               (*value = (unsigned)whole, true);
    if (n && word[n - 1] == '%')
        n--;
    if (n >= sizeof number)
        return false;
    memcpy(number, word, n);
    number[n] = '\0';
    if (point) {
        number[point - word] = '\0';
        if (!text_to_u64(number + (point - word) + 1, 10, 9, &tenths))
            return false;
    }
    if (!number[0])
        whole = 0;
    else if (!text_to_u64(number, 10, 100, &whole))
        return false;
    *value = (unsigned)(whole * 10 + tenths);
    return *value >= 1 && *value <= 1000;
}

// One of ABSOLUTE n% and RELATIVE n; false (no error given) when neither is next.
static bool share_part(struct statement *st, bool *absolute, unsigned *value, bool *bad)
{
    if (statement_keyword(st, "ABSOLUTE", 3))
        *absolute = true;
    else if (statement_keyword(st, "RELATIVE", 3))
        *absolute = false;
    else
        return false;
    const char *word = statement_take(st);
    *bad = !word || !share_value(word, *absolute, value);
    return true;
}

static void read_share(struct directory_reader *reader, struct statement *st)
{
    struct share share = {.value = 100};
    bool bad = false, limit;

    if (!share_part(st, &share.absolute, &share.value, &bad) || bad) {
        statement_error(&reader->source, st,
                        "SHARE: ABSOLUTE .1%% to 100%% or RELATIVE 1 to 10000");
        return;
    }
    limit = share_part(st, &share.limit_absolute, &share.limit, &bad);
    if (bad) {
        statement_error(&reader->source, st, "SHARE: invalid maximum");
        return;
    }
    if (statement_keyword(st, "LIMITHARD", 6))
        share.limited = share.limit_hard = true;
    else if (statement_keyword(st, "LIMITSOFT", 6))
        share.limited = true;
    else
        statement_keyword(st, "NOLIMIT", 3);
    if (share.limited && !limit) { // the share itself is the limit
        share.limit_absolute = share.absolute;
        share.limit = share.value;
    }
    if (statement_end(&reader->source, st)) {
        reader->current->share = share;
        reader->current->has_share = true;
    }
}

static void read_storage(struct directory_reader *reader, struct statement *st)
{
    bool maximum = st->word[0][0] == 'M';
    uint64_t bytes;
    const char *word = statement_take(st);

    if (!word || !text_to_size(word, &bytes) || bytes < UINT64_C(1) << 20) {
        statement_error(&reader->source, st, "%s: invalid storage size %s", st->word[0],
                        word ? word : "(missing)");
        return;
    }
    if (maximum)
        reader->current->max_storage = bytes;
    else
        reader->current->storage = bytes;
    if (reader->current->max_storage < reader->current->storage)
        reader->current->max_storage = reader->current->storage;
    statement_end(&reader->source, st);
}

// CPUMODEL {model | +facility | -facility}...
static void read_cpu_model(struct directory_reader *reader, struct statement *st)
{
    struct cpu_model model;
    char reason[200];

    if (!statement_peek(st))
        statement_error(&reader->source, st, "CPUMODEL: the model is missing");
    else if (cpu_model_parse(&model, statement_rest(st), reason, sizeof reason) < 0)
        statement_error(&reader->source, st, "CPUMODEL: %s", reason);
    else
        copy_text(reader->current->cpu_model, sizeof reader->current->cpu_model,
                  statement_rest(st));
}

static void read_account(struct directory_reader *reader, struct statement *st)
{
    if (!statement_name(&reader->source, st, "account number", reader->current->account, 9))
        return;
    if (statement_peek(st))
        statement_name(&reader->source, st, "distribution", reader->current->distribution, 9);
}

static void read_class(struct directory_reader *reader, struct statement *st)
{
    const char *word = statement_take(st);
    if (!word || !class_set_parse(word, &reader->current->classes))
        statement_error(&reader->source, st, "CLASS: invalid privilege classes");
    else
        statement_end(&reader->source, st);
}

static void read_names(struct directory_reader *reader, struct statement *st)
{
    static const struct {
        const char *statement;
        size_t offset;
    } rows[] = {
        {"NAMESAVE", offsetof(struct directory_user, namesave)},
        {"AUTOLOG", offsetof(struct directory_user, autolog)},
        {"XAUTOLOG", offsetof(struct directory_user, xautolog)},
        {"LOGONBY", offsetof(struct directory_user, logonby)},
    };
    char name[9];

    if (!statement_peek(st)) {
        statement_error(&reader->source, st, "%s: names are missing", st->word[0]);
        return;
    }
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (text_abbreviates(st->word[0], rows[i].statement, 5))
            while (statement_peek(st)) {
                if (!statement_name(&reader->source, st, "name", name, sizeof name))
                    return;
                directory_names_add(
                    (struct directory_names *)(void *)((char *)reader->current + rows[i].offset),
                    name);
            }
}

static void read_command(struct directory_reader *reader, struct statement *st)
{
    struct directory_user *user = reader->current;

    if (!statement_peek(st)) {
        statement_error(&reader->source, st, "%s: command is missing", st->word[0]);
        return;
    }
    user->command = mem_resize(user->command, user->commands + 1, sizeof *user->command);
    user->command[user->commands++] = mem_string(statement_rest(st));
}

// IUCV {ALLOW | ANY | userid | *service} [PRIORITY] [MSGLIMIT n]
static void read_iucv(struct directory_reader *reader, struct statement *st)
{
    struct directory_iucv entry = {0};
    uint64_t limit;

    if (!statement_name(&reader->source, st, "target", entry.target, sizeof entry.target))
        return;
    if (strcmp(entry.target, "*IDENT") == 0) { // resource name and scope follow
        st->next = st->words;
    }
    while (statement_peek(st)) {
        if (statement_keyword(st, "PRIORITY", 4))
            entry.priority = true;
        else if (statement_keyword(st, "MSGLIMIT", 4)) {
            if (!statement_number(&reader->source, st, "MSGLIMIT", 1, 65535, &limit))
                return;
            entry.msglimit = (unsigned)limit;
        } else {
            statement_end(&reader->source, st);
            return;
        }
    }
    *DIRECTORY_ADD(reader->current->iucv, reader->current->iucvs) = entry;
}

static void read_option(struct directory_reader *reader, struct statement *st)
{
#define FLAG(text, field)                               \
    {                                                   \
        text, offsetof(struct directory_options, field) \
    }
    static const struct {
        const char *word;
        size_t offset;
    } flags[] = {
        FLAG("ACCT", acct),
        FLAG("APPLMON", applmon),
        FLAG("CFUSER", cfuser),
        FLAG("CFVM", cfvm),
        FLAG("COMSRV", comsrv),
        FLAG("CONCEAL", conceal),
        FLAG("CRYMEASURE", crymeasure),
        FLAG("D84NOPAS", d84nopas),
        FLAG("DEVINFO", devinfo),
        FLAG("DEVMAINT", devmaint),
        FLAG("DIAG88", diag88),
        FLAG("DIAG98", diag98),
        FLAG("IGNMAXU", ignmaxu),
        FLAG("LANG", lang),
        FLAG("LKFAC", lkfac),
        FLAG("LNKE", lnke),
        FLAG("LNKEXCLU", lnkexclu),
        FLAG("LNKNOPAS", lnknopas),
        FLAG("LNKS", lnks),
        FLAG("LNKSTABL", lnkstabl),
        FLAG("MAINTCCW", maintccw),
        FLAG("MIH", mih),
        FLAG("NETACCOUNTING", netaccounting),
        FLAG("NETROUTER", netrouter),
        FLAG("QUICKDSP", quickdsp),
        FLAG("RMCHINFO", rmchinfo),
        FLAG("SETORIG", setorig),
        FLAG("STFIRST", stfirst),
        FLAG("STGEXEMPT", stgexempt),
        FLAG("SVCACCL", svcaccl),
        FLAG("SVMSTAT", svmstat),
        FLAG("TODENABLE", todenable),
        FLAG("UNDERPRI", underpri),
        FLAG("VMSAVE", vmsave),
        FLAG("XRC", xrc),
    };
#undef FLAG
    struct directory_options *option = &reader->current->option;
    uint64_t value;

    while (statement_peek(st)) {
        const char *word = statement_take(st);
        unsigned i = 0;
        while (i < sizeof flags / sizeof *flags && strcmp(word, flags[i].word) != 0)
            i++;
        if (i < sizeof flags / sizeof *flags) {
            *(bool *)((char *)option + flags[i].offset) = true;
        } else if (strcmp(word, "MAXCONN") == 0) {
            if (!statement_number(&reader->source, st, "MAXCONN", 1, 65535, &value))
                return;
            option->maxconn = (unsigned)value;
        } else if (strcmp(word, "CPUID") == 0 || strcmp(word, "MAXVTIME") == 0) {
            statement_take(st);
        } else {
            statement_error(&reader->source, st, "OPTION: unknown option %s", word);
            return;
        }
    }
}

static void read_screen(struct directory_reader *reader, struct statement *st)
{
    copy_text(reader->current->screen, sizeof reader->current->screen, statement_rest(st));
}

// Statements that a real directory has and that have nothing to act on here yet. Said aloud, so
// that nobody relies on them.
static void read_without_effect(struct directory_reader *reader, struct statement *st)
{
    if (reader->source.errors)
        text_printf(reader->source.errors, "%s:%u: warning: %s has no effect in this version\n",
                    reader->source.name, st->line, st->word[0]);
}

// clang-format off
const struct directory_statement directory_general_statements[] = {
    {"ACCOUNT",     4, false, read_account},
    {"AUTOLOG",     7, false, read_names},
    {"CLASS",       5, false, read_class},
    {"CMD",         3, false, read_command},
    {"COMMAND",     5, false, read_command},
    {"CPU",         3, false, read_cpu},
    {"CPUMODEL",    8, false, read_cpu_model},
    {"IPL",         1, false, read_ipl},
    {"IUCV",        4, false, read_iucv},
    {"LOGONBY",     7, false, read_names},
    {"MACHINE",     4, false, read_machine},
    {"MAXSTORAGE",  5, false, read_storage},
    {"NAMESAVE",    5, false, read_names},
    {"OPTION",      3, false, read_option},
    {"SCREEN",      3, false, read_screen},
    {"SHARE",       5, false, read_share},
    {"STORAGE",     5, false, read_storage},
    {"XAUTOLOG",    8, false, read_names},
    {"CRYPTO",      6, false, read_without_effect},
    {"D8ONECMD",    8, false, read_without_effect},
    {"DATEFORMAT",  5, false, read_without_effect},
    {"IOPRIORITY",  5, false, read_without_effect},
    {"LOADDEV",     7, false, read_without_effect},
    {"NOPDATA",     7, false, read_without_effect},
    {"SECLABEL",    8, false, read_without_effect},
    {"STDEVOPT",    8, false, read_without_effect},
    {"VMRELOCATE",  6, false, read_without_effect},
    {"XCONFIG",     7, false, read_without_effect},
    {0},
};
// clang-format on
