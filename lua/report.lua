-- SPDX-License-Identifier: MIT
-- Reports from MONWRITE files, as `endicott report` prints them.
local core = require "core"

local M = {}

--- The text of report FCX`fcx` made from the file; raises when the file is not whole. Options:
--- by = seconds, interim, log, html = true, user = "LINUX*", from, to = seconds.
function M.fcx(fcx, path, options)
    local text, rc, err = core.report(path, fcx, options)
    if rc ~= 0 then
        error(("%s: %s"):format(path, err), 2)
    end
    return text
end

--- What FCX155 counts: { samples=, subinterval_samples=, records=, bytes=, configuration_records=,
--- event_records=, ... }; raises when the file is not whole.
function M.mondata(path)
    local data, rc, err = core.mondata(path)
    if rc ~= 0 then
        error(("%s: %s"):format(path, err), 2)
    end
    return data
end

return M
