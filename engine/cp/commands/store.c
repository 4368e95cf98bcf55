// SPDX-License-Identifier: MIT
// STORE: into storage, registers and the PSW of the guest, and STORE STATUS.
#include <string.h>

#include "base/bytes.h"
#include "cp/commands/guest_storage.h"
#include "cp/commands/table.h"

static int stored(struct command_call *call)
{
    call_line(call, "Store complete.");
    return 0;
}

static int take_hex(struct command_call *call, unsigned digits, uint64_t *value)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_data_missing);
    if (strlen(word) > digits || !text_to_u64(word, 16, UINT64_MAX, value))
        return call_error(call, MESSAGE_invalid_hexdata, word);
    return 0;
}

static int exceeds(struct command_call *call, const char *word)
{
    return call_error(call, MESSAGE_hexloc_exceeds, word);
}

// Words, each of up to eight digits, right-aligned in four bytes.
static int store_words(struct command_call *call, struct cpu *cpu, enum space space,
                       const char *word)
{
    uint8_t bytes[4 * COMMAND_WORDS];
    uint64_t address, value;
    unsigned n = 0;
    if (!text_to_u64(word, 16, UINT64_MAX, &address))
        return call_error(call, MESSAGE_invalid_hexloc, word);
    do {
        if (take_hex(call, 8, &value))
            return call->out->rc;
        be32_store(bytes + n, (uint32_t)value);
        n += 4;
    } while (call_peek(call));
    address &= ~UINT64_C(3);
    return guest_write(cpu, space, address, bytes, n) ? stored(call) : exceeds(call, word);
}

static bool parse_hex_string(const char *word, uint8_t *bytes, unsigned *n, unsigned max)
{
    for (; *word; word += 2) {
        char pair[3] = {word[0], word[1], '\0'};
        uint64_t value;
        if (!pair[1] || *n == max || !text_to_u64(pair, 16, 255, &value))
            return false;
        bytes[(*n)++] = (uint8_t)value;
    }
    return true;
}

// STORE S: a string of bytes; blanks between pairs of digits do not count.
static int store_string(struct command_call *call, struct cpu *cpu, enum space space,
                        const char *word)
{
    uint8_t bytes[1024];
    uint64_t address;
    unsigned n = 0;
    if (!text_to_u64(word, 16, UINT64_MAX, &address))
        return call_error(call, MESSAGE_invalid_hexloc, word);
    if (!call_peek(call))
        return call_error(call, MESSAGE_data_missing);
    while (call_peek(call)) {
        const char *data = call_take(call);
        if (!parse_hex_string(data, bytes, &n, sizeof bytes))
            return call_error(call, MESSAGE_invalid_hexdata, data);
    }
    return guest_write(cpu, space, address, bytes, n) ? stored(call) : exceeds(call, word);
}

enum bank { BANK_GENERAL, BANK_CONTROL, BANK_FLOATING, BANK_ACCESS };

static void put_register(struct cpu *cpu, enum bank bank, bool wide, unsigned n, uint64_t value)
{
    const uint64_t low = UINT32_MAX;
    switch (bank) {
    case BANK_GENERAL:
        cpu->gr[n] = wide ? value : (cpu->gr[n] & ~low) | value;
        break;
    case BANK_CONTROL:
        cpu->cr[n] = wide ? value : (cpu->cr[n] & ~low) | value;
        break;
    case BANK_FLOATING:
        cpu->vr[n].high = value;
        break;
    case BANK_ACCESS:
        cpu->ar[n] = (uint32_t)value;
        break;
    }
}

static const struct {
    const char *operand;
    enum bank bank;
    bool wide;
} banks[] = {
    {"GG", BANK_GENERAL, true}, {"G", BANK_GENERAL, false},  {"XG", BANK_CONTROL, true},
    {"X", BANK_CONTROL, false}, {"YG", BANK_FLOATING, true}, {"Y", BANK_FLOATING, true},
    {"AR", BANK_ACCESS, false},
};

