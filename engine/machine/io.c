// SPDX-License-Identifier: MIT
// I/O instructions and floating interruptions of one configuration.
#include "base/bytes.h"
#include "machine/internal.h"
#include "machine/sclp.h"

// Machine-check interruption code of a pending channel report (Principles of Operation,
// "Machine-Check Interruption Code"): bit 9 is the channel report, the others say that everything
// which was stored is valid.
//
//   bit 9 CP | 20-23 WP MS PM IA | 27 FP 28 GR 29 CR 31 ST | 33 AR | 42 PR 43 FC | 46 CT 47 CC
#define MCIC_CHANNEL_REPORT UINT64_C(0x00400F1D40330000)

static int io_tpi(struct machine *machine, struct cpu *cpu, uint8_t *block)
{
    struct css_interruption i;

    // TEST PENDING INTERRUPTION looks at the subclasses that control register 6 enables.
    if (!css_take_interruption(machine->css, (uint8_t)(cpu->cr[6] >> 24), false, &i))
        return 0;
    be32_store(block, i.subchannel_id);
    be32_store(block + 4, i.parameter);
    be32_store(block + 8, i.id_word);
    return 1;
}

static int io_locked(struct machine *machine, struct cpu *cpu, enum io_instruction op, uint32_t sid,
                     uint64_t address, uint8_t *block)
{
    struct channel_subsystem *css = machine->css;

    switch (op) {
    case IO_SSCH:
        return css_start(css, sid, block);
    case IO_TSCH:
        return css_test(css, sid, block);
    case IO_MSCH:
        return css_modify(css, sid, block);
    case IO_STSCH:
        return css_store(css, sid, block);
    case IO_HSCH:
        return css_halt(css, sid);
    case IO_CSCH:
        return css_clear(css, sid);
    case IO_RSCH:
        return css_resume(css, sid);
    case IO_XSCH:
        return css_cancel(css, sid);
    case IO_TPI:
        return io_tpi(machine, cpu, block);
    case IO_STCRW:
        return css_report_word(css, block);
    case IO_SCHM:
        return css_measure(css, sid, address);
    case IO_SAL: // the address limit is checked by no program we know of; accepted
        return 0;
    case IO_RCHP:
        return css_reset_path(css, (uint8_t)sid);
    case IO_STCPS:
        return css_path_status(css, block);
    case IO_CHSC:
        return css_chsc(css, block);
    case IO_SIGA: // no QDIO subchannel exists
        return 3;
    }
    return 3;
}

int machine_io(struct machine *machine, struct cpu *cpu, enum io_instruction op, uint32_t sid,
               uint64_t address, uint8_t *block)
{
    int cc;

    world_lock(machine->world);
    cc = io_locked(machine, cpu, op, sid, address, block);
    world_unlock(machine->world);
    return cc;
}

bool machine_take_io(struct machine *machine, struct cpu *cpu, uint8_t isc_mask,
                     struct io_interruption *out)
{
    struct css_interruption i;
    bool taken;

    (void)cpu;
    world_lock(machine->world);
    taken = css_take_interruption(machine->css, isc_mask, false, &i);
    world_unlock(machine->world);
    if (taken)
        *out = (struct io_interruption){i.subchannel_id, i.parameter, i.id_word};
    return taken;
}

bool machine_take_external(struct machine *machine, struct cpu *cpu, uint32_t mask,
                           struct external_interruption *out)
{
    bool taken;

    (void)cpu;
    world_lock(machine->world);
    taken = sclp_take_external(machine->sclp, mask, out);
    world_unlock(machine->world);
    return taken;
}

bool machine_take_machine_check(struct machine *machine, struct cpu *cpu, uint64_t *code)
{
    bool taken;

    (void)cpu;
    world_lock(machine->world);
    taken = css_take_report(machine->css);
    world_unlock(machine->world);
    if (taken)
        *code = MCIC_CHANNEL_REPORT;
    return taken;
}
