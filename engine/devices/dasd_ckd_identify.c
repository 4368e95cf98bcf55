// SPDX-License-Identifier: MIT
// What the CKD control unit says about itself and its device, and RESERVE and RELEASE.
#include <string.h>

#include "base/ebcdic.h"
#include "devices/dasd_ckd_state.h"

// READ DEVICE CHARACTERISTICS, 64 bytes.
struct device_reply ckd_characteristics(struct dasd_ckd *d, const struct device_command *cmd)
{
    const struct dasd_model *m = d->volume->model;
    bool is_3390 = m->type == 0x3390;
    uint8_t c[64] = {0};
    be16_store(c, d->dev.cu_type);
    c[2] = d->dev.cu_model;
    be16_store(c + 3, m->type);
    c[5] = m->model;
    be32_store(c + 6, 0x10000000u); // facilities: READ DATA in LOCATE RECORD domains
    c[10] = 0x20;                   // class: direct access
    c[11] = m->unit_type;
    be16_store(c + 12, (uint16_t)d->cylinders);
    be16_store(c + 14, (uint16_t)m->heads);
    c[16] = (uint8_t)m->sectors;
    c[17] = (uint8_t)(m->record_max >> 16);
    be16_store(c + 18, (uint16_t)m->record_max);
    be16_store(c + 20, (uint16_t)m->home_bytes);
    c[22] = is_3390 ? 2 : 1; // capacity formula and its factors
    memcpy(c + 23, is_3390 ? "\x22\x13\x09\x06\x74" : "\x20\x0F\x07\x0C\xEC", 5);
    c[40] = c[41] = m->unit_type;
    be16_store(c + 44, (uint16_t)m->record0_max);
    c[47] = 0x01;
    c[48] = is_3390 ? 6 : 0;
    be16_store(c + 49, is_3390 ? 0x7708 : 0);
    be32_store(c + 60, d->cylinders);
    return device_give(cmd, c, sizeof c);
}

// A node element descriptor, 32 bytes: flags, kind, class, level, type, model, manufacturer, plant,
// sequence number, tag.
static void node(uint8_t *out, uint32_t head, const char *type, const char *model,
                 const char *sequence, uint16_t tag)
{
    be32_store(out, head);
    ebcdic_field(out + 4, 6, type);
    ebcdic_field(out + 10, 3, model);
    ebcdic_field(out + 13, 3, "EDC");
    ebcdic_field(out + 16, 2, "01");
    ebcdic_field(out + 18, 12, sequence);
    be16_store(out + 30, tag);
}

// READ CONFIGURATION DATA: descriptors of the device, its string, the storage director and the
// subsystem, then a general node-element qualifier with the subsystem id.
struct device_reply ckd_configuration(struct dasd_ckd *d, const struct device_command *cmd)
{
    uint8_t c[256] = {0};
    char type[8], sequence[13] = "000000", director[13] = "000000SUBSYS";
    const char *serial = d->volume->volser[0] ? d->volume->volser : "NONAME";
    memcpy(type, "  ", 2);
    memcpy(type + 2, d->volume->model->name, 4);
    type[6] = '\0';
    memcpy(sequence + 6, serial, strlen(serial) + 1);
    node(c, 0xDC010100u, type, "003", sequence, d->dev.number & 0xFF);
    node(c + 32, 0xD4020000u, type, "003", sequence, 0);
    node(c + 64, 0xD0000000u, "  3990", "006", director, 0);
    node(c + 96, 0xF0000001u, "  3990", "006", director, 0);
    c[224] = 0x80;
    c[230] = 0x1E; // missing-interruption time: 30 seconds
    be16_store(c + 232, d->dev.number >> 8);
    return device_give(cmd, c, sizeof c);
}

// READ AND RESET BUFFERED LOG: nothing was logged.
struct device_reply ckd_read_log(struct dasd_ckd *d, const struct device_command *cmd)
{
    static const uint8_t log[32];
    (void)d;
    return device_give(cmd, log, sizeof log);
}

// RESERVE and UNCONDITIONAL RESERVE keep the other devices off our cylinders, RELEASE ends that;
// all give the sense bytes.
struct device_reply ckd_reserve(struct dasd_ckd *d, const struct device_command *cmd)
{
    static const uint8_t no_sense[24];
    d->volume->reserved_by = &d->dev;
    return device_give(cmd, no_sense, sizeof no_sense);
}

struct device_reply ckd_release(struct dasd_ckd *d, const struct device_command *cmd)
{
    static const uint8_t no_sense[24];
    ckd_end_reservation(d);
    return device_give(cmd, no_sense, sizeof no_sense);
}

// PERFORM SUBSYSTEM FUNCTION: the order is in byte 0, what is to be read in byte 6.
#define ORDER_PREPARE_READ    0x18u
#define ORDER_CHARACTERISTICS 0x1Du // the host tells what it can do with alias devices
#define SUBORDER_UNITS        0x0Eu
#define SUBORDER_FEATURES     0x41u

struct device_reply ckd_subsystem_function(struct dasd_ckd *d, const struct device_command *cmd)
{
    d->prepared = 0;
    if (cmd->count < 12)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_SHORT_COUNT);
    if (cmd->data[0] == ORDER_CHARACTERISTICS)
        return device_done(cmd->count);
    if (cmd->data[0] != ORDER_PREPARE_READ ||
        (cmd->data[6] != SUBORDER_UNITS && cmd->data[6] != SUBORDER_FEATURES))
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_PARAMETER);
    d->prepared = cmd->data[6];
    return device_done(12);
}

// READ SUBSYSTEM DATA: which of the 256 unit addresses are what (pairs of kind and base), or the
// feature codes. All our units are bases without aliases, and no optional feature is there.
struct device_reply ckd_read_subsystem(struct dasd_ckd *d, const struct device_command *cmd)
{
    uint8_t units[512], features[256] = {0};
    uint8_t what = d->prepared;
    d->prepared = 0;
    if (what == SUBORDER_FEATURES)
        return device_give(cmd, features, sizeof features);
    if (what != SUBORDER_UNITS)
        return ckd_check(d, SENSE_COMMAND_REJECT, 0, MESSAGE_INVALID_SEQUENCE);
    for (unsigned unit = 0; unit < 256; unit++) {
        units[2 * unit] = 1;
        units[2 * unit + 1] = (uint8_t)unit;
    }
    return device_give(cmd, units, sizeof units);
}
