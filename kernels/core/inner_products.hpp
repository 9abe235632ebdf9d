#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>
#include <armilla/math/sum_grids.hpp>

#include <kernels/core/stream.hpp>

namespace armilla::kernels {

using core::Index;

/// Terms of real inner products of two arrays of coefficients, a + b i as two numbers: the real part of x conj(y), in
/// double, twice but for those that stand alone.
template <class T>
struct InnerTerms {
  const T* x;
  const T* y;
  Index period;                ///< coefficients of a component
  Index once_begin, once_end;  ///< places in a component of those that count once: m = 0

  /// Of coefficient i of those from `begin`, where a component begins, on.
  HOST_DEVICE double operator()(Index begin, Index i) const {
    const T* p = x + 2 * (begin + i);
    const T* q = y + 2 * (begin + i);
    const double product =
        static_cast<double>(p[0]) * static_cast<double>(q[0]) + static_cast<double>(p[1]) * static_cast<double>(q[1]);
    const Index place = i % period;
    return place >= once_begin && place < once_end ? product : 2 * product;
  }
};

/// Sums `systems` of them at once, [system] on the device: each of length[s] terms from begin[s] on, dealt out to
/// `blocks` blocks.
struct InnerSystems {
  const Index* begin;
  const Index* length;
  Index systems;
  Index blocks;
};

/// Largest magnitude of the terms of each block, [system][block] on the device, in the order of the stream.
void largest_products(const InnerSystems& systems, const InnerTerms<double>& terms, double* largest,
                      StreamHandle stream);
void largest_products(const InnerSystems& systems, const InnerTerms<float>& terms, double* largest,
                      StreamHandle stream);
/// Sums of the parts of the terms of each block by the grids of its system, [system][level]: exact, so in no order that
/// matters (math::add_parts). [system][block][level]; likewise.
void sum_products(const InnerSystems& systems, const InnerTerms<double>& terms, const double* grids, double* parts,
                  StreamHandle stream);
void sum_products(const InnerSystems& systems, const InnerTerms<float>& terms, const double* grids, double* parts,
                  StreamHandle stream);

}  // namespace armilla::kernels
