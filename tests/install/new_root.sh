# For tests of bundles: a root folder with a shell and the C library, and nothing else of the system. Sourced.
# shellcheck shell=bash

skip() {
  printf 'SKIPPED: %s\n' "$*"
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
new_root=$work/root
trap 'umount "$new_root"/{proc,sys,dev} 2>/dev/null || true; rm -rf --one-file-system "$work"' EXIT

# A program of the system, with a library that only it needs, at most: libselinux of id.
add_system_program() {
  install -D "$(readlink -f "$1")" "$new_root$1"
  ldd "$1" | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | grep -E 'libselinux|libpcre' | while read -r library; do
    install -D "$(readlink -f "$library")" "$new_root/lib/$(basename "$library")"
  done || true
}

make_root() {
  local file library path device
  mkdir -p "$new_root"/{opt,tmp,etc,dev,proc,sys}
  for file in /bin/sh /bin/dash; do
    [ ! -e "$file" ] || install -D "$(readlink -f "$file")" "$new_root$file"
  done
  add_system_program /usr/bin/id
  for library in libc.so.6 libm.so.6 libdl.so.2 librt.so.1 libpthread.so.0 libresolv.so.2 libutil.so.1 \
    ld-linux-x86-64.so.2 ld-linux-aarch64.so.1; do
    path=$(ldconfig -p | sed -n "s,.*$library .*=> ,,p" | head -n 1)
    [ -z "$path" ] || install -D "$(readlink -f "$path")" "$new_root/lib/$library"
  done
  ln -s lib "$new_root"/lib64
  printf 'root:x:0:0:root:/:/bin/sh\n' >"$new_root"/etc/passwd
  for device in null zero random urandom; do
    : >"$new_root/dev/$device"
  done
  mount --bind /dev "$new_root"/dev 2>/dev/null || cp -a /dev/null "$new_root"/dev/ 2>/dev/null || true
  mount -t proc proc "$new_root"/proc 2>/dev/null || true
  mount --bind /sys "$new_root"/sys 2>/dev/null || true
}

# Python with its own copies of the libraries that it needs, which nothing but it finds.
add_python() {
  local python stdlib version name file library
  python=$(python3 -c 'import sys; print(sys.executable)')
  stdlib=$(python3 -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')
  version=$(basename "$stdlib")
  mkdir -p "$new_root/python/lib"
  install -D "$(readlink -f "$python")" "$new_root/python/bin/python3"
  tar -C "$(dirname "$stdlib")" --exclude site-packages --exclude dist-packages --exclude test --exclude __pycache__ \
    --exclude 'config-*' --exclude idlelib --exclude tkinter --exclude ensurepip --exclude '*tkinter*' \
    --exclude '_*test*' -c "$version" | tar -C "$new_root/python/lib" -x
  for file in "$new_root"/python/bin/python3 "$new_root/python/lib/$version"/lib-dynload/*.so; do
    ldd "$file" | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | while read -r library; do
      name=$(basename "$library")
      [ -e "$new_root/lib/$name" ] || [ -e "$new_root/python/lib/$name" ] ||
        install "$(readlink -f "$library")" "$new_root/python/lib/$name"
    done
    patchelf --force-rpath --set-rpath /python/lib "$file"
  done
  for file in "$new_root"/python/lib/*.so*; do
    patchelf --force-rpath --set-rpath /python/lib "$file"
  done
  printf '#!/bin/sh\nexec /python/bin/python3 "$@"\n' >"$new_root"/bin/python3
  chmod 755 "$new_root"/bin/python3
}

in_root() {
  env -i PATH=/bin:/usr/bin HOME=/tmp TMPDIR=/tmp OMP_NUM_THREADS=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
    OMPI_MCA_hwloc_base_binding_policy=none "${change_root[@]}" "$new_root" "$@"
}

# Nothing beside the bundle brings what the bundle has to bring.
check_root() {
  if find "$new_root" \( -path "$new_root"/proc -o -path "$new_root"/dev -o -path "$new_root"/sys \) -prune \
    -o -name 'libhdf5*' -print | grep -v armilla-bundle; then
    echo "the root folder has libraries that it should not have" >&2
    exit 1
  fi
}
