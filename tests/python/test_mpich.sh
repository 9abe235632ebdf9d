#!/usr/bin/env bash
# test_mpich.sh BUILD RANKS: builds the Python package with Debian's MPICH in BUILD/mpich, and runs the tests of ranks
# with it and with mpi4py of BUILD/newest_env. The variable armilla_python names the Python that has nanobind.
set -euo pipefail
build=$1
ranks=$2
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
newest=$build/newest_env/bin/python
for program in mpicxx.mpich mpiexec.mpich h5pcc.mpich; do
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program: scripts/install-deps.sh --mpich" && exit 0; }
done
[ -e "$build/newest_env/complete" ] || { echo "SKIPPED: mpi4py could not be installed from PyPI" && exit 0; }
options=(-DARMILLA_PYTHON=ON -DARMILLA_CUDA=OFF -DARMILLA_TESTS=OFF "-DPython_EXECUTABLE=$armilla_python"
  -DMPI_CXX_COMPILER=mpicxx.mpich "-DHDF5_C_COMPILER_EXECUTABLE=$(command -v h5pcc.mpich)")
if command -v ccache >/dev/null; then options+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache); fi
cmake -S "$source" -B "$build/mpich" -G Ninja "${options[@]}" >/dev/null
ninja -C "$build/mpich" armilla_python
# mpi4py of PyPI calls the library libmpi.so.12, as MPICH does itself; Debian's has another name.
mkdir -p "$build/mpich/names"
ln -sf "$(ldd "$build"/mpich/python/armilla/_armilla*.so | awk '/libmpich.so.12/ {print $3}')" "$build/mpich/names/libmpi.so.12"
export LD_LIBRARY_PATH=$build/mpich/names MPI4PY_MPIABI=mpich PYTHONPATH=$build/mpich/python
"$newest" -c 'from mpi4py import MPI; assert MPI.Get_library_version().startswith("MPICH"), MPI.Get_library_version()'
exec mpiexec.mpich -n "$ranks" "$newest" -m pytest -q -rs --color=no -p no:cacheprovider -m mpi "$source/tests/python"
