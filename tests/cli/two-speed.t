#!/bin/sh
# SPDX-License-Identifier: MIT
# Virtual time is the same twice: two scenarios of examples/two-speed.lua, one with two monitor users,
# say the same and leave the same MONWRITE files, byte for byte.
. "$(dirname "$0")/tap.sh"
cd "$here/../.." || exit 1

for n in first second; do
    mkdir "$work/$n"
    run "$endicott" run examples/two-speed.lua "$work/$n" 3 6
    check "the $n run" code_is 0
    grep -v '^# MONWRITE files in' "$work/out" >"$work/$n.tap"
done
check "both say the same" cmp "$work/first.tap" "$work/second.tap"
check "  the tables with the published figures" grep -q '^# Byte/Sample  *published  *1648563.10 ' "$work/first.tap"
for file in WRITER/SCEN3.MONDATA WRITER/SCEN6.MONDATA WRITER2/SCEN6.MONDATA; do
    check "both wrote the same $file" cmp "$work/first/$file" "$work/second/$file"
done
done_testing
