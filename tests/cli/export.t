#!/bin/sh
# SPDX-License-Identifier: MIT
# Exports of a MONWRITE file, read back by what others use: sqlite3, promtool, influxdb; and over TCP
# and UDP. What is not installed is skipped, loudly.
. "$(dirname "$0")/tap.sh"

influxd=
at_end() {
    [ -z "$influxd" ] || kill "$influxd" 2>/dev/null
}
skip() { # NAME WHY
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

run "$endicott" run "$here/fixtures/monwrite.lua" "$work" EXPORT
check "a MONWRITE file" code_is 0
file=$work/WRITER/EXPORT.FILE
# How many records of users FCX155 counts.
users=$("$endicott" report "$file" | awk '/MRUSEACT/ { sub(/.*virtual CPU/, ""); print $1 }')

fails 2 "export: exactly one MONWRITE file" "$endicott" export
fails 2 "export: the schema needs no file" "$endicott" export -f schema "$file"
fails 2 "export: sqlite needs --output" "$endicott" export -f sqlite "$file"
fails 2 "export: option --bogus is not known" "$endicott" export --bogus
fails 1 "there is no format 'xml'" "$endicott" export -f xml "$file"
fails 1 "'D99R1' is not a record" "$endicott" export -r D4R3,D99R1 "$file"
fails 1 "No such file or directory" "$endicott" export "$work/none"
fails 1 "one kind of record, please" "$endicott" export -f csv "$file"
fails 1 "HOST:PORT is wanted" "$endicott" export -o tcp://nowhere "$file"
fails 1 "Connection refused" "$endicott" export -o tcp://127.0.0.1:1 "$file"

# JSON Lines
run "$endicott" export "$file"
check "JSON Lines" code_is 0
cp "$work/out" "$work/jsonl"
check "  an object for each record, but the monitor's own" is \
    "$(grep -c '"record":"D4R3".*"set":"sample"' "$work/jsonl")" "$users"
check "  with a schema and a time" out_matches '^{"schema":"endicott.monitor/1","record":"D0R1","name":"MRSYTSYP","time":"2026-01-01T00:00:[0-9.]*Z"'
check "  no number that is none" is "$(grep -c -i -e nan -e 'inf[,}]' "$work/jsonl")" 0
run "$endicott" export -r d4r3,MRUSEINT "$file"
check "  of some records" is "$(cut -d, -f2 "$work/out" | sort -u | tr '\n' ' ')" '"record":"D4R3" "record":"D4R4" '
run "$endicott" export -f schema
check "schema" code_is 0
check "  says the units" out_has '"record":"D4R3","name":"MRUSEACT","field":"VMDTTIME","type":"real","kind":"counter","unit":"seconds"'

# CSV
run "$endicott" export -f csv -r D4R3 "$file"
check "CSV" code_is 0
check "  lines end as RFC 4180 says" is "$(grep -c "$(printf '\r')\$" "$work/out")" "$((users + 1))"
check "  units in the header" out_has ",VMDTTIME [seconds],"
check "  as many cells in each line" is "$(awk -F, '{ print NF }' "$work/out" | sort -u | wc -l)" 1
run "$endicott" export -f csv -o "$work/folder" "$file"
check "CSV into a folder" code_is 0
check "  a file for each kind" test -s "$work/folder/D0R2.csv"

# SQLite
run "$endicott" export -f sqlite -o "$work/data.db" "$file"
check "SQLite" code_is 0
if command -v sqlite3 >/dev/null; then
    run sqlite3 "$work/data.db" "PRAGMA integrity_check; SELECT count(*) FROM D4R3 WHERE \"set\" = 'sample';
        SELECT unit, kind FROM meta WHERE record = 'D4R3' AND column = 'VMDTTIME';
        SELECT count(*) > 0 FROM sqlite_schema WHERE sql LIKE '%STRICT';
        SELECT typeof(VMDTTIME) FROM D4R3 LIMIT 1"
    check "  holds what it should" is "$(tr '\n' ' ' <"$work/out")" "ok $users seconds|counter 1 real "
    run sqlite3 :memory: ".mode ascii" '.separator "\037" "\n"' "CREATE TABLE j(line TEXT)" ".import $work/jsonl j" \
        "SELECT count(*) FROM j WHERE NOT json_valid(line)" \
        "SELECT count(*) > 0 FROM j WHERE json_extract(line, '\$.fields.VMDUSER') = 'WRITER'"
    check "  and says that every line of JSON is" is "$(tr -d ' \n\036\037' <"$work/out")" 01
else
    skip "sqlite3 reads it" "the package sqlite3 is not installed"
fi
cp "$work/data.db" "$work/before.db"
fails 1 "is there already" "$endicott" export -f sqlite -o "$work/data.db" "$file"
check "  and what is there stays" cmp "$work/data.db" "$work/before.db"

# OpenMetrics: all samples with their times
run "$endicott" export -f openmetrics -o "$work/metrics" "$file"
check "OpenMetrics" code_is 0
check "  an end" is "$(tail -n 1 "$work/metrics")" "# EOF"
check "  a point for each sample" is \
    "$(grep -c '^zvm_useact_vmdttime_seconds_total{user="WRITER",vcpu="0"} [0-9.]* 17672256[0-9.]*$' "$work/metrics")" \
    "$((users / 2))"
if command -v promtool >/dev/null; then
    run promtool tsdb create-blocks-from openmetrics "$work/metrics" "$work/tsdb"
    check "  promtool makes blocks of them" code_is 0
    run sh -c "'$endicott' export -f prometheus '$file' | promtool check metrics"
    check "  and accepts the last sample" code_is 0
else
    skip "promtool makes blocks of them" "the package prometheus is not installed"
fi

# A damaged file: what can be read, and it is said.
head -c 100000 "$file" >"$work/cut"
run "$endicott" export "$work/cut"
check "a file that was cut: exit code 1" code_is 1
check "  says where" err_matches 'damaged at byte [0-9]*: '
check "  and gives what there is" out_has '"record":"D4R3"'
fails 1 "damaged at byte" "$endicott" export -f sqlite -o "$work/cut.db" "$work/cut"

# Over the network: whole lines to whoever listens.
"$endicott" export -f influx "$file" >"$work/lines"
command="export -f influx" code=0
check "no two lines are about the same thing at the same time" is \
    "$(sed 's/\([^\\]\) .* / /' "$work/lines" | sort | uniq -d | head -n 3)" ""
listen() { # tcp | udp: everything that comes until a second of silence goes to $work/heard
    perl -MIO::Socket::INET -MIO::Select -e '
        my ($kind, $ready, $heard) = @ARGV;
        my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", Proto => $kind,
            $kind eq "tcp" ? (Listen => 1) : ()) or die;
        setsockopt $s, SOL_SOCKET, SO_RCVBUF, pack("l", 8 << 20);
        open my $out, ">", $heard; binmode $out;
        open my $r, ">", $ready; print $r $s->sockport, "\n"; close $r;
        my $in = $kind eq "tcp" ? $s->accept : $s;
        my ($select, $any, $data) = (IO::Select->new($in), 0);
        while ($select->can_read($any ? 1 : 20)) {
            my $n = $kind eq "tcp" ? sysread($in, $data, 65536) : defined recv($in, $data, 65536, 0);
            last unless $n; print $out $data; $any = 1;
        }' "$1" "$work/ready" "$work/heard" &
    listener=$!
    until_true 10 test -s "$work/ready"
    port=$(cat "$work/ready")
}
for kind in tcp udp; do
    rm -f "$work/ready"
    listen $kind
    run "$endicott" export -f influx -o "$kind://127.0.0.1:$port" "$file"
    check "lines over $kind" code_is 0
    wait "$listener"
    check "  all come" cmp "$work/heard" "$work/lines"
