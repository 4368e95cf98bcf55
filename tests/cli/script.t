#!/bin/sh
# SPDX-License-Identifier: MIT
# endicott run: scripts that are wrong, that fail, that raise; system folders with mistakes; real
# time; two runs that must not differ.
. "$(dirname "$0")/tap.sh"

# script NAME: standard input becomes a script in $work.
script() { cat >"$work/$1"; }

# --- scripts ----------------------------------------------------------------
fails 1 "cannot open $work/none.lua" "$endicott" run "$work/none.lua"

script syntax.lua <<'LUA'
local x = 1
local y = = 2
LUA
fails 1 "syntax.lua:2: unexpected symbol" "$endicott" run "$work/syntax.lua"

script raises.lua <<'LUA'
local function deep()
    error("no good")
end
print "before"
deep()
LUA
fails 1 "raises.lua:2: no good" "$endicott" run "$work/raises.lua"
check "the traceback says who called" err_has "raises.lua:5: in main chunk"
check "a consumer of TAP is told" out_has "Bail out!"
check "what was printed before is there" out_matches '^before$'

script object.lua <<'LUA'
error { code = 7 }
LUA
fails 1 "error object without a text" "$endicott" run "$work/object.lua"
check "with the place" err_has "object.lua:1: in main chunk"

script cp.lua <<'LUA'
local system = require "system"
local sys <close> = system.new()
sys:cp "QUERY TIME"
sys:cp "FROBNICATE"
LUA
fails 1 "cp.lua:4: CP command 'FROBNICATE' ended with return code 1: HCPCMD001E" \
    "$endicott" run "$work/cp.lua"

script module.lua <<'LUA'
require "no_such_module"
LUA
fails 1 "module.lua:1: module 'no_such_module' not found" "$endicott" run "$work/module.lua"

script coroutine.lua <<'LUA'
local system = require "system"
local clock = require "clock"
local sys <close> = system.new()
clock.spawn(function()
    sys:sleep(1)
    error "in a coroutine"
end)
sys:sleep(5)
print "never"
LUA
fails 1 "coroutine.lua:6: in a coroutine" "$endicott" run "$work/coroutine.lua"
check "the others do not go on" is "$(grep -c never "$work/out")" 0

script callback.lua <<'LUA'
local system = require "system"
local sys <close> = system.new()
sys:cp "MONITOR SAMPLE ENABLE ALL"
local sub <close> = sys:monitor { record = function(record)
    return record.domain + nil
end }
sys:cp "MONITOR START"
sys:sleep(5)
LUA
fails 1 "callback.lua:5: attempt to perform arithmetic" "$endicott" run "$work/callback.lua"

script fails.lua <<'LUA'
local tap = require "tap"
tap.ok(true, "good")
tap.is(1, 2, "one is not two")
tap.contains("a\nb", "c", "no c there")
tap.raises(function() end, "anything", "nothing was raised")
tap.skip("no reason", "left out")
LUA
run "$endicott" run "$work/fails.lua"
check "a failing check is exit code 1" code_is 1
check "the header comes first" is "$(head -n 1 "$work/out")" "TAP version 13"
check "the check that passed" out_matches '^ok 1 - good$'
check "the one that did not" out_matches '^not ok 2 - one is not two$'
check "its place" out_matches '^  at: ".*fails.lua:3"$'
check "what was expected" out_matches '^  expected: "2"$'
check "what came" out_matches '^  got: "1"$'
check "text of several lines" out_matches '^  got: |$'
check "a skip says why" out_matches '^ok 5 - left out # SKIP no reason$'
check "the plan" out_matches '^1..5$'
check "the sum" out_matches '^2 passed, 3 failed$'

script passes.lua <<'LUA'
require("tap").ok(true, "good")
LUA
run "$endicott" run "$work/passes.lua"
check "all passed is exit code 0" code_is 0
check "nothing on standard error" silent

script mute.lua <<'LUA'
local x = 1
LUA
run "$endicott" run "$work/mute.lua"
check "a script without checks ends well" code_is 0
check "and prints nothing" says_nothing

# --- system folders -----------------------------------------------------------
mkdir "$work/sys"
printf 'System_Identifier * * TEST\nFrobnicate 1\nStorage lots\n' >"$work/sys/system.config"
printf 'USER OPERATOR OPERATOR 32M 32M ABCDEFG\n CONSOLE 0009 3215\n' >"$work/sys/user.direct"
fails 1 "system.config:2: " "$endicott" --system "$work/sys"
check "every mistake is shown" err_has "system.config:3: "
check "and no empty line" is "$(grep -c '^$' "$work/err")" 0
printf 'System_Identifier * * TEST\n' >"$work/sys/system.config"
printf 'USER OPERATOR OPERATOR 32M 32M ABCDEFG\n FROB\nUSER TOOLONGNAME X 32M 32M\n' >"$work/sys/user.direct"
fails 1 "user.direct:2: " "$endicott" --system "$work/sys"
check "with the statement" err_has "FROB"
check "and the next mistake" err_has "user.direct:3: "
fails 1 "$work/none: No such file or directory" "$endicott" --system "$work/none"
fails 1 "sys/user.direct: not a folder" "$endicott" --system "$work/sys/user.direct"

script folder.lua <<'LUA'
local system = require "system"
system.new { folder = arg[1] }
LUA
fails 1 "user.direct:2: " "$endicott" run "$work/folder.lua" "$work/sys"
check "with the script's line" err_has "folder.lua:2: in main chunk"

printf 'USER OPERATOR OPERATOR 32M 32M ABCDEFG\n CONSOLE 0009 3215\n' >"$work/sys/user.direct"
printf 'query userid\nlogon operator\noperator\nquery userid\nquery cplevel\nshutdown\n' >"$work/lines"
TERM=dumb timeout 60 "$endicott" --system "$work/sys" <"$work/lines" >"$work/out" 2>"$work/err"
check "a folder without mistakes starts" is $? 0
check "with its own name" out_has "OPERATOR AT TEST"

# --- real time ----------------------------------------------------------------
script real.lua <<'LUA'
local system = require "system"
local tap = require "tap"
local sys <close> = system.new()
local before, host = sys:now(), os.time()
tap.ok(math.abs(before - host) < 2, "the clock is the host's", before - host)
local c <close> = sys:console { user = "GUEST2" }
c:expect "console: type a line"
c:enter "moin"
c:expect "backwards niom"
sys:sleep(0.2)
local took = sys:now() - before
tap.ok(took >= 0.2 and took < 20, "time passes", took)
sys:cp "SHUTDOWN"
tap.ok(sys:is_down(), "SHUTDOWN in real time")
LUA
run "$endicott" run --real "$work/real.lua"
check "run --real" code_is 0

# --- the same again -----------------------------------------------------------
mkdir "$work/one" "$work/two"
run "$endicott" run "$here/fixtures/small.lua" "$work/one"
check "a scenario leaves a MONWRITE file" code_is 0
run "$endicott" run "$here/fixtures/small.lua" "$work/two"
check "and does so again" code_is 0
check "byte for byte the same" cmp -s "$work/one/WRITER/SMALL.MONDATA" "$work/two/WRITER/SMALL.MONDATA"

done_testing
