// SPDX-License-Identifier: MIT
// Channel programs of MONWRITE for a tape.
#include "monitor/monwrite_tape.h"

#include "cp/cp.h"
#include "cp/vdev.h"
#include "devices/channel.h"
#include "monitor/monwrite_ccw.h"
#include "monitor/reader.h"

#define WRITE           0x01u
#define WRITE_TAPE_MARK 0x1Fu
#define READ_BLOCK_ID   0x22u
#define LOCATE_BLOCK    0x4Fu

#define NOTED MONWRITE_COMMAND // block id, 8 bytes

bool monwrite_tape_open(struct monwrite_tape *tape, struct vm *vm, uint16_t number)
{
    const struct vdev *vdev = vdev_find(vm, number);
    tape->vm = vm;
    tape->number = 0;
    if (!vdev || vdev->kind != VDEV_TAPE || !vdev->writable || vm->storage < MONWRITE_STORAGE)
        return false;
    tape->number = number;
    return true;
}

static const char *run(struct monwrite_tape *tape)
{
    struct channel_subsystem *css = tape->vm->machine->css;
    int rc = css_run(css, tape->number, MONWRITE_PROGRAM, tape->done, tape->arg);
    return rc ? "the tape drive is busy or gone" : NULL;
}

const char *monwrite_tape_write(struct monwrite_tape *tape, const uint8_t *const *blocks,
                                unsigned n, bool first)
{
    struct vm *vm = tape->vm;
    uint32_t next = MONWRITE_PROGRAM;
    n = n < MONWRITE_BLOCKS ? n : MONWRITE_BLOCKS;
    tape->writing = n;
    if (first)
        next = monwrite_ccw(vm, next, READ_BLOCK_ID, CCW_COMMAND, 8, NOTED);
    for (unsigned i = 0; i < n; i++) {
        uint32_t buffer = MONWRITE_BUFFERS + i * FRAME_SIZE;
        monwrite_put(vm, buffer, blocks[i], FRAME_SIZE);
        next = monwrite_ccw(vm, next, WRITE, i + 1 < n ? CCW_COMMAND : 0, FRAME_SIZE, buffer);
    }
    return run(tape);
}

const char *monwrite_tape_end(struct monwrite_tape *tape, unsigned marks, bool back)
{
    static const uint8_t end[FRAME_SIZE];
    struct vm *vm = tape->vm;
    uint32_t next = MONWRITE_PROGRAM;
    monwrite_put(vm, MONWRITE_BUFFERS, end, sizeof end);
    tape->writing = 0;
    if (back)
        next = monwrite_ccw(vm, next, LOCATE_BLOCK, CCW_COMMAND, 4, NOTED);
    next = monwrite_ccw(vm, next, WRITE, CCW_COMMAND, FRAME_SIZE, MONWRITE_BUFFERS);
    for (unsigned i = 0; i < marks; i++)
        next = monwrite_ccw(vm, next, WRITE_TAPE_MARK,
                            i + 1 < marks ? CCW_COMMAND | CCW_SLI_BIT : CCW_SLI_BIT, 1, 0);
    return run(tape);
}

void monwrite_tape_stop(struct monwrite_tape *tape)
{
    if (tape->number)
        css_forget(tape->vm->machine->css, tape->number, tape->arg);
}
