#!/usr/bin/env bash
# Builds Armilla with its tests in build/, with warnings as errors, and runs the tests. It can be run repeatedly.
#
#   scripts/test.sh [--all] [ctest options]       for example -L unit, or -R Distribution
#
# Without --all, it builds and runs the first tier: every guarantee, step, grid, file format and direction at least once.
# --all: also the second tier: parameter sweeps, 2 and 7 ranks, more fault trials, GPU programs, benchmarks and the GPU
# report on the emulated device, and all CUDA architectures.
#
# Lists skipped tests with the reasons, and the ten tests that take the most CPU time. The last line is
# 'N passed, N failed, N skipped'. The exit code is 0 if nothing failed.
# ARMILLA_JOBS: number of parallel compilers (default: all cores); 1.5 times as many tests run in parallel.
# ARMILLA_BUILD_DIR: build folder (default: build).
# It builds the Python package with nanobind and scikit-build-core from PyPI, in the virtual environment
# BUILD/python_env. Without PyPI its tests are skipped.
# ARMILLA_CUDA: ON, OFF, or AUTO, which enables CUDA if nvcc is found (default: the setting of the build folder, or AUTO
# in a new one). New build folders of the first tier compile CUDA for one architecture only: that of the GPU, or
# 9.0 where there is none.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
build=${ARMILLA_BUILD_DIR:-build}
tier=OFF
capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | sed -n '1s/^\([0-9]*\)\.\([0-9]\)$/\1\2/p' || true)
architectures=${capability:-90}-real
if [ "${1:-}" = --all ]; then
  tier=ON
  architectures='80-real;90'
  shift
fi

dependencies=(--tests)
[ $tier = OFF ] || dependencies+=(--mpich)
scripts/install-deps.sh "${dependencies[@]}"

# Open MPI does not start as root, for example in containers, without these two variables.
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

configure=(-S . -B "$build" -DARMILLA_TESTS=ON -DARMILLA_SWEEPS=$tier -DARMILLA_PERF=$tier -DARMILLA_WERROR=ON)
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
# A build folder keeps its architectures, but for those that --all adds.
if [ ! -f "$build/CMakeCache.txt" ] ||
  { [ $tier = ON ] && grep -q 'CUDA_ARCHITECTURES:[A-Z]*=[0-9]*-real$' "$build/CMakeCache.txt"; }; then
  configure+=("-DCMAKE_CUDA_ARCHITECTURES=$architectures")
fi
[ -z "${ARMILLA_CUDA:-}" ] || configure+=(-DARMILLA_CUDA="$ARMILLA_CUDA")
if python=$(scripts/python_env.sh "$build"); then
  configure+=(-DARMILLA_PYTHON=ON "-DPython_EXECUTABLE=$python")
else
  echo "test: the Python package is neither built nor tested"
  configure+=(-DARMILLA_PYTHON=OFF)
fi
# The second tier also tests it with the newest packages, and with MPICH.
[ $tier = OFF ] || scripts/python_env.sh "$build" newest >/dev/null || true
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
TIMEFORMAT='test: the build took %0R s, and %0U s of user and %0S s of system CPU time'
time cmake --build "$build" -j "$jobs"

results=$PWD/$build/test_results.xml
case $build in /*) results=$build/test_results.xml ;; esac
rm -f "$results"
status=0
# More tests than cores, as some tests sleep. The time limit applies to tests that do not set one.
# Skipped tests are identified from the output of passing programs, of which ctest keeps only 1 KiB by default.
ctest --test-dir "$build" --output-on-failure -j $((jobs + jobs / 2)) --timeout 600 \
  --test-output-size-passed 16777216 --test-output-size-failed 16777216 \
  --output-junit "$results" "$@" || status=$?
[ -s "$results" ] || {
  echo "test: ctest wrote no results (exit code $status)" >&2
  exit 1
}
python3 scripts/count_results.py "$results" || status=1
exit "$status"
