// SPDX-License-Identifier: MIT
// USER DIRECT as a whole: entries, profiles, look-ups.
#include "cp/directory.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "cp/directory_inside.h"

#define DEFAULT_STORAGE (UINT64_C(64) << 20)
#define MAX_STORAGE     (UINT64_C(64) << 30)

bool class_set_parse(const char *letters, class_set *classes)
{
    class_set set = 0;

    for (; *letters; letters++) {
        char c = *letters;
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (c >= 'A' && c <= 'Z')
            set |= CLASS(c);
        else if (c >= '1' && c <= '6')
            set |= UINT32_C(1) << (26 + c - '1');
        else
            return false;
    }
    *classes = set;
    return true;
}

void class_set_format(class_set classes, char out[33])
{
    unsigned n = 0;
    for (unsigned i = 0; i < 32; i++)
        if (classes >> i & 1)
            out[n++] = i < 26 ? (char)('A' + i) : (char)('1' + i - 26);
    out[n] = '\0';
}

// --- entries ----------------------------------------------------------------

bool directory_userid(struct directory_reader *reader, struct statement *st, char userid[9])
{
    if (!statement_name(&reader->source, st, "userid", userid, 9))
        return false;
    if (strpbrk(userid, ":.;/")) {
        statement_error(&reader->source, st, "%s: invalid userid %s", st->word[0], userid);
        return false;
    }
    return true;
}

static struct directory_user *entry_new(struct directory_user **list, unsigned *count,
                                        const struct statement *st, const char *name)
{
    struct directory_user *user = DIRECTORY_ADD(*list, *count);

    memcpy(user->userid, name, sizeof user->userid);
    user->line = st->line;
    user->storage = user->max_storage = DEFAULT_STORAGE;
    user->classes = CLASS('G');
    strcpy(user->mode, "XA");
    user->max_cpus = 1;
    memcpy(user->account, name, sizeof user->account);
    return user;
}

static bool read_password(struct directory_reader *reader, struct statement *st,
                          struct directory_user *user)
{
    static const struct {
        const char *word;
        enum password_kind kind;
    } kinds[] = {{"NOLOG", PASSWORD_NOLOG},
                 {"NOPASS", PASSWORD_NOPASS},
                 {"AUTOONLY", PASSWORD_AUTOONLY},
                 {"LBYONLY", PASSWORD_LBYONLY}};

    if (!statement_name(&reader->source, st, "password", user->password, sizeof user->password))
        return false;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(user->password, kinds[i].word) == 0)
            user->password_kind = kinds[i].kind;
    return true;
}

static void read_size(struct directory_reader *reader, struct statement *st, uint64_t *bytes)
{
    const char *word = statement_take(st);

    if (!text_to_size(word, bytes) || *bytes < UINT64_C(1) << 20 || *bytes > MAX_STORAGE)
        statement_error(&reader->source, st, "%s: invalid storage size %s (1M to 64G)", st->word[0],
                        word);
}

// USER uid password [storage [maximum [classes [priority and line-editing characters]]]]
static void read_user(struct directory_reader *reader, struct statement *st)
{
    struct directory *directory = reader->directory;
    struct directory_user *user;
    char userid[9];

    reader->current = NULL;
    if (!directory_userid(reader, st, userid))
        return;
    if (directory_find(directory, userid)) {
        statement_error(&reader->source, st, "%s: %s is defined twice", st->word[0], userid);
        return;
    }
    user = entry_new(&directory->user, &directory->users, st, userid);
    reader->current = user;
    if (!read_password(reader, st, user))
        return;
    if (statement_peek(st)) {
        read_size(reader, st, &user->storage);
        user->max_storage = user->storage;
    }
    if (statement_peek(st))
        read_size(reader, st, &user->max_storage);
    if (user->max_storage < user->storage)
        statement_error(&reader->source, st, "%s: storage exceeds its maximum", st->word[0]);
    if (statement_peek(st) && !class_set_parse(statement_take(st), &user->classes))
        statement_error(&reader->source, st, "%s: invalid privilege classes %s", st->word[0],
                        st->word[st->next - 1]);
    if (st->words > 11)
        statement_error(&reader->source, st, "%s: unexpected operand %s", st->word[0],
                        st->word[11]);
}

static void read_profile(struct directory_reader *reader, struct statement *st)
{
    char name[9];

    reader->current = NULL;
    if (!directory_userid(reader, st, name) || !statement_end(&reader->source, st))
        return;
    for (unsigned i = 0; i < reader->profiles; i++)
        if (strcmp(reader->profile[i].userid, name) == 0) {
            statement_error(&reader->source, st, "PROFILE: %s is defined twice", name);
            return;
        }
    reader->current = entry_new(&reader->profile, &reader->profiles, st, name);
    reader->current->profile = true;
}

