// SPDX-License-Identifier: MIT
// SERVICE CALL: the commands, the information blocks, and the service signal. The interface is not
// in the Principles of Operation; layouts follow what Linux on Z expects (drivers/s390/char/sclp).
#include "machine/sclp.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/memory.h"

#define CODE_SERVICE_SIGNAL 0x2401u
#define CR0_SERVICE_SIGNAL  0x200u // control register 0 bit 54
#define PARAMETER_EVENTS    0x1u   // in a service signal: event buffers can be read

enum { CC_ACCEPTED = 0, CC_BUSY = 2 };

struct sclp *sclp_new(struct machine *machine)
{
    struct sclp *sclp = mem_zero(1, sizeof *sclp);
    sclp->machine = machine;
    sclp->last = &sclp->first;
    return sclp;
}

void sclp_free(struct sclp *sclp)
{
    if (!sclp)
        return;
    sclp_reset(sclp);
    free(sclp);
}

void sclp_respond(uint8_t *sccb, uint16_t code)
{
    be16_store(sccb + SCCB_RESPONSE, code);
}

static unsigned cpu_entries(const struct machine *machine, uint8_t *to)
{
    unsigned n = 0;

    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        if (!machine->cpu[i])
            continue;
        memset(to + n * 16, 0, 16);
        to[n * 16] = (uint8_t)i; // core address; byte 14, the type, is 0: general purpose
        n++;
    }
    return n;
}

#define SCP_INFO_CPUS     128u // where our CPU entries start
#define SCP_INFO_CPU_INFO UINT64_C(0x0800000000000000)

static unsigned highest_cpu(const struct machine *machine)
{
    unsigned i = MACHINE_MAX_CPUS - 1;
    while (i > 0 && !machine->cpu[i])
        i--;
    return i;
}

// READ SCP INFO:
//
//   8 increments (2) | 10 their size in MiB (1) | 16 CPUs (2) | 18 offset of their entries (2) |
//   24 LOADPARM (8) | 48 facilities (8) | 80, 85 suppression on protection | 100 increment size (4)
//   | 104 increments (8) | 120 highest CPU address (2)
#define SUPPRESSION_ON_PROTECTION 0x20 // byte 80
#define ENHANCED_SUPPRESSION      0x02 // byte 85

static void read_scp_info(struct sclp *sclp, uint8_t *sccb, unsigned length)
{
    struct machine *machine = sclp->machine;
    uint64_t mebibytes = storage_size(machine->storage) >> 20;

    if (length < SCP_INFO_CPUS + 16 * machine->cpus) {
        sclp_respond(sccb, SCLP_LENGTH);
        return;
    }
    memset(sccb + SCCB_HEADER, 0, SCP_INFO_CPUS - SCCB_HEADER);
    be16_store(sccb + 8, mebibytes > 0xFFFF ? 0 : (uint16_t)mebibytes);
    sccb[10] = 1;
    be16_store(sccb + 16, (uint16_t)cpu_entries(machine, sccb + SCP_INFO_CPUS));
    be16_store(sccb + 18, SCP_INFO_CPUS);
    memcpy(sccb + 24, machine->loadparm, sizeof machine->loadparm);
    be64_store(sccb + 48, SCP_INFO_CPU_INFO);
    sccb[80] = SUPPRESSION_ON_PROTECTION;
    sccb[85] = ENHANCED_SUPPRESSION;
    be32_store(sccb + 100, 1);
    be64_store(sccb + 104, mebibytes);
    be16_store(sccb + 120, (uint16_t)highest_cpu(machine));
    sclp_respond(sccb, SCLP_READ_COMPLETE);
}

#define CPU_INFO_CPUS 24u

// READ CPU INFO: 8 configured CPUs (2) | 10 offset of their entries (2) | 12, 14 the same for
// standby
static void read_cpu_info(struct sclp *sclp, uint8_t *sccb, unsigned length)
{
    unsigned end = CPU_INFO_CPUS + 16 * sclp->machine->cpus;

    if (length < end) {
        sclp_respond(sccb, SCLP_LENGTH);
        return;
    }
    be16_store(sccb + 8, (uint16_t)cpu_entries(sclp->machine, sccb + CPU_INFO_CPUS));
    be16_store(sccb + 10, CPU_INFO_CPUS);
    be16_store(sccb + 12, 0);
    memset(sccb + 16, 0, CPU_INFO_CPUS - 16);
    be16_store(sccb + 14, (uint16_t)end);
    sclp_respond(sccb, SCLP_READ_COMPLETE);
}

