// SPDX-License-Identifier: MIT
// Runs Lua scripts: scenarios (`endicott run`) and the modules that panels need.
#ifndef ENDICOTT_LUA_RUN_H
#define ENDICOTT_LUA_RUN_H

#include <lua.h>
#include <stdbool.h>

// A state with the standard libraries, the embedded modules behind require(), and `core`.
lua_State *lua_new_state(void);

// Runs the script as the main coroutine; arg[0] is its path, arg[1..] its arguments. Exit code: 0,
// or 1 when it raised (file and line on standard error) or a TAP check failed.
int lua_run_script(const char *path, int argc, char **argv, bool real);

// Requires `module` and calls its function `name` with the strings given, as the main coroutine;
// exit code as above, or the integer it returns.
int lua_run_module(const char *module, const char *name, int argc, char **argv);

#endif
