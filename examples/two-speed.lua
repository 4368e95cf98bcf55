-- SPDX-License-Identifier: MIT
-- The published evaluation of two-speed monitoring, in virtual time: nine IFLs, 36 servers and nine
-- clients, WRITER and WRITER2 as monitor users, seven scenarios.
--
--   endicott run examples/two-speed.lua [FOLDER]
--
-- leaves one MONWRITE file for each scenario and writer in FOLDER (default: a new folder below
-- $TMPDIR). No count below is written down anywhere: it is what the files hold.
local monitor = require "monitor"
local system = require "system"
local tap = require "tap"

local SERVERS, CLIENTS = 36, 9
local WARM_UP = 5 -- seconds before the window, so that every client has connected

-- The published windows were a few seconds longer than the 600 s of the workload. `window` is ours:
-- one sample at START, one at each interval's end, and one at STOP (our assumption).
local ALL = { "PROCESSOR", "STORAGE", "USER ALL", "I/O ALL", "NETWORK", "ISFC", "APPLDATA ALL", "SSI" }
local FEW = { "USER ALL", "I/O ALL" }

local scenarios = {
    { name = "1", interval = "6 SECONDS", rate = "2", window = 603, domains = ALL,
        writers = { { "WRITER", samples = 102 } } },
    { name = "2", interval = "1 MINUTE", subinterval = "6 SECONDS", rate = "2", window = 603,
        domains = ALL, writers = { { "WRITER", subint = true, samples = 102 } } },
    { name = "3", interval = "5 MINUTES", subinterval = "10 SECONDS", rate = "2", window = 603,
        domains = ALL, writers = { { "WRITER", subint = true, samples = 62 } } },
    { name = "4", interval = "1 MINUTE", subinterval = "1 SECOND", rate = ".03", window = 608,
        domains = ALL, writers = { { "WRITER", subint = true, samples = 610 } } },
    { name = "5", interval = "1 MINUTE", subinterval = "6 SECONDS", rate = "2", window = 603,
        domains = ALL, writers = { { "WRITER", subint = true, samples = 102 },
            { "WRITER2", samples = 12 } } },
    { name = "6", interval = "1 MINUTE", subinterval = "6 SECONDS", rate = "2", window = 603,
        domains = ALL, writers = { { "WRITER", samples = 12 },
            { "WRITER2", subint = true, samples = 102 } } },
    { name = "7", interval = "1 MINUTE", subinterval = "6 SECONDS", rate = "2", window = 603,
        domains = FEW, writers = { { "WRITER", subint = true, samples = 102 } } },
}

-- --- the system --------------------------------------------------------------

local config = [[
System_Identifier * * TWOSPEED
System_Residence Checkpoint Volid ENDRES From CYL 1 For 9 Warmstart Volid ENDRES From CYL 10 For 9
Processors 9 IFL
Storage 36G
Timezone_Definition UTC East 00.00.00
Timezone_Boundary on 2026-01-01 at 00:00:00 to UTC
Operator_Userid OPERATOR
RDevice 0200 Type DASD Volume ENDRES Cylinders 50
]]

local function make_config()
    local lines = { config }
    for i = 1, SERVERS do
        lines[#lines + 1] = ("RDevice %04X Type DASD Volume SRV%03d Cylinders 20\n"):format(0x3000 + i, i)
    end
    return table.concat(lines)
end

local function server_name(i)
    return ("SRV%02d"):format(i)
end

-- The four servers that client i asks in turn.
local function servers_of(i)
    local names = {}
    for k = 0, SERVERS // CLIENTS - 1 do
        names[#names + 1] = server_name(i + k * CLIENTS)
    end
    return table.concat(names, ",")
end

local function make_directory()
    local lines = { [[
USER OPERATOR OPERATOR 32M 32M ABCDEFG
 MACHINE ESA
 CONSOLE 0009 3215 T
]] }
    for _, writer in ipairs { "WRITER", "WRITER2" } do
        lines[#lines + 1] = ([[
USER %s WRITER 64M 256M EG
 MACHINE XC
 OPTION QUICKDSP
 IUCV *MONITOR MSGLIMIT 255
 NAMESAVE MONDCSS
 SHARE ABSOLUTE 3%%
 CONSOLE 0009 3215 T
]]):format(writer)
    end
    for i = 1, SERVERS do
        lines[#lines + 1] = ([[
USER %s SERVER 16M 16M G
 MACHINE ESA
 IUCV ALLOW
 CONSOLE 0009 3215 T
 MDISK 0191 3390 1 10 SRV%03d MR
]]):format(server_name(i), i)
    end
    for i = 1, CLIENTS do
        lines[#lines + 1] = ([[
USER CLI%02d CLIENT 16M 16M G
 MACHINE ESA
 IUCV ANY
 CONSOLE 0009 3215 T
]]):format(i)
    end
    return table.concat(lines)
end

-- --- one scenario ------------------------------------------------------------

local function start_guests(sys)
    for i = 1, SERVERS do
        local name = server_name(i)
        sys:cp("XAUTOLOG " .. name)
        sys:cp("IPL SERVER", name)
    end
    for i = 1, CLIENTS do
        local name = ("CLI%02d"):format(i)
        sys:cp("XAUTOLOG " .. name)
        sys:cp(("IPL CLIENT PARM servers=%s think=100ms"):format(servers_of(i)), name)
    end
end

local TRANSACTIONS = 0x10410 -- where the client guest counts (examples/guests/client.S)

local function transactions(sys)
    local total = 0
    for i = 1, CLIENTS do
        total = total + sys:user(("CLI%02d"):format(i)):doubleword(TRANSACTIONS)
    end
    return total
end

local function set_profile(sys, scenario)
    for _, domain in ipairs(scenario.domains) do
        sys:cp("MONITOR SAMPLE ENABLE " .. domain)
    end
    sys:cp("MONITOR SAMPLE INTERVAL " .. scenario.interval)
    if scenario.subinterval then
        sys:cp("MONITOR SAMPLE SUBINTERVAL " .. scenario.subinterval)
    end
    sys:cp(("MONITOR SAMPLE RATE %s SECONDS"):format(scenario.rate))
end

local function start_writers(sys, scenario)
    for _, writer in ipairs(scenario.writers) do
        sys:cp("XAUTOLOG " .. writer[1])
        sys:cp(("IPL MONWRITE PARM MONDCSS *MONITOR DISK S%s %s%s"):format(scenario.name,
            writer[1], writer.subint and " SUBINT" or ""), writer[1])
    end
end
