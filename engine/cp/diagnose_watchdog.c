// SPDX-License-Identifier: MIT
// DIAGNOSE X'288': the virtual timer whose end is a CP command. A guest that does not renew it in
// time has the command executed, as if its user had typed it.
//
//   Rx function | Rx+1 seconds | Ry address of the command | Ry+1 its length
#include <stdlib.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/diagnose.h"

#define FUNCTION    0x7FFFFFFFu // the other bit conceals the guest from attentions meanwhile
#define SECONDS_MIN 15u
#define COMMAND_MAX 240u

enum { FUNCTION_INIT, FUNCTION_CHANGE, FUNCTION_CANCEL };

static void bite(struct event *event, void *arg)
{
    struct vm *vm = arg;
    struct response out = response_to_vm(vm);
    char *command = vm->watchdog_command; // the command may end the guest

    (void)event;
    vm->watchdog_command = NULL;
    command_execute(vm->cp, vm, NULL, command, &out);
    free(command);
}

static char *fetch_command(struct diagnose_call *call)
{
    uint8_t bytes[COMMAND_MAX];
    char utf8[COMMAND_MAX * 4 + 1];
    uint64_t n = diagnose_register(call, call->y + 1);

    if (n == 0 || n > COMMAND_MAX)
        diagnose_specification(call);
    cpu_fetch_real(call->cpu, diagnose_register(call, call->y), bytes, (unsigned)n);
    ebcdic_to_utf8(codepage_default(), bytes, (size_t)n, utf8, sizeof utf8);
    return mem_string(utf8);
}

static void schedule(struct diagnose_call *call, uint64_t seconds)
{
    struct event_queue *events = &call->vm->cp->world->events;
    struct event *event = &call->vm->machine->watchdog; // a reset cancels it

    event_cancel(events, event);
    event_init(event, bite, call->vm);
    event_schedule(events, event, cpu_time(call->cpu) + seconds * TOD_SECOND);
    cpu_request_exit(call->cpu); // the slice may now have to end earlier
}

void diagnose_288(struct diagnose_call *call)
{
    struct vm *vm = call->vm;
    uint64_t seconds = diagnose_register(call, call->x + 1);
    uint32_t function = (uint32_t)call->cpu->gr[call->x] & FUNCTION;
    bool armed = event_pending(&vm->machine->watchdog);

    if (call->x % 2 || function > FUNCTION_CANCEL || (function != FUNCTION_INIT && !armed))
        diagnose_specification(call);
    if (function == FUNCTION_CANCEL) {
        event_cancel(&vm->cp->world->events, &vm->machine->watchdog);
        return;
    }
    if (seconds < SECONDS_MIN || seconds > UINT32_MAX)
        diagnose_specification(call);
    if (function == FUNCTION_INIT) {
        if (call->y % 2)
            diagnose_specification(call);
        char *command = fetch_command(call);
        free(vm->watchdog_command);
        vm->watchdog_command = command;
    }
    schedule(call, seconds);
}
