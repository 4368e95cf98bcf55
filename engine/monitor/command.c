// SPDX-License-Identifier: MIT
// The MONITOR command.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cp/command.h"
#include "monitor/domains.h"
#include "monitor/monitor.h"

#define LIMIT_MAX 9999u
#define RATE_MAX  6000u // hundredths of a second

static struct monitor *monitor_of_call(const struct command_call *call)
{
    return monitor_of(call->cp);
}

static int missing_or(struct command_call *call, const char *word)
{
    return word ? call_error(call, MESSAGE_invalid_operand, word)
                : call_error(call, MESSAGE_operand_missing);
}

// A decimal number from 1 to `max`.
static int take_count(struct command_call *call, unsigned max, unsigned *value)
{
    const char *word = call_take(call);
    uint64_t n;
    if (!word || !text_to_u64(word, 10, max, &n) || n == 0)
        return missing_or(call, word);
    *value = (unsigned)n;
    return 0;
}

// n MINUTES or n SECONDS, in seconds.
static int take_time(struct command_call *call, unsigned max, unsigned *seconds, bool *in_seconds)
{
    unsigned n;
    int rc = take_count(call, max, &n);
    if (rc)
        return rc;
    *in_seconds = call_keyword(call, "SECONDS", 3);
    if (!*in_seconds && !call_keyword(call, "MINUTES", 3))
        return missing_or(call, call_peek(call));
    *seconds = *in_seconds ? n : 60 * n;
    return 0;
}

// --- elements ------------------------------------------------------------------------

static bool is_name(const char *word)
{
    return strlen(word) <= 8;
}

static bool parse_range(const char *word, uint16_t *first, uint16_t *last)
{
    char copy[16];
    if (strlen(word) >= sizeof copy)
        return false;
    strcpy(copy, word);
    char *dash = strchr(copy, '-');
    if (dash)
        *dash++ = '\0';
    return parse_vdev(copy, first) && parse_vdev(dash ? dash : copy, last) && *first <= *last;
}

static const struct {
    const char *name;
    unsigned min;
    enum domain_elements of;
    enum element_kind kind;
} element_words[] = {
    {"USERID", 6, ELEMENTS_USERS, ELEMENT_USER},     {"CLASS", 2, ELEMENTS_DEVICES, ELEMENT_CLASS},
    {"DEVICE", 3, ELEMENTS_DEVICES, ELEMENT_DEVICE}, {"TYPE", 2, ELEMENTS_DEVICES, ELEMENT_TYPE},
    {"VOLUME", 3, ELEMENTS_DEVICES, ELEMENT_VOLUME},
};
#define ELEMENT_WORDS (sizeof element_words / sizeof element_words[0])

static bool take_element_word(struct command_call *call, enum domain_elements of,
                              enum element_kind *kind)
{
    for (unsigned i = 0; i < ELEMENT_WORDS; i++)
        if (element_words[i].of == of &&
            call_keyword(call, element_words[i].name, element_words[i].min)) {
            *kind = element_words[i].kind;
            return true;
        }
    return false;
}

static bool parse_element(const char *word, enum element_kind kind, struct element_rule *rule)
{
    *rule = (struct element_rule){.kind = kind};
    if (kind == ELEMENT_DEVICE)
        return parse_range(word, &rule->first, &rule->last);
    if (kind == ELEMENT_VOLUME && strcmp(word, "CPVOL") == 0) {
        rule->kind = ELEMENT_CPVOL;
        return true;
    }
    if (kind == ELEMENT_USER)
        return parse_userid(word, rule->name);
    if (!is_name(word))
        return false;
    snprintf(rule->name, sizeof rule->name, "%s", word);
    return true;
}

// The rules that the operands make, in `fresh`. ALL alone, and nothing at all, mean everything.
static int take_elements(struct command_call *call, const struct domain_row *row, bool enable,
                         struct element_list *fresh, bool *all)
{
    enum element_kind kind;
    struct element_rule rule;
    *all = !call_peek(call) || call_keyword(call, "ALL", 3);
    if (*all)
        return call_end(call);
    if (!take_element_word(call, row->elements, &kind))
        return missing_or(call, call_peek(call));
    do {
        unsigned count = 0;
        while (call_peek(call) && (count == 0 || !take_element_word(call, row->elements, &kind))) {
            const char *word = call_take(call);
            if (!parse_element(word, kind, &rule))
                return call_error(
                    call, kind == ELEMENT_USER ? MESSAGE_invalid_userid : MESSAGE_invalid_operand,
                    word);
            rule.enable = enable;
            elements_add(fresh, &rule);
            count++;
        }
        if (count == 0)
            return call_error(call, MESSAGE_operand_missing);
    } while (call_peek(call));
    return 0;
}

