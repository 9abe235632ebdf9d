#!/bin/sh
# Runs everything that requires a GPU, in parts: tests, compute-sanitizer, benchmarks, profiles.
#
#   gpu_report.sh PART [options]       gpu_report.sh --help lists parts and options
#
# Runs from a bundle (scripts/bundle.sh --programs gpu) or from a checkout with a build. Requires Python 3.8 or newer and
# the GPU driver. Uses compute-sanitizer, ncu, nvidia-smi and mpirun if present.
set -eu
case $0 in
  */*) home=${0%/*} ;;
  *) home=. ;;
esac
command -v python3 >/dev/null || {
  echo "gpu_report: python3 is missing" >&2
  exit 125
}
PYTHONDONTWRITEBYTECODE=1 exec python3 "$home/gpu_report" "$@"
