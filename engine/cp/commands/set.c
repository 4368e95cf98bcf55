// SPDX-License-Identifier: MIT
// SET: the switches of a virtual machine, and QUERY SET that shows them.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/vm_console.h"

static const char *const emsg_names[] = {"ON", "OFF", "CODE", "TEXT"};

static int set_emsg(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    for (unsigned i = 0; i < sizeof emsg_names / sizeof *emsg_names; i++)
        if (strcmp(word, emsg_names[i]) == 0) {
            if (call_end(call))
                return call->out->rc;
            call->vm->set.emsg = (enum emsg)i;
            return 0;
        }
    return call_error(call, MESSAGE_invalid_operand, word);
}

// A switch of struct vm_settings by its place, so that one function serves them all.
static const struct {
    const char *name;
    size_t offset;
} switches[] = {
    {"IMSG", offsetof(struct vm_settings, imsg)},
    {"ACNT", offsetof(struct vm_settings, acnt)},
    {"LINEDIT", offsetof(struct vm_settings, linedit)},
    {"CONCEAL", offsetof(struct vm_settings, concealed)},
};

static int set_switch(struct command_call *call)
{
    bool on;
    if (take_on_off(call, &on) || call_end(call))
        return call->out->rc;
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
        if (strcmp(call->command->name, switches[i].name) == 0)
            *(bool *)((char *)&call->vm->set + switches[i].offset) = on;
    return 0;
}

// Messages and console lines, which may go to the program through *MSG.
static const struct {
    const char *name;
    size_t offset;
    bool on; // whether ON is one of its values
} routings[] = {
    {"MSG", offsetof(struct vm_settings, msg), true},
    {"WNG", offsetof(struct vm_settings, wng), true},
    {"SMSG", offsetof(struct vm_settings, smsg), true},
    {"CPCONIO", offsetof(struct vm_settings, cpconio), false},
    {"VMCONIO", offsetof(struct vm_settings, vmconio), false},
};

static const char *const routing_names[] = {"OFF", "ON", "IUCV"};

static int set_routing(struct command_call *call)
{
    const char *word = call_take(call);
    size_t row = 0;
    unsigned value = 0;
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    while (strcmp(routings[row].name, call->command->name) != 0)
        row++;
    while (value <= ROUTE_IUCV && strcmp(word, routing_names[value]) != 0)
        value++;
    if (value > ROUTE_IUCV || (value == ROUTE_ON && !routings[row].on))
        return call_error(call, MESSAGE_invalid_operand, word);
    if (call_end(call))
        return call->out->rc;
    *(enum routing *)(void *)((char *)&call->vm->set + routings[row].offset) = (enum routing)value;
    return 0;
}

static int set_run(struct command_call *call)
{
    bool on;
    if (take_on_off(call, &on) || call_end(call))
        return call->out->rc;
    call->vm->set.run = on;
    return 0;
}

static int set_quickdsp(struct command_call *call)
{
    struct vm *vm = call_user(call);
    bool on;
    if (!vm || take_on_off(call, &on) || call_end(call))
        return call->out->rc;
    vm->set.quickdsp = on;
    cp_notify(call->cp, CP_EVENT_QUICKDSP, vm, NULL, NULL);
    call_line(call, "USER %-8s: QUICKDSP = %s", vm->userid, on_off(on));
    return 0;
}

static int query_quickdsp(struct command_call *call)
{
    struct vm *vm = call_user(call);
    if (!vm || call_end(call))
        return call->out->rc;
    call_line(call, "USER %-8s: QUICKDSP = %s", vm->userid, on_off(vm->set.quickdsp));
    return 0;
}

static int query_set(struct command_call *call)
{
    const struct vm_settings *s = &call->vm->set;
    if (call_end(call))
        return call->out->rc;
    call_line(call, "MSG %-6s, WNG %-6s, EMSG %-4s, ACNT %-3s, RUN %-3s", routing_names[s->msg],
              routing_names[s->wng], emsg_names[s->emsg], on_off(s->acnt), on_off(s->run));
    call_line(call, "LINEDIT %-3s, TIMER OFF , ISAM OFF, ECMODE ON", on_off(s->linedit));
    call_line(call, "ASSIST OFF            , PAGEX OFF, AUTOPOLL OFF");
    call_line(call, "IMSG %-5s, SMSG %-6s, AFFINITY NONE   , NOTRAN OFF", on_off(s->imsg),
              routing_names[s->smsg]);
    call_line(call, "VMSAVE OFF, 370E OFF");
    call_line(call, "STBYPASS OFF , STMULTI OFF    00/000");
    call_line(call, "MIH OFF , VMCONIO %-4s, CPCONIO %-4s, SVCACCL OFF , CONCEAL %s",
              routing_names[s->vmconio], routing_names[s->cpconio], on_off(s->concealed));
    call_line(call, "MACHINE %s, SVC76 CP, NOPDATA OFF, IOASSIST OFF", call->vm->mode);
    call_line(call, "CCWTRAN ON , 370ACCOM OFF");
    return 0;
}

// clang-format off
static const struct command set_rows[] = {
    {"EMSG", 4, CLASS_ANY, false, set_emsg, "{ON | OFF | CODE | TEXT}",
     "What you see of error messages: all of it, nothing, the identifier, or the text."},
    {"MSG", 3, CLASS_ANY, false, set_routing, "{ON | OFF | IUCV}",
     "Whether you receive messages (MSG): on your console, or your program through *MSG."},
    {"WNG", 3, CLASS_ANY, false, set_routing, "{ON | OFF | IUCV}",
     "Whether you receive warnings (WARNING): on your console, or your program through *MSG."},
    {"IMSG", 4, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether you see informational responses such as Command complete."},
    {"SMSG", 2, CLASS_ANY, false, set_routing, "{ON | OFF | IUCV}",
     "Whether your program accepts special messages (SMSG); IUCV: through *MSG."},
    {"CPCONIO", 7, CLASS_ANY, false, set_routing, "{OFF | IUCV}",
     "Whether CP's lines for your console go to your program through *MSG instead."},
    {"VMCONIO", 7, CLASS_ANY, false, set_routing, "{OFF | IUCV}",
     "Whether your virtual machine's console output goes to your program through *MSG instead."},
    {"ACNT", 4, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether accounting information is shown to you."},
    {"LINEDIT", 5, CLASS_ANY, false, set_switch, "{ON | OFF}",
     "Whether the logical line-editing characters (TERMINAL LINEND and the others) act."},
    {"CONCEAL", 4, CLASS('G'), false, set_switch, "{ON | OFF}",
     "Whether errors of the guest restart it rather than end in CP READ."},
    {"RUN", 3, CLASS('G'), false, set_run, "{ON | OFF}",
     "Whether the virtual machine goes on running while you are in CP READ."},
    {"QUICKDSP", 5, CLASS('A'), false, set_quickdsp, "{userid | *} {ON | OFF}",
     "Whether the user's virtual CPUs enter the dispatch list without waiting for eligibility."},
};
static const struct command query_rows[] = {
    {"SET", 3, CLASS_ANY, false, query_set, "", "Shows the switches of your virtual machine."},
    {"QUICKDSP", 5, CLASS('A') | CLASS('E'), false, query_quickdsp, "{userid | *}",
     "Shows the quick-dispatch switch of a user."},
};
// clang-format on
COMMAND_TABLE(set_commands, "SET", set_rows);
COMMAND_TABLE(query_set_commands, "QUERY", query_rows);
