#!/bin/sh
# SPDX-License-Identifier: MIT
# The documentation says what the program says: generated tables are up to date (if not:
# scripts/update-docs), and every Lua example of docs/lua.md runs.
: "${ENDICOTT:=build/endicott}"
export ENDICOTT
cd "$(dirname "$0")/../.." || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
n=0

result() { # STATUS NAME: an ok line; what the test said comes with a failure
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        head -n 40 "$folder/said" | sed 's/^/# /'
    fi
}

echo "TAP version 13"
for what in commands records reports instructions packages; do
    scripts/update-docs --check $what >"$folder/said" 2>&1
    result $? "the table of $what is up to date"
done

awk -v folder="$folder" '
    /^```lua$/ { file = sprintf("%s/%02d.lua", folder, ++n); start = NR; print "--", NR > file; next }
    /^```$/ { if (file) close(file); file = ""; next }
    file { print > file }' docs/lua.md
ls "$folder"/*.lua >/dev/null 2>&1
result $? "docs/lua.md has examples"
for example in "$folder"/*.lua; do
    line=$(sed -n '1s/^-- //p' "$example")
    (cd "$folder" && "$ENDICOTT" run "$example") >"$folder/said" 2>&1
    result $? "the example at docs/lua.md:$line runs"
done
echo "1..$n"
