#!/usr/bin/env bash
# The bundle runs where none of the system's libraries is but the C library: in a root folder of its own.
#
#   test_bundle.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1
source=$2
skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}
command -v patchelf >/dev/null || skip "patchelf is missing"
command -v ompi_info >/dev/null || skip "this MPI is not Open MPI"
change_root=("$(PATH=$PATH:/usr/sbin:/sbin command -v chroot)")
if [ "$(id -u)" != 0 ]; then
  unshare --map-root-user true 2>/dev/null || skip "no right to change the root folder"
  change_root=("$(command -v unshare)" --map-root-user "${change_root[@]}")
fi

work=$(mktemp -d)
trap 'umount "$work"/root/{proc,sys,dev} 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT
"$source"/scripts/bundle.sh --build "$build" --out "$work"/bundle.tar.gz
mkdir -p "$work"/root/{opt,tmp,etc,dev,proc,sys}
new_root=$work/root
tar -C "$new_root"/opt -xzf "$work"/bundle.tar.gz
# A shell and the C library, and nothing else.
for file in /bin/sh /bin/dash; do
  [ -e "$file" ] && install -D "$(readlink -f "$file")" "$new_root$file"
done
for library in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libutil.so.1 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1; do
  path=$(ldconfig -p | sed -n "s,.*$library .*=> ,,p" | head -n 1)
  [ -n "$path" ] && install -D "$(readlink -f "$path")" "$new_root/lib/$library"
done
ln -s lib "$new_root"/lib64
printf 'root:x:0:0:root:/:/bin/sh\n' >"$new_root"/etc/passwd
for device in null zero random urandom; do
  : >"$new_root/dev/$device"
done
mount --bind /dev "$new_root"/dev 2>/dev/null || cp -a /dev/null "$new_root"/dev/ 2>/dev/null || true
mount -t proc proc "$new_root"/proc 2>/dev/null || true
mount --bind /sys "$new_root"/sys 2>/dev/null || true

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

in_root() {
  env -i PATH=/bin HOME=/tmp TMPDIR=/tmp OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_NUM_THREADS=1 \
    OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none "${change_root[@]}" "$new_root" "$@"
}
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
if find "$new_root" -path "$new_root"/proc -prune -o -path "$new_root"/dev -prune -o -name 'libhdf5*' -print | grep -v armilla-bundle; then
  echo "the root folder has libraries that it should not have" >&2
  exit 1
fi
echo "the bundle runs with its own libraries"
