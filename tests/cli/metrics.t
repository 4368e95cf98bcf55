#!/bin/sh
# SPDX-License-Identifier: MIT
# Metrics of a running system over HTTP: what they say, who gets them; Debian's prometheus scrapes
# them and answers a query, promtool finds nothing wrong. Skipped, loudly, where it is not installed.
. "$(dirname "$0")/tap.sh"
XDG_RUNTIME_DIR=$work/run XDG_STATE_HOME=$work/state
mkdir -p "$XDG_RUNTIME_DIR"
export XDG_RUNTIME_DIR XDG_STATE_HOME

prometheus=
at_end() {
    [ -z "$prometheus" ] || kill "$prometheus" 2>/dev/null
    [ -z "${taker-}" ] || kill "$taker" 2>/dev/null
    "$endicott" stop >/dev/null 2>&1
}
skip() { # COUNT NAME WHY
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}
port_of_log() {
    sed -n 's#.*has http://127.0.0.1:\([0-9]*\)/metrics.*#\1#p' "$work/state/endicott/endicott.log"
}

# get PATH [HEADER]: the answer's body in $work/out, its head in $work/err.
get() {
    command="GET $1 ${2-}" code=0
    printf 'GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%s\r\n' "$1" "${3:-localhost:$port}" \
        "${2:+$2
}" >"$work/request"
    timeout 20 perl -MIO::Socket::INET -e '
        my ($port, $file) = @ARGV;
        open my $f, "<", $file; local $/; my $request = <$f>;
        $request =~ s/\r?\n/\r\n/g;
        my $s = IO::Socket::INET->new(PeerAddr => "127.0.0.1", PeerPort => $port) or exit 1;
        print $s $request;
        my $all = <$s>; my ($head, $body) = split /\r\n\r\n/, $all, 2;
        print STDERR $head; print $body' "$port" "$work/request" >"$work/out" 2>"$work/err" || code=$?
}

fails 2 "start: 'x' is not a port" "$endicott" start --metrics x
fails 2 "start: '70000' is not a port" "$endicott" start --metrics 70000
run "$endicott" start --metrics 0
check "start --metrics" code_is 0
until_true 10 test -n "$(port_of_log)"
port=$(port_of_log)
check "  the log says where" test -n "$port"
run "$endicott" cp monitor sample interval 6 seconds
run "$endicott" cp query monitor sample
check "  sampling was started" out_matches 'MONITOR SAMPLE ACTIVE'

get /metrics
check "GET /metrics" code_is 0
check "  200" err_has "200 OK"
check "  the older text for whoever asks for nothing else" err_has "text/plain; version=0.0.4"
check "  samples are counted" out_matches '^zvm_samples_total [0-9]'
check "  a user's CPU time" out_matches '^zvm_useact_vmdttime_seconds_total{user="OPERATOR",vcpu="0"} [0-9.]*$'
check "  has its type" out_has "# TYPE zvm_useact_vmdttime_seconds_total counter"
get /metrics "Accept: application/openmetrics-text; version=1.0.0"
check "OpenMetrics for whoever accepts it" err_has "application/openmetrics-text; version=1.0.0"
check "  a counter's family without _total" out_has "# TYPE zvm_useact_vmdttime_seconds counter"
check "  units" out_has "# UNIT zvm_useact_vmdttime_seconds seconds"
check "  an end" is "$(tail -n 1 "$work/out")" "# EOF"
get /other
check "another path" err_has "404"
get /metrics "" "attacker.example:$port"
check "another host's name" err_has "403"
run "$endicott" start --name second --metrics "$port"
check "a port that is taken" code_is 1
check "  is told" err_has "metrics: port $port"

if command -v promtool >/dev/null; then
    get /metrics
    cp "$work/out" "$work/text"
    run sh -c "promtool check metrics <'$work/text'"
    check "promtool accepts them" code_is 0
    check "  and has nothing to say" is "$(cat "$work/out" "$work/err")" ""
else
    skip "promtool accepts them" "the package prometheus is not installed"
fi

if command -v prometheus >/dev/null; then
    web=$((20000 + $$ % 20000))
    cat >"$work/prometheus.yml" <<EOF
global: {scrape_interval: 1s}
scrape_configs:
  - job_name: zvm
    static_configs: [{targets: ["127.0.0.1:$port"]}]
EOF
    run promtool check config "$work/prometheus.yml"
    check "the configuration is good" code_is 0
    prometheus --config.file="$work/prometheus.yml" --storage.tsdb.path="$work/tsdb" \
        --web.listen-address="127.0.0.1:$web" >"$work/prometheus.log" 2>&1 &
    prometheus=$!
    query() { run promtool query instant "http://127.0.0.1:$web" "$1"; }
    up() { query 'up{job="zvm"}' && grep -q '=> 1 @' "$work/out"; }
    until_true 30 up
    check "prometheus scrapes them" out_has '=> 1 @'
    query 'zvm_mtrsys_info'
    check "  and answers who it is" out_has 'systmid='
    query 'count(zvm_sytprp_pfxtotwt_seconds_total)'
    check "  and how many processors" out_matches '=> [1-9]'
    query 'sum(zvm_useact_vmdttime_seconds_total) by (user)'
    check "  and what users used" out_has 'user="OPERATOR"'
    check "  and has no complaints" is "$(grep -c -e 'level=warn.*scrape' -e 'level=error' "$work/prometheus.log")" 0
    kill "$prometheus"
    wait "$prometheus" 2>/dev/null
    prometheus=
else
    skip "prometheus scrapes them" "the package prometheus is not installed"
fi
run "$endicott" stop
check "stop" code_is 0
done_testing
