// SPDX-License-Identifier: MIT
// SET PFnn, QUERY PFnn and the RETRIEVE buffers.
#include <stdio.h>
#include <string.h>

#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/commands/verbs.h"
#include "cp/system_config.h"
#include "cp/vm_console.h"

static const struct {
    char mode;
    const char *name;
    unsigned min;
} modes[] = {{'I', "IMMED", 3}, {'D', "DELAYED", 7}, {'N', "NODISP", 5}, {'S', "SUBSTITUTE", 5}};

// The key's number is in the raw line: the word itself was replaced to find the row PFnn.
static unsigned key_of(const struct command_call *call)
{
    unsigned n = 0;
    for (const char *p = call->raw_word[call->next - 1] + 2; *p >= '0' && *p <= '9'; p++)
        n = n * 10 + (unsigned)(*p - '0');
    return n;
}

static int set_retrieve_key(struct command_call *call, unsigned key)
{
    bool forward = call_keyword(call, "FORWARD", 3);
    if (!forward)
        call_keyword(call, "BACKWARD", 4);
    if (call_end(call))
        return call->out->rc;
    vm_console_set_pf(call->vm, key, forward ? 'F' : 'R', "");
    return 0;
}

static int set_pf(struct command_call *call)
{
    unsigned key = key_of(call);
    char mode = 'D';
    if (!call_peek(call)) {
        vm_console_set_pf(call->vm, key, 0, NULL);
        return 0;
    }
    if (call_keyword(call, "RETRIEVE", 4))
        return set_retrieve_key(call, key);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (call_keyword(call, modes[i].name, modes[i].min)) {
            mode = modes[i].mode;
            break;
        }
    vm_console_set_pf(call->vm, key, mode, call_rest_raw(call));
    return 0;
}

static void show_pf(struct command_call *call, unsigned key)
{
    const struct pf_key *pf = &call->vm->console->pf[key];
    if (pf->mode == 'R' || pf->mode == 'F')
        call_line(call, "PF%02u RETRIEVE %s", key, pf->mode == 'F' ? "FORWARD" : "BACKWARD");
    else if (!pf->mode)
        call_line(call, "PF%02u UNDEFINED", key);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (pf->mode == modes[i].mode)
            call_line(call, "PF%02u %-8s %s", key, modes[i].name, pf->text ? pf->text : "");
}

static int query_pf_key(struct command_call *call)
{
    unsigned key = key_of(call);
    if (call_end(call))
        return call->out->rc;
    show_pf(call, key);
    return 0;
}

static int query_pf(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    for (unsigned key = 1; key <= PF_KEYS; key++)
        show_pf(call, key);
    return 0;
}

static int query_retrieve(struct command_call *call)
{
    const struct config_features *features = &call->cp->config->features;
    if (call_end(call))
        return call->out->rc;
    call_line(call, "%u buffers available. Maximum of %u buffers may be selected.",
              features->retrieve, features->retrieve_max);
    return 0;
}

static const struct command set_rows[] = {
    {"PFNN", 4, CLASS_ANY, false, set_pf,
     "[IMMed | DELAYED | NODISp | SUBSTitute] [text]\nRETRieve [BACKward | FORward]",
     "Defines program function key nn, 1 to 24: IMMED executes the text at once, DELAYED puts it "
     "into the input area, NODISP executes it without showing it. Alone, clears the key."},
};
static const struct command query_rows[] = {
    {"PF", 2, CLASS_ANY, false, query_pf, "", "Shows all program function keys."},
    {"PFNN", 4, CLASS_ANY, false, query_pf_key, "", "Shows program function key nn."},
    {"RETRIEVE", 3, CLASS_ANY, false, query_retrieve, "",
     "Shows how many retrieve buffers there are."},
};
COMMAND_TABLE(set_pf_commands, "SET", set_rows);
COMMAND_TABLE(query_pf_commands, "QUERY", query_rows);
