#pragma once

#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_synthesis_body.hpp>

/// wigner_synthesis, to be compiled in a file that includes this and defines launch_team.
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
