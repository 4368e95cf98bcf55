// SPDX-License-Identifier: MIT
// How many records of each kind a MONWRITE file has, and each user's CPU seconds: what a program
// with libendicott-monitor looks like.
//
//   cc examples/monitor-count.c $(pkg-config --cflags --libs endicott-monitor) -o monitor-count
//   ./monitor-count monwrite.mondata
#include <endicott-monitor.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { USERS = 1000, DOMAINS = 16, NUMBERS = 64 };

struct user {
    char name[9];
    struct endicott_monitor_field last; // of its base CPU
    uint64_t used;
};

struct counts {
    uint64_t records[DOMAINS][NUMBERS], bytes, samples;
    struct user user[USERS];
    unsigned users;
};

static struct user *find_user(struct counts *c, const char *name)
{
    for (unsigned i = 0; i < c->users; i++)
        if (strcmp(c->user[i].name, name) == 0)
            return &c->user[i];
    if (c->users == USERS)
        return NULL;
    struct user *user = &c->user[c->users++];
    snprintf(user->name, sizeof user->name, "%s", name);
    return user;
}

// D4R3 has a user's virtual CPU's time since logon: what was used is the sum of the differences. A
// smaller value than before is a new session.
static void user_activity(struct counts *c, const struct endicott_monitor_record *record)
{
    struct endicott_monitor_field id, cpu, time;
    char name[9];
    if (!endicott_monitor_field(record, "VMDUSER", &id) ||
        !endicott_monitor_field(record, "VMDCPUAD", &cpu) || cpu.number != 0 ||
        !endicott_monitor_field(record, "VMDTTIME", &time))
        return;
    endicott_monitor_text(&id, name, sizeof name);
    struct user *user = find_user(c, name);
    if (!user)
        return;
    if (user->last.size && time.number >= user->last.number)
        user->used += endicott_monitor_difference(&user->last, &time);
    user->last = time;
}

static void on_record(void *arg, const struct endicott_monitor_record *record)
{
    struct counts *c = arg;
    if (record->domain < DOMAINS && record->number < NUMBERS)
        c->records[record->domain][record->number]++;
    c->bytes += record->length;
    if (record->flags & (ENDICOTT_MONITOR_CONFIGURATION | ENDICOTT_MONITOR_EVENT))
        return;
    if (record->domain == 4 && record->number == 3)
        user_activity(c, record);
    else if (record->domain == 1 && record->number == 11)
        c->samples++;
}

static void on_damage(void *arg, uint64_t offset, const char *reason)
{
    (void)arg;
    fprintf(stderr, "damaged at byte %" PRIu64 ": %s\n", offset, reason);
}

int main(int argc, char **argv)
{
    static struct counts c;
    const struct endicott_monitor_events events = {on_record, on_damage};
    uint64_t damages;
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE\n", argv[0]);
        return 2;
    }
    int rc = endicott_monitor_file(argv[1], &events, &c, &damages);
    if (rc) {
        fprintf(stderr, "%s: %s\n", argv[1], strerror(rc));
        return 1;
    }
    printf("%" PRIu64 " samples, %" PRIu64 " bytes of records\n", c.samples, c.bytes);
    struct endicott_monitor_layout layout;
    for (unsigned i = 0; endicott_monitor_layout(i, &layout); i++)
        if (layout.number < NUMBERS && c.records[layout.domain][layout.number])
            printf("D%uR%-3u %-9s %10" PRIu64 "  %s\n", layout.domain, layout.number, layout.name,
                   c.records[layout.domain][layout.number], layout.title);
    for (unsigned i = 0; i < c.users; i++)
        printf("%-8s %12.6f s\n", c.user[i].name, endicott_monitor_seconds(c.user[i].used));
    return damages != 0;
}
