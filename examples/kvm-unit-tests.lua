-- SPDX-License-Identifier: MIT
-- Runs the s390x images of kvm-unit-tests, built elsewhere, each on a bare machine as unittests.cfg
-- wants it, and judges them by what they print: one check here for each of theirs, and one for the
-- end of each image.
--
--   endicott run examples/kvm-unit-tests.lua DIR [TEST...]
--
-- DIR is where unittests.cfg and the images (NAME.elf or NAME.bin) are, s390x/ of a build tree. A
-- TEST is a section of the file, or an image's name, which takes all sections that run it. "quick"
-- leaves out what takes more than some seconds.
local bare = require "bare"
local tap = require "tap"

local MIB <const> = 1 << 20

-- Groups and images that need what a bare machine does not have.
local without_groups = { migration = "migration", ["pv-host"] = "protected guests", panic = "its hypervisor" }
local without_images = {
    ["sie"] = "SIE", ["sie-dat"] = "SIE", ["mvpg-sie"] = "SIE", ["spec_ex-sie"] = "SIE",
    ["stfle-sie"] = "SIE", ["uv-guest"] = "protected guests", ["pv-attest"] = "protected guests",
    ["memory-verify"] = "migration",
}

-- How much of the machine's time an image may take (60 s when nothing is said), and how fast the
-- machine is (the default when nothing is said): one that waits in a loop is best run slowly.
local pace = {
    sclp = { seconds = 600 }, sieve = { seconds = 600 }, diag288 = { mips = 20 },
}
local slow = { sclp = true, sieve = true, exittime = true }

local function image_of(dir, name)
    for _, suffix in ipairs { ".elf", ".bin" } do
        local path = ("%s/%s%s"):format(dir, name, suffix)
        local file <close> = io.open(path, "rb")
        if file then
            return path
        end
    end
end

-- The sections of unittests.cfg: name, file (without .elf), smp, test_args, qemu_params, groups,
-- accel. Values may be quoted, and go over several lines in triple quotes.
local function sections_of(dir)
    local file <close> = io.open(dir .. "/unittests.cfg")
    if not file then
        return {}
    end
    local text = file:read "a":gsub('"""(.-)"""', function(value)
        return (value:gsub("\\?\n", " "))
    end)
    local found = {}
    for line in text:gmatch "[^\n]+" do
        local name = line:match "^%[(.+)%]"
        local key, value = line:match "^([%w_]+)%s*=%s*(.-)%s*$"
        if name then
            found[#found + 1] = { name = name }
        elseif key and #found > 0 then
            found[#found][key] = value:match "^['\"](.*)['\"]$" or value
        end
    end
    for _, test in ipairs(found) do
        test.file = (test.file or test.name):gsub("%.elf$", "")
    end
    return found
end

-- What the section's parameters for QEMU mean for a machine of ours.
local function machine_of(test)
    local q = test.qemu_params or ""
    local options = { storage = 128 * MIB, cpus = tonumber(test.smp), mips = (pace[test.file] or {}).mips }
    local size, unit = q:match "%-m (%d+)(%a?)"
    if size then
        options.storage = tonumber(size) * (unit == "G" and 1024 or 1) * MIB
    end
    local _, more = q:gsub("%-device [%w-]+%-s390x%-cpu", "")
    if more > 0 then
        options.cpus = 1 + more
    end
    if q:find "vx=off" then
        options.model = "max,-vector,-vxe,-vxpd,-vxe2,-vxpd2,-gs"
    end
    if q:find "virtio%-net%-ccw" then
        options.device = { number = 0, type = 0x3832, model = 1 }
        options.console = false
    end
    -- These images look for the hypervisor that they were written for.
    if q:find "virtio%-net%-ccw" or q:find "%-name" then
        options.hypervisor = "KVM/Linux"
        options.name = q:match "%-name ([%w-]+)"
        options.uuid = q:match "%-%-?uuid ([%x-]+)"
    end
    return options
end

local function why_not(test)
    for group in (test.groups or ""):gmatch "[%w-]+" do
        if without_groups[group] then
            return "needs " .. without_groups[group]
        end
    end
    if without_images[test.file] then
        return "needs " .. without_images[test.file]
    end
    if test.name:find "%-kvm$" then
        return "the section for TCG is the same"
    end
    if (test.qemu_params or ""):find "ctop=on" then
        return "needs the topology facility"
    end
end

-- Counts the lines of results; theirs become checks here.
local function judge(name, output)
    local passed, failed = 0, 0
    for line in output:gmatch "[^\r\n]+" do
        local verdict, text = line:match "^(%u+): (.*)"
        if verdict == "PASS" then
            passed = passed + 1
        elseif verdict == "FAIL" then
            failed = failed + 1
            tap.ok(false, name .. ": " .. text)
        elseif verdict == "SKIP" then
            tap.skip("the image says so", name .. ": " .. text)
        end
    end
    return passed, failed
end

local function run(path, test)
    local name = test.name
    local machine <close> = bare.new(machine_of(test))
    machine:ipl(path, test.test_args)
    machine:run((pace[test.file] or {}).seconds or 60)
    local output = machine:output()
    local passed, failed = judge(name, output)
    local status = tonumber(output:match "EXIT: STATUS=(%d+)")
    tap.diag(("%s: %d passed, %d failed, status %s"):format(name, passed, failed, status or "none"))
    if status == 77 or status == 155 then -- 2 * 77 + 1 as QEMU would show it
        tap.skip("all of it skipped", name)
    else
        tap.ok(status == 1, name .. " ends with success", output:sub(-400))
    end
    return passed, failed
end

-- What the arguments choose.
local function chosen(tests)
    local wanted, quick = {}, false
    for i = 2, #arg do
        quick = quick or arg[i] == "quick"
        wanted[arg[i]] = arg[i] ~= "quick" or nil
    end
    local all = next(wanted) == nil
    local found = {}
    for _, test in ipairs(tests) do
        if (all or wanted[test.name] or wanted[test.file]) and not (quick and slow[test.file]) then
            found[#found + 1] = test
        end
    end
    return found
end

local dir = arg[1]
if not dir then
    tap.skip("no folder of images given", "kvm-unit-tests")
    return
end
local tests = sections_of(dir)
if #tests == 0 then
    error("no unittests.cfg in " .. dir)
end
local images, passed, failed = 0, 0, 0
for _, test in ipairs(chosen(tests)) do
    local path, reason = image_of(dir, test.file), why_not(test)
    if reason then
        tap.skip(reason, test.name)
    elseif path then
        images = images + 1
        local p, f = run(path, test)
        passed, failed = passed + p, failed + f
    else
        tap.skip("no image in " .. dir, test.name)
    end
end
tap.diag(("%d images: %d checks passed, %d failed"):format(images, passed, failed))
