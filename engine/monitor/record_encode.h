// SPDX-License-Identifier: MIT
// Building records from the system's live counters, by the same tables that decode them.
#ifndef ENDICOTT_MONITOR_RECORD_ENCODE_H
#define ENDICOTT_MONITOR_RECORD_ENCODE_H

#include "cp/cp.h"
#include "monitor/record.h"

struct monitor;

// A real device's activity (monitor/device_view.c).
struct device_view {
    unsigned links;
    uint64_t starts, reads, writes, seeks, seek_cylinders;
    tod_t connect, disconnect, pending;
};

// A network's or a NIC's side of it, copied out of the network layer (monitor/network_view.c).
struct traffic_view {
    uint64_t packets, bytes, discarded, errors;
};
struct network_view {
    char name[9], owner[9], lan_owner[9], controller[9];
    uint8_t mac[6];
    unsigned type, rdev, device, port, queue_storage, ip_timeout;
    bool is_switch, ethernet;
    struct traffic_view tx, rx;
};

// The system at one moment (monitor/system_view.c): which state each virtual CPU is in, what is in
// the dispatcher's lists, segments and virtual disks.
struct system_view {
    unsigned state[SAMPLE_STATE_COUNT], quickdsp;
    unsigned dormant; // users none of whose virtual CPUs is ready or running
    unsigned dispatch_shared;
    unsigned segments, vdisks, vdisk_links;
    uint64_t vdisk_blocks;
};

// A movement of a volume's arm.
struct seek_view {
    unsigned from, to, head, device;
};

// What a record is about; a source uses what its record has.
struct record_from {
    const struct cp *cp;
    const struct monitor *monitor;
    const struct real_processor *processor;
    const struct vm *vm;
    const struct vcpu *vcpu; // of vm
    const struct rdev *rdev;
    struct device_view device;
    struct network_view network;
    const struct system_view *system;
    struct seek_view seek;
    const struct dcss *segment;
    const struct mdisk *vdisk;
    const struct transaction *transaction;
    size_t item_offset, item_length; // of a table that follows
    const uint8_t *product;          // 16 bytes
    const char *text;
    unsigned domain;
    bool continued;
    uint64_t count;
    tod_t time;
    const uint8_t *tail; // NULL with tail_length > 0: the caller fills it in afterwards
    size_t tail_length;
};

// Length that the record will have.
size_t record_size(enum record_id id, const struct record_from *from);
// Builds it at `out`, which has room for record_size(). Allocates nothing. Returns the length.
size_t record_encode(enum record_id id, const struct record_from *from, tod_t now, uint8_t *out);
// One entry of the table that follows the fields of a record at `record`, of record_item_size()
// bytes.
size_t record_item_size(enum record_id id);
void record_item(enum record_id id, const struct record_from *from, unsigned index,
                 uint8_t *record);
// The parts of it, for records made of values and not of a system's state: a record of `length`
// bytes whose fields are zeros and blanks, without what varies in length; then a field of it.
void record_begin(enum record_id id, size_t length, tod_t now, uint8_t *out);
void record_store_number(uint8_t *record, const struct record_field *field, unsigned element,
                         uint64_t value);
void record_store_text(uint8_t *record, const struct record_field *field, const char *text);
const char *record_source_text(enum record_source source);

#endif
