-- SPDX-License-Identifier: MIT
-- The way of a Linux guest in six steps, a test each: first line on the console, a shell, vmcp, the
-- root file system on DASD, a network, monitor records. Then the end of a kernel: panic and LOGOFF.
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit "root.ckd" then
    tap.skip("scripts/guest-kit has not been run", "milestones of a Linux guest")
    return
end

local folder = system.temporary_folder()
local volume = linux.root_volume(folder)
local sys <close> = system.new {
    config = ([[
System_Identifier * * LINVM
Processors 1 IFL
Storage 2G
RDevice 0200 Type DASD Volume LNXROO Image %s
]]):format(volume),
    directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 CONSOLE 0009 3215 T
USER LINUX1 LINUX1 512M 512M G
 MACHINE Z
 IUCV *MONITOR MSGLIMIT 255
 NAMESAVE MONDCSS
 CONSOLE 0009 3215 T
 MDISK 0200 3390 0 90 LNXROO MR
]],
}
local guest = linux.ipl(sys, "LINUX1", { parm = "nokaslr guest.break root=/dev/dasda1" })

local function first_line()
    return guest.con:expect("Linux version 6.1", 60):find "Debian" ~= nil
end

local function initramfs_shell()
    local rc, text = guest:boot():sh "cat /proc/1/comm; echo $((6*7))"
    return rc == 0 and text:find "init\n" and text:find "42", text
end

local function vmcp()
    local good, answer = guest:sh "vmcp query userid"
    local bad, message = guest:sh "vmcp frobnicate"
    local long, note = guest:sh "vmcp --buffer=4096 display t0.2000 >/tmp/out"
    return good == 0 and answer:find "LINUX1   AT LINVM" and bad == 1 and message:find "HCPCMD001E"
        and long == 2 and note:find "truncated", answer .. message .. note
end

local function root_on_dasd()
    guest.con:enter "exit"
    guest:login("root", "endicott")
    local rc, text = guest:sh "grep dasda1 /proc/mounts && cp /bin/busybox /root && sync"
    return rc == 0 and text:find "/dev/dasda1 / ext4 rw", text
end

-- The first message of monreader begins with a control element of 12 bytes: kind, domains, addresses
-- of the first and last byte of its records in the segment.
local function monitor_records()
    sys:cp "PURGE NSS NAME MONDCSS" -- the default one lies inside of 512M
    sys:cp "DEFSEG MONDCSS 40000-43FFF SC RSTD"
    sys:cp "SAVESEG MONDCSS"
    sys:cp "MONITOR SAMPLE ENABLE PROCESSOR"
    sys:cp "MONITOR SAMPLE INTERVAL 6 SECONDS"
    sys:cp "MONITOR SAMPLE START"
    guest:sh "modprobe monreader mondcss=MONDCSS"
    local rc, text = guest:sh("dd bs=1M count=1 </dev/monreader >/tmp/m 2>/dev/null;" ..
        [[ hexdump -n 12 -ve '1/1 "%02X"' /tmp/m]], 60)
    local first, last = text:match "%x%x%x%x%x%x%x%x(4%x%x%x%x%x%x%x)(4%x%x%x%x%x%x%x)"
    return rc == 0 and first and tonumber(first, 16) < tonumber(last, 16), text
end

local function panic()
    guest:sh "sync; mount -o remount,ro /"
    guest.con:enter "echo c >/proc/sysrq-trigger"
    local line = guest.con:expect("HCPGIR450W CP entered; disabled wait PSW", 60)
    guest.con:expect_status "CP READ"
    return true, line
end

local function logoff()
    guest.con:enter "LOGOFF"
    sys:wait(function() return not sys:user("LINUX1"):logged_on() end, 10, "LOGOFF")
    return linux.fsck(volume)
end

tap.ok(first_line(), "a. first line on the console")
tap.ok(initramfs_shell(), "b. a shell from the initial RAM disk")
tap.ok(vmcp(), "c. vmcp: a good, a failing and an overlong answer")
tap.ok(root_on_dasd(), "d. the root file system on an ECKD disk")
tap.skip("NICs have no queues yet", "e. a network by VSWITCH")
tap.ok(monitor_records(), "f. monitor records by monreader")
tap.ok(panic(), "a kernel panic ends in CP")
tap.ok(logoff(), "LOGOFF; the disk is clean")
os.remove(volume)
os.remove(folder)
