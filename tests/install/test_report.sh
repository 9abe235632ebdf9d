#!/usr/bin/env bash
# The GPU report runs from an unpacked bundle where no library of the system is but the C library, part after part, on
# the emulated device.
#
#   test_report.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
. "$source/tests/install/new_root.sh"
[ -x "$build/perf/perf_device_emulated" ] || skip "this build has no benchmarks (ARMILLA_PERF)"

make_root
add_python
"$source"/scripts/bundle.sh --build "$build" --programs emulated --out "$work"/bundle.tar --max-size 400
tar -C "$new_root"/opt -xf "$work"/bundle.tar
chmod -R a-w "$new_root"/opt

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
# part NAME OPTIONS...: its exit code in $code, its output in $work/NAME.txt.
part() {
  code=0
  in_root /bin/sh -c 'cd /tmp && exec /opt/armilla-bundle/bin/gpu_report.sh "$@"' sh "$@" >"$work/$1.txt" 2>&1 || code=$?
  cat "$work/$1.txt"
}
expect() { grep -q -- "$2" "$work/$1.txt" || fail "part $1 does not say '$2'"; }
result() {
  python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' \
    "$new_root/tmp/gpu_report/$1/results.json" "$2"
}

for name in check time deep tune peers; do
  part "$name" --budget 120
  [ "$code" = 0 ] || fail "part $name ends with exit code $code"
  expect "$name" 'emulated device: times are meaningless'
  expect "$name" 'FAILURES: 0'
  tar -tzf "$new_root"/tmp/gpu_report.tar.gz | grep "^gpu_report/$name/summary.txt" >/dev/null || fail "part $name is not archived"
done
expect check 'compute-sanitizer not found: no memcheck, no synccheck, no racecheck'
expect deep 'compute-sanitizer not found: no initcheck, no racecheck'
expect time 'ncu not found'
expect time 'nvidia-smi not found'
[ "$(result check 'sum(t["status"] == "ok" for t in r["records"]) > 10')" = True ] || fail "few tests were run"
of_three='{t["program"] for t in r["records"] if t["stage"] == "parity_3" and t["status"] == "ok"}'
[ "$(result check "$of_three == {'test_radial', 'test_points', 'test_transform', 'test_iteration', 'test_ops', 'test_job'}")" = True ] ||
  fail "no tests on three ranks"
[ "$(result time 'all(row["measured_ms"] for row in r["rows"])')" = True ] || fail "rows without a measurement"
for row in $(result time '" ".join(row["row"] for row in r["rows"])'); do
  grep -q "\`$row\`" "$source"/docs/performance.md || fail "docs/performance.md has no row '$row'"
done

for row in $(python3 -c 'import json, sys; print(*json.load(open(sys.argv[1])))' "$source"/perf/gpu_counts.json); do
  [ "$(result time "'$row' in [row['row'] for row in r['rows']]")" = True ] || fail "the report has no row '$row'"
done

expect peers 'shtns is not compared: the emulated device is no GPU'
[ "$(result peers 'all(row["measured_ms"] for row in r["rows"])')" = True ] || fail "part peers has not measured its rows"
expect tune 'rates: the emulated device has none to measure'
expect tune 'compute-sanitizer not found: no memcheck, no racecheck'
expect tune '^DECISIONS'
[ "$(result tune 'all(row["measured_ms"] for row in r["rows"]) and len(r["rows"]) == 10')" = True ] ||
  fail "part tune has not measured ten rows"
[ "$(result tune 'sum(t["stage"] == "parity" and t["status"] == "ok" for t in r["records"]) >= 5')" = True ] ||
  fail "few variants were compared with the CPU"
if python3 "$source"/perf/tuning.py "$new_root"/tmp/gpu_report/tune/tuning.json 2>"$work"/refused.txt; then
  fail "times of the emulated device choose kernels"
fi
grep -q 'the emulated device has no times' "$work"/refused.txt || fail "tuning.py ends otherwise: $(cat "$work"/refused.txt)"

for name in check deep tune; do
  skipped=$(result $name '[t["name"] for t in r["records"] if t["status"] == "skipped"]')
  [ "$skipped" = "[]" ] || fail "part $name skips $skipped"
done

# Without time, nothing is lost without a word.
part check --budget 3
[ "$code" = 0 ] || fail "a part without time ends with exit code $code"
expect check '^NOT RUN: '
expect check 'no time left'
check_root

echo "the report runs from its bundle"
