#!/usr/bin/env bash
# Packs armilla, its libraries and the MPI runtime into one archive, for machines without packages or a network
# connection. Unpack it anywhere and run bin/armilla, or bin/mpirun -n 4 bin/armilla.
#
#   scripts/bundle.sh [--build DIR] [--out FILE] [--programs gpu|emulated] [--max-size MIB] [--with-cufft]
#
#   --build DIR        the build to pack (default build)
#   --out FILE         the archive, .tar, .tar.gz or .tar.xz (default armilla-bundle.tar.gz; .tar.xz with --programs gpu)
#   --programs DEVICE  also pack the tests and benchmarks for a GPU or for the emulated device, and
#                      bin/gpu_report.sh, which runs them (perf/gpu_report.sh). Requires ARMILLA_TESTS=ON and
#                      ARMILLA_PERF=ON and, for a GPU, ARMILLA_SWEEPS=ON and a build for a single CUDA architecture:
#                      -DCMAKE_CUDA_ARCHITECTURES=90-real
#   --max-size MIB     fail if the archive is not smaller than this, for transfers with a size limit (default 48 with
#                      --programs gpu, otherwise no limit)
#   --with-cufft       include cuFFT (0.3 GB), for machines with a GPU driver but without the CUDA libraries
#
# Not included: the kernel, the C library (the README in the archive states the version), and the GPU driver.
# Requires patchelf and Open MPI.
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
    *) die "unknown argument '$1': use --build DIR, --out FILE, --programs gpu|emulated, --max-size MIB or --with-cufft" ;;
  esac
  shift
done
files=()
switches="ARMILLA_TESTS=ON and ARMILLA_PERF=ON"
case $programs in
  none) out=${out:-armilla-bundle.tar.gz} ;;
  emulated)
    out=${out:-armilla-bundle.tar.gz}
    files=(tests/test_{kernels,backend}_emulated tests/test_{radial,points,transform,iteration,ops,job}_emulated_mpi
      perf/perf_{device,device_iteration,device_points,radial}_emulated) ;;
  gpu)
    out=${out:-armilla-bundle.tar.xz}
    max_size=${max_size:-48}
    switches="ARMILLA_TESTS=ON, ARMILLA_PERF=ON and ARMILLA_SWEEPS=ON"
    files=(tests/test_{kernels,backend}_gpu tests/test_{radial,points,transform,iteration,ops,job}_gpu_mpi
      perf/perf_{device,device_iteration,device_points,radial,rates})
    # Each architecture adds tens of MB to each program. "90" means machine code and PTX, "90-real" machine code only.
    architectures=$(sed -n 's/^CMAKE_CUDA_ARCHITECTURES:[A-Z]*=//p' "$build/CMakeCache.txt" 2>/dev/null || true)
    [[ $architectures =~ ^[0-9]+[af]?-real$ ]] ||
      die "--programs gpu: the build in $build is for CUDA architectures '${architectures:-80-real;90}', not for a" \
        "single one: configure with -DCMAKE_CUDA_ARCHITECTURES=90-real" ;;
  *) die "--programs must be gpu or emulated, not '$programs'" ;;
esac
case $out in
  *.tar) compress=(cat) ;;
  *.tar.gz) compress=(gzip -9) ;;
  *.tar.xz) compress=(xz -9 -T0) ;;
  *) die "--out $out: the name must end with .tar, .tar.gz or .tar.xz" ;;
esac
[ -d "$(dirname "$out")" ] || die "--out $out: the folder $(dirname "$out") does not exist"
for file in "${files[@]}"; do
  [ -x "$build/$file" ] || die "$build/$file does not exist: build with $switches"
done
[ -x "$build/bin/armilla" ] || die "$build/bin/armilla does not exist: build first, or use --build DIR"
command -v patchelf >/dev/null || die "patchelf is not installed: install it (Debian: apt-get install patchelf)"
command -v ompi_info >/dev/null || die "ompi_info is not installed: bundles require Open MPI"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/armilla-bundle
mkdir -p "$bundle"/{bin,lib,libexec} "$bundle"/mpi/bin

# Libraries of the C library and the driver: these must match the machine and are not packed.
left_out='^(ld-linux.*|linux-vdso|libc|libm|libdl|librt|libpthread|libresolv|libutil|libanl|libnss_.*|libnsl|libcuda)\.so'

# Libraries that an ELF file needs, one path per line.
needs() {
  ldd "$1" 2>/dev/null | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p' | while read -r library; do
    [[ $(basename "$library") =~ $left_out ]] || printf '%s\n' "$library"
  done
}

