// SPDX-License-Identifier: MIT
// The permutation of SHA-3 and SHAKE on a state in guest storage's order (FIPS 202).
#include "cpu/crypto_hash.h"

// Lanes stand with their first byte lowest.
static uint64_t lane_load(const uint8_t *p)
{
    uint64_t lane = 0;
    for (unsigned i = 8; i-- > 0;)
        lane = lane << 8 | p[i];
    return lane;
}

static void lane_store(uint8_t *p, uint64_t lane)
{
    for (unsigned i = 0; i < 8; i++, lane >>= 8)
        p[i] = (uint8_t)lane;
}

static uint64_t rotate(uint64_t lane, unsigned by)
{
    return by ? lane << by | lane >> (64 - by) : lane;
}

static void columns(uint64_t a[25])
{
    uint64_t parity[5];
    for (unsigned x = 0; x < 5; x++)
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (unsigned i = 0; i < 25; i++)
        a[i] ^= parity[(i % 5 + 4) % 5] ^ rotate(parity[(i % 5 + 1) % 5], 1);
}

// Lanes turn by triangular numbers along one cycle through all places but the first.
static void turn_and_move(uint64_t a[25])
{
    unsigned x = 1, y = 0;
    uint64_t moving = a[1];
    for (unsigned t = 1, turn = 1; t <= 24; turn += ++t) {
        unsigned next_y = (2 * x + 3 * y) % 5;
        x = y;
        y = next_y;
        uint64_t there = a[x + 5 * y];
        a[x + 5 * y] = rotate(moving, turn % 64);
        moving = there;
    }
}

static void rows(uint64_t a[25])
{
    for (unsigned y = 0; y < 25; y += 5) {
        uint64_t row[5];
        for (unsigned x = 0; x < 5; x++)
            row[x] = a[y + x];
        for (unsigned x = 0; x < 5; x++)
            a[y + x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
    }
}

// Bits 0, 1, 3, 7, ... 63 of each round's constant come from a shift register.
static uint64_t round_constant(uint8_t *shift)
{
    uint64_t constant = 0;
    for (unsigned j = 0; j < 7; j++) {
        if (*shift & 1)
            constant |= UINT64_C(1) << ((1u << j) - 1);
        *shift = (uint8_t)(*shift << 1 ^ (*shift & 0x80 ? 0x71 : 0));
    }
    return constant;
}

void keccak_permute(uint8_t state[KECCAK_STATE])
{
    uint64_t a[25];
    uint8_t shift = 1;
    for (unsigned i = 0; i < 25; i++)
        a[i] = lane_load(state + 8 * i);
    for (unsigned round = 0; round < 24; round++) {
        columns(a);
        turn_and_move(a);
        rows(a);
        a[0] ^= round_constant(&shift);
    }
    for (unsigned i = 0; i < 25; i++)
        lane_store(state + 8 * i, a[i]);
}
