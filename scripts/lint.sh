#!/usr/bin/env bash
# Checks the sources against the rules of the project: includes and lengths (tests/architecture/check_tree.py),
# .clang-format, shellcheck, and clang-tidy with the checks in .clang-tidy. The exit code is 1 if any check fails. A full
# run is slow, because clang-tidy parses every header again for each file.
#
#   scripts/lint.sh [FILE.cpp ...]        files for clang-tidy (default: all of lib, kernels and apps)
#
# ARMILLA_JOBS: number of files checked in parallel (default: all cores). The build folder is build-lint/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
case ${1:-} in
  -*)
    sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
    exit 2
    ;;
esac

status=0
if command -v shellcheck >/dev/null; then
  shellcheck -x scripts/slurm/*.sbatch scripts/slurm/launch.sh scripts/slurm/machines/*.env tests/slurm/*.sh || status=1
else
  echo "lint: shellcheck is not installed: shell scripts were not checked"
fi
tidy=$(command -v clang-tidy || command -v clang-tidy-14) || {
  echo "lint: clang-tidy is not installed: run scripts/install-deps.sh --clang" >&2
  exit 1
}
python3 tests/architecture/check_tree.py . || status=1
tests/architecture/format.sh . || {
  [ $? -eq 77 ] && echo "lint: formatting was not checked" || status=1
}

cmake -S . -B build-lint -DARMILLA_CUDA=OFF -DARMILLA_TESTS=OFF -DARMILLA_PRECOMPILE=OFF -DARMILLA_UNITY=OFF \
  -DCMAKE_CXX_COMPILER="$(command -v clang++ || command -v clang++-14)" >build-lint.log || {
  cat build-lint.log
  exit 1
}
rm build-lint.log
if [ $# -gt 0 ]; then
  files=("$@")
else
  # Only files compiled in this build, which excludes the CUDA files.
  mapfile -t files < <(python3 -c '
import json, os
for entry in json.load(open("build-lint/compile_commands.json")):
    print(os.path.relpath(entry["file"]))' | sort -u)
fi
printf '%s\0' "${files[@]}" |
  xargs -0 -P "$jobs" -n 1 "$tidy" -p build-lint --quiet --warnings-as-errors='*' || status=1
exit "$status"