# install_elf FILE DESTINATION MODE RPATH: strips symbols, which must be done before the RPATH is set.
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

# add_elf FILE DESTINATION RPATH: a program or plugin that locates its libraries through RPATH.
add_elf() {
  add_libraries_of "$1"
  install_elf "$1" "$2" 755 "$3"
}

wrapped=(libexec/armilla mpi/bin/mpirun)
add_elf "$build/bin/armilla" libexec/armilla '$ORIGIN/../lib'
# For armilla view: the module it loads, and a font.
add_elf "$build/lib/libarmilla_cairo.so" lib/libarmilla_cairo.so '$ORIGIN'
font=$(find /usr/share/fonts "${CONDA_PREFIX:-/usr/share}/fonts" -name DejaVuSans.ttf 2>/dev/null | head -n 1 || true)
[ -n "$font" ] || die "DejaVuSans.ttf not found in /usr/share/fonts: install it (Debian: apt-get install fonts-dejavu-core)"
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
  # The tests read their reference values from $ARMILLA_SOURCE_DIR.
  install -D -m 644 -t "$bundle/source/tests/data/reference" "$root"/tests/data/reference/{README.md,rings.h5,nonuniform.h5}
  [ ! -e "$root/perf/gpu_counts.json" ] || install -m 644 "$root/perf/gpu_counts.json" "$bundle/libexec"
  wrapped+=(libexec/gpu_report.sh)
fi

path_of() { ompi_info --path "$1" --parsable | sed -n 's/^path:[a-z]*://p'; }
prefix=$(path_of prefix)
plugins=$(path_of pkglibdir)
[ -d "$plugins" ] || die "Open MPI's plugin folder $plugins does not exist"
relative=${plugins#"$prefix"/}
[ "$relative" != "$plugins" ] || die "Open MPI's plugin folder $plugins is not under its prefix $prefix"
up=$(sed 's,[^/][^/]*,..,g' <<<"mpi/$relative")
for program in orterun orted; do
  add_elf "$(path_of bindir)/$program" "mpi/bin/$program" '$ORIGIN/../../lib'
done
ln -s orterun "$bundle/mpi/bin/mpirun"
for plugin in "$plugins"/*.so; do
  add_elf "$plugin" "mpi/$relative/$(basename "$plugin")" "\$ORIGIN/$up/lib"
done
cp -r "$(path_of pkgdatadir)" "$bundle/mpi/share-openmpi"
# PMIx and UCX have separate plugins, next to their libraries or under a separate prefix.
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
# Paths of MPI's components and of the font; $home is the folder of the bundle.
export OPAL_PREFIX=$home/mpi OPAL_PKGDATADIR=$home/mpi/share-openmpi OPAL_DATADIR=$home/mpi
export PMIX_PREFIX=$home/mpi/pmix PMIX_INSTALL_PREFIX=$home/mpi/pmix
export PMIX_PKGLIBDIR=$home/mpi/pmix/lib/pmix PMIX_PKGDATADIR=$home/mpi/pmix/share/pmix
export OMPI_MCA_orte_launch_agent=$home/mpi/bin/orted FONTCONFIG_FILE=$home/fonts/fonts.conf
# Open MPI requires a remote shell even if all ranks are on this machine.
command -v ssh >/dev/null || command -v rsh >/dev/null || export OMPI_MCA_plm_rsh_agent=sh
# Open MPI does not start as root, for example in containers, without these two variables.
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
Armilla with everything it needs except $needed.

  bin/armilla --version
  bin/mpirun -n 4 bin/armilla run job.yaml

The folder can be anywhere. If ranks run on several machines, it must have the same path on each.
TEXT
if [ "$programs" != none ]; then
  cat >>"$bundle/README" <<TEXT

Tests and benchmarks ($programs), which also require Python 3.8 or newer:

  bin/gpu_report.sh check    other parts: time, deep; see --help
TEXT
fi
tar -C "$work" --sort=name -c armilla-bundle | "${compress[@]}" >"$out"
mib=$(($(stat -c %s "$out") / 1048576))
printf 'bundle: %s, %s MiB, requires glibc %s or newer\n' "$out" "$mib" "$glibc"
if [ -n "$max_size" ] && [ "$mib" -ge "$max_size" ]; then
  die "$out is $mib MiB, but must be smaller than $max_size MiB (--max-size)"
fi
