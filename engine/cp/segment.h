// SPDX-License-Identifier: MIT
// Saved segments (DCSS): named ranges of storage that virtual machines share. MONDCSS, the
// monitor's, is one.
#ifndef ENDICOTT_CP_SEGMENT_H
#define ENDICOTT_CP_SEGMENT_H

#include <stdbool.h>
#include <stdint.h>

struct cp;
struct vm;

// Page-range types, numbered as DIAGNOSE X'64' reports them.
enum segment_type {
    SEGMENT_SW,
    SEGMENT_EW,
    SEGMENT_SR,
    SEGMENT_ER,
    SEGMENT_SN,
    SEGMENT_EN,
    SEGMENT_SC
};

struct segment {
    struct segment *next;
    char name[9];
    uint64_t start, end; // first and last byte, guest absolute
    enum segment_type type;
    bool restricted; // needs NAMESAVE
    bool saved;      // SAVESEG was done (class A); false: skeleton
    unsigned users;  // virtual machines that loaded it
    uint16_t spoolid;
    uint8_t *bytes; // all of it, zeroed pages come into being as they are touched
};

struct segment *segment_find(const struct cp *cp, const char *name);
// DEFSEG: pages first to last, inclusive. NULL when the name exists.
struct segment *segment_define(struct cp *cp, const char *name, uint64_t first_page,
                               uint64_t last_page, enum segment_type type, bool restricted);
void segment_save(struct segment *segment); // SAVESEG
void segment_purge(struct cp *cp, struct segment *segment);
void segments_free(struct cp *cp);
// Maps it into the guest; 0, or a DIAGNOSE X'64' return code (44 not there, 34 not authorised,
// 174 overlaps).
int segment_load(struct vm *vm, struct segment *segment, bool exclusive);
int segment_unload(struct vm *vm, struct segment *segment);
void segment_vm_reset(struct vm *vm); // unloads all
bool segment_type_parse(const char *word, enum segment_type *type);

#endif
