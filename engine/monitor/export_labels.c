// SPDX-License-Identifier: MIT
// Labels from the fields that tell records of one kind apart.
#include "monitor/export_labels.h"

#include <ctype.h>
#include <string.h>

#include "monitor/export.h"
#include "monitor/report_set.h"

static const struct {
    const char *field, *label;
    bool hexadecimal;
} names[] = {
    {"VMDUSER", "user", false},      {"USERID", "user", false},
    {"OWNER", "user", false},        {"ASCUSRID", "user", false},
    {"MDIOUSER", "user", false},     {"VMDCPUAD", "vcpu", false},
    {"PFXCPUAD", "cpu", false},      {"RDEVDEV", "device", true},
    {"RDEVSID", "subchannel", true}, {"VDEVDEV", "vdev", true},
    {"MDIOVDEV", "vdev", true},      {"LANID", "lan", false},
    {"LCUPNAME", "lpar", false},     {"LCUPPNUM", "lpar_number", false},
    {"CPVOLSER", "volume", false},   {"CALCHPID", "chpid", true},
    {"CALTYPE", "type", false},      {"CALSTART", "start", false},
    {"SNTNAME", "segment", false},   {"SDFIDNUM", "spool_id", false},
    {"MDGPROD", "product", false},   {"HPPOOLNM", "pool", false},
    {"ASCNAME", "space", false},     {"QDISNAME", "disk", false},
    {"POOLNAME", "subpool", false},  {"CSCIOPID", "iop", false},
    {"CALTOD", "given", false},      {"PROFILE", "profile", false},
    {"DMNUMBER", "domain", false},
};

static int known(const char *field)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].field, field) == 0)
            return (int)i;
    return -1;
}

void export_labels(const struct record_layout *layout, const uint8_t *raw, size_t length,
                   struct export_labels *out)
{
    const struct record_field *key[3];
    unsigned group, n = record_keys(layout, key, 3, &group);
    out->count = 0;
    for (unsigned i = 0; i < n; i++) {
        struct text value = {0};
        int name = known(key[i]->name);
        if (!export_value(key[i], 0, raw, length, &value))
            continue;
        if (name >= 0 && names[name].hexadecimal && key[i]->type == FIELD_NUMBER) {
            double v = export_number(key[i], 0, raw);
            text_clear(&value);
            text_printf(&value, "%04X", (unsigned)v);
        }
        out->label[out->count].name = name >= 0 ? names[name].label : key[i]->name;
        snprintf(out->label[out->count++].value, 64, "%s", text_get(&value));
        text_free(&value);
    }
}

bool export_is_label(const struct record_layout *layout, const struct record_field *field)
{
    const struct record_field *key[3];
    unsigned group, n = record_keys(layout, key, 3, &group);
    for (unsigned i = 0; i < n; i++)
        if (key[i] == field)
            return true;
    return false;
}

void export_lower(const char *s, struct text *out)
{
    for (; *s; s++) {
        char c = (char)tolower((unsigned char)*s);
        text_add(out, isalnum((unsigned char)c) ? &c : "_", 1);
    }
}
