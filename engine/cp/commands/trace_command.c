// SPDX-License-Identifier: MIT
// TRACE: sets, deletes and shows traps.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/commands/guest_storage.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/commands/trace_inside.h"

static int take_count(struct command_call *call, unsigned *count)
{
    uint64_t value;
    if (take_number(call, 0, 65535, &value))
        return call->out->rc;
    *count = (unsigned)value;
    return 0;
}

static int take_range(struct command_call *call, struct trap *trap)
{
    const char *word = call_take(call);
    uint64_t end = storage_size(call->vm->machine->storage) - 1;
    if (!word)
        return call_error(call, MESSAGE_hexloc_missing);
    enum range_fault fault = parse_storage_range(word, end, &trap->first, &trap->last);
    if (fault)
        return range_error(call, fault, word);
    trap->ranged = true;
    return 0;
}

static int take_option(struct command_call *call, struct trap *trap)
{
    if (call_keyword(call, "RUN", 3)) {
        trap->run = true;
        return 0;
    }
    if (call_keyword(call, "NORUN", 3)) {
        trap->run = false;
        return 0;
    }
    if (call_keyword(call, "TERMINAL", 4) || call_keyword(call, "SIMULATION", 3))
        return 0; // what there is anyway
    if (call_keyword(call, "SKIP", 2))
        return take_count(call, &trap->skip);
    if (call_keyword(call, "PASS", 3))
        return take_count(call, &trap->pass);
    if (call_keyword(call, "STEP", 3))
        return take_count(call, &trap->step);
    if (call_keyword(call, "STOP", 3))
        return take_count(call, &trap->stop);
    if (call_keyword(call, "INTO", 4)) {
        trap->into = true;
        return take_range(call, trap);
    }
    if (call_keyword(call, "RANGE", 1) || call_keyword(call, "FROM", 4) ||
        call_keyword(call, "PSWA", 4))
        return take_range(call, trap);
    return call_end(call);
}

// CMD takes the rest of the line.
static bool take_cmd(struct command_call *call, struct trap *trap)
{
    if (!call_keyword(call, "CMD", 3))
        return false;
    free(trap->command);
    trap->command = mem_string(call_rest_raw(call));
    call->next = call->words;
    return true;
}

static int add_trap(struct command_call *call, enum trap_type type)
{
    struct vm *vm = call->vm;
    struct trap trap = {.type = type};
    while (call_peek(call))
        if (!take_cmd(call, &trap) && take_option(call, &trap)) {
            free(trap.command);
            return call->out->rc;
        }
    if (vm->trace && vm->trace->traps == TRACE_TRAPS) {
        free(trap.command);
        return call_error(call, MESSAGE_too_many_traps, TRACE_TRAPS);
    }
    vm_quiesce(vm);
    if (!vm->trace) {
        vm->trace = mem_zero(1, sizeof *vm->trace);
        vm->trace->on = true;
    }
    vm->trace->trap[vm->trace->traps++] = trap;
    trace_apply(vm);
    return 0;
}

static int trace_instruct(struct command_call *call)
{
    return add_trap(call, TRAP_INSTRUCTION);
}

static int trace_branch(struct command_call *call)
{
    return add_trap(call, TRAP_BRANCH);
}

static int no_traps(struct command_call *call)
{
    return call_error(call, MESSAGE_no_traces);
}

static bool has_traps(const struct command_call *call)
{
    return call->vm->trace && call->vm->trace->traps;
}

static int trace_end(struct command_call *call)
{
    call_keyword(call, "ALL", 3);
    if (call_end(call))
        return call->out->rc;
    if (!has_traps(call))
        return no_traps(call);
    vm_quiesce(call->vm);
    while (call->vm->trace->traps)
        trace_delete(call->vm->trace, call->vm->trace->traps - 1);
    trace_apply(call->vm);
    call_line(call, "Trace ended");
    return 0;
}

static int trace_delete_traps(struct command_call *call)
{
    uint64_t n;
    if (!call_peek(call) || strcmp(call_peek(call), "ALL") == 0)
        return trace_end(call);
    if (take_number(call, 1, TRACE_TRAPS, &n) || call_end(call))
        return call->out->rc;
    if (!has_traps(call) || n > call->vm->trace->traps)
        return no_traps(call);
    vm_quiesce(call->vm);
    trace_delete(call->vm->trace, (unsigned)n - 1);
    trace_apply(call->vm);
    return 0;
}

