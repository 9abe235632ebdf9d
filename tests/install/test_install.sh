#!/usr/bin/env bash
# cmake --install gives a program that starts, and a CMake package against which the programs of docs/examples are built
# outside the tree, by public headers alone; on 1 and 2 ranks they compute what they should.
#   test_install.sh BUILD_FOLDER SOURCE_FOLDER MPIEXEC
set -euo pipefail
build=$1
source=$2
mpiexec=$3
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

cmake --install "$build" --prefix "$prefix/usr" >"$prefix/install.log"
for file in bin/armilla include/armilla/armilla.hpp share/armilla/jobs/quickstart.yaml \
  share/armilla/spectra/cmb_lcdm_dl.dat share/armilla/data/wmap7_W_iqu_nside32.fits \
  share/armilla/slurm/{transform,campaign,scaling}.sbatch share/armilla/slurm/launch.sh share/armilla/slurm/machines/generic.env; do
  [ -s "$prefix/usr/$file" ] || fail "not installed: $file"
done
[ -x "$prefix/usr/share/armilla/perf/scaling.py" ] || fail "not installed as a program: scaling.py"
"$prefix/usr/bin/armilla" --version
"$prefix/usr/bin/armilla" view "$prefix/usr/share/armilla/data/wmap7_W_iqu_nside32.fits" -o "$prefix/sky.pdf"

# The example jobs find their inputs in the installation too.
for job in "$prefix"/usr/share/armilla/jobs/*.yaml; do
  "$prefix/usr/bin/armilla" run "$job" --dry-run >"$prefix/dry_run.log" 2>&1 || {
    cat "$prefix/dry_run.log"
    fail "the installed $(basename "$job") is not valid"
  }
done

# Headers: below include/armilla only, those that armilla.hpp needs and no more.
[ "$(ls "$prefix"/usr/include)" = armilla ] || fail "include has $(ls "$prefix"/usr/include)"
python3 - "$source" "$prefix/usr/include" <<'PYTHON'
import pathlib, re, sys
source, include = map(pathlib.Path, sys.argv[1:])
needed, found = ["armilla/armilla.hpp", "armilla/armilla.h"], set()
while needed:
    header = needed.pop()
    if header not in found:
        found.add(header)
        needed += re.findall(r"#include <(armilla/[^>]+)>", (include / header).read_text())
installed = {str(path.relative_to(include)) for path in include.rglob("*.h*") if path.is_file()}
if found != installed:
    sys.exit(f"FAILED: armilla.hpp and armilla.h do not need {sorted(installed - found)}, which are installed")
if "```cpp\n" + (source / "docs/examples/random_sky.cpp").read_text() + "```" not in (source / "README.md").read_text():
    sys.exit("FAILED: README.md does not show docs/examples/random_sky.cpp as it is")
PYTHON
cp -r "$source/docs/examples" "$prefix/examples"
cmake -S "$prefix/examples" -B "$prefix/build" -DCMAKE_PREFIX_PATH="$prefix/usr" -DCMAKE_BUILD_TYPE=Debug \
  -DCMAKE_CXX_FLAGS="-Wall -Wextra -Wpedantic -Wshadow -Werror"
cmake --build "$prefix/build" -j 2
# The library brings what it needs of other libraries: programs name MPI and itself alone.
needed=$(readelf -d "$prefix/build/random_sky" | grep -c -iE 'NEEDED.*(hdf5|fftw|cfitsio|hwy|fmt|spdlog|yaml)') || true
[ "$needed" = 0 ] || fail "random_sky is linked with libraries that are Armilla's alone"

run() {
  mkdir -p "$prefix/run$1"
  (cd "$prefix/run$1" && "$mpiexec" -n "$1" "$prefix/build/$2" | tr -d '\r') || fail "$2 on $1 ranks"
}
# check NAME TEXT LIMIT: the number after the text is below the limit, and not below 0.
check() {
  number=$(sed -n "s/.*$2 \([-+.0-9e]*\).*/\1/p" <<<"$said")
  awk -v x="$number" -v limit="$3" 'BEGIN { exit !(x ~ /^[0-9.]+e[-+][0-9]+$/ && x >= 0 && x < limit) }' ||
    fail "$1: '$2' is not followed by a number below $3: $said"
}
for ranks in 1 2; do
  said=$(run $ranks random_sky)
  check random_sky 'relative error of the coefficients:' 1e-4
  said=$(run $ranks own_pixels)
  check own_pixels 'largest error of a coefficient:' 1e-13
  grep -q "rank 0 of $ranks owns" <<<"$said" || fail "own_pixels on $ranks ranks says $said"
  said=$(run $ranks dealt_pixels)
  check dealt_pixels 'largest error of a pixel:' 1e-10
  said=$(run $ranks own_solver)
  check own_solver 'relative error of the coefficients:' 1e-10
  [ "$ranks" = 1 ] && solved=$said
  [ "$said" = "$solved" ] || fail "own_solver on $ranks ranks says $said, on 1 rank $solved"
  said=$(run $ranks barotropic)
  check barotropic 'of its largest value:' 1e-6
  said=$(run $ranks polarisation)
  check polarisation 'relative error of E:' 1e-5
  check polarisation 'rms of B:' 1e-5
  # C_10 of a_l0 = 1 and |a_lm| = 1/2, m = 1 .. 10: (1 + 20/4) / 21.
  grep -q 'EE(10) 0.28571 ' <<<"$said" || fail "polarisation says $said"
  said=$(run $ranks points)
  grep -q 'relative error below 1e-8: yes' <<<"$said" || fail "points says $said"
  for program in masked_spectrum lens_and_convolve simulations; do
    said=$(run $ranks $program)
    grep -q ': yes$' <<<"$said" || fail "$program on $ranks ranks says $said"
  done
  for file in sky_map.fits found_alm.h5 polarised.h5; do
    "$prefix/usr/bin/armilla" inspect "$prefix/run$ranks/$file" >"$prefix/inspect.log" || fail "$file cannot be inspected"
    cmp "$prefix/run1/$file" "$prefix/run$ranks/$file" || fail "$file of 1 and $ranks ranks differ"
  done
done

# C, without MPI, and Fortran.
said=$("$prefix/build/smooth")
check smooth 'change of the sum over the sky:' 1e-12
check smooth 'change of l = 1 from its beam:' 1e-12
for file in lib*/pkgconfig/armilla.pc share/armilla/fortran/armilla.f90; do
  compgen -G "$prefix/usr/$file" >/dev/null || compgen -G "$prefix/usr/lib/*/pkgconfig/armilla.pc" >/dev/null || fail "not installed: $file"
done
if [ -e "$prefix/build/barotropic_fortran" ]; then
  said=$("$prefix/build/barotropic_fortran" | tr E e)
  check barotropic_fortran 'of its largest value:' 1e-6
fi

echo "PASSED: $said"
