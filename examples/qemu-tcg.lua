-- SPDX-License-Identifier: MIT
-- Runs QEMU's s390x system test programs (tests/tcg/s390x/*.S of its source, built elsewhere), each
-- on a bare machine. They say nothing; a disabled wait at FFF means success.
--
--   endicott run examples/qemu-tcg.lua DIR [NAME...]
--
-- DIR is where the programs are: ELF files linked at 0, with or without ".elf".
local bare = require "bare"
local tap = require "tap"

local SUCCESS <const> = 0xFFF
local SECONDS <const> = 1

local function is_elf(path)
    local file <close> = io.open(path, "rb")
    local head = file and file:read(20) or ""
    return #head == 20 and head:sub(1, 4) == "\x7fELF" and head:byte(18) == 2 -- an executable
end

local function programs_of(dir)
    local wanted, found = {}, {}
    for i = 2, #arg do
        wanted[arg[i]] = true
    end
    local names <close> = io.popen(("ls -- '%s'"):format(dir:gsub("'", "'\\''")))
    for file in names:lines() do
        local name = file:gsub("%.elf$", "")
        if (#arg == 1 or wanted[name]) and is_elf(dir .. "/" .. file) then
            found[#found + 1] = { name = name, path = dir .. "/" .. file }
        end
    end
    return found
end

if not arg[1] then
    tap.skip("no folder of programs given", "qemu-tcg")
    return
end
local passed, programs = 0, programs_of(arg[1])
for _, program in ipairs(programs) do
    local machine <close> = bare.new { zarch = true, cpus = program.name:find "smp" and 2 or 1 }
    machine:ipl(program.path, "")
    machine:run(SECONDS)
    local state = machine:state()
    local ended = state.at_rest and ("wait at %X"):format(state.wait_address) or "still running"
    if tap.ok(state.at_rest and state.wait_address == SUCCESS, program.name, ended) then
        passed = passed + 1
    end
end
tap.diag(("%d of %d programs passed"):format(passed, #programs))
