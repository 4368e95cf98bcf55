// SPDX-License-Identifier: MIT
// Any bytes as a service-call control block, with any command that knows event buffers.
#include <stddef.h>
#include <stdint.h>

#include "machine/machine.h"
#include "machine/sclp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SCCB 0x20000u

static void ignore(struct machine *machine, const char *utf8)
{
    (void)machine;
    (void)utf8;
}

// One machine for all inputs: a reset makes the service-call processor forget.
static struct machine *machine_for_all(void)
{
    static struct machine_world world;
    static struct machine *machine;

    if (!machine) {
        world_init(&world, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
        machine = machine_new(&world, &(struct machine_config){.storage = 1 << 20, .cpus = 2});
        machine->owner.message = machine->owner.ascii = ignore;
    }
    sclp_reset(machine->sclp);
    return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint32_t commands[] = {0x00020001, 0x00010001, 0x00780005, 0x00760005, 0x00770005};
    struct machine *machine = machine_for_all();
    struct external_interruption x;

    if (size < 1)
        return 0;
    machine->sclp->receive_mask = ~UINT64_C(0);
    machine_operator_command(machine, "a command");
    machine_signal_quiesce(machine);
    storage_write(machine->storage, SCCB, data + 1, size - 1);
    for (unsigned i = 0; i < 3; i++) {
        machine_take_external(machine, machine->cpu[0], 0x200, &x);
        machine_service_call(machine, machine->cpu[0], commands[(data[0] + i) % 5], SCCB);
    }
    return 0;
}
