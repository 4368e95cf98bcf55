// SPDX-License-Identifier: MIT
// Prototypes of all instruction handlers, made from the instruction table.
#ifndef ENDICOTT_CPU_HANDLERS_H
#define ENDICOTT_CPU_HANDLERS_H

#include "cpu/execute.h"
#include "cpu/opcode.h"

#define FAST(m, code, format, facility, flags, handler)  HANDLER(handler);
#define SLOW(m, code, format, facility, flags, function) PLAIN(function);
#define DOOR(m, code, format, facility, flags, reason, function) \
    void function(struct cpu *cpu, const struct door_call *call);
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
#undef FAST
#undef SLOW
#undef DOOR

#endif
