#!/usr/bin/env bash
# Runs the long version of the fault trials on build/bin/armilla, which scripts/test.sh or scripts/quickstart.sh builds.
#
#   scripts/faults.sh [SEED]
#
# Prints one line per kind of trial and, for each failed trial, the command that repeats it. The exit code is 0 if all
# trials passed. A full disk is simulated with a small file system, which requires root, or otherwise with a file size
# limit. ARMILLA_BUILD_DIR: build folder (default: build).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
binary=${ARMILLA_BUILD_DIR:-build}/bin/armilla
library=${ARMILLA_BUILD_DIR:-build}/lib/libarmilla_calls.so
for file in "$binary" "$library"; do
  [ -e "$file" ] || {
    echo "faults: $file does not exist: run scripts/test.sh first" >&2
    exit 2
  }
done
python=/usr/bin/python3
[ -x "$python" ] || python=python3
exec "$python" tests/faults --binary "$binary" --seed "${1:-1}" \
  --count race=200 --count kill=100 --count disk_full=20 --count vanish=100 --count signals=100 --count resume=60 --count read_only=20 \
  --count calls=2000 --library "$library"
