-- SPDX-License-Identifier: MIT
-- CP's services as Linux's own drivers and tools use them: vmur, smsgiucv_app, cmm, vmlogrdr, hypfs
-- and hyptop, dcssblk, dasd_diag, appldata and monwriter with their records in domain 10.
local initramfs = require "initramfs"
local linux = require "linux"
local monitor = require "monitor"
local system = require "system"
local tap = require "tap"

if not linux.kit() then
    tap.skip("scripts/guest-kit has not been run", "Linux's drivers")
    return
end

local sys <close> = system.new {
    config = [[
System_Identifier * * LINVM
Processors 2 IFL
Storage 2G
RDevice 0200 Type DASD Volume LNX001 Cylinders 20
]],
    directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 CONSOLE 0009 3215 T
USER LINUX1 LINUX1 512M 512M BG
 MACHINE Z 2
 IUCV *ACCOUNT
 OPTION APPLMON
 ACCOUNT DEPT42
 CONSOLE 0009 3215 T
 SPOOL 000C 2540 READER *
 SPOOL 000D 2540 PUNCH A
 SPOOL 000E 1403 A
 MDISK 0100 3390 1 15 LNX001 MR
USER WRITER WRITER 32M 32M G
 MACHINE Z
 IUCV *MONITOR MSGLIMIT 255
 NAMESAVE MONDCSS
 CONSOLE 0009 3215 T
]],
}
local set <close> = initramfs.with { ["bin/monitor_records"] = initramfs.program "monitor_records" }
local guest = linux.ipl(sys, "LINUX1", { set = set.path, parm = "nokaslr cmm.sender=OPERATOR" }):boot()

-- The command works; what it wrote.
local function step(name, command, timeout)
    local rc, text = guest:sh(command, timeout)
    tap.ok(rc == 0, name, text)
    return text
end

local function unit_record()
    guest:sh "modprobe vmur"
    guest:sh "for d in c d e; do echo 1 >/sys/bus/ccw/devices/0.0.000$d/online; done"
    guest:sh [[printf 'hello\nworld\n\nlast line\n' >/tmp/text]]
    tap.contains(step("vmur punches text", "vmur punch -rtN hello.text /tmp/text"),
        "Reader file with spoolid 0001 created.", "and finds the file's number")
    tap.contains(step("vmur lists", "vmur list"), "HELLO     TEXT", "name and type")
    step("vmur receives text", "vmur receive -tH 1 /tmp/back && cmp /tmp/text /tmp/back")
    tap.contains(sys:cp("QUERY RDR ALL", "LINUX1").text, "USER", "a file that was held stays")
    step("vmur purges", "vmur purge -f 1")
    guest:sh "head -c 80000 /dev/urandom >/tmp/bytes"
    step("vmur punches 1000 cards", "vmur punch -rN bytes /tmp/bytes")
    step("and receives them", "vmur receive -f 1 /tmp/cards && cmp /tmp/bytes /tmp/cards", 60)
    tap.contains(sys:cp("QUERY RDR ALL", "LINUX1").text, "NO RDR FILES", "and they are gone")
end

local function special_messages()
    guest:sh "modprobe smsgiucv_app"
    guest:sh "(uevent env >/tmp/events &)"
    sys:cp("SMSG LINUX1 APP Hello there", "OPERATOR")
    local text = step("an SMSG becomes an event", "sleep 1; cat /tmp/events")
    tap.contains(text, "SMSG_SENDER=OPERATOR", "with its sender")
    tap.contains(text, "SMSG_TEXT=Hello there", "and its text")
    sys:cp("SMSG LINUX1 CMM SHRINK 500", "OPERATOR")
    tap.contains(step("cooperative memory management", "sleep 2; cat /proc/sys/vm/cmm_pages"), "\n500\n",
        "gives pages back when CP's service machine says so")
    sys:cp("SMSG LINUX1 CMM SHRINK 0", "OPERATOR")
    tap.contains(step("and takes them", "sleep 2; cat /proc/sys/vm/cmm_pages"), "\n0\n", "again")
end

local function accounting()
    guest:sh "modprobe vmlogrdr"
    guest:sh "(head -c 80 </dev/account >/tmp/record &)"
    sys:cp("ACNT LINUX1", "OPERATOR")
    local text = step("vmlogrdr", "sleep 1; hexdump -ve '1/1 \"%02X\"' /tmp/record; echo")
    tap.contains(text, "D3C9D5E4E7F14040C4C5D7E3F4F24040", "an accounting record, user and number")
end

local function performance_data()
    guest:sh "mount -t debugfs none /sys/kernel/debug"
    local text = step("hyptop", "hyptop -b -n 2 -d 1")
    tap.ok(text:find "LINUX1 +1 +%d+%.%d+", "shows the guest's CPU time", text)
    tap.contains(text, "OPERATOR", "and, for class B, other users")
end

