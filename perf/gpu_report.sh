#!/usr/bin/env bash
# Everything that wants a GPU, in one run: parity with the CPU, compute-sanitizer on small cases, times by events.
#
#   perf/gpu_report.sh BIN_DIR [OUT_DIR]
#
# BIN_DIR holds test_*_gpu, test_{transform,ops}_gpu_mpi, perf_device, perf_device_iteration and perf_tensor_rate, of a build with ARMILLA_PERF=ON (in its
# bin, tests and perf folders, or all in one). OUT_DIR, default gpu_report, gets a log of each part. A part that fails
# does not stop the next ones; the exit code counts those that failed. MPIRUN names mpirun, or 'none' for one rank alone.
set -uo pipefail
bin=${1:?the folder of the programs is needed}
out=${2:-gpu_report}
mpirun=${MPIRUN:-mpirun}
mkdir -p "$out"
failed=0

find_program() {
  find -L "$bin" -name "$1" -type f -perm -u+x 2>/dev/null | head -n 1
}

# part NAME COMMAND...: its log in OUT_DIR/NAME.log, its outcome in one line.
part() {
  local name=$1 start=$SECONDS code=0
  shift
  "$@" >"$out/$name.log" 2>&1 || code=$?
  if [ $code = 0 ]; then
    printf '%-34s ok      %4d s\n' "$name" $((SECONDS - start))
  else
    printf '%-34s FAILED  %4d s, exit code %d, %s\n' "$name" $((SECONDS - start)) $code "$out/$name.log"
    failed=$((failed + 1))
  fi
}

nvidia-smi --query-gpu=name,driver_version,clocks.max.sm,memory.total --format=csv,noheader || {
  echo "gpu_report: no GPU is visible" >&2
  exit 3
}

kernels=$(find_program test_kernels_gpu)
backend=$(find_program test_backend_gpu)
transform=$(find_program test_transform_gpu_mpi)
ops=$(find_program test_ops_gpu_mpi)
part parity_kernels "$kernels"
part parity_backend "$backend"
part parity_transform_1 "$transform"
part parity_ops_1 "$ops"
if [ "$mpirun" != none ]; then
  part parity_transform_3 "$mpirun" --oversubscribe -n 3 "$transform"
  part parity_ops_3 "$mpirun" --oversubscribe -n 3 "$ops"
fi

# Tests of a few rings and m: the sanitizer makes kernels slower by ten to a hundred times.
small_tests='DeviceMemory.*:DeviceLegendre.Adjoint*:DeviceLegendre.GivesTheSame*:DeviceWigner.*:DeviceRings.MayHave*'
small_tests=$small_tests:'TensorLegendre.Adjoint*:Cases/TensorLegendreCase.*/few_rings_*maps9'
small_tests=$small_tests:'Cases/TensorLegendreCase.*/many_rings_spin0_maps5'
small_tests=$small_tests:'DeviceRings.AreAdjoint:DeviceTheta.*:DeviceQuadrature.*:FieldOperations/*'
small_tests=$small_tests:'CudaIterations.HaveTheSameBitsInAnyWorkingSpace:CudaIterations.NormalIs*'
sanitizer=$(command -v compute-sanitizer || true)
if [ -n "$sanitizer" ]; then
  for tool in memcheck racecheck initcheck; do
    for test in "$kernels" "$backend" "$ops"; do
      part "${tool}_$(basename "$test")" timeout "${SANITIZER_SECONDS:-120}" "$sanitizer" --tool "$tool" \
        --error-exitcode 1 "$test" --gtest_filter="$small_tests"
    done
  done
else
  echo "compute-sanitizer is not there: nothing checked by it"
fi

device=$(find_program perf_device)
part tensor_rate "$(find_program perf_tensor_rate)"
part gauss_4095 "$device" --nlat 4096 --lmax 4095
part gauss_4095_single "$device" --nlat 4096 --lmax 4095 --precision single
part healpix_2048 "$device" --nside 2048 --lmax 4095
part healpix_2048_spin2 "$device" --nside 2048 --lmax 4095 --spin 2
part gauss_4095_8maps_cuda "$device" --nlat 4096 --lmax 4095 --maps 8 --products cuda
part gauss_4095_8maps_tensor "$device" --nlat 4096 --lmax 4095 --maps 8 --products tensor
part gauss_4095_4maps_cuda "$device" --nlat 4096 --lmax 4095 --maps 4 --products cuda
part gauss_4095_4maps_tensor "$device" --nlat 4096 --lmax 4095 --maps 4 --products tensor
part gauss_4095_8maps_single "$device" --nlat 4096 --lmax 4095 --maps 8 --precision single
part healpix_128_64maps_cuda "$device" --nside 128 --lmax 383 --maps 64 --products cuda
part healpix_128_64maps_tensor "$device" --nside 128 --lmax 383 --maps 64 --products tensor
iteration=$(find_program perf_device_iteration)
part iteration_128_64maps "$iteration" --nside 128 --lmax 383 --maps 64
part iteration_128_512maps "$iteration" --nside 128 --lmax 383 --maps 512
part iteration_128_512maps_single "$iteration" --nside 128 --lmax 383 --maps 512 --precision single
part iteration_128_256maps_spin2 "$iteration" --nside 128 --lmax 383 --maps 256 --spin 2
part iteration_256_64maps_spin2 "$iteration" --nside 256 --lmax 512 --maps 64 --spin 2
part gauss_511 "$device" --nlat 512 --lmax 511
part gauss_1023 "$device" --nlat 1024 --lmax 1023
part gauss_8191 "$device" --nlat 8192 --lmax 8191
for log in tensor_rate gauss_4095 gauss_4095_single healpix_2048 healpix_2048_spin2 gauss_4095_8maps_cuda \
  gauss_4095_8maps_tensor gauss_4095_4maps_cuda gauss_4095_4maps_tensor gauss_4095_8maps_single \
  healpix_128_64maps_cuda healpix_128_64maps_tensor gauss_511 gauss_1023 gauss_8191; do
  printf '\n== %s\n' "$log"
  cat "$out/$log.log"
done
exit $failed
