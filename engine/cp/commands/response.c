// SPDX-License-Identifier: MIT
// Where the lines of a response go.
#include <stdio.h>
#include <string.h>

#include "cp/command.h"

static void line_to_text(struct response *out, const char *utf8)
{
    struct text *text = out->arg;
    if (out->lines)
        text_puts(text, "\n");
    text_puts(text, utf8);
}

struct response response_to_text(struct text *text)
{
    return (struct response){.line = line_to_text, .arg = text, .emsg = EMSG_ON};
}

static void line_to_vm(struct response *out, const char *utf8)
{
    vm_line(out->arg, LINE_CP, utf8);
}

struct response response_to_vm(struct vm *vm)
{
    return (struct response){
        .line = line_to_vm,
        .arg = vm,
        .emsg = vm->set.emsg,
        .quiet = !vm->set.imsg,
        .prefix_cpu = vm->vcpus > 1,
        .cpu = (uint8_t)vm->current_cpu,
    };
}

void response_line(struct response *out, const char *fmt, ...)
{
    struct text text = {0};
    va_list ap;
    if (out->prefix_cpu)
        text_printf(&text, "%02X: ", out->cpu);
    va_start(ap, fmt);
    text_vprintf(&text, fmt, ap);
    va_end(ap);
    out->line(out, text_get(&text));
    out->lines++;
    text_free(&text);
}
