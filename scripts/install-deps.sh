#!/usr/bin/env bash
# Installs missing packages that Armilla requires, with apt on Debian and Ubuntu. Fast if all are installed.
#
#   scripts/install-deps.sh [--tests] [--mpich] [--clang]
#
# --tests: also the packages for the tests (numpy, h5py, healpy, mpi4py, Slurm, ...)
# --mpich: also MPICH beside Open MPI, for the second tier of the tests
# --clang: also clang with its sanitizers, fuzzer, OpenMP library and clang-tidy
#
# On other systems, or without root, it lists the required packages and how to install them.
# ARMILLA_DEPS=provided skips the installation, for clusters with compilers and libraries from modules, Spack or conda.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

build_packages=(
  g++ cmake ninja-build pkg-config git python3 python3-dev python3-venv
  libopenmpi-dev openmpi-bin
  libhdf5-openmpi-dev libcfitsio-dev zlib1g-dev libchealpix-dev libcairo2-dev libpng-dev fonts-dejavu-core
  libfftw3-dev libhwy-dev librandom123-dev libeigen3-dev
  libyaml-cpp-dev libcli11-dev nlohmann-json3-dev libfmt-dev libspdlog-dev
  libgtest-dev libgmock-dev
)
mpich_packages=(mpich libmpich-dev libhdf5-mpich-dev)
clang_packages=(clang clang-tidy llvm libclang-rt-dev libomp-dev)
test_packages=(gfortran python3-numpy python3-h5py python3-healpy python3-mpi4py python3-pytest python3-yaml python3-jsonschema slurm-wlm
  munge hdf5-tools patchelf poppler-utils time)
# Not available in every release; tests that need them are skipped without them.
optional_packages=()
cmake_minimum=3.25

say() { printf 'install-deps: %s\n' "$*"; }
die() {
  say "$@" >&2
  exit 1
}

elsewhere() {
  cat <<TEXT
  With Spack:  spack env activate $root/config/spack.yaml && spack install
  With conda:  conda env create -f $root/config/environment.yml && conda activate armilla
  With cluster modules: load a C++20 compiler, CMake >= $cmake_minimum, MPI, HDF5 (serial or parallel), FFTW 3 and the other packages.
  Then run this script again with ARMILLA_DEPS=provided in the environment.
TEXT
}

packages=("${build_packages[@]}")
for argument in "$@"; do
  case $argument in
    --tests)
      packages+=("${test_packages[@]}")
      optional_packages=(clang-format-14 doxygen)
      ;;
    --mpich) packages+=("${mpich_packages[@]}") ;;
    --clang) packages+=("${clang_packages[@]}") ;;
    *) die "unknown argument '$argument': use --tests, --mpich or --clang" ;;
  esac
done

# True if a sufficiently recent cmake is on PATH, however it was installed.
have_cmake() {
  local found
  found=$(cmake --version 2>/dev/null | sed -n '1s/.*version //p') || return 1
  [ -n "$found" ] && [ "$(printf '%s\n' "$cmake_minimum" "$found" | sort -V | head -n 1)" = "$cmake_minimum" ]
}

check_cmake() {
  have_cmake && return
  die "CMake >= $cmake_minimum is required, but this system has an older version. To install a newer one without root:
  python3 -m venv ~/cmake-venv && ~/cmake-venv/bin/pip install cmake && export PATH=~/cmake-venv/bin:\$PATH
(On Ubuntu this requires the package python3-venv.) Then run this script again."
}

if [ "${ARMILLA_DEPS:-}" = provided ]; then
  say "ARMILLA_DEPS=provided: installation skipped"
  exit 0
fi

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
  say "this system has no apt. Armilla requires (Debian names):"
  printf '  %s\n' "${packages[*]}"
  elsewhere
  exit 1
fi

installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
missing=()
for package in "${packages[@]}" "${optional_packages[@]}"; do
  case $package in
    cmake) have_cmake && continue ;;
    git | python3) command -v "$package" >/dev/null && continue ;;
  esac
  grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done

# Removes optional packages that this release does not have from `missing`, if package lists are available.
leave_out_unknown() {
  local known package wanted=("${missing[@]}")
  compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || return 0
  known=$(apt-cache pkgnames)
  missing=()
  for package in "${wanted[@]}"; do
    if [[ " ${optional_packages[*]} " == *" $package "* ]] && ! grep -qxF -- "$package" <<<"$known"; then
      say "not available in this release, skipped: $package"
    else
      missing+=("$package")
    fi
  done
}

leave_out_unknown
if [ ${#missing[@]} -eq 0 ]; then
  check_cmake
  say "all packages are installed"
  exit 0
fi

say "missing: ${missing[*]}"
as_root=()
if [ "$(id -u)" -ne 0 ]; then
  # Without a terminal sudo cannot ask for a password, so only passwordless sudo works.
  if command -v sudo >/dev/null && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
    as_root=(sudo)
  else
    say "this requires root, and sudo is not available. Ask an administrator to run" >&2
    printf '  apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
    elsewhere >&2
    exit 1
  fi
fi

apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600)
"${apt[@]}" update -q || die "apt-get update failed: check the network and the package sources"
leave_out_unknown
"${apt[@]}" install -q -y --no-install-recommends "${missing[@]}" ||
  die "apt-get could not install ${missing[*]}: see its messages above"
check_cmake
say "installed: ${missing[*]}"
