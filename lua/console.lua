-- SPDX-License-Identifier: MIT
-- A console for scripts: type, press, expect, screen. It is a 3270 display like the operator's.
local core = require "core"
local scheduler = require "scheduler"

local M = {}

local Console = {}
Console.__index = Console

local next_name = 1

function Console:__tostring()
    return "console " .. self.name
end

--- Disconnects whoever is logged on there and frees the console.
function Console:close()
    if not self.closed then
        self.closed = true
        self.system:release(self)
        core.console_close(self.handle)
    end
end

Console.__close = Console.close

--- The screen as an array of rows.
function Console:rows()
    return core.console_screen(self.handle)
end

--- The screen as one text.
function Console:screen()
    return table.concat(self:rows(), "\n")
end

--- The status area's word: "CP READ", "VM READ", "RUNNING", "MORE...", "HOLDING".
function Console:status()
    return core.console_status(self.handle)
end

--- Lines that went over the output area, oldest first; from line `from` on.
function Console:history(from)
    return core.console_history(self.handle, from)
end

local function locked(self, what, level)
    error(("%s: the keyboard is locked, %s not taken\n%s"):format(self.name, what, self:screen()),
        level + 1)
end

--- Types text at the cursor.
function Console:type(text)
    if not core.console_type(self.handle, text) then
        locked(self, "text", 2)
    end
    return self
end

--- Presses ENTER, CLEAR, PA1-PA3 or PF1-PF24.
function Console:press(key)
    if not core.console_press(self.handle, key) then
        locked(self, key, 2)
    end
    return self
end

--- What expect() looks at starts here: lines shown before do not count.
function Console:from_now()
    self.mark = #self:history() + 1
    return self
end

--- Types a line and presses ENTER; expect() then looks at what comes after it.
function Console:enter(text)
    self:from_now()
    if not (core.console_type(self.handle, text or "") and core.console_press(self.handle, "ENTER")) then
        locked(self, "a line", 2)
    end
    return self
end

local function trimmed(text)
    return (text:gsub("%s+$", ""))
end

local function find(self, text)
    local before = {}
    for i, line in ipairs(self:history()) do
        if i < self.mark then
            before[trimmed(line)] = true
        elseif line:find(text, 1, true) then
            return line
        end
    end
    -- The logo, the status and fields are on the screen only.
    for _, row in ipairs(self:rows()) do
        if row:find(text, 1, true) and not before[trimmed(row)] then
            return row
        end
    end
end

-- Called by a method, whose caller an error names: no tail calls.
local function wait_for(self, timeout, what, condition)
    local limit = core.now(self.system.handle) + timeout
    while true do
        local value = condition()
        if value then
            return value
        end
        local left = limit - core.now(self.system.handle)
        if left <= 0 then
            error(("%s: waited %g s in vain for %s; the last screen:\n%s"):format(self.name, timeout,
                what, self:screen()), 3)
        end
        scheduler.wait(self.system.handle, left, function(waiter)
            self.waiters[#self.waiters + 1] = waiter
        end)
    end
end

--- Waits until `text` (plain) stands in a line shown since the last enter() or from_now(), or on
--- the screen; the line. Raises with the screen after `timeout` seconds (default 10).
function Console:expect(text, timeout)
    local line = wait_for(self, timeout or 10, ("'%s'"):format(text), function()
        return find(self, text)
    end)
    return line
end

--- Waits until the status area shows `word`.
function Console:expect_status(word, timeout)
    local there = wait_for(self, timeout or 10, ("status %s"):format(word), function()
        return self:status() == word
    end)
    return there
end

--- Opens a console. Options: user (logs on at once, without a password), name.
function M.open(system, options)
    options = options or {}
    local name = options.name
    if not name then
        name = ("L%04X"):format(next_name)
        next_name = next_name + 1
    end
    local self = setmetatable({ system = system, name = name, waiters = {}, mark = 1 }, Console)
    self.handle = core.console(system.handle, name, function()
        local waiters = self.waiters
        self.waiters = {}
        for _, waiter in ipairs(waiters) do
            scheduler.wake(waiter, true)
        end
    end)
    system:adopt(self)
    if options.user then
        local rc = core.console_logon(self.handle, options.user)
        if rc ~= 0 then
            self:close()
            error(("LOGON %s at %s: return code %d"):format(options.user, name, rc), 2)
        end
    end
    return self
end

return M
