// SPDX-License-Identifier: MIT
// D1R14: which users or devices of a domain are enabled, for domains where it is not simply all of
// them. A list that does not fit a record goes on in the next one.
#include "base/bytes.h"
#include "base/ebcdic.h"
#include "monitor/domains.h"
#include "monitor/monitor.h"

struct list {
    struct mondcss_builder *b;
    struct record_from from;
    tod_t now;
    size_t item; // bytes of one
    uint8_t items[RECORD_MAX];
};

static void write_record(struct list *l, bool continued)
{
    l->from.continued = continued;
    l->from.count = l->from.tail_length / l->item;
    l->from.tail = l->items;
    mondcss_put(l->b, D1R14, &l->from, l->now);
    l->from.tail_length = 0;
}

// Room for one more item.
static uint8_t *next_item(struct list *l)
{
    if (record_layouts[D1R14].length + l->from.tail_length + l->item > RECORD_MAX)
        write_record(l, true);
    uint8_t *at = l->items + l->from.tail_length;
    l->from.tail_length += l->item;
    return at;
}

static void list_users(struct list *l, const struct element_list *elements)
{
    l->item = 8;
    for (const struct vm *vm = l->from.cp->users; vm; vm = vm->next)
        if (elements_have_user(elements, vm->userid))
            ebcdic_field(next_item(l), 8, vm->userid);
}

static void list_devices(struct list *l, const struct element_list *elements)
{
    l->item = 2;
    for (const struct rdev *rdev = l->from.cp->rdevs; rdev; rdev = rdev->next)
        if (!rdev->offline && elements_have_device(elements, rdev))
            be16_store(next_item(l), rdev->number);
}

void domain_lists_put(struct monitor *m, enum data_type type, struct mondcss_builder *b, tod_t now)
{
    const struct profile *profile = type == DATA_EVENT ? &m->event : &m->sample;
    for (unsigned i = 0; i < DOMAIN_ROWS; i++) {
        const struct domain_row *row = &domain_rows[i];
        const struct element_list *elements = &profile->elements[row->domain];
        if (row->elements == ELEMENTS_NONE || !(profile->enabled & DOMAIN_BIT(row->domain)) ||
            (elements->all && elements->rules == 0))
            continue;
        struct list l = {.b = b, .now = now};
        l.from = (struct record_from){.cp = m->cp,
                                      .monitor = m,
                                      .domain = row->domain,
                                      .text = type == DATA_EVENT ? "E" : "S"};
        if (row->elements == ELEMENTS_USERS)
            list_users(&l, elements);
        else
            list_devices(&l, elements);
        write_record(&l, false);
    }
}
