// SPDX-License-Identifier: MIT
// The instruction table's rows, and finding one.
#include "cpu/opcode.h"

#include <pthread.h>

#include "base/memory.h"
#include "cpu/handlers.h"

#define FAST(m, code, format, facility, flags, handler) \
    {#m, code, FORMAT_##format, facility, flags, INTERCEPT_COUNT, handler, NULL, NULL},
#define SLOW(m, code, format, facility, flags, function) \
    {#m, code, FORMAT_##format, facility, flags, INTERCEPT_COUNT, NULL, function, NULL},
#define DOOR(m, code, format, facility, flags, reason, function) \
    {#m, code, FORMAT_##format, facility, flags, INTERCEPT_##reason, NULL, NULL, function},

const struct opcode opcode_table[] = {
#include "cpu/opcodes_general.def"
#include "cpu/opcodes_decimal.def"
#include "cpu/opcodes_float.def"
#include "cpu/opcodes_dfp.def"
#include "cpu/opcodes_vector.def"
#include "cpu/opcodes_vector_decimal.def"
#include "cpu/opcodes_hfp.def"
#include "cpu/opcodes_sorting.def"
#include "cpu/opcodes_compression.def"
#include "cpu/opcodes_crypto.def"
#include "cpu/opcodes_control.def"
#include "cpu/opcodes_linkage.def"
#include "cpu/opcodes_guarded.def"
#include "cpu/opcodes_measurement.def"
#include "cpu/opcodes_io.def"
};

const unsigned opcode_count = sizeof opcode_table / sizeof opcode_table[0];

// Row number + 1 by first byte and extension.
static uint16_t row_index[0x10000];
static pthread_once_t indexed = PTHREAD_ONCE_INIT;

enum extension { EXTENSION_NONE, EXTENSION_BYTE1, EXTENSION_NIBBLE, EXTENSION_BYTE5 };

static enum extension extension_of(uint8_t first)
{
    switch (first) {
    case 0x01:
    case 0xB2:
    case 0xB3:
    case 0xB9:
    case 0xE5:
        return EXTENSION_BYTE1;
    case 0xA5:
    case 0xA7:
    case 0xC0:
    case 0xC2:
    case 0xC4:
    case 0xC6:
    case 0xC8:
    case 0xCC:
        return EXTENSION_NIBBLE;
    case 0xE3:
    case 0xE6:
    case 0xE7:
    case 0xEB:
    case 0xEC:
    case 0xED:
        return EXTENSION_BYTE5;
    default:
        return EXTENSION_NONE;
    }
}

static void make_index(void)
{
    for (unsigned i = 0; i < opcode_count; i++) {
        INVARIANT(row_index[opcode_table[i].code] == 0);
        row_index[opcode_table[i].code] = (uint16_t)(i + 1);
    }
}

const struct opcode *opcode_find(const uint8_t *text)
{
    pthread_once(&indexed, make_index);
    unsigned code = (unsigned)text[0] << 8;
    switch (extension_of(text[0])) {
    case EXTENSION_BYTE1:
        code |= text[1];
        break;
    case EXTENSION_NIBBLE:
        code |= text[1] & 15u;
        break;
    case EXTENSION_BYTE5:
        code |= text[5];
        break;
    case EXTENSION_NONE:
        break;
    }
    return row_index[code] ? &opcode_table[row_index[code] - 1] : NULL;
}

const struct opcode *opcode_for_cpu(const struct cpu *cpu, const uint8_t *text)
{
    const struct opcode *row = opcode_find(text);
    if (!row || (row->flags & OP_Z && cpu->arch != ARCH_Z))
        return NULL;
    return row->facility == FACILITY_NONE || cpu_facility(cpu, row->facility) ? row : NULL;
}
