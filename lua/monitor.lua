-- SPDX-License-Identifier: MIT
-- Monitor data for scripts: live from *MONITOR, or from a MONWRITE file.
local core = require "core"
local scheduler = require "scheduler"

local M = {}

local Subscription = {}
Subscription.__index = Subscription

function Subscription:close()
    if self.handle then
        self.system:release(self)
        core.unsubscribe(self.handle)
        self.handle = nil
    end
end

Subscription.__close = Subscription.close

--- Waits until the next sample set has come; its time and whether it was a subinterval's. Raises
--- after `timeout` seconds.
function Subscription:sample(timeout)
    local time, subinterval = scheduler.wait(self.system.handle, timeout, function(waiter)
        self.waiters[#self.waiters + 1] = waiter
    end)
    if not time then
        error(("no monitor sample within %g s"):format(timeout), 2)
    end
    return time, subinterval
end

--- Becomes a monitor user. Options: subinterval (default false), record = function(record) for
--- each record, sample = function(time, subinterval) at the end of each set. In a record callback:
--- record.domain, .record, .name, .time, .length, .raw, record:get(NAME), record:fields().
function M.subscribe(system, options)
    options = options or {}
    local self = setmetatable({ system = system, waiters = {}, samples = 0, records = 0, bytes = 0 },
        Subscription)
    self.handle = core.subscribe(system.handle, options.subinterval or false, function(record)
        self.records = self.records + 1
        self.bytes = self.bytes + record.length
        if options.record then
            options.record(record)
        end
    end, function(time, subinterval)
        self.samples = self.samples + 1
        if options.sample then
            options.sample(time, subinterval)
        end
        local waiters = self.waiters
        self.waiters = {}
        for _, waiter in ipairs(waiters) do
            scheduler.wake(waiter, time, subinterval)
        end
    end)
    if not self.handle then
        error("*MONITOR does not accept the connection", 2)
    end
    system:adopt(self)
    return self
end

--- Reads a MONWRITE file: calls fn(record) for each record. Returns true, or nil and what is wrong
--- and where (after giving every record that is whole).
function M.read(path, fn)
    local rc, err = core.read_monwrite(path, fn)
    local raised = core.pending_error()
    if raised then
        error(raised, 0)
    end
    if rc == 0 then
        return true
    end
    return nil, ("%s: %s"):format(path, err), rc
end

return M
