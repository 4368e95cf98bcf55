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

-- "0fb84a86-727c-..." -> 16 bytes
local function uuid_bytes(text)
    local hex = text:gsub("-", "")
    if not hex:match "^%x+$" or #hex ~= 32 then
        error("uuid: 32 hexadecimal digits", 3)
    end
    return (hex:gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end))
end

--- Options: storage (bytes), cpus, mips, cylinders (of a scratch 3390 at 0191), model (of its CPUs,
--- "z13" or "z14,-vector"), zarch = true (an ELF program starts in z/Architecture mode), console =
--- false (no 3215), device = { number =, type =, model = } (one that only answers SENSE ID). With
--- hypervisor = "KVM/Linux", name = and uuid = it says at STSI level 3 that it is a virtual machine;
--- without, it is a partition. Raises what is wrong with them.
function M.new(options)
    options = options or {}
    local device = options.device or {}
    local handle, err = core.bare {
        storage = options.storage, cpus = options.cpus, mips = options.mips,
        cylinders = options.cylinders, zarch = options.zarch, model = options.model, no_console = options.console == false,
        hypervisor = options.hypervisor, name = options.name,
        uuid = options.uuid and uuid_bytes(options.uuid),
        device_number = device.number, device_type = device.type, device_model = device.model,
    }
    if not handle then
        error(err, 2)
    end
    return setmetatable({ handle = handle }, Bare)
end

return M
