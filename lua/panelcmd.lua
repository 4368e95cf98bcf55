-- SPDX-License-Identifier: MIT
-- `endicott panel`: a panel as text, from a MONWRITE file or from a short run of the default system.
local canvas = require "canvas"
local monitor = require "monitor"
local samples = require "samples"
local scheduler = require "scheduler"
local system = require "system"

local M = {}

local USAGE = 2

local function fail(text)
    io.stderr:write("endicott: ", text, "\nTry 'endicott panel --help'.\n")
    return nil, USAGE
end

local function number(text, name)
    local n = tonumber(text)
    if not n or n < 10 or n > 500 or n ~= math.floor(n) then
        return fail(("panel: %s wants a number from 10 to 500"):format(name))
    end
    return math.tointeger(n)
end

local function parse(arguments)
    local options, i = { width = 80, height = 24 }, 1
    while i <= #arguments do
        local word = arguments[i]
        local name, value = word:match("^%-%-(%w+)=?(.*)$")
        if word:find("=", 1, true) == nil then
            value = nil
        end
        if (name == "once" or name == "ascii") and not value then
            options[name] = true
        elseif name == "width" or name == "height" then
            if not value then
                i = i + 1
                value = arguments[i]
            end
            local n, code = number(value, "--" .. name)
            if not n then
                return nil, code
            end
            options[name] = n
        elseif word:sub(1, 1) == "-" then
            return fail(("panel: unknown option %s"):format(word))
        elseif not options.panel then
            options.panel = word
        elseif not options.file then
            options.file = word
        else
            return fail(("panel: one panel and one file, not also '%s'"):format(word))
        end
        i = i + 1
    end
    if not options.panel then
        return fail("panel: which one? There is: overview")
    end
    return options
end

-- The default system with its demonstration guests, for two minutes of virtual time.
local function demonstrate(feed)
    local sys <close> = system.new { real = false }
    for _, line in ipairs {
        "XAUTOLOG GUEST1", "XAUTOLOG GUEST2", "XAUTOLOG GUEST3", "XAUTOLOG GUEST4",
        "FOR GUEST1 CMD IPL SERVER PARM WORK=4000",
        "FOR GUEST2 CMD IPL SERVER PARM WORK=1000",
        "FOR GUEST4 CMD IPL CLIENT PARM SERVERS=GUEST1,GUEST2 THINK=5MS",
        "MONITOR SAMPLE ENABLE USER ALL", "MONITOR SAMPLE ENABLE PROCESSOR",
        "MONITOR SAMPLE ENABLE I/O ALL", "MONITOR SAMPLE ENABLE STORAGE",
        "MONITOR SAMPLE ENABLE APPLDATA ALL",
        "MONITOR SAMPLE INTERVAL 30 SECONDS", "MONITOR SAMPLE SUBINTERVAL 6 SECONDS",
    } do
        sys:cp(line)
    end
    local sub <close> = sys:monitor { subinterval = true, record = function(record)
        feed:record(record)
    end }
    sys:cp("MONITOR SAMPLE START")
    sys:sleep(120.5)
end

local function draw(panel, options)
    local c = canvas.new(options.width, options.height, { ascii = options.ascii })
    panel:draw(c)
    io.write(tostring(c))
end

function M.main(...)
    local options, code = parse { ... }
    if not options then
        return code
    end
    local found, definition = pcall(require, "panels." .. options.panel)
    if not found then
        local _, usage = fail(("panel: there is no panel '%s'; there is: overview"):format(options.panel))
        return usage
    end
    local panel = definition.new()
    local feed = samples.new(function(sample)
        panel:sample(sample)
    end)
    local result = 0
    scheduler.main(function()
        if options.file then
            local ok, err = monitor.read(options.file, function(record)
                feed:record(record)
            end)
            if not ok then
                io.stderr:write("endicott: ", err, "\n")
                result = 1
            end
        else
            demonstrate(feed)
        end
    end)
    draw(panel, options)
    return result
end

return M
