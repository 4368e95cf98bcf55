-- SPDX-License-Identifier: MIT
-- Every bundled guest under CP ends well, and prints what it prints on a bare machine (times apart).
local bare = require "bare"
local guests = require "guests"
local system = require "system"
local tap = require "tap"

local ENDED = "disabled wait PSW 00020001 80000000 00000000 00000000" -- result 0

local sys <close> = system.new()
local own_lines = {} -- console -> lines of its history that were there before the IPL

local function logon(userid)
    local console = sys:console { user = userid }
    sys:try("SYSTEM CLEAR", userid) -- whatever its directory entry IPLs goes
    sys:sleep(1)
    console:from_now()
    own_lines[console] = #console:history()
    return console
end

local function logoff(console, userid)
    sys:cp("FORCE " .. userid)
    sys:sleep(0.1)
    console:close()
end

-- What the guest printed, without what was typed and CP's own messages; times are made equal.
local function printed(console)
    local lines = {}
    for _, line in ipairs(console:history(own_lines[console] + 1)) do
        if line:find("^%l+: ") or line:find("^Hello") then
            lines[#lines + 1] = line
        end
    end
    return (table.concat(lines, "\n"):gsub("%d+ microseconds", "n microseconds"))
end

local function bare_output(guest)
    local machine <close> = bare.new { cylinders = 20, cpus = guest.cpus }
    machine:ipl(guests.path(guest.name), guest.parm)
    machine:run(1)
    for _, line in ipairs(guest.input or {}) do
        machine:input(line)
        machine:run(1)
    end
    machine:run(600)
    local state = machine:state()
    tap.ok(state.at_rest and state.wait_address == 0, guest.name .. " ends well on a bare machine",
        machine:output())
    return (machine:output():gsub("%s+$", ""):gsub("%d+ microseconds", "n microseconds"))
end

-- `lines`: what must be among the output. `cp_only`: a bare machine has something else to say.
local alone = {
    { name = "hello", lines = { "Hello from a guest" } },
    { name = "console", input = { "Hallo", "quit" },
        lines = { "console: you typed Hallo", "console: backwards ollaH", "console: 1 lines answered, good bye" } },
    { name = "bcrloop", parm = "N=20000", lines = { "bcrloop: 20000 passes" } },
    { name = "compute", parm = "N=3", lines = { "compute: 3 rounds, checksum" } },
    { name = "privop", parm = "N=25", lines = { "privop: 25 STIDP", "privop: 25 SPX" } },
    { name = "ioloop", parm = "N=25", lines = { "ioloop: 25 starts" } },
    { name = "dasdio", parm = "N=12 TRACKS=3", lines = { "dasdio: 36 records formatted", "12 records written" } },
    { name = "interrupts", lines = { "interrupts: program 16 of 16 codes ok", "interrupts: 0 wrong" } },
    { name = "smp", cpus = 2, lines = { "smp: 100 calls answered" } },
}

for _, guest in ipairs(alone) do
    local console = logon("GUEST1")
    if guest.cpus then
        sys:cp("DEFINE CPU 1", "GUEST1")
    end
    sys:cp(("IPL %s%s"):format(guest.name, guest.parm and " PARM " .. guest.parm or ""), "GUEST1")
    for _, line in ipairs(guest.input or {}) do
        sys:sleep(1)
        console:enter(line)
    end
    tap.ok(pcall(console.expect, console, ENDED, 60), guest.name .. " ends well under CP", console:screen())
    tap.is(console:status(), "CP READ", "  and leaves its user in CP READ")
    local output = printed(console)
    for _, line in ipairs(guest.lines) do
        tap.contains(output, line, ("  prints '%s'"):format(line))
    end
    tap.is(bare_output(guest), output, guest.name .. " prints the same on both")
    logoff(console, "GUEST1")
end

-- What needs CP says so on a bare machine, and ends with 0 all the same.
for name, text in ("ping:no NIC netecho:no NIC server:no IUCV client:no IUCV"):gmatch "(%l+):(no %u+)" do
    tap.contains(bare_output { name = name, parm = "SERVERS=GUEST2" }, text, name .. " says what is missing")
end

-- A wrong parameter: result 2.
do
    local console = logon("GUEST1")
    sys:cp("IPL COMPUTE PARM N=FIVE", "GUEST1")
    tap.contains(console:expect("HCPGIR450W", 10), "00000000 00000002", "a bad parameter ends with result 2")
    logoff(console, "GUEST1")
end

-- --- two that work together ----------------------------------------------------
do
    local one, two = logon("GUEST1"), logon("GUEST2")
    sys:cp "DEFINE LAN TESTLAN OWNERID SYSTEM TYPE QDIO"
    for _, userid in ipairs { "GUEST1", "GUEST2" } do
        sys:cp("DEFINE NIC 6200 QDIO", userid)
        sys:cp("COUPLE 6200 TO SYSTEM TESTLAN", userid)
    end
    sys:cp("IPL NETECHO PARM N=5 VERBOSE", "GUEST2")
    sys:sleep(1)
    sys:cp("IPL PING PARM N=5", "GUEST1")
    tap.ok(pcall(one.expect, one, ENDED, 30), "ping ends well", one:screen())
    tap.contains(printed(one), "5 sent, 5 answered", "  with every answer")
    tap.ok(pcall(two.expect, two, ENDED, 30), "netecho ends well", two:screen())
    tap.contains(printed(two), "5 frames answered", "  having answered them")
    logoff(one, "GUEST1")
    logoff(two, "GUEST2")
end

do
    local server, client = logon("GUEST1"), logon("GUEST2")
    sys:cp("IPL SERVER PARM WORK=100 VERBOSE", "GUEST1")
    sys:sleep(1)
    sys:cp("IPL CLIENT PARM SERVERS=GUEST1 N=20 THINK=10MS VERBOSE", "GUEST2")
    tap.ok(pcall(client.expect, client, ENDED, 30), "client ends well", client:screen())
    tap.contains(printed(client), "client: 20 transactions", "  and says what it did")
    tap.is(sys:user("GUEST2"):doubleword(0x10018), 20, "  after 20 transactions")
    tap.is(sys:user("GUEST1"):doubleword(0x10018), 20, "  that the server counted as well")
    tap.ok(sys:user("GUEST1"):logged_on(), "the server goes on", server:screen())
    logoff(server, "GUEST1")
    logoff(client, "GUEST2")
end
