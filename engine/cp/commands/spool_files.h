// SPDX-License-Identifier: MIT
// Spool queues and selections of files as the spooling commands name them.
#ifndef ENDICOTT_CP_COMMANDS_SPOOL_FILES_H
#define ENDICOTT_CP_COMMANDS_SPOOL_FILES_H

#include "cp/command.h"
#include "cp/spool.h"

// A gathered list; free `file`.
struct spool_files {
    struct spool_file *file;
    unsigned count;
};

// READER, RDR, PRINTER, PRT, PUNCH, PCH, PUN. False, with nothing taken, for another word.
bool take_queue(struct command_call *call, enum spool_queue *queue);
const char *queue_name(enum spool_queue queue); // "RDR", "PRT", "PUN"
bool is_spool_class(const char *word);
// Appends the user's files of a queue (NULL: everybody's).
void gather_files(struct cp *cp, const char *owner, enum spool_queue queue,
                  struct spool_files *files);
// [ALL | spoolid ... | CLASS c | FORM f] of `all`: keeps those chosen. Message 027, 028 or 042.
int select_files(struct command_call *call, struct spool_files *files);
// PURGE NSS NAME name, from NAME on (segment.c).
int purge_nss(struct command_call *call);
// "0000003 FILES PURGED"
void show_count(struct command_call *call, unsigned count, const char *done);

#endif
