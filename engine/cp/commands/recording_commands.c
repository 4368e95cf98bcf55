// SPDX-License-Identifier: MIT
// RECORDING and QUERY RECORDING: the queues of *LOGREC, *ACCOUNT and *SYMPTOM; ACNT.
#include <stdio.h>
#include <string.h>

#include "cp/accounting.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"
#include "cp/recording.h"

static bool take_kind(struct command_call *call, enum recording_kind *kind)
{
    static const unsigned min[RECORDING_KINDS] = {4, 4, 4};

    for (unsigned i = 0; i < RECORDING_KINDS; i++)
        if (call_keyword(call, recording_view(call->cp, i).name, min[i])) {
            *kind = i;
            return true;
        }
    return false;
}

struct recording_request {
    bool on, off, purge, limit;
    uint64_t limit_value;
    char userid[USERID_SIZE];
};

static int take_request(struct command_call *call, struct recording_request *request)
{
    while (call_peek(call)) {
        if (call_keyword(call, "ON", 2)) {
            request->on = true;
        } else if (call_keyword(call, "OFF", 3)) {
            request->off = true;
        } else if (call_keyword(call, "PURGE", 5)) {
            request->purge = true;
        } else if (call_keyword(call, "LIMIT", 3)) {
            request->limit = true;
            if (take_number(call, 0, 999, &request->limit_value))
                return call->out->rc;
        } else if (call_keyword(call, "QID", 3)) {
            if (take_known_user(call, request->userid))
                return call->out->rc;
        } else {
            return call_error(call, MESSAGE_invalid_option, call_peek(call));
        }
    }
    return request->on || request->off || request->purge || request->limit
               ? 0
               : call_error(call, MESSAGE_operand_missing);
}

static int recording(struct command_call *call)
{
    enum recording_kind kind;
    struct recording_request request = {0};

    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    if (!take_kind(call, &kind))
        return call_error(call, MESSAGE_invalid_operand, call_peek(call));
    if (take_request(call, &request))
        return call->out->rc;
    // QID names whose queue it is: known only when that user has been connected.
    if (request.userid[0] && strcmp(recording_view(call->cp, kind).userid, request.userid) != 0)
        call_error(call, MESSAGE_recording_not_found);
    if (request.purge)
        recording_purge(call->cp, kind);
    if (request.on || request.off)
        recording_set(call->cp, kind, request.on);
    if (request.limit)
        recording_limit(call->cp, kind, (unsigned)request.limit_value);
    return call_complete(call);
}

static int query_recording(struct command_call *call)
{
    if (call_end(call))
        return call->out->rc;
    call_line(call, "RECORDING    COUNT    LMT USERID   COMMUNICATION");
    for (unsigned i = 0; i < RECORDING_KINDS; i++) {
        struct recording_view v = recording_view(call->cp, i);
        char name[16];
        snprintf(name, sizeof name, "%s %s", v.name, on_off(v.on));
        call_line(call, "%-12s %08u %03u %-8s %s", name, v.queued, v.limit, v.userid,
                  v.connected ? "ACTIVE" : "INACTIVE");
    }
    return 0;
}

static int acnt(struct command_call *call)
{
    if (call_keyword(call, "ALL", 3)) {
        if (call_end(call))
            return call->out->rc;
        for (struct vm *vm = call->cp->users; vm; vm = vm->next)
            accounting_usage(vm);
        return call_complete(call);
    }
    do {
        struct vm *vm = call_user(call);
        if (!vm)
            return call->out->rc;
        accounting_usage(vm);
    } while (call_peek(call));
    return call_complete(call);
}

#define ABCEF (CLASS('A') | CLASS('B') | CLASS('C') | CLASS('E') | CLASS('F'))
static const struct command rows[] = {
    {"ACNT", 2, CLASS('A'), false, acnt, "{ALL | userid ...}",
     "Makes an accounting record of what the users have used so far, and begins a new count."},
    {"RECORDING", 3, ABCEF, false, recording,
     "{EREP | ACCOUNT | SYMPTOM} {ON | OFF | LIMIT n | PURGE} ... [QID userid]",
     "Starts and stops the recording of error, accounting and symptom records, sets how many may "
     "be "
     "queued before the operator is told, or discards those in the queue."},
};
static const struct command query_rows[] = {
    {"RECORDING", 3, ABCEF, false, query_recording, "",
     "Shows the recording queues and who takes their records."},
};
COMMAND_TABLE(recording_commands, NULL, rows);
COMMAND_TABLE(query_recording_commands, "QUERY", query_rows);
