-- SPDX-License-Identifier: MIT
-- Debian 12's own s390x kernel as a guest: IPL, login on its 3215 console, two CPUs, vmcp, a root file
-- system on an ECKD disk, another disk with dasdfmt, fdasd and ext4, monreader, and SHUTDOWN, at which
-- it powers off and leaves its root file system clean. In virtual time once more, with the same lines
-- on the console; in real time with --real.
--
--   scripts/guest-kit && endicott run [--real] examples/linux.lua
local linux = require "linux"
local system = require "system"
local tap = require "tap"

local config = [[
System_Identifier * * LINVM
Processors 2 IFL
Storage 2G
RDevice 0200 Type DASD Volume LNX001 Cylinders 60
RDevice 0201 Type DASD Volume LNXROO Image %s
]]

local directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 CONSOLE 0009 3215 T
USER LINUX1 LINUX1 512M 512M G
 MACHINE Z 2
 CPU 00 BASE
 CPU 01
 IUCV *MONITOR MSGLIMIT 255
 NAMESAVE MONDCSS
 CONSOLE 0009 3215 T
 SPOOL 000C 2540 READER *
 SPOOL 000D 2540 PUNCH A
 SPOOL 000E 1403 A
 MDISK 0100 3390 1 30 LNX001 MR
 MDISK 0200 3390 0 90 LNXROO MR
]]

-- A folder that goes with its block.
local function temporary()
    local path = system.temporary_folder()
    return setmetatable({ path = path }, { __close = function()
        os.remove(path .. "/root.ckd")
        os.remove(path)
    end })
end

-- --- milestones -------------------------------------------------------------------

local function boots(guest)
    tap.contains(guest.con:expect("Linux version", 60), "Debian", "first line on the console")
    guest.con:expect("running as a z/VM guest operating system in 64-bit mode", 60)
    guest.con:expect("printk: console [ttyS0] enabled", 60)
    guest:login("root", "endicott")
    tap.ok(true, "login on the console")
    local rc, text = guest:sh "echo $((6*7)) on $(uname -m)"
    tap.ok(rc == 0 and text:find "42 on s390x", "a shell on the console", text)
    rc, text = guest:sh "grep VM00 /proc/sysinfo"
    tap.contains(text, "VM00 Control Program: z/VM    7.3.0", "it knows where it is")
    tap.contains(text, "VM00 Name:            LINUX1", "and who it is")
end

-- The root file system: the partition of an ECKD volume that the kit made.
local function writes_to_its_root(guest)
    local rc, text = guest:sh "grep ' / ' /proc/mounts"
    tap.contains(text, "/dev/dasda1 / ext4 rw", "the root file system is on an ECKD disk, read-write")
    rc, text = guest:sh("cp /bin/busybox /root && sync && cmp /bin/busybox /root/busybox", 60)
    tap.ok(rc == 0, "a file there", text)
    rc, text = guest:sh "fdasd -p /dev/dasda | grep -A3 'vtoc'"
    tap.contains(text, "vtoc ..........: ok", "fdasd likes its label and VTOC")
end

-- md5sum of 1 MiB of zeros, eight times on two CPUs.
local function computes(guest)
    tap.contains(select(2, guest:sh "nproc"), "2", "two CPUs")
    guest:sh "f() { dd if=/dev/zero bs=64k count=16 2>/dev/null | md5sum; }"
    local _, text = guest:sh("(f; f; f; f) & (f; f; f; f); wait", 60)
    local _, right = text:gsub("b6d81b360a5672d80c27430f39153e2c", "")
    tap.is(right, 8, "both compute right")
end

local function talks_to_cp(guest)
    local rc, text = guest:sh "vmcp query userid"
    tap.ok(rc == 0 and text:find "LINUX1   AT LINVM", "vmcp: an answer", text)
    rc, text = guest:sh "vmcp frobnicate"
    tap.is(rc, 1, "vmcp: a command that fails")
    tap.contains(text, "HCPCMD001E Unknown CP command: FROBNICATE", "with CP's words")
    tap.contains(text, "non-zero CP response for command 'frobnicate': #1", "and return code")
    rc, text = guest:sh "vmcp --buffer=4096 display t0.2000 >/tmp/out"
    tap.is(rc, 2, "vmcp: an answer longer than its buffer")
    tap.contains(text, "was truncated, try --buffer to increase size", "vmcp says so")
end

local function has_a_disk(guest)
    local function step(name, command, timeout)
        local rc, text = guest:sh(command, timeout)
        tap.ok(rc == 0, name, text)
        return text
    end
    step("the ECKD driver", "modprobe dasd_eckd_mod")
    step("a minidisk goes online", "echo 1 >/sys/bus/ccw/devices/0.0.0100/online")
    step("a node for dasdfmt", "mkdir -p /dev/block; mknod /dev/block/94:4 b 94 4")
    step("dasdfmt", "dasdfmt -y -b 4096 -d cdl -l LIN001 /dev/dasdb", 300)
    step("fdasd", "fdasd -s -a /dev/dasdb", 60)
    step("ext4", "modprobe crc32c_generic; modprobe ext4; /sbin/mke2fs -q -t ext4 /dev/dasdb1", 60)
    step("mount", "mount /dev/dasdb1 /mnt")
    step("write", "cp /bin/busybox /mnt && umount /mnt", 60)
    step("read what was written", "mount /dev/dasdb1 /mnt && cmp /bin/busybox /mnt/busybox", 60)
    step("a clean file system", "umount /mnt && /sbin/e2fsck -fn /dev/dasdb1", 60)
    step("offline", "echo 0 >/sys/bus/ccw/devices/0.0.0100/online")
