// SPDX-License-Identifier: MIT
// Benchmark: binary floating point, long: three bodies and their attraction.
#include <stdint.h>

struct body {
    double x, y, vx, vy, mass;
};

extern const uint64_t expected;
const uint64_t expected = UINT64_C(0x40247631097C22C8);

uint64_t kernel(void);
uint64_t kernel(void)
{
    struct body b[3] = {{0, 0, 0, 0.1, 10}, {4, 0, 0, 1.5, 1}, {-7, 1, 0.2, -1.1, 0.5}};
    for (unsigned step = 0; step < 200; step++) {
        for (unsigned i = 0; i < 3; i++)
            for (unsigned j = 0; j < 3; j++) {
                if (i == j)
                    continue;
                double dx = b[j].x - b[i].x, dy = b[j].y - b[i].y;
                double d2 = dx * dx + dy * dy + 0.01;
                double pull = b[j].mass / (d2 * __builtin_sqrt(d2)) * 0.01;
                b[i].vx += dx * pull;
                b[i].vy += dy * pull;
            }
        for (unsigned i = 0; i < 3; i++) {
            b[i].x += b[i].vx * 0.01;
            b[i].y += b[i].vy * 0.01;
        }
    }
    union {
        double d;
        uint64_t bits;
    } sum = {b[0].x + b[1].y + b[2].x * b[2].y};
    return sum.bits;
}
