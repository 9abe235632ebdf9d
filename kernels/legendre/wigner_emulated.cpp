#include <kernels/legendre/wigner.hpp>
#include <kernels/legendre/wigner_host.hpp>

namespace armilla::kernels {

template <class T>
void wigner_synthesis(const WignerCall& call, int maps, const T* alm, T* delta, StreamHandle) {
  host_wigner_synthesis(call, maps, alm, delta);
}

template <class T>
void wigner_adjoint(const WignerCall& call, int maps, const T* delta, double* partials, Accumulate accumulate, T* alm,
                    StreamHandle) {
  host_wigner_adjoint(call, maps, delta, partials, accumulate, alm);
}

template void wigner_synthesis<float>(const WignerCall&, int, const float*, float*, StreamHandle);
template void wigner_synthesis<double>(const WignerCall&, int, const double*, double*, StreamHandle);
template void wigner_adjoint<float>(const WignerCall&, int, const float*, double*, Accumulate, float*, StreamHandle);
template void wigner_adjoint<double>(const WignerCall&, int, const double*, double*, Accumulate, double*, StreamHandle);

}  // namespace armilla::kernels
