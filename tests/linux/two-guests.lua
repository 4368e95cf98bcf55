-- SPDX-License-Identifier: MIT
-- IUCV between two Linux guests: a login on the other's hvc terminal, TCP over netiucv, AF_IUCV sockets.
local initramfs = require "initramfs"
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit() then
    tap.skip("scripts/guest-kit has not been run", "two Linux guests")
    return
end

local user = [[
USER %s %s 512M 512M G
 MACHINE Z 2
 CPU 00 BASE
 CPU 01
 IUCV ANY
 IUCV ALLOW
 OPTION MAXCONN 128
 CONSOLE 0009 3215 T
]]

local sys <close> = system.new {
    config = "System_Identifier * * LINVM\nProcessors 2 IFL\nStorage 2G\n",
    directory = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n CONSOLE 0009 3215 T\n" ..
        user:format("LINUX1", "LINUX1") .. user:format("LINUX2", "LINUX2"),
}
local set <close> = initramfs.with { ["bin/iucv_socket"] = initramfs.program "iucv_socket" }
local one = linux.ipl(sys, "LINUX1", { set = set.path, parm = "nokaslr hvc_iucv=2" })
local two = linux.ipl(sys, "LINUX2", { set = set.path, parm = "nokaslr" })
one:boot()
two:boot()

local function step(guest, name, command, timeout)
    local rc, text = guest:sh(command, timeout)
    tap.ok(rc == 0, name, text)
    return text
end

local function terminal()
    one:sh "(setsid sh -c 'exec sh -i </dev/hvc1 >/dev/hvc1 2>&1' &)"
    two.con:enter "iucvconn LINUX1 lnxhvc1"
    sys:sleep(2)
    two.con:enter "echo the answer is $((6*7)) on $(vmcp q userid)"
    two.con:expect("the answer is 42 on LINUX1", 20)
    tap.ok(true, "a command on the other guest's hvc terminal")
    two.con:enter "exit"
    sys:sleep(1)
    two.con:enter "" -- in case it waits for a line
end

local function network()
    one:sh "modprobe netiucv; echo LINUX2 >/sys/bus/iucv/drivers/netiucv/connection"
    two:sh "modprobe netiucv; echo LINUX1 >/sys/bus/iucv/drivers/netiucv/connection"
    step(one, "an interface", "ifconfig iucv0 10.0.0.1 pointopoint 10.0.0.2 up")
    step(two, "and the other's", "ifconfig iucv0 10.0.0.2 pointopoint 10.0.0.1 up; sleep 1")
    tap.contains(step(one, "ping", "ping -c 3 -s 8000 10.0.0.2"), "3 packets received", "no loss")
    -- Its own input must not end, or the sender would stop at that.
    one:sh "(tail -f /dev/null | nc -l -p 5000 >/tmp/in &)"
    two:sh "head -c 1000000 /dev/urandom >/tmp/out"
    step(two, "a megabyte by TCP", "nc 10.0.0.1 5000 </tmp/out", 60)
    one:sh "while pidof nc; do sleep 1; done"
    local sent = select(2, two:sh "md5sum /tmp/out"):match "%x+  /tmp/out"
    local got = select(2, one:sh "md5sum /tmp/in"):match "%x+  /tmp/in"
    tap.is(got and got:sub(1, 32), sent and sent:sub(1, 32), "arrives as it was sent")
end

local function sockets()
    for _, kind in ipairs { "stream", "packet" } do
        one:sh(("(iucv_socket server %s HERE%s >/tmp/%s 2>&1 &); sleep 1"):format(kind, kind, kind))
        local text = step(two, kind .. " socket", ("iucv_socket client %s LINUX1 HERE%s 300000"):format(
            kind, kind), 60)
        local bytes = text:match "client bytes=(%d+) ok"
        tap.ok(bytes, "bytes come back as the other turned them", text)
        one:sh "sleep 1"
        tap.contains(select(2, one:sh("cat /tmp/" .. kind)), "server bytes=" .. tostring(bytes),
            "all of them")
    end
end

one:sh "modprobe af_iucv"
two:sh "modprobe af_iucv"
network()
sockets()
terminal()
