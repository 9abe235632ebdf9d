#!/usr/bin/env bash
# What the GPU report says of tests that fail, hang, crash or see no device, each of which must cost one test alone; and
# of an interrupt. A program that prints as tests do stands in for them.
#
#   test_report_faults.sh SOURCE_DIR WORK_DIR
set -euo pipefail
source=$1
work=$2
mkdir -p "$work/bin"
export PYTHONDONTWRITEBYTECODE=1

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
cat >"$work/bin/test_kernels_emulated" <<'PROGRAM'
#!/usr/bin/env python3
import os, sys, time
names = ["Good", "Bad", "Slow", "Crash", "Blind", "Last"]
if "--gtest_list_tests" in sys.argv:
    print("Running main() from here\nSome.\n  " + "\n  ".join(names))
    sys.exit(0)
chosen = sys.argv[1].split("=")[1].split(":")
bad = False
for name in names:
    if "Some." + name not in chosen:
        continue
    print("[ RUN      ] Some." + name, flush=True)
    if name == "Slow":
        time.sleep(1000)
    if name == "Crash":
        os.abort()
    if name == "Blind":
        print("test.cpp:1: Skipped\nno GPU is visible")
    bad = bad or name == "Bad"
    word = {"Bad": " FAILED ", "Blind": " SKIPPED"}.get(name, "      OK")
    print("[ %s ] Some.%s (1 ms)" % (word, name), flush=True)
sys.exit(bad)
PROGRAM
chmod 755 "$work/bin/test_kernels_emulated"
cat >"$work/drive.py" <<'DRIVE'
import os, signal, sys, threading
sys.path.insert(0, sys.argv[1] + "/perf/gpu_report")
import gtests, process, report
program = sys.argv[2] + "/bin/test_kernels_emulated"
found = report.Report(sys.argv[2] + "/out", "check", "emulated", True, [])
log = found.log_path("list")
names = gtests.list_tests(program, log, process.Budget(60), dict(os.environ))
assert names == ["Some.Good", "Some.Bad", "Some.Slow", "Some.Crash", "Some.Blind", "Some.Last"], names
gtests.run_tests(found, "a", "p", [program], names, 2, process.Budget(60), dict(os.environ))
statuses = [record["status"] for record in found.records]
assert statuses == ["ok", "failed", "hung", "failed", "failed", "ok"], found.records
assert found.records[3]["reason"] == "killed by signal 6", found.records[3]
assert found.records[4]["reason"] == "no GPU is visible", found.records[4]

found.records.clear()
gtests.run_tests(found, "b", "p", [program], names[2:], 60, process.Budget(4), dict(os.environ))
assert [(r["status"], r["reason"]) for r in found.records] == [("not run", "no time left")] * 4, found.records

found.records.clear()
def interrupt():
    process.Budget.interrupted = True
threading.Timer(1, interrupt).start()
gtests.run_tests(found, "c", "p", [program], names, 60, process.Budget(60), dict(os.environ))
reasons = [(record["status"], record["reason"]) for record in found.records]
assert reasons == [("ok", ""), ("failed", "an expectation failed")] + [("not run", "interrupted")] * 4, reasons
assert found.finish() == 1
DRIVE
python3 "$work/drive.py" "$source" "$work" || fail "the report does not tell faults apart"

code=0
"$source"/perf/gpu_report.sh check --bin "$work/nothing" 2>"$work/said" || code=$?
[ "$code" = 125 ] && grep -q 'no programs in' "$work/said" || fail "without programs: exit code $code"
code=0
"$source"/perf/gpu_report.sh all 2>"$work/said" || code=$?
[ "$code" = 125 ] || fail "an unknown part: exit code $code"

mkdir -p "$work/build"
echo 'CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED=80-real;90' >"$work/build/CMakeCache.txt"
"$source"/scripts/bundle.sh --build "$work/build" --programs gpu 2>"$work/said" && fail "programs for two architectures were packed"
grep -q -- '-DCMAKE_CUDA_ARCHITECTURES=90-real' "$work/said" || fail "bundle.sh does not say how to build for one architecture"
