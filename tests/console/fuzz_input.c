// SPDX-License-Identifier: MIT
// Arbitrary bytes from a terminal: every key comes out, nothing loops, typing does no harm.
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "console/keyboard.h"
#include "console/presentation.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct keyboard *kb = keyboard_new("xterm", true);
    struct presentation ps;
    size_t keys = 0;
    ps_init(&ps, 24, 80);
    for (size_t at = 0; at < size; at += 7) {
        struct key_event key;
        keyboard_bytes(kb, (const char *)data + at, size - at < 7 ? size - at : 7);
        while ((key = keyboard_next(kb)).action != KEY_NONE) {
            INVARIANT(++keys <= 2 * size + 2);
            if (key.action == KEY_TEXT)
                ps_type(&ps, key.value);
            else if (key.action == KEY_FIELD)
                ps_key(&ps, (enum ps_key)key.value);
        }
        if (data[at] & 1)
            keyboard_timeout(kb);
    }
    ps_free(&ps);
    keyboard_free(kb);
    return 0;
}
