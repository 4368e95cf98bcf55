// SPDX-License-Identifier: MIT
// A fixture with a minidisk: cylinders 10-29 of a volume in memory. Include after cmocka.h.
#ifndef ENDICOTT_TESTS_DEVICES_DASD_FIXTURE_H
#define ENDICOTT_TESTS_DEVICES_DASD_FIXTURE_H

#include <stdlib.h>

#include "devices/dasd_rig.h"

struct fixture {
    struct rig rig;
    struct dasd_volume *volume;
    struct device *dev;
    uint32_t sid;
    struct irb irb;
};

static inline int set_up(void **state)
{
    struct fixture *f = mem_zero(1, sizeof *f);
    rig_open(&f->rig);
    f->volume = dasd_volume_new(dasd_image_create(NULL, dasd_model("3390-3"), 40, "TEST01", NULL));
    f->dev = dasd_ckd_new(0x200, f->volume, 10, 20, false);
    f->sid = rig_add(&f->rig, f->dev, 1);
    *state = f;
    return 0;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    rig_close(&f->rig);
    dasd_volume_free(f->volume);
    free(f);
    return 0;
}

static inline void run(struct fixture *f)
{
    assert_int_equal(rig_run(&f->rig, f->sid, &f->irb), 0);
}

static inline void run_well(struct fixture *f)
{
    run(f);
    assert_int_equal(f->irb.status, 0x0C);
    assert_int_equal(f->irb.channel, 0);
    assert_int_equal(f->irb.residual, 0);
}

// Runs into a unit check with these sense bytes 0, 1 and 7.
static inline void run_into(struct fixture *f, unsigned sense0, unsigned sense1, unsigned sense7)
{
    run(f);
    assert_int_equal(f->irb.status, 0x0E);
    assert_int_equal(be32_load(f->irb.raw + 16), 0x01200000);
    assert_int_equal(f->irb.raw[32], sense0);
    assert_int_equal(f->irb.raw[33], sense1);
    assert_int_equal(f->irb.raw[39], sense7);
}

static inline void format(struct fixture *f, unsigned cylinder, unsigned head, unsigned records,
                          unsigned key, unsigned data)
{
    dasd_extent(&f->rig, 0xC0, 0, 0, 19, 14);
    dasd_format(&f->rig, cylinder, head, records, key, data, true);
    run_well(f);
}

#endif
