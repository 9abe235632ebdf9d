#pragma once

#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_synthesis_body.hpp>

/// wigner_synthesis, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

template <class T>
void wigner_synthesis(const WignerCall& call, int maps, const T* alm, T* delta, StreamHandle stream) {
  with_wigner_synthesis(call, maps, alm, delta,
                        [&](const auto& body, const char* what) { launch_team(body, what, stream); });
}

template void wigner_synthesis<float>(const WignerCall&, int, const float*, float*, StreamHandle);
template void wigner_synthesis<double>(const WignerCall&, int, const double*, double*, StreamHandle);

}  // namespace armilla::kernels
