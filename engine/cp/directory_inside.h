// SPDX-License-Identifier: MIT
// What the directory_*.c files share among themselves.
#ifndef ENDICOTT_CP_DIRECTORY_INSIDE_H
#define ENDICOTT_CP_DIRECTORY_INSIDE_H

#include "cp/directory.h"
#include "cp/statement.h"

// A directory being read.
struct directory_reader {
    struct statement_source source;
    struct directory *directory;
    struct directory_user *profile; // PROFILEs, kept apart
    unsigned profiles;
    struct directory_user *current; // the entry that statements belong to, NULL before the first
    bool device_seen;               // a device statement of it was read
    bool other_seen;                // any statement of it was read: too late for INCLUDE
};

// A statement within an entry.
struct directory_statement {
    const char *name;
    unsigned min;
    bool device; // belongs to the device statements, which come last
    void (*read)(struct directory_reader *reader, struct statement *st);
};
extern const struct directory_statement directory_general_statements[];
extern const struct directory_statement directory_device_statements[]; // both end with NULL name

// Grows `array` by one zeroed element and returns it.
#define DIRECTORY_ADD(array, count)                                \
    ((array) = mem_resize((array), (count) + 1u, sizeof *(array)), \
     memset(&(array)[(count)], 0, sizeof *(array)), &(array)[(count)++])

void directory_names_add(struct directory_names *names, const char *name);
// Copies what a PROFILE gives into the entry that includes it.
void directory_include(struct directory_user *user, const struct directory_user *profile);
void directory_user_clear(struct directory_user *user);
bool directory_userid(struct directory_reader *reader, struct statement *st, char userid[9]);

#endif
