// SPDX-License-Identifier: MIT
// Models of CPU: a machine generation and the facilities that go with it, chosen by name and
// changed one by one. What is off is an operation exception, and absent from STFLE.
#ifndef ENDICOTT_CPU_MODEL_H
#define ENDICOTT_CPU_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu/cpu.h"

enum cpu_generation {
    GENERATION_Z900,
    GENERATION_Z990,
    GENERATION_Z9,
    GENERATION_Z10,
    GENERATION_Z196,
    GENERATION_ZEC12,
    GENERATION_Z13,
    GENERATION_Z14,
    GENERATION_Z15,
};

#define CPU_MODEL_MAX  "max" // all that is implemented; calls itself a z14
#define CPU_MODEL_TEXT 200   // room for a model in words, with what differs from the machine's

struct cpu_model {
    char name[8];
    uint16_t type;    // machine type, as the four digits that STIDP and STSI show
    char capacity[5]; // model-capacity identifier of STSI 1.1.1
    enum cpu_generation generation;
    uint64_t facilities[4]; // as STFLE stores them
};

// The model of CPUs that nobody chose one for.
void cpu_model_default(struct cpu_model *model);
// `text` is a name, facilities with a sign, or both: "z13", "z14,-129", "-vector", "z10 +45". A
// facility goes by its number or its name. 0, or -1 with a reason in `error`: a name that nobody
// knows, a facility that is not implemented, or one that needs another which is off. `model` is
// changed only when all is well.
int cpu_model_parse(struct cpu_model *model, const char *text, char *error, size_t size);
// The same for a part of something larger: what `text` does not say is as in `limit`, and what
// `limit` lacks stays off.
int cpu_model_parse_within(struct cpu_model *model, const struct cpu_model *limit, const char *text,
                           char *error, size_t size);
// Gives the CPU the model's facilities; it decodes again. Its identification is the caller's.
void cpu_model_apply(struct cpu *cpu, const struct cpu_model *model);
// The model part of what STIDP stores: the machine type, in bits 32-47, and format 1.
uint64_t cpu_model_identification(const struct cpu_model *model);

// The rows of the table of facilities, for documents and tests; false past the end.
struct cpu_facility_row {
    unsigned bit;
    const char *name, *title;
    enum cpu_generation since;
};
bool cpu_facility_row(size_t i, struct cpu_facility_row *row);
// "z900" to "z15".
const char *cpu_generation_name(enum cpu_generation generation);

#endif
