// SPDX-License-Identifier: MIT
// Saved segments (DCSS): named ranges of storage that virtual machines share. MONDCSS, the
// monitor's, is one.
#ifndef ENDICOTT_CP_DCSS_H
#define ENDICOTT_CP_DCSS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct cp;
struct vm;

// Page-range types, numbered as DIAGNOSE X'64' reports them.
enum dcss_type { DCSS_SW, DCSS_EW, DCSS_SR, DCSS_ER, DCSS_SN, DCSS_EN, DCSS_SC };

struct dcss {
    struct dcss *next;
    char name[9];
    uint64_t start, end; // first and last byte, guest absolute
    enum dcss_type type;
    bool restricted;    // needs NAMESAVE
    bool saved;         // SAVESEG was done (class A); false: skeleton
    bool purged;        // gone from the list, goes with its last user
    unsigned users;     // virtual machines that loaded it
    unsigned exclusive; // so many of them have a copy of their own
    uint64_t loads, unloads;
    tod_t saved_at;
    uint16_t spoolid;
    uint8_t *bytes; // all of it, zeroed pages come into being as they are touched
};

struct dcss *dcss_find(const struct cp *cp, const char *name);
// DEFSEG: pages first to last, inclusive. NULL when the name exists.
struct dcss *dcss_define(struct cp *cp, const char *name, uint64_t first_page, uint64_t last_page,
                         enum dcss_type type, bool restricted);
void dcss_save(struct dcss *dcss); // SAVESEG
void dcss_purge(struct cp *cp, struct dcss *dcss);
void dcss_free_all(struct cp *cp);
// Maps it into the guest; 0, or a DIAGNOSE X'64' return code (44 not there, 34 not authorised,
// 174 overlaps).
int dcss_load(struct vm *vm, struct dcss *dcss, bool exclusive);
int dcss_unload(struct vm *vm, struct dcss *dcss);
void dcss_vm_reset(struct vm *vm); // unloads all
bool dcss_type_parse(const char *word, enum dcss_type *type);

#endif
