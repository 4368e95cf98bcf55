// SPDX-License-Identifier: MIT
// PSW images: 16 bytes in z/Architecture, 8 in ESA/390.
#ifndef ENDICOTT_CPU_PSW_H
#define ENDICOTT_CPU_PSW_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu/cpu.h"

void psw_unpack_z(struct psw *psw, const uint8_t in[16]);
void psw_unpack_esa(struct psw *psw, const uint8_t in[8]);
void psw_pack_z(const struct psw *psw, uint8_t out[16]);
void psw_pack_esa(const struct psw *psw, uint8_t out[8]);

// False: loading this PSW ends in an early specification exception.
bool psw_valid(const struct psw *psw, enum architecture arch);
// What effective addresses are cut to: 24, 31 or 64 bits of ones.
uint64_t psw_address_mask(const struct psw *psw);

#endif
