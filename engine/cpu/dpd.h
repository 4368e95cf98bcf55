// SPDX-License-Identifier: MIT
// Densely packed decimal: three digits in ten bits, a declet.
// (Principles of Operation, "Decimal-Floating-Point Formats".)
#ifndef ENDICOTT_CPU_DPD_H
#define ENDICOTT_CPU_DPD_H

#include <stdint.h>

// 0-999 of any declet; the 24 that are not canonical have a value, too.
extern const uint16_t dpd_value[1024];
// The canonical declet of 0-999.
extern const uint16_t dpd_declet[1000];

#endif
