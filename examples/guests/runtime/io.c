// SPDX-License-Identifier: MIT
// Channel I/O: one start function at a time on each device, waited for with I/O interruptions.
#include "guest.h"
#include "runtime.h"

#define ORB_FORMAT_1     0x00800000u
#define ORB_ALL_PATHS    0x0000FF00u
#define PMCW_ENABLED     0x00800000u
#define PMCW_VALID       0x00010000u
#define COMMAND_SENSE    0x04
#define COMMAND_SENSE_ID 0xE4

#define STCTL_ALERT     0x10
#define STCTL_SECONDARY 0x02
#define FCTL            0x70 // in byte 2: start, halt or clear function

// IRB, as far as we look at it: SCSW, then the extended control word with the sense bytes.
struct irb {
    uint8_t flags[4];
    uint32_t ccw_address;
    uint8_t device_status, channel_status;
    uint16_t residual;
    uint32_t esw[5];
    uint8_t ecw[32];
    uint8_t extension[32];
} __attribute__((aligned(4)));

struct schib {
    uint32_t parameter, flags, word[5], scsw[3], model[3];
} __attribute__((aligned(4)));

#define CONCURRENT_SENSE 0x01000000u // in the extended-report word

static int io_store(uint32_t subchannel, struct schib *schib)
{
    register uint32_t r1 __asm__("1") = subchannel;
    int cc;
    __asm__ volatile("stsch %1\n\tipm %0\n\tsrl %0,28" : "=d"(cc), "=Q"(*schib) : "d"(r1) : "cc");
    return cc;
}

static int io_modify(uint32_t subchannel, const struct schib *schib)
{
    register uint32_t r1 __asm__("1") = subchannel;
    int cc;
    __asm__ volatile("msch %1\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "Q"(*schib), "d"(r1) : "cc");
    return cc;
}

static int io_start(uint32_t subchannel, const uint32_t orb[8])
{
    register uint32_t r1 __asm__("1") = subchannel;
    int cc;
    __asm__ volatile("ssch %1\n\tipm %0\n\tsrl %0,28"
                     : "=d"(cc)
                     : "Q"(*(const uint32_t(*)[8])orb), "d"(r1)
                     : "cc", "memory");
    return cc;
}

static int io_test(uint32_t subchannel, struct irb *irb)
{
    register uint32_t r1 __asm__("1") = subchannel;
    int cc;
    __asm__ volatile("tsch %1\n\tipm %0\n\tsrl %0,28"
                     : "=d"(cc), "=Q"(*irb)
                     : "d"(r1)
                     : "cc", "memory");
    return cc;
}

static void take_sense(struct device *device, const struct irb *irb)
{
    memset(device->sense, 0, sizeof device->sense);
    if (irb->esw[1] & CONCURRENT_SENSE)
        memcpy(device->sense, irb->ecw, sizeof device->sense);
}

// The interruption parameter is the address of the device, from MSCH and the ORB.
void io_interruption(const struct interruption *interruption)
{
    struct device *device = real(interruption->parameter);
    struct irb irb;

    if (io_test(interruption->code, &irb) || !device)
        return;
    if (!(irb.flags[2] & FCTL)) {
        device->attention |= (irb.device_status & 0x80) != 0;
        return;
    }
    device->status |= irb.device_status;
    device->channel_status |= irb.channel_status;
    device->residual = irb.residual;
    device->ccw_address = irb.ccw_address;
    if (irb.device_status & STATUS_UNIT_CHECK)
        take_sense(device, &irb);
    device->ended |= (irb.flags[3] & (STCTL_SECONDARY | STCTL_ALERT)) != 0;
}

int device_start(struct device *device, const struct ccw *program)
{
    uint32_t orb[8] = {address_of(device), ORB_FORMAT_1 | ORB_ALL_PATHS, address_of(program)};

    device->ended = false;
    device->status = device->channel_status = 0;
    return io_start(device->subchannel, orb);
}

void device_wait(struct device *device)
{
    while (!device->ended)
        wait_for(PSW_IO);
}

static void read_sense(struct device *device)
{
    struct ccw sense = {COMMAND_SENSE, CCW_SLI, sizeof device->sense, address_of(device->sense)};
    uint8_t status = device->status, channel_status = device->channel_status;

    if (!device_start(device, &sense))
        device_wait(device);
    device->status = status;
    device->channel_status = channel_status;
}

bool device_run(struct device *device, const struct ccw *program)
{
    int cc;

    // Condition codes 1 and 2: status is pending or a function in progress; an interruption comes.
    while ((cc = device_start(device, program)) == 1 || cc == 2)
        wait_for(PSW_IO);
    if (cc)
        return false;
    device_wait(device);
    if ((device->status & STATUS_UNIT_CHECK) && !device->sense[0])
        read_sense(device);
    return device->status == STATUS_OK && device->channel_status == 0;
}

static bool enable(struct device *device, struct schib *schib)
{
    device->number = (uint16_t)schib->flags;
    schib->parameter = address_of(device);
    schib->flags |= PMCW_ENABLED;
    return io_modify(device->subchannel, schib) == 0;
}

bool device_open(struct device *device, uint16_t number)
{
    struct schib schib;

    memset(device, 0, sizeof *device);
    for (device->subchannel = 0x00010000; io_store(device->subchannel, &schib) != 3;
         device->subchannel++)
        if ((schib.flags & PMCW_VALID) && (uint16_t)schib.flags == number)
            return enable(device, &schib);
    return false;
}

static bool has_type(struct device *device, uint16_t cu_type)
{
    static uint8_t id[40];
    static struct ccw sense_id = {COMMAND_SENSE_ID, CCW_SLI, sizeof id, 0};

    sense_id.address = address_of(id);
    return device_run(device, &sense_id) && id[0] == 0xFF && id[1] == cu_type >> 8 &&
           id[2] == (uint8_t)cu_type;
}

bool device_open_type(struct device *device, uint16_t cu_type)
{
    struct schib schib;

    memset(device, 0, sizeof *device);
    for (device->subchannel = 0x00010000; io_store(device->subchannel, &schib) != 3;
         device->subchannel++) {
        if (!(schib.flags & PMCW_VALID) || !enable(device, &schib))
            continue;
        if (has_type(device, cu_type))
            return true;
    }
    return false;
}
