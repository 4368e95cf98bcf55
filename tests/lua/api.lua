-- SPDX-License-Identifier: MIT
-- The Lua interface: systems, commands and their failures, users, time, coroutines.
local bare = require "bare"
local clock = require "clock"
local core = require "core"
local cp = require "cp"
local guests = require "guests"
local system = require "system"
local tap = require "tap"

local sys <close> = system.new()

-- --- commands ------------------------------------------------------------------
local response = sys:cp "QUERY USERID"
tap.is(response.rc, 0, "a command's return code")
tap.is(response.id, nil, "no message id in an ordinary answer")
tap.contains(response.text, "OPERATOR AT ENDICOTT", "its text")
tap.is(tostring(response), response.text, "prints as its text")
tap.is(#response:lines(), 1, "its lines")
tap.is(response:line "nowhere", nil, "a line that is not there")
tap.contains(sys:cp("QUERY NAMES"):line "OPERATOR", "OPERATOR", "a line that is")

response = sys:try "FROBNICATE"
tap.is(response.rc, 1, "try() gives the return code of a failing command")
tap.is(response.id, "HCPCMD001E", "and the message id")
tap.contains(response.text, "Unknown CP command: FROBNICATE", "and the text")

local ok, err = pcall(function()
    sys:cp "QUERY FROBNICATE"
end)
tap.ok(not ok and getmetatable(err) == cp.Failure, "cp() raises an object", err)
tap.is(err.rc, sys:try("QUERY FROBNICATE").rc, "with the return code")
tap.is(err.command, "QUERY FROBNICATE", "the command")
tap.ok(err.id and err.id:match "^HCP%u%u%u%d+E$", "the message id", err.id)
tap.contains(tostring(err), "api.lua:29: CP command 'QUERY FROBNICATE' ended with return code",
    "and the place of the call")

tap.is(sys:try("QUERY USERID", "NOBODY").rc, -1, "a user who is not logged on has return code -1")
tap.raises(function()
    sys:cp("QUERY USERID", "NOBODY")
end, "return code -1", "and raises")

-- --- users ----------------------------------------------------------------------
local guest = sys:user "guest2"
tap.is(tostring(guest), "user GUEST2", "a userid is folded")
tap.is(guest:info(), nil, "nobody before the logon")
tap.is(guest:peek(0, 8), nil, "and no storage")
sys:cp "XAUTOLOG GUEST2"
sys:sleep(1)
tap.ok(guest:logged_on(), "XAUTOLOG logs on")
tap.contains(guest:cp("QUERY USERID").text, "GUEST2   AT", "a command in its name")
tap.ok(not pcall(guest.cp, guest, "SHUTDOWN"), "without the operator's authority")
tap.is(guest:try("SHUTDOWN").id, "HCPCMD001E", "a command of another class is unknown to it")
local info = guest:info()
tap.is(info.userid, "GUEST2", "info: userid")
tap.is(info.disconnected, true, "info: it runs disconnected")
tap.is(info.vcpus, 1, "info: virtual CPUs")
tap.is(info.storage, 32 << 20, "info: storage")
tap.ok(info.instructions > 0 and info.ssch > 0, "info: work done")
tap.ok(info.total_time >= info.guest_time and info.guest_time > 0, "info: times")
tap.ok(info.intercepts.SSCH.count > 0, "info: intercepts by name")
tap.is(info.intercepts.SSCH.group, "I/O", "with their group")
local names = {}
for _, user in ipairs(sys:users()) do
    names[#names + 1] = user.userid
end
tap.contains(table.concat(names, " "), "OPERATOR", "users: the operator")
tap.contains(table.concat(names, " "), "GUEST2", "users: and the guest")

tap.is(guest:poke(0x8000, "\0\0\0\0\0\0\1\2"), true, "poke")
tap.is(guest:doubleword(0x8000), 0x102, "doubleword is big-endian")
tap.is(guest:peek(0x8006, 2), "\1\2", "peek")
tap.is(guest:peek(1 << 40, 8), nil, "beyond the storage there is nothing")
tap.raises(function()
    guest:peek(0, 0)
end, "1 to 1048576 bytes", "nor in no bytes")

-- --- time -------------------------------------------------------------------------
local start = sys:now()
sys:sleep(2.5)
tap.is(sys:now() - start, 2.5, "sleep takes the time it says")
sys:run_until(start + 10)
tap.is(sys:now() - start, 10, "run_until")
sys:run_until(start)
tap.is(sys:now() - start, 10, "to a time that is over: no wait")
sys:sleep(0)
tap.is(sys:now() - start, 10, "sleep(0)")
tap.is(sys:wait(function()
    return sys:now() - start >= 11 and "now"
end, 5), "now", "wait gives what the condition gives")
ok, err = pcall(sys.wait, sys, function() end, 3, "the end of time")
tap.ok(not ok and err:find("waited 3 s in vain for the end of time", 1, true), "wait names what it waited for", err)

local order = {}
local function note(name, seconds)
    return function()
        for _ = 1, 2 do
            sys:sleep(seconds)
            order[#order + 1] = ("%s%g"):format(name, sys:now() - start - 20)
        end
    end
end
sys:run_until(start + 20)
clock.spawn(note("a", 1))
clock.spawn(note("b", 0.75))
sys:sleep(5)
tap.is(table.concat(order, " "), "b0.75 a1 b1.5 a2", "coroutines share the time line")

local fresh <close> = system.new { start = "2001-02-03 04:05:06" }
tap.is(fresh:now(), os.time { year = 2001, month = 2, day = 3, hour = 4, min = 5, sec = 6 } -
    os.time { year = 1970, month = 1, day = 1, hour = 0 }, "a start time")
tap.contains(fresh:cp("QUERY TIME").text, "04:05:06 UTC", "that CP shows")
fresh:sleep(100)
tap.is(sys:now() - start, 25, "two systems have two clocks")

-- --- systems -----------------------------------------------------------------------
tap.raises(function()
    system.new { frob = 1 }
end, "unknown option 'frob'", "an option that does not exist")
tap.raises(function()
    system.new { start = "yesterday" }
end, "'yesterday' is not of the form", "a start time that is none")
tap.raises(function()
    system.new { config = "System_Identifier * * X\nFrobnicate\n" }
end, ":2: ", "a mistake in SYSTEM CONFIG has its line")
tap.raises(function()
    system.new { directory = "USER A A 1M 1M G\n\n FROB\n" }
end, ":3: ", "one in the directory as well")
tap.raises(function()
    system.new { folder = "/nonexistent" }
end, "/nonexistent", "a folder that is not there")

local two <close> = system.new {
    config = "System_Identifier * * TWO\nProcessors 2 IFL\nStorage 1G\n",
    directory = "USER OPERATOR X 16M 16M ABCDEFG\n CONSOLE 0009 3215\n",
}
tap.is(tostring(two), "system TWO", "a system prints as its name")
tap.is(#two:users(), 1, "its own users")
tap.is(#two:cp("QUERY PROCESSORS"):lines(), 2, "its own processors")
local forgotten = two:console { user = "OPERATOR" }
two:monitor {}
two:cp "SHUTDOWN"
tap.ok(two:is_down(), "SHUTDOWN")
two:sleep(1)
tap.ok(true, "a wait on a system that is down ends")
two:close()
two:close()
tap.raises(function()
    two:now()
end, "the system was closed", "a closed system says so")
tap.raises(function()
    forgotten:status()
end, "the console was closed", "and its consoles have gone with it")

-- --- guests ------------------------------------------------------------------------
tap.ok(io.open(guests.path "hello"), "where the bundled guests are")
tap.raises(function()
    guests.path "nothing"
end, "guest image 'nothing' is not found", "a guest that is not there")
local machine <close> = bare.new()
tap.raises(function()
    machine:ipl "/nonexistent/image"
end, "/nonexistent/image: ", "an image that is not there")
machine:ipl(guests.path "hello")
tap.is(machine:run(1), false, "a bare machine runs until it is at rest")
tap.contains(machine:output(), "Hello from a guest", "its console's output")
tap.is(#machine:peek(0, 16), 16, "its storage")
tap.raises(function()
    bare.new { model = "z17" }
end, "model z17 is not known", "a CPU model that is not there")
tap.raises(function()
    bare.new { hypervisor = "KVM", uuid = "12" }
end, "uuid: 32 hexadecimal digits", "a UUID that is none")
tap.ok(machine:state().instructions > 0 and machine:state().elapsed > 0, "its state")

-- --- misuse ------------------------------------------------------------------------
tap.raises(function()
    core.now(nil)
end, "bad argument #1 to 'now'", "nil is no system")
tap.raises(function()
    sys:user()
end, "api.lua:181: a userid is a text, not nil", "a user without a name is the script's mistake")
