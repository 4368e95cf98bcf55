// SPDX-License-Identifier: MIT
// Where the data of a command are: CCWs, data chaining, indirect-data-address words and modified
// ones. (Principles of Operation, "Channel-Command Word" to "Data Address".)
//
// All of a command's data areas are looked up before the command is given to the device. What is
// wrong with one of them is held back until the data really get there.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "devices/subchannel.h"

// Bounds of one command, so that a data chain that loops ends: beyond them it is a program check.
#define AREA_BYTES_MAX  (4u << 20)
#define AREA_PIECES_MAX 16384u

#define MIDAW_LAST 0x80u
#define MIDAW_SKIP 0x40u

static uint8_t check_for(int program_interruption)
{
    return program_interruption == 4 ? CHANNEL_PROTECTION_CHECK : CHANNEL_PROGRAM_CHECK;
}

static unsigned key(const struct subchannel *s)
{
    return s->program.orb >> 28;
}

static uint8_t fetch(const struct subchannel *s, uint64_t absolute, void *to, unsigned n)
{
    int code = storage_read_key(s->css->host.storage, absolute, to, n, key(s));
    return code ? check_for(code) : 0;
}

static bool is_tic(const struct subchannel *s, uint8_t code)
{
    return s->program.orb & ORB_FORMAT_1 ? code == 0x08 : (code & 0x0F) == 0x08;
}

// Checks what is invalid in any CCW of the format. `raw` are its eight bytes.
static uint8_t check_format(const struct subchannel *s, const uint8_t raw[8], const struct ccw *ccw)
{
    if (is_tic(s, ccw->code)) {
        bool reserved = (s->program.orb & ORB_FORMAT_1) && (raw[1] | raw[2] | raw[3]);
        return reserved || (ccw->address & 7) ? CHANNEL_PROGRAM_CHECK : 0;
    }
    if ((ccw->flags & CCW_IDA) && (ccw->flags & CCW_MIDAW))
        return CHANNEL_PROGRAM_CHECK;
    if ((ccw->flags & CCW_MIDAW) && !(s->program.orb & ORB_MIDAW))
        return CHANNEL_PROGRAM_CHECK;
    return 0;
}

uint8_t ccw_fetch(const struct subchannel *s, uint32_t at, struct ccw *out)
{
    uint8_t raw[8];
    *out = (struct ccw){.at = at};
    if ((at & 7) || (at & 0x80000000u))
        return CHANNEL_PROGRAM_CHECK;
    uint8_t check = fetch(s, at, raw, sizeof raw);
    if (check)
        return check;
    out->code = raw[0];
    if (s->program.orb & ORB_FORMAT_1) {
        out->flags = raw[1];
        out->count = be16_load(raw + 2);
        out->address = be32_load(raw + 4);
        if (out->address & 0x80000000u)
            return CHANNEL_PROGRAM_CHECK;
    } else {
        out->address = be32_load(raw) & 0x00FFFFFFu;
        out->flags = raw[4];
        out->count = be16_load(raw + 6);
    }
    return check_format(s, raw, out);
}

static void note_fault(struct data_area *area, uint8_t check, bool in_ccw)
{
    area->fault = check;
    area->fault_in_ccw = in_ccw;
    area->fault_at = area->length;
}

// Appends `n` bytes at `absolute`; false when the area is full.
static bool add_piece(struct data_area *area, uint64_t absolute, uint32_t n, bool skip)
{
    if (area->length + n > AREA_BYTES_MAX || area->pieces == AREA_PIECES_MAX) {
        note_fault(area, CHANNEL_PROGRAM_CHECK, true);
        return false;
    }
    if (area->pieces == area->piece_cap) {
        area->piece_cap = area->piece_cap ? area->piece_cap * 2 : 16;
        area->piece = mem_resize(area->piece, area->piece_cap, sizeof *area->piece);
    }
    area->piece[area->pieces++] = (struct piece){.absolute = absolute, .length = n, .skip = skip};
    area->length += n;
    return true;
}

// Indirect-data-address words: format 1 is 4 bytes and 2K blocks, format 2 is 8 bytes and blocks of
// 4K, or 2K when the ORB says so. The first may point anywhere into its block.
static bool add_indirect(const struct subchannel *s, const struct ccw *ccw, struct data_area *area)
{
    bool format2 = s->program.orb & ORB_FORMAT_2_IDA;
    uint32_t block = !format2 || (s->program.orb & ORB_2K_IDA) ? 2048 : 4096;
    uint32_t size = format2 ? 8 : 4, left = ccw->count, list = ccw->address;
    if (list & (size - 1)) {
        note_fault(area, CHANNEL_PROGRAM_CHECK, true);
        return false;
    }
    for (bool first = true; left; first = false, list += size) {
        uint8_t raw[8];
        uint8_t check = fetch(s, list, raw, size);
        uint64_t address = format2 ? be64_load(raw) : be32_load(raw);
        if (!check &&
            ((!format2 && (address & 0x80000000u)) || (!first && (address & (block - 1)))))
            check = CHANNEL_PROGRAM_CHECK;
        if (check) {
            note_fault(area, check, false);
            return false;
        }
        uint32_t n = block - (uint32_t)(address & (block - 1));
        if (n > left)
            n = left;
        if (!add_piece(area, address, n, ccw->flags & CCW_SKIP))
            return false;
        left -= n;
    }
    return true;
}

