// SPDX-License-Identifier: MIT
// Application monitor data (DIAGNOSE X'DC'): buffers that guests offer, for the monitor's
// domain 10.
#ifndef ENDICOTT_CP_APPLDATA_H
#define ENDICOTT_CP_APPLDATA_H

#include <stdbool.h>
#include <stdint.h>

struct vm;
struct cpu;
struct door_call;

// Functions of the parameter list.
enum appldata_function {
    APPLDATA_START = 0x80, // collect with every sample
    APPLDATA_STOP = 0x81,
    APPLDATA_EVENT = 0x82,  // an event record now
    APPLDATA_CONFIG = 0x83, // collect with configuration records
};

struct appldata_buffer {
    struct appldata_buffer *next; // oldest first, from vm->appldata
    enum appldata_function function;
    uint8_t product[16]; // identification, EBCDIC
    uint64_t address;    // guest absolute
    uint16_t length;
};

// DIAGNOSE X'DC'.
void appldata_diagnose(struct cpu *cpu, const struct door_call *call);
// The guest's bytes of a buffer; false when they are not there any more.
bool appldata_read(struct vm *vm, const struct appldata_buffer *buffer, uint8_t *to);
void appldata_reset(struct vm *vm);
void appldata_free(struct vm *vm);

#endif
