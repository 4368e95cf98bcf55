// SPDX-License-Identifier: MIT
// How blocks are run today: by the interpreter.
#ifndef ENDICOTT_CPU_RUN_H
#define ENDICOTT_CPU_RUN_H

#include "cpu/block.h"

const struct insn *block_interpret(struct cpu *cpu, struct block *block);

#endif
