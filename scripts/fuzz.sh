#!/usr/bin/env bash
# Fuzzes the readers of Armilla for a given time: FITS, HDF5, text spectra and jobs, each in a separate process.
#
#   scripts/fuzz.sh SECONDS [TARGET ...]        targets: fits hdf5 text_spectra text_points job (default: all)
#
# Builds the targets in build-fuzz/ (clang, libFuzzer, AddressSanitizer, UndefinedBehaviorSanitizer), and mutates
# well-formed files by their structure. Prints how many files were tried, and each crash, file that took over 20 s and
# allocation over 512 MB once, with its stack and the file that reproduces it. Exit code 1 if one of them is in Armilla's
# code; those within other libraries are listed.
# ARMILLA_JOBS: number of processes (default: all cores). build-fuzz/corpus keeps the corpus for the next run.
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
  -DARMILLA_CUDA=OFF -DARMILLA_TESTS=ON -DARMILLA_FUZZ=ON -DARMILLA_SANITIZE=address,undefined,fuzzer-no-link)
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake "${configure[@]}"
cmake --build "$build" -j "$jobs" --target fuzz_targets

exec python3 tests/fuzz --build "$build" --jobs "$jobs" --seconds "$@"
