// SPDX-License-Identifier: MIT
// core: consoles. A script is a display like any other: CP's full screen draws on a presentation
// space in memory, the script types and reads there. lua/console.lua wraps it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "console/datastream.h"
#include "console/display.h"
#include "console/fullscreen.h"
#include "lua/binding.h"

#define LUA_CONSOLE_TYPE "endicott.console"

struct lua_console {
    struct endicott *sys;
    struct memory_display display;
    struct fullscreen *screen;
    struct endicott_timer *work; // fullscreen_work() is due
    struct lua_callback changed;
    unsigned seen; // display.changes when the script was last told
};

static struct lua_console *check_console(lua_State *L)
{
    struct lua_console *console = luaL_checkudata(L, 1, LUA_CONSOLE_TYPE);
    luaL_argcheck(L, console->screen, 1, "the console was closed");
    return console;
}

static void tell(struct lua_console *console)
{
    if (console->seen == console->display.changes)
        return;
    console->seen = console->display.changes;
    lua_callback_push(&console->changed);
    lua_callback_call(&console->changed, 0, console->sys);
}

static void work(void *arg)
{
    struct lua_console *console = arg;
    endicott_timer_free(console->work);
    console->work = NULL;
    fullscreen_work(console->screen);
    tell(console);
}

// Any thread, lock held or not: the work itself happens on the event queue.
static void wake(void *arg)
{
    struct lua_console *console = arg;
    endicott_lock(console->sys);
    if (!console->work)
        console->work = endicott_timer_new(console->sys, endicott_now(console->sys), work, console);
    endicott_unlock(console->sys);
}

// core.console(system, name, changed) -> console
static int console_new(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    const char *name = luaL_checkstring(L, 2);
    struct lua_console *console = lua_newuserdatauv(L, sizeof *console, 1);
    memset(console, 0, sizeof *console);
    console->sys = sys;
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1); // the system outlives its consoles
    lua_callback_take(L, 3, &console->changed);
    memory_display_init(&console->display, 24, 80);
    struct fullscreen_options options = {.name = name, .wake = wake, .wake_arg = console};
    console->screen = fullscreen_new(sys, &console->display.display, &options);
    luaL_setmetatable(L, LUA_CONSOLE_TYPE);
    fullscreen_work(console->screen);
    return 1;
}

static int console_close(lua_State *L)
{
    struct lua_console *console = luaL_checkudata(L, 1, LUA_CONSOLE_TYPE);
    if (console->screen) {
        fullscreen_free(console->screen);
        endicott_timer_free(console->work);
        memory_display_free(&console->display);
        lua_callback_drop(&console->changed);
        console->screen = NULL;
    }
    return 0;
}

// core.console_logon(console, userid) -> message number, 0 when logged on
static int console_logon(lua_State *L)
{
    struct lua_console *console = check_console(L);
    int rc = fullscreen_logon(console->screen, luaL_checkstring(L, 2));
    fullscreen_work(console->screen);
    tell(console);
    lua_pushinteger(L, rc);
    return 1;
}

// core.console_type(console, text) -> true, or false when the keyboard locked
static int console_type(lua_State *L)
{
    struct lua_console *console = check_console(L);
    lua_pushboolean(L, memory_display_type(&console->display, luaL_checkstring(L, 2)));
    return 1;
}

static int aid_of(const char *key)
{
    static const struct {
        const char *name;
        int aid;
    } keys[] = {
        {"ENTER", AID_ENTER}, {"CLEAR", AID_CLEAR}, {"PA1", AID_PA1},
        {"PA2", AID_PA2},     {"PA3", AID_PA3},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcmp(key, keys[i].name) == 0)
            return keys[i].aid;
    unsigned pf;
    char rest;
    if (sscanf(key, "PF%2u%c", &pf, &rest) == 1 && pf >= 1 && pf <= 24)
        return ds_aid_of_pf(pf);
    return -1;
}

// core.console_press(console, key) -> true, or false while the keyboard is locked
static int console_press(lua_State *L)
{
    struct lua_console *console = check_console(L);
    const char *key = luaL_checkstring(L, 2);
    int aid = aid_of(key);
    luaL_argcheck(L, aid >= 0, 2, "ENTER, CLEAR, PA1 to PA3 or PF1 to PF24");
    lua_pushboolean(L, memory_display_press(&console->display, (uint8_t)aid));
    fullscreen_work(console->screen);
    tell(console);
    return 1;
}

// core.console_screen(console) -> array of rows
static int console_screen(lua_State *L)
{
    char row[1024];
    struct lua_console *console = check_console(L);
    const struct presentation *ps = &console->display.ps;
    lua_newtable(L);
    for (unsigned i = 0; i < ps->rows; i++) {
        ps_row(ps, i, row, sizeof row);
        lua_pushstring(L, row);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

static int console_status(lua_State *L)
{
    lua_pushstring(L, fullscreen_status(check_console(L)->screen));
    return 1;
}

// core.console_history(console, from) -> array of the lines shown since the line `from` (from 1)
static int console_history(lua_State *L)
{
    char line[1024];
    struct lua_console *console = check_console(L);
    size_t n = fullscreen_history(console->screen);
    lua_Integer from = luaL_optinteger(L, 2, 1), at = 0;
    lua_newtable(L);
    for (size_t i = from > 0 ? (size_t)from - 1 : 0; i < n; i++) {
        if (!fullscreen_history_line(console->screen, i, line, sizeof line))
            break;
        lua_pushstring(L, line);
        lua_rawseti(L, -2, ++at);
    }
    return 1;
}

void lua_open_console(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"console", console_new},
        {"console_close", console_close},
        {"console_logon", console_logon},
        {"console_type", console_type},
        {"console_press", console_press},
        {"console_screen", console_screen},
        {"console_status", console_status},
        {"console_history", console_history},
        {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
    luaL_newmetatable(L, LUA_CONSOLE_TYPE);
    lua_pushcfunction(L, console_close);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
