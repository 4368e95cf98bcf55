// SPDX-License-Identifier: MIT
// DIAGNOSE X'08': CP commands from programs.
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "base/memory.h"
#include "cp/command.h"
#include "cp/diagnose.h"

#define FLAG_RESPONSE  0x40u
#define FLAGS_VALID    0xE0u
#define COMMAND_MAX    240u
#define RESPONSE_MAX   (1024u * 1024) // Linux's vmcp asks for up to that, 16K by default
#define EBCDIC_NEWLINE 0x15u

// Ry: flags in its first byte (of the right half), length in the rest.
struct request {
    uint8_t flags;
    uint32_t length;
};

// Reads the command; X'15' separates several, which command_execute() knows as newlines.
static char *fetch_command(struct diagnose_call *call, uint32_t length)
{
    uint8_t bytes[COMMAND_MAX];
    char utf8[COMMAND_MAX * 4 + 1];
    struct text text = {0};
    size_t from = 0;

    cpu_fetch_real(call->cpu, diagnose_register(call, call->x), bytes, length);
    for (size_t i = 0; i <= length; i++) {
        if (i < length && bytes[i] != EBCDIC_NEWLINE)
            continue;
        ebcdic_to_utf8(codepage_default(), bytes + from, i - from, utf8, sizeof utf8);
        text_puts(&text, utf8);
        if (i < length)
            text_puts(&text, "\n");
        from = i + 1;
    }
    return text.s ? text.s : mem_string("");
}

// Response lines in EBCDIC, each ended by X'15'; only whole lines that fit are stored.
struct gathered {
    uint8_t *bytes;
    uint32_t size, used, lost; // room, stored, did not fit
};

static void gather_line(struct response *out, const char *utf8)
{
    struct gathered *g = out->arg;
    size_t room = strlen(utf8) + 1;
    uint8_t *line = mem_alloc(room);
    size_t n = ebcdic_from_utf8(codepage_default(), utf8, line, room - 1);

    line[n++] = EBCDIC_NEWLINE;
    if (!g->lost && n <= g->size - g->used) {
        memcpy(g->bytes + g->used, line, n);
        g->used += (uint32_t)n;
    } else {
        g->lost += (uint32_t)n;
    }
    free(line);
}

static void with_buffer(struct diagnose_call *call, const char *command, struct gathered *g)
{
    struct vm *vm = call->vm;
    uint64_t generation = vm->generation;
    struct response out = {.line = gather_line, .arg = g};

    // The completion codes are the same whatever EMSG says; OFF and CODE keep the id.
    out.emsg = vm->set.emsg == EMSG_TEXT ? EMSG_TEXT : EMSG_ON;
    int rc = command_execute(vm->cp, vm, NULL, command, &out);
    // After IPL, SYSTEM CLEAR or LOGOFF there is nobody left to be told.
    if (vm->generation == generation && !vm->logoff_pending) {
        uint64_t buffer = diagnose_register(call, call->x + 1);
        uint8_t byte;
        if (g->used) {
            cpu_fetch_real(call->cpu, buffer + g->used - 1, &byte, 1);
            cpu_store_real(call->cpu, buffer, g->bytes, g->used);
        }
        diagnose_set(call, call->y, (uint32_t)rc);
        diagnose_set(call, call->y + 1, g->lost ? g->lost : g->used);
        diagnose_cc(call, g->lost ? 1 : 0);
    }
}

static void without_buffer(struct diagnose_call *call, const char *command)
{
    struct vm *vm = call->vm;
    uint64_t generation = vm->generation;
    struct response out = response_to_vm(vm);
    int rc = command_execute(vm->cp, vm, NULL, command, &out);

    if (vm->generation == generation && !vm->logoff_pending)
        diagnose_set(call, call->y, (uint32_t)rc);
}

static bool pairs_ok(const struct diagnose_call *call)
{
    unsigned x = call->x, y = call->y;
    return x != 15 && y != 15 && x != y && x + 1 != y && y + 1 != x;
}

struct execution {
    struct diagnose_call *call;
    const char *command;
    struct gathered *response; // NULL: to the console
};

static void execute(struct cpu *cpu, void *arg)
{
    struct execution *e = arg;

    (void)cpu;
    if (e->response)
        with_buffer(e->call, e->command, e->response);
    else
        without_buffer(e->call, e->command);
}

void diagnose_08(struct diagnose_call *call)
{
    uint32_t ry = (uint32_t)call->cpu->gr[call->y];
    struct request request = {.flags = (uint8_t)(ry >> 24), .length = ry & 0xFFFFFF};
    struct execution e = {.call = call};
    struct gathered g = {0};
    bool response = (request.flags & FLAG_RESPONSE) != 0;

    if (request.flags & ~FLAGS_VALID || request.length > COMMAND_MAX)
        diagnose_specification(call);
    if (response && (!pairs_ok(call) || (uint32_t)call->cpu->gr[call->y + 1] > RESPONSE_MAX ||
                     (uint32_t)call->cpu->gr[call->y + 1] == 0))
        diagnose_specification(call);
    if (request.length == 0) { // the console function mode itself
        vm_stop(call->vm);
        diagnose_set(call, call->y, 0);
        return;
    }
    char *command = fetch_command(call, request.length);
    e.command = command;
    if (response) {
        g.size = (uint32_t)call->cpu->gr[call->y + 1];
        g.bytes = mem_alloc(g.size);
        e.response = &g;
    }
    bool raised = cpu_protect(call->cpu, execute, &e);
    free(command);
    free(g.bytes);
    if (raised)
        cpu_unwind_again(call->cpu);
}