static const struct command {
    uint32_t code;
    void (*perform)(struct sclp *sclp, uint8_t *sccb, unsigned length);
} commands[] = {
    {0x00020001, read_scp_info},         {0x00120001, read_scp_info}, // the forced form
    {0x00010001, read_cpu_info},         {0x00780005, sclp_write_event_mask},
    {0x00760005, sclp_write_event_data}, {0x00770005, sclp_read_event_data},
};

static void perform(struct sclp *sclp, uint32_t command, uint8_t *sccb, unsigned length)
{
    for (unsigned i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].code == command) {
            commands[i].perform(sclp, sccb, length);
            return;
        }
    }
    sclp_respond(sccb, SCLP_INVALID_COMMAND);
}

// The SCCB is worked on in a copy, so that a length which the guest changes meanwhile cannot harm.
static void perform_at(struct sclp *sclp, uint32_t command, uint64_t absolute)
{
    struct storage *storage = sclp->machine->storage;
    uint8_t sccb[SCCB_MAX] = {0};
    unsigned length, room = (unsigned)(FRAME_SIZE - absolute % FRAME_SIZE);

    storage_read(storage, absolute, sccb, SCCB_HEADER);
    length = be16_load(sccb + SCCB_LENGTH);
    // The length was looked at before; another CPU may have changed it since.
    if (length < SCCB_HEADER || length > room) {
        sclp_respond(sccb, length > room ? SCLP_BOUNDARY : SCLP_LENGTH);
        storage_write(storage, absolute, sccb, SCCB_HEADER);
        return;
    }
    storage_read(storage, absolute, sccb, length);
    perform(sclp, command, sccb, length);
    storage_write(storage, absolute, sccb, length);
}

static unsigned header_length(const struct machine *machine, uint64_t absolute)
{
    uint8_t length[2] = {0};

    storage_read(machine->storage, absolute + SCCB_LENGTH, length, sizeof length);
    return be16_load(length);
}

int machine_service_call(struct machine *machine, struct cpu *cpu, uint32_t command,
                         uint64_t absolute)
{
    struct sclp *sclp = machine->sclp;
    int cc = CC_BUSY;

    if (absolute % 8 || absolute > 0x7FFFFFF8 || absolute < 2 * FRAME_SIZE)
        cpu_program_interruption(cpu, 0x0006); // specification
    if (!storage_find(machine->storage, absolute, SCCB_HEADER))
        cpu_program_interruption(cpu, 0x0005); // addressing
    if (header_length(machine, absolute) < SCCB_HEADER)
        cpu_program_interruption(cpu, 0x0006);
    world_lock(machine->world);
    // One command at a time: until the program has taken the signal that tells its end.
    if (!(sclp->signal_pending && sclp->parameter & ~7u)) {
        perform_at(sclp, command, absolute);
        machine_service_signal(machine, (uint32_t)absolute);
        cc = CC_ACCEPTED;
    }
    world_unlock(machine->world);
    return cc;
}

void machine_service_signal(struct machine *machine, uint32_t parameter)
{
    struct sclp *sclp = machine->sclp;

    sclp->parameter = sclp->signal_pending ? sclp->parameter | parameter : parameter;
    sclp->signal_pending = true;
    machine_pend_all(machine, PEND_EXTERNAL);
}

void sclp_announce(struct sclp *sclp)
{
    machine_service_signal(sclp->machine, PARAMETER_EVENTS);
}

bool sclp_take_external(struct sclp *sclp, uint32_t mask, struct external_interruption *out)
{
    if (!sclp->signal_pending || !(mask & CR0_SERVICE_SIGNAL))
        return false;
    *out = (struct external_interruption){
        .code = CODE_SERVICE_SIGNAL,
        .parameter = sclp->parameter,
    };
    sclp->signal_pending = false;
    sclp->parameter = 0;
    return true;
}
