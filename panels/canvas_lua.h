// SPDX-License-Identifier: MIT
// The canvas in Lua.
#ifndef ENDICOTT_PANELS_CANVAS_LUA_H
#define ENDICOTT_PANELS_CANVAS_LUA_H

#include <lua.h>

#include "console/cells.h"

// Module "canvas": new(width, height [, {ascii = true}]) -> canvas.
int luaopen_canvas(lua_State *L);
// Pushes a canvas that draws on `cells`, which the caller keeps and keeps alive until
// canvas_lua_release(), after which the Lua object refuses to draw.
void canvas_lua_push(lua_State *L, struct cells *cells);
void canvas_lua_release(lua_State *L, int index);

#endif
