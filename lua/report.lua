-- SPDX-License-Identifier: MIT
-- Reports from MONWRITE files, as `endicott report` prints them.
local core = require "core"

local M = {}

--- The text of report FCX`fcx` made from the file; raises when the file is not whole.
function M.fcx(fcx, path)
    local text, rc, err = core.report(path, fcx)
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
