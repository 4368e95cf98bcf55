// SPDX-License-Identifier: MIT
// Areas, pages and sets of the monitor's saved segment.
#include "monitor/mondcss.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

#define PAGE_FREE UINT32_MAX
#define PAGE_END  (UINT32_MAX - 1)

void mondcss_attach(struct mondcss *dcss, uint8_t *bytes, uint64_t address, uint32_t pages)
{
    *dcss = (struct mondcss){.bytes = bytes, .address = address, .pages = pages};
    dcss->chain = mem_alloc((size_t)pages * sizeof *dcss->chain);
    for (uint32_t i = 0; i < pages; i++)
        dcss->chain[i] = PAGE_FREE;
}

void mondcss_detach(struct mondcss *dcss)
{
    free(dcss->chain);
    *dcss = (struct mondcss){0};
}

unsigned mondcss_area_used(const struct mondcss *dcss, enum mondcss_area area)
{
    return dcss->area[area].used;
}

static void place(struct mondcss *dcss, enum mondcss_area area, uint32_t first, uint32_t pages)
{
    dcss->area[area].first = dcss->area[area].next = first;
    dcss->area[area].pages = pages;
}

static bool half_used(const struct mondcss *dcss, enum mondcss_area config)
{
    return dcss->area[config].used || dcss->area[config + 1].used;
}

bool mondcss_layout(struct mondcss *dcss, uint32_t partition, uint32_t event_config,
                    uint32_t sample_config)
{
    bool event_fixed = half_used(dcss, AREA_EVENT_CONFIG);
    bool sample_fixed = half_used(dcss, AREA_SAMPLE_CONFIG);
    if (event_fixed || sample_fixed) // the border between the halves stays
        partition = dcss->area[AREA_EVENT_CONFIG].pages + dcss->area[AREA_EVENT_DATA].pages;
    if (partition >= dcss->pages || (!event_fixed && event_config + 2 > partition) ||
        (!sample_fixed && (uint64_t)partition + sample_config + 2 > dcss->pages))
        return false;
    if (!event_fixed) {
        place(dcss, AREA_EVENT_CONFIG, 0, event_config);
        place(dcss, AREA_EVENT_DATA, event_config, partition - event_config);
    }
    if (!sample_fixed) {
        place(dcss, AREA_SAMPLE_CONFIG, partition, sample_config);
        place(dcss, AREA_SAMPLE_DATA, partition + sample_config,
              dcss->pages - partition - sample_config);
    }
    return true;
}

// --- pages -------------------------------------------------------------------

// PAGE_END when the area is full. Goes on where it was, so that runs stay long.
static uint32_t page_take(struct mondcss *dcss, enum mondcss_area area)
{
    uint32_t first = dcss->area[area].first, pages = dcss->area[area].pages;
    if (dcss->area[area].used == pages)
        return PAGE_END;
    uint32_t page = dcss->area[area].next;
    while (dcss->chain[page] != PAGE_FREE)
        page = page + 1 < first + pages ? page + 1 : first;
    dcss->chain[page] = PAGE_END;
    dcss->area[area].used++;
    dcss->area[area].next = page + 1 < first + pages ? page + 1 : first;
    return page;
}

static void pages_free(struct mondcss *dcss, const struct mondcss_set *set)
{
    uint32_t page = set->control;
    while (page != PAGE_END) {
        uint32_t next = dcss->chain[page];
        dcss->chain[page] = PAGE_FREE;
        dcss->area[set->area].used--;
        page = next;
    }
    // Nobody holds anything: from the start again, where pages are present and in the caches.
    if (dcss->area[set->area].used == 0)
        dcss->area[set->area].next = dcss->area[set->area].first;
}

static uint8_t *page_bytes(const struct mondcss *dcss, uint32_t page)
{
    return dcss->bytes + (size_t)page * FRAME_SIZE;
}

void mondcss_prepare(struct mondcss *dcss, enum mondcss_area area, uint32_t pages)
{
    if (pages > dcss->area[area].pages)
        pages = dcss->area[area].pages;
    for (uint32_t i = 0; dcss->bytes && i < pages; i++)
        __atomic_fetch_or(page_bytes(dcss, dcss->area[area].first + i), 0, __ATOMIC_RELAXED);
}

// --- sets --------------------------------------------------------------------

static int set_take(struct mondcss *dcss)
{
    for (unsigned i = 0; i < MONDCSS_SETS; i++) {
        unsigned n = (dcss->next_set + i) % MONDCSS_SETS;
        if (!dcss->set[n].used) {
            dcss->next_set = (n + 1) % MONDCSS_SETS;
            return (int)n;
        }
    }
    return -1;
}

void mondcss_ref(struct mondcss *dcss, unsigned set)
{
    dcss->set[set].references++;
}

void mondcss_unref(struct mondcss *dcss, unsigned set)
{
    struct mondcss_set *s = &dcss->set[set];
    INVARIANT(s->used && s->references > 0);
    if (--s->references > 0)
        return;
    pages_free(dcss, s);
    s->used = false;
}

void mondcss_control_area(const struct mondcss *dcss, unsigned set, uint32_t *start, uint32_t *end)
{
    const struct mondcss_set *s = &dcss->set[set];
    *start = (uint32_t)(dcss->address + (uint64_t)s->control * FRAME_SIZE);
    *end = *start + s->entries * CONTROL_ENTRY - 1;
}

