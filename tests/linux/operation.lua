-- SPDX-License-Identifier: MIT
-- Operating a Linux guest: IPL from the reader, from the DASD that zipl wrote, re-IPL, CP commands at
-- its console, TRACE and DISPLAY, CPU time as both sides see it, an FBA disk, SIGNAL SHUTDOWN.
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit "root.ckd" then
    tap.skip("scripts/guest-kit has not been run", "operating Linux")
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
USER LINUX1 LINUX1 512M 512M BG
 MACHINE Z 2
 CPU 00 BASE
 CPU 01
 CONSOLE 0009 3215 T
 SPOOL 000C 2540 READER *
 SPOOL 000D 2540 PUNCH A
 SPOOL 000E 1403 A
 MDISK 0200 3390 0 90 LNXROO MR
 MDISK 0300 FB-512 V-DISK 20000 MR
]],
}
local guest = linux.ipl(sys, "LINUX1", { parm = "nokaslr root=/dev/dasda1" })

-- The command works; what it wrote.
local function step(name, command, timeout)
    local rc, text = guest:sh(command, timeout)
    tap.ok(rc == 0, name, text)
    return text
end

local function from_the_reader()
    step("zipl writes a boot loader", "zipl", 60)
    guest:sh "modprobe vmur; cd /sys/bus/ccw/devices"
    guest:sh "for d in c d; do echo 1 >0.0.000$d/online; done; cd"
    guest:sh "echo root=/dev/dasda1 nokaslr from.reader >/tmp/parm"
    step("the kernel is punched", "vmur punch -r /boot/vmlinuz", 120)
    step("its parameters", "vmur punch -rt /tmp/parm")
    step("the initial RAM disk", "vmur punch -rN initrd /boot/initramfs.gz", 120)
    tap.contains(sys:cp("QUERY RDR ALL", "LINUX1").text, "LINUX1", "three files in the reader")
    sys:cp("CHANGE RDR ALL KEEP", "LINUX1")
    step("the root file system is left clean", "sync; mount -o remount,ro /")
    guest.con:enter "vmcp ipl 00c clear"
    guest:login("root", "endicott", 200)
    tap.contains(step("IPL from the reader", "cat /proc/cmdline"), "from.reader", "with them")
    tap.is(select(2, sys:cp("QUERY RDR ALL", "LINUX1").text:gsub("LINUX1 +%d%d%d%d", "")), 3,
        "the files are still there, since they are to be kept")
end

