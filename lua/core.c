// SPDX-License-Identifier: MIT
// The C module `core`, and calls from the engine into Lua.
#include "lua/binding.h"

#include <stdlib.h>

static const char pending_error_key = 'e';

void lua_callback_take(lua_State *L, int index, struct lua_callback *callback)
{
    luaL_checktype(L, index, LUA_TFUNCTION);
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    callback->L = lua_tothread(L, -1);
    lua_pop(L, 1);
    lua_pushvalue(L, index);
    callback->ref = luaL_ref(L, LUA_REGISTRYINDEX);
}

void lua_callback_drop(struct lua_callback *callback)
{
    if (callback->L)
        luaL_unref(callback->L, LUA_REGISTRYINDEX, callback->ref);
    callback->L = NULL;
}

void lua_callback_push(const struct lua_callback *callback)
{
    luaL_checkstack(callback->L, 16, "engine callback");
    lua_rawgeti(callback->L, LUA_REGISTRYINDEX, callback->ref);
}

static int add_traceback(lua_State *L)
{
    if (lua_type(L, 1) == LUA_TSTRING)
        luaL_traceback(L, L, lua_tostring(L, 1), 1);
    return 1;
}

void lua_callback_call(const struct lua_callback *callback, int arguments, struct endicott *sys)
{
    lua_State *L = callback->L;
    int handler = lua_gettop(L) - arguments;
    lua_pushcfunction(L, add_traceback);
    lua_insert(L, handler);
    if (lua_pcall(L, arguments, 0, handler) != LUA_OK) {
        lua_rawsetp(L, LUA_REGISTRYINDEX, &pending_error_key);
        if (sys)
            endicott_break(sys);
    }
    lua_remove(L, handler);
}

// core.pending_error() -> the error kept from a callback, or nil; forgets it.
static int pending_error(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &pending_error_key);
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &pending_error_key);
    return 1;
}

double lua_option_number(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    double number = luaL_optnumber(L, -1, 0);
    lua_pop(L, 1);
    return number;
}

const char *lua_option_text(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    const char *text = luaL_optstring(L, -1, NULL);
    lua_pop(L, 1);
    return text;
}

bool lua_option_flag(lua_State *L, int table, const char *name)
{
    lua_getfield(L, table, name);
    bool set = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return set;
}

// core.document(what) -> writes a coverage table to standard output.
static int document(lua_State *L)
{
    endicott_document(luaL_checkstring(L, 1), stdout);
    return 0;
}

// core.guest_path(name) -> path of a bundled guest's image, or nil
static int guest_path(lua_State *L)
{
    char *path = endicott_guest_path(luaL_checkstring(L, 1));
    lua_pushstring(L, path);
    free(path);
    return 1;
}

int luaopen_core(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"pending_error", pending_error},
        {"document", document},
        {"guest_path", guest_path},
        {NULL, NULL},
    };
    luaL_newlib(L, functions);
    lua_open_system(L);
    lua_open_bare(L);
    lua_open_monitor(L);
    lua_open_console(L);
    return 1;
}
