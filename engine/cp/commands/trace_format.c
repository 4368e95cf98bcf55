// SPDX-License-Identifier: MIT
// An instruction as TRACE shows it: its operand's address, not its operands, and the condition code
// it left.
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "cp/commands/trace_inside.h"
#include "cpu/opcode.h"

// B in the high nibble and a 12-bit displacement.
static uint64_t base_displacement(const struct cpu *cpu, const uint8_t *bd)
{
    unsigned b = bd[0] >> 4;
    return (b ? cpu->gr[b] : 0) + ((bd[0] & 15u) << 8 | bd[1]);
}

// The 20-bit form: DL in bd[0..1], DH, signed, in bd[2].
static uint64_t base_long_displacement(const struct cpu *cpu, const uint8_t *bd)
{
    return base_displacement(cpu, bd) + ((uint64_t)(int64_t)(int8_t)bd[2] << 12);
}

static uint64_t index_of(const struct cpu *cpu, const uint8_t *text)
{
    unsigned x = text[1] & 15;
    return x ? cpu->gr[x] : 0;
}

static uint64_t relative16(uint64_t address, const uint8_t *i)
{
    return address + (uint64_t)((int64_t)(int16_t)be16_load(i) * 2);
}

static uint64_t relative32(uint64_t address, const uint8_t *i)
{
    return address + (uint64_t)((int64_t)(int32_t)be32_load(i) * 2);
}

// The address that the format gives; false when it has none.
static bool operand_address(const struct cpu *cpu, enum opcode_format format, uint64_t address,
                            const uint8_t *text, bool branch, uint64_t *operand)
{
    switch (format) {
    case FORMAT_RX_A:
    case FORMAT_RX_B:
    case FORMAT_RXE:
    case FORMAT_RXF:
        *operand = base_displacement(cpu, text + 2) + index_of(cpu, text);
        return true;
    case FORMAT_RXY_A:
    case FORMAT_RXY_B:
        *operand = base_long_displacement(cpu, text + 2) + index_of(cpu, text);
        return true;
    case FORMAT_RSY_A:
    case FORMAT_RSY_B:
    case FORMAT_SIY:
        *operand = base_long_displacement(cpu, text + 2);
        return true;
    case FORMAT_RS_A:
    case FORMAT_RS_B:
    case FORMAT_S:
    case FORMAT_SI:
    case FORMAT_SIL:
    case FORMAT_RSL_A:
    case FORMAT_RSL_B:
    case FORMAT_SS_A:
    case FORMAT_SS_B:
    case FORMAT_SS_C:
    case FORMAT_SS_D:
    case FORMAT_SS_E:
    case FORMAT_SS_F:
    case FORMAT_SSE:
    case FORMAT_SSF:
        *operand = base_displacement(cpu, text + 2);
        return true;
    case FORMAT_RIS:
    case FORMAT_RRS: // the branch address is B4, D4
        *operand = base_displacement(cpu, text + 2);
        return branch;
    case FORMAT_RI_B:
    case FORMAT_RI_C:
    case FORMAT_RSI:
    case FORMAT_RIE_B:
    case FORMAT_RIE_C:
    case FORMAT_RIE_E:
        *operand = relative16(address, text + 2);
        return branch;
    case FORMAT_RIL_B:
    case FORMAT_RIL_C:
        *operand = relative32(address, text + 2);
        return true;
    case FORMAT_RR:
        *operand = cpu->gr[text[1] & 15];
        return branch && (text[1] & 15) != 0;
    default:
        return false;
    }
}

// Shifts name an amount by an address, not storage.
static const char *const computed[] = {
    "LA",   "LAY",  "LARL", "LAE",  "LAEY", "SLA",  "SLL",  "SRA",  "SRL",  "SLDA", "SLDL", "SRDA",
    "SRDL", "SLAG", "SLLG", "SRAG", "SRLG", "SLAK", "SLLK", "SRAK", "SRLK", "RLL",  "RLLG"};
static const char *const stores[] = {
    "MVI",  "MVIY", "MVC",  "MVN",  "MVZ",   "MVO",  "MVCIN", "MVHHI", "MVHI", "MVGHI",
    "NI",   "NIY",  "OI",   "OIY",  "XI",    "XIY",  "NC",    "OC",    "XC",   "TR",
    "TS",   "CS",   "CSY",  "CSG",  "CDS",   "CDSY", "CDSG",  "CVD",   "CVDY", "CVDG",
    "PACK", "UNPK", "ZAP",  "AP",   "SP",    "MP",   "DP",    "ED",    "EDMK", "SRP",
    "ASI",  "AGSI", "TSCH", "MVCK", "MVCDK", "PKA",  "PKU",   "UNPKA", "UNPKU"};

static bool is_one_of(const char *mnemonic, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(mnemonic, list[i]) == 0)
            return true;
    return false;
}

static enum operand_kind kind_of(const char *mnemonic)
{
    if (is_one_of(mnemonic, computed, sizeof computed / sizeof *computed))
        return OPERAND_COMPUTED;
    if (strncmp(mnemonic, "ST", 2) == 0 ||
        is_one_of(mnemonic, stores, sizeof stores / sizeof *stores))
        return OPERAND_STORE;
    return OPERAND_FETCH;
}

struct traced_operand trace_operand(const struct cpu *cpu, uint64_t address, const uint8_t *text,
                                    bool branch)
{
    const struct opcode *row = opcode_find(text);
    struct traced_operand operand = {0};
    if (!row || !operand_address(cpu, (enum opcode_format)row->format, address, text, branch,
                                 &operand.address))
        return (struct traced_operand){0};
    operand.kind = branch ? OPERAND_BRANCH : kind_of(row->mnemonic);
    if (operand.kind != OPERAND_COMPUTED)
        operand.address = cpu_wrap(cpu, operand.address);
    return operand;
}

// Eight digits in the 24- and 31-bit addressing modes, sixteen in the 64-bit one.
static void put_address(struct text *text, const struct cpu *cpu, uint64_t address)
{
    text_printf(text, "%0*llX", cpu->psw.ea ? 16 : 8, (unsigned long long)address);
}

static void put_operand(struct text *text, const struct cpu *cpu, const struct traced *traced,
                        uint64_t next)
{
    static const char *const marks[] = {"", "    ", " >> ", "  = ", "    "};
    unsigned n = traced->text[0] < 0x40 ? 2 : traced->text[0] < 0xC0 ? 4 : 6;
    bool led_elsewhere = next != cpu_wrap(cpu, traced->address + n);
    if (led_elsewhere) {
        text_puts(text, " -> ");
        put_address(text, cpu, next);
        text_puts(text, traced->dat ? "'" : "");
    } else if (traced->operand.kind != OPERAND_NONE) {
        text_puts(text, marks[traced->operand.kind]);
        put_address(text, cpu, traced->operand.address);
    }
}

void trace_format(struct text *text, const struct cpu *cpu, const struct traced *traced,
                  uint64_t next)
{
    const struct opcode *row = opcode_find(traced->text);
    unsigned n = traced->text[0] < 0x40 ? 2 : traced->text[0] < 0xC0 ? 4 : 6;
    char hex[13];
    for (unsigned i = 0; i < n; i++)
        snprintf(hex + 2 * i, 3, "%02X", traced->text[i]);
    text_puts(text, traced->first ? " -> " : "    ");
    put_address(text, cpu, traced->address);
    text_printf(text, "%c %-7s %-8s", traced->dat ? '\'' : ' ', row ? row->mnemonic : "????", hex);
    put_operand(text, cpu, traced, next);
    text_printf(text, "    CC %u", cpu->psw.cc);
}
