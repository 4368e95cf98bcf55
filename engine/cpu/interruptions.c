// SPDX-License-Identifier: MIT
// The six interruption classes: PSW swap, codes and parameters in the lowcore.
// (Principles of Operation, "Interruptions", "Assigned Storage Locations".)
#include "cpu/interruptions.h"

#include <string.h>

#include "base/bytes.h"
#include "base/log.h"
#include "base/memory.h"
#include "cpu/codes.h"
#include "cpu/execute.h"
#include "cpu/interlocked.h"
#include "cpu/per.h"
#include "cpu/psw.h"
#include "cpu/timing.h"

// Real addresses of the PSWs by class: old and new, z/Architecture and ESA/390.
static const uint16_t psw_places[INTERRUPTION_CLASSES][2][2] = {
    [INTERRUPTION_EXTERNAL] = {{0x130, 0x1B0}, {0x18, 0x58}},
    [INTERRUPTION_SVC] = {{0x140, 0x1C0}, {0x20, 0x60}},
    [INTERRUPTION_PROGRAM] = {{0x150, 0x1D0}, {0x28, 0x68}},
    [INTERRUPTION_MACHINE_CHECK] = {{0x160, 0x1E0}, {0x30, 0x70}},
    [INTERRUPTION_IO] = {{0x170, 0x1F0}, {0x38, 0x78}},
    [INTERRUPTION_RESTART] = {{0x120, 0x1A0}, {0x08, 0x00}},
};

// Host address of `n` bytes of the lowcore that lie in one frame of main storage, noted as
// accessed; NULL when they are elsewhere.
static uint8_t *lowcore_host(struct cpu *cpu, unsigned offset, unsigned n, bool store)
{
    struct storage_extent *main = &cpu->storage->extent[0];
    uint64_t absolute = cpu->prefix + offset;
    if (absolute + n > main->size)
        return NULL;
    uint64_t frame = absolute >> FRAME_SHIFT;
    uint8_t bits = store ? KEY_R | KEY_C : KEY_R;
    if ((__atomic_load_n(&main->keys[frame], __ATOMIC_RELAXED) & bits) != bits)
        __atomic_fetch_or(&main->keys[frame], bits, __ATOMIC_RELAXED);
    if (store && __atomic_load_n(&main->code_lines[frame], __ATOMIC_RELAXED))
        storage_code_changed(cpu->storage, absolute, n);
    return main->bytes + absolute;
}

static bool lowcore_store(struct cpu *cpu, unsigned offset, const void *from, unsigned n)
{
    uint8_t *host = lowcore_host(cpu, offset, n, true);
    if (UNLIKELY(!host))
        return storage_write(cpu->storage, cpu->prefix + offset, from, n);
    memcpy(host, from, n);
    return true;
}

static bool lowcore_fetch(struct cpu *cpu, unsigned offset, void *to, unsigned n)
{
    const uint8_t *host = lowcore_host(cpu, offset, n, false);
    if (UNLIKELY(!host))
        return storage_read(cpu->storage, cpu->prefix + offset, to, n);
    memcpy(to, host, n);
    return true;
}

static void lowcore_store16(struct cpu *cpu, unsigned offset, uint16_t value)
{
    uint8_t bytes[2];
    be16_store(bytes, value);
    lowcore_store(cpu, offset, bytes, 2);
}

static void lowcore_store32(struct cpu *cpu, unsigned offset, uint32_t value)
{
    uint8_t bytes[4];
    be32_store(bytes, value);
    lowcore_store(cpu, offset, bytes, 4);
}

static void lowcore_store64(struct cpu *cpu, unsigned offset, uint64_t value)
{
    uint8_t bytes[8];
    be64_store(bytes, value);
    lowcore_store(cpu, offset, bytes, 8);
}

void interruption_swap(struct cpu *cpu, enum interruption_class class)
{
    uint8_t image[16];
    unsigned n = cpu->arch == ARCH_Z ? 16 : 8;
    const uint16_t *place = psw_places[class][cpu->arch == ARCH_Z ? 0 : 1];
    cpu_psw_pack(cpu, image);
    serialize(cpu);
    // Without a lowcore the machine cannot go on.
    if (!lowcore_store(cpu, place[0], image, n) || !lowcore_fetch(cpu, place[1], image, n)) {
        atomic_store(&cpu->state, CPU_CHECK_STOP);
        return;
    }
    cpu_psw_unpack(cpu, image);
    cpu->interruptions[class]++;
}

