#pragma once

#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_adjoint_body.hpp>

/// Both passes of the adjoint. Include this in a file that defines launch_team.
namespace armilla::kernels {

template <class T>
void wigner_partial_sums(const DeviceWignerCall& call, int maps, DevicePointer<const T> delta,
                         DevicePointer<double> partials, StreamHandle stream) {
  with_wigner_partial_sums(in_kernel(call), maps, in_kernel(delta), in_kernel(partials),
                           [&](const auto& body, const char* what) { launch_team(body, what, stream); });
}

template <class T>
void wigner_add_partials(const DeviceWignerCall& call, int maps, DevicePointer<const double> partials,
                         Accumulate accumulate, DevicePointer<T> alm, StreamHandle stream) {
  with_wigner_reduction(in_kernel(call), maps, in_kernel(partials), accumulate, in_kernel(alm),
                        [&](const auto& body, const char* what) { launch_team(body, what, stream); });
}

template void wigner_partial_sums<float>(const DeviceWignerCall&, int, DevicePointer<const float>,
                                         DevicePointer<double>, StreamHandle);
template void wigner_partial_sums<double>(const DeviceWignerCall&, int, DevicePointer<const double>,
                                          DevicePointer<double>, StreamHandle);
template void wigner_add_partials<float>(const DeviceWignerCall&, int, DevicePointer<const double>, Accumulate,
                                         DevicePointer<float>, StreamHandle);
template void wigner_add_partials<double>(const DeviceWignerCall&, int, DevicePointer<const double>, Accumulate,
                                          DevicePointer<double>, StreamHandle);

}  // namespace armilla::kernels
