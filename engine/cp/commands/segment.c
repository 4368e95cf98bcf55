// SPDX-License-Identifier: MIT
// DEFSEG, SAVESEG, PURGE NSS and QUERY NSS: saved segments.
#include <stdio.h>
#include <string.h>

#include "cp/commands/spool_files.h"
#include "cp/commands/table.h"
#include "cp/dcss.h"

static int take_segment_name(struct command_call *call, char name[9])
{
    const char *word = call_take(call);
    if (!word || strlen(word) > 8)
        return call_error(call, MESSAGE_filename_missing);
    snprintf(name, 9, "%s", word);
    return 0;
}

static int no_such_segment(struct command_call *call, const char *name)
{
    return call_error(call, MESSAGE_no_such_segment, name);
}

// DEFSEG name first-last type [RSTD]: pages in hex, one range.
static int defseg(struct command_call *call)
{
    char name[9];
    uint64_t first, last;
    enum dcss_type type;
    char pages[40];
    if (take_segment_name(call, name))
        return call->out->rc;
    const char *word = call_take(call);
    snprintf(pages, sizeof pages, "%s", word ? word : "");
    char *dash = strchr(pages, '-');
    if (!dash)
        return call_error(call, word ? MESSAGE_invalid_range : MESSAGE_operand_missing, word);
    *dash = '\0';
    if (!text_to_u64(pages, 16, 0x7FFFFF, &first) || !text_to_u64(dash + 1, 16, 0x7FFFFF, &last) ||
        last < first)
        return call_error(call, MESSAGE_invalid_range, word);
    word = call_take(call);
    if (!word || !dcss_type_parse(word, &type))
        return call_error(call, word ? MESSAGE_invalid_operand : MESSAGE_operand_missing, word);
    bool restricted = call_keyword(call, "RSTD", 4);
    if (call_end(call))
        return call->out->rc;
    const struct dcss *dcss = dcss_define(call->cp, name, first, last, type, restricted);
    if (!dcss)
        return call_error(call, MESSAGE_segment_exists, name);
    call_error(call, MESSAGE_segment_defined, name, dcss->spoolid);
    return 0;
}

static int saveseg(struct command_call *call)
{
    char name[9];
    if (take_segment_name(call, name) || call_end(call))
        return call->out->rc;
    struct dcss *dcss = dcss_find(call->cp, name);
    if (!dcss)
        return no_such_segment(call, name);
    dcss_save(dcss);
    dcss->saved_at = clock_now(&call->cp->world->clock);
    cp_notify_about(call->cp, CP_EVENT_SEGMENT_SAVED, NULL, dcss);
    call_error(call, MESSAGE_segment_saved, name, dcss->spoolid);
    return 0;
}

int purge_nss(struct command_call *call)
{
    char name[9];
    if (!call_keyword(call, "NAME", 4))
        return call_error(call, MESSAGE_operand_missing);
    if (take_segment_name(call, name) || call_end(call))
        return call->out->rc;
    struct dcss *dcss = dcss_find(call->cp, name);
    if (!dcss)
        return no_such_segment(call, name);
    cp_notify_about(call->cp, CP_EVENT_SEGMENT_PURGED, NULL, dcss);
    dcss_purge(call->cp, dcss);
    call_line(call, "0000001 FILE  PURGED");
    return 0;
}

static char class_of(const struct dcss *dcss)
{
    return !dcss->saved ? 'S' : dcss->restricted ? 'R' : 'A';
}

static void show(struct command_call *call, const struct dcss *dcss)
{
    static const char *const types[] = {"SW", "EW", "SR", "ER", "SN", "EN", "SC"};
    call_line(call, "%04u %-8s DCSS     N/A      %05llX %05llX   %s  %c  %05u  N/A    N/A",
              dcss->spoolid, dcss->name, (unsigned long long)(dcss->start >> 12),
              (unsigned long long)(dcss->end >> 12), types[dcss->type], class_of(dcss),
              dcss->users);
}

static int query_nss(struct command_call *call)
{
    char name[9] = "";
    bool map = call_keyword(call, "MAP", 3); // the only form there is
    bool named = call_keyword(call, "NAME", 4);
    (void)map;
    if (named && take_segment_name(call, name))
        return call->out->rc;
    if (!named)
        call_keyword(call, "ALL", 3);
    if (call_end(call))
        return call->out->rc;
    if (named && !dcss_find(call->cp, name))
        return no_such_segment(call, name);
    if (!call->cp->segments) {
        call_line(call, "NO FILES, NSS");
        return 0;
    }
    call_line(call,
              "FILE FILENAME FILETYPE MINSIZE  BEGPAG ENDPAG TYPE CL #USERS PARMREGS VMGROUP");
    for (const struct dcss *d = call->cp->segments; d; d = d->next)
        if (!named || strcmp(d->name, name) == 0)
            show(call, d);
    return 0;
}

static const struct command rows[] = {
    {"DEFSEG", 6, CLASS('E'), false, defseg,
     "name page1-page2 {SW | EW | SR | ER | SN | EN | SC} [RSTD]",
     "Defines a saved segment over these pages (hexadecimal); it is a skeleton until SAVESEG. "
     "RSTD: "
     "only users with NAMESAVE may load it."},
    {"SAVESEG", 7, CLASS('E'), false, saveseg, "name",
     "Makes a segment that DEFSEG defined usable."},
};
static const struct command query_rows[] = {
    {"NSS", 3, CLASS('E'), false, query_nss, "[MAP] [ALL | NAME name]",
     "Lists saved segments: pages, type, class (A available, R restricted, S skeleton) and users."},
};
COMMAND_TABLE(segment_commands, NULL, rows);
COMMAND_TABLE(query_segment_commands, "QUERY", query_rows);
