-- SPDX-License-Identifier: MIT
-- Boots a list-directed load set on a bare machine and shows its console as it is written, for
-- tests/cpu/bench_guest.c: endicott run guest.lua SET PARAMETERS
local bare = require "bare"

io.stdout:setvbuf "line"
local machine <close> = bare.new { storage = 512 << 20 }
machine:ipl(arg[1], arg[2])
local shown = 0
repeat
    local more = machine:run(0.01)
    local output = machine:output()
    local last = output:sub(shown + 1):match(".*\n")
    if last then
        io.stdout:write(last)
        shown = shown + #last
    end
until not more
