// SPDX-License-Identifier: MIT
// The monitor's saved segment: its four areas, the pages in use, and the sets of records that users
// have still to answer.
//
//   low                                                                          high
//   | event configuration | event data | sample configuration |    sample data    |
//
// A set is a control area (one page of entries of 12 bytes: type, domains, first and last byte) and
// frames of records. A record never crosses a frame; a frame that ends early, or is followed by
// another of its set, ends with D1R13; a sample set and a sample configuration set end with D1R11.
// Pages of a set need not be consecutive: each run of pages is one entry. They become free when the
// last user has answered.
#ifndef ENDICOTT_MONITOR_MONDCSS_H
#define ENDICOTT_MONITOR_MONDCSS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "monitor/reader.h"
#include "monitor/record.h"
#include "monitor/record_encode.h"

enum mondcss_area {
    AREA_EVENT_CONFIG,
    AREA_EVENT_DATA,
    AREA_SAMPLE_CONFIG,
    AREA_SAMPLE_DATA,
    AREA_COUNT
};

#define MONDCSS_SETS 2048u

struct mondcss_set {
    bool used;
    enum mondcss_area area;
    uint32_t target;         // target class of its messages
    uint32_t control;        // page of its control area
    unsigned entries, pages; // pages: with the control area
    unsigned references;     // users that have to answer, and whoever builds it
    uint64_t sequence;       // order of building
    tod_t built;
    domain_set domains;
};

struct mondcss {
    uint8_t *bytes;   // the segment's, NULL: none
    uint64_t address; // of its first byte
    uint32_t pages;
    struct {
        uint32_t first, pages, used;
        uint32_t next; // where the search for a free page begins
    } area[AREA_COUNT];
    uint32_t *chain; // per page: the next page of its set, PAGE_END or PAGE_FREE
    struct mondcss_set set[MONDCSS_SETS];
    unsigned next_set;
    uint64_t sequence;
};

// Takes a segment over; nothing is in use then.
void mondcss_attach(struct mondcss *dcss, uint8_t *bytes, uint64_t address, uint32_t pages);
void mondcss_detach(struct mondcss *dcss);
// Lays out the event half (`partition` pages, `event_config` of them for configuration) and the
// sample half. False when a configuration area leaves no page of data; nothing has changed then.
// Only areas of which nothing is in use change.
bool mondcss_layout(struct mondcss *dcss, uint32_t partition, uint32_t event_config,
                    uint32_t sample_config);
// Has the host make the first `pages` of an area present, which sets take first. Nothing changes.
void mondcss_prepare(struct mondcss *dcss, enum mondcss_area area, uint32_t pages);
unsigned mondcss_area_used(const struct mondcss *dcss, enum mondcss_area area);

// Building a set. After a failure (no free page, no free set) everything else does nothing until
// mondcss_end(), which then gives the pages back.
struct mondcss_builder {
    struct mondcss *dcss;
    unsigned set;
    enum mondcss_area area;
    bool failed, open, has_set;
    uint32_t page;  // current frame
    size_t at;      // in it
    uint32_t first; // first page of the current entry
    uint32_t last;  // last page of the set's chain
    domain_set run; // domains of the current entry
    unsigned limit; // frames at most, 0: no limit
    unsigned frames;
    uint64_t records;
};
void mondcss_begin(struct mondcss_builder *b, struct mondcss *dcss, enum mondcss_area area,
                   uint32_t target, tod_t now);
// Builds a record there. False when there is no room.
bool mondcss_put(struct mondcss_builder *b, enum record_id id, const struct record_from *from,
                 tod_t now);
// Room for a record of `length` bytes whose domain is `domain`; NULL when there is none.
uint8_t *mondcss_room(struct mondcss_builder *b, unsigned domain, size_t length);
// Is there room for a record of that length: yes, not within the set's limit of frames, or no page?
enum mondcss_fit { MONDCSS_FITS, MONDCSS_LIMIT, MONDCSS_FULL };
enum mondcss_fit mondcss_fits(const struct mondcss_builder *b, size_t length);
// Closes the set, with `end_record` (D1R11, D1R12) for which room was kept, -1: none. Its number,
// or -1 when it failed or holds nothing. The caller has one reference to it.
int mondcss_end(struct mondcss_builder *b, int end_record, tod_t now);

void mondcss_ref(struct mondcss *dcss, unsigned set);
void mondcss_unref(struct mondcss *dcss, unsigned set); // the last one frees the pages
// Control area of a set: segment addresses of the first and last byte.
void mondcss_control_area(const struct mondcss *dcss, unsigned set, uint32_t *start, uint32_t *end);
// Bytes at a segment address; NULL when [address, address + n) is not inside.
const uint8_t *mondcss_at(const struct mondcss *dcss, uint32_t address, size_t n);
// The oldest set of an area that is still in use; -1 when there is none.
int mondcss_oldest(const struct mondcss *dcss, enum mondcss_area area);

#endif
