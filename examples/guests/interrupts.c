// SPDX-License-Identifier: MIT
// Takes every interruption class on purpose and checks what the machine stored: codes, instruction
// lengths, old PSWs, parameters. The program interruptions are in runtime/program_checks.c.
#include "interrupts.h"

#define ORDER_EXTERNAL_CALL 0x02
#define ORDER_EMERGENCY     0x03
#define ORDER_RESTART       0x06

static struct interruption seen;
static uint64_t seen_psw[2];
static unsigned times;

static void record(const struct interruption *i)
{
    seen = *i;
    seen_psw[0] = i->old_psw[0];
    seen_psw[1] = i->old_psw[1];
    times++;
    if (i->class == EXTERNAL && i->code == 0x1004) {
        uint64_t never = ~0ul;
        __asm__ volatile("sckc %0" : : "Q"(never));
    }
    if (i->class == EXTERNAL && i->code == 0x1005) {
        uint64_t far = ~0ul >> 1;
        __asm__ volatile("spt %0" : : "Q"(far));
    }
}

static unsigned wrong;

static void report(const char *what, bool good)
{
    print("interrupts: %s %s", what, good ? "ok" : "WRONG");
    wrong += !good;
}

static void supervisor_call(void)
{
    uint64_t after;

    set_handler(SVC, record);
    times = 0;
    __asm__ volatile("larl %0,0f\n\tsvc 42\n0:" : "=d"(after) : : "memory");
    report("supervisor call",
           times == 1 && seen.code == 42 && seen.ilc == 2 && seen_psw[1] == after);
}

static void clock_comparator(void)
{
    uint64_t due = tod_clock() + (UINT64_C(2000) << 12);

    times = 0;
    alarm_at(due);
    while (!times)
        wait_for(PSW_EXTERNAL);
    report("clock comparator", seen.code == 0x1004 && tod_clock() >= due && times == 1);
    control_clear(0, CR0_CLOCK_COMPARATOR);
}

static void cpu_timer(void)
{
    uint64_t span = UINT64_C(1000) << 12, start = tod_clock();
    uint64_t limit = start + (UINT64_C(1000000) << 12);

    times = 0;
    __asm__ volatile("spt %0" : : "Q"(span));
    control_set(0, CR0_CPU_TIMER);
    // It need not run in a virtual machine's wait state: so compute.
    while (!times && tod_clock() < limit)
        wait_with(PSW_64 | PSW_EXTERNAL);
    control_clear(0, CR0_CPU_TIMER);
    report("CPU timer", times == 1 && seen.code == 0x1005 && tod_clock() - start >= span);
}

static void signal_to_itself(unsigned order, uint32_t code, uint64_t mask, const char *what)
{
    unsigned self = this_cpu();

    times = 0;
    control_set(0, mask);
    bool good = sigp(order, self, 0, NULL) == 0;
    while (good && !times)
        wait_for(PSW_EXTERNAL);
    report(what, good && seen.code == code && seen.cpu == self && times == 1);
}

static void input_output(void)
{
    static const struct ccw nop = {0x03, CCW_SLI, 1, 0x10000};
    struct device *device = console();
    handler_fn *old;

    if (!device) {
        print("interrupts: I/O not taken, there is no device");
        return;
    }
    times = 0;
    old = set_handler(IO, NULL);
    bool good = device_run(device, &nop);
    set_handler(IO, old);
    report("I/O", good && *(uint32_t *)real(0xB8) == device->subchannel &&
                      *(uint32_t *)real(0xBC) == address_of(device));
}

static void restart(void)
{
    unsigned long self = this_cpu();
    uint64_t after;
    bool good;

    set_handler(RESTART, record);
    times = 0;
    __asm__ volatile("larl %0,0f\n\tlghi 2,0\n\tsigp 2,%1,%2\n0:\tnop 0"
                     : "=&d"(after)
                     : "d"(self), "i"(ORDER_RESTART)
                     : "2", "3", "cc", "memory");
    for (unsigned i = 0; i < 1000000 && !times; i++)
        __asm__ volatile("bcr 15,0" : : : "memory");
    good = times == 1 && seen_psw[1] >= after;
    report("restart", good);
}

#define CR14_CHANNEL_REPORT 0x10000000u
#define MCIC_CHANNEL_REPORT (UINT64_C(1) << (63 - 9))

static int reset_channel_path(uint8_t path)
{
    register uint32_t r1 __asm__("1") = path;
    int cc;
    __asm__ volatile("rchp\n\tipm %0\n\tsrl %0,28" : "=d"(cc) : "d"(r1) : "cc");
    return cc;
}

static int store_report(uint32_t *word)
{
    int cc;
    __asm__ volatile("stcrw %1\n\tipm %0\n\tsrl %0,28" : "=d"(cc), "=Q"(*word) : : "cc");
    return cc;
}

static uint8_t path_of(const struct device *device)
{
    static uint32_t schib[13];
    register uint32_t r1 __asm__("1") = device->subchannel;
    __asm__ volatile("stsch %0" : "=Q"(schib) : "d"(r1) : "cc");
    return (uint8_t)(schib[4] >> 24);
}

// The one machine check that a program can bring about: the channel report after RESET CHANNEL
// PATH.
static void machine_check(void)
{
    struct device *device = console();
    uint32_t word = 0;
    uint64_t limit = tod_clock() + (UINT64_C(100000) << 12);
    bool reset = device && reset_channel_path(path_of(device)) == 0;

    if (!reset) {
        print("interrupts: machine check not taken, no channel path can be reset here");
        return;
    }
    set_handler(MACHINE_CHECK, record);
    set_handler(EXTERNAL, record);
    times = 0;
    control_set(14, CR14_CHANNEL_REPORT);
    alarm_at(limit);
    while (!times)
        wait_for(PSW_MCHECK | PSW_EXTERNAL);
    device_open(device, device->number); // the path's reset may have disabled it
    if (seen.class == EXTERNAL) {
        print("interrupts: machine check not taken, RESET CHANNEL PATH made no channel report");
        return;
    }
    report("machine check", (*(uint64_t *)real(0xE8) & MCIC_CHANNEL_REPORT) != 0 &&
                                store_report(&word) == 0 && (word >> 24 & 0xF) == 4);
}

unsigned long guest_main(void)
{
    unsigned done = 0, failed = program_checks(&done);

    print("interrupts: program %lu of %lu codes ok", (unsigned long)(done - failed),
          (unsigned long)done);
    wrong += failed;
    supervisor_call();
    set_handler(EXTERNAL, record);
    clock_comparator();
    cpu_timer();
    signal_to_itself(ORDER_EMERGENCY, 0x1201, CR0_EMERGENCY, "emergency signal");
    signal_to_itself(ORDER_EXTERNAL_CALL, 0x1202, CR0_EXTERNAL_CALL, "external call");
    input_output();
    restart();
    machine_check();
    print("interrupts: %lu wrong", (unsigned long)wrong);
    return wrong ? END_WRONG : END_OK;
}
