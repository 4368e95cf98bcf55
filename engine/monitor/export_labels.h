// SPDX-License-Identifier: MIT
// What a record is about, as labels: user="LINUX1", vcpu="0". For export*.c only.
#ifndef ENDICOTT_MONITOR_EXPORT_LABELS_H
#define ENDICOTT_MONITOR_EXPORT_LABELS_H

#include "base/text.h"
#include "monitor/record.h"

struct export_labels {
    unsigned count;
    struct {
        const char *name;
        char value[64];
    } label[3];
};
void export_labels(const struct record_layout *layout, const uint8_t *raw, size_t length,
                   struct export_labels *out);
bool export_is_label(const struct record_layout *layout, const struct record_field *field);
void export_lower(const char *s, struct text *out);

#endif
