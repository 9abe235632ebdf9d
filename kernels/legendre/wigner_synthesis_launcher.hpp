#pragma once

#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_synthesis_body.hpp>

/// The launcher of wigner_synthesis. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void wigner_synthesis(const DeviceWignerCall& call, int maps, DevicePointer<const T> alm, DevicePointer<T> delta,
                      StreamHandle stream) {
  with_wigner_synthesis(in_kernel(call), maps, in_kernel(alm), in_kernel(delta),
                        [&](const auto& body, const char* what) { launch_team(body, what, stream); });
}

template void wigner_synthesis<float>(const DeviceWignerCall&, int, DevicePointer<const float>, DevicePointer<float>,
                                      StreamHandle);
template void wigner_synthesis<double>(const DeviceWignerCall&, int, DevicePointer<const double>, DevicePointer<double>,
                                       StreamHandle);

}  // namespace armilla::kernels
