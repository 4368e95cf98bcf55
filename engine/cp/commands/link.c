// SPDX-License-Identifier: MIT
// LINK: another user's minidisk, or one's own under another number.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/directory.h"
#include "cp/vdev.h"

struct link {
    char userid[USERID_SIZE];
    uint16_t vdev, as;
    const char *mode, *password;
};

static bool is_mode(const char *word)
{
    static const char *const modes[] = {"R", "RR", "W", "WR", "M", "MR", "MW"};
    for (size_t i = 0; word && i < sizeof modes / sizeof *modes; i++)
        if (strcmp(word, modes[i]) == 0)
            return true;
    return false;
}

static int take_link(struct command_call *call, struct link *link)
{
    call_keyword(call, "TO", 2);
    const char *word = call_take(call);
    if (word && strcmp(word, "*") == 0)
        word = call->vm->userid;
    if (!parse_userid(word, link->userid))
        return call_error(call, MESSAGE_userid_missing);
    if (take_vdev(call, &link->vdev))
        return call->out->rc;
    call_keyword(call, "AS", 2);
    if (take_vdev(call, &link->as))
        return call->out->rc;
    if (is_mode(call_peek(call)))
        link->mode = call_take(call);
    word = call_take(call);
    if (word && strncmp(word, "PASS=", 5) == 0)
        word = word[5] ? word + 5 : call_take(call);
    link->password = word;
    return call_end(call);
}

// The password that a mode needs, from the MDISK statement: 0 read, 1 write, 2 multiple.
static unsigned password_index(const char *mode)
{
    return mode[0] == 'R' ? 0 : mode[0] == 'W' ? 1 : 2;
}

static int check_password(struct command_call *call, const struct link *link,
                          const struct directory_mdisk *mdisk)
{
    static const enum message missing[] = {MESSAGE_link_no_read, MESSAGE_link_no_write,
                                           MESSAGE_link_no_multi};
    unsigned index = password_index(link->mode);
    const char *password = mdisk->password[index];
    if (strcmp(link->userid, call->vm->userid) == 0 || call->vm->entry->option.lnknopas)
        return 0;
    if (!password[0])
        return call_error(call, missing[index], link->userid, link->vdev);
    if (strcmp(password, "ALL") == 0)
        return 0;
    if (!link->password || strcmp(link->password, password) != 0)
        return call_error(call, MESSAGE_link_incorrect, link->userid, link->vdev);
    return 0;
}

// "MRV" and the like carry more than the access mode.
static const char *default_mode(const struct command_call *call, const struct link *link,
                                const struct directory_mdisk *mdisk, char mode[3])
{
    if (strcmp(link->userid, call->vm->userid) != 0)
        return "R";
    snprintf(mode, 3, "%.2s", mdisk->mode[0] ? mdisk->mode : "W");
    return is_mode(mode) ? mode : (mode[1] = '\0', mode);
}

static int link_verb(struct command_call *call)
{
    struct link link = {0};
    char mode[3];
    if (take_link(call, &link))
        return call->out->rc;
    const struct directory_user *owner = directory_find(call->cp->directory, link.userid);
    if (!owner)
        return call_error(call, MESSAGE_not_in_directory, link.userid);
    const struct directory_mdisk *mdisk = directory_mdisk(owner, link.vdev);
    if (!mdisk)
        return call_error(call, MESSAGE_link_no_disk, link.userid, link.vdev);
    if (!link.mode)
        link.mode = default_mode(call, &link, mdisk, mode);
    if (check_password(call, &link, mdisk))
        return call->out->rc;
    return vdev_link(call->vm, link.userid, link.vdev, link.as, link.mode, call->out);
}

static void show_link(struct text *line, const struct vdev *vdev)
{
    text_printf(line, "%s%-8s %04X %s", line->len ? ", " : "", vdev->vm->userid, vdev->number,
                vdev->writable ? "R/W" : "R/O");
}

static int query_links(struct command_call *call)
{
    struct text line = {0};
    unsigned n = 0;
    uint16_t number;
    if (take_vdev(call, &number) || call_end(call))
        return call->out->rc;
    const struct vdev *mine = vdev_find(call->vm, number);
    if (!mine || !mine->mdisk)
        return call_error(call, MESSAGE_no_such_device, number);
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next)
        for (const struct vdev *v = vm->vdevs; v; v = v->next) {
            if (v->mdisk != mine->mdisk)
                continue;
            if (n && n % 4 == 0) {
                call_line(call, "%s,", text_get(&line));
                text_clear(&line);
            }
            show_link(&line, v);
            n++;
        }
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

static const struct command rows[] = {
    {"LINK", 4, CLASS('G'), false, link_verb,
     "[TO] {userid | *} vdev1 [AS] vdev2 [R | RR | W | WR | M | MR | MW] [[PASS=] password]",
     "Gives you a user's minidisk vdev1 as your virtual device vdev2. The first letter of the mode "
     "is the access wanted (read, write, multiple write), the second what to be content with. The "
     "password is the directory's for that mode; ALL there means that none is needed."},
};
static const struct command query_rows[] = {
    {"LINKS", 1, CLASS('G'), false, query_links, "vdev",
     "Lists who has linked the minidisk that is your device vdev."},
};
COMMAND_TABLE(link_commands, NULL, rows);
COMMAND_TABLE(query_link_commands, "QUERY", query_rows);