done

# InfluxDB takes the lines, over HTTP and UDP, and answers.
if command -v influxd >/dev/null && command -v influx >/dev/null; then
    base=$((20000 + $$ % 20000))
    cat >"$work/influx.conf" <<EOF
reporting-disabled = true
bind-address = "127.0.0.1:$((base + 1))"
[meta]
  dir = "$work/influx/meta"
[data]
  dir = "$work/influx/data"
  wal-dir = "$work/influx/wal"
[http]
  bind-address = "127.0.0.1:$base"
[[udp]]
  enabled = true
  bind-address = "127.0.0.1:$((base + 2))"
  database = "udp"
  batch-timeout = "100ms"
  read-buffer = 8388608
EOF
    influxd -config "$work/influx.conf" >"$work/influx.log" 2>&1 &
    influxd=$!
    ask() { run influx -host 127.0.0.1 -port "$base" -format csv "$@"; }
    up() { ask -execute 'SHOW DATABASES' && [ "$code" = 0 ]; }
    until_true 30 up
    check "influxd runs" code_is 0
    {
        printf '# DDL\nCREATE DATABASE monitor\n# DML\n# CONTEXT-DATABASE: monitor\n'
        cat "$work/lines"
    } >"$work/import"
    ask -import -path "$work/import" -precision ns
    check "influx imports the file" code_is 0
    check "  all lines of it" out_has "Failed 0 inserts"
    ask -database monitor -execute "SELECT count(VMDTTIME) FROM zvm_useact WHERE \"set\" = 'sample'"
    check "  and counts what FCX155 counts" is "$(tail -n 1 "$work/out" | cut -d, -f3)" "$users"
    ask -database monitor -execute "SELECT spread(VMDTTIME) FROM zvm_useact WHERE \"user\" = 'WRITER'"
    check "  and knows what the writer used" out_matches '^zvm_useact,[0-9]*,0\.[0-9]*'
    "$endicott" export -f influx -r D4R3 -o "udp://127.0.0.1:$((base + 2))" "$file"
    got_all() {
        ask -database udp -execute "SELECT count(VMDTTIME) FROM zvm_useact WHERE \"set\" = 'sample'" &&
            [ "$(tail -n 1 "$work/out" | cut -d, -f3)" = "$users" ]
    }
    until_true 10 got_all
    check "influxd takes them by UDP" is "$(tail -n 1 "$work/out" | cut -d, -f3)" "$users"
    kill "$influxd"
    wait "$influxd" 2>/dev/null
    influxd=
else
    skip "influxd takes them" "the packages influxdb and influxdb-client are not installed"
fi
done_testing
