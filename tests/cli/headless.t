#!/bin/sh
# SPDX-License-Identifier: MIT
# A system without a screen: start, cp, stop; what a crash leaves behind; who may reach it.
. "$(dirname "$0")/tap.sh"

XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state
export XDG_RUNTIME_DIR XDG_STATE_HOME
mkdir -m 700 "$XDG_RUNTIME_DIR"
socket=$XDG_RUNTIME_DIR/endicott/test.sock
log=$XDG_STATE_HOME/endicott/test.log
cp_command() { run "$endicott" cp --name test "$@"; }
process() { sed -n 's/.*process \([0-9]*\)) is up$/\1/p' "$log" | tail -n 1; }
# A process that has ended, even if nobody has asked for its exit code yet.
gone() { ! kill -0 "$1" 2>/dev/null || grep -q '^State:.Z' "/proc/$1/status"; }
at_end() {
    for name in test other; do
        "$endicott" stop --name $name >/dev/null 2>&1
    done
}

# --- nothing runs ---------------------------------------------------------------
fails 3 "no system named 'test' is running" "$endicott" cp --name test query time
fails 1 "no system named 'test' is running" "$endicott" stop --name test
fails 1 "no system named 'test' is running" "$endicott" attach --name test
fails 1 "'a/b' is not a name for a system" "$endicott" start --name a/b
fails 1 "'.' is not a name for a system" "$endicott" start --name .
fails 1 "$work/none: No such file or directory" "$endicott" start --system "$work/none"
fails 2 "start: 'extra' is too much" "$endicott" start extra
fails 2 "start: option --bogus is not known" "$endicott" start --bogus
fails 2 "stop: 'extra' is too much" "$endicott" stop extra
fails 2 "attach: option --name wants a value" "$endicott" attach --name
fails 4 "cp: option --bogus is not known" "$endicott" cp --bogus query time
fails 4 "cp: which command?" "$endicott" cp
fails 4 "Invalid buffersize" "$endicott" cp --buffer 1000 query time
fails 4 "Invalid buffersize" "$endicott" cp --buffer 2M query time
fails 4 "'TOOLONGNAME' is not a userid" "$endicott" cp --user TOOLONGNAME query time
fails 4 "Command too long" "$endicott" cp "$(printf 'x%.0s' $(seq 241))"
mkdir "$work/sys"
printf 'System_Identifier * * TEST\nFrobnicate\n' >"$work/sys/system.config"
fails 1 "system.config:2: " "$endicott" start --name test --system "$work/sys"
check "and leaves no socket" is "$(ls "$socket" 2>/dev/null)" ''

