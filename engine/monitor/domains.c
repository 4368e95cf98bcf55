// SPDX-License-Identifier: MIT
// The table of domains.
#include "monitor/domains.h"

// clang-format off
const struct domain_row domain_rows[DOMAIN_ROWS] = {
    {DOMAIN_MONITOR,   7, true,  true,  true,  ELEMENTS_NONE},
    {DOMAIN_SYSTEM,    6, true,  false, true,  ELEMENTS_NONE},
    {DOMAIN_PROCESSOR, 4, true,  true,  false, ELEMENTS_NONE},
    {DOMAIN_STORAGE,   4, true,  true,  false, ELEMENTS_NONE},
    {DOMAIN_SCHEDULER, 5, false, true,  false, ELEMENTS_USERS},
    {DOMAIN_SEEKS,     4, false, true,  false, ELEMENTS_DEVICES},
    {DOMAIN_USER,      4, true,  true,  false, ELEMENTS_USERS},
    {DOMAIN_IO,        3, true,  true,  false, ELEMENTS_DEVICES},
    {DOMAIN_NETWORK,   3, true,  true,  false, ELEMENTS_NONE},
    {DOMAIN_ISFC,      3, true,  true,  false, ELEMENTS_NONE},
    {DOMAIN_APPLDATA,  4, true,  true,  false, ELEMENTS_USERS},
    {DOMAIN_SSI,       3, true,  true,  false, ELEMENTS_NONE},
};
// clang-format on
