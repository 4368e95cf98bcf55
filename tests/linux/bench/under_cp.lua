-- SPDX-License-Identifier: MIT
-- Boots a list-directed load set in a virtual machine of CP and shows its console as it is written,
-- for bench_linux.c: endicott run under_cp.lua SET PARAMETERS
local linux = require "linux"
local system = require "system"

io.stdout:setvbuf "line"
local sys <close> = system.new {
    config = "System_Identifier * * LINVM\nProcessors 1 IFL\nStorage 2G\n",
    directory = "USER OPERATOR OPERATOR 32M 32M ABCDEFG\n CONSOLE 0009 3215 T\n" ..
        "USER LINUX1 LINUX1 512M 512M G\n MACHINE Z 1\n CONSOLE 0009 3215 T\n",
}
local guest = linux.ipl(sys, "LINUX1", { ipl = ("IPL FILE %s PARM %s"):format(arg[1], arg[2]) })
local next = 1
repeat
    sys:sleep(0.01)
    for _, line in ipairs(guest.con:history(next)) do
        io.stdout:write(line, "\n")
        next = next + 1
    end
until sys:user("LINUX1"):info().cp_read
