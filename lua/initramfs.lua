-- SPDX-License-Identifier: MIT
-- The Linux guest of scripts/guest-kit with more files in its initramfs: programs of a test.
--
--   local set <close> = initramfs.with { ["bin/bench"] = initramfs.program "bench" }
--   local guest = linux.ipl(sys, "LINUX1", { set = set.path })
local guests = require "guests"
local linux = require "linux"
local system = require "system"

local M = {}

--- Path of a program for Linux that is built with the bundled guests (tests/linux/programs).
function M.program(name)
    return guests.path("server"):gsub("[^/]*$", "linux/" .. name)
end

local function read(path)
    local file <close> = assert(io.open(path, "rb"))
    return file:read "a"
end

local function write(path, bytes)
    local file <close> = assert(io.open(path, "wb"))
    file:write(bytes)
end

local function padded(bytes)
    return bytes .. ("\0"):rep(-#bytes % 4)
end

-- One member of a cpio archive of the form "newc"; the kernel unpacks archives that follow one
-- another.
local function member(inode, name, mode, bytes)
    local header = { inode, mode, 0, 0, 1, 0, #bytes, 0, 0, 0, 0, #name + 1, 0 }
    for i, field in ipairs(header) do
        header[i] = ("%08X"):format(field)
    end
    return padded("070701" .. table.concat(header) .. name .. "\0") .. padded(bytes)
end

local function archive(files)
    local names, parts = {}, {}
    for name in pairs(files) do
        names[#names + 1] = name
    end
    table.sort(names)
    for i, name in ipairs(names) do
        parts[i] = member(0x10000 + i, name, 0x81ED, read(files[name])) -- a file, rwxr-xr-x
    end
    parts[#parts + 1] = member(0, "TRAILER!!!", 0, "")
    return table.concat(parts)
end

local Set = {}
Set.__index = Set

--- Removes the load set; the guest that was IPLed from it goes on.
function Set:close()
    if self.folder then
        for _, name in ipairs { "files", "initramfs.size", "guest.ins" } do
            os.remove(self.folder .. "/" .. name)
        end
        os.remove(self.folder)
        self.folder = nil
    end
end

Set.__close = Set.close

--- A load set of the kit with `files`: path in the guest (folders must be there) -> path here.
function M.with(files)
    local kit, folder = linux.kit(), system.temporary_folder()
    local at, first = 0x2000000, #read(kit .. "/initramfs.gz")
    local second, bytes = first + -first % 4, archive(files)
    write(folder .. "/files", bytes)
    write(folder .. "/initramfs.size", (">I4"):pack(second + #bytes))
    write(folder .. "/guest.ins", ([[
* Linux with files of a test
%s/kernel.img 0
%s/initramfs.address 1040c
initramfs.size 10414
%s/initramfs.gz %x
files %x
]]):format(kit, kit, kit, at, at + second))
    return setmetatable({ folder = folder, path = folder .. "/guest.ins" }, Set)
end

return M
