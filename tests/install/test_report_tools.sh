#!/usr/bin/env bash
# The GPU report with tools of CUDA and a GPU, all of which are stand-ins that print what the true ones print: clocks,
# metrics, sanitizers that find errors or refuse the device.
#
#   test_report_tools.sh SOURCE_DIR WORK_DIR
set -euo pipefail
source=$1
work=$2
rm -rf "$work"
mkdir -p "$work"/{bin,tools}

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
program() { # NAME: its text comes from the standard input
  cat >"$1"
  chmod 755 "$1"
}
program "$work"/bin/perf_device <<'SH'
#!/bin/sh
case "$*" in
  *--list-variants*)
    echo 'production  synthesis.tiles=block,synthesis.pairs=4,synthesis.steps=32,adjoint.pairs=4,adjoint.steps=32  jobs'
    echo 'tensor_cores  -  tensor cores'
    echo 'fast  synthesis.tiles=warp  faster'
    echo 'wrong  adjoint.steps=16  not the same bits'
    echo 'racy  adjoint.pairs=8  races'
    echo 'long  adjoint.steps=64  faster'
    exit 0 ;;
  *--parity*wrong*) echo 'parity wrong: FAILED'; exit 1 ;;
  *--parity*) exit 0 ;;
  *--compare*wrong*) exit 1 ;;
  *--compare*)
    for time in '3.0000 2.9000' '3.0150 2.9000' '3.0300 2.9000'; do
      echo "compare production synthesis $time"
      echo "compare production adjoint $time"
    done
    echo 'compare fast synthesis 2.7000 2.6000'
    echo 'compare tensor_cores synthesis 2.0000 2.0000'
    echo 'compare racy adjoint 2.0000 2.0000'
    echo 'compare long adjoint 2.8500 2.8000'
    exit 0 ;;
  *--variant*) echo "kernels: $*" ;;
esac
case "$*" in "--nlat 4096 --lmax 4095") sleep 0.4 ;; *) sleep 0.1 ;; esac
cat <<'TABLE'
NVIDIA H200, compute capability 9.0
legendre fma 3.4e+10
[ms]                    median     least
legendre synthesis      3.2000    3.1000
rings synthesis         1.0000    1.0000
synthesis               4.2000    4.1000
legendre adjoint        4.0000    3.9000
rings adjoint           1.0000    1.0000
analysis                6.0000    4.9000
TABLE
SH
program "$work"/bin/perf_device_iteration <<'SH'
#!/bin/sh
echo 'jacobi, rings       30.720 ms,   30.00 us per map and round'
echo 'immediate           71.680 ms,   70.00 us per map and round'
SH
program "$work"/bin/perf_radial <<'SH'
#!/bin/sh
echo '     4.70     10.49   4095    0.00700    0.01200     0.5000       64.0  1.9e-07  method auto'
SH
program "$work"/bin/perf_device_points <<'SH'
#!/bin/sh
case "$*" in
  *--list-variants*) printf 'production           that of jobs\npoints_tensor        tensor cores\n'; exit 0 ;;
  *--parity*) exit 0 ;;
  *--variant*tensor*) echo '   1e-06      8   8640         2.0000    1.9000         5.0000    4.9000'; exit 0 ;;
  *--variant*) echo '   1e-06      8   8640         3.0000    2.9000        10.0000    9.9000'; exit 0 ;;
esac
echo '   1e-10     13  15360     2.1000    0.04000    0.06000   points 0.020'
case "$*" in
  *shuffled*) echo 'relative errors: transpose 1.0e-15, at 202 points against the CPU 3.0e-01  TOO LARGE'; exit 1 ;;
  *) echo 'relative errors: transpose 1.0e-15, at 202 points against the CPU 2.0e-15' ;;
esac
SH
program "$work"/bin/perf_rates <<'SH'
#!/bin/sh
echo 'plain                                  1.00 ms   plain   16.50   tiles    0.00 TFMA/s'
echo 'cycles: DFMA, three operands                            3.02 of a scheduler'
SH
program "$work"/bin/armilla <<'SH'
#!/bin/sh
exit 0
SH
program "$work"/tools/nvidia-smi <<'SH'
#!/bin/sh
case "$*" in
  *-lms*) while echo '1755, 612.34'; do sleep 0.1; done ;;
  *) echo 'NVIDIA H200, 580.10, 1980 MHz, 700.00 W, 143771 MiB' ;;
