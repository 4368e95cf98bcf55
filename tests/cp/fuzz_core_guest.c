// SPDX-License-Identifier: MIT
// A guest that calls CP with whatever is in its registers and storage: DIAGNOSE codes and IUCV
// functions, one after another, in a system that goes on between inputs.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cp/rig.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char config[] =
    "System_Identifier * * FUZZ\nRDevice 0200 Type DASD Volume V00001 Cylinders 5\n";
static const char directory[] = "USER OPERATOR OPERATOR 1M 1M ABCDEFG\n"
                                "USER GUEST GUEST 1M 2M G\n MACHINE Z 2\n IUCV ANY\n IUCV ALLOW\n"
                                " OPTION APPLMON\n CONSOLE 009 3215\n SPOOL 00C 2540 READER\n"
                                " SPOOL 00D 2540 PUNCH A\n MDISK 191 3390 1 2 V00001 MR\n"
                                "USER PEER PEER 1M 1M G\n MACHINE Z\n IUCV ANY\n IUCV ALLOW\n";

static const uint16_t codes[] = {0x00, 0x08, 0x0C,  0x10,  0x24,  0x44,  0x60,  0x64,
                                 0x9C, 0xDC, 0x210, 0x260, 0x270, 0x2A8, 0x308, 0x14};

static struct rig rig;

// The guest that the input drives; it may have logged itself off.
static struct vm *guest(void)
{
    struct vm *vm = cp_user(rig.cp, "GUEST");
    struct text text = {0};
    struct response out = response_to_text(&text);
    struct logon_options options = {.autolog = true, .no_ipl = true};

    if (!vm) {
        vm_logon(rig.cp, "GUEST", &options, &out);
        vm = cp_user(rig.cp, "GUEST");
    }
    text_free(&text);
    return vm;
}

// Eight bytes of input a call: operation, registers, and what is in them.
static size_t make_program(const uint8_t *data, size_t size, uint8_t *program, size_t room)
{
    size_t n = 0;

    for (size_t i = 0; i + 8 <= size && n + 24 < room; i += 8) {
        uint8_t r1 = data[i + 1] >> 4, r2 = data[i + 1] & 15;
        // LHI R1,value; LHI R2,value: mostly small numbers and addresses of the data.
        uint8_t load[8] = {0xA7, (uint8_t)(r1 << 4 | 8), data[i + 2] & 0x3F, data[i + 3],
                           0xA7, (uint8_t)(r2 << 4 | 8), data[i + 4] & 0x3F, data[i + 5]};
        memcpy(program + n, load, sizeof load);
        n += sizeof load;
        if (data[i] & 1) { // IUCV: function in R0, list at X'2000' and up
            uint8_t iucv[12] = {0xA7, 0x08, 0x00, data[i + 6] & 0x13,
                                0xA7, 0x18, 0x20, data[i + 7] & 0xF8,
                                0xB2, 0xF0, 0x10, 0x00};
            memcpy(program + n, iucv, sizeof iucv);
            n += sizeof iucv;
        } else {
            uint8_t diagnose[4] = {0x83, data[i + 1]};
            be16_store(diagnose + 2, codes[data[i + 6] % 16]);
            memcpy(program + n, diagnose, sizeof diagnose);
            n += sizeof diagnose;
        }
    }
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t program[4096] = {0}, psw[16] = {0};

    if (!rig.cp) {
        rig_new(&rig, CLOCK_VIRTUAL, config, directory);
        rig.cp->instruction_cost = 4096; // a slow machine: loops end soon
    }
    struct vm *vm = guest();
    vm_reset(vm, true);
    struct storage *storage = vm->machine->storage;
    size_t n = make_program(data, size, program, sizeof program);
    storage_write(storage, 0x1000, program, n);
    storage_write(storage, 0x2000, data, size < 0x2000 ? size : 0x2000);
    // A program interruption goes on behind the instruction: LPSWE of the old PSW at X'150'.
    static const uint8_t go_on[] = {0xB2, 0xB2, 0x01, 0x50};
    storage_write(storage, 0x800, go_on, sizeof go_on);
    be64_store(psw, UINT64_C(0x0000000080000000));
    be64_store(psw + 8, 0x800);
    storage_write(storage, 0x1D0, psw, sizeof psw);
    machine_start_at(vm->machine, 0x1000, true);
    if (size && data[0] & 2)
        vm->vcpu[0]->cpu->psw.ea = false;
    vm_begin(vm);
    rig_run(&rig, 0.002);
    vm = cp_user(rig.cp, "GUEST");
    if (vm)
        vm_stop(vm);
    return 0;
}
