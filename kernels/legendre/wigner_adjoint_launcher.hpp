#pragma once

#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_adjoint_body.hpp>

/// wigner_adjoint, for the file that includes this and defines launch_team to compile.
namespace armilla::kernels {

template <class T>
void wigner_adjoint(const WignerCall& call, int maps, const T* delta, double* partials, Accumulate accumulate, T* alm,
                    StreamHandle stream) {
  with_wigner_adjoint(call, maps, delta, partials, accumulate, alm,
                      [&](const auto& body, const char* what) { launch_team(body, what, stream); });
}

template void wigner_adjoint<float>(const WignerCall&, int, const float*, double*, Accumulate, float*, StreamHandle);
template void wigner_adjoint<double>(const WignerCall&, int, const double*, double*, Accumulate, double*, StreamHandle);

}  // namespace armilla::kernels