end

-- The records of one message that monreader gives: a control element of 12 bytes with the first and
-- the last byte of its records, then these, and so on. No record crosses a frame of 4 KB of the
-- segment; what is left of one is zeros.
local function records_of(bytes)
    local records, at = {}, 1
    while at + 12 <= #bytes do
        local first, last = string.unpack(">I4I4", bytes, at + 4)
        at = at + 12
        local to_address, stop = first - at, at + last - first
        while at < stop do
            local length = string.unpack(">I2", bytes, at)
            if length == 0 then
                at = ((at + to_address) | 0xFFF) + 1 - to_address
            else
                records[#records + 1] = bytes:sub(at, at + length - 1)
                at = at + length
            end
        end
        at = stop + 1
    end
    return records
end

local function read_message(guest)
    local rc, text = guest:sh("dd bs=100000 <&3 2>/dev/null >/tmp/mon && " ..
        [[hexdump -ve '32/1 "%02X" "\n"' /tmp/mon]])
    local hex = {}
    for line in text:gmatch "[^\n]+" do
        hex[#hex + 1] = line:gsub("^guest# ", ""):match "^(%x%x[%x ]*)$"
    end
    local bytes = table.concat(hex):gsub("%s", ""):gsub("%x%x", function(pair)
        return string.char(tonumber(pair, 16))
    end)
    return rc == 0 and records_of(bytes) or {}
end

-- Linux's records are the very ones that another monitor user got.
local function reads_the_monitor(guest)
    local sys, seen = guest.sys, {}
    sys:cp "PURGE NSS NAME MONDCSS" -- the default one lies inside of 512M
    sys:cp "DEFSEG MONDCSS 40000-43FFF SC RSTD"
    sys:cp "SAVESEG MONDCSS"
    sys:cp "MONITOR SAMPLE ENABLE PROCESSOR"
    sys:cp "MONITOR SAMPLE INTERVAL 6 SECONDS"
    sys:cp "MONITOR SAMPLE START"
    tap.is(guest:sh "modprobe monreader mondcss=MONDCSS", 0, "monreader loads the segment")
    tap.is(guest:sh "exec 3</dev/monreader", 0, "and connects to *MONITOR")
    local sub <close> = sys:monitor { record = function(record) seen[record.raw] = true end }
    guest:sh "dd bs=1M <&3 >/tmp/configuration 2>/dev/null"
    sub:sample(10)
    local same, records = 0, read_message(guest)
    for _, record in ipairs(records) do
        same = same + (seen[record] and 1 or 0)
    end
    tap.ok(#records > 0 and same == #records, "the same records",
        ("%d of %d"):format(same, #records))
    guest:sh "exec 3<&-"
    sys:cp "MONITOR SAMPLE STOP"
end

local function shuts_down(guest, volume)
    local sys = guest.sys
    guest.con:from_now()
    sys:cp "SHUTDOWN WITHIN 60"
    guest.con:expect("The system is going down.", 30)
    tap.ok(true, "SHUTDOWN reaches the guest")
    tap.contains(guest.con:expect("HCPGIR450W", 30), "00000FFF", "which powers off")
    sys:wait(function() return sys:is_down() end, 10, "the end of the system")
    local clean, text = linux.fsck(volume)
    tap.ok(clean, "and has left its root file system clean", text)
end

local function play()
    local folder <close> = temporary()
    local volume = linux.root_volume(folder.path)
    local sys <close> = system.new { config = config:format(volume), directory = directory }
    local guest = linux.ipl(sys, "LINUX1", { parm = "nokaslr root=/dev/dasda1" })
    boots(guest)
    writes_to_its_root(guest)
    computes(guest)
    talks_to_cp(guest)
    has_a_disk(guest)
    reads_the_monitor(guest)
    local info = sys:user("LINUX1"):info()
    tap.diag(("%.2f s of virtual CPU time, %.1f million instructions, %d SSCH"):format(
        info.guest_time, info.instructions / 1e6, info.ssch))
    shuts_down(guest, volume)
    return table.concat(guest.con:history(), "\n")
end

if not linux.kit "root.ckd" then
    tap.diag "There is no Linux here yet: scripts/guest-kit fetches it."
    tap.skip("scripts/guest-kit has not been run", "Linux as a guest")
    return
end

local first = play()
if system.real then
    tap.skip("real time", "twice the same")
else
    tap.ok(play() == first, "twice the same lines on the console")
end
