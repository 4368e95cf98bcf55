// SPDX-License-Identifier: MIT
// DISPLAY's operands that are registers, the PSW, the prefix and subchannels.
#include "cp/commands/display.h"

#include <string.h>

#include "base/bytes.h"
#include "cp/commands/guest_storage.h"

static uint64_t general(const struct cpu *cpu, unsigned n)
{
    return cpu->gr[n];
}

static uint64_t control(const struct cpu *cpu, unsigned n)
{
    return cpu->cr[n];
}

static uint64_t access_register(const struct cpu *cpu, unsigned n)
{
    return cpu->ar[n];
}

static uint64_t floating(const struct cpu *cpu, unsigned n)
{
    return cpu->vr[n].high;
}

// In the order in which prefixes are tried: GG before G, XG before X.
static const struct {
    const char *operand, *heading;
    bool wide; // 64 bits, two a line; else 32 bits, four a line
    uint64_t (*value)(const struct cpu *cpu, unsigned n);
} banks[] = {
    {"GG", "GRG", true, general},          {"G", "GPR", false, general},
    {"XG", "CRG", true, control},          {"X", "ECR", false, control},
    {"YG", "FPR", true, floating},         {"Y", "FPR", true, floating},
    {"AR", "AR ", false, access_register},
};

static void show_bank(struct command_call *call, const struct cpu *cpu, size_t bank, unsigned first,
                      unsigned last)
{
    unsigned per_line = banks[bank].wide ? 2 : 4;
    for (unsigned n = first; n <= last; n += per_line) {
        struct text line = {0};
        text_printf(&line, "%s %2u = ", banks[bank].heading, n);
        for (unsigned i = n; i < n + per_line && i <= last; i++)
            text_printf(&line, banks[bank].wide ? " %016llX" : " %08llX",
                        (unsigned long long)(banks[bank].wide
                                                 ? banks[bank].value(cpu, i)
                                                 : banks[bank].value(cpu, i) & UINT32_MAX));
        call_line(call, "%s", text_get(&line));
        text_free(&line);
    }
}

void format_psw(struct text *text, const struct cpu *cpu)
{
    uint8_t psw[16];
    cpu_psw_pack(cpu, psw);
    if (cpu->arch == ARCH_Z)
        text_printf(text, "PSW = %016llX %016llX", (unsigned long long)be64_load(psw),
                    (unsigned long long)be64_load(psw + 8));
    else
        text_printf(text, "PSW = %08X %08X", (unsigned)be32_load(psw),
                    (unsigned)be32_load(psw + 4));
}

static int display_psw(struct command_call *call, const struct cpu *cpu)
{
    struct text line = {0};
    format_psw(&line, cpu);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
    return 0;
}

// Fields of the SCHIB (Principles of Operation, "Subchannel-Information Block"): interruption
// parameter 0, ISC and flags 4, device 6, LPM PNOM LPUM PIM 8, MBI 12, POM PAM 14, CHPIDs 16.
static void show_schib(struct command_call *call, struct channel_subsystem *css, unsigned sch)
{
    uint8_t s[52];
    if (css_store(css, 0x00010000u | sch, s) != 0)
        return;
    call_line(call, "%04X  %04X %08X %u   %X%X  %02X %02X   %02X  %02X %04X %02X %02X %08X  %08X",
              sch, be16_load(s + 6), (unsigned)be32_load(s), s[4] >> 3 & 7, s[5] >> 4, s[5] & 15,
              s[8], s[9], s[10], s[11], be16_load(s + 12), s[14], s[15],
              (unsigned)be32_load(s + 16), (unsigned)be32_load(s + 20));
}

static int display_schib(struct command_call *call)
{
    static const char heading[] =
        "SCHIB DEV  INT-PARM ISC FLG LP PNO  LPU PI MBI  PO PA CHPID0-3  CHPID4-7";
    struct channel_subsystem *css = call->vm->machine->css;
    const char *word = call_take(call);
    uint16_t vdev;
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    if (strcmp(word, "ALL") == 0) {
        call_line(call, "%s", heading);
        for (struct device *d = css_next(css, -1); d; d = css_next(css, d->number))
            show_schib(call, css, (unsigned)css_subchannel_number(css, d->number));
        return 0;
    }
    if (!parse_vdev(word, &vdev))
        return call_error(call, MESSAGE_vdev_missing);
    int sch = css_subchannel_number(css, vdev);
    if (sch < 0)
        return call_error(call, MESSAGE_no_such_vdev, vdev);
    call_line(call, "%s", heading);
    show_schib(call, css, (unsigned)sch);
    return 0;
}

int display_register(struct command_call *call, struct cpu *cpu, const char *word)
{
    unsigned first, last;
    if (strcmp(word, "PSW") == 0)
        return display_psw(call, cpu);
    if (strcmp(word, "SCHIB") == 0)
        return display_schib(call);
    if (strcmp(word, "PREFIX") == 0) {
        call_line(call, "PREFIX = %08llX", (unsigned long long)cpu->prefix);
        return 0;
    }
    for (size_t bank = 0; bank < sizeof banks / sizeof *banks; bank++) {
        size_t n = strlen(banks[bank].operand);
        if (strncmp(word, banks[bank].operand, n) != 0)
            continue;
        if (!parse_register_range(word + n, &first, &last))
            return call_error(call, MESSAGE_invalid_register, word + n);
        show_bank(call, cpu, bank, first, last);
        return 0;
    }
    return DISPLAY_NO_REGISTER;
}
