// SPDX-License-Identifier: MIT
// core: bare machines. lua/bare.lua wraps it.
#include <stdlib.h>

#include "lua/binding.h"

#define LUA_BARE_TYPE "endicott.bare"

struct lua_bare {
    struct endicott_bare *bare;
};

static struct endicott_bare *check_bare(lua_State *L)
{
    struct lua_bare *box = luaL_checkudata(L, 1, LUA_BARE_TYPE);
    luaL_argcheck(L, box->bare, 1, "the machine was closed");
    return box->bare;
}

// core.bare{storage=, cpus=, mips=, cylinders=, model=, hypervisor=, name=, uuid=, zarch=,
// no_console=, device_number=, device_type=, device_model=} -> machine, or nil and why. uuid: its
// 16 bytes.
static int bare_new(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_getfield(L, 1, "uuid");
    size_t n = 16;
    const char *uuid = lua_isnil(L, -1) ? NULL : luaL_checklstring(L, -1, &n);
    luaL_argcheck(L, n == 16, 1, "uuid: 16 bytes");
    struct endicott_bare_options options = {
        .storage = (uint64_t)lua_option_number(L, 1, "storage"),
        .cpus = (unsigned)lua_option_number(L, 1, "cpus"),
        .mips = lua_option_number(L, 1, "mips"),
        .cylinders = (unsigned)lua_option_number(L, 1, "cylinders"),
        .zarch = lua_option_flag(L, 1, "zarch"),
        .no_console = lua_option_flag(L, 1, "no_console"),
        .model = lua_option_text(L, 1, "model"),
        .hypervisor = lua_option_text(L, 1, "hypervisor"),
        .name = lua_option_text(L, 1, "name"),
        .uuid = (const uint8_t *)uuid,
        .device_number = (uint16_t)lua_option_number(L, 1, "device_number"),
        .device_type = (uint16_t)lua_option_number(L, 1, "device_type"),
        .device_model = (uint8_t)lua_option_number(L, 1, "device_model"),
    };
    char *error = NULL;
    struct lua_bare *box = lua_newuserdatauv(L, sizeof *box, 0);
    box->bare = NULL;
    luaL_setmetatable(L, LUA_BARE_TYPE);
    box->bare = endicott_bare_new(&options, &error);
    if (!box->bare) {
        lua_pushnil(L);
        lua_pushstring(L, error);
        free(error);
        return 2;
    }
    return 1;
}

static int bare_close(lua_State *L)
{
    struct lua_bare *box = luaL_checkudata(L, 1, LUA_BARE_TYPE);
    endicott_bare_free(box->bare);
    box->bare = NULL;
    return 0;
}

// core.bare_ipl(machine, path, parameters) -> true, or nil and why
static int bare_ipl(lua_State *L)
{
    char *error = NULL;
    if (endicott_bare_ipl(check_bare(L), luaL_checkstring(L, 2), luaL_optstring(L, 3, ""), &error) <
        0) {
        lua_pushnil(L);
        lua_pushstring(L, error);
        free(error);
        return 2;
    }
    lua_pushboolean(L, true);
    return 1;
}

static int bare_run(lua_State *L)
{
    lua_pushboolean(L, endicott_bare_run(check_bare(L), luaL_checknumber(L, 2)));
    return 1;
}

static int bare_input(lua_State *L)
{
    endicott_bare_input(check_bare(L), luaL_checkstring(L, 2));
    return 0;
}

static int bare_state(lua_State *L)
{
    struct endicott_bare_state state;
    endicott_bare_state(check_bare(L), &state);
    lua_newtable(L);
    lua_pushnumber(L, state.elapsed);
    lua_setfield(L, -2, "elapsed");
    lua_pushnumber(L, state.cpu_time);
    lua_setfield(L, -2, "cpu_time");
    lua_pushinteger(L, (lua_Integer)state.instructions);
    lua_setfield(L, -2, "instructions");
    lua_pushboolean(L, state.at_rest);
    lua_setfield(L, -2, "at_rest");
    lua_pushinteger(L, (lua_Integer)state.wait_address);
    lua_setfield(L, -2, "wait_address");
    return 1;
}

static int bare_output(lua_State *L)
{
    lua_pushstring(L, endicott_bare_output(check_bare(L)));
    return 1;
}

static int bare_peek(lua_State *L)
{
    struct endicott_bare *bare = check_bare(L);
    size_t n = (size_t)luaL_checkinteger(L, 3);
    luaL_argcheck(L, n > 0 && n <= 1u << 20, 3, "1 to 1048576 bytes");
    luaL_Buffer buffer;
    char *to = luaL_buffinitsize(L, &buffer, n);
    if (endicott_bare_peek(bare, (uint64_t)luaL_checkinteger(L, 2), to, n) < 0)
        return 0;
    luaL_pushresultsize(&buffer, n);
    return 1;
}

void lua_open_bare(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"bare", bare_new},           {"bare_close", bare_close}, {"bare_ipl", bare_ipl},
        {"bare_run", bare_run},       {"bare_input", bare_input}, {"bare_state", bare_state},
        {"bare_output", bare_output}, {"bare_peek", bare_peek},   {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
    luaL_newmetatable(L, LUA_BARE_TYPE);
    lua_pushcfunction(L, bare_close);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
