// SPDX-License-Identifier: MIT
// What the files of the Lua binding share. Lua modules (lua/*.lua) stand on the C module `core`.
#ifndef ENDICOTT_LUA_BINDING_H
#define ENDICOTT_LUA_BINDING_H

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

#include "endicott.h"

#define LUA_SYSTEM_TYPE "endicott.system"

// The system userdata at stack `index`; raises when it is another thing or was closed.
struct endicott *lua_check_system(lua_State *L, int index);

// Pushes a system that somebody else owns and keeps open as long as the state lives.
void lua_push_system(lua_State *L, struct endicott *sys);

// Fields of the table at `table` that need not be there: 0, NULL and false then. A number or text
// of another type raises. The table keeps the text alive.
double lua_option_number(lua_State *L, int table, const char *name);
const char *lua_option_text(lua_State *L, int table, const char *name);
bool lua_option_flag(lua_State *L, int table, const char *name);

// A Lua function to be called from the engine. `L` must be the state's main thread.
struct lua_callback {
    lua_State *L;
    int ref;
};
// Takes the function at `index` into the registry.
void lua_callback_take(lua_State *L, int index, struct lua_callback *callback);
void lua_callback_drop(struct lua_callback *callback);
// Pushes the function; afterwards push the arguments and call lua_callback_call, which never
// raises: an error is kept, the system is told to break, and core.run_until raises it.
void lua_callback_push(const struct lua_callback *callback);
void lua_callback_call(const struct lua_callback *callback, int arguments, struct endicott *sys);

// Each adds its functions to the table on the top of the stack.
void lua_open_system(lua_State *L);
void lua_open_bare(lua_State *L);
void lua_open_monitor(lua_State *L);
void lua_open_console(lua_State *L);

// Embedded modules, made from the .lua files at build time; ends with a NULL name.
struct lua_module {
    const char *name;
    const char *text;
    size_t size;
};
extern const struct lua_module lua_modules[];

int luaopen_core(lua_State *L);
int luaopen_canvas(lua_State *L); // panels/canvas_lua.c

#endif
