// SPDX-License-Identifier: MIT
// Element lists of monitor domains.
#include "monitor/elements.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cp/cp.h"

void elements_set_all(struct element_list *list, bool enable)
{
    list->all = enable;
    list->rules = 0;
}

static bool same_element(const struct element_rule *a, const struct element_rule *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0 && a->first == b->first &&
           a->last == b->last;
}

void elements_add(struct element_list *list, const struct element_rule *rule)
{
    // An earlier rule for the same thing has no say any more.
    unsigned kept = 0;
    for (unsigned i = 0; i < list->rules; i++)
        if (!same_element(&list->rule[i], rule))
            list->rule[kept++] = list->rule[i];
    list->rules = kept;
    if (list->rules == list->cap) {
        list->cap = list->cap ? 2 * list->cap : 8;
        list->rule = mem_resize(list->rule, list->cap, sizeof *list->rule);
    }
    list->rule[list->rules++] = *rule;
}

void elements_free(struct element_list *list)
{
    free(list->rule);
    *list = (struct element_list){0};
}

bool elements_have_user(const struct element_list *list, const char *userid)
{
    for (unsigned i = list->rules; i-- > 0;)
        if (list->rule[i].kind == ELEMENT_USER && strcmp(list->rule[i].name, userid) == 0)
            return list->rule[i].enable;
    return list->all;
}

static bool rule_matches(const struct element_rule *rule, const struct rdev *rdev)
{
    switch (rule->kind) {
    case ELEMENT_DEVICE:
        return rdev->number >= rule->first && rdev->number <= rule->last;
    case ELEMENT_CLASS:
        return strcmp(rdev->type, rule->name) == 0;
    case ELEMENT_TYPE:
        return rdev->model && strcmp(rdev->model, rule->name) == 0;
    case ELEMENT_VOLUME:
        return strcmp(rdev->volser, rule->name) == 0;
    case ELEMENT_CPVOL:
        return rdev->cp_owned;
    case ELEMENT_USER:
        break;
    }
    return false;
}

bool elements_have_device(const struct element_list *list, const struct rdev *rdev)
{
    for (unsigned i = list->rules; i-- > 0;)
        if (rule_matches(&list->rule[i], rdev))
            return list->rule[i].enable;
    return list->all;
}
