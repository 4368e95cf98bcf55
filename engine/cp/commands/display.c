// SPDX-License-Identifier: MIT
// DISPLAY: storage in its forms, keys, and the operands that are registers.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/commands/display.h"
#include "cp/commands/guest_storage.h"
#include "cp/commands/table.h"

#define DISPLAY_MAX_LINES 10000u // what one operand may show

enum form { FORM_HEX, FORM_EBCDIC, FORM_ASCII, FORM_INSTRUCTIONS, FORM_KEYS };

struct storage_operand {
    enum space space;
    enum form form;
    uint64_t first, last;
    char letter;    // V, R or A in front of the address
    unsigned width; // of addresses
};

// "V00000020", "R0000000100000000"
static void put_address(struct text *text, const struct storage_operand *o, uint64_t address)
{
    text_printf(text, "%c%0*llX", o->letter, (int)o->width, (unsigned long long)address);
}

static void put_text(struct text *text, const struct storage_operand *o, const uint8_t *bytes,
                     unsigned n)
{
    char shown[17 * 4]; // room for UTF-8
    if (o->form == FORM_EBCDIC)
        ebcdic_to_utf8(codepage_default(), bytes, n, shown, sizeof shown);
    for (unsigned i = 0; i < n; i++) {
        char c = o->form == FORM_EBCDIC ? shown[i] : (char)bytes[i];
        // Blanks stay, everything that is not printable ASCII becomes a full stop.
        bool blank = o->form == FORM_EBCDIC ? bytes[i] == 0x40 : bytes[i] == ' ';
        shown[i] = blank ? ' ' : c > ' ' && c < 0x7F ? c : '.';
    }
    shown[n] = '\0';
    text_printf(text, "*%s*", shown);
}

static void put_words(struct text *text, const uint8_t *bytes, unsigned n)
{
    for (unsigned i = 0; i < n; i += 4)
        text_printf(text, " %08X", (unsigned)be32_load(bytes + i));
}

static int storage_missing(struct command_call *call, uint64_t address)
{
    char hexloc[20];
    snprintf(hexloc, sizeof hexloc, "%08llX", (unsigned long long)address);
    return call_error(call, MESSAGE_hexloc_exceeds, hexloc);
}

// One line of up to four words; the key is shown with the first one of each frame.
static void show_line(struct command_call *call, struct cpu *cpu, const struct storage_operand *o,
                      uint64_t address, const uint8_t *bytes, unsigned n)
{
    struct text line = {0};
    uint64_t absolute = 0;
    put_address(&line, o, address);
    text_puts(&line, " ");
    put_words(&line, bytes, n);
    if (o->form == FORM_EBCDIC || o->form == FORM_ASCII) {
        text_printf(&line, "%*s", (int)(16 - n) / 4 * 9, "");
        bool first = address == o->first || address % FRAME_SIZE < 16;
        if (first && guest_absolute(cpu, o->space, address, &absolute))
            text_printf(&line, " %02X ", (unsigned)storage_key(cpu->storage, absolute));
        else
            text_puts(&line, "    ");
        put_text(&line, o, bytes, n);
    }
    call_line(call, "%s", text_get(&line));
    text_free(&line);
}

static void show_suppressed(struct command_call *call, const struct storage_operand *o,
                            uint64_t first, uint64_t last)
{
    struct text line = {0};
    put_address(&line, o, first);
    text_printf(&line, " TO %0*llX SUPPRESSED LINE(S) SAME AS ABOVE ....", (int)o->width,
                (unsigned long long)last);
    call_line(call, "%s", text_get(&line));
    text_free(&line);
}

static int show_storage(struct command_call *call, struct cpu *cpu, const struct storage_operand *o)
{
    uint8_t bytes[16], above[16];
    uint64_t address = o->first & ~UINT64_C(3), same = 0;
    unsigned lines = 0;
    bool any = false;
    for (; address <= o->last && lines < DISPLAY_MAX_LINES; address += 16) {
        uint64_t left = (o->last - address) / 4 + 1;
        unsigned n = left < 4 ? (unsigned)left * 4 : 16;
        if (!guest_read(cpu, o->space, address, bytes, n))
            break;
        if (any && n == 16 && memcmp(bytes, above, 16) == 0) {
            same++;
            continue;
        }
        if (same)
            show_suppressed(call, o, address - same * 16, address - 1);
        same = 0;
        show_line(call, cpu, o, address, bytes, n);
        lines++;
        memcpy(above, bytes, 16);
        any = true;
        if (address > UINT64_MAX - 16)
            return 0;
    }
    if (same)
        show_suppressed(call, o, address - same * 16, address - 1);
    return address <= o->last && lines < DISPLAY_MAX_LINES ? storage_missing(call, address) : 0;
}

