// SPDX-License-Identifier: MIT
// core: systems, their time line, commands and users. lua/system.lua wraps it.
#include <stdlib.h>
#include <string.h>

#include "lua/binding.h"

struct lua_system {
    struct endicott *sys;
    bool borrowed;           // not ours to free
    struct lua_timer *timer; // those that have not fired
};

struct lua_timer {
    struct lua_timer *next, **link; // what points here
    struct endicott_timer *timer;
    struct endicott *sys;
    struct lua_callback callback;
};

struct endicott *lua_check_system(lua_State *L, int index)
{
    struct lua_system *box = luaL_checkudata(L, index, LUA_SYSTEM_TYPE);
    luaL_argcheck(L, box->sys, index, "the system was closed");
    return box->sys;
}

static struct lua_system *push_box(lua_State *L)
{
    struct lua_system *box = lua_newuserdatauv(L, sizeof *box, 0);
    *box = (struct lua_system){0};
    luaL_setmetatable(L, LUA_SYSTEM_TYPE);
    return box;
}

void lua_push_system(lua_State *L, struct endicott *sys)
{
    *push_box(L) = (struct lua_system){.sys = sys, .borrowed = true};
}

// core.system{real=, folder=, config=, directory=, processors=, storage=, mips=, start=}
// -> system, or nil and the errors
static int system_new(lua_State *L)
{
    char *error = NULL;
    luaL_checktype(L, 1, LUA_TTABLE);
    struct endicott_options options = {
        .mode = lua_option_flag(L, 1, "real") ? CLOCK_REAL : CLOCK_VIRTUAL,
        .folder = lua_option_text(L, 1, "folder"),
        .config_text = lua_option_text(L, 1, "config"),
        .directory_text = lua_option_text(L, 1, "directory"),
        .processors = (unsigned)lua_option_number(L, 1, "processors"),
        .storage = (uint64_t)lua_option_number(L, 1, "storage"),
        .mips = lua_option_number(L, 1, "mips"),
        .model = lua_option_text(L, 1, "model"),
        .start = lua_option_text(L, 1, "start"),
    };
    struct lua_system *box = push_box(L);
    box->sys = endicott_new(&options, &error);
    if (box->sys) {
        if (error)
            fputs(error, stderr);
        free(error);
        return 1;
    }
    lua_pushnil(L);
    lua_pushstring(L, error);
    free(error);
    return 2;
}

// Off the system, which may go away while the function runs.
static void timer_take(struct lua_timer *timer)
{
    *timer->link = timer->next;
    if (timer->next)
        timer->next->link = timer->link;
    endicott_timer_free(timer->timer);
}

static void timer_free(struct lua_timer *timer)
{
    lua_callback_drop(&timer->callback);
    free(timer);
}

static int system_close(lua_State *L)
{
    struct lua_system *box = luaL_checkudata(L, 1, LUA_SYSTEM_TYPE);
    while (box->timer) {
        struct lua_timer *timer = box->timer;
        timer_take(timer);
        timer_free(timer);
    }
    if (!box->borrowed)
        endicott_free(box->sys);
    box->sys = NULL;
    return 0;
}

static int system_now(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    lua_pushnumber(L, tod_to_seconds(endicott_now(sys) - TOD_UNIX_EPOCH));
    return 1;
}

// core.tod(system) -> the exact TOD value as an integer
static int system_tod(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)endicott_now(lua_check_system(L, 1)));
    return 1;
}

// core.run_until(system, tod): advances the system; raises what a callback raised.
static int system_run_until(lua_State *L)
{
    endicott_run_until(lua_check_system(L, 1), (tod_t)luaL_checkinteger(L, 2));
    return 0;
}

static int system_break(lua_State *L)
{
    endicott_break(lua_check_system(L, 1));
    return 0;
}

static int system_is_down(lua_State *L)
{
    lua_pushboolean(L, endicott_is_down(lua_check_system(L, 1)));
    return 1;
}

static int system_name(lua_State *L)
{
    lua_pushstring(L, endicott_name(lua_check_system(L, 1)));
    return 1;
}

// core.command(system, user or nil, line) -> rc, text, message id
static int system_command(lua_State *L)
{
    char *text, *id;
    struct endicott *sys = lua_check_system(L, 1);
    int rc = endicott_command(sys, luaL_optstring(L, 2, NULL), luaL_checkstring(L, 3), &text, &id);
    lua_pushinteger(L, rc);
    lua_pushstring(L, text);
    lua_pushstring(L, id);
    free(text);
    free(id);
    return 3;
}

static void set_number(lua_State *L, const char *name, double n)
{
    lua_pushnumber(L, n);
    lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, uint64_t n)
{
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, name);
}

static void set_boolean(lua_State *L, const char *name, bool on)
{
    lua_pushboolean(L, on);
    lua_setfield(L, -2, name);
}

// intercepts = { ["SSCH"] = {group=, count=, seconds=, host=}, ... }: only those that happened
static void push_intercepts(lua_State *L, const struct endicott_user *user)
{
    lua_newtable(L);
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++) {
        if (!user->intercept_count[i])
            continue;
        lua_newtable(L);
        lua_pushstring(L, endicott_intercept_group((enum intercept)i));
        lua_setfield(L, -2, "group");
        set_integer(L, "count", user->intercept_count[i]);
        set_number(L, "seconds", user->intercept_seconds[i]);
        set_number(L, "host", user->intercept_host[i]);
        lua_setfield(L, -2, endicott_intercept_name((enum intercept)i));
    }
}

