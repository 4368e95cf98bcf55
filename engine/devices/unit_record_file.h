// SPDX-License-Identifier: MIT
// Unit record on files of the host, for a machine without a spool: decks to read, punched cards,
// printed lines.
#ifndef ENDICOTT_DEVICES_UNIT_RECORD_FILE_H
#define ENDICOTT_DEVICES_UNIT_RECORD_FILE_H

#include <stdio.h>

#include "devices/unit_record.h"

// A hopper of card files, read one after another; the end of each is an end of file.
struct card_hopper;
struct card_hopper *card_hopper_new(void);
void card_hopper_free(struct card_hopper *hopper);
// Adds `n` bytes as a file of 80-byte records, the last one padded with zeros. Copied.
void card_hopper_add(struct card_hopper *hopper, const void *bytes, size_t n);
// Adds a file of the host, read now. 0, or -1 with errno.
int card_hopper_add_file(struct card_hopper *hopper, const char *path);
struct unit_record_source card_hopper_source(struct card_hopper *hopper);

// Cards as 80-byte records.
struct unit_record_sink card_file_sink(FILE *out);
// Lines as text (IBM037 to UTF-8), a form feed for a skip to channel 1.
struct unit_record_sink print_file_sink(FILE *out);

#endif