local function hypervisor_files()
    step("hypfs", "mkdir /tmp/h && mount -t s390_hypfs none /tmp/h && cd /tmp/h")
    tap.contains(step("names its hypervisor", "cat hyp/type"), "z/VM Hypervisor", "CP")
    tap.contains(step("users", "ls systems"), "OPERATOR", "as CP has them")
    tap.contains(step("a user's storage", "cat systems/LINUX1/mem/max_KiB"), "524288", "is right")
    local text = step("CPU time in microseconds", "cat systems/LINUX1/onlinetime_us; cd /; umount /tmp/h")
    tap.ok(tonumber(text:match "\n(%d+)\n" or 0) > 0, "goes on", text)
end

local function segments()
    sys:cp "DEFSEG DATA1 60000-600FF SW"
    sys:cp "SAVESEG DATA1"
    guest:sh "modprobe dcssblk"
    step("dcssblk loads a segment", "echo DATA1 >/sys/devices/dcssblk/add")
    step("it is a block device", "head -c 65536 /tmp/bytes >/dev/dcssblk0 && sync")
    step("that keeps its blocks", "head -c 65536 /tmp/bytes | cmp -n 65536 - /dev/dcssblk0")
end

local function block_io()
    guest:sh "modprobe dasd_eckd_mod; modprobe dasd_diag_mod"
    guest:sh "mkdir -p /dev/block; mknod /dev/block/94:0 b 94 0"
    guest:sh "cd /sys/bus/ccw/devices/0.0.0100; echo 1 >online"
    step("dasdfmt with a Linux disk layout", "dasdfmt -yb 4096 -d ldl -l LIN001 /dev/dasda", 300)
    local started = sys:now()
    guest:sh("echo 0 >online", 60)
    tap.ok(sys:now() - started < 5, "offline at once after that", sys:now() - started)
    guest:sh "echo 1 >use_diag"
    step("the DIAGNOSE driver", "echo 1 >online")
    tap.contains(step("takes it", "cat discipline"), "DIAG", "over")
    guest:sh "modprobe crc32c_generic; modprobe ext4; cd /"
    step("a file system", "/sbin/mke2fs -qt ext4 /dev/dasda1", 60)
    step("files", "mount /dev/dasda1 /mnt && cp /tmp/bytes /bin/busybox /mnt && umount /mnt")
    step("that are the same", "mount /dev/dasda1 /mnt && cmp /mnt/busybox /bin/busybox")
    step("and clean", "umount /mnt && e2fsck -fn /dev/dasda1", 60)
end

-- A record of domain 10 has the product's name in it: LINUXKR, in EBCDIC.
local function application_data()
    local product, seen = "\xD3\xC9\xD5\xE4\xE7\xD2\xD9", 0
    sys:cp "MONITOR SAMPLE ENABLE APPLDATA ALL"
    sys:cp "MONITOR SAMPLE INTERVAL 6 SECONDS"
    sys:cp "MONITOR SAMPLE START"
    guest:sh "modprobe appldata_os; cd /proc/sys/appldata"
    step("appldata", "echo 1 >timer && echo 1 >os")
    local sub <close> = sys:monitor {
        record = function(record)
            if record.domain == 10 and record.raw:find(product, 1, true) then
                seen = seen + 1
            end
        end,
    }
    sys:sleep(20)
    tap.ok(seen >= 2, "Linux's own numbers are in the monitor's data", seen)
    step("no more of them", "echo 0 >os && echo 0 >timer; cd /")
end

-- What a program writes to /dev/monwriter is in the file that MONWRITE makes, with the driver's
-- identification (LNXAPPL, in ASCII) and the program's application number.
local function written_records()
    local folder, kinds, numbers = system.temporary_folder(), {}, {}
    sys:monwrite_folder(folder)
    sys:cp "MONITOR EVENT ENABLE APPLDATA ALL"
    sys:cp "MONITOR EVENT START"
    sys:cp "XAUTOLOG WRITER"
    sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK APPL MONDATA", "WRITER")
    guest:sh "modprobe monwriter"
    step("a program writes records", "monitor_records 20", 60)
    sys:cp "MONITOR STOP"
    sys:cp "SEND WRITER MONWSTOP"
    sys:sleep(1)
    local mark = "\xC5\xD5\xC4\xC9\xC3\xD6\xE3\xE3"
    monitor.read(folder .. "/WRITER/APPL.MONDATA", function(record)
        local at = record.raw:find("LNXAPPL\x12\x34", 1, true)
        local data = record.raw:find(mark, 1, true)
        if at and data then
            local kind = record.raw:sub(data + 8, data + 15):match "%a+"
            kinds[record.name or record.record] = kind
            if kind == "SAMPLE" then
                numbers[#numbers + 1] = (">I4"):unpack(record.raw, data + 16)
            end
        end
    end)
    tap.is(kinds.MRAPLEDT, "EVENT", "an event record in MONWRITE's file")
    tap.is(kinds.MRAPLSDT, "SAMPLE", "sample records")
    tap.ok(#numbers >= 3 and numbers[#numbers] > numbers[1], "as they were at each sample",
        table.concat(numbers, " "))
    os.execute("rm -r " .. folder)
end

unit_record()
special_messages()
accounting()
performance_data()
hypervisor_files()
segments()
block_io()
application_data()
written_records()
guest:power_off()
tap.ok(true, "powers off")