// Modified indirect-data-address words: 16 bytes with flags, count and a 64-bit address each; the
// data of one stay within a 4K block, the counts add up to the CCW's.
static bool add_modified(const struct subchannel *s, const struct ccw *ccw, struct data_area *area)
{
    uint32_t left = ccw->count, list = ccw->address;
    bool last = false;
    while (left) {
        uint8_t raw[16];
        uint8_t check = (list & 15) || last ? CHANNEL_PROGRAM_CHECK : fetch(s, list, raw, 16);
        if (!check) {
            uint32_t n = be16_load(raw + 6);
            uint64_t address = be64_load(raw + 8);
            static const uint8_t reserved[5];
            last = raw[5] & MIDAW_LAST;
            if (memcmp(raw, reserved, sizeof reserved) != 0 || n == 0 || n > left ||
                (address & 4095) + n > 4096 || (last && n != left))
                check = CHANNEL_PROGRAM_CHECK;
            else if (!add_piece(area, address, n, (ccw->flags & CCW_SKIP) || (raw[5] & MIDAW_SKIP)))
                return false;
            else
                left -= n;
        }
        if (check) {
            note_fault(area, check, false);
            return false;
        }
        list += 16;
    }
    return true;
}

// A data address in the CCW itself, taken in blocks so that what precedes a fault is transferred.
static bool add_direct(const struct subchannel *s, const struct ccw *ccw, struct data_area *area)
{
    uint64_t limit = s->program.orb & ORB_FORMAT_1 ? UINT64_C(1) << 31 : UINT64_C(1) << 24;
    uint64_t address = ccw->address, end = address + ccw->count;
    while (address < end) {
        if (address >= limit) {
            note_fault(area, CHANNEL_PROGRAM_CHECK, false);
            return false;
        }
        uint64_t block_end = (address | 4095) + 1;
        uint32_t n = (uint32_t)((block_end < end ? block_end : end) - address);
        if (!add_piece(area, address, n, ccw->flags & CCW_SKIP))
            return false;
        address += n;
    }
    return true;
}

static bool add_ccw_data(const struct subchannel *s, const struct ccw *ccw, struct data_area *area)
{
    if (ccw->flags & CCW_IDA)
        return add_indirect(s, ccw, area);
    if (ccw->flags & CCW_MIDAW)
        return add_modified(s, ccw, area);
    return add_direct(s, ccw, area);
}

static void add_chained(struct data_area *area, const struct ccw *ccw)
{
    if (area->chained == area->chain_cap) {
        area->chain_cap = area->chain_cap ? area->chain_cap * 2 : 4;
        area->chain = mem_resize(area->chain, area->chain_cap, sizeof *area->chain);
    }
    area->chain[area->chained++] =
        (struct chained){.ccw = *ccw, .start = area->length, .end = area->length + ccw->count};
}

// Fetches the next CCW of a data chain after `*ccw`, through one transfer in channel at most.
static uint8_t next_in_chain(const struct subchannel *s, struct ccw *ccw)
{
    uint8_t check = ccw_fetch(s, ccw->at + 8, ccw);
    if (check || !is_tic(s, ccw->code))
        return check;
    check = ccw_fetch(s, ccw->address, ccw);
    return !check && is_tic(s, ccw->code) ? CHANNEL_PROGRAM_CHECK : check;
}

void data_find(const struct subchannel *s, const struct ccw *first, struct data_area *area)
{
    struct ccw ccw = *first;
    area->chained = area->pieces = 0;
    area->length = 0;
    area->fault = 0;
    add_chained(area, &ccw);
    while (add_ccw_data(s, &ccw, area) && (ccw.flags & CCW_DATA_CHAIN)) {
        uint8_t check = next_in_chain(s, &ccw);
        if (!check && ccw.count == 0)
            check = CHANNEL_PROGRAM_CHECK; // not in data chaining, whatever the format
        if (!check && area->chained == AREA_PIECES_MAX)
            check = CHANNEL_PROGRAM_CHECK;
        add_chained(area, &ccw);
        if (check) {
            note_fault(area, check, true);
            return;
        }
    }
}

uint32_t data_read(const struct subchannel *s, struct data_area *area, uint8_t *buffer)
{
    uint32_t done = 0;
    for (size_t i = 0; i < area->pieces; i++) {
        const struct piece *p = &area->piece[i];
        uint8_t check = fetch(s, p->absolute, buffer + done, p->length);
        if (check) {
            area->fault = check;
            area->fault_in_ccw = true; // the device was given less than it may want
            area->fault_at = done;
            break;
        }
        done += p->length;
    }
    return done;
}

uint32_t data_write(const struct subchannel *s, struct data_area *area, const uint8_t *buffer,
                    uint32_t n)
{
    uint32_t done = 0;
    for (size_t i = 0; i < area->pieces && done < n; i++) {
        const struct piece *p = &area->piece[i];
        uint32_t part = p->length < n - done ? p->length : n - done;
        int code = p->skip ? 0
                           : storage_write_key(s->css->host.storage, p->absolute, buffer + done,
                                               part, key(s));
        if (code) {
            area->fault = check_for(code);
            area->fault_in_ccw = false;
            area->fault_at = done;
            break;
        }
        done += part;
    }
    return done;
}

void data_free(struct data_area *area)
{
    free(area->chain);
    free(area->piece);
    *area = (struct data_area){0};
}
