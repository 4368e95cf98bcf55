// SPDX-License-Identifier: MIT
// Domains as MONITOR and QUERY MONITOR know them.
#ifndef ENDICOTT_MONITOR_DOMAINS_H
#define ENDICOTT_MONITOR_DOMAINS_H

#include "monitor/record.h"

enum domain_elements { ELEMENTS_NONE, ELEMENTS_USERS, ELEMENTS_DEVICES };

struct domain_row {
    enum monitor_domain domain;
    unsigned min; // abbreviation
    bool sample, event;
    bool fixed; // always enabled, not an operand
    enum domain_elements elements;
};

#define DOMAIN_ROWS 12
extern const struct domain_row domain_rows[DOMAIN_ROWS]; // in the order in which QUERY shows them

#endif
