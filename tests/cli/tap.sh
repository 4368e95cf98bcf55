# SPDX-License-Identifier: MIT
# What the shell tests of the command line share: sourced, never run. $endicott is the program,
# $work a folder that goes at the end. POSIX sh.

case ${ENDICOTT:=build/endicott} in
/*) endicott=$ENDICOTT ;;
*) endicott=$PWD/$ENDICOTT ;;
esac
ENDICOTT_GUESTS=${ENDICOTT_GUESTS:-${endicott%/*}/guests}
export ENDICOTT_GUESTS
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/endicott-test-XXXXXX") || exit 1
number=0 failed=0

at_end() { :; } # a test may have more to clean up
finish() {
    at_end
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

# run COMMAND...: its exit code in $code, its output in $work/out and $work/err. Nothing to read.
run() {
    command=$*
    code=0
    timeout 60 "$@" >"$work/out" 2>"$work/err" </dev/null || code=$?
}

# check NAME COMMAND...: one TAP line; a failure shows what was run and what came.
check() {
    name=$1
    shift
    number=$((number + 1))
    if "$@"; then
        echo "ok $number - $name"
        return 0
    fi
    failed=$((failed + 1))
    echo "not ok $number - $name"
    echo "# check: $*"
    echo "# after: $command (exit code $code)"
    sed 's/^/# out: /' "$work/out" | head -n 40
    sed 's/^/# err: /' "$work/err" | head -n 40
    return 1
}

is() { [ "$1" = "$2" ]; }
code_is() { [ "$code" = "$1" ]; }
out_has() { grep -q -F -e "$1" "$work/out"; }
err_has() { grep -q -F -e "$1" "$work/err"; }
out_matches() { grep -q -e "$1" "$work/out"; }
err_matches() { grep -q -e "$1" "$work/err"; }
silent() { [ ! -s "$work/err" ]; }
says_nothing() { [ ! -s "$work/out" ]; }

# fails CODE TEXT COMMAND...: ends with CODE, says TEXT on standard error.
fails() {
    expected=$1 text=$2
    shift 2
    run "$@"
    number=$((number + 1))
    if [ "$code" = "$expected" ] && err_has "$text"; then
        echo "ok $number - ${*##*/}: exit code $expected, $text"
        return 0
    fi
    number=$((number - 1))
    check "${*##*/}: exit code $expected, $text" false
}

# until_true SECONDS COMMAND...: tries again until it succeeds; false when the time is over.
until_true() {
    tries=$(($1 * 20))
    shift
    until "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.05
    done
}

done_testing() {
    echo "1..$number"
    [ "$failed" = 0 ]
}
