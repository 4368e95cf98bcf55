// SPDX-License-Identifier: MIT
// A live panel beside a running system: draws on the console's cells.
#ifndef ENDICOTT_LUA_VIEW_H
#define ENDICOTT_LUA_VIEW_H

#include "console/cells.h"
#include "endicott.h"

struct lua_view;

// Panel `name` over `sys`, which must outlive it. It becomes a monitor user when it is drawn first.
// NULL with a text on standard error when there is no such panel.
struct lua_view *lua_view_new(struct endicott *sys, const char *name);
void lua_view_free(struct lua_view *view);
// Draws it; a failing panel shows its error instead. `view` is a struct lua_view.
void lua_view_draw(void *view, struct cells *cells);

#endif