esac
SH
program "$work"/tools/ncu <<'SH'
#!/bin/sh
case "$*" in
  *::Fold\<*) echo '==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access counters'; exit 1 ;;
esac
cat <<'TABLE'
==PROF== Connected to process 12
  void synthesis_kernel<8, 1, double>(PairArguments) (1, 1, 1)x(128, 1, 1), Context 1, Stream 7, Device 0, CC 9.0
    Section: Command line profiler metrics
    ------------------------------------------------------------ ----------- ------------
    Metric Name                                                  Metric Unit Metric Value
    ------------------------------------------------------------ ----------- ------------
    launch__registers_per_thread                            register/thread          128
    sm__cycles_elapsed.max                                            cycle    5,612,345
    sm__inst_executed_pipe_fp64.sum                                    inst 1,234,567.00
TABLE
SH
program "$work"/tools/compute-sanitizer <<'SH'
#!/bin/sh
echo '========= COMPUTE-SANITIZER'
case "$*" in *initcheck*)
  echo '========= Error: No CUDA device: Device not supported. Please refer to the release notes'
  exit 1 ;;
esac
errors=0
case "$*" in *racecheck*racy*) errors=1 ;; esac
case "$*" in *synccheck*IsSetToZero*) errors=1 ;; esac
while [ "${1#*/bin/}" = "$1" ]; do shift; done
"$@"
echo "========= ERROR SUMMARY: $errors errors"
exit $errors
SH
# Every pattern of plans.py matches one of these.
program "$work"/tests.py <<'PY'
#!/usr/bin/env python3
import re, sys
sys.path.insert(0, "SOURCE/perf/gpu_report")
import plans
program = sys.argv[0].split("/")[-1].replace("_mpi", "").replace("_gpu", "")
patterns = sum((table.get(program, []) for table in (plans.LARGE, plans.TINY, plans.SMALL)), [])
names = [re.sub(r"\[(.)[^]]*\]", r"\1", pattern.replace("*", "Any")) for pattern in patterns] or ["Devices.Some"]
names = [name if "." in name else name + ".Some" for name in names]
if "--gtest_list_tests" in sys.argv:
    for name in names:
        print("%s.\n  %s" % tuple(name.split(".", 1)))
    sys.exit(0)
for name in sys.argv[1].split("=")[1].split(":"):
    print("[ RUN      ] %s\n[       OK ] %s (1 ms)" % (name, name), flush=True)
PY
sed -i "s,SOURCE,$source," "$work"/tests.py
for name in test_{kernels,backend}_gpu test_{radial,points,transform,iteration,ops,job}_gpu_mpi; do
  ln -s ../tests.py "$work/bin/$name"
done

# A Python that has SHTns and no torch_harmonics.
program "$work"/tools/other_python <<'SH'
#!/bin/sh
case "$2 $#" in
  'shtns 2') echo 'version: shtns 3.7.5' ;;
  torch_harmonics*) echo 'unusable: No module named torch_harmonics'; exit 3 ;;
  *) printf 'version: shtns 3.7.5\nsynthesis 8.4000 8.3000\nanalysis 9.0000 8.9000\nround trip: relative error 1e-12\n' ;;
esac
SH

part() {
  code=0
  PATH=$work/tools:$PATH "$source"/perf/gpu_report.sh "$@" --bin "$work"/bin --out "$work"/out >"$work/$1.txt" 2>&1 || code=$?
  cat "$work/$1.txt"
}
expect() { grep -Eq -- "$2" "$work/$1.txt" || fail "part $1 does not say '$2'"; }

