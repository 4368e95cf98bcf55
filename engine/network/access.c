// SPDX-License-Identifier: MIT
// Who may connect to a LAN, and as what: grants, port numbers, the directory.
#include "network/lan.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "network/network.h"

struct access_entry *access_grant_of(const struct lan *lan, const char *userid)
{
    for (struct access_entry *e = lan->access; e; e = e->next)
        if (e->number == 0 && strcmp(e->userid, userid) == 0)
            return e;
    return NULL;
}

struct access_entry *access_port_of(const struct lan *lan, unsigned number)
{
    for (struct access_entry *e = lan->access; e && number != 0; e = e->next)
        if (e->number == number)
            return e;
    return NULL;
}

struct access_entry *access_user_port(const struct lan *lan, const char *userid, bool connected)
{
    for (struct access_entry *e = lan->access; e; e = e->next)
        if (e->number != 0 && strcmp(e->userid, userid) == 0 &&
            (connected || !lan_port(lan, e->number)))
            return e;
    return NULL;
}

// Grants by userid with SYSTEM first, then port numbers ascending.
static bool comes_before(const struct access_entry *e, const char *userid, unsigned number)
{
    if (e->number != 0 || number != 0)
        return e->number < number;
    if (strcmp(userid, "SYSTEM") == 0)
        return false;
    return strcmp(e->userid, "SYSTEM") == 0 || strcmp(e->userid, userid) < 0;
}

struct access_entry *access_add(struct lan *lan, const char *userid, unsigned number)
{
    struct access_entry *entry =
        number ? access_port_of(lan, number) : access_grant_of(lan, userid);
    if (entry)
        return entry;
    struct access_entry **at = &lan->access;
    while (*at && comes_before(*at, userid, number))
        at = &(*at)->next;
    entry = mem_zero(1, sizeof *entry);
    strncpy(entry->userid, userid, sizeof entry->userid - 1);
    entry->number = number;
    entry->next = *at;
    *at = entry;
    return entry;
}

void access_remove(struct lan *lan, struct access_entry *entry)
{
    struct access_entry **at = &lan->access;
    while (*at && *at != entry)
        at = &(*at)->next;
    if (*at) {
        *at = entry->next;
        free(entry);
    }
}

void access_free(struct lan *lan)
{
    while (lan->access)
        access_remove(lan, lan->access);
}

// `out` gets what `from` says, where it says something.
static void overlay(struct port_options *out, const struct port_options *from)
{
    if (from->has_type) {
        out->has_type = true;
        out->type = from->type;
    }
    if (from->has_vlans) {
        out->has_vlans = true;
        out->vlans = from->vlans;
    }
    if (from->has_promiscuous) {
        out->has_promiscuous = true;
        out->promiscuous = from->promiscuous;
    }
    if (from->has_priority) {
        out->has_priority = true;
        out->priority = from->priority;
    }
}

bool access_authorise(const struct lan *lan, const char *userid, unsigned number,
                      const struct port_options *directory, struct port_options *out)
{
    const struct access_entry *port = access_port_of(lan, number);
    const struct access_entry *grant = access_grant_of(lan, userid);
    memset(out, 0, sizeof *out);
    if (port && strcmp(port->userid, userid) != 0)
        return false; // somebody else's port
    if (!lan->network->directory_authorisation)
        directory = NULL;
    // Lowest rank first: the directory, then a grant, then a port number.
    if (directory)
        overlay(out, directory);
    if (grant)
        overlay(out, &grant->options);
    if (port)
        overlay(out, &port->options);
    return !lan->policy.restricted || directory || grant || port ||
           (lan->kind == LAN_GUEST && strcmp(lan->owner, userid) == 0);
}
