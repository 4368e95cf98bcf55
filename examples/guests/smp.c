// SPDX-License-Identifier: MIT
// Two CPUs: starts the second one, exchanges signals with it, stops it and looks at its status.
#include "runtime/guest.h"

#define ORDER_SENSE         0x01
#define ORDER_EXTERNAL_CALL 0x02
#define ORDER_EMERGENCY     0x03
#define ORDER_STOP          0x05
#define ORDER_STOP_STATUS   0x09
#define ORDER_STORE_STATUS  0x0E
#define STATUS_STOPPED      0x40
#define ROUNDS              100

static volatile bool up;
static volatile unsigned calls[2], emergencies[2]; // taken by each CPU
static volatile uint64_t shared;

static void on_external(const struct interruption *i)
{
    unsigned cpu = this_cpu();

    if (i->code == 0x1202)
        calls[cpu]++;
    else if (i->code == 0x1201)
        emergencies[cpu]++;
}

static void add_many(void)
{
    for (int i = 0; i < 1000; i++)
        __atomic_fetch_add((uint64_t *)&shared, 1, __ATOMIC_SEQ_CST);
}

// The second CPU answers each external call with an emergency signal.
static void second(void)
{
    control_set(0, CR0_EXTERNAL_CALL | CR0_EMERGENCY);
    up = true;
    add_many();
    for (unsigned answered = 0;;) {
        while (calls[1] == answered)
            wait_for(PSW_EXTERNAL);
        answered++;
        while (sigp(ORDER_EMERGENCY, 0, 0, NULL) == 2)
            ;
    }
}

static bool stopped(uint32_t status)
{
    return (status & STATUS_STOPPED) != 0;
}

static bool wait_until_stopped(void)
{
    uint32_t status;

    for (int i = 0; i < 1000000; i++)
        if (sigp(ORDER_SENSE, 1, 0, &status) == 1 && stopped(status))
            return true;
    return false;
}

static unsigned long talk(void)
{
    for (unsigned i = 0; i < ROUNDS; i++) {
        int cc;
        while ((cc = sigp(ORDER_EXTERNAL_CALL, 1, 0, NULL)) == 2)
            ;
        if (cc)
            return END_WRONG;
        while (emergencies[0] == i)
            wait_for(PSW_EXTERNAL);
    }
    return calls[1] == ROUNDS && emergencies[0] == ROUNDS ? END_OK : END_WRONG;
}

static uint8_t status_area[512] __attribute__((aligned(512)));

static unsigned long stop(void)
{
    uint32_t status;

    if (sigp(ORDER_STORE_STATUS, 1, (uint64_t)status_area, &status) != 1 || status != 0x200)
        return END_WRONG; // it runs: incorrect state
    while (sigp(ORDER_STOP_STATUS, 1, 0, NULL) == 2)
        ;
    if (!wait_until_stopped())
        return END_WRONG;
    if (sigp(ORDER_STORE_STATUS, 1, (uint64_t)status_area, NULL))
        return END_WRONG;
    // Absolute 1318 has the prefix since STOP AND STORE STATUS, the area the same at 118.
    if (!*(uint32_t *)real(0x1318) || memcmp(real(0x1318), status_area + 0x118, 4))
        return END_WRONG;
    return END_OK;
}

unsigned long guest_main(void)
{
    unsigned long rc;

    if (sigp(ORDER_SENSE, 1, 0, NULL) == 3) {
        print("smp: there is no second CPU");
        return END_OK;
    }
    set_handler(EXTERNAL, on_external);
    control_set(0, CR0_EXTERNAL_CALL | CR0_EMERGENCY);
    if (!second_cpu_start(1, second))
        return END_WRONG;
    add_many();
    while (!up || shared < 2000)
        __asm__ volatile("bcr 15,0");
    rc = talk();
    if (!rc)
        rc = stop();
    print("smp: %lu calls answered, sum %lu, end %lu", (unsigned long)emergencies[0], shared, rc);
    return rc;
}
