-- SPDX-License-Identifier: MIT
-- Reports of what a real system wrote: a logoff and logon between samples, a change of the interval,
-- and the reports' options from a script.
local report = require "report"
local system = require "system"
local tap = require "tap"

local folder = system.temporary_folder()
do
    local sys <close> = system.new { mips = 20 }
    sys:monwrite_folder(folder)
    for _, line in ipairs { "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 6 SECONDS", "XAUTOLOG GUEST3",
        "XAUTOLOG WRITER" } do
        sys:cp(line)
    end
    sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK REPORT FILE", "WRITER")
    sys:sleep(1)
    sys:cp "MONITOR SAMPLE START"
    sys:sleep(13) -- 13 s: 1 s into the third interval
    sys:cp "FORCE GUEST3"
    sys:sleep(2)
    sys:cp "XAUTOLOG GUEST3" -- it computes from then on
    sys:sleep(4)
    sys:cp "MONITOR SAMPLE INTERVAL 12 SECONDS"
    sys:sleep(29)
    sys:cp "MONITOR SAMPLE STOP"
    sys:cp "SEND WRITER MONWSTOP"
    sys:sleep(1)
end
local file = folder .. "/WRITER/REPORT.FILE"

local log = report.fcx(112, file, { log = true, user = "guest*" })
local cpu = {}
for time, percent in log:gmatch "\n(%d%d:%d%d:%d%d%*?) +GUEST3 +(%S+)" do
    cpu[time] = percent
end
tap.is(cpu["00:00:07"], "100.00", "a guest that computes has a whole CPU")
tap.is(cpu["00:00:13"], "100.00", "  in the second interval too")
tap.is(cpu["00:00:19"], "50.00", "logged off and on in the third: what it used since, 3 of 6 s")
tap.is(cpu["00:00:25"], "100.00", "  and all of the fourth")
tap.is(cpu["00:00:37"], "100.00", "a longer interval is none with missing samples")
tap.ok(not log:find("missing", 1, true) and not log:find("WRITER", 1, true), "  and only the user asked for is there")

local whole = report.fcx(112, file)
tap.contains(whole, "for 48 secs 00:00:48, 6 intervals", "the whole file in one table")
tap.ok(not whole:find("not whole", 1, true), "  STOP at an interval's end took a second sample, which is no damage")
tap.is(select(2, report.fcx(112, file, { interim = true }):gsub("\nFrom ", "")), 6, "interim: one for each interval")
tap.is(select(2, report.fcx(112, file, { by = 60, to = 25 }):gsub("\nFrom ", "")), 1, "by the minute, to 25 s past midnight")
tap.contains(report.fcx(112, file, { by = 60, to = 25 }), "00:00:25 UTC, for 24 secs", "  and no further")
local page = report.fcx(0, file, { html = true })
tap.ok(page:find("^<!DOCTYPE html>") and page:find "<svg " and page:find "FCX225", "a page with charts and all reports")
for _, fcx in ipairs { 100, 103, 108, 109, 112, 113, 114, 144, 168, 225, 240 } do
    local text = report.fcx(fcx, file)
    tap.ok(not text:find " %-%d" and not text:lower():find("nan", 1, true), ("FCX%d has no figure that cannot be"):format(fcx))
end
tap.raises(function() report.fcx(99, file) end, "there is no report FCX99", "a report that there is not")

for _, name in ipairs { file, folder .. "/WRITER", folder } do
    os.remove(name)
end
