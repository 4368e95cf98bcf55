-- SPDX-License-Identifier: MIT
-- A panel over a running system: a monitor user like any other, from the first time it is looked at.
local core = require "core"
local samples = require "samples"

local M = {}
M.__index = M

function M.new(handle, name)
    local found, definition = pcall(require, "panels." .. name)
    if not found then
        error(("there is no panel '%s'; there is: overview"):format(name), 0)
    end
    local self = setmetatable({ handle = handle, panel = definition.new() }, M)
    self.feed = samples.new(function(sample)
        self.panel:sample(sample)
    end)
    return self
end

local function subscribe(self)
    self.subscription = core.subscribe(self.handle, true, function(record)
        self.feed:record(record)
    end, function() end)
end

function M:draw(canvas)
    if not self.subscription then
        subscribe(self)
    end
    self.panel:draw(canvas)
end

return M
