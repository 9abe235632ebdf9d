#pragma once

#include <kernels/core/accumulate.hpp>
#include <kernels/core/stream.hpp>
#include <kernels/legendre/wigner_task.hpp>

namespace armilla::kernels {

/// Computes Delta by the Wigner recurrence, for the pairs of a call and its local m that contribute to them, and for
/// its maps in groups of `maps` (1, 2 or 4, wigner_maps); overwrites it. alm and delta are complex arrays, passed as
/// arrays of their real and imaginary parts. T is float or double.
template <class T>
void wigner_synthesis(const DeviceWignerCall& call, int maps, DevicePointer<const T> alm, DevicePointer<T> delta,
                      StreamHandle stream);

/// First pass of the transpose: sums over the rings of these pairs, for blocks of pairs. Overwrites `partials`
/// [group][block and degree][map][real value], which has space for map_groups times group_partials. The latter is at
/// least task.partial_unit * maps * (2, or 4 with a spin).
template <class T>
void wigner_partial_sums(const DeviceWignerCall& call, int maps, DevicePointer<const T> delta,
                         DevicePointer<double> partials, StreamHandle stream);

/// Second pass: these sums overwrite coefficients l = m .. lmax of the local m and maps of the call, or are added to
/// them. Their order depends only on the grid.
template <class T>
void wigner_add_partials(const DeviceWignerCall& call, int maps, DevicePointer<const double> partials,
                         Accumulate accumulate, DevicePointer<T> alm, StreamHandle stream);

}  // namespace armilla::kernels
