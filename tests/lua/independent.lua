-- SPDX-License-Identifier: MIT
-- A MONWRITE file read by a reader of its own: written from docs/records.md (which it reads for the
-- layouts) and docs/monitor.md, in plain Lua, with nothing of the engine's reader or decoder. Every
-- field of every record must be what the engine says live, and the counters CP's own at that time.
local system = require "system"
local tap = require "tap"

-- --- the documented layouts ---------------------------------------------------------

local here = debug.getinfo(1, "S").source:match("^@(.*/)") or "./"
local layouts, layout = {}, nil
for line in io.lines(here .. "../../docs/records.md") do
    local key = line:match("^## (D%d+R%d+) ")
    if key then
        layout = {}
        layouts[key] = layout
    elseif line:find("^Then ") then
        layout = nil -- a table of entries
    end
    local offset, length, field, kind = line:match("^| (%d+) | (%d+) | (%S+) | (%a+) |")
    if layout and offset then
        local count = tonumber(field:match("%[(%d+)%]")) or 1
        layout[#layout + 1] = { at = tonumber(offset), size = tonumber(length) // count, count = count,
            name = field:gsub("%[.*", ""), type = kind }
    end
end

-- EBCDIC, as far as names and numbers need it.
local ebcdic = { [0x40] = " ", [0x4B] = ".", [0x60] = "-", [0x5C] = "*", [0x7B] = "#", [0x7C] = "@", [0x5B] = "$" }
for first, letters in pairs { [0xC1] = "ABCDEFGHI", [0xD1] = "JKLMNOPQR", [0xE2] = "STUVWXYZ", [0xF0] = "0123456789" } do
    for i = 1, #letters do
        ebcdic[first + i - 1] = letters:sub(i, i)
    end
end

local function seconds(v) -- 4096 units are a microsecond; the first bit is no sign
    return v >= 0 and v / 4096e6 or (v >> 1) / 2048e6
end

local UNIX = 0x7D91048BCA000000 -- the TOD clock at 1970
local decode = {
    number = function(bytes)
        local v = 0
        for i = 1, #bytes do
            v = v << 8 | bytes:byte(i)
        end
        return v
    end,
    text = function(bytes)
        return (bytes:gsub(".", function(c) return ebcdic[c:byte()] or "?" end):gsub(" +$", ""))
    end,
    bytes = function(bytes) return bytes end,
}
function decode.span(bytes) return seconds(decode.number(bytes)) end
function decode.time(bytes)
    local v = decode.number(bytes)
    return math.ult(v, UNIX) and -seconds(UNIX - v) or seconds(v - UNIX)
end

-- --- the documented file ------------------------------------------------------------

-- Blocks of 4096 bytes: a control record (40 bytes of an interruption, then entries of type, first and
-- last address), then the pages that they cover; a block of zeros ends it all. Sample data only.
local function records_of(path)
    local file, list, frame = assert(io.open(path, "rb")), {}, nil
    for control in function() return file:read(4096) end do
        local entries = (decode.number(control:sub(17, 20)) - decode.number(control:sub(13, 16)) + 1) // 12
        for i = 0, control ~= ("\0"):rep(4096) and entries - 1 or -1 do
            local first, last = string.unpack(">I4I4", control, 41 + 12 * i + 4)
            for page = first >> 12, last >> 12 do
                frame = file:read(4096)
                local at = page == first >> 12 and first & 0xFFF or 0
                local stop = page == last >> 12 and (last & 0xFFF) + 1 or 4096
                while at + 20 <= stop do
                    local length, zero, domain, _, record, time = string.unpack(">I2I2I1I1I2I8", frame, at + 1)
                    assert(zero == 0 and length >= 20 and at + length <= stop, "not a record")
                    if control:sub(9, 10) == "\xE2\xC4" then -- S, D
                        list[#list + 1] = { key = ("D%dR%d"):format(domain, record), time = seconds(time - UNIX),
                            raw = frame:sub(at + 1, at + length) }
                    end
                    at = domain == 1 and record == 13 and stop or at + length -- D1R13 ends a frame
                end
            end
        end
    end
    return list
end

-- fn(name, value, index) for each field that the record has.
local function each_field(record, fn)
    for _, f in ipairs(layouts[record.key] or {}) do
        for i = 1, f.count do
            local at = f.at + (i - 1) * f.size
            if at + f.size <= #record.raw then
                fn(f.name, decode[f.type](record.raw:sub(at + 1, at + f.size)), f.count > 1 and i or nil)
            end
        end
    end
