// SPDX-License-Identifier: MIT
// What the vector floating-point files share: elements as numbers, and exceptions.
// (Principles of Operation, "Vector Floating-Point Instructions".)
#ifndef ENDICOTT_CPU_VECTOR_FLOAT_H
#define ENDICOTT_CPU_VECTOR_FLOAT_H

#include "cpu/float.h"
#include "cpu/vector.h"

#define SINGLE 8u // the bit of a mask that says: the first element only

// One instruction's work: it ends with its result stored and flags raised, or, on a trap in any
// element, with a vector-processing exception and nothing changed.
struct vector_float {
    const struct bfp_format *format;
    unsigned count;                // elements to be worked on
    struct bfp_context context;    // cleared for each element
    uint8_t raised;                // by all elements so far
    struct vector_register result; // elements that are not worked on become zero
};

// Elements of the format that mask `m` names (2 short, 3 long, 4 extended) between `least` and
// `most`, or a specification exception; without enhancements 1 only long ones.
struct vector_float vector_float_begin(struct cpu *cpu, unsigned m, unsigned least, unsigned most,
                                       unsigned modifier);
void vector_float_end(struct cpu *cpu, const struct insn *insn, const struct vector_float *w);

uint128 float_element_bits(const struct bfp_format *f, const struct vector_register *v, unsigned i);
struct bfp float_element(const struct bfp_format *f, const struct vector_register *v, unsigned i);
void set_float_element(const struct bfp_format *f, struct vector_register *v, unsigned i,
                       uint128 bits);

// The exceptions in w->context belong to element `i`: a trap, or kept for the end.
void vector_float_signal(struct cpu *cpu, struct vector_float *w, unsigned i);
// Rounds x to the format, puts it into element `i` and signals.
void vector_float_deliver(struct cpu *cpu, struct vector_float *w, unsigned i, struct bfp x);

#endif
