// SPDX-License-Identifier: MIT
// Which users and devices of an enabled domain are monitored: the rules that ENABLE and DISABLE
// left, in order; the last one that matches decides. Rules hold for what comes later, too.
#ifndef ENDICOTT_MONITOR_ELEMENTS_H
#define ENDICOTT_MONITOR_ELEMENTS_H

#include <stdbool.h>
#include <stdint.h>

struct rdev;

enum element_kind {
    ELEMENT_USER,   // name
    ELEMENT_DEVICE, // first to last
    ELEMENT_CLASS,  // name: "DASD", ...
    ELEMENT_TYPE,   // name: "3390", ...
    ELEMENT_VOLUME, // name: volume serial
    ELEMENT_CPVOL,  // CP-owned volumes
};

struct element_rule {
    enum element_kind kind;
    bool enable;
    char name[9];
    uint16_t first, last;
};

struct element_list {
    bool all; // what no rule matches
    struct element_rule *rule;
    unsigned rules, cap;
};

void elements_set_all(struct element_list *list, bool enable); // forgets the rules
void elements_add(struct element_list *list, const struct element_rule *rule);
void elements_free(struct element_list *list);
bool elements_have_user(const struct element_list *list, const char *userid);
bool elements_have_device(const struct element_list *list, const struct rdev *rdev);

#endif
