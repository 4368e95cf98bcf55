-- SPDX-License-Identifier: MIT
-- The Linux guest that scripts/guest-kit builds: where it is, its IPL, its login and its shell.
--
--   local linux = require "linux"
--   local guest = linux.ipl(sys, "LINUX1")
--   guest:boot()
--   local rc, text = guest:sh "vmcp query userid"
local linux = {}

-- The kit's folder, or nil when scripts/guest-kit has not run, or has not made `file` in it.
function linux.kit(file_name)
    local cache = os.getenv "XDG_CACHE_HOME" or (os.getenv "HOME" or "") .. "/.cache"
    local folder = cache .. "/endicott/linux"
    local file = io.open(folder .. "/" .. (file_name or "guest.ins"))
    if file then
        file:close()
        return folder
    end
end

local function run(command)
    local pipe = assert(io.popen("(" .. command .. ") 2>&1"))
    local text = pipe:read "a"
    return pipe:close() == true, text
end

local function quoted(text)
    return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- A copy of the kit's root volume (volume serial LNXROO, 90 cylinders) in `folder`, for a guest to
-- write to: its path.
function linux.root_volume(folder)
    local path = folder .. "/root.ckd"
    local ok, text = run(("cp --sparse=always %s %s"):format(
        quoted(linux.kit() .. "/root.ckd"), quoted(path)))
    return ok and path or error(text, 2)
end

-- Checks the file system of the first partition of a volume that no system uses: true when it is
-- clean, and what e2fsck said. The program that runs this script reads the volume.
function linux.fsck(volume)
    local ok, text = run(([[
        program=$(readlink /proc/$PPID/exe); image=$(mktemp) || exit; PATH=$PATH:/usr/sbin:/sbin
        "$program" dasd export %s >"$image" && e2fsck -fn "$image"
        rc=$?; rm -f "$image"; exit $rc]]):format(quoted(volume)))
    return ok and not text:find "recovery", text
end

local Guest = {}
Guest.__index = Guest

-- Takes the console of `userid`, which must be logged on or be allowed to log on, makes CP pass its
-- lines to the guest as they are, and IPLs: the kit, the load set options.set, or what options.ipl
-- names. options.parm: the kernel's command line.
function linux.ipl(sys, userid, options)
    options = options or {}
    local guest = setmetatable({ sys = sys, userid = userid, con = sys:console { user = userid } },
        Guest)
    for _, setting in ipairs { "MORE 0 0", "HOLD OFF", "LINEND OFF", "ESCAPE OFF", "TABCHAR OFF",
        "CHARDEL OFF", "LINEDEL OFF" } do
        sys:cp("TERMINAL " .. setting, userid)
    end
    sys:cp(options.ipl or ("IPL FILE %s PARM %s"):format(
        options.set or linux.kit() .. "/guest.ins", options.parm or "nokaslr"), userid)
    return guest
end

-- Waits until its shell reads from the console.
function Guest:boot(timeout)
    self.con:expect("GUEST-UP", timeout or 120)
    self.con:expect("built-in shell", 20)
    return self
end

-- For a system on the root volume: waits for its prompt, and logs in.
function Guest:login(user, password, timeout)
    self.con:expect("login:", timeout or 120)
    self.con:enter(user or "root")
    self.con:expect("Password:", 20)
    self.con:enter(password or "endicott")
    self.con:expect("built-in shell", 20)
    return self
end

-- Types a shell command; its exit code, and what it wrote.
function Guest:sh(command, timeout)
    local next = #self.con:history() + 1
    local lines, rc = {}, nil
    self.con:enter(command .. "; echo rc=$?")
    self.sys:wait(function()
        for _, line in ipairs(self.con:history(next)) do
            lines[#lines + 1] = line
            next = next + 1
            rc = rc or line:match "^[^;]*rc=(%d+)%s*$"
        end
        return rc
    end, timeout or 30, "the end of " .. command)
    return tonumber(rc), table.concat(lines, "\n")
end

-- Ends the shell, whereupon /init powers the machine off: its console is in CP READ then.
function Guest:power_off()
    self.con:enter "exit"
    self.con:expect("GUEST-DONE", 30)
    self.con:expect_status "CP READ"
end

return linux
