-- SPDX-License-Identifier: MIT
-- Monitor users in a script: interval and subinterval side by side, records and their fields, MONWRITE
-- files read back, and what goes wrong.
local monitor = require "monitor"
local report = require "report"
local system = require "system"
local tap = require "tap"

local sys <close> = system.new { mips = 20 } -- slow processors: less to execute
for _, line in ipairs {
    "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 30 SECONDS",
    "MONITOR SAMPLE SUBINTERVAL 6 SECONDS", "XAUTOLOG GUEST3", "XAUTOLOG GUEST4",
} do
    sys:cp(line)
end

-- One monitor user of each kind. What a record says is kept, since records die with their callback.
local function subscribe(subinterval)
    local seen = { sets = {}, users = {}, names = {}, kept = nil, configuration = 0 }
    seen.user = sys:monitor {
        subinterval = subinterval,
        record = function(record)
            seen.kept = record
            seen.names[("D%dR%d"):format(record.domain, record.record)] = record.name
            if record.configuration then
                seen.configuration = seen.configuration + 1
            elseif record.domain == 4 and record.record == 3 then
                local list = seen.users[record:get "USEACT_VMDUSER"] or {}
                list[#list + 1] = { time = record.time, vtime = record:get "USEACT_VMDVTIME",
                    ttime = record:get "VMDTTIME", raw = record.raw, length = record.length,
                    text = tostring(record) }
                seen.users[record:get "USEACT_VMDUSER"] = list
            elseif record.domain == 0 and record.record == 1 and not seen.fields then
                seen.fields = record:fields()
            end
        end,
        sample = function(time, sub)
            seen.sets[#seen.sets + 1] = { time = time, subinterval = sub }
        end,
    }
    return seen
end

local slow, fast = subscribe(false), subscribe(true)
local start = sys:now()
sys:cp "MONITOR START"
sys:sleep(61)

-- --- the two speeds ------------------------------------------------------------------
-- At START one sample, then one at each end: 0, 30, 60 and 0, 6, ..., 60.
tap.is(#slow.sets, 3, "interval user: samples of 60 s")
tap.is(#fast.sets, 11, "subinterval user: samples of 60 s")
tap.is(slow.user.samples, 3, "the subscription counts them as well")
tap.ok(slow.user.records > 0 and slow.user.bytes > slow.user.records * 20, "and records and bytes")
local kinds = {}
for i, set in ipairs(fast.sets) do
    kinds[i] = set.subinterval and "s" or "i"
end
tap.is(table.concat(kinds), "issssissssi", "interval samples are among the subintervals'")
for _, set in ipairs(slow.sets) do
    if set.subinterval then
        tap.ok(false, "a subinterval sample for an interval user")
    end
end
tap.ok(math.abs(fast.sets[2].time - fast.sets[1].time - 6) < 0.01, "6 s apart", fast.sets[2].time)
tap.ok(math.abs(slow.sets[2].time - slow.sets[1].time - 30) < 0.01, "30 s apart", slow.sets[2].time)
local answer = sys:cp("QUERY MONITOR").text
tap.contains(answer, "INTERVAL", "QUERY MONITOR shows the interval")

-- --- records -----------------------------------------------------------------------------
local of3 = fast.users.GUEST3
tap.is(#of3, 11, "a user has one record in each set")
tap.is(of3[1].text, "record D4R3", "a record prints as what it is")
tap.is(#of3[1].raw, of3[1].length, "its bytes")
tap.is(string.unpack(">I2", of3[1].raw), of3[1].length, "begin with its length")
tap.ok(of3[11].ttime >= of3[11].vtime and of3[11].vtime > of3[1].vtime, "CPU time grows")
tap.is(slow.users.GUEST3[3].vtime, of3[11].vtime, "both users got the same values")
tap.is(fast.names.D4R3, "MRUSEACT", "records have names")
tap.ok(fast.names.D0R1 and fast.names.D6R3, "of every domain enabled")
tap.ok(fast.configuration > 0, "and configuration records")
tap.ok(next(fast.fields), "fields() gives a table by name")
tap.raises(function()
    fast.kept:get "USEACT_VMDUSER"
end, "valid only inside its callback", "a record that was kept is dead")
tap.is(tostring(fast.kept), "record (gone)", "and says so")

-- --- waiting -------------------------------------------------------------------------------
local before = sys:now()
local time, subinterval = fast.user:sample(10)
tap.is(subinterval, true, "sample() waits for the next set")
tap.ok(time > before and time <= sys:now(), "and gives its time", time - before)
sys:cp "MONITOR STOP"
sys:sleep(1)
tap.raises(function()
    slow.user:sample(100)
end, "no monitor sample within 100 s", "or raises")
local sets = #fast.sets
fast.user:close()
fast.user:close()
sys:cp "MONITOR START"
sys:sleep(61)
tap.is(#fast.sets, sets, "a closed subscription gets nothing")
tap.ok(#slow.sets > 3, "the other one does")
slow.user:close()

-- --- domains -----------------------------------------------------------------------------
sys:cp "MONITOR STOP"
sys:cp "MONITOR SAMPLE DISABLE ALL"
sys:cp "MONITOR SAMPLE ENABLE USER USERID GUEST4"
local only = subscribe(false)
sys:cp "MONITOR START"
sys:sleep(31)
tap.ok(only.users.GUEST4 and not only.users.GUEST3, "ENABLE USER USERID: only that user")
tap.is(only.names.D6R3, nil, "and no I/O domain")
only.user:close()

-- --- files ---------------------------------------------------------------------------------
local folder = system.temporary_folder()
sys:cp "MONITOR STOP"
sys:monwrite_folder(folder)
sys:cp "XAUTOLOG WRITER"
sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK API MONDATA", "WRITER")
sys:cp "MONITOR START"
sys:sleep(65)
sys:cp "MONITOR STOP"
sys:cp "SEND WRITER MONWSTOP"
sys:sleep(1)
local path = folder .. "/WRITER/API.MONDATA"
local records, users, last = 0, 0, 0
tap.is(monitor.read(path, function(record)
    records = records + 1
    if record.domain == 4 and record.record == 3 then
        users = users + 1
        tap.is(record:get "USEACT_VMDUSER", "GUEST4", "user in the file")
    end
    if record.time < last then
        tap.ok(false, "records out of order")
    end
    last = record.time
end), true, "a MONWRITE file is read back")
local data = report.mondata(path)
tap.is(data.samples, users, "one user record in each sample")
tap.is(data.records + data.configuration_records + data.event_records <= records, true,
    "the report counts no more than there is")
tap.contains(report.fcx(155, path), "FCX155", "the report as text")

local file <const> = assert(io.open(path, "rb"))
local bytes = file:read "a"
file:close()
local cut = assert(io.open(folder .. "/cut", "wb"))
cut:write(bytes:sub(1, #bytes // 2 + 100))
cut:close()
local part = 0
local ok, err, code = monitor.read(folder .. "/cut", function()
    part = part + 1
end)
tap.is(ok, nil, "a truncated file")
tap.is(code, 1, "is damaged")
tap.contains(err, folder .. "/cut: damaged at byte ", "with the place")
tap.ok(part > 0 and part < records, "whole records were given", part)
ok, err, code = monitor.read(folder .. "/none", function() end)
tap.ok(not ok and code == -1 and err:find("No such file", 1, true), "a file that is not there", err)
tap.raises(function()
    report.mondata(folder .. "/cut")
end, "damaged at byte", "reports of a damaged file raise")
tap.raises(function()
    monitor.read(path, function()
        error "in the callback"
    end)
end, "in the callback", "an error in a callback comes out")

tap.ok(os.execute(("rm -r '%s'"):format(folder)), "the folder goes")
tap.ok(sys:now() > start, "all of it in virtual time")
