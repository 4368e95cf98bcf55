// SPDX-License-Identifier: MIT
// Application data records.
#include "monitor/application_data.h"

#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/appldata.h"

#define OVERHEAD_LAYOUT 1u
#define OVERHEAD_HEAD   8u
#define OVERHEAD_ROW    16u
#define DATA_MAX        (RECORD_MAX - 52u) // 4024, the published limit

static const uint8_t *overhead_product(void)
{
    static uint8_t product[16];
    if (!product[0])
        ebcdic_field(product, sizeof product, "ENDICOTTOVERHEAD");
    return product;
}

// Room for a record with `n` bytes of data; the data's place, NULL when there is none.
static uint8_t *put_head(struct mondcss_builder *b, enum record_id id, struct record_from *from,
                         size_t n, tod_t now)
{
    from->tail_length = n;
    uint8_t *at = mondcss_room(b, DOMAIN_APPLDATA, record_size(id, from));
    if (!at)
        return NULL;
    record_encode(id, from, now, at);
    memset(at + record_layouts[id].length, 0, n);
    return at + record_layouts[id].length;
}

static void add_overhead(const struct vcpu *vcpu, uint8_t *rows)
{
    for (unsigned row = 0; row < INTERCEPT_COUNT; row++, rows += OVERHEAD_ROW) {
        be64_store(rows, be64_load(rows) + vcpu->intercept[row].count);
        be64_store(rows + 8, be64_load(rows + 8) + vcpu->intercept[row].cost);
    }
}

static void put_overhead(struct mondcss_builder *b, struct record_from *from, tod_t now)
{
    const struct vm *vm = from->vm;
    from->product = overhead_product();
    uint8_t *at = put_head(b, D10R2, from, OVERHEAD_HEAD + INTERCEPT_COUNT * OVERHEAD_ROW, now);
    if (!at)
        return;
    be16_store(at, OVERHEAD_LAYOUT);
    be16_store(at + 2, INTERCEPT_COUNT);
    for (unsigned i = 0, left = vm->vcpus; left && i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i]) {
            add_overhead(vm->vcpu[i], at + OVERHEAD_HEAD);
            left--;
        }
}

static void put_buffers(struct mondcss_builder *b, struct record_from *from, tod_t now)
{
    struct vm *vm = (struct vm *)from->vm; // its storage is read, nothing changes
    for (const struct appldata_buffer *p = vm->appldata; p; p = p->next) {
        if (p->function != APPLDATA_START || p->length > DATA_MAX)
            continue;
        from->product = p->product;
        uint8_t *at = put_head(b, D10R2, from, p->length, now);
        if (at && !appldata_read(vm, p, at))
            memset(at, 0, p->length); // the storage went away: an empty buffer
    }
}

void application_data_put(struct monitor *m, struct mondcss_builder *b, tod_t now)
{
    struct record_from from = {.cp = m->cp, .monitor = m};
    for (const struct vm *vm = m->cp->users; vm; vm = vm->next) {
        if (!elements_have_user(&m->sample.elements[DOMAIN_APPLDATA], vm->userid))
            continue;
        from.vm = vm;
        put_overhead(b, &from, now);
        put_buffers(b, &from, now);
    }
}

void application_data_event(struct vm *vm, const struct appldata_buffer *buffer)
{
    struct monitor *m = monitor_of(vm->cp);
    uint8_t data[DATA_MAX];
    struct record_from from = {.cp = vm->cp, .monitor = m, .vm = vm, .product = buffer->product};
    if (!m || !(m->event.enabled & DOMAIN_BIT(DOMAIN_APPLDATA)) || buffer->length > DATA_MAX ||
        !elements_have_user(&m->event.elements[DOMAIN_APPLDATA], vm->userid) ||
        !appldata_read(vm, buffer, data))
        return;
    from.tail = data;
    from.tail_length = buffer->length;
    event_log_put(m, D10R1, &from);
}

bool overhead_record(const uint8_t *raw, size_t length, unsigned *rows)
{
    struct record_value product, data;
    if (!record_value(raw, length, "MDGPROD", &product) ||
        !record_value(raw, length, "ADATA", &data) || product.size != 16 ||
        memcmp(product.bytes, overhead_product(), 16) != 0 || data.size < OVERHEAD_HEAD ||
        be16_load(data.bytes) != OVERHEAD_LAYOUT)
        return false;
    *rows = be16_load(data.bytes + 2);
    return data.size >= OVERHEAD_HEAD + (size_t)*rows * OVERHEAD_ROW;
}

bool overhead_row(const uint8_t *raw, size_t length, unsigned row, uint64_t *count, tod_t *cost)
{
    struct record_value data;
    unsigned rows;
    if (!overhead_record(raw, length, &rows) || row >= rows ||
        !record_value(raw, length, "ADATA", &data))
        return false;
    *count = be64_load(data.bytes + OVERHEAD_HEAD + row * OVERHEAD_ROW);
    *cost = be64_load(data.bytes + OVERHEAD_HEAD + row * OVERHEAD_ROW + 8);
    return true;
}
