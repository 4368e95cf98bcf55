// SPDX-License-Identifier: MIT
// The canvas in Lua. Columns x and rows y count from 1.
//
//   c:size() -> columns, rows          c:clear()             tostring(c) -> the whole as text
//   c:text(x, y, text [, style [, width [, align]]])
//   c:rule(x, y, width [, title [, style]])
//   c:history(x, y, w, h, series [, opts])
//       series: { { name=, time={...}, value={...} }, ... } or one such table; false is a gap
//       opts: title, unit, area, min, max, from, to
//   c:bars(x, y, w, h, bars [, opts])
//       bars: { { label=, parts={...}, text= }, ... }; opts: names={...}, max, label_width
//   c:table(x, y, w, h, columns, rows)
//       columns: { { title=, width=, align="left"|"right" }, ... }; rows: { { cell, ... }, ... }
#include "panels/canvas_lua.h"

#include <lauxlib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "panels/canvas.h"

#define TYPE "endicott.canvas"

struct lua_canvas {
    struct cells *cells; // NULL after release
    struct cells own;    // of new()
};

static struct cells *check_cells(lua_State *L)
{
    struct lua_canvas *c = luaL_checkudata(L, 1, TYPE);
    if (!c->cells)
        luaL_error(L, "this canvas is no longer on the screen");
    return c->cells;
}

static void set_metatable(lua_State *L);

static struct lua_canvas *push_new(lua_State *L)
{
    struct lua_canvas *c = lua_newuserdatauv(L, sizeof *c, 0);
    *c = (struct lua_canvas){0};
    set_metatable(L);
    return c;
}

void canvas_lua_push(lua_State *L, struct cells *cells)
{
    push_new(L)->cells = cells;
}

void canvas_lua_release(lua_State *L, int index)
{
    struct lua_canvas *c = luaL_checkudata(L, index, TYPE);
    c->cells = NULL;
}

static unsigned dimension(lua_State *L, int arg)
{
    lua_Integer n = luaL_checkinteger(L, arg);
    luaL_argcheck(L, n >= 0 && n <= 10000, arg, "0 to 10000 expected");
    return (unsigned)n;
}

// A coordinate from 1; 0 when it is outside at the left or top is drawn nowhere.
static unsigned position(lua_State *L, int arg)
{
    lua_Integer n = luaL_checkinteger(L, arg);
    return n < 1 || n > 10000 ? 20000 : (unsigned)n - 1;
}

static int l_new(lua_State *L)
{
    unsigned cols = dimension(L, 1), rows = dimension(L, 2);
    bool ascii = false;
    if (lua_istable(L, 3)) {
        lua_getfield(L, 3, "ascii");
        ascii = lua_toboolean(L, -1);
    }
    struct lua_canvas *c = push_new(L);
    cells_init(&c->own, rows, cols, !ascii);
    c->cells = &c->own;
    return 1;
}

static int l_gc(lua_State *L)
{
    struct lua_canvas *c = luaL_checkudata(L, 1, TYPE);
    cells_free(&c->own);
    c->cells = NULL;
    return 0;
}

static int l_tostring(lua_State *L)
{
    struct text out = {0};
    cells_to_text(check_cells(L), &out);
    lua_pushlstring(L, text_get(&out), out.len);
    text_free(&out);
    return 1;
}

static int l_size(lua_State *L)
{
    struct cells *cells = check_cells(L);
    lua_pushinteger(L, cells->cols);
    lua_pushinteger(L, cells->rows);
    return 2;
}

static int l_clear(lua_State *L)
{
    cells_clear(check_cells(L));
    return 0;
}

static int l_text(lua_State *L)
{
    struct cells *cells = check_cells(L);
    unsigned x = position(L, 2), y = position(L, 3);
    const char *text = luaL_tolstring(L, 4, NULL);
    unsigned room = x < cells->cols ? cells->cols - x : 0;
    unsigned width = lua_isnoneornil(L, 6) ? room : dimension(L, 6);
    const char *align = luaL_optstring(L, 7, "left");
    canvas_text(cells, x, y, width < room ? width : room, text, align[0],
                canvas_style(luaL_optstring(L, 5, "normal")));
    return 0;
}

static int l_rule(lua_State *L)
{
    canvas_rule(check_cells(L), position(L, 2), position(L, 3), dimension(L, 4),
                luaL_optstring(L, 5, ""), canvas_style(luaL_optstring(L, 6, "title")));
    return 0;
}

static struct rectangle rectangle(lua_State *L, const struct cells *cells)
{
    struct rectangle at = {position(L, 2), position(L, 3), dimension(L, 4), dimension(L, 5)};
    if (at.x >= cells->cols || at.y >= cells->rows)
        return (struct rectangle){0};
    if (at.w > cells->cols - at.x)
        at.w = cells->cols - at.x;
    if (at.h > cells->rows - at.y)
        at.h = cells->rows - at.y;
    return at;
}

