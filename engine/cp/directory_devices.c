// SPDX-License-Identifier: MIT
// The device statements of a directory entry.
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/directory_inside.h"

// CONSOLE vdev {3215 | 3270 | ...} [class] [secondary [OBSERVER]]
static void read_console(struct directory_reader *reader, struct statement *st)
{
    struct directory_console console = {.present = true, .spool_class = 'T'};
    const char *word;

    if (!statement_vdev(&reader->source, st, &console.vdev))
        return;
    word = statement_take(st);
    if (!word || (strcmp(word, "3215") != 0 && strcmp(word, "3270") != 0 &&
                  strcmp(word, "3210") != 0 && strcmp(word, "1052") != 0)) {
        statement_error(&reader->source, st, "CONSOLE: invalid device type %s",
                        word ? word : "(missing)");
        return;
    }
    console.is_3270 = strcmp(word, "3270") == 0;
    word = statement_peek(st);
    if (word && strlen(word) == 1)
        console.spool_class = *statement_take(st);
    if (statement_peek(st) &&
        !statement_name(&reader->source, st, "secondary userid", console.secondary, 9))
        return;
    console.observer = statement_keyword(st, "OBSERVER", 3);
    if (statement_end(&reader->source, st))
        reader->current->console = console;
}

static const struct {
    const char *type;
    int kind;
} spool_types[] = {
    {"1403", SPOOL_PRINTER}, {"1443", SPOOL_PRINTER}, {"3203", SPOOL_PRINTER},
    {"3211", SPOOL_PRINTER}, {"3262", SPOOL_PRINTER}, {"3800", SPOOL_PRINTER},
    {"4245", SPOOL_PRINTER}, {"4248", SPOOL_PRINTER}, {"VAFP", SPOOL_PRINTER},
    {"2501", SPOOL_READER},  {"3505", SPOOL_READER},  {"3525", SPOOL_PUNCH},
};

// SPOOL vdev devtype [class]; the 2540 says READER or PUNCH after the type.
static void read_spool(struct directory_reader *reader, struct statement *st)
{
    struct directory_spool spool = {.spool_class = 'A'};
    bool found = false;
    struct directory_user *user = reader->current;

    if (!statement_vdev(&reader->source, st, &spool.vdev) ||
        !statement_name(&reader->source, st, "device type", spool.type, sizeof spool.type))
        return;
    if (strcmp(spool.type, "2540") == 0) {
        spool.kind = statement_keyword(st, "PUNCH", 2) ? SPOOL_PUNCH : SPOOL_READER;
        found = spool.kind == SPOOL_PUNCH || statement_keyword(st, "READER", 1);
    }
    for (unsigned i = 0; i < sizeof spool_types / sizeof *spool_types; i++)
        if (strcmp(spool.type, spool_types[i].type) == 0) {
            spool.kind = spool_types[i].kind;
            found = true;
        }
    if (!found) {
        statement_error(&reader->source, st, "SPOOL: invalid device type %s", spool.type);
        return;
    }
    if (statement_peek(st))
        spool.spool_class = *statement_take(st);
    if (!statement_end(&reader->source, st))
        return;
    for (unsigned i = 0; i < user->spools; i++)
        if (user->spool[i].vdev == spool.vdev) {
            user->spool[i] = spool;
            return;
        }
    *DIRECTORY_ADD(user->spool, user->spools) = spool;
}

static bool valid_mode(const char *word)
{
    static const char *const modes[] = {"R",  "RR", "W",  "WR", "M",  "MR",
                                        "MW", "SR", "SW", "SM", "ER", "EW"};
    char mode[5] = "";
    size_t n = strlen(word);

    if (n >= sizeof mode)
        return false;
    memcpy(mode, word, n + 1);
    if (n > 1 && mode[n - 1] == 'V') // virtual reserve/release
        mode[n - 1] = '\0';
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(mode, modes[i]) == 0)
            return true;
    return false;
}

// {start {n | END} | T-DISK n | V-DISK blocks | DEVNO rdev}; false after an error.
static bool mdisk_extent(struct directory_reader *reader, struct statement *st,
                         struct directory_mdisk *mdisk)
{
    uint64_t value;

