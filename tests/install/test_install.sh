#!/usr/bin/env bash
# cmake --install gives a program that starts, and a CMake package against which a program outside the tree is built.
#   test_install.sh BUILD_FOLDER SOURCE_FOLDER
set -euo pipefail
build=$1
source=$2
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT

cmake --install "$build" --prefix "$prefix/usr" >"$prefix/install.log"

for file in bin/armilla include/armilla/core/build_info.hpp include/armilla/grid/ring_grid.hpp \
  share/armilla/jobs/quickstart.yaml share/armilla/spectra/cmb_lcdm_dl.dat share/armilla/data/wmap7_W_iqu_nside32.fits \
  share/armilla/slurm/transform.sbatch; do
  [ -s "$prefix/usr/$file" ] || {
    echo "FAILED: not installed: $file"
    exit 1
  }
done
"$prefix/usr/bin/armilla" --version

# The example jobs find their inputs in the installation too.
for job in "$prefix"/usr/share/armilla/jobs/*.yaml; do
  "$prefix/usr/bin/armilla" run "$job" --dry-run >"$prefix/dry_run.log" 2>&1 || {
    cat "$prefix/dry_run.log"
    echo "FAILED: the installed $(basename "$job") is not valid"
    exit 1
  }
done

cmake -S "$source/tests/install/consumer" -B "$prefix/consumer" -DCMAKE_PREFIX_PATH="$prefix/usr" -DCMAKE_BUILD_TYPE=Release
cmake --build "$prefix/consumer"
said=$("$prefix/consumer/consumer")
[ "$said" = "0.1.0 66 192 hdf5" ] || {
  echo "FAILED: the consumer printed '$said'"
  exit 1
}
echo "PASSED: $said"
