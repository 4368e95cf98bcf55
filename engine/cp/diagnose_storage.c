// SPDX-License-Identifier: MIT
// DIAGNOSE X'10', X'60', X'64' and X'260': the virtual machine's storage.
#include <string.h>

#include "base/bytes.h"
#include "base/ebcdic.h"
#include "cp/dcss.h"
#include "cp/diagnose.h"

#define RELEASE_LOWEST 0x2000u

// X'10': releases pages Rx to Ry, inclusive; their contents become zero.
void diagnose_10(struct diagnose_call *call)
{
    static const uint8_t zeros[FRAME_SIZE];
    uint64_t first = diagnose_register(call, call->x), last = diagnose_register(call, call->y);

    if (first % FRAME_SIZE || last % FRAME_SIZE || first > last || first < RELEASE_LOWEST ||
        last >= call->vm->storage)
        diagnose_specification(call);
    for (uint64_t page = first; page <= last; page += FRAME_SIZE)
        cpu_store_real(call->cpu, page, zeros, sizeof zeros);
}

void diagnose_60(struct diagnose_call *call)
{
    uint64_t size = call->vm->storage;

    if (!call->cpu->psw.ea && size > UINT32_C(0x7FFFFFFF))
        size = UINT32_C(0x80000000);
    diagnose_set(call, call->x, size);
}

// --- X'64': saved segments --------------------------------------------------------------

enum segment_function {
    LOADSHR = 0x00,
    LOADNSR = 0x04,
    PURGESEG = 0x08,
    FINDSEG = 0x0C,
    LOADNOLY = 0x10,
    SEGEXT = 0x18,
    LOADSHRX = 0x20,
    LOADNSRX = 0x24,
    FINDSEGX = 0x2C,
    SEGEXTX = 0x38,
};

#define RC_NOT_FOUND 44u

static struct dcss *named(struct diagnose_call *call, uint64_t at)
{
    uint8_t field[8];
    char name[9];

    cpu_fetch_real(call->cpu, at, field, sizeof field);
    ebcdic_field_text(field, sizeof field, name, sizeof name);
    return dcss_find(call->vm->cp, name);
}

static void failed(struct diagnose_call *call, unsigned rc)
{
    diagnose_set(call, call->y, rc);
    diagnose_cc(call, 2);
}

static void found(struct diagnose_call *call, const struct dcss *dcss, unsigned cc)
{
    diagnose_set(call, call->x, dcss->start);
    diagnose_set(call, call->y, dcss->end);
    diagnose_cc(call, cc);
}

// The extended query's block: opcode, name at 8, where to answer at 16, room at 20. The answer:
//
//   0 start | 8 end | 16 ranges | 20 ranges left | 24 first range: start with its type, end
#define QUERY_BLOCK  24u
#define QUERY_ANSWER 40u

static void query_extended(struct diagnose_call *call)
{
    uint8_t in[QUERY_BLOCK], answer[120] = {0};
    uint64_t at = diagnose_register(call, call->x);
    const struct dcss *dcss;

    cpu_fetch_real(call->cpu, at, in, sizeof in);
    if (in[0] != FINDSEG || be16_load(in + 20) < QUERY_ANSWER)
        diagnose_specification(call);
    dcss = named(call, at + 8);
    if (!dcss) {
        failed(call, RC_NOT_FOUND);
        return;
    }
    be64_store(answer, dcss->start);
    be64_store(answer + 8, dcss->end);
    be32_store(answer + 16, 1);
    be64_store(answer + 24, dcss->start | dcss->type);
    be64_store(answer + 32, dcss->end);
    uint16_t n = be16_load(in + 20);
    cpu_store_real(call->cpu, be32_load(in + 16), answer, n < sizeof answer ? n : sizeof answer);
    diagnose_set(call, call->y, 0);
    diagnose_cc(call, 0);
}

static void load(struct diagnose_call *call, bool exclusive)
{
    struct dcss *dcss = named(call, diagnose_register(call, call->x));
    int rc = dcss ? dcss_load(call->vm, dcss, exclusive) : (int)RC_NOT_FOUND;

    if (rc)
        failed(call, (unsigned)rc);
    else
        found(call, dcss, dcss->end < call->vm->storage ? 1 : 0);
}

void diagnose_64(struct diagnose_call *call)
{
    uint64_t at = diagnose_register(call, call->x);
    struct dcss *dcss;
    int rc;

    switch (call->cpu->gr[call->y] & 0xFF) {
    case LOADSHR:
    case LOADSHRX:
    case LOADNOLY:
        load(call, false);
        return;
    case LOADNSR:
    case LOADNSRX:
        load(call, true);
        return;
    case PURGESEG:
        dcss = named(call, at);
        rc = dcss ? dcss_unload(call->vm, dcss) : (int)RC_NOT_FOUND;
        if (rc)
            failed(call, (unsigned)rc);
        else
            diagnose_cc(call, 0);
        return;
    case FINDSEG:
    case FINDSEGX:
        dcss = named(call, at);
        if (dcss)
            found(call, dcss, 0);
        else
            failed(call, RC_NOT_FOUND);
        return;
    case SEGEXT:
    case SEGEXTX:
        query_extended(call);
        return;
    default:
        diagnose_cc(call, 3);
    }
}

// --- X'260' -----------------------------------------------------------------------------

static void byuser(struct diagnose_call *call)
{
    uint8_t id[8];

    if (call->y % 2)
        diagnose_specification(call);
    if (call->vm->autologged || !call->vm->by[0]) {
        diagnose_set(call, call->y + 1, 4);
        return;
    }
    ebcdic_field(id, sizeof id, call->vm->by);
    cpu_store_real(call->cpu, diagnose_register(call, call->x), id, sizeof id);
    diagnose_set(call, call->y + 1, 0);
}

// Rx: area on a quadword, Rx+1: its length; pairs of first and last byte of each extent.
static void storage_extents(struct diagnose_call *call)
{
    uint64_t at = call->cpu->gr[call->x], length = call->cpu->gr[(call->x + 1) & 15];
    uint8_t pair[16];

    if (call->x % 2 || at % 16 || length % 16 || length < 16)
        diagnose_specification(call);
    be64_store(pair, 0);
    be64_store(pair + 8, call->vm->storage - 1);
    cpu_store_real(call->cpu, at, pair, sizeof pair);
    call->cpu->gr[call->y] = 1;
    diagnose_cc(call, 0);
}

void diagnose_260(struct diagnose_call *call)
{
    uint32_t subcode = (uint32_t)call->cpu->gr[call->y];
    bool narrow = !call->cpu->psw.ea;
    uint64_t highest = call->vm->storage - 1;

    if (subcode == 0x00 && narrow) {
        diagnose_set(call, call->x, highest > UINT32_C(0x7FFFFFFF) ? 0x7FFFFFFF : highest);
    } else if (subcode == 0x04 && narrow) {
        byuser(call);
    } else if (subcode == 0x0C) {
        call->cpu->gr[call->x] = highest;
        call->cpu->gr[call->y] = highest;
    } else if (subcode == 0x10) {
        storage_extents(call);
    } else {
        diagnose_specification(call);
    }
}
