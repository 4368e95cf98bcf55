// SPDX-License-Identifier: MIT
// Test scripts: the machine that they drive, and the verdict on how a run ended.
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "base/memory.h"
#include "devices/console_3215.h"
#include "machine/tst_internal.h"

#define STORAGE_DEFAULT (16u << 20)
// 20 million instructions a second: the scripts' time limits are for an interpreter on a usual
// host.
#define COST             (TOD_MICROSECOND / 20)
#define DIAGNOSE_COMMAND 0x008u
#define MESSAGE_ROOM     256u

// Real addresses of the program-interruption code.
#define PROGRAM_CODE 0x8Eu

static struct tst *tst_of(struct cpu *cpu)
{
    return machine_of(cpu)->owner.arg;
}

// DIAGNOSE X'8' gives a command to the operator's side: R1 its address, R2 its length. Programs use
// it for the text of what went wrong, "MSGNOH * text".
static void take_command(struct tst *tst, struct cpu *cpu, const struct door_call *call)
{
    uint8_t bytes[MESSAGE_ROOM];
    uint32_t n = (uint32_t)cpu->gr[call->r2] & 0xFFFFFF;

    if (n > sizeof bytes)
        n = sizeof bytes;
    cpu_fetch_real(cpu, cpu_wrap(cpu, cpu->gr[call->r1]), bytes, n);
    text_puts(&tst->now.said, "# ");
    for (uint32_t i = 0; i < n; i++) {
        char c = (char)codepage_to_unicode(codepage_default(), bytes[i]);
        text_add(&tst->now.said, c >= ' ' && c < 127 ? &c : ".", 1);
    }
    text_puts(&tst->now.said, "\n");
    cpu->gr[call->r2] &= ~UINT64_C(0xFFFFFFFF); // return code
}

static bool diagnose(struct cpu *cpu, const struct door_call *call)
{
    struct tst *tst = tst_of(cpu);

    if ((call->address2 & 0xFFFF) != DIAGNOSE_COMMAND || !tst->diagnose_8)
        return machine_diagnose(machine_of(cpu), cpu, call);
    take_command(tst, cpu, call);
    return true;
}

// Scripts count on a console at 0009; what a program writes on it is shown when its case fails.
#define CONSOLE 0x0009

static void console_output(void *arg, const char *utf8, bool newline)
{
    struct tst *tst = arg;

    text_printf(&tst->now.said, "# %s%s", utf8, newline ? "\n" : "");
}

static void attach_console(struct tst *tst)
{
    const struct console_sink sink = {.output = console_output, .arg = tst};

    INVARIANT(css_attach(tst->machine->css, console_3215_new(CONSOLE, NULL, &sink), false) == 0);
}

void tst_configure(struct tst *tst, uint64_t storage, unsigned cpus)
{
    if (tst->machine)
        machine_free(tst->machine);
    tst->machine = machine_new(&tst->world, &(struct machine_config){
                                                .storage = storage,
                                                .cpus = cpus,
                                                .host = &tst->host,
                                                .instruction_cost = COST,
                                                .owner = {.arg = tst},
                                                .name = "TST",
                                                .model = tst->model,
                                            });
    if (!tst->machine) {
        tst_skip(tst, "the host has not enough storage");
        tst_configure(tst, STORAGE_DEFAULT, cpus);
        return;
    }
    attach_console(tst);
    tst->cpu = 0;
    tst_reset(tst, true);
}

void tst_open(struct tst *tst)
{
    world_init(&tst->world, CLOCK_VIRTUAL, tod_from_unix(1767225600, 0)); // 2026-01-01
    tst->host = machine_cpu_host;
    tst->host.diagnose = diagnose;
    tst->arch = ARCH_Z;
    tst->key = -1;
    tst_configure(tst, STORAGE_DEFAULT, 1);
}

void tst_close(struct tst *tst)
{
    machine_free(tst->machine);
    world_free(&tst->world);
}

// After a reset the machine is in the mode that `archlvl` chose: there is no ESA/390 start first.
void tst_reset(struct tst *tst, bool clear)
{
    machine_reset(tst->machine, clear);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
        struct cpu *cpu = tst->machine->cpu[i];
        if (!cpu)
            continue;
        cpu_reset(cpu, clear ? CPU_RESET_CLEAR : CPU_RESET_INITIAL);
        cpu_set_architecture(cpu, tst->arch);
    }
}

struct cpu *tst_cpu(struct tst *tst)
{
    return tst->machine->cpu[tst->cpu];
}

// The script expects a program check: it must have come, last with that code.
static void judge_program_check(struct tst *tst, const struct cpu *cpu, unsigned code)
{
    if (cpu->program_checks == tst->now.checks)
        tst_wrong(tst, "no program check, expected %04lX", tst->now.expected);
    else if (code != tst->now.expected)
        tst_wrong(tst, "program check %04X, expected %04lX", code, tst->now.expected);
}

// The code in the lowcore. It is looked at past the CPU: scripts go on to check reference bits.
static unsigned program_code(const struct tst *tst, const struct cpu *cpu)
{
    const struct storage_extent *extent = tst->machine->storage->extent;
    uint64_t absolute = cpu_real_to_absolute(cpu, PROGRAM_CODE);

    return absolute + 2 <= extent->size ? be16_load(extent->bytes + absolute) : 0;
}

// A disabled wait at an address that ends with 000000 is success. One that ends with DEAD is the
// program new PSW of these scripts: a program check must have been expected.
static void judge_wait(struct tst *tst, const struct cpu *cpu)
{
    uint64_t address = cpu->psw.address;
    unsigned code = program_code(tst, cpu);

    tst->now.waits++;
    if (tst->now.expect_program)
        judge_program_check(tst, cpu, code);
    else if ((address & 0xFFFF) == 0xDEAD)
        tst_wrong(tst, "program check %04X, none expected", code);
    if ((address & 0xFFFF) != 0xDEAD && (address & 0xFFFFFF) != 0)
        tst_wrong(tst, "disabled wait at %016llX", (unsigned long long)address);
}

static void stop_all(struct tst *tst)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (tst->machine->cpu[i])
            atomic_store(&tst->machine->cpu[i]->state, CPU_STOPPED);
}

static void judge(struct tst *tst)
{
    bool rest = machine_at_rest(tst->machine);

    if (rest == tst->now.expect_timeout)
        tst_wrong(tst, rest ? "ended, where going on was expected"
                            : "still running when its time was over");
    for (unsigned i = 0; rest && i < MACHINE_MAX_CPUS; i++) {
        struct cpu *cpu = tst->machine->cpu[i];
        if (cpu && atomic_load(&cpu->state) == CPU_CHECK_STOP)
            tst_wrong(tst, "CPU %u in check stop", i);
        else if (cpu && atomic_load(&cpu->state) == CPU_OPERATING)
            judge_wait(tst, cpu);
    }
}

void tst_go(struct tst *tst, bool restart, double seconds)
{
    struct cpu *cpu = tst_cpu(tst);

    if (seconds > tst->limit)
        seconds = tst->limit;
    if (restart)
        cpu_pend(cpu, PEND_RESTART);
    // Its storage may have been changed from the console.
    cpu_pend(cpu, PEND_FLUSH | PEND_DECODE);
    atomic_store(&cpu->state, CPU_OPERATING);
    tst->now.checks = cpu->program_checks;
    machine_run(tst->machine, clock_now(&tst->world.clock) + tod_from_seconds(seconds));
    judge(tst);
    stop_all(tst);
    tst->now.expect_program = tst->now.expect_timeout = false;
}
