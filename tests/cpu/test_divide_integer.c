// SPDX-License-Identifier: MIT
// DIVIDE TO INTEGER against the C library's fmod() and remainder(), which are exact.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "cpu/rig.h"

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void divide(double a, double b, bool nearest)
{
    struct bare *bare = rig_new(nearest ? "B35B 4402 B222 0050" : "B35B 4502 B222 0050");
    bare->cpu->cr[0] |= 0x40000; // AFP registers
    bare->cpu->vr[0].high = bits_of(a);
    bare->cpu->vr[2].high = bits_of(b);
    assert_true(rig_good(bare));
    double want = nearest ? remainder(a, b) : fmod(a, b);
    assert_int_equal(bare->cpu->vr[0].high, bits_of(want));
    assert_int_equal(bare->cpu->vr[4].high, bits_of(nearest ? nearbyint(a / b) : trunc(a / b)));
    assert_int_equal(bare->cpu->gr[5] >> 28 & 3, 0);
    bare_free(bare);
}

static void test_exact_remainders(void **state)
{
    (void)state;
    static const double values[] = {1,    2,   3,         7,         10,       0.5,
                                    0.75, 1e5, 12345.678, 0x1p-1074, 0x1p-1040};
    enum { COUNT = sizeof values / sizeof values[0] };
    for (unsigned i = 0; i < 4 * COUNT * COUNT; i++) {
        double a = values[i / 4 / COUNT], b = values[i / 4 % COUNT];
        a = i & 1 ? -a : a;
        if (fabs(a / b) < 0x1p50)
            divide(a, i & 2 ? -b : b, i % 3 == 0);
    }
}

static void test_same_registers(void **state)
{
    (void)state;
    struct bare *bare = rig_new("B35B 0402");
    bare->cpu->cr[0] |= 0x40000;
    assert_int_equal(rig_fault(bare), 6);
    bare_free(bare);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact_remainders),
        cmocka_unit_test(test_same_registers),
    };
    return cmocka_run_group_tests_name("divide to integer", tests, NULL, NULL);
}
