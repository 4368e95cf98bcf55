-- SPDX-License-Identifier: MIT
-- A bare machine: the same guest images without CP, on a virtual time line of its own.
local core = require "core"

local M = {}

local Bare = {}
Bare.__index = Bare

function Bare:__tostring()
    return "bare machine"
end

function Bare:close()
    if not self.closed then
        self.closed = true
        core.bare_close(self.handle)
    end
end

Bare.__close = Bare.close

--- Loads and starts an image; raises with the reason.
function Bare:ipl(path, parameters)
    local ok, err = core.bare_ipl(self.handle, path, parameters)
    if not ok then
        error(err, 2)
    end
end

--- Runs until the machine is at rest, at most `seconds` of its time (default 3600).
function Bare:run(seconds)
    return core.bare_run(self.handle, seconds or 3600)
end

function Bare:input(line)
    core.bare_input(self.handle, line)
end

--- { elapsed=, cpu_time=, instructions=, at_rest=, wait_address= }
function Bare:state()
    return core.bare_state(self.handle)
end

--- All that it wrote on its console.
function Bare:output()
    return core.bare_output(self.handle)
end

function Bare:peek(address, length)
    return core.bare_peek(self.handle, address, length)
end

--- Options: storage (bytes), cpus, mips, cylinders (of a scratch 3390 at 0191).
function M.new(options)
    return setmetatable({ handle = core.bare(options or {}) }, Bare)
end

return M
