#!/bin/sh
# SPDX-License-Identifier: MIT
# The console on a real terminal, driven through tmux: logon, commands, MORE..., PF keys, resize,
# panel, suspend, SHUTDOWN, and that the terminal is afterwards as it was before.
#
# ENDICOTT names the program (default build/endicott), ENDICOTT_GUESTS the bundled guests.

endicott=${ENDICOTT:-$PWD/build/endicott}
guests=${ENDICOTT_GUESTS:-${endicott%/*}/guests}
work=$(mktemp -d) || exit 1
socket=endicott-$$
number=0 failed=0
inside= # not empty: the program should be running

mux() { tmux -u -L "$socket" -f /dev/null "$@"; }
finish() { mux kill-server 2>/dev/null; rm -rf "$work"; }
trap finish EXIT
trap 'exit 1' HUP INT TERM

screen() { mux capture-pane -p -t console; }
line() { screen | sed -n "$1p"; }
type_text() { mux send-keys -t console -l -- "$1"; }
press() { mux send-keys -t console "$@"; }
enter() { type_text "$1"; press Enter; }

# wait_for SHELL-COMMAND: until it succeeds, at most 20 s.
wait_for() {
    tries=400
    while ! eval "$1"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}
shows() { screen | grep -q -e "$1"; }
status() { screen | tail -n "${2:-1}" | head -n 1 | grep -q -e "$1"; }

# check NAME SHELL-COMMAND: one TAP line; a failure shows the screen.
check() {
    number=$((number + 1))
    if wait_for "$2"; then
        echo "ok $number - $1"
        return 0
    fi
    failed=$((failed + 1))
    echo "not ok $number - $1"
    echo "# waited for: $2"
    screen | sed 's/^/# |/'
    # Keys must never reach a shell that they are not meant for.
    if [ -n "$inside" ] && shows '^READY> *$'; then
        echo "Bail out! the program ended early"
        exit 1
    fi
    return 1
}

if ! command -v tmux >/dev/null; then
    echo "1..0 # SKIP tmux is not installed"
    exit 0
fi

LC_ALL=C.UTF-8 mux new-session -d -s console -x 80 -y 24 "bash --norc --noprofile -i"
mux set-option -g status off
enter "PS1='READY> '; export ENDICOTT_GUESTS='$guests'; clear; stty -g >'$work/before'; echo MARK"
wait_for "shows '^MARK'" || { echo "Bail out! no shell in tmux"; exit 1; }

# --- logo and logon ---------------------------------------------------------
inside=yes
enter "'$endicott'"
check "the logo appears" "shows 'Endicott ONLINE'" || { echo "1..$number"; exit 1; }
check "it asks for a userid" "shows '^USERID   ===>'"
check "its status area" "status '^ \{60\}RUNNING   [A-Z]'"
type_text operator
press Tab
type_text operator
check "the userid shows" "shows '^USERID   ===> operator'"
check "the password does not" "shows '^PASSWORD ===>\$'"
press Enter
check "OPERATOR is logged on" "shows '\(LOGON\|RECONNECTED\) AT'"
check "and in CP READ" "status '^ \{60\}CP READ   [A-Z]'"

# --- commands ---------------------------------------------------------------
enter "query names"
check "the command is redisplayed" "shows '^query names'"
check "QUERY NAMES answers" "shows 'OPERATOR - 0009'"
enter "frobnicate"
check "an unknown command has its message" "shows 'HCPCMD001E'"
enter "xautolog guest1"
check "a second guest logs on" "shows 'AUTO LOGON  \*\*\*       GUEST1'"

# --- MORE... ----------------------------------------------------------------
more() {
    tries=12
    while [ "$tries" -gt 0 ] && ! status 'MORE\.\.\.'; do
        enter "query set"
        wait_for "status 'MORE\.\.\.' || line 23 | grep -q '^\$'"
        tries=$((tries - 1))
    done
    status 'MORE\.\.\.'
}
check "a full screen says MORE..." more
press Enter
check "ENTER holds it" "status 'HOLDING'"
press Enter
check "ENTER again lets go" "status 'MORE\.\.\.'"
press C-c
check "CLEAR goes on" "! status 'MORE\.\.\.' || { press C-c; false; }"
check "to CP READ" "status 'CP READ'"

# --- keys -------------------------------------------------------------------
press F6
check "an undefined PF key" "shows '^\* PF06 UNDEFINED'"
enter "set pf12 retrieve"
wait_for "line 23 | grep -q '^\$'"
press F12
check "RETRIEVE brings the last line back" "line 23 | grep -q '^set pf12 retrieve'"
press C-u
check "and delete field takes it away" "line 23 | grep -q '^\$'"
press Up
type_text x
check "a protected field locks the keyboard" "shows 'X Protected  Reset: Ctrl-R'"
press C-r
check "RESET unlocks it" "! shows 'X Protected'"
press Home
press PPage
check "scrollback" "shows '^ Lines [0-9]* to [0-9]* of'"
press Escape
check "and back" "status 'CP READ'"
press C-k
check "the key map" "shows 'PF1-PF12'"
press Enter
check "and back from it" "status 'CP READ'"

# --- paste ------------------------------------------------------------------
mux set-buffer "$(printf 'query time\nquery userid\n')"
mux paste-buffer -p -t console
check "a paste of lines asks first" "shows 'Pasted .* lines'"
press n
check "no runs nothing" "status 'CP READ' && ! shows '^query time'"
mux set-buffer 'query time'
mux paste-buffer -p -t console
check "a paste in one line is typed" "line 23 | grep -q '^query time'"
press Enter
check "and runs with ENTER" "shows 'TIME IS'"

# --- size -------------------------------------------------------------------
mux resize-window -t console -x 100 -y 30
check "a larger terminal: status in the last row but one" "status '^ \{80\}CP READ' 2"
check "the page stays" "shows 'TIME IS'"
check "an information line below" "line 30 | grep -q '29x100'"
mux resize-window -t console -x 50 -y 12
check "too small is said" "line 1 | grep -q '80x24 needed, this is 50x12'"
mux resize-window -t console -x 80 -y 24
check "and back at 80 by 24" "status '^ \{60\}CP READ'"

# --- panel ------------------------------------------------------------------
press C-p
check "the panel comes up" "shows 'Overview'"
press C-p
check "and goes" "status 'CP READ'"
enter "monitor sample enable all"
enter "monitor sample enable subinterval all"
enter "monitor sample interval 6 sec"
enter "monitor sample subinterval 1 sec"
enter "monitor sample start"
press C-p
check "subinterval samples, live" "shows '^subinterval *[1-9][0-9]* samples, every 1 s'"
check "and interval samples" "shows '^interval *[2-9] samples, every 6 s'"
check "CPU by user" "shows '^OPERATOR .* 0.00 %'"
check "overhead by cause" "shows 'Overhead by cause'"
press C-p
check "back at the console" "status 'CP READ'"

# --- suspend ----------------------------------------------------------------
inside=
press C-z
check "Ctrl-Z gives the shell its screen back" "shows 'Stopped' && shows '^MARK'"
enter "fg; echo \$? >'$work/code'"
check "fg brings the console back" "status 'CP READ'"

# --- the end ----------------------------------------------------------------
status 'CP READ' || { echo "Bail out! not in CP READ"; exit 1; }
enter SHUTDOWN
check "SHUTDOWN ends the program" "[ -s '$work/code' ]"
check "with code 0" "[ \"\$(cat '$work/code')\" = 0 ]"
check "the shell's screen is back" "shows '^MARK' && ! shows 'CP READ'"
enter "stty -g >'$work/after'"
check "the terminal's modes are as before" "cmp -s '$work/before' '$work/after'"

# --- plain terminals --------------------------------------------------------
rm -f "$work/code"
enter "clear; NO_COLOR=1 LC_ALL=C TERM=vt100 '$endicott'; echo \$? >'$work/code'"
check "vt100, no colour, no UTF-8: the logo" "shows 'Endicott ONLINE'"
press C-a q
check "leaving asks" "shows 'Leave, and shut the system down'"
press y
check "and ends" "[ -s '$work/code' ] && [ \"\$(cat '$work/code')\" = 0 ]"
printf 'query time\nlogon operator\noperator\nquery userid\nshutdown\n' |
    ENDICOTT_GUESTS=$guests TERM=dumb timeout 30 "$endicott" >"$work/lines" 2>&1
echo $? >"$work/code"
check "without a terminal: lines" "grep -q 'OPERATOR AT' '$work/lines'"
check "that end with SHUTDOWN" "[ \"\$(cat '$work/code')\" = 0 ]"
check "no escape sequence among them" "! grep -q '$(printf '\033')' '$work/lines'"

echo "1..$number"
[ "$failed" = 0 ]