# --- start ------------------------------------------------------------------------
run "$endicott" start --name test
check "start" code_is 0
check "  says nothing" silent
check "  answers when it returns" cp_command query time
pid=$(process)
check "  writes its log" grep -q "test (ENDICOTT, process $pid) is up" "$log"
check "  the socket's folder is private" is "$(stat -c %a "${socket%/*}")" 700
check "  and the socket" is "$(stat -c %a "$socket")" 600
fails 1 "a system named 'test' is running already" "$endicott" start --name test
run "$endicott" start --name other
check "another name is another system" code_is 0

# --- cp ---------------------------------------------------------------------------
cp_command query userid
check "cp: a response on standard output" out_has "OPERATOR AT ENDICOTT"
check "  exit code 0" code_is 0
check "  every line is whole" is "$(wc -l <"$work/out" | tr -d ' ')" 1
cp_command query frobnicate
check "cp: CP says no" code_is 1
check "  its text is the response" out_has "HCPCQV003E"
check "  the return code on standard error" err_has "Error: non-zero CP response for command 'QUERY FROBNICATE': #3"
cp_command -k query frobnicate
check "  --keepcase" err_has "for command 'query frobnicate': #3"
cp_command --buffer=4k help
cp "$work/out" "$work/whole"
check "cp: HELP" code_is 0
cp_command xautolog guest2
check "cp: XAUTOLOG" code_is 0
cp_command --user guest2 query userid
check "cp --user" out_has "GUEST2   AT ENDICOTT"
cp_command --user guest2 shutdown
check "  has that user's authority" code_is 1
fails 3 "GUEST9 is not logged on" "$endicott" cp --name test --user guest9 query userid
cp_command --buffer 4096 query virtual all
check "a response within the buffer" code_is 0
for i in 1 2 3 4 5 6 7 8; do
    for j in 0 1 2 3 4 5 6 7 8 9 A B C D E F; do echo "cp define vswitch S$i$j"; done
done >"$work/many"
while read -r _ line; do "$endicott" cp --name test $line; done <"$work/many" >/dev/null 2>"$work/err"
cp_command --buffer 4096 query vswitch
check "cp: a response beyond the buffer is exit code 2" code_is 2
check "  cut at its size" is "$(wc -c <"$work/out" | tr -d ' ')" 4096
check "  and says so" err_matches 'Error: output ([0-9]* bytes) was truncated, try --buffer'
size=$(sed -n 's/.*output (\([0-9]*\) bytes).*/\1/p' "$work/err")
cp_command --buffer 1M query vswitch
check "  a larger buffer holds it" code_is 0
check "  all of it" is "$(wc -c <"$work/out" | tr -d ' ')" $((size + 1))
fails 1 "this is no terminal" "$endicott" attach --name test
run "$endicott" cp --name other query vswitch s10
check "the other system does not know that" code_is 1

# --- stop -----------------------------------------------------------------------------
run "$endicott" stop --name test
check "stop" code_is 0
check "  the process is gone" until_true 5 gone "$pid"
check "  and the socket" is "$(ls "$socket" 2>/dev/null)" ''
check "  the log says so" grep -q "process $pid) is down" "$log"

# --- crash, signals, SHUTDOWN -------------------------------------------------------------
run "$endicott" start --name test
check "the same name again" code_is 0
kill -9 "$(process)"
until_true 20 gone "$(process)"
check "a crash leaves its socket" test -S "$socket"
fails 3 "no system named 'test' is running" "$endicott" cp --name test query time
run "$endicott" start --name test
check "which does not stop the next start" code_is 0
kill -TERM "$(process)"
check "SIGTERM ends it" until_true 20 gone "$(process)"
check "  in order" grep -q "process $(process)) is down" "$log"
run "$endicott" start --name test
cp_command shutdown
check "CP SHUTDOWN" code_is 0
check "  ends it as well" until_true 20 gone "$(process)"

"$endicott" start --name test --foreground 2>"$work/foreground" &
pid=$!
check "start --foreground" until_true 20 "$endicott" cp --name test query time
check "  stays in the foreground" kill -0 "$pid"
check "  logs to standard error" grep -q "process $pid) is up" "$work/foreground"
"$endicott" stop --name test
wait "$pid"
check "  exit code 0" is $? 0

# --- folders that cannot be trusted -----------------------------------------------------------
chmod 750 "$XDG_RUNTIME_DIR/endicott"
fails 1 "others may enter it" "$endicott" start --name test
fails 3 "others may enter it" "$endicott" cp --name test query time
chmod 700 "$XDG_RUNTIME_DIR/endicott"
(
    unset XDG_RUNTIME_DIR
    TMPDIR=$work
    export TMPDIR
    "$endicott" start --name test && "$endicott" cp --name test query time && "$endicott" stop --name test
) >"$work/out" 2>"$work/err"
check "without XDG_RUNTIME_DIR: a folder of one's own below TMPDIR" is $? 0
check "  that is private" is "$(stat -c %a "$work/endicott-$(id -u)")" 700
rm -rf "$work/endicott-$(id -u)"
ln -s /tmp "$work/endicott-$(id -u)"
fails 1 "not a folder" env -u XDG_RUNTIME_DIR TMPDIR="$work" "$endicott" start --name test

done_testing
