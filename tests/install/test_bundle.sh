#!/usr/bin/env bash
# The bundle runs where none of the system's libraries is but the C library: in a root folder of its own.
#
#   test_bundle.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
. "$source/tests/install/new_root.sh"

make_root
"$source"/scripts/bundle.sh --build "$build" --out "$work"/bundle.tar.gz
tar -C "$new_root"/opt -xzf "$work"/bundle.tar.gz

cat >"$new_root"/job.yaml <<'JOB'
version: 1
steps:
  - random_alm: {spectrum: cl.dat, spectrum_kind: cl, fields: [T], lmax: 40, seed: 3, out: a}
  - synthesis: {alm: a, grid: {healpix: {nside: 32}}, out: m}
  - analysis: {map: m, lmax: 40, out: b}
outputs:
  m: {file: m.h5}
  b: {file: b.fits}
JOB
{
  printf '# L TT\n'
  for l in $(seq 2 40); do printf '%d %s\n' "$l" "$((1000 / l))"; done
} >"$new_root"/cl.dat

in_root /opt/armilla-bundle/bin/armilla --version
in_root /bin/sh -c 'cd / && /opt/armilla-bundle/bin/armilla run job.yaml'
sum() { cksum <"$new_root/$1"; }
one=$(sum m.h5; sum b.fits)
rm "$new_root"/m.h5 "$new_root"/b.fits
in_root /bin/sh -c 'cd / && /opt/armilla-bundle/bin/mpirun -n 3 /opt/armilla-bundle/bin/armilla run job.yaml'
[ "$one" = "$(sum m.h5; sum b.fits)" ] || {
  echo "files of 1 and 3 ranks differ" >&2
  exit 1
}
for ending in png svg pdf; do
  if ! in_root /opt/armilla-bundle/bin/armilla view m.h5 -o "m.$ending" 2>"$work/said" || [ -s "$work/said" ]; then
    cat "$work/said" >&2
    echo "no picture m.$ending, or one with warnings" >&2
    exit 1
  fi
done
check_root
echo "the bundle runs with its own libraries"
