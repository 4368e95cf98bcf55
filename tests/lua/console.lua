-- SPDX-License-Identifier: MIT
-- A script at a 3270: the logo, logon with a password, commands, #CP, MORE... and HOLDING, PF keys,
-- messages, disconnecting and coming back.
local system = require "system"
local tap = require "tap"

local sys <close> = system.new()

-- --- the logo -------------------------------------------------------------------
local console <close> = sys:console()
tap.contains(tostring(console), "console L", "a console prints as its name")
tap.contains(console:screen(), "USERID   ===>", "the logo has its fields")
tap.is(#console:rows(), 24, "24 rows")
tap.is(console:status(), "RUNNING", "status at the logo")
console:type "maint":press "ENTER"
console:expect "ENTER PASSWORD"
tap.is(console:status(), "CP READ", "CP waits for the password")
console:enter "wrong"
tap.contains(console:expect "HCPLGA050E", "incorrect", "a wrong password is refused")
tap.is(sys:user("MAINT"):info(), nil, "and nobody is logged on")
console:press "ENTER"
console:enter "logon maint"
console:expect "ENTER PASSWORD"
console:enter "maint"
console:expect "LOGON AT"
console:expect_status "CP READ"
tap.ok(sys:user("MAINT"):logged_on(), "the right one logs on")
tap.ok(not ("\n" .. table.concat(console:history(), "\n") .. "\n"):find("\nmaint *\n"),
    "no password in the history", table.concat(console:history(), "\n"))
tap.contains(sys:cp("QUERY MAINT").text, "MAINT", "CP knows the terminal")

-- --- commands --------------------------------------------------------------------
console:enter "query userid"
tap.contains(console:expect "AT ENDICOTT", "MAINT", "a command answers")
tap.contains(console:screen(), "query userid", "and is redisplayed")
tap.is(console:status(), "CP READ", "status after it")
console:enter "frobnicate"
tap.contains(console:expect "HCPCMD001E", "FROBNICATE", "an unknown command")
console:enter "query userid#query time"
console:expect "CONNECT="
tap.contains(console:screen(), "TIME IS", "# separates two commands on a line")

-- --- the guest and #CP -----------------------------------------------------------
console:press "CLEAR"
console:enter "ipl console"
console:expect "console: type a line"
tap.is(console:status(), "RUNNING", "the guest runs")
console:enter "moin"
console:expect "you typed moin"
console:expect "backwards niom"
console:enter "#cp query userid"
console:expect "MAINT    AT ENDICOTT"
tap.is(console:status(), "RUNNING", "#CP does not stop it")
console:press "PA1"
console:expect_status "CP READ"
tap.ok(true, "PA1 goes to CP")
console:enter "begin"
console:expect_status "RUNNING"
console:enter "again"
console:expect "you typed again"
tap.ok(true, "BEGIN goes back")

-- --- MORE... -----------------------------------------------------------------------
console:press "PA1"
console:expect_status "CP READ"
local tries = 0
repeat
    console:enter "query set"
    sys:sleep(0.1)
    tries = tries + 1
until console:status() == "MORE..." or tries == 20
tap.is(console:status(), "MORE...", "a full screen waits")
local full = console:screen()
sys:sleep(1)
tap.is(console:screen(), full, "and stays")
console:press "ENTER"
tap.is(console:status(), "HOLDING", "ENTER holds it")
sys:sleep(300)
tap.is(console:status(), "HOLDING", "for as long as one likes")
console:press "ENTER"
tap.is(console:status(), "MORE...", "ENTER again lets go")
sys:sleep(61)
tap.is(console:status(), "CP READ", "after 50 and 10 seconds it goes on by itself")
tap.ok(console:screen() ~= full, "with a new page")
console:press "CLEAR"
tap.is(console:rows()[1], "", "CLEAR empties the output area")
console:enter "terminal more 0 0"
for _ = 1, 10 do
    console:enter "query set"
end
sys:sleep(1)
tap.is(console:status(), "CP READ", "TERMINAL MORE 0 0: no waiting")
console:enter "terminal more 50 10"

-- --- PF keys ----------------------------------------------------------------------
console:press "CLEAR"
console:press "PF6"
console:expect "PF06 UNDEFINED"
tap.ok(true, "an undefined PF key says so")
console:enter "set pf6 immed query userid"
console:from_now():press "PF6"
console:expect "MAINT    AT ENDICOTT"
tap.ok(true, "SET PF IMMED")
console:enter "set pf12 retrieve"
console:press "PF12"
tap.contains(console:rows()[23], "set pf12 retrieve", "RETRIEVE")
console:press "PF12"
tap.contains(console:rows()[23], "set pf6", "and the one before")
console:press "CLEAR"

-- --- messages ----------------------------------------------------------------------
console:from_now()
sys:cp "MSG MAINT Good morning"
tap.contains(console:expect "Good morning", "MSG FROM OPERATOR", "a message appears by itself")
local second <close> = sys:console { user = "GUEST2" }
second:expect "console: type a line"
second:enter "#cp msg maint from a guest"
tap.contains(console:expect "from a guest", "MSG FROM GUEST2", "from another console as well")

-- --- disconnect and reconnect --------------------------------------------------------
console:press "CLEAR"
console:enter "disconnect"
console:expect "DISCONNECT AT"
tap.is(sys:user("MAINT"):info().disconnected, true, "DISCONNECT leaves the user running")
console:press "ENTER"
console:expect "USERID   ===>"
tap.is(#console:history(), 0, "the next one at this terminal finds nothing")
console:enter "maint" -- the cursor is in the USERID field
console:expect "ENTER PASSWORD"
console:enter "maint"
console:expect "RECONNECTED AT"
tap.is(sys:user("MAINT"):info().disconnected, false, "and back again")
second:close()
sys:sleep(1)
tap.is(sys:user("GUEST2"):info().disconnected, true, "closing a console hangs up")
tap.raises(function()
    second:type "x"
end, "the console was closed", "and it is closed")
console:from_now()
sys:cp "FORCE MAINT"
console:expect "LOGOFF AT"
tap.is(sys:user("MAINT"):info(), nil, "FORCE ends the session")

-- --- what goes wrong -----------------------------------------------------------------
tap.raises(function()
    sys:console { user = "NOBODY" }
end, "LOGON NOBODY at", "a user who is not in the directory")
tap.raises(function()
    console:press "F1"
end, "ENTER, CLEAR, PA1 to PA3 or PF1 to PF24", "a key that is none")
local third <close> = sys:console { user = "GUEST2" }
local ok, err = pcall(function()
    third:expect("no such text", 3)
end)
tap.ok(not ok and err:find("waited 3 s in vain for 'no such text'", 1, true), "expect says what it waited for", err)
tap.contains(tostring(err), "RUNNING   ENDICOTT", "and shows the screen")
tap.contains(tostring(err), "console.lua:153: L", "and the script's line")
