// SPDX-License-Identifier: MIT
// 128-bit integers: a compiler extension that gcc and clang share on 64-bit hosts.
#ifndef ENDICOTT_CPU_WIDE_H
#define ENDICOTT_CPU_WIDE_H

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

#endif
