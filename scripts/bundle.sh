#!/usr/bin/env bash
# Packs armilla with its libraries and the MPI runtime into one archive, for machines without packages or network:
# unpack it anywhere, run bin/armilla, or bin/mpirun -n 4 bin/armilla.
#
#   scripts/bundle.sh [--build DIR] [--out FILE] [--programs gpu|emulated] [--max-size MIB] [--with-cufft]
#
#   --build DIR        the build to pack (default build)
#   --out FILE         the archive, .tar, .tar.gz or .tar.xz (default armilla-bundle.tar.gz, with --programs gpu .tar.xz)
#   --programs DEVICE  also pack the tests and benchmarks for a GPU, or the same programs for the emulated
#                      device, and bin/gpu_report.sh, which runs them (perf/gpu_report.sh). Needs ARMILLA_PERF=ON, and for a GPU a
#                      build for one CUDA architecture: -DCMAKE_CUDA_ARCHITECTURES=90-real
#   --max-size MIB     fail if the archive is larger, for transfers that limit the size (default 48 with --programs
#                      gpu, else no limit)
#   --with-cufft       with cuFFT (0.3 GB), for machines with a GPU driver but without the CUDA libraries
#
# Not included: the kernel, the C library (the README of the archive gives the version), and the GPU driver.
# Needs patchelf and Open MPI.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

die() {
  printf 'bundle: %s\n' "$*" >&2
  exit 1
}

build=$root/build
out=
programs=none
max_size=
with_cufft=no
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --out) out=${2:?--out needs a file}; shift ;;
    --programs) programs=${2:?--programs needs gpu or emulated}; shift ;;
    --max-size) max_size=${2:?--max-size needs a number of MiB}; shift ;;
    --with-cufft) with_cufft=yes ;;
    *) die "unknown argument '$1'; there are --build DIR, --out FILE, --programs gpu|emulated, --max-size MIB and --with-cufft" ;;
  esac
  shift
done
files=()
case $programs in
  none) out=${out:-armilla-bundle.tar.gz} ;;
  emulated)
    out=${out:-armilla-bundle.tar.gz}
    files=(tests/test_{kernels,backend}_emulated tests/test_{radial,points,transform,iteration,ops,job}_emulated_mpi
      perf/perf_{device,device_iteration,device_points,radial}_emulated) ;;
  gpu)
    out=${out:-armilla-bundle.tar.xz}
    max_size=${max_size:-48}
    files=(tests/test_{kernels,backend}_gpu tests/test_{radial,points,transform,iteration,ops,job}_gpu_mpi
      perf/perf_{device,device_iteration,device_points,radial,tensor_rate})
    # Each architecture is tens of MB in each program. "90" stands for machine code and PTX, "90-real" for machine code only.
    architectures=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$build/CMakeCache.txt" 2>/dev/null || true)
    [[ $architectures =~ ^[0-9]+[af]?-real$ ]] ||
      die "--programs gpu: the build in $build is for CUDA architectures '${architectures:-80-real;90}', not for one" \
        "alone: configure one with -DCMAKE_CUDA_ARCHITECTURES=90-real" ;;
  *) die "--programs is gpu or emulated, not '$programs'" ;;
esac
case $out in
  *.tar) compress=(cat) ;;
  *.tar.gz) compress=(gzip -9) ;;
  *.tar.xz) compress=(xz -9 -T0) ;;
  *) die "--out $out: the name must end with .tar, .tar.gz or .tar.xz" ;;
esac
for file in "${files[@]}"; do
  [ -x "$build/$file" ] || die "there is no $build/$file: build all of a build with ARMILLA_TESTS=ON and ARMILLA_PERF=ON"
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

# install_elf FILE PLACE MODE RPATH: without symbols, which must go before the RPATH comes.
install_elf() {
  install -D -m "$3" "$(readlink -f "$1")" "$bundle/$2"
  strip --strip-unneeded "$bundle/$2"
  patchelf --force-rpath --set-rpath "$4" "$bundle/$2"
}

add_libraries_of() {
  local library name
  needs "$1" | while read -r library; do
    name=$(basename "$library")
    [ -e "$bundle/lib/$name" ] && continue
    install_elf "$library" "lib/$name" 644 '$ORIGIN'
  done
}

