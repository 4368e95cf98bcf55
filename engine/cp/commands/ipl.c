// SPDX-License-Identifier: MIT
// IPL and SET LOADPARM.
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"

struct ipl {
    struct text system; // as vm_ipl takes it
    const char *loadparm;
    char *parm;
    bool clear;
};

static int take_ipl_option(struct command_call *call, struct ipl *ipl)
{
    if (call_keyword(call, "CLEAR", 2)) {
        ipl->clear = true;
        return 0;
    }
    if (call_keyword(call, "NOCLEAR", 4)) {
        ipl->clear = false;
        return 0;
    }
    if (call_keyword(call, "LOADPARM", 5)) {
        ipl->loadparm = call_take(call);
        if (!ipl->loadparm)
            return call_error(call, MESSAGE_operand_missing);
        return strlen(ipl->loadparm) <= 8
                   ? 0
                   : call_error(call, MESSAGE_invalid_operand, ipl->loadparm);
    }
    if (call_keyword(call, "PARM", 4)) {
        ipl->parm = mem_string(call_rest_raw(call));
        call->next = call->words;
        return 0;
    }
    return call_end(call);
}

// Is a program of the user the one that asks (DIAGNOSE X'08')?
static bool from_program(const struct vm *vm)
{
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i] && vm->vcpu[i]->in_simulation)
            return true;
    return false;
}

// A device number or a name, folded; FILE and a path of the host as typed. The host's files are for
// people and scripts, not for guests to read.
static int take_system(struct command_call *call, struct ipl *ipl)
{
    bool file = call_keyword(call, "FILE", 4);
    if (file && from_program(call->vm))
        return call_error(call, MESSAGE_invalid_option, "FILE");
    const char *raw = call_rest_raw(call), *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (file)
        text_printf(&ipl->system, "FILE %.*s", (int)strcspn(raw, " "), raw);
    else
        text_puts(&ipl->system, word);
    return 0;
}

static int run_ipl(struct command_call *call, struct ipl *ipl)
{
    struct vm *vm = call->vm;
    // CP folds PARM; a file is ours, and its program may want its parameters as typed.
    if (ipl->parm && strncmp(ipl->system.s, "FILE ", 5) != 0)
        text_upper(ipl->parm);
    if (ipl->loadparm)
        ebcdic_field(vm->machine->loadparm, sizeof vm->machine->loadparm, ipl->loadparm);
    return vm_ipl(vm, ipl->system.s, ipl->parm, ipl->clear, call->out);
}

static int ipl_verb(struct command_call *call)
{
    struct ipl ipl = {0};
    int rc = 0;
    if (call_peek(call))
        rc = take_system(call, &ipl);
    else if (!call->vm->ipl_system[0])
        rc = call_error(call, MESSAGE_vdev_missing);
    else
        text_puts(&ipl.system, call->vm->ipl_system);
    while (rc == 0 && call_peek(call))
        rc = take_ipl_option(call, &ipl);
    if (rc == 0)
        rc = run_ipl(call, &ipl);
    free(ipl.parm);
    text_free(&ipl.system);
    return rc;
}

static const struct command rows[] = {
    {"IPL", 1, CLASS('G'), false, ipl_verb,
     "{vdev | system | FILE path} [NOCLear | CLear] [LOADParm text] [PARM text]",
     "Resets the virtual machine and loads a system: from a virtual device, a program that CP runs "
     "itself (MONWRITE), or a file of the host. PARM comes last and is folded to upper case but "
     "for "
     "a file. Alone, repeats the last IPL."},
};
COMMAND_TABLE(ipl_commands, NULL, rows);
