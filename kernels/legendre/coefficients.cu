#include <kernels/core/check.hpp>
#include <kernels/core/device_team.cuh>
#include <kernels/legendre/coefficients_body.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

namespace armilla::kernels {

namespace {

template <class Body>
__global__ void __launch_bounds__(kCoefficientThreads) thread_kernel(const __grid_constant__ Body body) {
  body.run(static_cast<Index>(blockIdx.x), static_cast<int>(threadIdx.x));
}

template <class Body>
__global__ void __launch_bounds__(kCoefficientThreads, 5) store_kernel(const __grid_constant__ Body body) {
  __shared__ typename Body::Shared shared;
  DeviceTeam<typename Body::Lane, typename Body::Shared> team(shared);
  body.run(team, static_cast<Index>(blockIdx.x));
}

unsigned count(const ScalarStage& stage, const CoefficientBlocks& blocks) {
  return static_cast<unsigned>(blocks.count(stage));
}

}  // namespace

void launch_rows(const ScalarStage& stage, StreamHandle stream) {
  const CoefficientBlocks blocks(stage, 1);
  thread_kernel<<<count(stage, blocks), kCoefficientThreads, 0, stream>>>(RowsBody{stage, blocks});
  check_launch("rows of the Legendre recurrences");
}

template <class T>
void launch_load(const ScalarStage& stage, const std::complex<T>* alm, StreamHandle stream) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    thread_kernel<<<count(stage, blocks), kCoefficientThreads, 0, stream>>>(
        LoadBody<kSpin, T>{stage, blocks, reinterpret_cast<const ComplexNumber<T>*>(alm)});
  });
  check_launch("loading coefficients");
}

template <class T>
void launch_store(const ScalarStage& stage, std::complex<T>* alm, StreamHandle stream) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    store_kernel<<<count(stage, blocks), kCoefficientThreads, 0, stream>>>(
        StoreBody<kSpin, T>{stage, blocks, reinterpret_cast<ComplexNumber<T>*>(alm)});
  });
  check_launch("storing coefficients");
}

template void launch_load<float>(const ScalarStage&, const std::complex<float>*, StreamHandle);
template void launch_load<double>(const ScalarStage&, const std::complex<double>*, StreamHandle);
template void launch_store<float>(const ScalarStage&, std::complex<float>*, StreamHandle);
template void launch_store<double>(const ScalarStage&, std::complex<double>*, StreamHandle);

}  // namespace armilla::kernels
