#!/usr/bin/env bash
# Holds C++ and CUDA sources to .clang-format: prints what differs and exits with 1; with 77 where the program is missing.
# $1: the source folder.
# The version of clang-format matters: 14, which Debian 12 and Ubuntu 22.04 to 24.04 have.
set -euo pipefail
cd "$1"
program=$(command -v clang-format-14) || {
  echo "format: clang-format-14 is not installed (Debian: clang-format-14; scripts/install-deps.sh --tests installs it)" >&2
  exit 77
}
# highway_targets.hpp: the order of its lines is part of what they say.
find lib kernels apps tests perf docs/examples -name highway_targets.hpp -prune -o \
  \( -name '*.hpp' -o -name '*.cpp' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
  xargs -0 "$program" --dry-run --Werror
