#!/usr/bin/env bash
# Builds Armilla with its tests and benchmarks in build/, with warnings as errors, and runs the tests. Can be repeated.
#
#   scripts/test.sh [ctest options]       such as -L unit, or -R Distribution
#
# Lists the tests that were skipped, with the reasons, and prints 'N passed, N failed, N skipped' as the last line; exit
# code 0 if nothing failed.
# ARMILLA_JOBS: parallel compilers (default: all cores); 3/2 as many tests run at a time. ARMILLA_BUILD_DIR: default build.
# ARMILLA_CUDA: ON, OFF, or AUTO (default: that of the build folder; in a new one AUTO, if nvcc is found).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
build=${ARMILLA_BUILD_DIR:-build}

scripts/install-deps.sh --tests

# Open MPI does not start as root, as in containers, without these two variables.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

configure=(-S . -B "$build" -DARMILLA_TESTS=ON -DARMILLA_PERF=ON -DARMILLA_WERROR=ON)
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
[ -z "${ARMILLA_CUDA:-}" ] || configure+=(-DARMILLA_CUDA="$ARMILLA_CUDA")
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
cmake --build "$build" -j "$jobs"

results=$PWD/$build/test_results.xml
case $build in /*) results=$build/test_results.xml ;; esac
rm -f "$results"
status=0
# Half as many tests again as cores, as some wait for the clock. The time limit is for tests that state none of their own.
# Skipped tests are found in the output of programs that pass, of which ctest keeps 1 KiB by default.
ctest --test-dir "$build" --output-on-failure -j $((jobs + jobs / 2)) --timeout 600 --test-output-size-passed 16777216 \
  --output-junit "$results" "$@" || status=$?
[ -s "$results" ] || {
  echo "test: ctest left no results (exit code $status)" >&2
  exit 1
}
python3 scripts/count_results.py "$results" || status=1
exit "$status"
