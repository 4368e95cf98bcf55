-- SPDX-License-Identifier: MIT
-- Devices that come and go while Linux runs: channel reports of DEFINE, ATTACH, LINK and DETACH, path
-- groups, clear and halt, measurement blocks.
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit() then
    tap.skip("scripts/guest-kit has not been run", "Linux's devices")
    return
end

local sys <close> = system.new {
    config = [[
System_Identifier * * LINVM
Processors 2 IFL
Storage 2G
RDevice 0200 Type DASD Volume LNX001 Cylinders 60
RDevice 0201 Type DASD Volume LNX002 Cylinders 20
]],
    directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 CONSOLE 0009 3215 T
USER LINUX1 LINUX1 512M 512M BG
 MACHINE Z 2
 CONSOLE 0009 3215 T
 MDISK 0100 3390 1 10 LNX001 MR ALL
USER OTHER OTHER 32M 32M G
 CONSOLE 0009 3215 T
 MDISK 0191 3390 21 10 LNX001 MR READ WRITE MULTI
]],
}
local guest = linux.ipl(sys, "LINUX1"):boot()

local function step(name, command, timeout)
    local rc, text = guest:sh(command, timeout)
    tap.ok(rc == 0, name, text)
    return text
end

local function devices()
    sys:sleep(1)
    return select(2, guest:sh "ls")
end

local function come()
    guest:sh "modprobe dasd_eckd_mod; mkdir -p /dev/block; mknod /dev/block/94:0 b 94 0"
    guest:sh "cd /sys/bus/ccw/devices"
    sys:cp("DEFINE T3390 0300 5", "LINUX1")
    tap.contains(devices(), "0.0.0300", "Linux sees a device that DEFINE made")
    sys:cp("ATTACH 0201 TO LINUX1 AS 0400")
    tap.contains(devices(), "0.0.0400", "one that ATTACH gave")
    sys:cp("LINK OTHER 0191 0291 MR MULTI", "LINUX1")
    tap.contains(devices(), "0.0.0291", "and a link")
    for _, device in ipairs { "0.0.0300", "0.0.0400", "0.0.0291" } do
        step(device .. " goes online", "echo 1 >" .. device .. "/online && cat " .. device .. "/online")
    end
    tap.contains(step("its paths", "cat 0.0.0300/path_masks"), "80 00 00", "are known")
    tap.contains(step("the volumes", "grep . 0.0.0*00/capacity 0.0.0*00/vendor; cat /proc/dasd/devices"),
        "0.0.0300", "in Linux's list")
end

local function count(name)
    local _, text = guest:sh("cat 0.0.0300/cmf/" .. name)
    return tonumber(text:match "\n(%d+)" or text:match "^(%d+)")
end

local function measure()
    step("measurement blocks", "echo 1 >0.0.0300/cmb_enable && ls 0.0.0300/cmf")
    local before = count "ssch_rsch_count"
    step("I/O", "dd if=/dev/dasda of=/dev/null bs=4k count=0; dasdfmt -yb 4096 -d cdl -l LIN003 /dev/dasda", 120)
    local after = count "ssch_rsch_count"
    tap.ok(before and after and after > before + 10, "count start functions",
        ("%s, %s"):format(before, after))
    tap.is(count "sample_count", after, "each of them measured")
    tap.ok((count "avg_device_connect_time" or 0) > 0, "connect time")
    local text = step("the average utilization", "cat 0.0.0300/cmf/avg_utilization")
    tap.ok(text:find "%d+%.%d+%%", "is a share", text)
    step("and off again", "echo 0 >0.0.0300/cmb_enable")
end

local function cleared()
    step("safe offline waits for I/O", "echo 1 >0.0.0400/safe_offline; cat 0.0.0400/online", 60)
    step("a clear function: path verification", "echo 1 >0.0.0400/online && echo 1 >0.0.0400/ping", 60)
end

local function go()
    step("offline", "for d in 0.0.0291 0.0.0400; do echo 0 >$d/online; done", 60)
    sys:cp("DETACH 0291", "LINUX1")
    sys:cp("DETACH 0201 FROM LINUX1")
    local text = devices()
    tap.ok(not text:find("0.0.0291", 1, true) and not text:find("0.0.0400", 1, true),
        "devices that are detached are gone from Linux", text)
    -- One that is online is kept, without paths, for the case that it comes back.
    sys:cp("DETACH 0300", "LINUX1")
    tap.contains(step("one that was online", "sleep 1; cat 0.0.0300/availability"), "no device",
        "is known to be gone")
    sys:cp("DEFINE T3390 0300 5", "LINUX1")
    tap.contains(step("comes back", "sleep 1; cat 0.0.0300/availability"), "good", "and is good again")
    step("and is used", "dasdfmt -yb 4096 -d cdl -l LIN003 /dev/dasda", 120)
    local _, log = guest:sh "dmesg | grep -iE 'bug|oops|warn|call trace'"
    tap.ok(not log:find "%]", "no trouble in the log", log)
end

come()
measure()
cleared()
go()
guest:power_off()
tap.ok(true, "powers off")
