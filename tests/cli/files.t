#!/bin/sh
# SPDX-License-Identifier: MIT
# endicott report, dasd and panel: whole files, damaged ones, and those that are not there.
. "$(dirname "$0")/tap.sh"

# put FILE OFFSET OCTAL: overwrites one byte.
put() { printf "\\$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2>/dev/null; }
size_of() { wc -c <"$1" | tr -d ' '; }
total() { sed -n "s/^.*$1.*/&/p" "$work/out" | head -n 1; }

# --- report -------------------------------------------------------------------
run "$endicott" run "$here/fixtures/small.lua" "$work"
check "a MONWRITE file to work with" code_is 0
file=$work/WRITER/SMALL.MONDATA
size=$(size_of "$file")
check "in whole blocks" is $((size % 4096)) 0

run "$endicott" report --fcx 155 "$file"
check "report --fcx 155" code_is 0
check "  says nothing on standard error" silent
check "  names the report" out_has "FCX155"
cp "$work/out" "$work/whole"
run "$endicott" report "$file"
check "  is what report does by itself" cmp -s "$work/out" "$work/whole"
run "$endicott" report --fcx=155 --output "$work/report" "$file"
check "report --output" cmp -s "$work/report" "$work/whole"
check "  prints nothing else" says_nothing
run "$endicott" report --output - "$file"
check "  - is standard output" cmp -s "$work/out" "$work/whole"
fails 1 "$work/no/report: " "$endicott" report --output "$work/no/report" "$file"
fails 1 "Is a directory" "$endicott" report "$work"

head -c $((size / 2 + 1000)) "$file" >"$work/cut"
fails 1 "$work/cut: damaged at byte" "$endicott" report "$work/cut"
check "  with a reason" err_matches 'byte [0-9][0-9]*: [a-z]'
check "  what is whole is reported" out_has "FCX155"
check "  which is less" is "$(cmp -s "$work/out" "$work/whole" || echo less)" less
head -c 100 "$file" >"$work/cut"
fails 1 "damaged at byte 100: the last block is not complete" "$endicott" report "$work/cut"
: >"$work/empty"
run "$endicott" report "$work/empty"
check "an empty file is not a whole one" code_is 1

# The first record's length, in the block behind the first control record.
cp "$file" "$work/flipped"
put "$work/flipped" 4096 377
fails 1 "$work/flipped: damaged at byte 4096: " "$endicott" report "$work/flipped"
check "  says what is wrong" err_has "record beyond the end of its frame"
check "  the rest is reported" out_has "FCX155"
cp "$file" "$work/flipped"
put "$work/flipped" 3 000
fails 1 "damaged at byte 0: not a control record" "$endicott" report "$work/flipped"
check "  the rest is reported" out_has "FCX155"
head -c 20000 /bin/sh >"$work/other"
fails 1 "$work/other: damaged at byte 0: " "$endicott" report "$work/other"

# --- dasd ---------------------------------------------------------------------
image=$work/usr001.ckd
run "$endicott" dasd create --cylinders 5 --volser USR001 "$image"
check "dasd create" code_is 0
check "  says nothing" silent
run "$endicott" dasd list "$image"
check "dasd list" code_is 0
check "  shows the size" out_has "5 cylinders"
check "  shows the label" out_has "VOL1 USR001"
run "$endicott" dasd check "$image"
check "dasd check" code_is 0
check "  finds no damage" out_has "75 tracks, 0 damaged"

cp "$image" "$work/before"
fails 1 "$image: " "$endicott" dasd create --cylinders 5 "$image"
check "  an image is never overwritten" cmp -s "$image" "$work/before"
fails 1 "9999: not a DASD model" "$endicott" dasd create --model 9999 "$work/new.ckd"
check "  and leaves no file" is "$(ls "$work/new.ckd" 2>/dev/null)" ''
fails 1 "$work/no/new.ckd: No such file or directory" "$endicott" dasd create "$work/no/new.ckd"
run "$endicott" dasd create --volser TOOLONGNAME "$work/new.ckd"
check "a volume label of more than six characters" code_is 1
check "  is refused with a reason" err_matches 'endicott: .*[a-z]* .*'
check "  and leaves no file" is "$(ls "$work/new.ckd" 2>/dev/null)" ''
for what in list check; do
    fails 1 "$work/none.ckd: No such file or directory" "$endicott" dasd $what "$work/none.ckd"
    fails 1 "$work/other: " "$endicott" dasd $what "$work/other"
    fails 1 "$work/empty: " "$endicott" dasd $what "$work/empty"
done
head -c 100000 "$image" >"$work/cut.ckd"
run "$endicott" dasd check "$work/cut.ckd"
check "a truncated image" code_is 1
check "  is said" err_has "$work/cut.ckd: "
# Track 2's home address: 512 bytes of header, then tracks of 56832 bytes.
cp "$image" "$work/damaged.ckd"
for at in 5 6 7 8 9 10 11 12; do put "$work/damaged.ckd" $((512 + 2 * 56832 + at)) 377; done
fails 1 "damaged.ckd: 1 damaged tracks" "$endicott" dasd check "$work/damaged.ckd"
check "  where and why" out_matches 'offset [0-9]*: track 0/2: [a-z]'
check "  and the sum" out_has "75 tracks, 1 damaged"

head -c 200000 "$endicott" >"$work/contents"
run "$endicott" dasd create --cylinders 2 --volser LNX001 --linux "$work/contents" "$work/lnx.ckd"
check "dasd create --linux" code_is 0
run "$endicott" dasd list "$work/lnx.ckd"
check "  has a partition" out_has "LINUX.VLNX001.PART0001.NATIVE"
run "$endicott" dasd export "$work/lnx.ckd"
check "dasd export" code_is 0
check "  gives all of the partition" is "$(size_of "$work/out")" $((28 * 49152))
head -c 200000 "$work/out" >"$work/head"
check "  with what was put there" cmp -s "$work/head" "$work/contents"
fails 1 "no such partition" "$endicott" dasd export "$work/lnx.ckd" 2
fails 1 "larger than the partition" "$endicott" dasd create --cylinders 1 --linux "$endicott" "$work/new.ckd"
check "  and leaves no file" is "$(ls "$work/new.ckd" 2>/dev/null)" ''
fails 1 "$work/none: No such file" "$endicott" dasd create --linux "$work/none" "$work/new.ckd"

# --- panel --------------------------------------------------------------------
run "$endicott" panel overview --once "$file"
check "a panel of a MONWRITE file" code_is 0
check "  in 80 columns" is "$(LC_ALL=C.UTF-8 wc -L <"$work/out" | tr -d ' ')" 80
check "  with its charts" out_has "Overhead by cause"
check "  and users" out_has "GUEST3"
check "  interval" out_matches 'interval *[1-9][0-9]* samples, every 6 s'
check "  and subinterval" out_matches 'subinterval *[1-9][0-9]* samples, every 1 s'
run "$endicott" panel overview --once --ascii --width 100 --height=30 "$file"
check "--ascii, --width and --height" code_is 0
check "  nothing beyond ASCII" is "$(LC_ALL=C grep -c '[^ -~]' "$work/out")" 0
check "  30 rows" is "$(wc -l <"$work/out" | tr -d ' ')" 30
check "  up to 100 columns wide" is "$(awk '{ if (length > n) n = length } END { print n }' "$work/out")" 100
fails 1 "$work/none: No such file or directory" "$endicott" panel overview --once "$work/none"
fails 1 "$work/other: damaged at byte 0: " "$endicott" panel overview --once "$work/other"

done_testing