static bool anything_enabled(const struct element_list *list)
{
    for (unsigned i = 0; i < list->rules; i++)
        if (list->rule[i].enable)
            return true;
    return list->all;
}

// --- ENABLE and DISABLE ----------------------------------------------------------------

static bool allowed(const struct domain_row *row, enum data_type type)
{
    return !row->fixed && (type == DATA_EVENT ? row->event : row->sample);
}

static const struct domain_row *take_domain(struct command_call *call, enum data_type type)
{
    for (unsigned i = 0; i < DOMAIN_ROWS; i++)
        if (allowed(&domain_rows[i], type) &&
            call_keyword(call, domain_names[domain_rows[i].domain], domain_rows[i].min))
            return &domain_rows[i];
    return NULL;
}

static void set_domain(struct profile *profile, const struct domain_row *row, bool enable)
{
    domain_set bit = DOMAIN_BIT(row->domain);
    profile->enabled = (domain_set)(enable ? profile->enabled | bit : profile->enabled & ~bit);
    elements_set_all(&profile->elements[row->domain], enable);
}

static void set_all_domains(struct profile *profile, enum data_type type, bool enable)
{
    for (unsigned i = 0; i < DOMAIN_ROWS; i++)
        if (allowed(&domain_rows[i], type))
            set_domain(profile, &domain_rows[i], enable);
}

static int set_elements(struct command_call *call, struct profile *profile,
                        const struct domain_row *row, bool enable)
{
    struct element_list fresh = {0}, *list = &profile->elements[row->domain];
    bool all;
    int rc = take_elements(call, row, enable, &fresh, &all);
    if (rc == 0 && all) {
        set_domain(profile, row, enable);
    } else if (rc == 0) {
        for (unsigned i = 0; i < fresh.rules; i++)
            elements_add(list, &fresh.rule[i]);
        domain_set bit = DOMAIN_BIT(row->domain);
        profile->enabled =
            (domain_set)(anything_enabled(list) ? profile->enabled | bit : profile->enabled & ~bit);
    }
    elements_free(&fresh);
    return rc;
}

// ENABLE or DISABLE SUBINTERVAL: which domains subintervals have.
static int set_subinterval_domain(struct command_call *call, struct profile *profile, bool enable)
{
    domain_set bits = 0;
    if (call_keyword(call, "ALL", 3)) {
        for (unsigned i = 0; i < DOMAIN_ROWS; i++)
            if (allowed(&domain_rows[i], DATA_SAMPLE))
                bits |= DOMAIN_BIT(domain_rows[i].domain);
    } else {
        const struct domain_row *row = take_domain(call, DATA_SAMPLE);
        if (!row)
            return missing_or(call, call_peek(call));
        bits = DOMAIN_BIT(row->domain);
    }
    int rc = call_end(call);
    if (rc)
        return rc;
    profile->subinterval =
        (domain_set)(enable ? profile->subinterval | bits : profile->subinterval & ~bits);
    return 0;
}

static int enable_domain(struct command_call *call, enum data_type type, bool enable)
{
    struct monitor *m = monitor_of_call(call);
    struct profile *profile = type == DATA_EVENT ? &m->event : &m->sample;
    if (type == DATA_SAMPLE && call_keyword(call, "SUBINTERVAL", 6))
        return set_subinterval_domain(call, profile, enable);
    if (call_keyword(call, "ALL", 3)) {
        int rc = call_end(call);
        if (rc == 0)
            set_all_domains(profile, type, enable);
        return rc;
    }
    const struct domain_row *row = take_domain(call, type);
    if (!row)
        return missing_or(call, call_peek(call));
    if (row->elements != ELEMENTS_NONE)
        return set_elements(call, profile, row, enable);
    // CPUMFC, which may only be disabled, is part of PROCESSOR; there is none here.
    if (row->domain == DOMAIN_PROCESSOR && !enable && call_keyword(call, "CPUMFC", 6))
        return call_end(call);
    int rc = call_end(call);
    if (rc == 0)
        set_domain(profile, row, enable);
    return rc;
}

// --- CONFIG, INTERVAL, SUBINTERVAL, RATE ---------------------------------------------------

static const char *const type_names[] = {[DATA_EVENT] = "event", [DATA_SAMPLE] = "sample"};

static int config_error(struct command_call *call, enum data_type type, unsigned pages)
{
    return call_error(call, MESSAGE_monitor_config_size, type_names[type], pages,
                      monitor_config_max(monitor_of_call(call), type));
}