static double number_field(lua_State *L, int table, const char *name)
{
    double v = NAN;
    if (lua_istable(L, table)) {
        lua_getfield(L, table, name);
        if (lua_isnumber(L, -1))
            v = lua_tonumber(L, -1);
        lua_pop(L, 1);
    }
    return v;
}

// Strings stay alive as long as their table does, which is on the stack.
static const char *string_field(lua_State *L, int table, const char *name)
{
    const char *s = NULL;
    if (lua_istable(L, table)) {
        lua_getfield(L, table, name);
        if (lua_type(L, -1) == LUA_TSTRING)
            s = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    return s;
}

static bool boolean_field(lua_State *L, int table, const char *name)
{
    bool b = false;
    if (lua_istable(L, table)) {
        lua_getfield(L, table, name);
        b = lua_toboolean(L, -1);
        lua_pop(L, 1);
    }
    return b;
}

// Memory of `count` elements that Lua frees, also when an error is raised. Stays on the stack.
static void *scratch(lua_State *L, size_t count, size_t size)
{
    void *p = lua_newuserdatauv(L, count * size + 1, 0);
    memset(p, 0, count * size + 1);
    return p;
}

// The list `name` of the table on top as numbers; leaves scratch memory below the table.
static const double *number_list(lua_State *L, const char *name, size_t *n)
{
    int table = lua_gettop(L);
    lua_getfield(L, table, name);
    if (!lua_istable(L, -1))
        luaL_error(L, "series: '%s' must be a list", name);
    size_t count = (size_t)luaL_len(L, -1);
    double *v = scratch(L, count, sizeof *v);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, table + 1, (lua_Integer)i + 1);
        v[i] = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : NAN;
        lua_pop(L, 1);
    }
    lua_remove(L, table + 1);
    lua_insert(L, table);
    *n = count;
    return v;
}

static void read_series(lua_State *L, struct canvas_series *series)
{
    size_t times, values;
    luaL_checktype(L, -1, LUA_TTABLE);
    series->time = number_list(L, "time", &times);
    series->value = number_list(L, "value", &values);
    series->n = times < values ? times : values;
    series->name = string_field(L, lua_gettop(L), "name");
    if (!series->name)
        series->name = "";
}

static int l_history(lua_State *L)
{
    struct cells *cells = check_cells(L);
    struct rectangle at = rectangle(L, cells);
    luaL_checktype(L, 6, LUA_TTABLE);
    lua_settop(L, 7);
    luaL_checkstack(L, 4 * CANVAS_MAX_SERIES + 10, NULL);
    struct canvas_history chart = {
        .title = string_field(L, 7, "title"),
        .unit = string_field(L, 7, "unit"),
        .area = boolean_field(L, 7, "area"),
        .min = number_field(L, 7, "min"),
        .max = number_field(L, 7, "max"),
        .from = number_field(L, 7, "from"),
        .to = number_field(L, 7, "to"),
    };
    lua_getfield(L, 6, "value");
    bool single = !lua_isnil(L, -1);
    lua_pop(L, 1);
    size_t n = single ? 1 : (size_t)luaL_len(L, 6);
    chart.series = n < CANVAS_MAX_SERIES ? n : CANVAS_MAX_SERIES;
    for (size_t i = 0; i < chart.series; i++) {
        if (single)
            lua_pushvalue(L, 6);
        else
            lua_rawgeti(L, 6, (lua_Integer)i + 1);
        read_series(L, &chart.one[i]);
    }
    canvas_history(cells, at, &chart);
    return 0;
}