static void push_user(lua_State *L, const struct endicott_user *user)
{
    lua_newtable(L);
    lua_pushstring(L, user->userid);
    lua_setfield(L, -2, "userid");
    lua_pushstring(L, user->terminal);
    lua_setfield(L, -2, "terminal");
    set_boolean(L, "disconnected", user->disconnected);
    set_boolean(L, "cp_read", user->in_cp_read);
    set_boolean(L, "waiting", user->waiting);
    set_boolean(L, "service", user->service);
    set_integer(L, "vcpus", user->vcpus);
    set_integer(L, "storage", user->storage);
    set_integer(L, "instructions", user->instructions);
    set_integer(L, "ssch", user->ssch);
    set_integer(L, "messages", user->messages);
    set_number(L, "connect_time", user->connect_time);
    set_number(L, "guest_time", user->guest_time);
    set_number(L, "total_time", user->total_time);
    push_intercepts(L, user);
    lua_setfield(L, -2, "intercepts");
}

// core.users(system) -> array of user tables, in order of logon
static int system_users(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    size_t n = endicott_users(sys, NULL, 0);
    struct endicott_user *users = lua_newuserdatauv(L, (n + 1) * sizeof *users, 0);
    size_t got = endicott_users(sys, users, n);
    lua_newtable(L);
    for (size_t i = 0; i < got && i < n; i++) {
        push_user(L, &users[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// core.user(system, userid) -> user table, or nil when not logged on
static int system_user(lua_State *L)
{
    struct endicott_user user;
    if (endicott_user(lua_check_system(L, 1), luaL_checkstring(L, 2), &user) < 0)
        return 0;
    push_user(L, &user);
    return 1;
}

// core.peek(system, userid, address, length) -> bytes, or nil
static int system_peek(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    size_t n = (size_t)luaL_checkinteger(L, 4);
    luaL_argcheck(L, n > 0 && n <= 1u << 20, 4, "1 to 1048576 bytes");
    luaL_Buffer buffer;
    char *to = luaL_buffinitsize(L, &buffer, n);
    int got = endicott_peek(sys, luaL_checkstring(L, 2), (uint64_t)luaL_checkinteger(L, 3), to, n);
    if (got < 0)
        return 0;
    luaL_pushresultsize(&buffer, n);
    return 1;
}

// core.poke(system, userid, address, bytes) -> true, or nil
static int system_poke(lua_State *L)
{
    size_t n;
    struct endicott *sys = lua_check_system(L, 1);
    const char *from = luaL_checklstring(L, 4, &n);
    if (endicott_poke(sys, luaL_checkstring(L, 2), (uint64_t)luaL_checkinteger(L, 3), from, n) < 0)
        return 0;
    lua_pushboolean(L, true);
    return 1;
}

// core.monwrite_folder(system, folder)
static int system_monwrite_folder(lua_State *L)
{
    endicott_monwrite_folder(lua_check_system(L, 1), luaL_optstring(L, 2, NULL));
    return 0;
}

// core.temporary_folder() -> path of a new folder below $TMPDIR or /tmp
static int temporary_folder(lua_State *L)
{
    const char *base = getenv("TMPDIR");
    lua_pushfstring(L, "%s/endicott-XXXXXX", base ? base : "/tmp");
    char *path = strdup(lua_tostring(L, -1));
    bool made = path && mkdtemp(path);
    lua_pushstring(L, made ? path : NULL);
    free(path);
    return made ? 1
                : luaL_error(L, "no temporary folder can be made below %s", base ? base : "/tmp");
}

static void timer_fired(void *arg)
{
    struct lua_timer *timer = arg;
    timer_take(timer);
    lua_callback_push(&timer->callback);
    lua_callback_call(&timer->callback, 0, timer->sys);
    timer_free(timer);
}

// core.timer(system, tod, function): calls it once, at that time
static int system_timer(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    struct lua_system *box = lua_touserdata(L, 1);
    tod_t due = (tod_t)luaL_checkinteger(L, 2);
    luaL_checktype(L, 3, LUA_TFUNCTION);
    struct lua_timer *timer = calloc(1, sizeof *timer);
    if (!timer)
        return luaL_error(L, "out of memory");
    timer->sys = sys;
    lua_callback_take(L, 3, &timer->callback);
    timer->next = box->timer;
    timer->link = &box->timer;
    if (timer->next)
        timer->next->link = &timer->next;
    box->timer = timer;
    timer->timer = endicott_timer_new(sys, due, timer_fired, timer);
    return 0;
}

void lua_open_system(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"system", system_new},
        {"close", system_close},
        {"now", system_now},
        {"tod", system_tod},
        {"break_run", system_break},
        {"run_until", system_run_until},
        {"is_down", system_is_down},
        {"name", system_name},
        {"command", system_command},
        {"users", system_users},
        {"user", system_user},
        {"peek", system_peek},
        {"poke", system_poke},
        {"timer", system_timer},
        {"monwrite_folder", system_monwrite_folder},
        {"temporary_folder", temporary_folder},
        {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
    lua_pushinteger(L, (lua_Integer)TOD_SECOND);
    lua_setfield(L, -2, "tod_second");
    luaL_newmetatable(L, LUA_SYSTEM_TYPE);
    lua_pushcfunction(L, system_close);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 1);
}