part time
[ "$code" = 1 ] || fail "one error that is too large: part time ends with exit code $code"
expect time 'points_4095_1e-6_shuffled: errors are too large|failed +points_4095_1e-6_shuffled .*errors are too large'
expect time 'transpose .relative error. 1e-15; values .relative error. 2e-15'
expect time 'NVIDIA H200, 580.10'
expect time '^gauss_4095 +ok .* 1755 +1755 +612 +612'
expect time '^gauss_4095_legendre_synthesis +3.2 +3.5 +[^ ]+  met'
expect time '^gauss_4095_legendre_adjoint +4 +3.5 +[^ ]+  NOT MET'
expect time '^gauss_4095_8maps_legendre_synthesis +0.4 +1.3'
expect time '^iteration_128_256maps_immediate +0.07 +0.05 .*NOT MET'
expect time 'plain .TFMA/s. 16.5'
expect time 'sm__cycles_elapsed.max +5,612,345 cycle'
expect time 'ncu returned no metrics for fold: ==ERROR== ERR_NVGPUCTRPERM'

PATH=$work/tools:$PATH "$source"/perf/gpu_report.sh time --bin "$work"/bin --out "$work"/broken >"$work/broken.txt" 2>&1 &
for _ in $(seq 300); do
  ! grep -q '^ok  *gauss_4095' "$work/broken.txt" || break
  sleep 0.2
done
kill -INT $!
code=0
wait $! || code=$?
[ "$code" = 130 ] || fail "after an interrupt: exit code $code"
expect broken '^INTERRUPTED'
expect broken 'gauss_1023: interrupted'
tar -tzf "$work"/broken.tar.gz | grep broken/time/results.json >/dev/null || fail "no archive after an interrupt"

# Two variants are excluded; of the others, the fastest are chosen and used for the rows.
part tune
[ "$code" = 2 ] || fail "a variant with wrong bits and one with a race: part tune ends with exit code $code"
expect tune '^parity +perf_device +5 +1 +0 '
expect tune '^parity +perf_device_points +2 +0 +0 '
expect tune 'points_tensor interpolation 2.000 ms, spreading 5.000 ms .1.50 / 2.00 times as fast as production'
expect tune '^racecheck +perf_device +4 +1 +0 '
expect tune '^compare_gauss_4095 +ok '
expect tune '^  synthesis: fast, takes 0.896 of the time of jobs'
expect tune '^  synthesis: tensor_cores takes 0.663 of the time of jobs; tuning.json cannot select it'
expect tune '^  adjoint: long, takes 0.945 of the time of jobs'
expect tune 'three operands .*: 3.02 \(at least 2.8: True\): operands limit FP64'
expect tune '^  excluded: wrong, parity: failed differs from the CPU or between two runs'
expect tune '^  excluded: racy, racecheck: exit code 1'
expect tune '^PROFILE adjoint: ok'
expect tune '^healpix_2048_synthesis +4.2 +8 '
grep -q 'kernels: .*--variant production+fast+long' "$work"/out/tune/gauss_4095.log || fail "the rows are of other kernels"
python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import json, tuning
print(tuning.header_of(json.load(open(sys.argv[2]))))' "$source"/perf "$work"/out/tune/tuning.json >"$work"/tuning.hpp
grep -q 'kSynthesisTiles = Tiles::kOfWarp' "$work"/tuning.hpp || fail "tuning.json gives another header"
grep -q 'kAdjointSteps = 64' "$work"/tuning.hpp || fail "tuning.json gives another header"

part peers --peers other_python
[ "$code" = 0 ] || fail "a code that is not there is a failure: exit code $code"
expect peers 'torch_harmonics is not compared: No module named torch_harmonics'
expect peers '^gauss_4095 +synthesis +4.2 +8.4 +2.00  shtns 3.7.5'
expect peers '^gauss_8191_spin1 +analysis +6 +9 +1.50  shtns 3.7.5'
[ "$(grep -c '^ok  *gauss_1023 ' "$work"/peers.txt)" = 2 ] || fail "Armilla is not timed before and after SHTns"
! grep -Eq '^gauss_359 +synthesis' "$work"/peers.txt || fail "a ratio to a code that is not there"

part check
expect check '^memcheck +test_kernels +[1-9][0-9]* +0 +0 '
expect check '^synccheck +test_kernels +[1-9][0-9]* +1 '
expect check '^racecheck +test_kernels +[1-9][0-9]* +0 +0 '
[ "$code" = 1 ] || fail "an error that a sanitizer found: exit code $code"
part deep
expect deep 'compute-sanitizer refuses this machine, no initcheck, no racecheck: .*Device not supported'
[ "$code" = 0 ] || fail "a tool that refuses the device is a failure: exit code $code"