static int set_config(struct command_call *call, enum data_type type)
{
    struct monitor *m = monitor_of_call(call);
    struct profile *profile = type == DATA_EVENT ? &m->event : &m->sample;
    unsigned n;
    bool in_seconds = false;
    bool size = call_keyword(call, "SIZE", 4);
    if (!size && !call_keyword(call, "LIMIT", 5))
        return missing_or(call, call_peek(call));
    int rc =
        size ? take_count(call, CONFIG_PAGES_MAX, &n) : take_time(call, LIMIT_MAX, &n, &in_seconds);
    if (rc || (rc = call_end(call)))
        return rc;
    if (size && n > monitor_config_max(m, type))
        return config_error(call, type, n);
    if (size) {
        profile->config_pages = n;
    } else {
        profile->config_limit = n;
        profile->limit_in_seconds = in_seconds;
    }
    return 0;
}

static int set_interval(struct command_call *call)
{
    unsigned seconds;
    bool in_seconds;
    const char *word = call_peek(call);
    int rc = take_time(call, 3600, &seconds, &in_seconds);
    if (rc || (rc = call_end(call)))
        return rc;
    if (seconds < 6 || seconds > 3600)
        return call_error(call, MESSAGE_invalid_operand, word);
    monitor_set_interval(monitor_of_call(call), seconds, in_seconds);
    return 0;
}

static int set_subinterval(struct command_call *call)
{
    unsigned seconds;
    int rc = take_count(call, 3600, &seconds);
    if (rc)
        return rc;
    if (!call_keyword(call, "SECONDS", 3))
        return missing_or(call, call_peek(call));
    if ((rc = call_end(call)))
        return rc;
    monitor_set_subinterval(monitor_of_call(call), seconds);
    return 0;
}

// "2", "2.00", ".03": seconds to hundredths.
static bool parse_hundredths(const char *word, unsigned *hundredths)
{
    unsigned whole = 0, part = 0, digits = 0;
    const char *p = word;
    for (; isdigit((unsigned char)*p) && whole < RATE_MAX; p++, digits++)
        whole = whole * 10 + (unsigned)(*p - '0');
    if (*p == '.')
        for (unsigned scale = 10; isdigit((unsigned char)*++p); scale /= 10, digits++) {
            if (scale == 0)
                return false; // more than two decimals
            part += scale * (unsigned)(*p - '0');
        }
    *hundredths = whole * 100 + part;
    return *p == '\0' && digits > 0 && *hundredths >= 1 && *hundredths <= RATE_MAX;
}

static int set_rate(struct command_call *call)
{
    unsigned hundredths = 0;
    int rc;
    if (!call_keyword(call, "STOP", 4)) {
        const char *word = call_take(call);
        if (!word || !parse_hundredths(word, &hundredths))
            return missing_or(call, word);
        if (!call_keyword(call, "SECONDS", 3))
            return missing_or(call, call_peek(call));
    }
    if ((rc = call_end(call)))
        return rc;
    monitor_set_rate(monitor_of_call(call), hundredths);
    return 0;
}

// --- START and STOP ------------------------------------------------------------------------

static int partition_error(struct command_call *call, unsigned partition)
{
    unsigned min, max;
    monitor_partition_range(monitor_of_call(call), &min, &max);
    return call_error(call, MESSAGE_monitor_partition, partition, min, max);
}

static int started(struct command_call *call, enum data_type type, int error, unsigned partition)
{
    struct monitor *m = monitor_of_call(call);
    const struct profile *profile = type == DATA_EVENT ? &m->event : &m->sample;
    switch (error) {
    case MONITOR_ALREADY_ACTIVE:
        return call_error(call, MESSAGE_monitor_active, type_names[type]);
    case MONITOR_PARTITION:
        return partition_error(call, partition);
    case MONITOR_CONFIG_SIZE:
        return config_error(call, type, profile->config_pages);
    default:
        break;
    }
    if (profile->state == RECORDING_PENDING)
        call_error(call, MESSAGE_monitor_pending, type == DATA_EVENT ? "Event" : "Sample");
    return 0;
}

static int take_start_operands(struct command_call *call, unsigned *block, unsigned *partition)
{
    int rc = 0;
    *block = *partition = 0;
    while (rc == 0 && call_peek(call)) {
        if (call_keyword(call, "BLOCK", 3))
            rc = take_count(call, 9999, block);
        else if (call_keyword(call, "PARTITION", 4))
            rc = take_count(call, 524287, partition);
        else
            rc = call_end(call);
    }
    return rc;
}

static int start(struct command_call *call, bool event, bool sample)
{
    struct monitor *m = monitor_of_call(call);
    unsigned block = 0, partition = 0;
    int rc = event ? take_start_operands(call, &block, &partition) : call_end(call);
    if (rc)
        return rc;
    if (event)
        rc = started(call, DATA_EVENT, monitor_event_start(m, block, partition), partition);
    if (sample) {
        int sample_rc = started(call, DATA_SAMPLE, monitor_sample_start(m), 0);
        rc = rc ? rc : sample_rc;
    }
    return rc;
}

