// SPDX-License-Identifier: MIT
// Copying a PROFILE into an entry, and releasing entries.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/directory_inside.h"

void directory_names_add(struct directory_names *names, const char *name)
{
    names->name = mem_resize(names->name, names->count + 1, sizeof *names->name);
    memset(names->name[names->count], 0, sizeof *names->name);
    copy_text(names->name[names->count++], sizeof *names->name, name);
}

static void *copy_array(const void *from, unsigned count, size_t size)
{
    if (!count)
        return NULL;
    void *to = mem_resize(NULL, count, size);
    memcpy(to, from, count * size);
    return to;
}

static struct directory_names copy_names(const struct directory_names *from)
{
    return (struct directory_names){.name = copy_array(from->name, from->count, sizeof *from->name),
                                    .count = from->count};
}

static char *copy_string(const char *s)
{
    return s ? mem_string(s) : NULL;
}

// The user's own identity and USER operands stay; everything else is the profile's.
void directory_include(struct directory_user *user, const struct directory_user *profile)
{
    struct directory_user own = *user;

    *user = *profile;
    user->profile = false;
    user->line = own.line;
    memcpy(user->userid, own.userid, sizeof user->userid);
    user->password_kind = own.password_kind;
    memcpy(user->password, own.password, sizeof user->password);
    user->storage = own.storage;
    user->max_storage = own.max_storage;
    user->classes = own.classes;
    if (strcmp(profile->account, profile->userid) == 0)
        memcpy(user->account, own.account, sizeof user->account);

    user->cpu = copy_array(profile->cpu, profile->cpus, sizeof *profile->cpu);
    user->ipl_file = copy_string(profile->ipl_file);
    user->ipl_parm = copy_string(profile->ipl_parm);
    user->spool = copy_array(profile->spool, profile->spools, sizeof *profile->spool);
    user->mdisk = copy_array(profile->mdisk, profile->mdisks, sizeof *profile->mdisk);
    user->link = copy_array(profile->link, profile->links, sizeof *profile->link);
    user->nic = copy_array(profile->nic, profile->nics, sizeof *profile->nic);
    user->special = copy_array(profile->special, profile->specials, sizeof *profile->special);
    user->dedicate = copy_array(profile->dedicate, profile->dedicates, sizeof *profile->dedicate);
    user->iucv = copy_array(profile->iucv, profile->iucvs, sizeof *profile->iucv);
    user->namesave = copy_names(&profile->namesave);
    user->autolog = copy_names(&profile->autolog);
    user->xautolog = copy_names(&profile->xautolog);
    user->logonby = copy_names(&profile->logonby);
    user->command = copy_array(profile->command, profile->commands, sizeof *profile->command);
    for (unsigned i = 0; i < profile->commands; i++)
        user->command[i] = mem_string(profile->command[i]);
}

void directory_user_clear(struct directory_user *user)
{
    free(user->cpu);
    free(user->ipl_file);
    free(user->ipl_parm);
    free(user->spool);
    free(user->mdisk);
    free(user->link);
    free(user->nic);
    free(user->special);
    free(user->dedicate);
    free(user->iucv);
    free(user->namesave.name);
    free(user->autolog.name);
    free(user->xautolog.name);
    free(user->logonby.name);
    for (unsigned i = 0; i < user->commands; i++)
        free(user->command[i]);
    free(user->command);
}
