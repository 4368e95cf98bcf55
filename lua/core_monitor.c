// SPDX-License-Identifier: MIT
// core: monitor records as Lua objects, from a running system or a MONWRITE file.
#include <stdlib.h>
#include <string.h>

#include "base/ebcdic.h"
#include "lua/binding.h"

#define LUA_RECORD_TYPE       "endicott.record"
#define LUA_SUBSCRIPTION_TYPE "endicott.subscription"

// Points at the engine's record during the callback only; NULL afterwards.
struct lua_record {
    const struct endicott_record *record;
};

static const struct endicott_record *check_record(lua_State *L)
{
    struct lua_record *box = luaL_checkudata(L, 1, LUA_RECORD_TYPE);
    luaL_argcheck(L, box->record, 1, "a record is valid only inside its callback");
    return box->record;
}

static void push_text(lua_State *L, const uint8_t *bytes, size_t n)
{
    char text[1024];
    ebcdic_field_text(bytes, n < 250 ? n : 250, text, sizeof text);
    lua_pushstring(L, text);
}

static void push_field(lua_State *L, const struct endicott_field *field)
{
    switch (field->kind) {
    case ENDICOTT_NUMBER:
        lua_pushinteger(L, (lua_Integer)field->number);
        break;
    case ENDICOTT_TIME: // negative before 1970, as a TOD clock of 0 is
        lua_pushnumber(L, field->number >= TOD_UNIX_EPOCH
                              ? tod_to_seconds(field->number - TOD_UNIX_EPOCH)
                              : -tod_to_seconds(TOD_UNIX_EPOCH - field->number));
        break;
    case ENDICOTT_SPAN:
        lua_pushnumber(L, tod_to_seconds(field->number));
        break;
    case ENDICOTT_TEXT:
        push_text(L, field->bytes, field->size);
        break;
    case ENDICOTT_BYTES:
        lua_pushlstring(L, (const char *)field->bytes, field->size);
        break;
    }
}

// record:get(name) -> value or nil
static int record_get(lua_State *L)
{
    struct endicott_field field;
    if (!endicott_record_field(check_record(L), luaL_checkstring(L, 2), &field))
        return 0;
    push_field(L, &field);
    return 1;
}

// record:overhead() -> { {name=, group=, count=, seconds=}, ... }: CP's own application data; empty
// for any other record
static int record_overhead(lua_State *L)
{
    const struct endicott_record *record = check_record(L);
    lua_Integer n = 0;
    uint64_t count;
    tod_t cost;
    lua_newtable(L);
    for (unsigned i = 0; i < INTERCEPT_COUNT; i++) {
        enum intercept reason = (enum intercept)i;
        if (!endicott_record_overhead(record, reason, &count, &cost) || !count)
            continue;
        lua_newtable(L);
        lua_pushstring(L, endicott_intercept_name(reason));
        lua_setfield(L, -2, "name");
        lua_pushstring(L, endicott_intercept_group(reason));
        lua_setfield(L, -2, "group");
        lua_pushinteger(L, (lua_Integer)count);
        lua_setfield(L, -2, "count");
        lua_pushnumber(L, tod_to_seconds(cost));
        lua_setfield(L, -2, "seconds");
        lua_rawseti(L, -2, ++n);
    }
    return 1;
}

static void add_field(void *arg, const struct endicott_field *field, const char *section,
                      unsigned index)
{
    lua_State *L = arg; // the result table is on top
    if (strcmp(section, "base") == 0) {
        push_field(L, field);
        lua_setfield(L, -2, field->name);
        return;
    }
    luaL_getsubtable(L, -1, section);
    if (lua_rawgeti(L, -1, (lua_Integer)index + 1) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, (lua_Integer)index + 1);
    }
    push_field(L, field);
    lua_setfield(L, -2, field->name);
    lua_pop(L, 2);
}

// record:fields() -> { NAME = value, ..., ["entry:X"] = { {NAME=...}, ... } }
static int record_fields(lua_State *L)
{
    const struct endicott_record *record = check_record(L);
    lua_newtable(L);
    endicott_record_fields(record, add_field, L);
    return 1;
}

