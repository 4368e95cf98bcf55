// SPDX-License-Identifier: MIT
// INDICATE: what the processors and the users are doing.
#include <stdio.h>
#include <string.h>

#include "cp/commands/format.h"
#include "cp/commands/operands.h"
#include "cp/commands/table.h"

static int indicate(struct command_call *call)
{
    if (!call_peek(call))
        call->word[call->words++] = "LOAD"; // the default
    return call_subcommand(call, "INDICATE");
}

// --- LOAD --------------------------------------------------------------------

// Percentage of the time since IPL that the processor was not in the wait state.
static unsigned busy(const struct cp *cp, const struct real_processor *p)
{
    tod_t elapsed = clock_now(&cp->world->clock) - cp->ipl_time;
    tod_t used = p->guest_time + p->system_time + (p->user_time - p->guest_time);
    return elapsed ? format_percent(used < elapsed ? used : elapsed, elapsed) : 0;
}

struct queue_counts {
    unsigned q[4], dormant, limited;
};

// Every virtual CPU that wants to run is in the dispatch list: Q3 with quick dispatch or when it
// has been there for long is not told apart here, so all count as Q3 but for the quick ones in Q0.
static struct queue_counts count_queues(const struct cp *cp)
{
    struct queue_counts counts = {0};
    for (const struct vm *vm = cp->users; vm; vm = vm->next)
        for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
            const struct vcpu *vcpu = vm->vcpu[i];
            if (!vcpu)
                continue;
            bool in_queue = vcpu->state != VCPU_STOPPED && vcpu->state != VCPU_DORMANT &&
                            vcpu->state != VCPU_DISABLED_WAIT;
            counts.limited += vcpu->limited;
            if (!in_queue)
                counts.dormant++;
            else
                counts.q[vm->set.quickdsp ? 0 : 3]++;
        }
    return counts;
}

static void show_processors(struct command_call *call)
{
    const struct cp *cp = call->cp;
    static const char *const types[] = {"CP", "CP", "ZAAP", "IFL", "ICF", "ZIIP"};
    struct text line = {0};
    for (unsigned i = 0; i < cp->processors; i++) {
        const struct real_processor *p = &cp->processor[i];
        if (line.len)
            text_puts(&line, "     ");
        text_printf(&line, "PROC %04X-%03u%% %-4s HZ", p->address, busy(cp, p), types[p->type]);
        if (i % 2 == 1 || i + 1 == cp->processors) {
            call_line(call, "%s", text_get(&line));
            text_clear(&line);
        }
    }
    text_free(&line);
}

static unsigned average_busy(const struct cp *cp)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < cp->processors; i++)
        sum += busy(cp, &cp->processor[i]);
    return cp->processors ? sum / cp->processors : 0;
}

static int load(struct command_call *call)
{
    struct queue_counts n;
    if (call_end(call))
        return call->out->rc;
    cp_sync_processors(call->cp);
    n = count_queues(call->cp);
    call_line(call, "AVGPROC-%03u%% %02u", average_busy(call->cp), call->cp->processors);
    call_line(call, "MDC READS-000000/SEC WRITES-000000/SEC HIT RATIO-000%%");
    call_line(call, "PAGING-0/SEC");
    if (!(call->classes & CLASS('E'))) {
        call_line(call, "Q0-%05u Q1-%05u           Q2-%05u EXPAN-001 Q3-%05u EXPAN-001", n.q[0],
                  n.q[1], n.q[2], n.q[3]);
        return 0;
    }
    call_line(call, "Q0-%05u(00000)                           DORMANT-%05u", n.q[0], n.dormant);
    call_line(call, "Q1-%05u(00000)           E1-00000(00000)", n.q[1]);
    call_line(call, "Q2-%05u(00000) EXPAN-001 E2-00000(00000)", n.q[2]);
    call_line(call, "Q3-%05u(00000) EXPAN-001 E3-00000(00000)", n.q[3]);
    call_line(call, "%s", "");
    show_processors(call);
    call_line(call, "%s", "");
    call_line(call, "LIMITED-%05u", n.limited);
    return 0;
}

// --- USER --------------------------------------------------------------------

