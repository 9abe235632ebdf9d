#!/usr/bin/env bash
# Armilla inside another project: it configures, its headers are found, and the plan to build a program has all that the
# library needs, but neither tests nor programs. Only the program's own source is compiled, which takes seconds.
#   test_subproject.sh SOURCE_FOLDER CMAKE_OPTIONS...
set -euo pipefail
source=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}
command -v ninja >/dev/null || {
  echo "SKIPPED: ninja is missing"
  exit 77
}
cmake -G Ninja -S "$source/tests/install/subproject" -B "$folder" -DARMILLA_SOURCE_DIR="$source" "$@"
ninja -C "$folder" examples/CMakeFiles/random_sky.dir/random_sky.cpp.o
ninja -C "$folder" -t commands >"$folder/plan.txt"
for part in examples/random_sky libarmilla.so armilla_api.dir armilla_fft.dir; do
  grep -qF "$part" "$folder/plan.txt" || fail "the build does not make $part"
done
if grep -E '_deps/armilla-build/(tests|apps|perf)|armilla_(bench|doctor|draw)\.dir' "$folder/plan.txt"; then
  fail "the build makes more of Armilla than its library"
fi
tests=$(ctest --test-dir "$folder" -N | sed -n 's/^Total Tests: //p')
[ "$tests" = 0 ] || fail "$tests tests of Armilla are in the project around it"
cmake --install "$folder" --prefix "$folder/usr" >"$folder/install.log" 2>&1 || { cat "$folder/install.log"; fail "install"; }
[ ! -e "$folder/usr" ] || fail "Armilla is installed with the project around it: $(find "$folder/usr" -type f | head -n 3)"
echo "PASSED"