static int trace_switch(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    if (!has_traps(call))
        return no_traps(call);
    vm_quiesce(call->vm);
    call->vm->trace->on = strcmp(call->command->name, "ON") == 0;
    trace_apply(call->vm);
    return 0;
}

static int trace_count(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    if (!has_traps(call))
        return no_traps(call);
    for (unsigned i = 0; i < call->vm->trace->traps; i++)
        call_line(call, "%3u  COUNT = %u", i + 1, call->vm->trace->trap[i].hits);
    return 0;
}

static void show_trap(struct command_call *call, unsigned number, const struct trap *trap)
{
    struct text line = {0};
    text_printf(&line, "%3u  %-8s", number, trap->type == TRAP_BRANCH ? "BRANCH" : "INSTR");
    if (trap->ranged && trap->first == trap->last)
        text_printf(&line, " %s %08llX", trap->into ? "INTO" : "PSWA",
                    (unsigned long long)trap->first);
    else if (trap->ranged)
        text_printf(&line, " %s %08llX-%08llX", trap->into ? "INTO" : "PSWA",
                    (unsigned long long)trap->first, (unsigned long long)trap->last);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    call_line(call, "     TERM    NOPRINT %-5s   SIM", trap->run ? "RUN" : "NORUN");
    call_line(call, "     SKIP %05u    PASS %05u    STOP %05u    STEP %05u", trap->skip, trap->pass,
              trap->stop, trap->step);
    call_line(call, "     CMD  %s", trap->command ? trap->command : "NONE");
}

static int query_trace(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    if (!has_traps(call)) {
        call_line(call, "No traces are in effect.");
        return 0;
    }
    call_line(call, "NAME  INITIAL   (%s)", call->vm->trace->on ? "ACTIVE" : "INACTIVE");
    for (unsigned i = 0; i < call->vm->trace->traps; i++)
        show_trap(call, i + 1, &call->vm->trace->trap[i]);
    return 0;
}

static int trace_verb(struct command_call *call)
{
    return call_subcommand(call, "TRACE");
}

#define OPTIONS                                                                               \
    "[{Range | FROM | PSWA | INTO} a[-b]] [RUN | NORUN] [SKip n] [PASs n] [STEp n] [STOp n] " \
    "[CMD command]"
static const struct command top_rows[] = {
    {"TRACE", 2, CLASS('G'), false, trace_verb, "operand ...",
     "Follows what your virtual machine executes. HELP TRACE lists the operands."},
};
static const struct command trace_rows[] = {
    {"INSTRUCT", 1, CLASS('G'), false, trace_instruct, OPTIONS,
     "Shows each instruction, within a range if one is given, with its operand's address and the "
     "condition code; stops in CP READ after each unless RUN is given. SKIP leaves out the first "
     "n, "
     "PASS shows every n+1st, STEP stops after every n, STOP after n; CMD executes a command each "
     "time."},
    {"BRANCH", 2, CLASS('G'), false, trace_branch, OPTIONS,
     "Shows each branch that is taken, as TRACE INSTRUCT does; INTO selects by the target."},
    {"END", 3, CLASS('G'), false, trace_end, "[ALL]", "Ends all tracing."},
    {"CLEAR", 3, CLASS('G'), false, trace_end, "[ALL]", "Deletes all traps."},
    {"DELETE", 3, CLASS('G'), false, trace_delete_traps, "[n | ALL]",
     "Deletes trap n, as QUERY TRACE numbers them."},
    {"ON", 2, CLASS('G'), false, trace_switch, "", "Goes on tracing after TRACE OFF."},
    {"OFF", 3, CLASS('G'), false, trace_switch, "", "Keeps the traps but does not trace."},
    {"COUNT", 5, CLASS('G'), false, trace_count, "", "Shows how often each trap was met."},
    {"QUERY", 1, CLASS('G'), false, query_trace, "", "Shows the traps."},
};
static const struct command query_rows[] = {
    {"TRACE", 2, CLASS('G'), false, query_trace, "", "Shows the traps of your virtual machine."},
};
COMMAND_TABLE(trace_commands, NULL, top_rows);
COMMAND_TABLE(trace_operand_commands, "TRACE", trace_rows);
COMMAND_TABLE(query_trace_commands, "QUERY", query_rows);