-- What Linux and CP count up to now, in seconds of all CPUs together.
local function count()
    local text, numbers = select(2, guest:sh "head -n 1 /proc/stat"), {}
    for word in text:match("cpu  ([%d ]+)"):gmatch "%d+" do
        numbers[#numbers + 1] = tonumber(word) / 100
    end
    local user, nice, kernel, idle, iowait, irq, softirq, steal = table.unpack(numbers)
    local minutes, seconds = sys:cp("QUERY TIME", "LINUX1").text:match "VIRTCPU= *(%d+):(%d+%.%d+)"
    return {
        now = 2 * sys:now(),
        busy = user + nice + kernel + irq + softirq,
        idle = idle + iowait,
        steal = steal,
        query_time = tonumber(minutes) * 60 + tonumber(seconds),
        accounted = sys:user("LINUX1"):info().guest_time,
    }
end

-- Two virtual CPUs compute on one real one, so that each waits for the other. CPU time agrees within
-- 2 % and 0.05 s, the time of waiting within 2 % and 0.25 s, since the script looks at both sides
-- up to 0.1 s apart.
local function cpu_time()
    local function near(got, expected, slack, name)
        tap.ok(math.abs(got - expected) <= slack + 0.02 * expected, name,
            ("%.3f s, not %.3f s"):format(got, expected))
    end
    guest:sh "f() { i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; }"
    local before = count()
    local rc, spent = guest:sh("f & f; wait", 120), {}
    for what, value in pairs(count()) do
        spent[what] = value - before[what]
    end
    tap.ok(rc == 0 and spent.busy > 0.5, "two CPUs compute", spent.busy)
    near(spent.busy, spent.query_time, 0.05, "Linux's CPU time is QUERY TIME's")
    near(spent.busy, spent.accounted, 0.05, "and that of CP's accounting")
    local waited = spent.now - spent.accounted - spent.idle
    tap.ok(waited > 0.5, "they waited for the processor", waited)
    near(spent.steal, waited, 0.25, "as long as Linux says they did")
    tap.diag(("busy %.2f s, steal %.2f s; CP: %.2f s, %.2f s"):format(spent.busy, spent.steal,
        spent.accounted, waited))
end

local function at_the_console()
    sys:cp("TERMINAL LINEND #", "LINUX1")
    guest.con:enter("#CP QUERY USERID"):expect "LINUX1   AT LINVM"
    tap.ok(true, "#CP and a command, while Linux runs")
    guest.con:enter("#CP DISPLAY PSW"):expect "PSW ="
    tap.contains(sys:cp("DISPLAY X", "LINUX1").text, "ECR  0", "DISPLAY of control registers")
    guest.con:enter "#CP TRACE INSTR"
    local line = guest.con:expect("->", 20)
    guest.con:expect_status "CP READ"
    tap.ok(true, "TRACE INSTR stops the kernel", line)
    for _ = 1, 3 do
        guest.con:enter("BEGIN"):expect("->", 20)
        guest.con:expect_status "CP READ"
    end
    tap.ok(true, "and goes on instruction by instruction")
    guest.con:enter "TRACE END"
    guest.con:enter "BEGIN"
    guest.con:expect_status "RUNNING"
    tap.contains(select(2, guest:sh "echo $((6*7)) lives"), "42 lives", "afterwards it runs as before")
    sys:cp("TERMINAL LINEND OFF", "LINUX1")
end

local function fba()
    step("the FBA driver", "modprobe dasd_fba_mod; cd /sys/bus/ccw/devices/0.0.0300; echo 1 >online")
    tap.contains(step("a 9336 goes online", "cat discipline cutype devtype"), "9336", "FB-512")
    step("a file system there", "cd; /sbin/mke2fs -q -t ext4 /dev/dasdb1 && mount /dev/dasdb1 /mnt", 60)
    step("files", "cp /boot/vmlinuz /mnt && umount /mnt && mount /dev/dasdb1 /mnt", 60)
    step("the same when read again", "cmp /boot/vmlinuz /mnt/vmlinuz", 60)
    step("clean", "umount /mnt && e2fsck -fn /dev/dasdb1", 60)
    step("offline", "echo 0 >/sys/bus/ccw/devices/0.0.0300/online", 60)
end

local function ipl_again()
    step("chreipl", "chreipl ccw 0.0.0200 && cat /sys/firmware/reipl/ccw/device")
    guest.con:enter "reboot"
    guest:login("root", "endicott", 200)
    local text = step("re-IPL from the disk", "cat /proc/cmdline /sys/firmware/ipl/device")
    tap.contains(text, "BOOT_IMAGE=0", "by zipl's boot loader")
    tap.contains(text, "0.0.0200", "and Linux knows from where")
end

local function is_told_to_shut_down()
    guest.con:from_now()
    tap.contains(sys:try("SIGNAL SHUTDOWN LINUX1 WITHIN 300", "OPERATOR").text, "HCPSIG2114I",
        "SIGNAL SHUTDOWN")
    guest.con:expect("The system is going down.", 30)
    guest.con:expect("00000FFF", 30)
    local started = sys:now()
    sys:wait(function() return not sys:user("LINUX1"):logged_on() end, 30, "the logoff")
    tap.ok(sys:now() - started < 30, "LINUX1 is logged off as soon as it is down")
    sys:cp "SHUTDOWN"
    local clean, text = linux.fsck(volume)
    tap.ok(clean, "its root file system is clean", text)
end

guest:login()
from_the_reader()
cpu_time()
at_the_console()
fba()
ipl_again()
is_told_to_shut_down()
os.remove(volume)
os.remove(folder)
