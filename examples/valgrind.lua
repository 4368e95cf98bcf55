-- SPDX-License-Identifier: MIT
-- Runs Valgrind's s390x test programs (none/tests/s390x of its source, built elsewhere as static
-- executables) in Linux on a bare machine, and compares what they write with Valgrind's expected
-- output, which was taken from real machines.
--
--   scripts/guest-kit && endicott run examples/valgrind.lua DIR [NAME...]
--
-- DIR is where NAME.vgtest, NAME.stdout.exp and the programs are.
local bare = require "bare"
local initramfs = require "initramfs"
local linux = require "linux"
local system = require "system"
local tap = require "tap"

local PARAMETERS <const> = "nokaslr quiet loglevel=0 guest.run=tests"
local SECONDS <const> = 3600 -- of virtual time

local function read(path)
    local file <close> = io.open(path, "rb")
    return file and file:read "a"
end

local function names_in(dir, pattern)
    local found = {}
    local names <close> = io.popen(("ls -- '%s'"):format(dir:gsub("'", "'\\''")))
    for file in names:lines() do
        found[#found + 1] = file:match(pattern)
    end
    return found
end

-- Tests whose program was built: what runs, and the expected outputs (machines may differ).
local function tests_of(dir)
    local wanted, found, files = {}, {}, names_in(dir, ".+")
    for i = 2, #arg do
        wanted[arg[i]] = true
    end
    for _, name in ipairs(names_in(dir, "^(.*)%.vgtest$")) do
        local text = read(dir .. "/" .. name .. ".vgtest")
        local program = text:match "prog:%s*(%S+)"
        local test = {
            name = name,
            program = program,
            arguments = text:match "\nargs:%s*([^\n]*)" or "",
            expected = {},
        }
        for _, file in ipairs(files) do
            if file:sub(1, #name + 11) == name .. ".stdout.exp" then
                test.expected[#test.expected + 1] = read(dir .. "/" .. file)
            end
        end
        local head = (#arg == 1 or wanted[name]) and read(dir .. "/" .. program)
        if head and head:sub(1, 4) == "\x7fELF" then
            found[#found + 1] = test
        end
    end
    return found
end

-- A shell script that shows each output in base 64: the console has no tabs and no long lines.
local function script_of(tests)
    local lines = { "#!/bin/sh" }
    for _, test in ipairs(tests) do
        lines[#lines + 1] = ("echo BEGIN %s; timeout 60 /bin/%s %s 2>/dev/null </dev/null >/out; echo STATUS $?")
            :format(test.name, test.program, test.arguments)
        lines[#lines + 1] = "base64 /out; echo END"
    end
    return table.concat(lines, "\n") .. "\n"
end

-- Lines of the kernel in between have blanks.
local function decoded(text)
    local alphabet <const> = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    local bytes, bits, n = {}, 0, 0
    local lines = {}
    for line in text:gmatch "[^\r\n]+" do
        lines[#lines + 1] = line:match "^[%w+/]+=*$"
    end
    for character in table.concat(lines):gmatch "[%w+/]" do
        bits, n = (bits << 6 | alphabet:find(character, 1, true) - 1) & 0xFFFFFF, n + 6
        if n >= 8 then
            n = n - 8
            bytes[#bytes + 1] = string.char(bits >> n & 0xFF)
        end
    end
    return table.concat(bytes)
end

-- Blanks at the ends of lines do not count, nor do empty lines at the end.
local function plain(text)
    return (text:gsub("[ \t\r]+\n", "\n"):gsub("%s+$", ""))
end

local function run(tests, dir)
    local folder = system.temporary_folder()
    local script, files = folder .. "/tests", {}
    do
        local file <close> = assert(io.open(script, "wb"))
        file:write(script_of(tests))
    end
    files["bin/tests"] = script
    for _, test in ipairs(tests) do
        files["bin/" .. test.program] = dir .. "/" .. test.program
    end
    local set <close> = initramfs.with(files)
    local machine <close> = bare.new { storage = 1 << 30 }
    machine:ipl(set.path, PARAMETERS)
    machine:run(SECONDS)
    os.remove(script)
    os.remove(folder)
    return machine:output()
end

if not arg[1] or not linux.kit() then
    tap.skip(arg[1] and "scripts/guest-kit has not been run" or "no folder of programs given", "valgrind")
    return
end
local tests, passed = tests_of(arg[1]), 0
local output = run(tests, arg[1])
for _, test in ipairs(tests) do
    local status, text = output:match("BEGIN " .. test.name:gsub("%p", "%%%0") .. "\r?\n.-STATUS (%d+)(.-)END\r?\n")
    local got, same = plain(decoded(text or "")), false
    for _, expected in ipairs(#test.expected > 0 and test.expected or { "" }) do
        same = same or plain(expected) == got
    end
    if tap.ok(same, test.name, ("status %s, %d bytes"):format(status, #got)) then
        passed = passed + 1
    end
end
tap.diag(("%d of %d programs passed"):format(passed, #tests))
