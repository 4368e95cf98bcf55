-- SPDX-License-Identifier: MIT
-- The published evaluation of two-speed monitoring, in virtual time: nine IFLs, 36 servers and nine
-- clients, WRITER and WRITER2 as monitor users, seven scenarios.
--
--   endicott run examples/two-speed.lua [FOLDER]
--
-- leaves one MONWRITE file for each scenario and writer in FOLDER; without one they go to a temporary
-- folder and are removed at the end. No count is written down here: it is what the files hold.
local report = require "report"
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
Processors 9 IFL
Storage 36G
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

local TRANSACTIONS = 0x10018 -- where the client guest counts (examples/guests/README.md)

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
        sys:cp(("IPL MONWRITE PARM MONDCSS *MONITOR DISK SCEN%s MONDATA%s"):format(scenario.name,
            writer.subint and " SUBINT" or ""), writer[1])
    end
end

-- Ends the writers; what each of them used, and its file.
local function stop_writers(sys, scenario, folder)
    local results = {}
    for i, writer in ipairs(scenario.writers) do
        local before = sys:user(writer[1]):info()
        sys:cp(("SEND %s MONWSTOP"):format(writer[1]))
        results[i] = {
            name = writer[1],
            expected = writer.samples,
            file = ("%s/%s/SCEN%s.MONDATA"):format(folder, writer[1], scenario.name),
            cpu = before.total_time / before.connect_time * 100,
            ios = before.ssch / before.connect_time,
        }
    end
    sys:sleep(1) -- they close their files
    return results
end

-- Runs one scenario: its external throughput and what its writers left.
local function run(scenario, folder)
    local sys <close> = system.new { config = make_config(), directory = make_directory() }
    sys:monwrite_folder(folder)
    set_profile(sys, scenario)
    start_writers(sys, scenario)
    start_guests(sys)
    sys:sleep(WARM_UP)
    local before = transactions(sys)
    sys:cp "MONITOR SAMPLE START"
    sys:sleep(scenario.window)
    sys:cp "MONITOR SAMPLE STOP"
    local etr = (transactions(sys) - before) / scenario.window
    local writers = stop_writers(sys, scenario, folder)
    for _, writer in ipairs(writers) do
        writer.data = report.mondata(writer.file)
    end
    return { etr = etr, writers = writers }
end

-- --- the story ---------------------------------------------------------------

local function print_table(results)
    tap.diag("scen. writer    samples  records      bytes rec/samp byt/rec   byt/samp     ETR   %CPU   I/O/s")
    for i, scenario in ipairs(scenarios) do
        for _, writer in ipairs(results[i].writers) do
            local d = writer.data
            tap.diag(("%-5s %-8s %8d %8d %10d %8.2f %7.2f %10.2f %7.2f %6.3f %7.2f"):format(scenario.name,
                writer.name, d.samples, d.records, d.bytes, d.records / d.samples,
                d.bytes / d.records, d.bytes / d.samples, results[i].etr, writer.cpu, writer.ios))
        end
    end
end

local folder = arg[1] or system.temporary_folder()
tap.diag("MONWRITE files in " .. folder)

-- os.remove() takes files and empty folders.
local function remove_files(results)
    for _, result in ipairs(results) do
        for _, writer in ipairs(result.writers) do
            os.remove(writer.file)
        end
    end
    os.remove(folder .. "/WRITER")
    os.remove(folder .. "/WRITER2")
    os.remove(folder)
end

local results = {}
for i, scenario in ipairs(scenarios) do
    results[i] = run(scenario, folder)
    for _, writer in ipairs(results[i].writers) do
        tap.is(writer.data.samples, writer.expected,
            ("scenario %s: samples of %s"):format(scenario.name, writer.name))
    end
    tap.ok(results[i].etr > 0, ("scenario %s: the clients got answers"):format(scenario.name))
end
print_table(results)

-- Scenarios 1 to 6 have the same content; so have all sets that a writer of one kind receives.
local first = results[1].writers[1].data
for i = 1, 6 do
    for _, writer in ipairs(results[i].writers) do
        local d, name = writer.data, ("scenario %s, %s"):format(scenarios[i].name, writer.name)
        tap.near(d.records / d.samples, first.records / first.samples, 0.02, name .. ": records per sample")
        tap.near(d.bytes / d.records, first.bytes / first.records, 0.02, name .. ": bytes per record")
        tap.near(d.bytes / d.samples, first.bytes / first.samples, 0.02, name .. ": bytes per sample")
    end
end
for i = 2, #scenarios do
    tap.near(results[i].etr, results[1].etr, 0.05,
        ("scenario %s: throughput within 5 %% of the run without subintervals"):format(scenarios[i].name))
end
tap.ok(results[7].writers[1].data.records < results[2].writers[1].data.records,
    "scenario 7, only I/O and USER: fewer records than scenario 2")

if not arg[1] then
    remove_files(results)
end