static void minutes(struct text *text, tod_t span)
{
    uint64_t seconds = span / TOD_SECOND;
    text_printf(text, "%03u:%02u", (unsigned)(seconds / 60), (unsigned)(seconds % 60));
}

static void show_ipl(struct text *line, const struct vm *vm)
{
    uint16_t number;
    if (!vm->ipl_system[0])
        text_printf(line, "IPLSYS=%-8s", "NONE");
    else if (parse_vdev(vm->ipl_system, &number))
        text_printf(line, "IPLSYS=DEV %04X", number);
    else
        text_printf(line, "IPLSYS=%-8.8s", vm->ipl_system);
}

static unsigned count_devices(const struct vm *vm)
{
    unsigned n = 0;
    for (struct device *d = css_next(vm->machine->css, -1); d;
         d = css_next(vm->machine->css, d->number))
        n++;
    return n;
}

static uint64_t starts(const struct vcpu *vcpu)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < sizeof vcpu->ssch / sizeof *vcpu->ssch; i++)
        sum += vcpu->ssch[i];
    return sum;
}

static void show_cpu(struct command_call *call, const struct vm *vm, const struct vcpu *vcpu)
{
    struct text line = {0};
    uint64_t connect = (clock_now(&call->cp->world->clock) - vm->logon_time) / (60 * TOD_SECOND);
    text_printf(&line, "CPU %02X: CTIME=%02u:%02u VTIME=", vcpu->cpu->address,
                (unsigned)(connect / 60), (unsigned)(connect % 60));
    minutes(&line, vcpu->guest_time);
    text_puts(&line, " TTIME=");
    minutes(&line, vcpu->guest_time + vcpu->cp_time);
    call_line(call, "%s IO=%06llu", text_get(&line), (unsigned long long)starts(vcpu));
    call_line(call, "        RDR=%06llu PRT=%06llu PCH=000000 TYPE=CP   CPUAFFIN=ON",
              (unsigned long long)vm->spool_reads, (unsigned long long)vm->spool_writes);
    text_free(&line);
}

static void show_user(struct command_call *call, const struct vm *vm)
{
    struct text line = {0};
    uint64_t pages = vm->storage / 4096;
    text_printf(&line, "USERID=%-8s MACH=%-3s STOR=", vm->userid, vm->mode);
    format_size(&line, vm->storage);
    call_line(call, "%s VIRT=V XSTORE=---", text_get(&line));
    text_clear(&line);
    show_ipl(&line, vm);
    call_line(call, "%s DEVNUM=%05u", text_get(&line), count_devices(vm));
    // Guest storage is never paged: all of it counts as resident.
    call_line(call, "PAGES: RES=%llu  WS=%llu  LOCKEDREAL=0  RESVD=0", (unsigned long long)pages,
              (unsigned long long)pages);
    call_line(call, "       INSTAN=%llu", (unsigned long long)pages);
    call_line(call, "NPREF=0  PREF=0  READS=0  WRITES=0");
    text_free(&line);
    for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
        if (vm->vcpu[i])
            show_cpu(call, vm, vm->vcpu[i]);
}

static int user(struct command_call *call)
{
    struct vm *vm = call->vm;
    if (call_peek(call) && !text_abbreviates(call_peek(call), "EXPANDED", 3)) {
        const char *word = call_peek(call);
        vm = call_user(call);
        if (!vm)
            return call->out->rc;
        if (vm != call->vm && !(call->classes & CLASS('E')))
            return call_error(call, MESSAGE_invalid_operand, word);
    }
    call_keyword(call, "EXPANDED", 3);
    if (call_end(call))
        return call->out->rc;
    show_user(call, vm);
    return 0;
}

// --- QUEUES and the others ---------------------------------------------------

// What a virtual CPU does, in INDICATE QUEUES' two letters.
static void state_word(const struct vcpu *vcpu, char word[12])
{
    static const char *const words[] = {
        [VCPU_STOPPED] = "",        [VCPU_DORMANT] = "",       [VCPU_READY] = "R",
        [VCPU_RUNNING] = "R",       [VCPU_IO_WAIT] = "IO",     [VCPU_PAGE_WAIT] = "PG",
        [VCPU_CONSOLE_WAIT] = "CF", [VCPU_DISABLED_WAIT] = "",
    };
    if (vcpu->state == VCPU_RUNNING && vcpu->on)
        snprintf(word, 12, "R%02u", vcpu->on->address);
    else
        snprintf(word, 12, "%s", words[vcpu->state]);
}