static void read_include(struct directory_reader *reader, struct statement *st)
{
    char name[9];

    if (!directory_userid(reader, st, name) || !statement_end(&reader->source, st))
        return;
    if (reader->other_seen || reader->current->profile) {
        statement_error(&reader->source, st, "INCLUDE must follow the USER statement");
        return;
    }
    for (unsigned i = 0; i < reader->profiles; i++)
        if (strcmp(reader->profile[i].userid, name) == 0) {
            directory_include(reader->current, &reader->profile[i]);
            return;
        }
    statement_error(&reader->source, st, "INCLUDE: there is no PROFILE %s before this", name);
}

// --- the file ---------------------------------------------------------------

static const struct directory_statement *find_statement(const struct directory_statement *table,
                                                        const char *word)
{
    for (; table->name; table++)
        if (text_abbreviates(word, table->name, table->min))
            return table;
    return NULL;
}

static void read_within(struct directory_reader *reader, struct statement *st)
{
    const struct directory_statement *row =
        find_statement(directory_general_statements, st->word[0]);

    if (!row)
        row = find_statement(directory_device_statements, st->word[0]);
    if (!row) {
        statement_error(&reader->source, st, "unknown directory statement %s", st->word[0]);
        return;
    }
    if (!reader->current) {
        statement_error(&reader->source, st, "%s does not follow a USER or PROFILE statement",
                        st->word[0]);
        return;
    }
    if (!row->device && reader->device_seen) {
        statement_error(
            &reader->source, st,
            "statement sequence error following USER %s: %s must come before the device "
            "statements",
            reader->current->userid, row->name);
        return;
    }
    reader->device_seen |= row->device;
    reader->other_seen = true;
    row->read(reader, st);
}

static void read_statement(struct directory_reader *reader, struct statement *st)
{
    const char *word = statement_take(st);

    if (strcmp(word, "USER") == 0 || strcmp(word, "IDENTITY") == 0) {
        reader->device_seen = reader->other_seen = false;
        read_user(reader, st);
    } else if (strcmp(word, "PROFILE") == 0) {
        reader->device_seen = reader->other_seen = false;
        read_profile(reader, st);
    } else if (strcmp(word, "DIRECTORY") == 0 || strcmp(word, "GLOBALDEFS") == 0) {
        // Where DIRECTXA would write to: ours stays a file.
        if (reader->directory->users)
            statement_error(&reader->source, st, "%s must come before the first entry", word);
    } else if (text_abbreviates(word, "INCLUDE", 4) && reader->current) {
        read_include(reader, st);
    } else {
        read_within(reader, st);
    }
}

// What can be known only when all entries are there.
static void check_whole(struct directory_reader *reader)
{
    const struct directory *directory = reader->directory;

    for (unsigned i = 0; i < directory->users; i++) {
        struct directory_user *user = &directory->user[i];
        struct statement at = {.line = user->line};
        for (unsigned k = 0; k < user->cpus; k++)
            if (user->cpu[k].address >= user->max_cpus)
                user->max_cpus = user->cpu[k].address + 1;
        if (user->ipl[0] && user->ipl_file)
            statement_error(&reader->source, &at, "USER %s: two IPL systems", user->userid);
    }
}

struct directory *directory_parse(const char *name, const char *text, struct text *errors)
{
    struct directory_reader reader = {
        .source = {.name = name, .text = text, .line = 1, .errors = errors},
        .directory = mem_zero(1, sizeof(struct directory)),
    };
    struct statement st;

    while (statement_read(&reader.source, &st)) {
        read_statement(&reader, &st);
        statement_free(&st);
    }
    check_whole(&reader);
    for (unsigned i = 0; i < reader.profiles; i++)
        directory_user_clear(&reader.profile[i]);
    free(reader.profile);
    if (reader.source.error_count) {
        directory_free(reader.directory);
        return NULL;
    }
    return reader.directory;
}

void directory_free(struct directory *directory)
{
    if (!directory)
        return;
    for (unsigned i = 0; i < directory->users; i++)
        directory_user_clear(&directory->user[i]);
    free(directory->user);
    free(directory);
}

const struct directory_user *directory_find(const struct directory *directory, const char *userid)
{
    for (unsigned i = 0; i < directory->users; i++)
        if (strcasecmp(directory->user[i].userid, userid) == 0)
            return &directory->user[i];
    return NULL;
}

bool directory_password(const struct directory_user *user, const char *password)
{
    switch (user->password_kind) {
    case PASSWORD_NOPASS:
        return true;
    case PASSWORD_TEXT:
        return strcasecmp(user->password, password) == 0;
    default:
        return false;
    }
}

bool directory_names_have(const struct directory_names *names, const char *name)
{
    for (unsigned i = 0; i < names->count; i++)
        if (strcasecmp(names->name[i], name) == 0)
            return true;
    return false;
}

const struct directory_mdisk *directory_mdisk(const struct directory_user *user, uint16_t vdev)
{
    for (unsigned i = 0; i < user->mdisks; i++)
        if (user->mdisk[i].vdev == vdev)
            return &user->mdisk[i];
    return NULL;
}
