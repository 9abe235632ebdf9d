#!/usr/bin/env bash
# Builds Armilla with a sanitizer, without CUDA, and runs the unit and MPI tests under it, with address also those of the
# program and of the Python package.
#
#   scripts/sanitize.sh address [ctest options]    GCC, AddressSanitizer and UndefinedBehaviorSanitizer, which
#                                                  also reports conversions to integers out of range
#   scripts/sanitize.sh thread [ctest options]     clang, ThreadSanitizer, and libomp with its tool Archer, because GCC's
#                                                  OpenMP library is not instrumented
#
# ctest options, such as -R unit.io or -L python, replace the default selection of tests. Only what these tests need is
# built. Any sanitizer report makes its test fail.
# Reports from other libraries are suppressed individually, with reasons, in tests/sanitize/.
# ARMILLA_JOBS: number of parallel compilers and tests (default: all cores).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
kind=${1:-}
case $kind in
  address)
    options=("-DARMILLA_SANITIZE=address,undefined,float-cast-overflow") packages=()
    targets=(armilla armilla_trial)
    selection=(-L '^(unit|mpi|job|python)$')
    ;;
  thread)
    options=(-DARMILLA_SANITIZE=thread -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++)
    packages=(--clang)
    targets=(host_tests)
    selection=(-L '^(unit|mpi)$')
    ;;
  *)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
shift
# Installed programs, batch scripts and MPICH are tested without sanitizers, faults with calls that fail.
tests=(-E '^(install|slurm|faults|perf|python.mpich)')
if [ $# -gt 0 ]; then tests+=("$@"); else tests+=("${selection[@]}"); fi

scripts/install-deps.sh --tests "${packages[@]}"
[ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

build=build-$kind
# Only line tables as debug information, and little optimisation: this halves the build time.
configure=(-S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG"
  -DARMILLA_CUDA=OFF -DARMILLA_TESTS=ON -DARMILLA_SWEEPS=ON "${options[@]}")
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
if [ "$kind" = address ] && python=$(scripts/python_env.sh "$build"); then
  configure+=(-DARMILLA_PYTHON=ON "-DPython_EXECUTABLE=$python")
  targets+=(armilla_python armilla_python_emulated)
  scripts/python_env.sh "$build" newest >/dev/null || true  # for the tests with JAX, ducc0 and xarray
fi
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
# Without unit and MPI tests in the selection, as with -L python, half of the build is not needed.
if [[ $(ctest --test-dir "$build" -N "${tests[@]}") =~ :\ (unit|mpi)\. ]]; then targets+=(host_tests); fi
cmake --build "$build" -j "$jobs" --target "${targets[@]}"

if [ "$kind" = thread ]; then
  archer=$(find /usr/lib/llvm-*/lib /usr/lib64 /usr/lib -maxdepth 1 -name libarcher.so 2>/dev/null | sort -V | tail -n 1)
  [ -n "$archer" ] || {
    echo "sanitize: libarcher.so is not installed: install LLVM's OpenMP library, which includes it (Debian: libomp-dev)" >&2
    exit 2
  }
  export OMP_TOOL_LIBRARIES=$archer
fi
ctest --test-dir "$build" --output-on-failure -j "$jobs" "${tests[@]}"
