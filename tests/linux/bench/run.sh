#!/bin/busybox sh
# shellcheck shell=dash
# SPDX-License-Identifier: MIT
# run.sh MILLISECONDS: what bench-linux runs inside of the guest. It says before and after what it
# does, and at these lines the CPU time of the emulator's process is read: a guest's clock is no
# measure of that. The pauses let lines out before anything else happens, whatever the console buffers.
say() {
    sleep 0.2
    echo "BENCH $*"
    sleep 0.2
}
say begin
bench check >/tmp/check
while read -r line; do
    say check "$line"
done </tmp/check
for round in 1 2 3; do
    for name in syscall fault switch fork core records arithmetic floating chase bytes decimal; do
        say start $name
        say short "$(bench $name 0 2>/dev/null)"
        say long "$(bench $name "$1" 2>/dev/null)"
    done
done
say end
