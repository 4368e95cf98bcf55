-- SPDX-License-Identifier: MIT
-- Where the bundled guests' images are: $ENDICOTT_GUESTS, the build directory, the installed ones.
local core = require "core"

local M = {}

--- Path of the image of guest `name`; raises when it is nowhere.
function M.path(name)
    return core.guest_path(name) or error(("guest image '%s' is not found"):format(name), 2)
end

return M
