-- SPDX-License-Identifier: MIT
-- Two Linux guests with two virtual CPUs each, at once on two real processors, in real time, under a
-- load that checks itself: computing, processes, memory, threads, files on an ECKD minidisk. Nothing may be
-- wrong, and their kernels may not warn of anything.
--
--   endicott run tests/linux/stress.lua [SECONDS]     (make stress-linux: 600)
local clock = require "clock"
local initramfs = require "initramfs"
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit() then
    tap.skip("scripts/guest-kit has not been run", "Linux under load")
    return
end

local seconds = tonumber(arg[1]) or 5

local user = [[
USER %s %s 512M 512M G
 MACHINE Z 2
 CPU 00 BASE
 CPU 01
 CONSOLE 0009 3215 T
 MDISK 0100 3390 %d 20 LNX001 MR
]]

local sys <close> = system.new {
    config = [[
System_Identifier * * LINVM
Processors 2 IFL
Storage 2G
RDevice 0200 Type DASD Volume LNX001 Cylinders 50
]],
    directory = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n CONSOLE 0009 3215 T\n" ..
        user:format("LINUX1", "LINUX1", 1) .. user:format("LINUX2", "LINUX2", 21),
    real = true,
}

local set <close> = initramfs.with { ["bin/stress"] = initramfs.program "stress" }
-- A busy host makes everything late, which is no fault of the guests.
local patience = 180

-- Both at once, each in a script of its own.
local function both(what)
    local done = 0
    for _, name in ipairs { "LINUX1", "LINUX2" } do
        clock.spawn(function()
            what(name)
            done = done + 1
        end)
    end
    sys:wait(function() return done == 2 end, patience * 4 + seconds * 2, "both guests")
end

local guests = {}

-- Lines of the kernel's log of the class "warning" and worse.
local function warnings(guest)
    local _, text = guest:sh("dmesg -r | grep '^<[0-4]>' | cut -c 4-200", patience)
    local count = select(2, guest:sh("dmesg -r | grep -c '^<[0-4]>'", patience)):match "(%d+)"
    return tonumber(count), text
end

both(function(name)
    local guest = linux.ipl(sys, name, { set = set.path }):boot(patience)
    guests[name] = guest
    for _, command in ipairs {
        "modprobe dasd_eckd_mod && echo 1 >/sys/bus/ccw/devices/0.0.0100/online",
        "mkdir -p /dev/block && mknod /dev/block/94:0 b 94 0",
        "dasdfmt -y -b 4096 -d cdl -l LIN001 /dev/dasda && fdasd -s -a /dev/dasda",
        "modprobe crc32c_generic && modprobe ext4 && /sbin/mke2fs -q -t ext4 /dev/dasda1",
        "mount /dev/dasda1 /mnt",
    } do
        local rc, text = guest:sh(command, patience)
        if rc ~= 0 then
            error(name .. ": " .. text)
        end
    end
end)
tap.ok(true, "two guests with a file system each")

local before = {}
both(function(name) before[name] = warnings(guests[name]) end)

both(function(name)
    local rc, text = guests[name]:sh(("stress %d /mnt"):format(seconds), patience + seconds * 2)
    tap.ok(rc == 0 and text:find "stress ends wrong=0", name .. ": everything is right", text)
    tap.diag(text:gsub("[^\n]*stress %d[^\n]*\n?", ""))
end)

both(function(name)
    local after, text = warnings(guests[name])
    tap.ok(after == before[name], name .. ": no kernel warning", text)
    local _, log = guests[name]:sh(
        "dmesg | grep -iE 'bug:|oops|stall|lockup|hung task|call trace|unable to handle|i/o error'",
        patience)
    tap.ok(not log:find "%]", name .. ": no trouble in its log", log)
    local rc = guests[name]:sh("umount /mnt && /sbin/e2fsck -fn /dev/dasda1", patience)
    tap.is(rc, 0, name .. ": a clean file system")
    guests[name].con:enter "exit"
    guests[name].con:expect("GUEST-DONE", patience)
    guests[name].con:expect_status("CP READ", patience)
end)
