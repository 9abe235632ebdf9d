#pragma once

#include <kernels/core/accumulate.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/legendre/wigner_task.hpp>

namespace armilla::kernels {

/// Delta of the pairs and own m of a call that feel each other, for its maps in groups of `maps` (1, 2 or 4,
/// wigner_maps), by the Wigner recurrence; overwrites their places. alm and delta are the numbers of complex
/// arrays on the device, T is float or double.
template <class T>
void wigner_synthesis(const WignerCall& call, int maps, const T* alm, T* delta, StreamHandle stream);

/// The transpose: sums over the rings of these pairs, which overwrite or are added to coefficients l = m .. lmax of the
/// own m and maps of the call. The order of the sums depends on the grid alone. `partials` [group][number of the
/// block and degree][map][number] has room for map_groups times group_partials, which is the call's task.partial_unit *
/// maps * (2, or 4 with a spin) or more.
template <class T>
void wigner_adjoint(const WignerCall& call, int maps, const T* delta, double* partials, Accumulate accumulate, T* alm,
                    StreamHandle stream);

}  // namespace armilla::kernels