    if (statement_keyword(st, "T-DISK", 6)) {
        mdisk->kind = MDISK_TDISK;
        if (!statement_number(&reader->source, st, "size", 1, 65520, &value))
            return false;
        mdisk->cylinders = (unsigned)value;
        return true;
    }
    if (statement_keyword(st, "V-DISK", 6)) {
        mdisk->kind = MDISK_VDISK;
        return statement_number(&reader->source, st, "size", 1, 4194296, &mdisk->blocks);
    }
    if (statement_keyword(st, "DEVNO", 5)) {
        mdisk->kind = MDISK_FULL_DEVNO;
        return statement_vdev(&reader->source, st, &mdisk->rdev);
    }
    if (!statement_number(&reader->source, st, "start", 0, 65519, &value))
        return false;
    mdisk->start = (unsigned)value;
    if (!statement_keyword(st, "END", 3)) {
        if (!statement_number(&reader->source, st, "size", 1, 65520, &value))
            return false;
        mdisk->cylinders = (unsigned)value;
    }
    return statement_name(&reader->source, st, "volume", mdisk->volser, sizeof mdisk->volser);
}

static void read_mdisk(struct directory_reader *reader, struct statement *st)
{
    struct directory_user *user = reader->current;
    struct directory_mdisk mdisk = {.mode = "W"};

    if (!statement_vdev(&reader->source, st, &mdisk.vdev) ||
        !statement_name(&reader->source, st, "device type", mdisk.type, sizeof mdisk.type))
        return;
    if (strcmp(mdisk.type, "3390") != 0 && strcmp(mdisk.type, "3380") != 0 &&
        strcmp(mdisk.type, "FB-512") != 0) {
        statement_error(&reader->source, st, "MDISK: invalid device type %s", mdisk.type);
        return;
    }
    if (!mdisk_extent(reader, st, &mdisk))
        return;
    if (statement_peek(st)) {
        if (!valid_mode(statement_peek(st))) {
            statement_error(&reader->source, st, "MDISK: invalid mode %s", statement_peek(st));
            return;
        }
        strcpy(mdisk.mode, statement_take(st));
    }
    for (unsigned i = 0; i < 3 && statement_peek(st); i++)
        if (!statement_name(&reader->source, st, "password", mdisk.password[i], 9))
            return;
    for (unsigned i = 0; i < user->mdisks; i++)
        if (user->mdisk[i].vdev == mdisk.vdev) {
            statement_error(&reader->source, st, "MDISK: %04X is defined twice", mdisk.vdev);
            return;
        }
    *DIRECTORY_ADD(user->mdisk, user->mdisks) = mdisk;
}

// LINK userid vdev1 [vdev2 [mode]]
static void read_link(struct directory_reader *reader, struct statement *st)
{
    struct directory_link link = {.mode = "RR"};
    const char *word;

    if (!directory_userid(reader, st, link.userid) ||
        !statement_vdev(&reader->source, st, &link.vdev))
        return;
    link.as = link.vdev;
    if (statement_peek(st) && !statement_vdev(&reader->source, st, &link.as))
        return;
    word = statement_take(st);
    if (word && (strlen(word) > 2 || !valid_mode(word))) {
        statement_error(&reader->source, st, "LINK: invalid mode %s", word);
        return;
    }
    if (word)
        strcpy(link.mode, word);
    if (statement_end(&reader->source, st))
        *DIRECTORY_ADD(reader->current->link, reader->current->links) = link;
}

static void nic_operands(struct directory_reader *reader, struct statement *st,
                         struct directory_nic *nic)
{
    static const char *const types[] = {"QDIO", "HIPERSOCKETS", "IEDN", "INMN"};
    uint64_t value;

