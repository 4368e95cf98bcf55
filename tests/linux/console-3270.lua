-- SPDX-License-Identifier: MIT
-- Linux on a 3270 console: the kernel's messages, a shell, an editor on tty3270, and a program that
-- has the display for itself by fs3270.
local initramfs = require "initramfs"
local linux = require "linux"
local system = require "system"
local tap = require "tap"

if not linux.kit() then
    tap.skip("scripts/guest-kit has not been run", "Linux on a 3270")
    return
end

local sys <close> = system.new {
    config = "System_Identifier * * LINVM\nProcessors 2 IFL\nStorage 2G\n",
    directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 CONSOLE 0009 3215 T
USER LINUX1 LINUX1 512M 512M G
 MACHINE Z 1
 CONSOLE 0009 3215 T
]],
}
local set <close> = initramfs.with { ["bin/full_screen"] = initramfs.program "full_screen" }
local con = linux.ipl(sys, "LINUX1", { set = set.path, parm = "nokaslr conmode=3270" }).con

-- A line typed at the terminal's last but one row; the screen when `wanted` is on it.
local function line(text, wanted)
    sys:sleep(1) -- Linux redraws a tenth of a second later, with the keyboard locked until then
    con:type(text):press "ENTER"
    con:expect(wanted, 20)
    return con:screen()
end

con:expect("Run /init as init process", 60)
tap.contains(con:rows()[24], "console view", "the kernel's messages are on the console view")
tap.contains(sys:cp("QUERY TERMINAL", "LINUX1").text, "CONMODE 3270", "Linux changed its console's mode")

sys:sleep(2)
con:press "PF3"
con:expect("built-in shell", 20)
tap.contains(line("echo it is $((6*7))", "it is 42"), "guest#", "PF3 leads to the terminal, with a shell")
con:press "CLEAR"
sys:sleep(1)
tap.ok(not con:screen():find "echo", "CLEAR clears it")

-- vi moves its cursor about and rewrites lines.
line("printf 'one\\ntwo\\nthree\\n' >/tmp/text", "guest#")
tap.contains(line("vi /tmp/text", "/tmp/text 1/3"), "two", "an editor")
line(":%s/two/zwei/", "zwei")
tap.is(con:rows()[2]:match "%S+", "zwei", "changes a line in place")
line(":wq", "guest#")
tap.contains(line("cat /tmp/text", "zwei"), "three", "and writes the file")

line("modprobe fs3270", "guest#")
line("full_screen /dev/3270/tub1 /tmp/log", "FULL SCREEN")
tap.contains(con:rows()[1], "                     FULL SCREEN", "a program has the whole display")
con:type "FIFTEEN LETTERS" -- fills the first field
con:type "12345"
con:press "ENTER"
con:expect("ENTERED FIFTEEN LETTERS 12345", 10)
tap.ok(true, "fields come back as they were entered")
con:press "PF3"
con:expect("guest#", 10)
tap.contains(line("cat /tmp/log", "F3 "), "7D 336 FIFTEEN LETTERS 12345", "with the key and the cursor")
con:type("exit"):press "ENTER"
con:expect("HCPGSP2629I", 30)
tap.ok(true, "powers off")
