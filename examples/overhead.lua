-- SPDX-License-Identifier: MIT
-- What the hypervisor costs, measured: the same images bare and under CP, in virtual time. A loop of
-- branches must show none; where there is some, the causes that CP counted must add up to the
-- difference.
--
--   endicott run examples/overhead.lua
local bare = require "bare"
local guests = require "guests"
local system = require "system"
local tap = require "tap"

local CYLINDERS = 20

local directory = [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 MACHINE ESA
 CONSOLE 0009 3215 T
USER PROBE PROBE 64M 64M G
 MACHINE ESA
 CONSOLE 0009 3215 T
 MDISK 0191 3390 1 ]] .. CYLINDERS .. [[ SCRTCH MR
]]

local config = [[
System_Identifier * * OVERHEAD
Processors 1 IFL
Storage 1G
RDevice 0191 Type DASD Volume SCRTCH Cylinders 50
]]

-- Runs the image on a bare machine until it rests.
local function run_bare(name, parameters)
    local machine <close> = bare.new { storage = 64 << 20, cylinders = CYLINDERS }
    machine:ipl(guests.path(name), parameters)
    machine:run()
    local state = machine:state()
    tap.ok(state.at_rest and state.wait_address == 0, name .. " ends well on the bare machine",
        machine:output())
    return state
end

local function at_rest(user)
    return function()
        return user:info().cp_read
    end
end

-- Runs it in a virtual machine. `during(user)` may look while it runs.
local function run_under_cp(name, parameters, during)
    local sys <close> = system.new { config = config, directory = directory }
    sys:cp "XAUTOLOG PROBE"
    local user = sys:user "PROBE"
    user:cp(("IPL %s PARM %s"):format(name:upper(), parameters))
    if during then
        during(sys, user)
    end
    sys:wait(at_rest(user), 3600, name .. " to end", 0.01)
    tap.contains(user:cp("DISPLAY PSW").text, "0000000000000000", name .. " ends well under CP")
    return user:info()
end

-- Cost and number of events by cause that came between two looks.
local function difference(before, after)
    local causes, total = {}, 0
    for cause, row in pairs(after.intercepts) do
        local old = before and before.intercepts[cause] or { count = 0, seconds = 0 }
        if row.count > old.count then
            causes[#causes + 1] = { name = cause, group = row.group, count = row.count - old.count,
                seconds = row.seconds - old.seconds }
            total = total + row.seconds - old.seconds
        end
    end
    table.sort(causes, function(a, b)
        return a.seconds > b.seconds or a.seconds == b.seconds and a.name < b.name
    end)
    return causes, total
end

local function show(name, without, with, causes)
    tap.diag(("%s: bare %.6f s, under CP %.6f s of CPU, ratio %.4f"):format(name, without.cpu_time,
        with.total_time, with.total_time / without.cpu_time))
    for _, cause in ipairs(causes) do
        tap.diag(("  %-24s %-14s %9d times %12.6f s"):format(cause.name, cause.group, cause.count,
            cause.seconds))
    end
end

local function branch_loop()
    local parameters = "n=200000000"
    local without = run_bare("bcrloop", parameters)
    local inside
    local with = run_under_cp("bcrloop", parameters, function(sys, user)
        sys:sleep(0.5) -- well inside the loop
        local before = user:info()
        sys:sleep(0.4)
        local after = user:info()
        tap.ok(after.instructions - before.instructions > 1000000, "the loop runs meanwhile")
        inside = difference(before, after)
    end)
    show("bcrloop", without, with, difference(nil, with))
    tap.near(with.total_time / without.cpu_time, 1.00, 0.001, "BCR 15 loop: ratio 1.00 within 0.1 %")
    for _, cause in ipairs(inside) do
        tap.is(cause.group, "dispatching", "inside the loop CP sees nothing but dispatching: " .. cause.name)
    end
end

-- The guest executes the same in both, but for printing other digits of the times it measured; so
-- all that CP adds must be in its causes.
local function loop_with_overhead(name, parameters, expected)
    local without = run_bare(name, parameters)
    local with = run_under_cp(name, parameters)
    local causes, total = difference(nil, with)
    show(name, without, with, causes)
    tap.near(with.instructions, without.instructions, 0.01, name .. " executes the same in both")
    tap.ok(with.total_time > 1.1 * without.cpu_time, name .. " shows overhead")
    tap.near(total, with.total_time - without.cpu_time, 0.001,
        name .. ": the causes add up to the difference")
    tap.near(total, with.total_time - with.guest_time, 1e-9,
        name .. ": the causes are all of CP's time, exactly")
    local seen = {}
    for _, cause in ipairs(causes) do
        seen[cause.name] = cause.count
    end
    for cause, least in pairs(expected) do
        tap.ok((seen[cause] or 0) >= least, ("%s: %s was counted at least %d times"):format(name, cause,
            least), seen[cause])
    end
end

branch_loop()
loop_with_overhead("privop", "n=2000", { STIDP = 2000, STAP = 2000, STSI = 2000, SPX = 2000 })
loop_with_overhead("ioloop", "n=2000", { SSCH = 2000, TSCH = 2000, ["I/O interruption"] = 2000 })
loop_with_overhead("dasdio", "n=200 tracks=15", { SSCH = 200, TSCH = 200 })
