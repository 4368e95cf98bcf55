-- SPDX-License-Identifier: MIT
-- The overview panel, fed with made-up totals: what it draws at every size, and its differences.
local canvas = require "canvas"
local overview = require "panels.overview"
local tap = require "tap"

local function picture(panel, width, height, ascii)
    local c = canvas.new(width, height, { ascii = ascii })
    panel:draw(c)
    return tostring(c)
end

local function sample(kind, time, guest, cp, count)
    return {
        kind = kind,
        time = time,
        users = { { name = "LINUX1", guest = guest, cp = cp }, { name = "IDLE", guest = 0, cp = 0 } },
        causes = { { name = "SSCH", group = "I/O", count = count, seconds = cp / 2 } },
        records = 10,
        bytes = 1000,
    }
end

local panel = overview.new()
panel.window = 1 -- the last sample's span only
tap.contains(picture(panel, 80, 24), "No samples yet", "nothing to show is said")

panel:sample(sample("interval", 1000, 5, 1, 100))
tap.contains(picture(panel, 80, 24), "needs a second sample", "one sample gives no rate")
tap.contains(picture(panel, 80, 24), "no samples", "no subintervals yet")

-- 60 s later: 30 s of guest time, 6 s of CP, 600 times SSCH.
panel:sample(sample("interval", 1060, 35, 7, 700))
local text = picture(panel, 80, 24, true)
tap.contains(text, "interval       2 samples, every 60 s, 20 records, 2000 bytes", "summary")
tap.contains(text, " 50.00 + 10.00 %", "guest and CP share of the interval")
tap.contains(text, "IDLE", "users without time are listed as well")
tap.ok(text:find("SSCH +I/O +10%.0 +3%.000000 +5%.00"), "rate and time of a cause", text)
tap.ok(not text:find("[\x80-\xff]"), "ASCII has nothing else")

-- Subintervals of 6 s; the interval's set is a point of theirs too.
for i = 1, 10 do
    panel:sample(sample(i == 10 and "interval" or "subinterval", 1060 + 6 * i, 35 + 3 * i, 7, 700))
end
text = picture(panel, 80, 24, true)
tap.contains(text, "interval       3 samples, every 60 s", "the interval goes on")
tap.contains(text, "subinterval   12 samples, every 6 s", "both kinds count for subintervals")
tap.contains(text, "last 6 s (1 subintervals)", "the last subinterval is shown by user")
tap.contains(text, " 50.00 +  0.00 %", "its own difference")

panel.window = 120
tap.contains(picture(panel, 80, 24, true), "last 120 s (11 subintervals)", "or the last two minutes")
tap.contains(picture(panel, 80, 24, true), " 50.00 +  5.00 %", "added up")
panel.window = 1

-- The user logs off and on again: its totals start from 0, there is no negative time.
panel:sample(sample("subinterval", 1126, 1.2, 0.6, 20))
tap.contains(picture(panel, 80, 24, true), " 20.00 + 10.00 %", "a counter that started again")

-- A set without users says nothing about them.
local without = sample("subinterval", 1132, 0, 0, 40)
without.users = {}
panel:sample(without)
tap.contains(picture(panel, 80, 24, true), " 20.00 + 10.00 %", "users stay when their domain is not in the set")
panel:sample(without)
tap.ok(true, "twice at the same time does no harm")

-- Causes: none at first, then some; one user's share goes away with the user.
local causes = overview.new()
for i, count in ipairs { 0, 60, 120, 20 } do
    local s = sample("interval", 6 * i, i, 0, count)
    s.causes = count > 0 and s.causes or {}
    causes:sample(s)
end
causes.window = 12 -- two spans: 60, and one that went down
tap.ok(picture(causes, 80, 24, true):find("SSCH +I/O +5%.0"), "60 in 12 s, less than none is none",
    picture(causes, 80, 24, true))

tap.raises(function()
    panel:sample { kind = "hourly", time = 1 }
end, "unknown kind 'hourly'", "a kind that does not exist")

for _, size in ipairs { { 10, 3 }, { 1, 1 }, { 0, 0 }, { 40, 10 }, { 79, 11 }, { 300, 90 } } do
    local c = canvas.new(size[1], size[2])
    panel:draw(c)
    local rows = select(2, tostring(c):gsub("\n", "\n"))
    tap.is(rows, size[2], ("%d by %d"):format(size[1], size[2]))
end

-- The canvas itself says what is wrong with an argument.
local c = canvas.new(20, 5)
tap.raises(function()
    c:history(1, 1, 20, 5, { { name = "x" } })
end, "'time' must be a list", "series without times")
tap.raises(function()
    c:bars(1, 1, 20, 5, { { label = "x" } })
end, "'parts' must be a list", "bar without parts")
c:text(-5, 1, "left of the canvas")
c:text(1, 99, "below")
c:table(1, 1, 20, 5, { { title = "n" } }, { { 1 }, { true }, { false } })
tap.contains(tostring(c), "true", "cells of any type")