static int store_registers(struct command_call *call, struct cpu *cpu, size_t bank,
                           const char *number)
{
    uint64_t value[16];
    unsigned first, last, n = 0;
    if (!*number || !parse_register_range(number, &first, &last) || first != last)
        return call_error(call, MESSAGE_invalid_register, number);
    do {
        if (first + n > 15)
            return call_error(call, MESSAGE_invalid_register, number);
        if (take_hex(call, banks[bank].wide ? 16 : 8, &value[n]))
            return call->out->rc;
        n++;
    } while (call_peek(call));
    for (unsigned i = 0; i < n; i++)
        put_register(cpu, banks[bank].bank, banks[bank].wide, first + i, value[i]);
    cpu_state_changed(cpu);
    return stored(call);
}

// One word: the address. Two: a PSW of eight bytes. Four (or two of 16 digits): of sixteen.
static int store_psw(struct command_call *call, struct cpu *cpu)
{
    uint8_t psw[16];
    unsigned n = 0;
    while (call_peek(call)) {
        const char *word = call_peek(call);
        uint64_t value;
        bool wide = strlen(word) > 8;
        if (take_hex(call, 16, &value))
            return call->out->rc;
        if (n + (wide ? 8 : 4) > sizeof psw)
            return call_error(call, MESSAGE_invalid_hexdata, word);
        if (wide)
            be64_store(psw + n, value);
        else
            be32_store(psw + n, (uint32_t)value);
        n += wide ? 8 : 4;
    }
    if (n == 4)
        cpu->psw.address = be32_load(psw);
    else if (n == 8 && cpu->arch == ARCH_Z)
        cpu_psw_unpack_short(cpu, psw);
    else if (n == 8 || (n == 16 && cpu->arch == ARCH_Z))
        cpu_psw_unpack(cpu, psw);
    else
        return call_error(call, MESSAGE_data_missing);
    cpu_state_changed(cpu);
    return stored(call);
}

static int store_storage(struct command_call *call, struct cpu *cpu, const char *word)
{
    enum space space = SPACE_PSW;
    bool string = *word == 'S';
    if (string)
        word++;
    if (strncmp(word, "ABS", 3) == 0) {
        space = SPACE_ABSOLUTE;
        word += 3;
    } else if (*word == 'R' || *word == 'V') {
        space = *word++ == 'R' ? SPACE_REAL : SPACE_PSW;
    }
    if (!*word && !(word = call_take(call)))
        return call_error(call, MESSAGE_hexloc_missing);
    return string ? store_string(call, cpu, space, word) : store_words(call, cpu, space, word);
}

static int store(struct command_call *call)
{
    const char *word = call_take(call);
    if (!word)
        return call_error(call, MESSAGE_operand_missing);
    struct cpu *cpu = call_cpu(call);
    if (text_abbreviates(word, "STATUS", 4)) {
        if (call_end(call))
            return call->out->rc;
        cpu_store_status(cpu, 0);
        return stored(call);
    }
    if (strcmp(word, "PSW") == 0)
        return store_psw(call, cpu);
    for (size_t bank = 0; bank < sizeof banks / sizeof *banks; bank++) {
        size_t n = strlen(banks[bank].operand);
        if (strncmp(word, banks[bank].operand, n) == 0)
            return store_registers(call, cpu, bank, word + n);
    }
    return store_storage(call, cpu, word);
}

#define SYNTAX                                                                                   \
    "{[R | V | ABS]hexloc word ... | S[R | V | ABS]hexloc hexdata ... | {G | GG | X | XG | Y | " \
    "AR}n value ... | PSW word ... | STATUS}"
static const struct command rows[] = {
    {"STORE", 2, CLASS('G') | CLASS('C'), false, store, SYNTAX,
     "Stores words, or with S a string of bytes, into storage of your virtual machine; values into "
     "general (G, 64 bits: GG), control (X, XG), floating-point (Y) and access (AR) registers; the "
     "PSW, or its address when one word is given. STATUS stores the CPU's status at the assigned "
     "locations."},
};
COMMAND_TABLE(store_commands, NULL, rows);