// --- program --------------------------------------------------------------------

// The instruction did not happen and may be tried again: the old PSW points at it.
static bool nullifies(uint16_t code)
{
    static const uint64_t codes = UINT64_C(1) << 0x10 | UINT64_C(1) << 0x11 | UINT64_C(1) << 0x16 |
                                  UINT64_C(0xFF) << 0x20 | UINT64_C(0x7F) << 0x29 |
                                  UINT64_C(0x1F) << 0x30 | UINT64_C(0xF) << 0x38;
    return code < 64 && codes >> code & 1;
}

static bool stores_teid(uint16_t code)
{
    return code == PIC_PROTECTION || code == PIC_SEGMENT || code == PIC_PAGE ||
           (code >= PIC_ASCE_TYPE && code <= PIC_REGION3);
}

static bool stores_access_id(uint16_t code)
{
    return stores_teid(code) || code == PIC_ASTE_INSTANCE ||
           (code >= PIC_ALET_SPECIFICATION && code <= PIC_EXTENDED_AUTHORITY);
}

// The number of a space or of a program goes where translation exceptions have their address.
static bool stores_number(uint16_t code)
{
    return (code >= PIC_AFX_TRANSLATION && code <= PIC_LSX_TRANSLATION) ||
           code == PIC_LSTE_SEQUENCE || code == PIC_SPACE_SWITCH;
}

static void store_parameters(struct cpu *cpu, uint16_t code)
{
    bool z = cpu->arch == ARCH_Z;
    lowcore_store32(cpu, 0x8C, (uint32_t)cpu->ilc << 16 | code);
    if (stores_teid(code & 0xFF7F)) {
        if (z)
            lowcore_store64(cpu, 0xA8, cpu->fault.teid);
        else
            lowcore_store32(cpu, 0x90, (uint32_t)cpu->fault.teid);
        lowcore_store(cpu, 0xA2, &cpu->fault.operand_id, 1);
    }
    if (stores_access_id(code & 0xFF7F))
        lowcore_store(cpu, 0xA0, &cpu->fault.access_id, 1);
    if (stores_number(code & 0xFF7F)) {
        if (z)
            lowcore_store64(cpu, 0xA8, cpu->fault.teid);
        else
            lowcore_store32(cpu, 0x90, (uint32_t)cpu->fault.teid);
    }
    if (((code & 0x7F) == PIC_DATA || (code & 0x7F) == PIC_VECTOR) && !(code & 0xFF00))
        lowcore_store32(cpu, 0x90, cpu->fault.dxc);
    if ((code & 0x7F) == PIC_MONITOR) {
        lowcore_store16(cpu, 0x94, cpu->fault.monitor_class);
        if (z)
            lowcore_store64(cpu, 0xB0, cpu->fault.monitor_code);
        else
            lowcore_store32(cpu, 0x9C, (uint32_t)cpu->fault.monitor_code);
    }
    if (code & PIC_PER) {
        lowcore_store16(cpu, 0x96, (uint16_t)(cpu->fault.per_code << 8 | cpu->fault.per_atmid));
        lowcore_store(cpu, 0xA1, &cpu->fault.per_access_id, 1);
        if (z)
            lowcore_store64(cpu, 0x98, cpu->fault.per_address);
        else
            lowcore_store32(cpu, 0x98, (uint32_t)cpu->fault.per_address);
    }
    if (z)
        lowcore_store64(cpu, 0x110, cpu->breaking_event);
}

void interruption_program(struct cpu *cpu, uint16_t code)
{
    if (cpu->current)
        cpu_sync(cpu, cpu->current);
    if (cpu->ilc && (nullifies(code) || cpu->fault.per_code & PER_NULLIFIED))
        cpu->psw.address = cpu->instruction_address;
    per_at_interruption(cpu, code);
    if (cpu->fault.per_code) {
        code |= PIC_PER;
        cpu->fault.per_address = cpu->instruction_address;
    }
    LOG(CPU, "program interruption %04X ilc %u at %llX psw %llX", code, cpu->ilc,
        (unsigned long long)cpu->instruction_address, (unsigned long long)cpu->psw.address);
    cpu->program_checks++;
    store_parameters(cpu, code);
    memset(&cpu->fault, 0, sizeof cpu->fault);
    interruption_swap(cpu, INTERRUPTION_PROGRAM);
    cpu->current = NULL;
    cpu->ilc = 0;
}

