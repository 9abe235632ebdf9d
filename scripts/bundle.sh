#!/usr/bin/env bash
# Packs armilla with the libraries it needs and MPI's run-time into one archive, for machines without packages or network:
# unpack it anywhere, run bin/armilla, or bin/mpirun -n 4 bin/armilla.
#
#   scripts/bundle.sh [--build DIR] [--out FILE.tar.gz] [--with-cufft]
#
#   --build DIR    the build to pack (default build)
#   --out FILE     the archive (default armilla-bundle.tar.gz)
#   --with-cufft   with cuFFT (0.3 GB), for machines with a GPU's driver but without CUDA's libraries
#
# Left to the machine: the kernel, the C library (the archive's README says how new it must be), and the GPU's driver.
# Needs patchelf and Open MPI.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

build=$root/build
out=armilla-bundle.tar.gz
with_cufft=no
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --out) out=${2:?--out needs a file}; shift ;;
    --with-cufft) with_cufft=yes ;;
    *) die "unknown argument '$1'; there are --build DIR, --out FILE and --with-cufft" ;;
  esac
  shift
done
[ -x "$build/bin/armilla" ] || die "there is no $build/bin/armilla: build first, or give --build DIR"
command -v patchelf >/dev/null || die "patchelf is missing: install it (Debian: apt-get install patchelf)"
command -v ompi_info >/dev/null || die "ompi_info is missing: bundles are made with Open MPI"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/armilla-bundle
mkdir -p "$bundle"/{bin,lib,libexec} "$bundle"/mpi/bin

# What the C library brings, and the driver: these must fit the machine, not the bundle.
left_out='^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libnss_.*|libnsl|libcuda)\.so'

# Libraries that an ELF file needs, one path a line.
needs() {
  ldd "$1" 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | while read -r library; do
    [[ $(basename "$library") =~ $left_out ]] || printf '%s\n' "$library"
  done
}

add_libraries_of() {
  local library name
  needs "$1" | while read -r library; do
    name=$(basename "$library")
    [ -e "$bundle/lib/$name" ] && continue
    install -m 644 "$(readlink -f "$library")" "$bundle/lib/$name"
    patchelf --force-rpath --set-rpath '$ORIGIN' "$bundle/lib/$name"
  done
}

# add_elf FILE PLACE RPATH: a program or plugin, which finds its libraries by RPATH.
add_elf() {
  add_libraries_of "$1"
  install -D -m 755 "$(readlink -f "$1")" "$bundle/$2"
  patchelf --force-rpath --set-rpath "$3" "$bundle/$2"
}

add_elf "$build/bin/armilla" libexec/armilla '$ORIGIN/../lib'

path_of() { ompi_info --path "$1" --parsable | sed -n 's/^path:[a-z]*://p'; }
prefix=$(path_of prefix)
plugins=$(path_of pkglibdir)
[ -d "$plugins" ] || die "the plugins of Open MPI are not in $plugins"
relative=${plugins#"$prefix"/}
[ "$relative" != "$plugins" ] || die "Open MPI's plugins in $plugins are not below its prefix $prefix"
up=$(sed 's,[^/][^/]*,..,g' <<<"mpi/$relative")
for program in orterun orted; do
  add_elf "$(path_of bindir)/$program" "mpi/bin/$program" '$ORIGIN/../../lib'
done
ln -s orterun "$bundle/mpi/bin/mpirun"
for plugin in "$plugins"/*.so; do
  add_elf "$plugin" "mpi/$relative/$(basename "$plugin")" "\$ORIGIN/$up/lib"
done
cp -r "$(path_of pkgdatadir)" "$bundle/mpi/share-openmpi"
# PMIx and UCX have plugins of their own, next to their libraries or below a prefix of theirs.
pmix_plugins=$(find /usr/lib /usr/local/lib -type d -path '*/pmix*/lib/pmix' 2>/dev/null | head -n 1)
if [ -n "$pmix_plugins" ]; then
  for plugin in "$pmix_plugins"/*.so; do
    add_elf "$plugin" "mpi/pmix/lib/pmix/$(basename "$plugin")" '$ORIGIN/../../../../lib'
  done
  pmix_prefix=$(dirname "$(dirname "$pmix_plugins")")
  [ -d "$pmix_prefix/share" ] && cp -rL "$pmix_prefix/share" "$bundle/mpi/pmix/share"
fi
ucs=$(needs "$plugins"/mca_pml_ucx.so 2>/dev/null | grep -m 1 libucs || true)
if [ -n "$ucs" ] && [ -d "$(dirname "$ucs")/ucx" ]; then
  for plugin in "$(dirname "$ucs")"/ucx/*.so*; do
    add_elf "$plugin" "lib/ucx/$(basename "$plugin")" '$ORIGIN/..'
  done
fi

if [ "$with_cufft" = yes ]; then
  cufft=$(find "${CUDA_HOME:-/usr/local/cuda}/lib64" -name 'libcufft.so.[0-9]*' 2>/dev/null | sort | head -n 1)
  [ -n "$cufft" ] || die "--with-cufft: no libcufft.so in ${CUDA_HOME:-/usr/local/cuda}/lib64; set CUDA_HOME"
  install -m 644 "$(readlink -f "$cufft")" "$bundle/lib/$(basename "$cufft")"
fi

cat >"$bundle/libexec/environment" <<'ENVIRONMENT'
# Where the parts of MPI are; $home is the folder of the bundle.
export OPAL_PREFIX=$home/mpi OPAL_PKGDATADIR=$home/mpi/share-openmpi OPAL_DATADIR=$home/mpi
export PMIX_PREFIX=$home/mpi/pmix PMIX_INSTALL_PREFIX=$home/mpi/pmix
export PMIX_PKGLIBDIR=$home/mpi/pmix/lib/pmix PMIX_PKGDATADIR=$home/mpi/pmix/share/pmix
export OMPI_MCA_orte_launch_agent=$home/mpi/bin/orted
# Open MPI insists on a remote shell, even where all ranks are on this machine.
command -v ssh >/dev/null || command -v rsh >/dev/null || export OMPI_MCA_plm_rsh_agent=sh
export LD_LIBRARY_PATH=$home/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
ENVIRONMENT
for name in armilla mpirun; do
  program=libexec/armilla
  [ "$name" = mpirun ] && program=mpi/bin/mpirun
  cat >"$bundle/bin/$name" <<WRAPPER
#!/bin/sh
home=\$(cd "\${0%/*}/.." && pwd)
. "\$home/libexec/environment"
exec "\$home/$program" "\$@"
WRAPPER
  chmod 755 "$bundle/bin/$name"
done

glibc=$(find "$bundle" -type f \( -name '*.so*' -o -perm -u+x \) -exec sh -c 'objdump -T "$1" 2>/dev/null' _ {} \; |
  grep -o 'GLIBC_[0-9][0-9.]*' | sort -uV | tail -n 1 | sed 's/GLIBC_//')
needed="the C library (glibc $glibc or newer) and, for GPUs, the driver"
[ "$with_cufft" = yes ] || needed="$needed with CUDA's cuFFT"
cat >"$bundle/README" <<TEXT
Armilla with all it needs but $needed.

  bin/armilla --version
  bin/mpirun -n 4 bin/armilla run job.yaml

The folder may be anywhere; ranks on several machines need it at the same path on each.
TEXT
tar -C "$work" -czf "$out" armilla-bundle
printf 'bundle: %s, %s, for glibc %s or newer\n' "$out" "$(du -h "$out" | cut -f1)" "$glibc"
