-- SPDX-License-Identifier: MIT
-- A system: IPL it, command it, let its time pass.
local core = require "core"
local clock = require "clock"
local cp = require "cp"
local user = require "user"

local M = {}

local System = {}
System.__index = System

function System:__tostring()
    return "system " .. core.name(self.handle)
end

function System:__close()
    self:close()
end

-- Consoles and subscriptions reach into the system, so that they must go first.
function System:adopt(child)
    self.children[#self.children + 1] = child
end

function System:release(child)
    for i, other in ipairs(self.children) do
        if other == child then
            table.remove(self.children, i)
            return
        end
    end
end

--- Shuts the system down and frees it, and what was opened on it.
function System:close()
    if not self.closed then
        self.closed = true
        while #self.children > 0 do
            self.children[#self.children]:close()
        end
        core.close(self.handle)
    end
end

--- CP command as the operator (or as `as`); raises on a return code other than 0.
function System:cp(line, as)
    local response = cp.run(self, line, as, 2) -- no tail call: the level counts this function
    return response
end

--- CP command; the response whatever its return code.
function System:try(line, as)
    return cp.try(self, line, as)
end

function System:now()
    return clock.now(self)
end

function System:sleep(seconds)
    clock.sleep(self, seconds)
end

function System:run_until(time)
    clock.run_until(self, time)
end

function System:wait(condition, timeout, what, step)
    return clock.wait(self, condition, timeout, what, step)
end

function System:is_down()
    return core.is_down(self.handle)
end

--- The user object of `userid` (logged on or not).
function System:user(userid)
    return user.new(self, userid)
end

--- Tables of all users logged on, in order of logon (fields as user:info()).
function System:users()
    return core.users(self.handle)
end

--- A console (terminal and screen); see module console.
function System:console(options)
    return require("console").open(self, options)
end

--- Subscribes to monitor data; see module monitor.
function System:monitor(options)
    return require("monitor").subscribe(self, options)
end

--- Where MONWRITE service machines write: folder/USERID/fn.ft.
function System:monwrite_folder(folder)
    core.monwrite_folder(self.handle, folder)
end

--- A new folder for files; the caller removes it.
M.temporary_folder = core.temporary_folder

local known = {
    real = true, folder = true, config = true, directory = true, processors = true, storage = true,
    mips = true, model = true, start = true,
}

M.real = false -- set by `endicott run --real`

--- IPLs a system. Options: config and directory (texts), folder, processors, storage (bytes),
--- mips (virtual time: instructions per microsecond), model (of the CPUs), start, real (default: as the command line
--- says). Raises with line-numbered messages.
function M.new(options)
    options = options or {}
    for name in pairs(options) do
        if not known[name] then
            error(("system.new: unknown option '%s'"):format(name), 2)
        end
    end
    if options.real == nil then
        options.real = M.real
    end
    local handle, err = core.system(options)
    if not handle then
        error(err, 2)
    end
    return setmetatable({ handle = handle, children = {} }, System)
end

return M
