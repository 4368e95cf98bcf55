// SPDX-License-Identifier: MIT
// DIAGNOSE X'258': page-fault handshaking. CP keeps all of a guest's storage resident, so the
// program that asks to be told when one of its pages must be brought in is never interrupted; the
// request is checked and remembered as on a system that pages.
#include "base/bytes.h"
#include "cp/diagnose.h"

// 0 code | 2 function | 4 length in doublewords | 6 version | 8 address of the token | 16 select
// mask | 24 compare mask | 32 reserved
#define BLOCK         40u
#define TOKEN         0u
#define CANCEL        1u
#define LENGTH        5u
#define VERSION       2u
#define RC_OK         0u
#define RC_NOT_ACTIVE 4u
#define RC_ACTIVE     8u

void diagnose_258(struct diagnose_call *call)
{
    uint64_t at = diagnose_register(call, call->x);
    uint8_t block[BLOCK];

    if (at % 8)
        diagnose_specification(call);
    cpu_fetch_real(call->cpu, at, block, sizeof block);
    uint16_t function = be16_load(block + 2);
    if (be16_load(block) != 0x258 || function > CANCEL || be16_load(block + 4) != LENGTH ||
        be16_load(block + 6) != VERSION || be64_load(block + 8) % 8)
        diagnose_specification(call);
    bool *active = &call->vcpu->page_fault_handshake;
    diagnose_set(call, call->y,
                 *active == (function == TOKEN) ? (*active ? RC_ACTIVE : RC_NOT_ACTIVE) : RC_OK);
    *active = function == TOKEN;
}