# add_elf FILE PLACE RPATH: a program or plugin, which finds its libraries by RPATH.
add_elf() {
  add_libraries_of "$1"
  install_elf "$1" "$2" 755 "$3"
}

wrapped=(libexec/armilla mpi/bin/mpirun)
add_elf "$build/bin/armilla" libexec/armilla '$ORIGIN/../lib'
# For armilla view: the module that it loads, and a font.
add_elf "$build/lib/libarmilla_cairo.so" lib/libarmilla_cairo.so '$ORIGIN'
font=$(find /usr/share/fonts "${CONDA_PREFIX:-/usr/share}/fonts" -name DejaVuSans.ttf 2>/dev/null | head -n 1 || true)
[ -n "$font" ] || die "there is no DejaVuSans.ttf in /usr/share/fonts: install it (Debian: apt-get install fonts-dejavu-core)"
install -D -m 644 -t "$bundle/fonts" "$font"
install -m 644 /usr/share/doc/fonts-dejavu-core/copyright "$bundle/fonts/DejaVuSans.copyright" 2>/dev/null || true
cat >"$bundle/fonts/fonts.conf" <<'FONTS'
<?xml version="1.0"?>
<fontconfig><dir prefix="relative">.</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
FONTS
if [ "$programs" != none ]; then
  for file in "${files[@]}"; do
    add_elf "$build/$file" "libexec/$(basename "$file")" '$ORIGIN/../lib'
    wrapped+=("libexec/$(basename "$file")")
  done
  install -m 755 "$root/perf/gpu_report.sh" "$bundle/libexec"
  install -D -m 644 -t "$bundle/libexec/gpu_report" "$root"/perf/gpu_report/*.py
  # The tests read their reference values below $ARMILLA_SOURCE_DIR.
  install -D -m 644 -t "$bundle/source/tests/data/reference" "$root"/tests/data/reference/{README.md,rings.h5,nonuniform.h5}
  [ ! -e "$root/perf/gpu_counts.json" ] || install -m 644 "$root/perf/gpu_counts.json" "$bundle/libexec"
  wrapped+=(libexec/gpu_report.sh)
fi

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
# Where the parts of MPI and the font are; $home is the folder of the bundle.
export OPAL_PREFIX=$home/mpi OPAL_PKGDATADIR=$home/mpi/share-openmpi OPAL_DATADIR=$home/mpi
export PMIX_PREFIX=$home/mpi/pmix PMIX_INSTALL_PREFIX=$home/mpi/pmix
export PMIX_PKGLIBDIR=$home/mpi/pmix/lib/pmix PMIX_PKGDATADIR=$home/mpi/pmix/share/pmix
export OMPI_MCA_orte_launch_agent=$home/mpi/bin/orted FONTCONFIG_FILE=$home/fonts/fonts.conf
# Open MPI insists on a remote shell, even where all ranks are on this machine.
command -v ssh >/dev/null || command -v rsh >/dev/null || export OMPI_MCA_plm_rsh_agent=sh
# Open MPI refuses to start as root, as which containers run, unless told twice.
[ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
ENVIRONMENT
if [ "$programs" != none ]; then
  printf 'export ARMILLA_SOURCE_DIR=$home/source\n' >>"$bundle/libexec/environment"
fi
for program in "${wrapped[@]}"; do
  name=$(basename "$program")
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
if [ "$programs" != none ]; then
  cat >>"$bundle/README" <<TEXT

Tests and benchmarks ($programs), which need Python 3.8 or newer too:

  bin/gpu_report.sh check    also time, deep; --help says more
TEXT
fi
tar -C "$work" --sort=name -c armilla-bundle | "${compress[@]}" >"$out"
mib=$(($(stat -c %s "$out") / 1048576))
printf 'bundle: %s, %s MiB, for glibc %s or newer\n' "$out" "$mib" "$glibc"
if [ -n "$max_size" ] && [ "$mib" -ge "$max_size" ]; then
  die "$out has $mib MiB, and --max-size allows $max_size"
fi
