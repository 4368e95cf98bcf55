// SPDX-License-Identifier: MIT
// What the network command tests share: a small system in virtual time with four users, and
// commands that give back their response as one text.
#ifndef ENDICOTT_TESTS_CP_NET_RIG_H
#define ENDICOTT_TESTS_CP_NET_RIG_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cp/command.h"
#include "cp/nic.h"
#include "cp/vswitch.h"

struct net_rig {
    struct machine_world world;
    struct cp *cp;
    struct text text; // response of the last command
    char message_id[12];
};

static const char net_rig_config[] = "System_Identifier * * TESTSYS\n"
                                     "Processors 1\n"
                                     "Storage 256M\n"
                                     "RDevice 0A00 Type OSA\n"
                                     "RDevice 0A01 Type OSA\n"
                                     "RDevice 0A02 Type OSA\n"
                                     "RDevice 0B00 Type OSA\n"
                                     "RDevice 0B01 Type OSA\n"
                                     "RDevice 0B02 Type OSA\n";

static const char net_rig_directory[] = "USER OPERATOR NOPASS 32M 32M ABCDEFG\n"
                                        "  CONSOLE 0009 3215\n"
                                        "USER DTCVSW1 NOPASS 32M 32M BG\n"
                                        "  CONSOLE 0009 3215\n"
                                        "USER LNX00085 NOPASS 32M 32M G\n"
                                        "  CONSOLE 0009 3215\n"
                                        "USER LNX00090 NOPASS 32M 32M G\n"
                                        "  CONSOLE 0009 3215\n"
                                        "USER LNX00091 NOPASS 32M 32M G\n"
                                        "  CONSOLE 0009 3215\n"
                                        "  NICDEF 0700 TYPE QDIO LAN SYSTEM DIRSW VLAN 8\n";

static inline struct vm *net_rig_logon(struct net_rig *rig, const char *userid)
{
    struct logon_options options = {.autolog = true, .no_ipl = true};
    text_clear(&rig->text);
    struct response out = response_to_text(&rig->text);
    vm_logon(rig->cp, userid, &options, &out);
    return cp_user(rig->cp, userid);
}

static inline struct net_rig *net_rig_new(void)
{
    struct net_rig *rig = calloc(1, sizeof *rig);
    struct text errors = {0};
    tod_t start = tod_from_unix(1767225600, 0);
    world_init(&rig->world, CLOCK_VIRTUAL, start);
    struct cp_options options = {.mode = CLOCK_VIRTUAL,
                                 .start = start,
                                 .config_text = net_rig_config,
                                 .directory_text = net_rig_directory};
    world_lock(&rig->world);
    rig->cp = cp_new(&rig->world, &options, &errors);
    if (!rig->cp) {
        fprintf(stderr, "%s", text_get(&errors));
        abort();
    }
    cp_start(rig->cp);
    text_free(&errors);
    if (!cp_user(rig->cp, "OPERATOR"))
        net_rig_logon(rig, "OPERATOR");
    return rig;
}

static inline void net_rig_free(struct net_rig *rig)
{
    cp_shutdown(rig->cp);
    cp_free(rig->cp);
    world_unlock(&rig->world);
    world_free(&rig->world);
    text_free(&rig->text);
    free(rig);
}

// The return code; the response is in rig->text.
static inline int net_rig_command(struct net_rig *rig, const char *userid, const char *line)
{
    struct vm *vm = cp_user(rig->cp, userid);
    text_clear(&rig->text);
    if (!vm)
        return -1;
    struct response out = response_to_text(&rig->text);
    int rc = command_execute(rig->cp, vm, NULL, line, &out);
    if (rig->text.len > 0)
        text_puts(&rig->text, "\n"); // every line ends with one
    memcpy(rig->message_id, out.message_id, sizeof rig->message_id);
    return rc;
}

#endif