static int show_instructions(struct command_call *call, struct cpu *cpu,
                             const struct storage_operand *o)
{
    uint64_t address = o->first;
    unsigned lines = 0;
    while (address <= o->last && lines++ < DISPLAY_MAX_LINES) {
        uint8_t text[6] = {0};
        char shown[80];
        if (!guest_read(cpu, o->space, address, text, 2))
            return storage_missing(call, address);
        unsigned n = text[0] < 0x40 ? 2 : text[0] < 0xC0 ? 4 : 6;
        if (!guest_read(cpu, o->space, address, text, n))
            return storage_missing(call, address);
        cpu_disassemble(text, address, shown, sizeof shown);
        struct text line = {0};
        put_address(&line, o, address);
        text_puts(&line, "  ");
        for (unsigned i = 0; i < 6; i++)
            text_printf(&line, i < n ? "%02X" : "  ", text[i]);
        call_line(call, "%s  %s", text_get(&line), shown);
        text_free(&line);
        address += n;
    }
    return 0;
}

static int show_keys(struct command_call *call, struct cpu *cpu, const struct storage_operand *o)
{
    uint64_t start = o->first & ~(uint64_t)(FRAME_SIZE - 1), address = start, absolute;
    int key = -1;
    for (; address <= o->last; address += FRAME_SIZE) {
        if (!guest_absolute(cpu, o->space, address, &absolute))
            break;
        int here = storage_key(cpu->storage, absolute);
        if (key >= 0 && here != key) {
            call_line(call, "%c%0*llX TO %0*llX  KEY = %02X", o->letter, (int)o->width,
                      (unsigned long long)start, (int)o->width, (unsigned long long)address - 1,
                      (unsigned)key);
            start = address;
        }
        key = here;
    }
    if (key >= 0)
        call_line(call, "%c%0*llX TO %0*llX  KEY = %02X", o->letter, (int)o->width,
                  (unsigned long long)start, (int)o->width, (unsigned long long)address - 1,
                  (unsigned)key);
    return address <= o->last ? storage_missing(call, address) : 0;
}

// Strips the letters that choose space and form from the front of the operand.
static const char *take_prefixes(const char *word, struct storage_operand *o)
{
    if (strncmp(word, "ABS", 3) == 0) {
        *o = (struct storage_operand){.space = SPACE_ABSOLUTE, .letter = 'A'};
        word += 3;
    } else {
        *o = (struct storage_operand){.space = SPACE_PSW, .letter = 'V'};
    }
    for (;; word++) {
        if (*word == 'R')
            *o = (struct storage_operand){.space = SPACE_REAL, .letter = 'R', .form = o->form};
        else if (*word == 'T')
            o->form = FORM_EBCDIC;
        else if (*word == 'X' && o->form == FORM_EBCDIC)
            o->form = FORM_ASCII;
        else if (*word == 'I')
            o->form = FORM_INSTRUCTIONS;
        else if (*word == 'K')
            o->form = FORM_KEYS;
        else if (*word != 'V')
            return word;
    }
}

static int display_storage(struct command_call *call, struct cpu *cpu, const char *word)
{
    struct storage_operand o;
    const char *range = take_prefixes(word, &o);
    if (!*range) { // "D T 0.20": the letters stand apart
        range = call_take(call);
        if (!range)
            return call_error(call, MESSAGE_hexloc_missing);
    }
    enum range_fault fault =
        parse_storage_range(range, storage_size(cpu->storage) - 1, &o.first, &o.last);
    if (fault)
        return range_error(call, fault, range);
    o.width = o.last > UINT32_MAX ? 16 : 8;
    switch (o.form) {
    case FORM_INSTRUCTIONS:
        return show_instructions(call, cpu, &o);
    case FORM_KEYS:
        return show_keys(call, cpu, &o);
    default:
        return show_storage(call, cpu, &o);
    }
}

static int display(struct command_call *call)
{
    int rc = 0;
    if (!call_peek(call))
        return call_error(call, MESSAGE_operand_missing);
    struct cpu *cpu = call_cpu(call);
    while (rc == 0 && call_peek(call)) {
        const char *word = call_take(call);
        rc = display_register(call, cpu, word);
        if (rc == DISPLAY_NO_REGISTER)
            rc = display_storage(call, cpu, word);
    }
    return rc;
}

#define SYNTAX                                                                                 \
    "{[R | V | ABS][T | TX | I | K]hexloc[-hexloc2 | .length | -END] | G[n] | GG[n] | X[n] | " \
    "XG[n] | AR[n] | Y[n] | PSW | PREFIX | SCHIB {ALL | vdev}} ..."
static const struct command rows[] = {
    {"DISPLAY", 4, CLASS('G') | CLASS('C') | CLASS('E'), false, display, SYNTAX,
     "Shows storage of your virtual machine as words, with EBCDIC (T) or ASCII (TX) beside them, "
     "as "
     "instructions (I), or its storage keys (K); general (G, 64 bits: GG), control (X, XG), access "
     "(AR) and floating-point (Y) registers, the PSW, the prefix, and subchannels. R takes the "
     "address as real, ABS as absolute, else the PSW decides."},
    {"D", 1, CLASS('G') | CLASS('C') | CLASS('E'), false, display, "", "", "DISPLAY"},
};
COMMAND_TABLE(display_commands, NULL, rows);
