// SPDX-License-Identifier: MIT
// The watchdog of a machine without CP. The interface is not in the Principles of Operation; what
// is known of it is what Linux on Z relies on (drivers/watchdog/diag288_wdt).
//
//   R1 function | R1+1 seconds | R3 action: 0 = restart interruption
#include "machine/watchdog.h"

#include "machine/internal.h"

#define SECONDS_MIN    15u
#define ACTION_RESTART 0u

enum function { FUNCTION_INIT, FUNCTION_CHANGE, FUNCTION_CANCEL };

static void bite(struct event *event, void *arg)
{
    struct machine *machine = arg;
    struct cpu *cpu = machine_first_cpu(machine);

    (void)event;
    if (cpu)
        machine_restart_cpu(machine, cpu);
}

static void arm(struct machine *machine, tod_t now, uint64_t seconds)
{
    event_cancel(&machine->world->events, &machine->watchdog);
    event_init(&machine->watchdog, bite, machine);
    event_schedule(&machine->world->events, &machine->watchdog, now + seconds * TOD_SECOND);
}

void watchdog_cancel(struct machine *machine)
{
    event_cancel(&machine->world->events, &machine->watchdog);
}

bool watchdog_diagnose(struct machine *machine, struct cpu *cpu, const struct door_call *call)
{
    uint64_t function = cpu->gr[call->r1], seconds, action = cpu->gr[call->r2];
    bool done = true;

    if (call->r1 % 2 || action != ACTION_RESTART)
        return false;
    seconds = cpu->gr[call->r1 + 1];
    world_lock(machine->world);
    bool armed = event_pending(&machine->watchdog);
    if (function == FUNCTION_CANCEL && armed)
        watchdog_cancel(machine);
    else if ((function == FUNCTION_INIT || (function == FUNCTION_CHANGE && armed)) &&
             seconds >= SECONDS_MIN && seconds <= UINT32_MAX)
        arm(machine, cpu_time(cpu), seconds);
    else
        done = false;
    world_unlock(machine->world);
    cpu_request_exit(cpu); // the slice may now have to end earlier
    return done;
}
