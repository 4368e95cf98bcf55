// SPDX-License-Identifier: MIT
// Formats tracks of a CKD disk, then writes and reads records at random places and verifies them.
// Parameters: n=, records written and read back (100); device=, hexadecimal (191); tracks= (15).
#include "runtime/guest.h"

#include "runtime/dasd.h"

#define RECORDS 12u // on each track
#define LENGTH  1024u

static uint8_t buffer[LENGTH] __attribute__((aligned(8)));

static uint64_t sequence = 88172645463325252ul;

static uint64_t random_number(void)
{
    sequence ^= sequence << 13;
    sequence ^= sequence >> 7;
    sequence ^= sequence << 17;
    return sequence;
}

// Each record's content follows from its place and how often it was written.
static void fill(const struct dasd_address *at, unsigned version)
{
    uint32_t x = (at->cylinder * 31u + at->head) * 31u + at->record + version * 7919u;

    for (unsigned i = 0; i < LENGTH; i++)
        buffer[i] = (uint8_t)(x = x * 69069u + 1u, x >> 24);
}

static bool is_filled(const struct dasd_address *at, unsigned version)
{
    static uint8_t found[LENGTH];

    memcpy(found, buffer, LENGTH);
    fill(at, version);
    return memcmp(found, buffer, LENGTH) == 0;
}

static unsigned long failed(const char *what, const struct device *device,
                            const struct dasd_address *at)
{
    print("dasdio: %s failed at %lu/%lu/%lu, status %lx sense %lx", what,
          (unsigned long)at->cylinder, (unsigned long)at->head, (unsigned long)at->record,
          (unsigned long)device->status, (unsigned long)device->sense[0] << 8 | device->sense[1]);
    return END_IO_ERROR;
}

static struct dasd_address place(unsigned track, unsigned record)
{
    return (struct dasd_address){(uint16_t)(track / DASD_HEADS), (uint16_t)(track % DASD_HEADS),
                                 (uint8_t)record};
}

static unsigned long format(struct device *device, unsigned tracks)
{
    for (unsigned track = 0; track < tracks; track++) {
        struct dasd_address at = place(track, 0);
        if (!dasd_format(device, &at, RECORDS, LENGTH))
            return failed("formatting", device, &at);
    }
    print("dasdio: %lu records formatted", (unsigned long)tracks * RECORDS);
    return END_OK;
}

static uint8_t versions[4096];

// One random record: read and checked if it was written before, then written.
static unsigned long transaction(struct device *device, unsigned tracks)
{
    unsigned track = (unsigned)(random_number() % tracks);
    unsigned record = (unsigned)(random_number() % RECORDS) + 1;
    uint8_t *version = &versions[track * RECORDS + record - 1];
    struct dasd_address at = place(track, record);

    if (*version) {
        if (!dasd_read(device, &at, buffer, LENGTH))
            return failed("reading", device, &at);
        if (!is_filled(&at, *version))
            return END_WRONG;
    }
    fill(&at, ++*version);
    if (!dasd_write(device, &at, buffer, LENGTH))
        return failed("writing", device, &at);
    transactions++;
    return END_OK;
}

static unsigned long verify(struct device *device, unsigned tracks, uint64_t *verified)
{
    for (unsigned i = 0; i < tracks * RECORDS; i++) {
        struct dasd_address at = place(i / RECORDS, i % RECORDS + 1);
        if (!versions[i])
            continue;
        if (!dasd_read(device, &at, buffer, LENGTH))
            return failed("reading", device, &at);
        if (!is_filled(&at, versions[i]))
            return END_WRONG;
        ++*verified;
    }
    return END_OK;
}

unsigned long guest_main(void)
{
    struct device device;
    uint16_t number = (uint16_t)parameter_hex("device", 0x0191);
    unsigned tracks = (unsigned)parameter_number("tracks", 15);
    uint64_t n = parameter_number("n", 100), verified = 0;
    unsigned long rc;

    if (!tracks || tracks * RECORDS > sizeof versions)
        return END_PARAMETER;
    if (!device_open(&device, number)) {
        print("dasdio: no device %lx", (unsigned long)number);
        return END_NO_DEVICE;
    }
    rc = format(&device, tracks);
    for (uint64_t i = 0; !rc && i < n; i++)
        rc = transaction(&device, tracks);
    if (!rc)
        rc = verify(&device, tracks, &verified);
    if (rc == END_WRONG)
        print("dasdio: a record is not what was written");
    if (!rc)
        print("dasdio: %lu records written, %lu verified", n, verified);
    return rc;
}
