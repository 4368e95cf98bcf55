-- SPDX-License-Identifier: MIT
-- CP commands: text, return code and message id; failures as error objects.
local core = require "core"

local M = {}

local Response = {}
Response.__index = Response

--- The response's lines as an array.
function Response:lines()
    local lines = {}
    for line in self.text:gmatch("[^\n]+") do
        lines[#lines + 1] = line
    end
    return lines
end

--- The first line that contains `plain` text, or nil.
function Response:line(plain)
    for _, line in ipairs(self:lines()) do
        if line:find(plain, 1, true) then
            return line
        end
    end
end

function Response:__tostring()
    return self.text
end

local Failure = {}
Failure.__index = Failure

function Failure:__tostring()
    return ("%s: CP command '%s' ended with return code %d%s"):format(
        self.where, self.command, self.rc, self.text ~= "" and ": " .. self.text or "")
end

M.Failure = Failure

--- Executes `line` as `user` (nil: the operator). Returns { rc=, text=, id= }; never raises for a
--- failing command. rc is -1 when the user is not logged on.
function M.try(system, line, user)
    local rc, text, id = core.command(system.handle, user, line)
    return setmetatable({ rc = rc, text = text, id = id ~= "" and id or nil, command = line }, Response)
end

--- As M.try, but raises an error object { rc=, text=, id=, command= } when rc is not 0.
function M.run(system, line, user, level)
    local response = M.try(system, line, user)
    if response.rc ~= 0 then
        local at = debug.getinfo((level or 1) + 1, "Sl")
        error(setmetatable({
            rc = response.rc, text = response.text, id = response.id, command = line,
            where = at and ("%s:%d"):format(at.short_src, at.currentline) or "?",
        }, Failure), 0)
    end
    return response
end

return M
