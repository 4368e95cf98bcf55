// SPDX-License-Identifier: MIT
#include "lua/view.h"

#include <stdlib.h>

#include "base/memory.h"
#include "lua/binding.h"
#include "lua/run.h"
#include "panels/canvas_lua.h"

struct lua_view {
    lua_State *L;
    int live; // registry reference of the Lua object (lua/liveview.lua)
};

struct lua_view *lua_view_new(struct endicott *sys, const char *name)
{
    lua_State *L = lua_new_state();
    if (!L)
        return NULL;
    lua_getglobal(L, "require");
    lua_pushliteral(L, "liveview");
    lua_call(L, 1, 1);
    lua_getfield(L, -1, "new");
    lua_push_system(L, sys);
    lua_pushstring(L, name);
    if (lua_pcall(L, 2, 1, 0) != LUA_OK) {
        fprintf(stderr, "endicott: %s\n", lua_tostring(L, -1));
        lua_close(L);
        return NULL;
    }
    struct lua_view *view = mem_zero(1, sizeof *view);
    view->L = L;
    view->live = luaL_ref(L, LUA_REGISTRYINDEX);
    return view;
}

void lua_view_free(struct lua_view *view)
{
    if (!view)
        return;
    lua_close(view->L);
    free(view);
}

void lua_view_draw(void *arg, struct cells *cells)
{
    struct lua_view *view = arg;
    lua_State *L = view->L;
    lua_rawgeti(L, LUA_REGISTRYINDEX, view->live);
    lua_getfield(L, -1, "draw");
    lua_insert(L, -2);
    canvas_lua_push(L, cells);
    lua_pushvalue(L, -1);
    lua_insert(L, 1);
    if (lua_pcall(L, 2, 0, 0) != LUA_OK)
        cells_text(cells, 0, 0, cells->cols, lua_tostring(L, -1), CELL_DEFAULT, 0);
    canvas_lua_release(L, 1);
    lua_settop(L, 0);
}