end

-- --- a system, and what CP says at each sample -----------------------------------------

local folder = system.temporary_folder()
local sys <close> = system.new { mips = 20 }
sys:monwrite_folder(folder)
local live, said = {}, {} -- sample records as the engine has them; CP's counters at each sample
local watcher = sys:monitor { -- connected before the writer, so that nothing happens in between
    record = function(record)
        if not record.configuration then
            live[#live + 1] = { key = ("D%dR%d"):format(record.domain, record.record), raw = record.raw,
                fields = record:fields() }
        end
    end,
    sample = function(time)
        said[#said + 1] = { users = {}, count = 0, guest = 0, charged = 0, time = time }
        local now = said[#said]
        for _, user in ipairs(sys:users()) do
            now.users[user.userid], now.count = user, now.count + 1
            now.guest, now.charged = now.guest + user.guest_time, now.charged + user.total_time
        end
    end,
}
for _, line in ipairs { "MONITOR SAMPLE ENABLE ALL", "MONITOR SAMPLE INTERVAL 6 SECONDS", "XAUTOLOG GUEST3",
    "XAUTOLOG GUEST4", "XAUTOLOG WRITER" } do
    sys:cp(line)
end
sys:cp("IPL MONWRITE PARM MONDCSS *MONITOR DISK OWN FILE", "WRITER")
sys:sleep(1)
sys:cp "MONITOR SAMPLE START"
sys:sleep(31)
sys:cp "MONITOR SAMPLE STOP"
sys:cp "SEND WRITER MONWSTOP"
sys:sleep(1)
watcher:close()
local path = folder .. "/WRITER/OWN.FILE"
local list = records_of(path)
for _, name in ipairs { path, folder .. "/WRITER", folder } do
    os.remove(name)
end

-- --- what the file says, and what the engine and CP say ------------------------------------

tap.is(#list, #live, "as many sample records in the file as came live")
local compared, checked, wrong, bad = 0, 0, nil, nil
local set, guest, charged, users = 1, 0, 0, 0
local function same(what, got, expected, tolerance)
    checked = checked + 1
    if math.abs(got - expected) > (tolerance or 1e-6) then
        bad = bad or ("sample %d, %s: %.9g in the file, CP says %.9g"):format(set, what, got, expected)
    end
end
for i, record in ipairs(list) do
    local f, engine, now = {}, live[i], said[set]
    wrong = wrong or (record.raw ~= engine.raw and ("%d: %s, %s live"):format(i, record.key, engine.key)) or nil
    each_field(record, function(name, value, index)
        local other = index and engine.fields[name][index][name] or engine.fields[name]
        f[name], compared = value, compared + 1
        wrong = wrong or (value ~= other and ("%s %s: %s, %s live"):format(record.key, name, value, other)) or nil
    end)
    if record.key == "D4R3" then
        local user = now.users[f.VMDUSER]
        users = users + 1
        same(f.VMDUSER .. " total time", f.VMDTTIME, user.total_time)
        same(f.VMDUSER .. " virtual time", f.VMDVTIME, user.guest_time)
        same(f.VMDUSER .. " I/Os", f.VMDVDSCT + f.VMDVUSCT + f.VMDVCSCT + f.VMDVOSCT, user.ssch)
        same(f.VMDUSER .. " storage", f.ASCDEFSZ, user.storage)
        same(f.VMDUSER .. " logon", now.time - f.CALTODON, user.connect_time)
    elseif record.key == "D0R8" then
        same("users", f.SYSUSRS, now.count)
    elseif record.key == "D0R2" then -- a busy CPU is charged to the end of what it has begun
        guest, charged = guest + f.PFXPRBTM, charged + f.PFXUTIME
        same("CPU busy and waiting", f.PFXUTIME + f.PFXTMSYS + f.PFXTOTWT, now.time - 1767225600, 0.001)
    elseif record.key == "D1R11" then
        same("guest time of all CPUs", guest, now.guest)
        same("time charged to users", charged, now.charged)
        same("time of the sample", record.time, now.time)
        set, guest, charged = set + 1, 0, 0
    end
end
tap.is(wrong, nil, ("%d fields are what the engine says live"):format(compared))
tap.ok(compared > 10000, "and those are not few")
tap.is(bad, nil, ("%d counters are CP's own at the time of the sample"):format(checked))
tap.ok(set - 1 == #said and #said == 7 and users >= 5 * #said, "at START, each interval's end and STOP, of each user")