// record.domain, .record, .name, .time, .length, .raw, .subinterval, and the methods
static int record_index(lua_State *L)
{
    const struct endicott_record *record = check_record(L);
    const char *key = luaL_checkstring(L, 2);
    if (strcmp(key, "domain") == 0)
        lua_pushinteger(L, record->domain);
    else if (strcmp(key, "record") == 0)
        lua_pushinteger(L, record->number);
    else if (strcmp(key, "name") == 0)
        lua_pushstring(L, record->name);
    else if (strcmp(key, "length") == 0)
        lua_pushinteger(L, (lua_Integer)record->length);
    else if (strcmp(key, "time") == 0)
        lua_pushnumber(L, tod_to_seconds(record->time - TOD_UNIX_EPOCH));
    else if (strcmp(key, "tod") == 0)
        lua_pushinteger(L, (lua_Integer)record->time);
    else if (strcmp(key, "raw") == 0)
        lua_pushlstring(L, (const char *)record->raw, record->length);
    else if (strcmp(key, "subinterval") == 0)
        lua_pushboolean(L, record->subinterval);
    else if (strcmp(key, "configuration") == 0)
        lua_pushboolean(L, record->configuration);
    else if (strcmp(key, "overhead") == 0)
        lua_pushcfunction(L, record_overhead);
    else if (strcmp(key, "get") == 0)
        lua_pushcfunction(L, record_get);
    else if (strcmp(key, "fields") == 0)
        lua_pushcfunction(L, record_fields);
    else
        lua_pushnil(L);
    return 1;
}

static int record_tostring(lua_State *L)
{
    struct lua_record *box = luaL_checkudata(L, 1, LUA_RECORD_TYPE);
    if (box->record)
        lua_pushfstring(L, "record D%dR%d", (int)box->record->domain, (int)box->record->number);
    else
        lua_pushliteral(L, "record (gone)");
    return 1;
}

// Calls back with a record object that dies with the call.
static void give_record(const struct lua_callback *callback, struct endicott *sys,
                        const struct endicott_record *record)
{
    lua_State *L = callback->L;
    struct lua_record *box = lua_newuserdatauv(L, sizeof *box, 0);
    int at = lua_gettop(L);
    box->record = record;
    luaL_setmetatable(L, LUA_RECORD_TYPE);
    lua_callback_push(callback);
    lua_pushvalue(L, at);
    lua_callback_call(callback, 1, sys);
    box->record = NULL;
    lua_settop(L, at - 1);
}

struct lua_subscription {
    struct endicott_subscription *sub;
    struct endicott *sys;
    struct lua_callback on_record, on_end;
};

static void subscribed_record(void *arg, const struct endicott_record *record)
{
    struct lua_subscription *box = arg;
    give_record(&box->on_record, box->sys, record);
}

static void subscribed_end(void *arg, tod_t time, bool subinterval)
{
    struct lua_subscription *box = arg;
    lua_callback_push(&box->on_end);
    lua_pushnumber(box->on_end.L, tod_to_seconds(time - TOD_UNIX_EPOCH));
    lua_pushboolean(box->on_end.L, subinterval);
    lua_callback_call(&box->on_end, 2, box->sys);
}

// core.subscribe(system, subinterval, on_record, on_end) -> subscription, or nil
static int subscribe(lua_State *L)
{
    struct endicott *sys = lua_check_system(L, 1);
    struct lua_subscription *box = lua_newuserdatauv(L, sizeof *box, 1);
    memset(box, 0, sizeof *box);
    box->sys = sys;
    luaL_setmetatable(L, LUA_SUBSCRIPTION_TYPE);
    lua_pushvalue(L, 1);
    lua_setiuservalue(L, -2, 1); // keeps the system from being collected first
    lua_callback_take(L, 3, &box->on_record);
    lua_callback_take(L, 4, &box->on_end);
    box->sub = endicott_subscribe(sys, lua_toboolean(L, 2), subscribed_record, subscribed_end, box);
    return box->sub ? 1 : 0;
}