static void read_bar(lua_State *L, struct canvas_bar *bar, size_t *parts)
{
    int table = lua_gettop(L);
    luaL_checktype(L, table, LUA_TTABLE);
    bar->label = string_field(L, table, "label");
    if (!bar->label)
        bar->label = "";
    bar->text = string_field(L, table, "text");
    lua_getfield(L, table, "parts");
    if (!lua_istable(L, -1))
        luaL_error(L, "bar: 'parts' must be a list");
    size_t n = (size_t)luaL_len(L, -1);
    for (size_t p = 0; p < n && p < CANVAS_MAX_SERIES; p++) {
        lua_rawgeti(L, -1, (lua_Integer)p + 1);
        bar->part[p] = lua_isnumber(L, -1) ? lua_tonumber(L, -1) : 0;
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    if (n > *parts)
        *parts = n < CANVAS_MAX_SERIES ? n : CANVAS_MAX_SERIES;
}

static void read_part_names(lua_State *L, struct canvas_bars *chart)
{
    for (size_t p = 0; p < CANVAS_MAX_SERIES; p++)
        chart->part_name[p] = "";
    if (!lua_istable(L, 7))
        return;
    lua_getfield(L, 7, "names");
    for (size_t p = 0; lua_istable(L, -1) && p < CANVAS_MAX_SERIES; p++) {
        lua_rawgeti(L, -1, (lua_Integer)p + 1);
        if (lua_type(L, -1) == LUA_TSTRING)
            chart->part_name[p] = lua_tostring(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

static int l_bars(lua_State *L)
{
    struct cells *cells = check_cells(L);
    struct rectangle at = rectangle(L, cells);
    luaL_checktype(L, 6, LUA_TTABLE);
    lua_settop(L, 7);
    double label = number_field(L, 7, "label_width");
    struct canvas_bars chart = {
        .max = number_field(L, 7, "max"),
        .label_width = label >= 1 && label < 1000 ? (unsigned)label : 0,
        .bars = (size_t)luaL_len(L, 6),
    };
    luaL_argcheck(L, chart.bars <= 100000, 6, "at most 100000 bars");
    struct canvas_bar *bar = scratch(L, chart.bars, sizeof *bar);
    for (size_t i = 0; i < chart.bars; i++) {
        lua_rawgeti(L, 6, (lua_Integer)i + 1);
        read_bar(L, &bar[i], &chart.parts);
        lua_pop(L, 1);
    }
    chart.bar = bar;
    read_part_names(L, &chart);
    canvas_bars(cells, at, &chart);
    return 0;
}

static void read_columns(lua_State *L, struct canvas_column *column, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 6, (lua_Integer)i + 1);
        int table = lua_gettop(L);
        luaL_checktype(L, table, LUA_TTABLE);
        double width = number_field(L, table, "width");
        const char *title = string_field(L, table, "title");
        const char *align = string_field(L, table, "align");
        column[i] = (struct canvas_column){
            .title = title ? title : "",
            .width = width >= 1 && width < 1000 ? (unsigned)width : 0,
            .align = align && align[0] == 'r' ? 'r' : 'l',
        };
        lua_pop(L, 1);
    }
}

// Cells as strings. Numbers are converted; the list at index `strings` keeps the results alive.
static void read_rows(lua_State *L, const char **text, size_t rows, size_t columns)
{
    lua_newtable(L);
    int strings = lua_gettop(L);
    for (size_t r = 0; r < rows; r++) {
        lua_rawgeti(L, 7, (lua_Integer)r + 1);
        luaL_checktype(L, -1, LUA_TTABLE);
        for (size_t c = 0; c < columns; c++) {
            lua_rawgeti(L, -1, (lua_Integer)c + 1);
            text[r * columns + c] = lua_isnil(L, -1) ? NULL : luaL_tolstring(L, -1, NULL);
            if (text[r * columns + c])
                lua_rawseti(L, strings, (lua_Integer)(r * columns + c) + 1);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static int l_table(lua_State *L)
{
    struct cells *cells = check_cells(L);
    struct rectangle at = rectangle(L, cells);
    luaL_checktype(L, 6, LUA_TTABLE);
    luaL_checktype(L, 7, LUA_TTABLE);
    struct canvas_table table = {
        .columns = (size_t)luaL_len(L, 6),
        .rows = (size_t)luaL_len(L, 7),
    };
    luaL_argcheck(L, table.columns <= 100, 6, "at most 100 columns");
    luaL_argcheck(L, table.rows <= 100000, 7, "at most 100000 rows");
    struct canvas_column *column = scratch(L, table.columns, sizeof *column);
    const char **text = scratch(L, table.rows * table.columns, sizeof *text);
    read_columns(L, column, table.columns);
    read_rows(L, text, table.rows, table.columns);
    table.column = column;
    table.text = text;
    canvas_table(cells, at, &table);
    return 0;
}

static void set_metatable(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"size", l_size},       {"clear", l_clear}, {"text", l_text},   {"rule", l_rule},
        {"history", l_history}, {"bars", l_bars},   {"table", l_table}, {NULL, NULL},
    };
    static const luaL_Reg meta[] = {{"__gc", l_gc}, {"__tostring", l_tostring}, {NULL, NULL}};
    if (luaL_newmetatable(L, TYPE)) {
        luaL_setfuncs(L, meta, 0);
        luaL_newlib(L, methods);
        lua_setfield(L, -2, "__index");
    }
    lua_setmetatable(L, -2);
}

int luaopen_canvas(lua_State *L)
{
    static const luaL_Reg module[] = {{"new", l_new}, {NULL, NULL}};
    luaL_newlib(L, module);
    return 1;
}
