// SPDX-License-Identifier: MIT
// Entries of the dictionaries of COMPRESSION CALL, unpacked.
// (Enterprise Systems Architecture/390 Data Compression, "Dictionary Entries".)
#ifndef ENDICOTT_CPU_COMPRESSION_DICTIONARY_H
#define ENDICOTT_CPU_COMPRESSION_DICTIONARY_H

#include <stdbool.h>
#include <stdint.h>

#define COMPRESSION_SYMBOL_MOST   260 // bytes that one symbol stands for
#define COMPRESSION_CHILDREN_MOST 260 // of one entry
#define COMPRESSION_CHAIN_MOST    127 // entries that make up one symbol in expansion

// A character entry of the compression dictionary:
//
//   0   3         8  10 11          24
//   |CCT| X       |Y |D | child index| extension, then child characters |   CCT 2 to 7
//   |CCT| X       | ACT | child index| extension, then child character  |   CCT 0 or 1
struct character_entry {
    uint8_t characters; // child characters here
    bool more;          // a sibling descriptor follows the children
    uint8_t extensions; // additional extension characters of this entry
    uint8_t extension[4];
    uint8_t character[5];
    uint16_t child;        // index of the first child
    uint16_t examine;      // bit 0 (leftmost): look at the first child's entry
    uint16_t examine_last; // bits 0 and 1: for the last two of the first sibling descriptor
};

// False when the entry is invalid.
bool character_entry(uint64_t bits, struct character_entry *out);

// A sibling descriptor. Its second part stands in the expansion dictionary (format 1 only).
struct sibling_descriptor {
    uint8_t characters;
    bool more; // another descriptor follows the children
    uint16_t examine;
    uint8_t character[14];
};

// Format 0: |SCT|Y 5 bits|7 characters|; format 1: |SCT 4 bits|Y 12 bits|6 characters|, 8 more in
// `second`. The caller says what the bits that have no place here are: `examine_last` of the parent
// for its first descriptor, else ones. False when the descriptor is invalid.
bool sibling_descriptor0(uint64_t bits, uint16_t examine_last, struct sibling_descriptor *out);
bool sibling_descriptor1(uint64_t bits, uint64_t second, uint16_t examine_last,
                         struct sibling_descriptor *out);

// An entry of the expansion dictionary:
//
//   0   3              16                   56
//   |PSL| predecessor  | 1 to 5 characters  | offset |
//   |000|  |CSL| 1 to 7 characters                   |
struct expansion_entry {
    uint8_t characters;
    bool preceded;
    uint16_t predecessor;
    uint8_t offset;
    uint8_t character[7];
};

bool expansion_entry(uint64_t bits, struct expansion_entry *out);

#endif
