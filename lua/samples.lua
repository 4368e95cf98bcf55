-- SPDX-License-Identifier: MIT
-- Turns a stream of monitor records into the samples that panels are fed with: totals by user and
-- by cause, one table for each sample set. The same from a running system or a MONWRITE file.
local M = {}

local Samples = {}
Samples.__index = Samples

local function new_set()
    return { users = {}, order = {}, causes = {}, records = 0, bytes = 0 }
end

--- `give(sample)` is called at the end of each set of sample records.
function M.new(give)
    return setmetatable({ give = give, set = new_set() }, Samples)
end

local function user_row(set, name)
    local row = set.users[name]
    if not row then
        row = { name = name, guest = 0, cp = 0 }
        set.users[name] = row
        set.order[#set.order + 1] = row
    end
    return row
end

-- D4R3, one for each virtual CPU: TTIME is virtual CPU and CP time, VTIME virtual CPU time alone.
local function add_user(set, record)
    local total, guest = record:get("USEACT_VMDTTIME"), record:get("USEACT_VMDVTIME")
    if total and guest then
        local row = user_row(set, record:get("USEACT_VMDUSER"))
        row.guest = row.guest + guest
        row.cp = row.cp + total - guest
    end
end

local function add_causes(set, record)
    local overhead = record:overhead()
    set.has_causes = set.has_causes or #overhead > 0
    for _, cause in ipairs(overhead) do
        local row = set.causes[cause.name]
        if not row then
            row = { name = cause.name, group = cause.group, count = 0, seconds = 0 }
            set.causes[cause.name] = row
            set.causes[#set.causes + 1] = row
        end
        row.count = row.count + cause.count
        row.seconds = row.seconds + cause.seconds
    end
end

local END_OF_SET = 11 -- D1R11

--- One record of the stream.
function Samples:record(record)
    if record.configuration then
        return
    end
    local set = self.set
    set.records, set.bytes = set.records + 1, set.bytes + record.length
    if record.domain == 4 and record.record == 3 then
        add_user(set, record)
    elseif record.domain == 10 and record.record == 2 then
        add_causes(set, record)
    elseif record.domain == 1 and record.record == END_OF_SET then
        self.set = new_set()
        self.give {
            kind = record.subinterval and "subinterval" or "interval",
            time = record.time,
            users = set.order,
            causes = set.has_causes and set.causes or nil,
            records = set.records,
            bytes = set.bytes,
        }
    end
end

return M
