-- SPDX-License-Identifier: MIT
-- Totals of the whole system in monitor records: transactions and their time, also of users that are
-- gone; what CP says of a user's pages; the system lock.
local system = require "system"
local tap = require "tap"

local guest = "USER %s X 20M 20M G\n MACHINE Z\n %s\n IPL %s\n CONSOLE 0009 3215 T\n"
local sys <close> = system.new { mips = 20, config = "System_Identifier * * TOTALS\nProcessors 2 IFL\nStorage 4G\n",
    directory = "USER OPERATOR X 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n"
    .. guest:format("SERVER", "IUCV ALLOW", "SERVER")
    .. guest:format("CLIENT", "IUCV ANY", "CLIENT PARM servers=SERVER think=800ms") }

local totals, users, locks = {}, {}, nil
local watcher = sys:monitor { record = function(record)
    if record.domain == 0 and record.record == 8 then
        totals[#totals + 1] = { count = record:get "CALUPNCT", time = record:get "CALUPNTR" }
    elseif record.domain == 0 and record.record == 23 then
        locks = record:fields()
    elseif record.domain == 4 and record.record == 3 then
        users[record:get "VMDUSER"] = { low = record:get "VMDCTPVR", high = record:get "VMDCTPVG",
            set = record:get "VMDWSSPR" }
    end
end }
for _, line in ipairs { "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 10 SECONDS", "XAUTOLOG SERVER",
    "XAUTOLOG CLIENT", "MONITOR SAMPLE START" } do
    sys:cp(line)
end
sys:sleep(30.5)
local pages = tonumber(tostring(sys:cp "INDICATE USER CLIENT EXP"):match "RES=(%d+)")
sys:cp "FORCE CLIENT"
sys:sleep(20)
sys:cp "MONITOR SAMPLE STOP"
watcher:close()

local before, after = totals[4], totals[6] -- at START, then each 10 seconds
tap.ok(before.count > 40, before.count .. " transactions in 30 seconds: the client's and the server's")
tap.ok(before.time > 0 and before.time / before.count < 0.5,
    ("they took %.6f s each"):format(before.time / before.count))
tap.ok(after.count >= before.count and after.time >= before.time, "a user that logs off takes none of them along")
tap.is(users.CLIENT and users.CLIENT.low, pages, "resident pages are those of INDICATE USER")
tap.is(users.CLIENT.high, 0, "none of them above 2 GB")
tap.is(users.CLIENT.set, pages, "and the working set")
tap.is(locks.CALNMLKS, 1, "there is one lock")
tap.is(locks.CALLKDATA[1].CALLCKID, "SYSTEM", "the system's")
tap.is(locks.CALLKDATA[1].CALXSCNT, 0, "for which nobody waits in virtual time")
