-- SPDX-License-Identifier: MIT
-- A MONWRITE file of a busy system read by a reader of its own (fixtures/own_reader.lua), written from
-- the documents alone. The fields that CP also tells of have here the places that published layouts
-- give them. Every field of every record must be what the engine says live, and those what CP's
-- commands and counters said at that time.
local system = require "system"
local tap = require "tap"
local reader = dofile((debug.getinfo(1, "S").source:match("^@(.*/)") or "./") .. "fixtures/own_reader.lua")

local published = { -- field, offset, length
    D0R1 = "PFXCPUAD 20 2 PLSDIAGT 28 4 PLSCTSS 48 4",
    D0R2 = "PFXCPUAD 20 2 PFXPRBTM 24 8 PFXUTIME 32 8 PFXTMSYS 40 8 PFXTOTWT 68 8 PFXCPUTY 104 1",
    D0R8 = "SYSUSRS 20 4", D1R5 = "PFXCPUAD 20 2 PFXCPUTY 40 1", D1R7 = "RSAGSTOR 92 8",
    D1R4 = "SYSTODST 36 8 SYSTMID 88 8", D1R9 = "INTERVAL 20 4 HFRATE 24 4 SDOMAINS 28 1",
    D1R15 = "VMDUSER 20 8 VMDCPUCT 31 1 VMDRELSH 36 4 CALTODON 68 8 ASCDEFSZ 88 8",
    D4R3 = "VMDUSER 20 8 VMDCPUAD 28 2 VMDTTIME 36 8 VMDVTIME 44 8 VMDVCSCT 132 4 VMDVDSCT 136 4 VMDVUSCT 140 4 "
        .. "VMDVOSCT 148 4 CALTODON 248 8 ASCDEFSZ 268 8",
    D6R3 = "RDEVSER 36 6 RDEVLCNT 50 2 SCGSSCH 192 4 RDEVDEV 200 2",
    D8R1 = "OWNER 24 8 NICBASE 34 2 LANID 44 16 SESTXBYT 96 8 SESRXBYT 104 8 SESTXPKT 112 8 SESRXPKT 136 8",
}
local misplaced
for key, fields in pairs(published) do
    for name, at, size in fields:gmatch("(%S+) (%d+) (%d+)") do
        local found = false
        for _, f in ipairs(reader.layouts[key]) do
            found = found or f.name == name and f.at == tonumber(at) and f.size == tonumber(size)
        end
        misplaced = misplaced or not found and key .. " " .. name or nil
    end
end
tap.is(misplaced, nil, "published fields are where they are documented to be")

-- --- a system, and what CP says at each sample -----------------------------------------

local guest = "USER %s X %s %s G\n MACHINE Z\n IPL %s\n%s CONSOLE 0009 3215 T\n%s"
local nic = " COMMAND DEFINE NIC 6200 QDIO\n COMMAND COUPLE 6200 TO SYSTEM SW1\n"
local folder = system.temporary_folder()
local sys <close> = system.new { mips = 20, config = "System_Identifier * * OWNSYS\nProcessors 3 IFL\nStorage 6G\n"
    .. "RDevice 0200 Type DASD Volume VOL200 Cylinders 60\nRDevice 0201 Type DASD Volume VOL201 Cylinders 30\n"
    .. "DEFINE VSWITCH SW1\n", directory = "USER OPERATOR X 16M 16M ABCDEFG\n CONSOLE 0009 3215 T\n"
    .. "USER WRITER X 16M 16M EG\n IUCV *MONITOR MSGLIMIT 255\n NAMESAVE MONDCSS\n CONSOLE 0009 3215 T\n"
    .. guest:format("DISK", "20M", "20M", "DASDIO PARM n=2000", "", " MDISK 0191 3390 1 10 VOL200 MR\n")
    .. guest:format("ECHO", "16M", "16M", "NETECHO", nic, "")
    .. guest:format("PING", "32M", "32M", "PING PARM n=1000 wait=20ms", nic, "") }
