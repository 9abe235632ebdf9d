#!/usr/bin/env bash
# Builds Armilla with a sanitizer, without CUDA, and runs the unit and MPI tests under it, with address also those of the
# program and of the Python package.
#
#   scripts/sanitize.sh address [ctest options]    GCC, AddressSanitizer and UndefinedBehaviorSanitizer, which
#                                                  also reports conversions to integers out of range
#   scripts/sanitize.sh thread [ctest options]     clang, ThreadSanitizer, and libomp with its tool Archer, because GCC's
#                                                  OpenMP library is not instrumented
#
# ctest options, such as -R unit.io, replace the default selection of tests. Any sanitizer report makes its test fail.
# Reports from other libraries are suppressed individually, with reasons, in tests/sanitize/.
# ARMILLA_JOBS: number of parallel compilers and tests (default: all cores).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
kind=${1:-}
case $kind in
  address)
    options=("-DARMILLA_SANITIZE=address,undefined,float-cast-overflow") packages=()
    targets=(host_tests armilla armilla_trial)
    # Installed programs and batch scripts are tested without sanitizers, faults with calls that fail.
    selection=(-L '^(unit|mpi|job|python)$' -E '^(install|slurm|faults|perf|python.(newest|mpich))')
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
tests=("$@")
[ ${#tests[@]} -gt 0 ] || tests=("${selection[@]}")

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
fi
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
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
