// SPDX-License-Identifier: MIT
// Thousands of generated instructions and short streams against qemu-system-s390x: registers,
// storage, FPC, condition code, interruption and its place must agree, or one of the rules in
// cpu/qemu_rules.h must say why not. `make fuzz-cpu` runs millions.
// ENDICOTT_SEED and ENDICOTT_CASES change seed and number.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "cpu/differ.h"
#include "cpu/tool.h"

static void test_against_qemu(void **state)
{
    (void)state;
    const char *seed_text = getenv("ENDICOTT_SEED"), *cases_text = getenv("ENDICOTT_CASES");
    uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : 1;
    unsigned cases = cases_text ? (unsigned)strtoul(cases_text, NULL, 0) : 12000;
    printf("# seed %llu\n", (unsigned long long)seed);
    struct differ *d = differ_new(seed, NULL);
    assert_non_null(d);
    unsigned both = 0;
    for (unsigned i = 0; i < opcode_count; i++)
        both += d->rows[i].cases > d->rows[i].absent;
    assert_true(both > 700); // it does compare them
    for (unsigned batch = 1; d->cases < cases; batch++)
        assert_true(differ_batch(d, batch, CASE_MOST < cases ? CASE_MOST : cases));
    differ_report(d);
    // Most cases must be worth it: they complete.
    assert_true(d->tally.completed > d->cases / 2 && d->streams > 50);
    uint64_t differences = d->differences;
    differ_free(d);
    assert_int_equal(differences, 0);
}

int main(void)
{
    if (tool_missing(QEMU))
        return 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_qemu)};
    return cmocka_run_group_tests_name("instructions against qemu", tests, NULL, NULL);
}
