#!/bin/sh
# SPDX-License-Identifier: MIT
# libendicott-monitor as another program finds it: installed into an empty root, compiled against
# through pkg-config, shared and static, and read with it what the program itself reports.
. "$(dirname "$0")/tap.sh"
cd "$here/../.." || exit 1
build=${endicott%/*}
root=$work/root prefix=/usr

run make --no-print-directory SETUP=0 B="$build" DESTDIR="$root" PREFIX="$prefix" install
check "make install" code_is 0
for file in include/endicott-monitor.h lib/libendicott-monitor.a lib/libendicott-monitor.so \
    lib/pkgconfig/endicott-monitor.pc share/man/man3/libendicott-monitor.3 bin/endicott; do
    check "  installs $file" test -e "$root$prefix/$file"
done

PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
run pkg-config --modversion endicott-monitor
check "pkg-config knows it" code_is 0
check "  by the program's version" out_has "$("$endicott" --version | sed -n 's/Endicott //p')"
flags=$(pkg-config --cflags --libs endicott-monitor)
# shellcheck disable=SC2086 # words
run "${CC:-cc}" -std=c17 -Wall -Wextra -Wpedantic -Werror examples/monitor-count.c $flags -o "$work/count"
check "the example is compiled with the shared library" code_is 0
# shellcheck disable=SC2046
run "${CC:-cc}" -std=c17 -Werror $(pkg-config --cflags endicott-monitor) examples/monitor-count.c \
    "$root$prefix/lib/libendicott-monitor.a" -pthread -o "$work/count-static"
check "  and with the static one" code_is 0
printf '#include <endicott-monitor.h>\nint main() { return !endicott_monitor_version(); }\n' >"$work/c.cc"
if command -v g++ >/dev/null; then
    # shellcheck disable=SC2086
    run g++ -Wall -Wextra -Wpedantic -Werror "$work/c.cc" $flags -o "$work/c"
    check "the header is C++ too" code_is 0
fi
check "the shared library shows only what the header names" is \
    "$(nm -D --defined-only "$root$prefix/lib/libendicott-monitor.so" | grep -c -v ' endicott_monitor_')" 0

run "$endicott" run "$here/fixtures/monwrite.lua" "$work" LIB
check "a MONWRITE file" code_is 0
file=$work/WRITER/LIB.FILE

LD_LIBRARY_PATH=$root$prefix/lib run "$work/count" "$file"
check "the example reads it" code_is 0
check "  says nothing on standard error" silent
cp "$work/out" "$work/counted"
"$endicott" report --fcx 155 "$file" >"$work/report"
check "  counts the samples that FCX155 counts" is \
    "$(sed -n 's/ samples,.*//p' "$work/counted")" "$(sed -n 's/^Samples \([0-9]*\).*/\1/p' "$work/report")"
check "  and the records of users" is "$(awk '$1 == "D4R3" { print $3 }' "$work/counted")" \
    "$(awk '/MRUSEACT/ { sub(/.*virtual CPU/, ""); print $1 }' "$work/report")"
check "  and knows the writer" grep -q '^WRITER .* s$' "$work/counted"
run "$work/count-static" "$file"
check "the static one prints the same" cmp "$work/out" "$work/counted"

head -c 30000 "$file" >"$work/cut"
run "$work/count-static" "$work/cut"
check "a file that was cut: exit code 1" code_is 1
check "  says where and why" err_matches '^damaged at byte [0-9]*: '
check "  and what could be read" out_has MRMTREND
run "$work/count-static" "$work/none"
check "a file that is not there" code_is 1
check "  is told" err_has "No such file or directory"
done_testing
