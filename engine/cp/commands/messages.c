// SPDX-License-Identifier: MIT
// CP's messages: formatting, and what SET EMSG leaves of them.
#include "cp/messages.h"

#include <stdio.h>
#include <string.h>

#include "cp/command.h"

const struct message_row message_rows[MESSAGE_COUNT] = {
#define MESSAGE(id, module, number, severity, text) {#id, module, number, severity, text},
#include "cp/messages_general.def"
#include "cp/messages_session.def"
#include "cp/messages_machine.def"
#include "cp/messages_network.def"
#include "cp/messages_monitor.def"
#undef MESSAGE
};

static void format_id(char id[12], const struct message_row *row)
{
    snprintf(id, 12, "HCP%.3s%03u%c", row->module, row->number % 10000, row->severity);
}

// The rows' texts are the formats; message_rows is the only source of them.
static void format_text(struct text *text, const struct message_row *row, va_list ap)
{
    text_vprintf(text, row->text, ap);
}

void message_format(struct text *text, enum message id, va_list ap)
{
    char name[12];
    format_id(name, &message_rows[id]);
    text_printf(text, "%s ", name);
    format_text(text, &message_rows[id], ap);
}

// SET EMSG governs error and warning messages; the others are always shown whole.
static enum emsg emsg_for(const struct response *out, char severity)
{
    return severity == 'E' || severity == 'W' ? out->emsg : EMSG_ON;
}

int message_vsend(struct response *out, enum message id, va_list ap)
{
    const struct message_row *row = &message_rows[id];
    bool error = strchr("IRA", row->severity) == NULL;
    struct text text = {0};
    char name[12];
    format_id(name, row);
    format_text(&text, row, ap);
    switch (emsg_for(out, row->severity)) {
    case EMSG_ON:
        response_line(out, "%s %s", name, text_get(&text));
        break;
    case EMSG_CODE:
        response_line(out, "%s", name);
        break;
    case EMSG_TEXT:
        response_line(out, "%s", text_get(&text));
        break;
    case EMSG_OFF:
        break;
    }
    text_free(&text);
    memcpy(out->message_id, name, sizeof out->message_id);
    if (error)
        out->rc = (int)row->number;
    return error ? (int)row->number : 0;
}

int message_send(struct response *out, enum message id, ...)
{
    va_list ap;
    va_start(ap, id);
    int rc = message_vsend(out, id, ap);
    va_end(ap);
    return rc;
}