    while (statement_peek(st)) {
        if (statement_keyword(st, "TYPE", 4)) {
            const char *word = statement_take(st);
            for (unsigned i = 0; word && i < sizeof types / sizeof *types; i++)
                if (text_abbreviates(word, types[i], 4))
                    strcpy(nic->type, types[i]);
            if (!nic->type[0]) {
                statement_error(&reader->source, st, "NICDEF: invalid TYPE");
                return;
            }
        } else if (statement_keyword(st, "DEVICES", 3)) {
            if (!statement_number(&reader->source, st, "DEVICES", 3, 3072, &value))
                return;
            nic->devices = (unsigned)value;
        } else if (statement_keyword(st, "LAN", 3)) {
            nic->lan = true;
            if (!statement_name(&reader->source, st, "LAN owner", nic->lan_owner, 9) ||
                !statement_name(&reader->source, st, "LAN name", nic->lan_name, 9))
                return;
        } else if (statement_keyword(st, "CHPID", 5)) {
            if (!statement_name(&reader->source, st, "CHPID", nic->chpid, sizeof nic->chpid))
                return;
        } else if (statement_keyword(st, "MACID", 5)) {
            if (!statement_name(&reader->source, st, "MACID", nic->mac_id, sizeof nic->mac_id))
                return;
        } else if (statement_keyword(st, "VLAN", 4)) {
            if (!statement_number(&reader->source, st, "VLAN", 1, 4094, &value))
                return;
            nic->vlan = (unsigned)value;
        } else if (statement_keyword(st, "PORTNUMBER", 7)) {
            if (!statement_number(&reader->source, st, "PORTNUMBER", 1, 2048, &value))
                return;
            nic->port = (unsigned)value;
        } else {
            statement_end(&reader->source, st);
            return;
        }
    }
}

// NICDEF vdev {TYPE t [DEVICES n] | LAN owner name | ...}: several statements may describe one NIC.
static void read_nicdef(struct directory_reader *reader, struct statement *st)
{
    struct directory_user *user = reader->current;
    struct directory_nic *nic = NULL;
    uint16_t vdev;

    if (!statement_vdev(&reader->source, st, &vdev))
        return;
    for (unsigned i = 0; i < user->nics; i++)
        if (user->nic[i].vdev == vdev)
            nic = &user->nic[i];
    if (!nic) {
        nic = DIRECTORY_ADD(user->nic, user->nics);
        nic->vdev = vdev;
        nic->devices = 3;
        nic->line = st->line;
    }
    nic_operands(reader, st, nic);
    if (!nic->type[0])
        strcpy(nic->type, "QDIO");
}

static void read_special(struct directory_reader *reader, struct statement *st)
{
    struct directory_special special = {0};

    if (!statement_vdev(&reader->source, st, &special.vdev) ||
        !statement_name(&reader->source, st, "device type", special.type, sizeof special.type))
        return;
    copy_text(special.operands, sizeof special.operands, statement_rest(st));
    *DIRECTORY_ADD(reader->current->special, reader->current->specials) = special;
}

// DEDICATE vdev {rdev | [VOLID] volser} [R/O]
static void read_dedicate(struct directory_reader *reader, struct statement *st)
{
    struct directory_dedicate dedicate = {0};
    const char *word;
    uint64_t value;

    if (!statement_vdev(&reader->source, st, &dedicate.vdev))
        return;
    bool volid = statement_keyword(st, "VOLID", 5);
    word = statement_peek(st);
    if (word && !volid && strlen(word) <= 4 && text_to_u64(word, 16, 0xFFFF, &value)) {
        dedicate.rdev = (uint16_t)value;
        statement_take(st);
    } else if (!statement_name(&reader->source, st, "volume", dedicate.volser, 7)) {
        return;
    }
    if (statement_peek(st) && strcmp(statement_peek(st), "R/O") == 0) {
        dedicate.read_only = true;
        statement_take(st);
    }
    if (statement_end(&reader->source, st))
        *DIRECTORY_ADD(reader->current->dedicate, reader->current->dedicates) = dedicate;
}

static void read_without_effect(struct directory_reader *reader, struct statement *st)
{
    if (reader->source.errors)
        text_printf(reader->source.errors, "%s:%u: warning: %s has no effect in this version\n",
                    reader->source.name, st->line, st->word[0]);
}

// clang-format off
const struct directory_statement directory_device_statements[] = {
    {"CONSOLE",  3, true, read_console},
    {"DEDICATE", 3, true, read_dedicate},
    {"LINK",     4, true, read_link},
    {"MDISK",    2, true, read_mdisk},
    {"NICDEF",   6, true, read_nicdef},
    {"SPECIAL",  4, true, read_special},
    {"SPOOL",    2, true, read_spool},
    {"DASDOPT",  7, true, read_without_effect},
    {"MINIOPT",  7, true, read_without_effect},
    {0},
};
// clang-format on
