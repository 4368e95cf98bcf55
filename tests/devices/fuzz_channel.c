// SPDX-License-Identifier: MIT
// Random ORBs and channel programs against every kind of device: the subsystem and the models must
// stay whole, come to an end when cleared, and only touch storage.
//
// Input: device (1), then ORB words 1 and 2, then bytes laid out from absolute 0 on, where CCWs,
// indirect lists and parameters are. Addresses are cut to the rig's storage so that they hit
// something.
#include <stdlib.h>

#include "devices/console_3215.h"
#include "devices/console_3270.h"
#include "devices/dasd_ckd.h"
#include "devices/dasd_fba.h"
#include "devices/rig.h"
#include "devices/unit_record_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DEVICES = 10, LAYOUT = 4096, HEAD = 10 };

static bool take_stream(void *arg, uint8_t command, const uint8_t *bytes, size_t n)
{
    // Every byte must be readable.
    unsigned *sum = arg;
    *sum += command;
    for (size_t i = 0; i < n; i++)
        *sum += bytes[i];
    return true;
}

struct everything {
    struct rig rig;
    struct dasd_volume *ckd;
    struct fba_volume *fba;
    struct card_hopper *hopper;
    unsigned sum;
    uint32_t sid[DEVICES];
    struct device *console, *display;
};

static void open_all(struct everything *e)
{
    uint8_t deck[200] = {0};
    rig_open(&e->rig);
    e->ckd = dasd_volume_new(dasd_image_create(NULL, dasd_model("3390"), 4, "FUZZ01", NULL));
    e->fba = fba_volume_new(NULL, 64, true, false, NULL);
    e->hopper = card_hopper_new();
    card_hopper_add(e->hopper, deck, sizeof deck);
    struct unit_record_source source = card_hopper_source(e->hopper);
    struct unit_record_sink sink = {take_stream, &e->sum};
    struct display_3270 display = {.write = take_stream, .arg = &e->sum};
    e->console = console_3215_new(0x009, NULL, NULL);
    e->display = console_3270_new(0x020, 2, &display);
    struct device *all[DEVICES] = {e->console,
                                   e->display,
                                   card_reader_new(0x00C, 0x2540, &source),
                                   card_punch_new(0x00D, 0x2540, &sink),
                                   printer_new(0x00E, 0x1403, &sink),
                                   dasd_ckd_new(0x190, e->ckd, 0, 4, false),
                                   dasd_ckd_new(0x191, e->ckd, 1, 2, false),
                                   dasd_ckd_new(0x192, e->ckd, 1, 1, true),
                                   dasd_fba_new(0x200, e->fba, 0, 64, false),
                                   dasd_fba_new(0x201, e->fba, 16, 16, true)};
    for (int i = 0; i < DEVICES; i++)
        e->sid[i] = rig_add(&e->rig, all[i], i & 1);
}

static void close_all(struct everything *e)
{
    rig_close(&e->rig);
    dasd_volume_free(e->ckd);
    fba_volume_free(e->fba);
    card_hopper_free(e->hopper);
}

// Puts the input into storage, every address-like word made small.
static void lay_out(struct rig *r, const uint8_t *data, size_t size)
{
    uint8_t page[LAYOUT] = {0};
    memcpy(page, data, size < LAYOUT ? size : LAYOUT);
    for (size_t i = 4; i + 4 <= LAYOUT; i += 8)
        if (page[i] != 0xFF)
            page[i] = page[i + 1] = 0;
    rig_put(r, 0, page, sizeof page);
}

// Commands that some device knows, so that noise gets somewhere.
static const uint8_t known[] = {
    0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0B, 0x0D, 0x0E, 0x11, 0x12, 0x13,
    0x14, 0x15, 0x16, 0x19, 0x1A, 0x1B, 0x1D, 0x1E, 0x1F, 0x22, 0x23, 0x29, 0x31, 0x34, 0x39, 0x41,
    0x42, 0x43, 0x47, 0x5E, 0x63, 0x64, 0x85, 0x86, 0x94, 0x9D, 0xAF, 0xB1, 0xB4, 0xDE, 0xE4, 0xFA};

// Each four bytes of the input become a format-1 CCW: a known command, flags, a short count, data
// in the page, whose second half is the input itself.
static void lay_out_program(struct rig *r, const uint8_t *data, size_t size)
{
    uint8_t page[LAYOUT] = {0};
    memcpy(page + LAYOUT / 2, data, size < LAYOUT / 2 ? size : LAYOUT / 2);
    for (size_t i = 0; i + 4 <= size && i < LAYOUT / 4; i += 4) {
        uint8_t *ccw = page + 2 * i;
        bool tic = data[i] % 8 == 0;
        ccw[0] = tic ? 0x08 : known[data[i] % sizeof known];
        ccw[1] = tic ? 0 : (uint8_t)(data[i + 1] | (data[i + 1] % 4 ? 0x60 : 0));
        be16_store(ccw + 2, tic ? 0 : data[i + 2]);
        be32_store(ccw + 4, tic ? data[i + 3] % 64u * 8 : LAYOUT / 2 + data[i + 3] * 4u);
    }
    rig_put(r, 0, page, sizeof page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct everything e = {0};
    struct irb irb;
    uint8_t orb[32] = {0};
    if (size < HEAD)
        return 0;
    open_all(&e);
    unsigned which = data[0] % DEVICES;
    memcpy(orb + 4, data + 2, 8);
    if (data[1] & 0x30) {
        lay_out_program(&e.rig, data + HEAD, size - HEAD);
        orb[5] |= 0x80;         // format 1
        memset(orb + 8, 0, 4);  // from the start
        orb[4] = orb[4] & 0x0F; // key 0
    } else
        lay_out(&e.rig, data + HEAD, size - HEAD);
    orb[6] |= 0x80;                       // our path
    orb[7] &= (uint8_t)~0x3E;             // reserved bits
    orb[8] = orb[9] = 0, orb[10] &= 0x0F; // the program is in the page
    orb[11] &= 0xF8;
    if (data[1] & 1)
        orb[5] &= (uint8_t)~0x04; // no transport mode
    css_start(e.rig.css, e.sid[which], orb);
    if (data[1] & 2) // a second one on the same volume, perhaps
        css_start(e.rig.css, e.sid[(which + 1) % DEVICES], orb);
    rig_settle(&e.rig, 200);
    console_3215_input(e.console, "line");
    console_3270_input(e.display, (const uint8_t *)"\x7D\x40\x40", 3);
    css_resume(e.rig.css, e.sid[which]);
    rig_settle(&e.rig, 50);
    rig_test(&e.rig, e.sid[which], &irb);
    if (data[1] & 4)
        css_halt(e.rig.css, e.sid[which]);
    if (data[1] & 8)
        css_detach(e.rig.css, 0x190, true);
    css_reset(e.rig.css);
    if (!rig_settle(&e.rig, 5)) // a reset leaves nothing running
        abort();
    close_all(&e);
    return 0;
}