sys:monwrite_folder(folder)
local function ask(line) return tostring(sys:cp(line)) end
local live, said = {}, {} -- sample records as the engine has them; CP's counters at each sample
local watcher = sys:monitor { -- connected before the writer, so that nothing happens in between
    record = function(record)
        if not record.configuration then
            live[#live + 1] = { key = ("D%dR%d"):format(record.domain, record.record), raw = record.raw,
                fields = record:fields() }
        end
    end,
    sample = function(time)
        local now = { users = {}, count = 0, guest = 0, charged = 0, time = time, diagnoses = 0, starts = 0 }
        said[#said + 1] = now
        for _, user in ipairs(sys:users()) do
            now.users[user.userid], now.count = user, now.count + 1
            now.guest, now.charged = now.guest + user.guest_time, now.charged + user.total_time
            for name, row in pairs(user.service and {} or user.intercepts) do -- MONWRITE runs on no processor
                now.diagnoses = now.diagnoses + (row.group == "DIAGNOSE" and row.count or 0)
                now.starts = now.starts + (name == "SSCH" and row.count or 0)
            end
        end
    end,
}
for _, line in ipairs { "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 6 SECONDS", "SET VSWITCH SW1 GRANT ECHO",
    "SET VSWITCH SW1 GRANT PING", "XAUTOLOG ECHO", "XAUTOLOG PING", "XAUTOLOG DISK", "XAUTOLOG WRITER" } do
    sys:cp(line)
end
sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK OWN FILE", "WRITER")
sys:sleep(1)
sys:cp "MONITOR SAMPLE START"
sys:sleep(31)
sys:cp "MONITOR SAMPLE STOP"
local switch, disks = ask "QUERY VSWITCH SW1 DETAILS", ask "QUERY DASD" -- the guests are done by now
sys:cp "SEND WRITER MONWSTOP"
sys:sleep(1)
watcher:close()
local path = folder .. "/WRITER/OWN.FILE"
local list = reader.records_of(path)
for _, name in ipairs { path, folder .. "/WRITER", folder } do
    os.remove(name)
end

-- --- what the file says, and what the engine and CP say ------------------------------------

local set, sum, checked, compared, users, busy, wrong, bad = 1, { 0, 0, 0, 0, 0, 0 }, 0, 0, 0, true, nil, nil
local function same(what, got, expected, tolerance)
    checked = checked + 1
    if got ~= expected and not (tonumber(got) and math.abs(got - expected) <= (tolerance or 1e-6)) then
        bad = bad or ("sample %d, %s: %s in the file, CP says %s"):format(set, what, got, expected)
    end
end
local check = {}
function check.D0R1(f) sum[1], sum[2] = sum[1] + f.PLSDIAGT, sum[2] + f.PLSCTSS end
function check.D0R2(f, now) -- a busy CPU is charged to the end of what it has begun
    sum[3], sum[4] = sum[3] + f.PFXPRBTM, sum[4] + f.PFXUTIME
    same("CPU busy and waiting", f.PFXUTIME + f.PFXTMSYS + f.PFXTOTWT, now.time - 1767225600, 0.001)
end
function check.D0R8(f, now) same("users", f.SYSUSRS, now.count) end
function check.D1R4(f) same("system and IPL", f.SYSTMID .. f.SYSTODST, ask("QUERY USERID"):match(" AT (%S+)") .. 1767225600.0) end
function check.D1R5(f) same("processor type", f.PFXCPUTY == 3 and "IFL", ask("QUERY PROCESSORS"):match(("PROCESSOR %02X %%S+ (%%S+)"):format(f.PFXCPUAD))) end
function check.D1R7(f) same("storage", f.RSAGSTOR >> 30, tonumber(ask("QUERY STORAGE"):match "(%d+)G")) end
function check.D1R9(f) -- of what MONITOR SAMPLE has enabled here: every domain that has samples
    local settings = ask("QUERY MONITOR SAMPLE")
    same("interval", f.INTERVAL, tonumber(settings:match "INTERVAL +(%d+) SECONDS"))
    same("rate", f.HFRATE, 100 * settings:match "RATE +([%d.]+) SECONDS")
    for bit, domain in pairs { [0x80] = "SYSTEM", [0x08] = "USER", [0x04] = "PROCESSOR", [0x02] = "I/O" } do
        same(domain, f.SDOMAINS & bit ~= 0, settings:find(domain .. " +DOMAIN ENABLED") ~= nil)
    end
end
function check.D1R15(f)
    same(f.VMDUSER .. " share", f.VMDRELSH, tonumber(ask("QUERY SHARE " .. f.VMDUSER):match "SHARE = +(%d+)"))
    same(f.VMDUSER .. " storage", (f.ASCDEFSZ >> 20) .. "M", ask("INDICATE USER " .. f.VMDUSER .. " EXP"):match "STOR=(%S+)")
end
function check.D4R3(f, now)
    local user = now.users[f.VMDUSER]
    users, sum[6] = users + 1, sum[6] + (user.service and 0 or f.VMDVDSCT) -- MONWRITE's file is the host's
    same(f.VMDUSER .. " total time", f.VMDTTIME, user.total_time)
    same(f.VMDUSER .. " virtual time", f.VMDVTIME, user.guest_time)
    same(f.VMDUSER .. " I/Os", f.VMDVDSCT + f.VMDVUSCT + f.VMDVCSCT + f.VMDVOSCT, user.ssch)
    same(f.VMDUSER .. " storage", f.ASCDEFSZ, user.storage)
    same(f.VMDUSER .. " logon", now.time - f.CALTODON, user.connect_time)
end
function check.D6R3(f) -- the disk's owner is the only one that uses it
    same(f.RDEVSER, f.RDEVSER, disks:match(("DASD %04X .-(VOL%%d+)"):format(f.RDEVDEV)))
    same(f.RDEVSER .. " links", f.RDEVLCNT, disks:find(("DASD %04X ATTACHED"):format(f.RDEVDEV)) and 1 or 0)
    sum[5] = sum[5] + f.SCGSSCH
end
function check.D8R1(f)
    if set < #said then
        return
    end
    local nic = switch:match("Adapter Owner: " .. f.OWNER .. " .-Options")
    for name, value in pairs { ["RX Packets"] = f.SESRXPKT, ["TX Packets"] = f.SESTXPKT, ["RX Bytes"] = f.SESRXBYT,
        ["TX Bytes"] = f.SESTXBYT } do
        same(f.OWNER .. " " .. name, value, tonumber(nic:match(name .. ": (%d+)")))
        busy = busy and value >= 1000
    end
    same(f.OWNER .. "'s NIC", ("%s %04X"):format(f.LANID, f.NICBASE), "SW1 " .. nic:match "NIC: (%x+)")
end
function check.D1R11(_, now, record)
    for i, name in ipairs { "DIAGNOSE instructions", "SSCH", "guest time of all CPUs", "time charged to users" } do
        same(name, sum[i], ({ now.diagnoses, now.starts, now.guest, now.charged })[i])
    end
    same("channel programs of disks", sum[5], sum[6], 1) -- one may wait for its end
    same("time of the sample", record.time, now.time)
    set, sum = set + 1, { 0, 0, 0, 0, 0, 0 }
end

local place = 0 -- in what came live
for _, record in ipairs(list) do
    local f, engine, now = {}, nil, said[set]
    if not record.configuration then
        place = place + 1
        engine = live[place]
        wrong = wrong or record.raw ~= engine.raw and ("%d: %s, %s live"):format(place, record.key, engine.key) or nil
    end
    reader.each_field(record, function(name, value, index)
        f[name], compared = value, compared + 1
        local other = engine and (index and engine.fields[name][index][name] or engine.fields[name])
        wrong = wrong or engine and value ~= other and ("%s %s: %s, %s live"):format(record.key, name, value, other) or nil
    end)
    for name, at, size in (published[record.key] or ""):gmatch("(%S+) (%d+) (%d+)") do -- numbers, by their own places
        local own = record.raw:sub(at + 1, at + size)
        f[name] = math.type(f[name]) == "integer" and string.unpack(">I" .. size, own) or f[name]
    end
    if check[record.key] and not (record.configuration and record.key == "D1R11") then
        check[record.key](f, now, record)
    end
end
tap.is(place, #live, "as many sample records in the file as came live")
tap.is(wrong, nil, ("%d fields are what the engine says live"):format(compared))
tap.ok(compared > 10000 and busy, "and those are not few, of a system that did something")
tap.is(bad, nil, ("%d fields are what CP said at the time of the sample"):format(checked))
tap.ok(set - 1 == #said and #said == 7 and users >= 5 * #said, "at START, each interval's end and STOP, of each user")