const uint8_t *mondcss_at(const struct mondcss *dcss, uint32_t address, size_t n)
{
    uint64_t size = (uint64_t)dcss->pages * FRAME_SIZE;
    if (address < dcss->address || address - dcss->address > size ||
        n > size - (address - dcss->address))
        return NULL;
    return dcss->bytes + (address - dcss->address);
}

int mondcss_oldest(const struct mondcss *dcss, enum mondcss_area area)
{
    int oldest = -1;
    for (unsigned i = 0; i < MONDCSS_SETS; i++)
        if (dcss->set[i].used && dcss->set[i].area == area &&
            (oldest < 0 || dcss->set[i].sequence < dcss->set[oldest].sequence))
            oldest = (int)i;
    return oldest;
}

// --- building ----------------------------------------------------------------

void mondcss_begin(struct mondcss_builder *b, struct mondcss *dcss, enum mondcss_area area,
                   uint32_t target, tod_t now)
{
    *b = (struct mondcss_builder){.dcss = dcss, .area = area, .open = true, .page = PAGE_END};
    int set = dcss->bytes && dcss->area[area].pages ? set_take(dcss) : -1;
    uint32_t control = set >= 0 ? page_take(dcss, area) : PAGE_END;
    b->failed = control == PAGE_END;
    if (b->failed)
        return;
    b->has_set = true;
    b->set = (unsigned)set;
    b->last = control;
    dcss->set[set] = (struct mondcss_set){.used = true,
                                          .area = area,
                                          .target = target,
                                          .control = control,
                                          .pages = 1,
                                          .references = 1,
                                          .sequence = ++dcss->sequence,
                                          .built = now};
}

// Ends the current run of pages with a control entry; false when there are too many.
static bool entry_close(struct mondcss_builder *b)
{
    struct mondcss_set *s = &b->dcss->set[b->set];
    if (s->entries == CONTROL_ENTRIES)
        return false;
    uint64_t base = b->dcss->address;
    struct control_entry e = {(s->target & TARGET_TYPE) | (uint32_t)b->run << 8,
                              (uint32_t)(base + (uint64_t)b->first * FRAME_SIZE),
                              (uint32_t)(base + (uint64_t)b->page * FRAME_SIZE + b->at - 1)};
    control_entry_store(&e, page_bytes(b->dcss, s->control) + s->entries * CONTROL_ENTRY);
    s->entries++;
    s->domains |= b->run;
    return true;
}

static void control_record(uint8_t *at, enum record_id id, tod_t now)
{
    static const struct record_from nothing;
    record_encode(id, &nothing, now, at);
}

static bool frame_open(struct mondcss_builder *b, tod_t now)
{
    if (b->limit && b->frames == b->limit)
        return false;
    uint32_t page = page_take(b->dcss, b->area);
    if (page == PAGE_END)
        return false;
    b->dcss->chain[b->last] = page;
    b->last = page;
    b->dcss->set[b->set].pages++;
    if (b->page != PAGE_END) {
        control_record(page_bytes(b->dcss, b->page) + b->at, D1R13, now);
        b->at += RECORD_HEADER;
        b->run |= DOMAIN_BIT(DOMAIN_MONITOR);
    }
    if (b->page == PAGE_END || page != b->page + 1) {
        if (b->page != PAGE_END && !entry_close(b))
            return false;
        b->first = page;
        b->run = 0;
    }
    b->page = page;
    b->at = 0;
    b->frames++;
    return true;
}

uint8_t *mondcss_room(struct mondcss_builder *b, unsigned domain, size_t length)
{
    INVARIANT(length <= RECORD_MAX);
    if (b->failed)
        return NULL;
    if (b->page == PAGE_END || b->at + length > RECORD_MAX) {
        if (!frame_open(b, b->dcss->set[b->set].built)) {
            b->failed = true;
            return NULL;
        }
    }
    uint8_t *at = page_bytes(b->dcss, b->page) + b->at;
    b->at += length;
    b->run |= DOMAIN_BIT(domain);
    b->records++;
    return at;
}

enum mondcss_fit mondcss_fits(const struct mondcss_builder *b, size_t length)
{
    if (b->failed)
        return MONDCSS_FULL;
    if (b->page != PAGE_END && b->at + length <= RECORD_MAX)
        return MONDCSS_FITS;
    if (b->limit && b->frames == b->limit)
        return MONDCSS_LIMIT;
    return b->dcss->area[b->area].used < b->dcss->area[b->area].pages ? MONDCSS_FITS : MONDCSS_FULL;
}

bool mondcss_put(struct mondcss_builder *b, enum record_id id, const struct record_from *from,
                 tod_t now)
{
    uint8_t *at = mondcss_room(b, record_layouts[id].domain, record_size(id, from));
    if (!at)
        return false;
    record_encode(id, from, now, at);
    return true;
}

int mondcss_end(struct mondcss_builder *b, int end_record, tod_t now)
{
    if (!b->open)
        return -1;
    b->open = false;
    if (end_record >= 0 && !b->failed && b->page != PAGE_END) {
        control_record(page_bytes(b->dcss, b->page) + b->at, (enum record_id)end_record, now);
        b->at += RECORD_HEADER;
        b->run |= DOMAIN_BIT(DOMAIN_MONITOR);
        b->records++;
    }
    if (!b->failed && b->page != PAGE_END && entry_close(b))
        return (int)b->set;
    if (b->has_set)
        mondcss_unref(b->dcss, b->set);
    return -1;
}
