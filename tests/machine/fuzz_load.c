// SPDX-License-Identifier: MIT
// Any bytes as an image to load: ELF, list-directed or flat; and a moment of running them.
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "machine/machine.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// One machine for all inputs: each load resets it.
static struct machine *machine_for_all(void)
{
    static struct machine_world world;
    static struct machine *machine;

    if (!machine) {
        world_init(&world, CLOCK_VIRTUAL, TOD_UNIX_EPOCH);
        machine = machine_new(&world, &(struct machine_config){.storage = 1 << 20, .cpus = 1});
    }
    return machine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct machine *machine = machine_for_all();
    const char *reason;
    uint8_t elf[256] = {0x7F, 'E', 'L', 'F', 2, 2};

    if (!machine_ipl_image(machine, data, size, "/nonexistent/", "a=b", &reason))
        machine_run(machine, clock_now(&machine->world->clock) + 20 * TOD_MICROSECOND);
    // The same bytes behind a good ELF identification.
    for (size_t i = 0; i < size && i + 6 < sizeof elf; i++)
        elf[6 + i] = data[i];
    be16_store(elf + 18, 22);
    be16_store(elf + 54, 56);
    machine_ipl_image(machine, elf, sizeof elf, "", NULL, &reason);
    return 0;
}
