#!/usr/bin/env bash
# Fuzzes Armilla's readers for a given time: FITS, HDF5, text spectra, text points and jobs, each in a separate process.
#
#   scripts/fuzz.sh SECONDS [TARGET ...]        targets: fits hdf5 text_spectra text_points job (default: all)
#
# Builds the targets in build-fuzz/ (clang, libFuzzer, AddressSanitizer, UndefinedBehaviorSanitizer) and applies
# structure-aware mutations to well-formed files. Prints the number of files tried. A crash, a file that takes over 20 s,
# and an allocation over 512 MB are reported once each, with the stack and the file that reproduces it. The exit code is 1
# if any of these is in Armilla's code. Those in other libraries are only listed.
# ARMILLA_JOBS: number of processes (default: all cores). The corpus is kept in build-fuzz/corpus for the next run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
case ${1:-} in
  '' | *[!0-9]*)
    sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac

scripts/install-deps.sh --clang
build=build-fuzz
configure=(-S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++
  -DARMILLA_CUDA=OFF -DARMILLA_TESTS=ON -DARMILLA_FUZZ=ON
  "-DARMILLA_SANITIZE=address,undefined,float-cast-overflow,fuzzer-no-link")
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
cmake --build "$build" -j "$jobs" --target fuzz_targets

exec python3 tests/fuzz --build "$build" --jobs "$jobs" --seconds "$@"
