-- SPDX-License-Identifier: MIT
-- A user of a running system.
local core = require "core"
local cp = require "cp"

local User = {}
User.__index = User

function User:__tostring()
    return "user " .. self.userid
end

--- Counters and state as a table (see the Lua reference), or nil when not logged on.
function User:info()
    return core.user(self.system.handle, self.userid)
end

function User:logged_on()
    return self:info() ~= nil
end

--- CP command in this user's name; raises on failure.
function User:cp(line)
    local response = cp.run(self.system, line, self.userid, 2) -- no tail call: the level counts
    return response
end

function User:try(line)
    return cp.try(self.system, line, self.userid)
end

--- `length` bytes of guest storage at an absolute address, or nil.
function User:peek(address, length)
    return core.peek(self.system.handle, self.userid, address, length)
end

--- The big-endian doubleword there, or nil.
function User:doubleword(address)
    local bytes = self:peek(address, 8)
    return bytes and string.unpack(">i8", bytes)
end

function User:poke(address, bytes)
    return core.poke(self.system.handle, self.userid, address, bytes)
end

return {
    new = function(system, userid)
        if type(userid) ~= "string" then
            error("a userid is a text, not " .. type(userid), 2)
        end
        return setmetatable({ system = system, userid = userid:upper() }, User)
    end,
}
