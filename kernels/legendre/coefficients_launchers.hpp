#pragma once

#include <kernels/legendre/coefficients_body.hpp>
#include <kernels/legendre/scalar_choices.hpp>
#include <kernels/legendre/scalar_kernels.hpp>

/// The launchers of scalar_kernels.hpp for coefficients. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void launch_load(const DeviceScalarStage& stage, DevicePointer<const std::complex<T>> alm, StreamHandle stream) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    const LoadBody<kSpin, T> body{in_kernel(stage), blocks, in_kernel(device_cast<const ComplexNumber<T>>(alm))};
    launch_team(EachThread{body}, "loading coefficients", stream);
  });
}

template <class T>
void launch_store(const DeviceScalarStage& stage, DevicePointer<std::complex<T>> alm, StreamHandle stream) {
  const CoefficientBlocks blocks(stage, stage.maps);
  with_spin(stage.degrees.spin, [&]<int kSpin>() {
    const StoreBody<kSpin, T> body{in_kernel(stage), blocks, in_kernel(device_cast<ComplexNumber<T>>(alm))};
    launch_team(body, "storing coefficients", stream);
  });
}

template void launch_load<float>(const DeviceScalarStage&, DevicePointer<const std::complex<float>>, StreamHandle);
template void launch_load<double>(const DeviceScalarStage&, DevicePointer<const std::complex<double>>, StreamHandle);
template void launch_store<float>(const DeviceScalarStage&, DevicePointer<std::complex<float>>, StreamHandle);
template void launch_store<double>(const DeviceScalarStage&, DevicePointer<std::complex<double>>, StreamHandle);

}  // namespace armilla::kernels
