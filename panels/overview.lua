-- SPDX-License-Identifier: MIT
-- The overview panel: interval and subinterval samples side by side over time, CPU by user split
-- in guest and CP time, and the hypervisor's overhead by cause.
--
-- It is fed with samples:
--
--   panel:sample{ kind = "interval" | "subinterval", time = seconds,
--                 users = { { name =, guest =, cp = }, ... },          seconds since logon
--                 causes = { { name =, group =, count =, seconds = }, ... },   since IPL
--                 records = n, bytes = n }                              of this sample set
--
-- A subinterval user gets the interval sets as well: once there are subintervals, an interval
-- sample is a point of both charts. users or causes nil or empty: their domain is not enabled for
-- the set, which leaves what was known of them; but a first set without causes means that there
-- were none yet.
--
-- Times and counts of users and causes are running totals, as the monitor records carry them; the
-- panel takes the differences. A user's total that went down is a counter that started again (a
-- new logon): it counts from 0. A cause's total, which is that of all users, goes down when one
-- logs off: nothing can be said of that span. The first sample of each kind has nothing to compare
-- with and draws nothing.

-- panel.window is how many seconds back users and causes are added up, 120 by default.

local M = { name = "overview", title = "Overview", window = 120 }
M.__index = M

local KEPT = 600 -- spans of each kind

local function new_kind()
    return {
        time = {}, cpu = {}, samples = 0, records = 0, bytes = 0,
        totals = {}, causes = {}, -- last ones
        user_spans = {}, cause_spans = {},
        spans = {},               -- how often each time between samples came
    }
end

local function data(self)
    if not rawget(self, "kinds") then
        self.kinds = { interval = new_kind(), subinterval = new_kind() }
    end
    return self.kinds
end

function M.new()
    return setmetatable({}, M)
end

local function difference(now, before)
    before = before or 0
    return now >= before and now - before or now
end

