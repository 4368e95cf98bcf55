#!/bin/sh
# SPDX-License-Identifier: MIT
# endicott attach on a real terminal, through tmux: a console for a running system comes and goes, and
# the system stays.
. "$(dirname "$0")/tap.sh"

if ! command -v tmux >/dev/null; then
    echo "1..0 # SKIP tmux is not installed"
    exit 0
fi

XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state
export XDG_RUNTIME_DIR XDG_STATE_HOME
mkdir -m 700 "$XDG_RUNTIME_DIR"
tmux_socket=endicott-attach-$$

mux() { tmux -u -L "$tmux_socket" -f /dev/null "$@"; }
cp_command() { run "$endicott" cp --name test "$@"; }
at_end() {
    mux kill-server 2>/dev/null
    "$endicott" stop --name test >/dev/null 2>&1
}

screen() { mux capture-pane -p -t console; }
shows() { screen | grep -q -e "$1"; }
line() { screen | sed -n "$1p"; }
status() { screen | tail -n "${2:-1}" | head -n 1 | grep -q -e "$1"; }
enter() { mux send-keys -t console -l -- "$1" && mux send-keys -t console Enter; }
press() { mux send-keys -t console "$@"; }
sees() {
    name=$1
    shift
    screen >"$work/out" 2>"$work/err"
    command="tmux"
    check "$name" until_true 20 "$@" || screen | sed 's/^/# |/'
}
one_line() { [ "$("$endicott" cp --name test query names | tr ',' '\n' | grep -c "$1")" = 1 ]; }

run "$endicott" start --name test
check "start" code_is 0

# --- a session ------------------------------------------------------------------
LC_ALL=C.UTF-8 mux new-session -d -s console -x 80 -y 24 "bash --norc --noprofile -i"
mux set-option -g status off
enter "PS1='READY> '; clear; stty -g >'$work/before'"
until_true 20 shows '^READY>'
enter "'$endicott' attach --name test; echo \$? >'$work/code'"
sees "attach: the logo" shows 'Endicott ONLINE'
mux send-keys -t console -l maint
press Tab
mux send-keys -t console -l maint
press Enter
sees "  logon" shows 'LOGON AT'
sees "  status" status 'CP READ   ENDICOTT'
sees "  cp sees who is there" one_line 'MAINT *-L0'
enter "query userid"
sees "  a command" shows 'MAINT AT ENDICOTT\|MAINT    AT ENDICOTT'
cp_command msg maint from outside
sees "  a message comes by itself" shows 'MSG FROM OPERATOR: FROM OUTSIDE'
enter "#cp set pf6 immed query time"
press F6
sees "  a PF key" shows 'CONNECT='
mux send-keys -t console -l "half a line"
sees "  typed" shows '^half a line'
mux resize-window -t console -x 100 -y 30
sees "  a larger terminal" status '^ \{80\}CP READ' 2
sees "  what was typed stays" shows '^half a line'
sees "  the information line names the terminal" status 'L0001' 1
mux resize-window -t console -x 80 -y 24
sees "  and back" status '^ \{60\}CP READ'
press C-u
press PPage
sees "  scrollback comes over the socket" shows '^ Lines 1 to [1-9][0-9]* of [1-9]'
press Escape
sees "  and goes" status 'CP READ'
press C-a q
sees "  leaving asks" shows 'The system goes on'
press y
sees "  and ends" test -s "$work/code"
check "  with code 0" is "$(cat "$work/code")" 0
sees "  the user is disconnected" one_line 'MAINT *- DSC'
enter "clear; stty -g >'$work/after'"
sees "  the terminal is as before" cmp -s "$work/before" "$work/after"

rm -f "$work/code"
enter "'$endicott' attach --name test --logon maint; echo \$? >'$work/code'"
sees "attach --logon" shows 'RECONNECTED AT'
press C-z
sees "  Ctrl-Z" shows 'Stopped'
cp_command query names
check "  the system goes on meanwhile" code_is 0
enter "fg; echo \$? >'$work/code'"
sees "  fg" status 'CP READ'
client=$(pgrep -P "$(mux display -p -t console '#{pane_pid}')")
kill -9 "$client"
sees "  a client that is killed drops the line" one_line 'MAINT *- DSC'

rm -f "$work/code"
enter "reset; '$endicott' attach --name test --logon nobody; echo \$? >'$work/code'"
sees "a userid that is not in the directory" test -s "$work/code"
check "  is exit code 1" is "$(cat "$work/code")" 1
sees "  with a reason" shows 'LOGON NOBODY was refused'

rm -f "$work/code"
enter "clear; '$endicott' attach --name test --logon maint; echo \$? >'$work/code'"
sees "attached when the system stops" shows 'RECONNECTED AT'

run "$endicott" stop --name test
check "stop" code_is 0
sees "  who was attached is told" shows 'system test was shut down'
check "  with code 0" is "$(cat "$work/code")" 0

done_testing
