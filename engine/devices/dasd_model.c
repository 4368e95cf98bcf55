// SPDX-License-Identifier: MIT
// The table of CKD device types, track capacity and service times.
#include "devices/dasd_model.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define US(n) ((n)*TOD_MICROSECOND)

// Geometry from the 3380 and 3390 reference summaries; times are those published for the drives
// (3390: 4260 rpm, 4.2 MB/s; 3380: 3600 rpm, 3 MB/s).
// clang-format off
static const struct dasd_model models[] = {
    {"3390-1",  0x3390, 0x02, 0x26,  1113, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(18000), 4200},
    {"3390-2",  0x3390, 0x06, 0x27,  2226, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(23000), 4200},
    {"3390-3",  0x3390, 0x0A, 0x24,  3339, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(23000), 4200},
    {"3390-9",  0x3390, 0x0C, 0x32, 10017, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(33000), 4200},
    {"3390-27", 0x3390, 0x0C, 0x32, 32760, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(33000), 4200},
    {"3390-54", 0x3390, 0x0C, 0x32, 65520, 15, 56664, 57326, 1428, 224, 56832, US(14083), US(1500), US(33000), 4200},
    {"3380-1",  0x3380, 0x02, 0x0E,   885, 15, 47476, 47968, 1088, 222, 47616, US(16667), US(3000), US(30000), 3000},
    {"3380-E",  0x3380, 0x0A, 0x0E,  1770, 15, 47476, 47968, 1088, 222, 47616, US(16667), US(3000), US(31000), 3000},
    {"3380-K",  0x3380, 0x1E, 0x23,  2655, 15, 47476, 47968, 1088, 222, 47616, US(16667), US(2000), US(31000), 3000},
};
// clang-format on

#define MODELS (sizeof models / sizeof models[0])

const struct dasd_model *dasd_model_at(unsigned n)
{
    return n < MODELS ? &models[n] : NULL;
}

const struct dasd_model *dasd_model(const char *name)
{
    for (size_t i = 0; i < MODELS; i++)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    for (size_t i = 0; i < MODELS; i++)
        if (strlen(name) == 4 && strncmp(models[i].name, name, 4) == 0)
            return &models[i];
    return NULL;
}

const struct dasd_model *dasd_model_for(uint8_t type, unsigned track_size, unsigned cylinders)
{
    const struct dasd_model *best = NULL;
    for (size_t i = 0; i < MODELS; i++) {
        if ((models[i].type & 0xFF) != type || models[i].track_size != track_size)
            continue;
        best = &models[i];
        if (models[i].cylinders >= cylinders)
            break;
    }
    return best;
}

static unsigned quotient_up(unsigned a, unsigned b)
{
    return (a + b - 1) / b;
}

// 3390: cells of 34 bytes, with error-correction bytes for each 232 bytes of key and of data.
// 3380: cells of 32 bytes. (Reference summaries, "Track Capacity".)
unsigned dasd_record_space(const struct dasd_model *model, unsigned key, unsigned data)
{
    if (model->type == 0x3380)
        return 15 + quotient_up(data + 12, 32) + (key ? 7 + quotient_up(key + 12, 32) : 0);
    unsigned data_checks = quotient_up(data + 6, 232) + 1;
    unsigned key_checks = quotient_up(key + 6, 232) + 1;
    return 19 + quotient_up(data + 6 * data_checks, 34) +
           (key ? 9 + quotient_up(key + 6 * key_checks, 34) : 0);
}

unsigned dasd_track_space(const struct dasd_model *model)
{
    return model->type == 0x3380 ? 1499 : 1729;
}

unsigned dasd_records_per_track(const struct dasd_model *model, unsigned key, unsigned data)
{
    return dasd_track_space(model) / dasd_record_space(model, key, data);
}

// The arm accelerates, then brakes: time grows with the square root of the distance.
tod_t dasd_seek_time(const struct dasd_model *model, unsigned distance)
{
    if (distance == 0)
        return 0;
    if (distance > model->cylinders)
        distance = model->cylinders;
    double part = sqrt((double)(distance - 1) / (double)(model->cylinders - 1));
    return model->seek_minimum +
           (tod_t)(part * (double)(model->seek_maximum - model->seek_minimum));
}

tod_t dasd_transfer_time(const struct dasd_model *model, uint64_t bytes)
{
    return bytes * TOD_MILLISECOND / model->bytes_per_millisecond;
}
