// SPDX-License-Identifier: MIT
// Arbitrary outbound data must leave a presentation space consistent, and every answer must be one
// that we can take apart and a screen that we can compose again.
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "console/datastream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct presentation *ps)
{
    unsigned fields = 0;
    for (unsigned i = 0; i < ps_size(ps); i++)
        fields += ps->cell[i].start;
    INVARIANT(fields == ps->fields && ps->cursor < ps_size(ps) && ps->address < ps_size(ps));
}

// The first byte picks a size and a number of keys that are pressed, the rest is the stream.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct presentation ps;
    struct text inbound = {0}, out = {0};
    struct ds_inbound in;
    if (!size)
        return 0;
    ps_init(&ps, data[0] & 1 ? 43 : 24, data[0] & 2 ? 132 : 80);
    ds_outbound(&ps, data + 1, size - 1, &inbound);
    check(&ps);
    for (size_t i = 1; i < size && i < 40; i++) {
        if (data[i] & 1)
            ps_key(&ps, data[i] % PS_KEY_COUNT);
        else
            ps_type(&ps, data[i]);
        ps_reset(&ps);
    }
    check(&ps);
    ds_parse_inbound((const uint8_t *)inbound.s, inbound.len, &in);
    ds_parse_inbound(data, size, &in);
    ds_compose(&ps, &out);
    INVARIANT(ds_outbound(&ps, (const uint8_t *)out.s, out.len, NULL) == DS_OK);
    check(&ps);
    ps_free(&ps);
    text_free(&inbound);
    text_free(&out);
    return 0;
}
