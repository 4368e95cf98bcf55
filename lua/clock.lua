-- SPDX-License-Identifier: MIT
-- The system's time for scripts: now, sleep, run until.
local core = require "core"
local scheduler = require "scheduler"

local M = {}

--- Seconds since 1970-01-01 00:00 UTC on the system's clock.
function M.now(system)
    return core.now(system.handle)
end

--- Suspends the caller for `seconds` of the system's time.
function M.sleep(system, seconds)
    scheduler.wait(system.handle, seconds)
end

--- Suspends the caller until the clock shows `time` (as M.now gives it).
function M.run_until(system, time)
    local span = time - M.now(system)
    if span > 0 then
        scheduler.wait(system.handle, span)
    end
end

--- Polls `condition()` every `step` seconds (default 0.1) for at most `timeout`; its first true
--- value, or raises with `what`.
function M.wait(system, condition, timeout, what, step)
    local limit = M.now(system) + timeout
    while true do
        local value = condition()
        if value then
            return value
        end
        if M.now(system) >= limit then
            error(("waited %g s in vain for %s"):format(timeout, what or "a condition"), 2)
        end
        M.sleep(system, step or 0.1)
    end
end

--- Runs fn(...) beside the caller.
M.spawn = scheduler.spawn

return M