static int stop(struct command_call *call, bool event, bool sample)
{
    struct monitor *m = monitor_of_call(call);
    int rc = call_end(call);
    if (rc)
        return rc;
    if (event && monitor_event_stop(m))
        call_error(call, MESSAGE_monitor_stopped, "Event");
    if (sample && monitor_sample_stop(m))
        call_error(call, MESSAGE_monitor_stopped, "Sample");
    return 0;
}

// --- the command -----------------------------------------------------------------------------

static int config(struct command_call *call, enum data_type type)
{
    if (call_keyword(call, "CONFIG", 6))
        return set_config(call, type);
    if (type == DATA_SAMPLE && call_keyword(call, "INTERVAL", 3))
        return set_interval(call);
    if (type == DATA_SAMPLE && call_keyword(call, "SUBINTERVAL", 6))
        return set_subinterval(call);
    if (type == DATA_SAMPLE && call_keyword(call, "RATE", 4))
        return set_rate(call);
    bool disable = call_keyword(call, "DISABLE", 3);
    if (!disable)
        call_keyword(call, "ENABLE", 2);
    return enable_domain(call, type, !disable);
}

// Commands that change settings become records: with the word MONITOR in full, then as typed.
static void record(struct command_call *call, enum data_type type)
{
    char text[256];
    snprintf(text, sizeof text, "MONITOR %s", call->raw_operands);
    text_upper(text);
    monitor_record_command(monitor_of_call(call), type, text);
}

static int typed(struct command_call *call, enum data_type type)
{
    bool event = type == DATA_EVENT;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    if (call_keyword(call, "START", 3))
        return start(call, event, !event);
    if (call_keyword(call, "STOP", 4))
        return stop(call, event, !event);
    int rc = config(call, type);
    if (rc)
        return rc;
    event_sources_watch(monitor_of_call(call));
    record(call, type);
    return rc;
}

static int run(struct command_call *call)
{
    if (call_keyword(call, "SAMPLE", 4))
        return typed(call, DATA_SAMPLE);
    if (call_keyword(call, "EVENT", 5))
        return typed(call, DATA_EVENT);
    if (call_keyword(call, "START", 3))
        return start(call, true, true);
    if (call_keyword(call, "STOP", 4))
        return stop(call, true, true);
    return missing_or(call, call_peek(call));
}

static const char syntax[] = "SAMPle {ENable | DISable} domain\n"
                             "SAMPle {ENable | DISable} SUBINTerval {ALL | domain}\n"
                             "SAMPle CONFIG {SIZE pages | LIMIT n {MINutes | SEConds}}\n"
                             "SAMPle INTerval n {MINutes | SEConds}\n"
                             "SAMPle SUBINTerval n SEConds\n"
                             "SAMPle RATE {n.nn SEConds | STOP}\n"
                             "SAMPle {STArt | STOP}\n"
                             "EVENT {ENable | DISable} domain\n"
                             "EVENT CONFIG {SIZE pages | LIMIT n {MINutes | SEConds}}\n"
                             "EVENT {STArt [BLock pages] [PARTition pages] | STOP}\n"
                             "{STArt [BLock pages] [PARTition pages] | STOP}";
static const char help[] =
    "Controls the monitor. Domains: ALL, APPLdata, I/O, ISFc, NETwork, PROCessor, SSI, STORage, "
    "USER; "
    "for events also SCHEDuler and SEEKs. USER, APPLdata and SCHEDuler take ALL or USERID "
    "userid..., "
    "I/O and SEEKs take ALL, CLass, DEVice, TYpe or VOLume and a list. Samples are taken each "
    "INTERVAL; with SUBINTERVAL, which must divide it evenly, also in between, for *MONITOR users "
    "that ask for them. New values hold from the end of the running interval. RATE is the time "
    "between high-frequency samples. A last sample is taken at STOP.";

static const struct command rows[] = {
    {.name = "MONITOR",
     .min = 3,
     .classes = CLASS('A') | CLASS('E'),
     .run = run,
     .syntax = syntax,
     .help = help},
};
static struct command_table table = {.rows = rows, .count = 1};

static const struct command query_rows[] = {
    {.name = "MONITOR",
     .min = 3,
     .classes = CLASS('A') | CLASS('E'),
     .run = monitor_query,
     .syntax = "[SAMple | EVENT]",
     .help =
         "Shows what the monitor records, its schedule, its segment, and the users connected to "
         "*MONITOR; of those, who has subinterval samples and who has not."},
};
static struct command_table query_table = {.rows = query_rows, .count = 1, .under = "QUERY"};

void monitor_commands_register(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    command_register(&table);
    command_register(&query_table);
}
