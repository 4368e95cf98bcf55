// SPDX-License-Identifier: MIT
// The intercept table's rows, from the one list in cpu/intercept.h.
#include "cp/intercepts.h"

const struct intercept_row intercept_rows[INTERCEPT_COUNT] = {
#define X(id, text, in_group, ns) \
    [INTERCEPT_##id] = {.name = text, .group = INTERCEPT_GROUP_##in_group, .cost_ns = ns},
    INTERCEPTS(X)
#undef X
};

const char *const intercept_group_names[INTERCEPT_GROUP_COUNT] = {
#define X(id, text) [INTERCEPT_GROUP_##id] = text,
    INTERCEPT_GROUPS(X)
#undef X
};

enum intercept intercept_of_diagnose(uint32_t code)
{
    static const struct {
        uint16_t code;
        enum intercept reason;
    } rows[] = {
        {0x00, INTERCEPT_DIAG_00}, {0x08, INTERCEPT_DIAG_08},   {0x0C, INTERCEPT_DIAG_0C},
        {0x10, INTERCEPT_DIAG_10}, {0x24, INTERCEPT_DIAG_24},   {0x44, INTERCEPT_DIAG_44},
        {0x9C, INTERCEPT_DIAG_9C}, {0x2A8, INTERCEPT_DIAG_NET}, {0xDC, INTERCEPT_DIAG_DC},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].code == code)
            return rows[i].reason;
    return INTERCEPT_DIAG;
}

// Function codes as in general register 0 of the IUCV instruction.
enum intercept intercept_of_iucv(uint32_t function)
{
    switch (function) {
    case 0x00:
        return INTERCEPT_IUCV_QUERY;
    case 0x04:
        return INTERCEPT_IUCV_SEND;
    case 0x05:
        return INTERCEPT_IUCV_RECEIVE;
    case 0x06:
        return INTERCEPT_IUCV_REPLY;
    case 0x0A:
        return INTERCEPT_IUCV_ACCEPT;
    case 0x0B:
        return INTERCEPT_IUCV_CONNECT;
    case 0x0F:
        return INTERCEPT_IUCV_SEVER;
    default:
        return INTERCEPT_IUCV;
    }
}
