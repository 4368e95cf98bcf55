// SPDX-License-Identifier: MIT
// Saved segments. Their storage is one host mapping that takes memory only where it was touched; a
// guest that loads one gets it as a further extent of its absolute storage.
#include "cp/dcss.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "cp/copy.h"
#include "cp/directory.h"

#define RC_NOT_AUTHORISED 34
#define RC_OVERLAP        174
#define RC_NO_STORAGE     40
#define DCSS_PAGE_MAX     0x7FFFFu // below 2 GB

struct loaded_dcss {
    struct loaded_dcss *next;
    struct dcss *dcss;
    uint8_t *own; // an exclusive copy, NULL: the shared bytes
};

static uint64_t size_of(const struct dcss *dcss)
{
    return dcss->end - dcss->start + 1;
}

static uint8_t *map(uint64_t size)
{
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

struct dcss *dcss_find(const struct cp *cp, const char *name)
{
    for (struct dcss *d = cp->segments; d; d = d->next)
        if (strcasecmp(d->name, name) == 0)
            return d;
    return NULL;
}

struct dcss *dcss_define(struct cp *cp, const char *name, uint64_t first_page, uint64_t last_page,
                         enum dcss_type type, bool restricted)
{
    struct dcss *dcss, **at = &cp->segments;
    uint64_t size = (last_page - first_page + 1) * FRAME_SIZE;
    uint8_t *bytes;

    if (dcss_find(cp, name) || first_page > last_page || last_page > DCSS_PAGE_MAX)
        return NULL;
    bytes = map(size);
    if (!bytes)
        return NULL;
    dcss = mem_zero(1, sizeof *dcss);
    copy_text(dcss->name, sizeof dcss->name, name);
    dcss->start = first_page * FRAME_SIZE;
    dcss->end = dcss->start + size - 1;
    dcss->type = type;
    dcss->restricted = restricted;
    dcss->bytes = bytes;
    while (*at) {
        if ((*at)->spoolid >= dcss->spoolid)
            dcss->spoolid = (uint16_t)((*at)->spoolid + 1);
        at = &(*at)->next;
    }
    if (!dcss->spoolid)
        dcss->spoolid = 1;
    *at = dcss;
    return dcss;
}

void dcss_save(struct dcss *dcss)
{
    dcss->saved = true;
}

static void drop(struct dcss *dcss)
{
    munmap(dcss->bytes, size_of(dcss));
    free(dcss);
}

// One that is still loaded goes with its last user.
void dcss_purge(struct cp *cp, struct dcss *dcss)
{
    struct dcss **at = &cp->segments;

    while (*at && *at != dcss)
        at = &(*at)->next;
    if (*at)
        *at = dcss->next;
    dcss->next = NULL;
    dcss->purged = true;
    if (!dcss->users)
        drop(dcss);
}

void dcss_free_all(struct cp *cp)
{
    while (cp->segments)
        dcss_purge(cp, cp->segments);
}

// --- loading ----------------------------------------------------------------------------

static bool guest_may_store(const struct dcss *dcss)
{
    return dcss->type == DCSS_SW || dcss->type == DCSS_EW || dcss->type == DCSS_SN ||
           dcss->type == DCSS_EN;
}

int dcss_load(struct vm *vm, struct dcss *dcss, bool exclusive)
{
    struct loaded_dcss *loaded;
    uint8_t *bytes = dcss->bytes;

    for (loaded = vm->segments; loaded; loaded = loaded->next)
        if (loaded->dcss == dcss)
            return 0;
    if (dcss->restricted && !directory_names_have(&vm->entry->namesave, dcss->name))
        return RC_NOT_AUTHORISED;
    if (exclusive || dcss->type == DCSS_EW || dcss->type == DCSS_ER || dcss->type == DCSS_EN) {
        bytes = map(size_of(dcss));
        if (!bytes)
            return RC_NO_STORAGE;
        memcpy(bytes, dcss->bytes, size_of(dcss));
    }
    if (storage_map(vm->machine->storage, dcss->start, size_of(dcss), bytes,
                    !guest_may_store(dcss))) {
        if (bytes != dcss->bytes)
            munmap(bytes, size_of(dcss));
        return RC_OVERLAP;
    }
    loaded = mem_zero(1, sizeof *loaded);
    loaded->dcss = dcss;
    loaded->own = bytes != dcss->bytes ? bytes : NULL;
    loaded->next = vm->segments;
    vm->segments = loaded;
    dcss->loads++;
    dcss->exclusive += loaded->own != NULL;
    if (dcss->users++ == 0)
        cp_notify_about(vm->cp, CP_EVENT_SEGMENT_LOADED, vm, dcss);
    return 0;
}

static void unload(struct vm *vm, struct loaded_dcss **at)
{
    struct loaded_dcss *loaded = *at;
    struct dcss *dcss = loaded->dcss;

    storage_unmap(vm->machine->storage, dcss->start);
    machine_pend_all(vm->machine, PEND_FLUSH);
    if (loaded->own)
        munmap(loaded->own, size_of(dcss));
    dcss->exclusive -= loaded->own != NULL;
    dcss->unloads++;
    *at = loaded->next;
    free(loaded);
    if (--dcss->users)
        return;
    cp_notify_about(vm->cp, CP_EVENT_SEGMENT_UNUSED, vm, dcss);
    if (dcss->purged)
        drop(dcss);
}

int dcss_unload(struct vm *vm, struct dcss *dcss)
{
    for (struct loaded_dcss **at = &vm->segments; *at; at = &(*at)->next)
        if ((*at)->dcss == dcss) {
            vm_quiesce(vm);
            unload(vm, at);
            return 0;
        }
    return 44;
}

void dcss_vm_reset(struct vm *vm)
{
    while (vm->segments)
        unload(vm, &vm->segments);
}

bool dcss_type_parse(const char *word, enum dcss_type *type)
{
    static const char names[][3] = {"SW", "EW", "SR", "ER", "SN", "EN", "SC"};

    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(word, names[i]) == 0) {
            *type = (enum dcss_type)i;
            return true;
        }
    return false;
}