static int unsubscribe(lua_State *L)
{
    struct lua_subscription *box = luaL_checkudata(L, 1, LUA_SUBSCRIPTION_TYPE);
    if (box->sub)
        endicott_unsubscribe(box->sub);
    box->sub = NULL;
    lua_callback_drop(&box->on_record);
    lua_callback_drop(&box->on_end);
    return 0;
}

static void file_record(void *arg, const struct endicott_record *record)
{
    give_record(arg, NULL, record);
}

// core.read_monwrite(path, on_record) -> 0 whole, 1 damaged, -1 not opened; and why
static int read_monwrite(lua_State *L)
{
    char *error = NULL;
    struct lua_callback callback;
    const char *path = luaL_checkstring(L, 1);
    lua_callback_take(L, 2, &callback);
    int rc = endicott_read_monwrite(path, file_record, &callback, &error);
    lua_callback_drop(&callback);
    lua_pushinteger(L, rc);
    lua_pushstring(L, error);
    free(error);
    return 2;
}

// Its text stays valid while the table is on the stack.
static void report_options(lua_State *L, int table, struct endicott_report_options *options)
{
    luaL_checktype(L, table, LUA_TTABLE);
    options->by = lua_option_number(L, table, "by");
    options->from = lua_option_number(L, table, "from");
    options->to = lua_option_number(L, table, "to");
    options->interim = lua_option_flag(L, table, "interim");
    options->log = lua_option_flag(L, table, "log");
    options->html = lua_option_flag(L, table, "html");
    options->user = lua_option_text(L, table, "user");
}

// core.report(path, fcx [, options]) -> text or nil, rc, error
static int report(lua_State *L)
{
    char *error = NULL, *text = NULL;
    size_t size = 0;
    struct endicott_report_options options = {.fcx = (unsigned)luaL_checkinteger(L, 2)};
    if (!lua_isnoneornil(L, 3))
        report_options(L, 3, &options);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return luaL_error(L, "out of memory");
    int rc = endicott_report(luaL_checkstring(L, 1), &options, out, &error);
    fclose(out);
    lua_pushlstring(L, text, size);
    lua_pushinteger(L, rc);
    lua_pushstring(L, error);
    free(text);
    free(error);
    return 3;
}

static void set_count(lua_State *L, const char *name, uint64_t n)
{
    lua_pushinteger(L, (lua_Integer)n);
    lua_setfield(L, -2, name);
}

// core.mondata(path) -> table of counts, rc, error
static int mondata(lua_State *L)
{
    char *error = NULL;
    struct endicott_mondata data;
    int rc = endicott_mondata(luaL_checkstring(L, 1), &data, &error);
    lua_newtable(L);
    set_count(L, "samples", data.samples);
    set_count(L, "subinterval_samples", data.subinterval_samples);
    set_count(L, "records", data.records);
    set_count(L, "bytes", data.bytes);
    set_count(L, "configuration_records", data.configuration_records);
    set_count(L, "configuration_bytes", data.configuration_bytes);
    set_count(L, "event_records", data.event_records);
    set_count(L, "event_bytes", data.event_bytes);
    lua_pushinteger(L, rc);
    lua_pushstring(L, error);
    free(error);
    return 3;
}

void lua_open_monitor(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"subscribe", subscribe}, {"unsubscribe", unsubscribe}, {"read_monwrite", read_monwrite},
        {"report", report},       {"mondata", mondata},         {NULL, NULL},
    };
    luaL_setfuncs(L, functions, 0);
    luaL_newmetatable(L, LUA_RECORD_TYPE);
    lua_pushcfunction(L, record_index);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, record_tostring);
    lua_setfield(L, -2, "__tostring");
    luaL_newmetatable(L, LUA_SUBSCRIPTION_TYPE);
    lua_pushcfunction(L, unsubscribe);
    lua_setfield(L, -2, "__gc");
    lua_pop(L, 2);
}
