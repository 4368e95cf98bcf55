-- SPDX-License-Identifier: MIT
-- Coroutines on the system's time line: whoever waits yields, and the system runs meanwhile.
local core = require "core"

local M = {}

local ready, head, tail = {}, 1, 0 -- coroutines to resume, with their arguments
local waiters = {}                 -- system -> { waiter = true }
local order = {}                   -- systems with waiters, in order of first waiting

local function enqueue(co, ...)
    tail = tail + 1
    ready[tail] = table.pack(co, ...)
end

--- Starts fn(...) as a coroutine of its own; it runs at the next wait of the caller.
function M.spawn(fn, ...)
    local co = coroutine.create(fn)
    enqueue(co, ...)
    return co
end

local function forget(waiter)
    waiter.done = true
    waiters[waiter.system][waiter] = nil
    if not next(waiters[waiter.system]) then
        waiters[waiter.system] = nil
        for i, sys in ipairs(order) do
            if sys == waiter.system then
                table.remove(order, i)
                break
            end
        end
    end
end

--- Resumes a waiter with these results; false when it no longer waits.
function M.wake(waiter, ...)
    if waiter.done then
        return false
    end
    forget(waiter)
    enqueue(waiter.co, ...)
    core.break_run(waiter.system)
    return true
end

local function deadline_of(sys, seconds)
    return core.tod(sys) + math.floor(seconds * core.tod_second + 0.5)
end

--- Waits on `sys` for at most `seconds`. `arm(waiter)` is called first and must arrange for
--- M.wake(waiter, ...); its arguments are the results. On time-out the result is nil.
function M.wait(sys, seconds, arm)
    local co, main = coroutine.running()
    assert(not main, "waiting needs a coroutine: run the script with `endicott run`")
    local waiter = { co = co, system = sys, deadline = deadline_of(sys, seconds) }
    if not waiters[sys] then
        waiters[sys] = {}
        order[#order + 1] = sys
    end
    waiters[sys][waiter] = true
    core.timer(sys, waiter.deadline, function()
        M.wake(waiter, nil)
    end)
    if arm then
        arm(waiter)
    end
    return coroutine.yield()
end

local function resume_all()
    while head <= tail do
        local entry = ready[head]
        ready[head] = nil
        head = head + 1
        local co = entry[1]
        local ok, err = coroutine.resume(co, table.unpack(entry, 2, entry.n))
        if not ok then
            if type(err) == "string" then
                err = debug.traceback(co, err)
            elseif not (getmetatable(err) or {}).__tostring then
                err = debug.traceback(co, ("error object without a text (%s)"):format(type(err)))
            end
            error(err, 0)
        end
    end
end

-- The latest deadline is far enough: wakes break the run, and every waiter has a timer.
local function latest_deadline(sys)
    local latest
    for waiter in pairs(waiters[sys]) do
        if not latest or math.ult(latest, waiter.deadline) then
            latest = waiter.deadline
        end
    end
    return latest
end

local function wake_all(sys)
    local list = {}
    for waiter in pairs(waiters[sys] or {}) do
        list[#list + 1] = waiter
    end
    table.sort(list, function(a, b)
        return math.ult(a.deadline, b.deadline)
    end)
    for _, waiter in ipairs(list) do
        M.wake(waiter, nil)
    end
end

--- Runs `fn` as the main coroutine until it returns; its errors are raised.
function M.main(fn, ...)
    local main = M.spawn(fn, ...)
    while true do
        resume_all()
        if coroutine.status(main) == "dead" then
            return
        end
        local sys = order[1]
        assert(sys, "every coroutine is gone, and the main one waits for nothing")
        core.run_until(sys, latest_deadline(sys))
        local err = core.pending_error()
        if err then
            error(err, 0)
        end
        if core.is_down(sys) and head > tail then
            wake_all(sys)
        end
    end
end

return M
