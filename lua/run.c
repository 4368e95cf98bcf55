// SPDX-License-Identifier: MIT
#include "lua/run.h"

#include <lualib.h>
#include <stdio.h>
#include <string.h>

#include "lua/binding.h"

// package.searchers entry: embedded modules by name.
static int search_embedded(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    for (const struct lua_module *m = lua_modules; m->name; m++) {
        char chunk[80];
        if (strcmp(m->name, name) != 0)
            continue;
        snprintf(chunk, sizeof chunk, "@%s.lua", name);
        if (luaL_loadbuffer(L, m->text, m->size, chunk) != LUA_OK)
            return lua_error(L);
        lua_pushfstring(L, "embedded %s", name);
        return 2;
    }
    lua_pushfstring(L, "no embedded module '%s'", name);
    return 1;
}

static void preload(lua_State *L, const char *name, lua_CFunction open)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
    lua_pushcfunction(L, open);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

lua_State *lua_new_state(void)
{
    lua_State *L = luaL_newstate();
    if (!L)
        return NULL;
    luaL_openlibs(L);
    preload(L, "core", luaopen_core);
    preload(L, "canvas", luaopen_canvas);
    // Second place, after preload: embedded modules win over files of the same name elsewhere.
    lua_getglobal(L, "table");
    lua_getfield(L, -1, "insert");
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "searchers");
    lua_remove(L, -2);
    lua_pushinteger(L, 2);
    lua_pushcfunction(L, search_embedded);
    lua_call(L, 3, 0);
    lua_pop(L, 1);
    return L;
}

static int traceback(lua_State *L)
{
    const char *text = luaL_tolstring(L, 1, NULL);
    if (lua_type(L, 1) == LUA_TSTRING && !strstr(text, "stack traceback:"))
        luaL_traceback(L, L, text, 1);
    return 1;
}

// Calls the function below `arguments` on the stack; on an error prints it and returns false.
static bool call(lua_State *L, int arguments, int results)
{
    int handler = lua_gettop(L) - arguments;
    lua_pushcfunction(L, traceback);
    lua_insert(L, handler);
    if (lua_pcall(L, arguments, results, handler) == LUA_OK) {
        lua_remove(L, handler);
        return true;
    }
    fflush(stdout);
    fprintf(stderr, "endicott: %s\n", lua_tostring(L, -1));
    lua_settop(L, handler - 1);
    return false;
}

static void push_member(lua_State *L, const char *module, const char *name)
{
    lua_getglobal(L, "require");
    lua_pushstring(L, module);
    lua_call(L, 1, 1);
    lua_getfield(L, -1, name);
    lua_remove(L, -2);
}

static void set_arguments(lua_State *L, const char *path, int argc, char **argv)
{
    lua_newtable(L);
    lua_pushstring(L, path);
    lua_rawseti(L, -2, 0);
    for (int i = 0; i < argc; i++) {
        lua_pushstring(L, argv[i]);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setglobal(L, "arg");
}

// Prints the TAP plan; false when a check failed.
static bool finish_tap(lua_State *L)
{
    push_member(L, "tap", "finish");
    if (!call(L, 0, 1))
        return false;
    bool passed = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return passed;
}

static void set_real(lua_State *L, bool real)
{
    lua_getglobal(L, "require");
    lua_pushliteral(L, "system");
    lua_call(L, 1, 1);
    lua_pushboolean(L, real);
    lua_setfield(L, -2, "real");
    lua_pop(L, 1);
}

int lua_run_script(const char *path, int argc, char **argv, bool real)
{
    lua_State *L = lua_new_state();
    if (!L) {
        fputs("endicott: out of memory\n", stderr);
        return 1;
    }
    bool passed = false;
    set_real(L, real);
    set_arguments(L, path, argc, argv);
    push_member(L, "scheduler", "main");
    if (luaL_loadfile(L, path) != LUA_OK) {
        fprintf(stderr, "endicott: %s\n", lua_tostring(L, -1));
    } else {
        for (int i = 0; i < argc; i++)
            lua_pushstring(L, argv[i]);
        bool ran = call(L, argc + 1, 0);
        if (!ran)
            puts("Bail out! the script raised an error");
        passed = finish_tap(L) && ran;
    }
    lua_close(L);
    fflush(stdout);
    return passed ? 0 : 1;
}

int lua_run_module(const char *module, const char *name, int argc, char **argv)
{
    lua_State *L = lua_new_state();
    if (!L) {
        fputs("endicott: out of memory\n", stderr);
        return 1;
    }
    int code = 1;
    push_member(L, module, name);
    for (int i = 0; i < argc; i++)
        lua_pushstring(L, argv[i]);
    if (call(L, argc, 1))
        code = (int)luaL_optinteger(L, -1, 0);
    lua_close(L);
    fflush(stdout);
    return code;
}
