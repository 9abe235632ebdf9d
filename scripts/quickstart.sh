#!/usr/bin/env bash
# Goes from a fresh clone to transformed maps: installs missing packages, builds Armilla in build/, runs the job
# config/jobs/quickstart.yaml on 2 MPI ranks, and draws pictures of the output. It can be run repeatedly.
#
#   scripts/quickstart.sh [FOLDER]        writes the results to FOLDER (default: quickstart)
#
# ARMILLA_JOBS: number of parallel compilers (default: all cores). ARMILLA_BUILD_DIR: build folder (default: build).
set -euo pipefail
here=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")/.."
jobs=${ARMILLA_JOBS:-$(nproc)}
build=${ARMILLA_BUILD_DIR:-build}
folder=$PWD/quickstart
if [ $# -gt 0 ]; then
  case $1 in
    -*)
      sed -n '2,/^set/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"
      exit 2
      ;;
    /*) folder=$1 ;;
    *) folder=$here/$1 ;;
  esac
fi

scripts/install-deps.sh

configure=(-S . -B "$build")
[ -f "$build/CMakeCache.txt" ] || configure+=(-G Ninja)
if command -v ccache >/dev/null; then configure+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
if [ ! -f "$build/CMakeCache.txt" ]; then
  configure+=(-DARMILLA_TESTS=OFF)
  gpus=$(nvidia-smi --list-gpus 2>/dev/null || true)
  if command -v nvcc >/dev/null && [[ $gpus != *GPU* ]]; then
    echo "quickstart: no visible GPU: building without CUDA (cmake -B $build -DARMILLA_CUDA=ON enables it)"
    configure+=(-DARMILLA_CUDA=OFF)
  fi
fi
cmake "${configure[@]}"
cmake --build "$build" -j "$jobs" --target armilla
armilla=$build/bin/armilla

ranks=2
launch=(mpirun -n "$ranks")
if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
  # By default, Open MPI binds each of two ranks with all its threads to one core, and rejects more ranks than cores.
  launch+=(--oversubscribe --bind-to none)
  [ "$(id -u)" -ne 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
cores=$(env -u OMP_NUM_THREADS nproc)
export OMP_NUM_THREADS=$((cores > ranks ? cores / ranks : 1))

mkdir -p "$folder"
echo "quickstart: running config/jobs/quickstart.yaml on $ranks ranks of $OMP_NUM_THREADS thread(s) (a minute or two)"
"${launch[@]}" "$armilla" run config/jobs/quickstart.yaml --report "$folder/report.json" \
  --set "outputs.sky_map.file=$folder/sky_map.h5" \
  --set "outputs.found_alm.file=$folder/found_alm.h5" \
  --set "outputs.found_cl.file=$folder/found_cl.fits" >"$folder/report.txt"

"$armilla" convert "$folder/sky_map.h5" "$folder/sky_map.fits"
"$armilla" view "$folder/sky_map.h5" -o "$folder/sky_map.png"
"$armilla" view "$folder/found_cl.fits" --field TT,EE,BB,TE -o "$folder/spectra.png"

python3 scripts/report_table.py "$folder/report.json" \
  "$folder/sky_map.h5=map (T, Q, U), HDF5" \
  "$folder/sky_map.fits=the same map, FITS" \
  "$folder/found_alm.h5=coefficients of the analysis (T, E, B)" \
  "$folder/found_cl.fits=spectra of these coefficients" \
  "$folder/sky_map.png=picture of the map" \
  "$folder/spectra.png=picture of the spectra" \
  "$folder/report.txt=report of the run" \
  "$folder/report.json=report of the run, machine-readable"