void cpu_program_interruption(struct cpu *cpu, uint16_t code)
{
    INVARIANT(cpu->unwind != NULL);
    interruption_program(cpu, code);
    longjmp(*cpu->unwind, 1);
}

void program_check(struct cpu *cpu, const struct insn *insn, uint16_t code)
{
    cpu->current = insn;
    cpu_program_interruption(cpu, code);
}

void data_exception(struct cpu *cpu, const struct insn *insn, uint8_t dxc)
{
    if (insn)
        cpu->current = insn;
    cpu->fault.dxc = dxc;
    if (cpu->cr[0] & CR0_AFP)
        cpu->fpc = (cpu->fpc & 0xFFFF00FF) | (uint32_t)dxc << 8;
    cpu_program_interruption(cpu, PIC_DATA);
}

void vector_exception(struct cpu *cpu, uint8_t vxc)
{
    cpu->fault.dxc = vxc;
    cpu->fpc = (cpu->fpc & 0xFFFF00FF) | (uint32_t)vxc << 8;
    cpu_program_interruption(cpu, PIC_VECTOR);
}

bool cpu_protect(struct cpu *cpu, void (*fn)(struct cpu *cpu, void *arg), void *arg)
{
    jmp_buf here, *volatile outer = cpu->unwind;
    cpu->unwind = &here;
    bool raised = setjmp(here) != 0;
    if (!raised)
        fn(cpu, arg);
    cpu->unwind = outer;
    return raised;
}

void cpu_unwind_again(struct cpu *cpu)
{
    INVARIANT(cpu->unwind != NULL);
    longjmp(*cpu->unwind, 1);
}

// --- supervisor call ------------------------------------------------------------

void interruption_svc(struct cpu *cpu, uint8_t number)
{
    lowcore_store32(cpu, 0x88, (uint32_t)cpu->ilc << 16 | number);
    interruption_swap(cpu, INTERRUPTION_SVC);
}

// --- external -------------------------------------------------------------------

static void external(struct cpu *cpu, const struct external_interruption *x)
{
    lowcore_store32(cpu, 0x80, x->parameter);
    lowcore_store16(cpu, 0x84, x->cpu_address);
    lowcore_store16(cpu, 0x86, x->code);
    if (x->has_parameter64)
        lowcore_store64(cpu, 0x11B8, x->parameter64);
    LOG(CPU, "external interruption %04X", x->code);
    interruption_swap(cpu, INTERRUPTION_EXTERNAL);
}

static bool take_emergency(struct cpu *cpu, struct external_interruption *x)
{
    uint64_t senders = atomic_load(&cpu->emergency[0]);
    if (!senders)
        return false;
    unsigned sender = (unsigned)__builtin_ctzll(senders);
    atomic_fetch_and(&cpu->emergency[0], ~(UINT64_C(1) << sender));
    *x = (struct external_interruption){.code = 0x1201, .cpu_address = (uint16_t)sender};
    return true;
}

static bool take_local(struct cpu *cpu, uint32_t mask, struct external_interruption *x)
{
    int sender;
    if (mask & CR0_MALFUNCTION_ALERT && (sender = atomic_exchange(&cpu->malfunction_alert, 0))) {
        *x = (struct external_interruption){.code = 0x1200, .cpu_address = (uint16_t)(sender - 1)};
        return true;
    }
    if (mask & CR0_EMERGENCY_SIGNAL && take_emergency(cpu, x))
        return true;
    if (mask & CR0_EXTERNAL_CALL && (sender = atomic_exchange(&cpu->external_call, 0))) {
        *x = (struct external_interruption){.code = 0x1202, .cpu_address = (uint16_t)(sender - 1)};
        return true;
    }
    if (mask & CR0_CLOCK_COMPARATOR && clock_comparator_due(cpu)) {
        *x = (struct external_interruption){.code = 0x1004};
        return true;
    }
    if (mask & CR0_CPU_TIMER && cpu_timer_due(cpu)) {
        *x = (struct external_interruption){.code = 0x1005};
        return true;
    }
    uint32_t alert;
    if (mask & CR0_MEASUREMENT_ALERT && (alert = atomic_exchange(&cpu->measurement_alert, 0))) {
        *x = (struct external_interruption){.code = 0x1407, .parameter = alert};
        return true;
    }
    return false;
}