-- What each user used since the set before, in seconds, and all of them together. Someone who was
-- not there before has nothing to compare with.
local function user_differences(kind, users)
    local totals, rows, busy = {}, {}, 0
    for _, user in ipairs(users) do
        local old = kind.totals[user.name]
        if old then
            local row = {
                name = user.name,
                guest = difference(user.guest, old.guest),
                cp = difference(user.cp, old.cp),
            }
            rows[#rows + 1] = row
            busy = busy + row.guest + row.cp
        end
        totals[user.name] = { guest = user.guest, cp = user.cp }
    end
    kind.totals = totals
    return rows, busy
end

local function cause_differences(kind, causes)
    local rows = {}
    for _, cause in ipairs(causes) do
        local old = kind.causes[cause.name] or { count = 0, seconds = 0 }
        rows[#rows + 1] = {
            name = cause.name,
            group = cause.group or "",
            count = math.max(0, cause.count - old.count),
            seconds = math.max(0, cause.seconds - old.seconds),
        }
        kind.causes[cause.name] = { count = cause.count, seconds = cause.seconds }
    end
    return rows
end

-- Lists of spans: { to =, length =, rows = }.
local function add_span(list, to, length, rows)
    list[#list + 1] = { to = to, length = length, rows = rows }
    if #list > KEPT then
        table.remove(list, 1)
    end
end

-- Rows of the same name added up over the spans of the last `window` seconds; the seconds that
-- they cover and how many spans there are.
local function sum(list, window, fields)
    local rows, by_name, covered, spans = {}, {}, 0, 0
    for i = #list, 1, -1 do
        local span = list[i]
        if span.to <= list[#list].to - window then
            break
        end
        covered, spans = covered + span.length, spans + 1
        for _, row in ipairs(span.rows) do
            local all = by_name[row.name]
            if not all then
                all = { name = row.name, group = row.group }
                by_name[row.name], rows[#rows + 1] = all, all
            end
            for _, field in ipairs(fields) do
                all[field] = (all[field] or 0) + row[field]
            end
        end
    end
    return rows, covered, spans
end

-- Largest first, equal ones by name.
local function sort(rows, value)
    table.sort(rows, function(a, b)
        local x, y = value(a), value(b)
        if x ~= y then
            return x > y
        end
        return a.name < b.name
    end)
    return rows
end

-- A rate holds for the whole span that it was taken over.
local function remember(kind, from, to, cpu)
    local n = #kind.time
    kind.time[n + 1], kind.cpu[n + 1] = from, cpu
    kind.time[n + 2], kind.cpu[n + 2] = to, cpu
    if n + 2 > 2 * KEPT then
        table.move(kind.time, 3, n + 4, 1)
        table.move(kind.cpu, 3, n + 4, 1)
    end
end

local function add_users(kind, sample, start)
    if #(sample.users or {}) == 0 then
        return
    end
    local rows, busy = user_differences(kind, sample.users)
    if kind.users_at then
        local length = sample.time - kind.users_at
        add_span(kind.user_spans, sample.time, length, rows)
        remember(kind, kind.users_at - start, sample.time - start, busy / length * 100)
    end
    kind.users_at = sample.time
end

local function add_causes(kind, sample)
    if not sample.causes or (#sample.causes == 0 and kind.causes_at) then
        return
    end
    local rows = cause_differences(kind, sample.causes)
    if kind.causes_at then
        add_span(kind.cause_spans, sample.time, sample.time - kind.causes_at, rows)
    end
    kind.causes_at = sample.time
end

local function round(seconds)
    return math.floor(seconds * 100 + 0.5) / 100
end

-- The time between samples as a rule, in seconds: one at STOP comes sooner.
local function usual_span(kind, span)
    span = round(span)
    kind.spans[span] = (kind.spans[span] or 0) + 1
    if not kind.every or kind.spans[span] > kind.spans[kind.every] then
        kind.every = span
    end
end

local function add(kind, sample, start)
    kind.samples = kind.samples + 1
    kind.records = kind.records + (sample.records or 0)
    kind.bytes = kind.bytes + (sample.bytes or 0)
    -- Twice at the same time is counted, but no rate comes of it.
    if kind.samples == 1 or sample.time > kind.last then
        if kind.last then
            usual_span(kind, sample.time - kind.last)
        end
        kind.last = sample.time
        add_users(kind, sample, start)
        add_causes(kind, sample)
    end
end

function M:sample(sample)
    local kinds = data(self)
    if not kinds[sample.kind] then
        error(("sample of unknown kind '%s'"):format(tostring(sample.kind)), 2)
    end
    self.start = self.start or sample.time
    if sample.kind == "interval" then
        add(kinds.interval, sample, self.start)
    else
        self.subintervals = true
    end
    add(kinds.subinterval, sample, self.start)
end

M.update = M.sample

-- Drawing -----------------------------------------------------------------------------------

local function number(n)
    if n >= 1e7 then
        return ("%.1fM"):format(n / 1e6)
    end
    return ("%d"):format(n)
end

local function summary(name, kind)
    local every = kind.every and (", every %g s"):format(kind.every) or ""
    return ("%-12s%4d sample%s%s, %s records, %s bytes"):format(name, kind.samples,
        kind.samples == 1 and "" or "s", every, number(kind.records), number(kind.bytes))
end

-- Both charts get the same scales, so that they can be compared by eye.
local function ranges(kinds)
    local max, from, to = 0, nil, nil
    for _, name in ipairs { "interval", "subinterval" } do
        local kind = kinds[name]
        for i, time in ipairs(kind.time) do
            max = math.max(max, kind.cpu[i])
            from = math.min(from or time, time)
            to = math.max(to or time, time)
        end
    end
    local step = 10
    while step < max do
        step = step * 2
    end
    return step, from, to
end

local function charts(self, canvas, y, height, width)
    local kinds = data(self)
    local max, from, to = ranges(kinds)
    local half = (width - 2) // 2
    for i, name in ipairs { "interval", "subinterval" } do
        local kind = kinds[name]
        local x = 1 + (i - 1) * (half + 2)
        local there = name == "interval" or self.subintervals
        if there and #kind.time > 0 then
            canvas:history(x, y, half, height, { name = name, time = kind.time, value = kind.cpu },
                { title = "CPU % by " .. name, area = true, min = 0, max = max, from = from, to = to })
        else
            canvas:text(x, y, "CPU % by " .. name, "title", half)
            canvas:text(x, y + 1, there and kind.samples > 0 and "needs a second sample" or "no samples", "dim",
                half)
        end
    end
end

local function user_bars(rows, span, canvas, y, height, width)
    local bars = {}
    for i = 1, math.min(#rows, height - 1) do
        local guest, cp = rows[i].guest / span * 100, rows[i].cp / span * 100
        bars[i] = {
            label = rows[i].name,
            parts = { guest, cp },
            text = ("%6.2f + %5.2f %%"):format(guest, cp),
        }
    end
    canvas:bars(1, y, width, height, bars, { names = { "guest", "CP" }, label_width = 8 })
end

local function cause_table(rows, span, canvas, y, height, width)
    local lines = {}
    for _, cause in ipairs(rows) do
        if cause.count > 0 then
            lines[#lines + 1] = {
                cause.name,
                cause.group,
                ("%.1f"):format(cause.count / span),
                ("%.6f"):format(cause.seconds),
                ("%.2f"):format(cause.seconds / span * 100),
            }
        end
    end
    if #lines == 0 then
        canvas:text(1, y, "none", "dim", width)
        return
    end
    canvas:table(1, y, width, height, {
        { title = "Cause", width = math.max(12, width - 56) },
        { title = "Group", width = 13 },
        { title = "per second", width = 10, align = "right" },
        { title = "seconds", width = 11, align = "right" },
        { title = "CPU %", width = 7, align = "right" },
    }, lines)
end

local function sections(self, canvas, y, width, height)
    local kinds = data(self)
    local name = self.subintervals and #kinds.subinterval.user_spans > 0 and "subinterval" or "interval"
    local kind = kinds[name]
    local chart = math.max(5, (height - y) * 2 // 5)
    charts(self, canvas, y, chart, width)
    y = y + chart
    if #kind.user_spans == 0 then
        return
    end
    local rows, span, spans = sum(kind.user_spans, self.window, { "guest", "cp" })
    sort(rows, function(row)
        return row.guest + row.cp
    end)
    local rest = height - y + 1
    local users = math.min(#rows + 2, math.max(3, rest // 2))
    canvas:rule(1, y, width, ("CPU by user, last %g s (%d %ss)"):format(round(span), spans, name))
    user_bars(rows, span, canvas, y + 1, users - 1, width)
    y = y + users
    if y + 1 < height then
        rows, span = sum(kind.cause_spans, self.window, { "count", "seconds" })
        sort(rows, function(row)
            return row.seconds
        end)
        canvas:rule(1, y, width, ("Overhead by cause, last %g s"):format(round(span)))
        cause_table(rows, span, canvas, y + 1, height - y, width)
    end
end

function M:draw(canvas)
    local width, height = canvas:size()
    local kinds = data(self)
    canvas:rule(1, 1, width, "Overview")
    if kinds.interval.samples + kinds.subinterval.samples == 0 then
        canvas:text(1, 2, "No samples yet: MONITOR SAMPLE ENABLE ALL, then MONITOR START", "normal", width)
        return
    end
    canvas:text(1, 2, summary("interval", kinds.interval), "normal", width)
    canvas:text(1, 3, self.subintervals and summary("subinterval", kinds.subinterval) or
        "subinterval    0 samples", "normal", width)
    if height >= 10 and width >= 40 then
        sections(self, canvas, 4, width, height)
    end
end

return M