static void show_queued(struct command_call *call, const struct vcpu *vcpu, bool expanded)
{
    const struct vm *vm = vcpu->vm;
    unsigned pages = (unsigned)(vm->storage / 4096);
    char member[8] = "", state[12];
    if (vcpu->cpu->address)
        snprintf(member, sizeof member, "MP%02X", vcpu->cpu->address & 0xFFu);
    state_word(vcpu, state);
    int64_t ahead = (int64_t)(vcpu->priority - vcpu->vm->cp->pass);
    call_line(call, "%-8s %-4s  Q%c %-3s %08u/%08u %c... %9.3f A%02u", vm->userid, member,
              vm->set.quickdsp ? '0' : '3', state, pages, pages, vm->set.quickdsp ? 'Q' : '.',
              (double)ahead / (double)TOD_SECOND, vcpu->last_processor);
    if (expanded)
        call_line(call, "               DISP=%llu VTIME=%.3f TTIME=%.3f",
                  (unsigned long long)vcpu->dispatches, tod_to_seconds(vcpu->guest_time),
                  tod_to_seconds(vcpu->guest_time + vcpu->cp_time));
}

static int queues(struct command_call *call)
{
    bool expanded = call_keyword(call, "EXPANDED", 3);
    char state[12];
    if (call_end(call))
        return call->out->rc;
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next)
        for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++) {
            if (!vm->vcpu[i])
                continue;
            state_word(vm->vcpu[i], state);
            if (state[0])
                show_queued(call, vm->vcpu[i], expanded);
        }
    return 0;
}

static int io(struct command_call *call)
{
    bool any = false;
    if (call_end(call))
        return call->out->rc;
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next)
        for (unsigned i = 0; i < MACHINE_MAX_CPUS; i++)
            if (vm->vcpu[i] && vm->vcpu[i]->state == VCPU_IO_WAIT) {
                call_line(call, "%-8s", vm->userid);
                any = true;
            }
    if (!any)
        call_line(call, "No users in I/O wait");
    return 0;
}

static int paging(struct command_call *call)
{
    if (!call_keyword(call, "WAIT", 4) && !call_keyword(call, "ALL", 3))
        return call_error(call, MESSAGE_operand_missing);
    if (call_end(call))
        return call->out->rc;
    call_line(call, "No users in page wait"); // guest storage is never paged
    return 0;
}

static int active(struct command_call *call)
{
    unsigned users = 0, queued = 0;
    if (call_end(call))
        return call->out->rc;
    for (const struct vm *vm = call->cp->users; vm; vm = vm->next) {
        users++;
        queued += vm->active_vcpus > 0;
    }
    call_line(call, "%5u USERS, %5u DISP, %5u NONDISP", users, queued, users - queued);
    return 0;
}

#define E CLASS('E')
static const struct command top_rows[] = {
    {"INDICATE", 3, CLASS('E') | CLASS('G'), false, indicate, "[operand ...]",
     "Shows how the system is used. HELP INDICATE lists the operands; without one: LOAD."},
};
static const struct command rows[] = {
    {"LOAD", 4, CLASS('E') | CLASS('G'), false, load, "",
     "Shows the use of each processor since IPL and how many virtual CPUs are in the dispatch "
     "list. "
     "Class G sees a shorter form."},
    {"USER", 4, CLASS('E') | CLASS('G'), false, user, "[userid | *] [EXPanded]",
     "Shows storage, devices, times and counts of a user. Another user's: class E."},
    {"QUEUES", 1, E, false, queues, "[EXPanded]",
     "Lists the virtual CPUs in the dispatch list with state, pages, priority and processor."},
    {"I/O", 1, E, false, io, "", "Lists the users that wait for input or output."},
    {"PAGING", 3, E, false, paging, "{WAIT | ALL}", "Lists the users that wait for pages."},
    {"ACTIVE", 3, E, false, active, "", "Counts the users, by whether they want to run."},
};
COMMAND_TABLE(indicate_verb_commands, NULL, top_rows);
COMMAND_TABLE(indicate_commands, "INDICATE", rows);