bool interruption_external(struct cpu *cpu)
{
    uint32_t mask = (uint32_t)cpu->cr[0];
    struct external_interruption x = {0};
    if (take_local(cpu, mask, &x)) {
        cpu_pend(cpu, PEND_EXTERNAL); // perhaps there is more
        external(cpu, &x);
        return true;
    }
    if (!(atomic_load(&cpu->pending) & PEND_EXTERNAL))
        return false;
    // Cleared first: what arrives while the host is asked sets it again.
    atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_EXTERNAL);
    if (!cpu->host->take_external || !cpu->host->take_external(cpu, mask, &x))
        return false;
    cpu_pend(cpu, PEND_EXTERNAL);
    external(cpu, &x);
    return true;
}

// --- input/output, machine check, restart -----------------------------------------

bool interruption_io(struct cpu *cpu)
{
    struct io_interruption io;
    atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_IO);
    uint8_t mask = (uint8_t)(cpu->cr[6] >> 24);
    if (!mask || !cpu->host->take_io || !cpu->host->take_io(cpu, mask, &io))
        return false;
    cpu_pend(cpu, PEND_IO);
    lowcore_store32(cpu, 0xB8, io.subchannel_id);
    lowcore_store32(cpu, 0xBC, io.parameter);
    if (cpu->arch == ARCH_Z)
        lowcore_store32(cpu, 0xC0, io.id_word);
    LOG(CPU, "I/O interruption %08X", io.subchannel_id);
    interruption_swap(cpu, INTERRUPTION_IO);
    return true;
}

#define MCHECK_VECTORS_VALID (UINT64_C(1) << 38)
#define MCHECK_GUARDED_VALID (UINT64_C(1) << 27)

// The vector registers and the guarded-storage controls go to the extended save area that X'11B0'
// designates, when it does and is long enough; `code` tells what is there.
// (Principles of Operation, "Machine-Check Extended Save Area".)
static uint64_t store_extended(struct cpu *cpu, uint64_t code)
{
    uint8_t pointer[8];
    if (cpu->arch != ARCH_Z || !cpu_facility(cpu, 129) ||
        !storage_read(cpu->storage, cpu->prefix + 0x11B0, pointer, sizeof pointer))
        return code;
    unsigned power = cpu_facility(cpu, 133) ? be64_load(pointer) & 15 : 0;
    uint64_t origin = be64_load(pointer) >> (power < 10 ? 10 : power) << (power < 10 ? 10 : power);
    if (!origin)
        return code;
    if (cpu_store_vectors(cpu, origin))
        code |= MCHECK_VECTORS_VALID;
    if (power > 10 && cpu_store_guarded(cpu, origin + 1024))
        code |= MCHECK_GUARDED_VALID;
    return code;
}

// A machine-check interruption also stores the registers, as store status does.
bool interruption_machine_check(struct cpu *cpu)
{
    uint64_t code = 0;
    atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_MCHECK);
    if (!(cpu->cr[14] & CR14_CHANNEL_REPORT) || !cpu->host->take_machine_check ||
        !cpu->host->take_machine_check(cpu, &code))
        return false;
    uint8_t keep[0x20];
    uint64_t psw_area = cpu->prefix + (cpu->arch == ARCH_Z ? 0x1300 : 0x100);
    bool have = storage_read(cpu->storage, psw_area, keep, 16); // the PSW is not among them
    cpu_store_status(cpu, cpu->prefix + (cpu->arch == ARCH_Z ? 0x1200 : 0));
    if (have)
        storage_write(cpu->storage, psw_area, keep, 16);
    lowcore_store64(cpu, 0xE8, store_extended(cpu, code));
    interruption_swap(cpu, INTERRUPTION_MACHINE_CHECK);
    return true;
}

void interruption_restart(struct cpu *cpu)
{
    atomic_fetch_and(&cpu->pending, ~(uint32_t)PEND_RESTART);
    atomic_store(&cpu->state, CPU_OPERATING);
    interruption_swap(cpu, INTERRUPTION_RESTART);
}
