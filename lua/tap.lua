-- SPDX-License-Identifier: MIT
-- Test Anything Protocol for scenarios: every check prints a line at once.
local M = { passed = 0, failed = 0, skipped = 0, used = false }

local function header()
    if not M.used then
        M.used = true
        print("TAP version 13") -- the newest that prove knows
    end
end

local function text_of(value)
    return type(value) == "string" and value or tostring(value)
end

local function yaml(fields)
    print("  ---")
    for _, field in ipairs(fields) do
        local value = text_of(field[2])
        if value:find("\n") then
            print(("  %s: |"):format(field[1]))
            for line in (value .. "\n"):gmatch("(.-)\n") do
                print("    " .. line)
            end
        else
            print(("  %s: %q"):format(field[1], value))
        end
    end
    print("  ...")
end

local this = debug.getinfo(1, "S").source

-- The line of the script that called one of the checks below.
local function where()
    for level = 3, 10 do
        local at = debug.getinfo(level, "Sl")
        if not at then
            break
        end
        if at.currentline > 0 and at.source ~= this then
            return at.short_src, at.currentline
        end
    end
    return "?", 0
end

local function report(passed, name, fields)
    header()
    local number = M.passed + M.failed + 1
    name = tostring(name or ""):gsub("#", "\\#"):gsub("\n", " ")
    print(("%sok %d - %s"):format(passed and "" or "not ", number, name))
    if passed then
        M.passed = M.passed + 1
    else
        M.failed = M.failed + 1
        local file, line = where()
        table.insert(fields, 1, { "at", ("%s:%d"):format(file, line) })
        yaml(fields)
    end
    io.stdout:flush()
    return passed
end

--- Is `value` true? `detail` is shown when not.
function M.ok(value, name, detail)
    return report(not not value, name, detail ~= nil and { { "detail", detail } } or {})
end

--- Is `got` equal to `expected`?
function M.is(got, expected, name)
    return report(got == expected, name, { { "expected", expected }, { "got", got } })
end

--- Does the text contain `plain` (no pattern)?
function M.contains(text, plain, name)
    return report(type(text) == "string" and text:find(plain, 1, true) ~= nil, name,
        { { "expected to contain", plain }, { "got", text } })
end

--- Is `got` within `share` (0.02 is 2 %) of `expected`?
function M.near(got, expected, share, name)
    return report(math.abs(got - expected) <= math.abs(expected) * share, name,
        { { "expected", ("%.9g within %g %%"):format(expected, share * 100) }, { "got", got } })
end

--- Does fn(...) raise an error whose text contains `plain`? The error value.
function M.raises(fn, plain, name)
    local ok, err = pcall(fn)
    report(not ok and tostring(err):find(plain, 1, true) ~= nil, name,
        { { "expected error", plain }, { "got", ok and "no error" or err } })
    return err
end

--- A comment line.
function M.diag(text)
    header()
    for line in (text_of(text) .. "\n"):gmatch("(.-)\n") do
        print("# " .. line)
    end
    io.stdout:flush()
end

--- Counts as passed, says why it was not tried.
function M.skip(why, name)
    header()
    M.passed, M.skipped = M.passed + 1, M.skipped + 1
    print(("ok %d - %s # SKIP %s"):format(M.passed + M.failed, name or "", why))
end

--- Prints the plan; called by `endicott run` when the script has ended. True when all passed.
function M.finish()
    if M.used then
        print(("1..%d"):format(M.passed + M.failed))
        print(("%d passed, %d failed"):format(M.passed, M.failed))
    end
    return M.failed == 0
end

return M
