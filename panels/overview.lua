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
-- sample is a point of both charts. A set without users or causes (their domain is not enabled for
-- it) leaves what was known of them.
--
-- Times and counts of users and causes are running totals, as the monitor records carry them; the
-- panel takes the differences. A total that went down is a counter that started again (a new
-- logon): it counts from 0. The first sample of each kind has nothing to compare with and draws
-- nothing.

local M = { name = "overview", title = "Overview" }
M.__index = M

local KEPT = 600 -- points of each kind

local function new_kind()
    return {
        time = {}, cpu = {}, samples = 0, records = 0, bytes = 0,
        totals = {}, causes = {}, -- last ones
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

local function user_differences(kind, users, span)
    local totals, rows, busy = {}, {}, 0
    for _, user in ipairs(users or {}) do
        local old = kind.totals[user.name] or {}
        local row = {
            name = user.name,
            guest = difference(user.guest, old.guest) / span * 100,
            cp = difference(user.cp, old.cp) / span * 100,
        }
        -- Someone who was not there before has no span of ours to be divided by.
        if kind.totals[user.name] then
            rows[#rows + 1] = row
            busy = busy + row.guest + row.cp
        end
        totals[user.name] = { guest = user.guest, cp = user.cp }
    end
    table.sort(rows, function(a, b)
        local x, y = a.guest + a.cp, b.guest + b.cp
        if x ~= y then
            return x > y
        end
        return a.name < b.name
    end)
    kind.totals = totals
    return rows, busy
end

local function cause_differences(kind, causes, span)
    local totals, rows = {}, {}
    for _, cause in ipairs(causes or {}) do
        local old = kind.causes[cause.name] or {}
        local row = {
            name = cause.name,
            group = cause.group or "",
            rate = difference(cause.count, old.count) / span,
            seconds = difference(cause.seconds, old.seconds),
        }
        row.percent = row.seconds / span * 100
        if row.rate > 0 then
            rows[#rows + 1] = row
        end
        totals[cause.name] = { count = cause.count, seconds = cause.seconds }
    end
    table.sort(rows, function(a, b)
        if a.seconds ~= b.seconds then
            return a.seconds > b.seconds
        end
        return a.name < b.name
    end)
    kind.causes = totals
    return rows
end

local function remember(kind, time, cpu)
    kind.time[#kind.time + 1], kind.cpu[#kind.cpu + 1] = time, cpu
    if #kind.time > KEPT then
        table.remove(kind.time, 1)
        table.remove(kind.cpu, 1)
    end
end

local function add_users(kind, sample, start)
    if #(sample.users or {}) == 0 then
        return
    end
    local last = kind.users_at
    local users, busy = user_differences(kind, sample.users, last and sample.time - last or 1)
    kind.users_at = sample.time
    if last then
        kind.span, kind.users = sample.time - last, users
        remember(kind, sample.time - start, busy)
    end
end

local function add_causes(kind, sample)
    if #(sample.causes or {}) == 0 then
        return
    end
    local last = kind.causes_at
    local causes = cause_differences(kind, sample.causes, last and sample.time - last or 1)
    kind.causes_at = sample.time
    if last then
        kind.by_cause = causes
    end
end

-- The time between samples as a rule, in seconds: one at STOP comes sooner.
local function usual_span(kind, span)
    span = math.floor(span * 100 + 0.5) / 100
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

local function user_bars(kind, canvas, y, height, width)
    local bars = {}
    for i = 1, math.min(#kind.users, height - 1) do
        local user = kind.users[i]
        bars[i] = {
            label = user.name,
            parts = { user.guest, user.cp },
            text = ("%5.1f + %4.1f %%"):format(user.guest, user.cp),
        }
    end
    canvas:bars(1, y, width, height, bars, { names = { "guest", "CP" }, label_width = 8 })
end

local function cause_table(kind, canvas, y, height, width)
    local rows = {}
    for i, cause in ipairs(kind.by_cause or {}) do
        rows[i] = {
            cause.name,
            cause.group,
            ("%.1f"):format(cause.rate),
            ("%.6f"):format(cause.seconds),
            ("%.2f"):format(cause.percent),
        }
    end
    canvas:table(1, y, width, height, {
        { title = "Cause", width = math.max(12, width - 55) },
        { title = "Group", width = 12 },
        { title = "per second", width = 10, align = "right" },
        { title = "seconds", width = 11, align = "right" },
        { title = "CPU %", width = 7, align = "right" },
    }, rows)
end

local function sections(self, canvas, y, width, height)
    local kinds = data(self)
    local name = self.subintervals and kinds.subinterval.users and "subinterval" or "interval"
    local kind = kinds[name]
    local chart = math.max(5, (height - y) * 2 // 5)
    charts(self, canvas, y, chart, width)
    y = y + chart
    if not kind.users then
        return
    end
    local rest = height - y + 1
    local users = math.min(#kind.users + 2, math.max(3, rest // 2))
    canvas:rule(1, y, width, ("CPU by user, last %s of %g s"):format(name, kind.span))
    user_bars(kind, canvas, y + 1, users - 1, width)
    y = y + users
    if y + 1 < height then
        canvas:rule(1, y, width, "Overhead by cause, same span")
        cause_table(kind, canvas, y + 1, height - y, width)
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
