-- SPDX-License-Identifier: MIT
-- VARY PROCESSOR: who runs where when a processor goes and comes, in virtual and in real time.
local report = require "report"
local system = require "system"
local tap = require "tap"

local guest = "USER %s X 16M 16M G\n MACHINE Z\n IPL COMPUTE PARM n=1000000000\n CONSOLE 0009 3215 T\n"
local function new(real)
    return system.new { real = real, mips = not real and 5 or nil,
        config = "System_Identifier * * VARYSYS\nProcessors 2 IFL\nStorage 4G\n",
        directory = "USER OPERATOR X 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n" .. guest:format "ONE" .. guest:format "TWO"
            .. "USER WRITER X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n CONSOLE 0009 3215 T\n" }
end
local function times(sys) -- of guest code, by user
    local t = {}
    for _, user in ipairs(sys:users()) do
        t[user.userid] = user.guest_time
    end
    return t
end
local function used(sys)
    local t = times(sys)
    return t.ONE + t.TWO
end
local function rate(sys, seconds)
    local before = used(sys)
    sys:sleep(seconds)
    return (used(sys) - before) / seconds
end

do
    local sys <close> = new(false)
    sys:cp "XAUTOLOG ONE"
    sys:cp "XAUTOLOG TWO"
    sys:sleep(1)
    tap.ok(rate(sys, 2) > 1.9, "two guests keep two processors busy")
    tap.is(tostring(sys:cp "VARY OFFLINE PROCESSOR 0001"), "Processor 0001 is offline", "one goes")
    tap.is(tostring(sys:cp "QUERY PROCESSORS"):match "PROCESSOR 01 (%S+)", "STANDBY", "and is said to have gone")
    local one = rate(sys, 2)
    tap.ok(one > 0.9 and one < 1.05, ("they share the other: %.2f"):format(one))
    tap.is(sys:try("VARY OFFLINE PROCESSOR 0").rc, 1471, "which has to stay")
    tap.is(sys:try("VARY OFFLINE PROCESSOR 2").rc, 1470, "a third there is not")
    sys:cp "VARY ONLINE PROCESSOR 1"
    tap.ok(rate(sys, 2) > 1.9, "back again, both run")
end

do
    local sys <close> = new(true)
    sys:cp "XAUTOLOG ONE"
    sys:cp "XAUTOLOG TWO"
    sys:sleep(0.3)
    sys:cp "VARY OFFLINE PROCESSOR 1"
    sys:sleep(0.2)
    local before = times(sys)
    local function both_went_on()
        local now = times(sys)
        return now.ONE > before.ONE and now.TWO > before.TWO
    end
    sys:wait(both_went_on, 20)
    tap.ok(true, "in real time both go on, on the thread that is left")
    sys:cp "VARY ONLINE PROCESSOR 1"
    before = times(sys)
    sys:wait(both_went_on, 20)
    tap.ok(true, "and on both again")
end

-- What reports make of it: a processor that is away for parts of two intervals and the whole between.
local folder = system.temporary_folder()
do
    local sys <close> = new(false)
    sys:monwrite_folder(folder)
    for _, line in ipairs { "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 6 SECONDS", "XAUTOLOG ONE",
        "XAUTOLOG TWO", "XAUTOLOG WRITER" } do
        sys:cp(line)
    end
    sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK VARY FILE", "WRITER")
    sys:sleep(1)
    sys:cp "MONITOR SAMPLE START"
    sys:sleep(9)
    sys:cp "VARY OFFLINE PROCESSOR 1"
    sys:sleep(12)
    sys:cp "VARY ONLINE PROCESSOR 1"
    sys:sleep(9)
    sys:cp "MONITOR SAMPLE STOP"
    sys:cp "SEND WRITER MONWSTOP"
    sys:sleep(1)
end
local file = folder .. "/WRITER/VARY.FILE"
local online, most = {}, 0
for busy, cpus in report.fcx(225, file):gmatch "\n%d%d:%d%d:%d%d +(%S+) +(%S+)" do
    online[#online + 1], most = cpus, math.max(most, tonumber(busy))
end
tap.is(table.concat(online, " "), "2 1 1 2 2", "processors at the end of each interval")
tap.ok(most <= 100, ("never busier than it can be: %.1f %%"):format(most))
local interim = report.fcx(100, file, { interim = true })
tap.is(select(2, interim:gsub("\n0001 IFL +100%.0 ", "")), 2, "it has a load where it was there all the time")
tap.is(select(2, interim:gsub("\n0001 ", "")), 2, "  and only there")
tap.ok(not interim:find " %-%d" and not interim:find "nan", "  and there is no figure that cannot be")
for _, name in ipairs { file, folder .. "/WRITER", folder } do
    os.remove(name)
end
