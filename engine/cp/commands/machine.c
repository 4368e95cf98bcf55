// SPDX-License-Identifier: MIT
// What stands on a machine's own panel: BEGIN, STOP, SYSTEM, EXTERNAL, READY, RESET, ATTN, IPL; and
// CPU and SLEEP.
#include <stdio.h>
#include <string.h>

#include "cp/commands/guest_storage.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/inside.h"
#include "cp/vm_console.h"

static int begin(struct command_call *call)
{
    const char *word = call_take(call);
    uint64_t address;
    if (word && !text_to_u64(word, 16, UINT64_MAX, &address))
        return call_error(call, MESSAGE_invalid_hexloc, word);
    if (call_end(call))
        return call->out->rc;
    struct cpu *cpu = call_cpu(call);
    if (word) {
        cpu->psw.address = address;
        cpu_state_changed(cpu);
    }
    // BEGIN is the start key too: a CPU that was reset, or that STOP stopped, operates again.
    if (!call->vm->service && atomic_load(&cpu->state) == CPU_STOPPED)
        atomic_store(&cpu->state, CPU_OPERATING);
    vm_begin(call->vm);
    return 0;
}

// --- CPU addresses -----------------------------------------------------------

// "ALL", or addresses and ranges "0", "1-3", into a set of one bit each, while words look like it.
static bool parse_cpu_range(const char *word, uint64_t *cpus)
{
    unsigned first = 0, last = 0;
    char separator, extra;
    int n = sscanf(word, "%2x%c%2x%c", &first, &separator, &last, &extra);
    if (n == 1)
        last = first;
    else if (n != 3 || separator != '-')
        return false;
    if (last >= MACHINE_MAX_CPUS || first > last ||
        strspn(word, "0123456789ABCDEF-") != strlen(word))
        return false;
    for (unsigned i = first; i <= last; i++)
        *cpus |= UINT64_C(1) << i;
    return true;
}

int take_cpus(struct command_call *call, uint64_t *cpus)
{
    *cpus = 0;
    if (call_keyword(call, "ALL", 3)) {
        for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
            if (vm_vcpu(call->vm, i))
                *cpus |= UINT64_C(1) << i;
        return 0;
    }
    // After the first, an address begins with a digit: CPU 1 D PSW and CPU 1 B are commands.
    while (call_peek(call) && (*cpus == 0 || call_peek(call)[0] <= '9') &&
           parse_cpu_range(call_peek(call), cpus))
        call->next++;
    if (*cpus == 0 && call_peek(call))
        return call_error(call, MESSAGE_invalid_operand, call_peek(call));
    return *cpus ? 0 : call_error(call, MESSAGE_operand_missing);
}

static void pend(struct vm *vm, struct cpu *cpu, uint32_t condition)
{
    cpu_pend(cpu, condition);
    machine_cpu_wake(vm->machine, cpu);
}

static int stop(struct command_call *call)
{
    uint64_t cpus = 0;
    bool some = call_keyword(call, "CPU", 3);
    if ((some && take_cpus(call, &cpus)) || call_end(call))
        return call->out->rc;
    if (!some) {
        vm_stop(call->vm);
        return 0;
    }
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (cpus >> i & 1 && !vm_vcpu(call->vm, i))
            return call_error(call, MESSAGE_no_such_cpu, i);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (cpus >> i & 1)
            pend(call->vm, vm_vcpu(call->vm, i)->cpu, PEND_STOP);
    return 0;
}

// CPU 1 DISPLAY G: the command works on that CPU.
static int cpu_verb(struct command_call *call)
{
    struct vm *vm = call->vm;
    struct cp *cp = call->cp;
    unsigned before = vm->current_cpu;
    uint64_t cpus, vmdbk = vm->vmdbk;
    int rc = 0;
    char userid[USERID_SIZE];
    memcpy(userid, vm->userid, sizeof userid);
    if (take_cpus(call, &cpus))
        return call->out->rc;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS && rc == 0; i++) {
        if (!(cpus >> i & 1))
            continue;
        if (!vm_vcpu(vm, i))
            return call_error(call, MESSAGE_no_such_cpu, i);
        vm->current_cpu = i;
        call->out->cpu = (uint8_t)i;
        rc = call_rest(call);
        if (cp_user(cp, userid) != vm || vm->vmdbk != vmdbk)
            return rc; // the command ended the session
        vm->current_cpu = before;
    }
    call->out->cpu = (uint8_t)before;
    return rc;
}

// --- SYSTEM ------------------------------------------------------------------

static int reset_machine(struct command_call *call, bool clear)
{
    if (call_end(call))
        return call->out->rc;
    vm_reset(call->vm, clear);
    call_line(call, clear ? "Storage cleared - system reset." : "System reset.");
    return 0;
}

static int system_clear(struct command_call *call)
{
    return reset_machine(call, true);
}

static int system_reset(struct command_call *call)
{
    return reset_machine(call, false);
}

static int system_restart(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    pend(call->vm, call_cpu(call), PEND_RESTART);
    return 0;
}

static int system_store(struct command_call *call)
{
    if (!call_keyword(call, "STATUS", 1))
        return call_error(call, MESSAGE_operand_missing);
    if (call_end(call))
        return call->out->rc;
    cpu_store_status(call_cpu(call), 0);
    call_line(call, "Status stored.");
    return 0;
}

static int system_verb(struct command_call *call)
{
    return call_subcommand(call, "SYSTEM");
}

// --- interruptions -----------------------------------------------------------

static uint32_t submask_of(uint64_t code)
{
    return (code & 0xFF00) == 0x2400 ? 0x200 : 0x40;
}

