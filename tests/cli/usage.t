#!/bin/sh
# SPDX-License-Identifier: MIT
# The command line's manners: help, version, exit codes, wrong options and operands.
. "$(dirname "$0")/tap.sh"

run "$endicott" --version
check "--version" code_is 0
check "  names the program and its version" out_matches '^Endicott [0-9][0-9.]*$'
run "$endicott" --help
check "--help" code_is 0
check "  goes to standard output" silent
check "  names every subcommand" out_has 'endicott document'
check "  fits 80 columns" is "$(awk 'length > 80' "$work/out")" ''

for sub in $("$endicott" --help | sed -n 's/^ *endicott \([a-z]*\) .*/\1/p; s/^       endicott \([a-z]*\) .*/\1/p' | sort -u); do
    run "$endicott" "$sub" --help
    check "$sub --help" code_is 0
    check "  says how it is used" out_matches "^usage: endicott $sub "
    check "  says nothing on standard error" silent
    check "  fits 80 columns" is "$(awk 'length > 80' "$work/out")" ''
done

fails 2 "unknown subcommand 'frobnicate'" "$endicott" frobnicate
check "  says where help is" err_has "--help"
check "  in two lines" is "$(wc -l <"$work/err")" 2
check "  and nothing on standard output" says_nothing
fails 2 "unknown subcommand ''" "$endicott" ''
fails 2 "option --bogus is not known" "$endicott" --bogus
fails 2 "option -x is not known" "$endicott" -x
fails 2 "option --system wants a value" "$endicott" --system
fails 2 "option --ascii takes no value" "$endicott" --ascii=yes
fails 2 "'extra' is too much" "$endicott" --ascii extra
fails 2 "unknown log channel 'frob'" "$endicott" --log frob
fails 2 "option --log wants a list of channels" "$endicott" --log

fails 2 "run: which script?" "$endicott" run
fails 2 "run: option --bogus is not known" "$endicott" run --bogus script.lua
fails 2 "run: option -x is not known" "$endicott" run -x script.lua

fails 2 "report: exactly one MONWRITE file" "$endicott" report
fails 2 "report: exactly one MONWRITE file" "$endicott" report a b
fails 2 "report: 'x' is not a report number" "$endicott" report --fcx x file
fails 2 "report: option --fcx wants a value" "$endicott" report --fcx
fails 2 "report: option -q is not known" "$endicott" report -q file
fails 2 "report: '0' is not a report number" "$endicott" report --fcx 0 file
fails 2 "report: 'soon' is not a length of time" "$endicott" report --by soon file
fails 2 "report: '25h' is not a time" "$endicott" report --from 25h file
fails 1 "there is no report FCX7" "$endicott" report --fcx 7 file
fails 1 "$work/none: No such file or directory" "$endicott" report "$work/none"

fails 2 "tst: which scripts?" "$endicott" tst
fails 2 "tst: model z17 is not known: z900, z990" "$endicott" tst --model z17 file
fails 2 "tst: facility 19 (ldispfast) needs 18 (ldisp), which is off" "$endicott" tst -m z10,-18 file
fails 1 "model z17 is not known" "$endicott" start --foreground --model z17
# LAY is not of the z900, where it is an operation exception; on a z990 the program ends well.
printf '%s\n' '*Testcase lay' sysclear 'archlvl z/Arch' \
    'r 1A0=00000001800000000000000000000200' 'r 1D0=0002000180000000000000000000DEAD' \
    'r 200=E31000000071B2B20300' 'r 300=00020001800000000000000000000000' 'runtest .1' '*Done' \
    >"$work/lay.tst"
run "$endicott" tst --model z900 "$work/lay.tst"
check "tst --model z900" code_is 1
check "  has no LAY" out_has 'program check 0001'
run "$endicott" tst --model z990 "$work/lay.tst"
check "tst --model z990" code_is 0

fails 2 "document: instructions, commands, records or reports" "$endicott" document
fails 2 "document: instructions, commands, records or reports" "$endicott" document frob
for table in instructions commands records reports; do
    run "$endicott" document "$table"
    check "document $table" code_is 0
    check "  is a table" is "$([ "$(grep -c '^|' "$work/out")" -gt 10 ] && echo yes)" yes
done

fails 2 "dasd: create, list, check or export" "$endicott" dasd
fails 2 "dasd: create, list, check or export" "$endicott" dasd frob file
fails 2 "dasd create: exactly one file" "$endicott" dasd create
fails 2 "'0' is not a number of cylinders" "$endicott" dasd create -c 0 file
fails 2 "'ten' is not a number of cylinders" "$endicott" dasd create --cylinders ten file
fails 2 "option --bogus is not known" "$endicott" dasd create --bogus file

fails 2 "panel: which one?" "$endicott" panel
fails 2 "there is no panel 'frob'" "$endicott" panel frob
fails 2 "panel: unknown option --bogus" "$endicott" panel overview --bogus
fails 2 "--width wants a number" "$endicott" panel overview --width
fails 2 "--width wants a number" "$endicott" panel overview --width=5
fails 2 "--height wants a number" "$endicott" panel overview --height tall
fails 2 "not also 'c'" "$endicott" panel overview b c

# After the script, options are the script's.
printf 'print(...)\n' >"$work/arguments.lua"
run "$endicott" run "$work/arguments.lua" --help -x --real word
check "a script gets its own options" out_matches '^--help.-x.--real.word$'
check "  and ends well" code_is 0

# Where the output cannot be written, that is no success.
if [ -w /dev/full ]; then
    run sh -c "'$endicott' --help >/dev/full"
    check "a full disk is noticed" is "$([ "$code" -ne 0 ] && echo yes)" yes
fi

done_testing
