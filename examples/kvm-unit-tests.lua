-- SPDX-License-Identifier: MIT
-- Runs the s390x images of kvm-unit-tests, built elsewhere, each on a bare machine, and judges them
-- by what they print: one check here for each of theirs, and one for the end of each image.
--
--   endicott run examples/kvm-unit-tests.lua DIR [IMAGE...]
--
-- DIR is where the images (NAME.elf or NAME.bin) are, s390x/ of a build tree. Without names the
-- list below runs; "all" takes every image in DIR.
local bare = require "bare"
local tap = require "tap"

local MIB <const> = 1 << 20

-- What unittests.cfg says of those that need no more than a machine. `seconds` of its time.
local list = {
    { "selftest", parm = "test 123" },
    { "ex" }, { "diag10" }, { "cpumodel" }, { "sck" }, { "spec_ex" }, { "emulator" },
    { "intercept" }, { "diag308" }, { "stsi" }, { "epsw" }, { "vector" }, { "diag288" },
    { "diag258" }, { "exittime", cpus = 2 }, { "sthyi" }, { "gs" }, { "cmm" }, { "pfmf" }, { "skrf" },
    { "topology" }, { "smp", cpus = 2 }, { "firq", cpus = 3 }, { "adtl-status", cpus = 2 },
    { "tprot" }, { "iep" }, { "mvpg" }, { "edat" }, { "css" }, { "skey" },
    { "sclp", storage = 1024 * MIB }, { "sieve", seconds = 120 },
}

local function exists(path)
    local file <close> = io.open(path, "rb")
    return file ~= nil
end

local function image_of(dir, name)
    for _, suffix in ipairs { ".elf", ".bin", "" } do
        local path = ("%s/%s%s"):format(dir, name, suffix)
        if name:find "%.%w+$" and suffix == "" or suffix ~= "" then
            if exists(path) then
                return path
            end
        end
    end
end

-- Every image in `dir`, with what the list knows of it.
local function all_of(dir)
    local known, found = {}, {}
    for _, test in ipairs(list) do
        known[test[1]] = test
    end
    local names <close> = io.popen(("ls -- '%s'"):format(dir:gsub("'", "'\\''")))
    for file in names:lines() do
        local name = file:match "^(.+)%.elf$"
        if name then
            found[#found + 1] = known[name] or { name }
        end
    end
    return found
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
    local name = test[1]
    local machine <close> = bare.new { storage = test.storage or 128 * MIB, cpus = test.cpus }
    machine:ipl(path, test.parm)
    machine:run(test.seconds or 60)
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

local dir = arg[1]
if not dir then
    tap.skip("no folder of images given", "kvm-unit-tests")
    return
end
local tests = {}
for i = 2, #arg do
    if arg[i] == "all" then
        tests = all_of(dir)
        break
    end
    tests[#tests + 1] = { arg[i] }
    for _, test in ipairs(list) do
        if test[1] == arg[i] then
            tests[#tests] = test
        end
    end
end
if #arg == 1 then
    tests = list
end

local images, passed, failed = 0, 0, 0
for _, test in ipairs(tests) do
    local path = image_of(dir, test[1])
    if path then
        images = images + 1
        local p, f = run(path, test)
        passed, failed = passed + p, failed + f
    else
        tap.skip("no image in " .. dir, test[1])
    end
end
tap.diag(("%d images: %d checks passed, %d failed"):format(images, passed, failed))