static int external(struct command_call *call)
{
    uint64_t code = 0x40, parameter = 0;
    const char *word = call_peek(call);
    if (word && text_to_u64(word, 16, UINT16_MAX, &code))
        call->next++;
    if (call_keyword(call, "PARM", 4)) {
        word = call_take(call);
        if (!word || !text_to_u64(word, 16, UINT32_MAX, &parameter))
            return call_error(call, word ? MESSAGE_invalid_hexdata : MESSAGE_data_missing, word);
    }
    if (call_end(call))
        return call->out->rc;
    struct external_interruption what = {.code = (uint16_t)code, .parameter = (uint32_t)parameter};
    vm_external(call->vm, submask_of(code), &what);
    return 0;
}

static struct device *take_device(struct command_call *call)
{
    uint16_t vdev;
    if (take_vdev(call, &vdev) || call_end(call))
        return NULL;
    struct device *dev = css_device(call->vm->machine->css, vdev);
    if (!dev)
        call_error(call, MESSAGE_no_such_vdev, vdev);
    return dev;
}

static int ready(struct command_call *call)
{
    struct device *dev = take_device(call);
    if (!dev)
        return call->out->rc;
    device_attention(dev, STATUS_DEVICE_END);
    return 0;
}

static int reset_device(struct command_call *call)
{
    struct device *dev = take_device(call);
    if (!dev)
        return call->out->rc;
    if (dev->ops->reset)
        dev->ops->reset(dev);
    call_line(call, "Device %04X reset", dev->number);
    return 0;
}

static int attn(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    vm_console_attention(call->vm);
    return 0;
}

// --- SLEEP -------------------------------------------------------------------

static void wake_in_cp(struct event *event, void *arg)
{
    struct vm *vm = arg;
    (void)event;
    vm->sleep_until = 0;
}

static void wake_and_begin(struct event *event, void *arg)
{
    struct vm *vm = arg;
    (void)event;
    if (vm->sleep_until)
        vm_begin(vm);
}

// CP READ until then, and afterwards back to where it was: CP or the guest. BEGIN, and ENTER at the
// terminal, end it earlier. The event is the one that FORCE WITHIN uses too: whoever is being
// forced has slept enough.
static void fall_asleep(struct vm *vm, tod_t until)
{
    struct event_queue *events = &vm->cp->world->events;
    bool in_cp = vm->cp_read;
    vm_stop(vm);
    vm->sleep_until = until;
    if (vm->logging_off || until == TOD_NEVER)
        return;
    event_cancel(events, &vm->delayed);
    event_init(&vm->delayed, in_cp ? wake_in_cp : wake_and_begin, vm);
    event_schedule(events, &vm->delayed, until);
}

static int sleep_verb(struct command_call *call)
{
    static const struct {
        const char *name;
        unsigned min, seconds;
    } units[] = {{"SEC", 3, 1}, {"MIN", 3, 60}, {"HRS", 2, 3600}};
    uint64_t n = 0;
    tod_t seconds = 60;
    bool timed = call_peek(call) != NULL;
    if (timed && take_number(call, 0, 99, &n))
        return call->out->rc;
    for (size_t i = 0; timed && i < sizeof units / sizeof *units; i++)
        if (call_keyword(call, units[i].name, units[i].min))
            seconds = units[i].seconds;
    if (call_end(call))
        return call->out->rc;
    tod_t now = clock_now(&call->cp->world->clock);
    fall_asleep(call->vm, timed ? now + n * seconds * TOD_SECOND : TOD_NEVER);
    return 0;
}

static const struct command rows[] = {
    {"BEGIN", 1, CLASS('G'), false, begin, "[hexloc]",
     "Leaves CP READ: the virtual machine runs on, at the address if one is given."},
    {"STOP", 4, CLASS('G'), false, stop, "[CPU {ALL | n[-m] ...}]",
     "Stops the virtual machine and enters CP READ, or puts some of its CPUs into the stopped "
     "state."},
    {"CPU", 3, CLASS('G'), false, cpu_verb, "{ALL | n[-m] ...} command",
     "Executes the command for each of these virtual CPUs."},
    {"SYSTEM", 3, CLASS('G'), false, system_verb, "operand",
     "Operates the virtual machine as its panel would. HELP SYSTEM lists the operands."},
    {"EXTERNAL", 3, CLASS('G'), false, external, "[code] [PARM hexdata]",
     "Makes an external interruption pending; without a code the interrupt key's, X'0040'."},
    {"READY", 5, CLASS('G'), false, ready, "vdev",
     "Presents device end from the virtual device, as when its ready key is pressed."},
    {"RESET", 5, CLASS('G'), false, reset_device, "vdev",
     "Resets the virtual device: reserve, mode and position are forgotten."},
    {"ATTN", 4, CLASS('G'), false, attn, "",
     "Presents an attention interruption from your virtual console."},
    {"REQUEST", 3, CLASS('G'), false, attn, "", "", "ATTN"},
    {"SLEEP", 2, CLASS_ANY, false, sleep_verb, "[nn [SEC | MIN | HRs]]",
     "Keeps the virtual machine from running for that time, or until ENTER is pressed."},
};
static const struct command system_rows[] = {
    {"CLEAR", 2, CLASS('G'), false, system_clear, "",
     "Clears storage and registers, resets devices."},
    {"RESET", 5, CLASS('G'), false, system_reset, "", "Resets CPUs and devices; storage is kept."},
    {"RESTART", 7, CLASS('G'), false, system_restart, "",
     "Makes a restart interruption pending at the CPU."},
    {"STORE", 4, CLASS('G'), false, system_store, "Status",
     "Stores the CPU's status at the assigned locations."},
};
COMMAND_TABLE(machine_commands, NULL, rows);
COMMAND_TABLE(system_commands, "SYSTEM", system_rows);
