#pragma once

#include <armilla/core/host_device.hpp>
#include <armilla/core/types.hpp>
#include <armilla/math/sum_grids.hpp>

#include <kernels/core/pixel_rings.hpp>
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
  HOST_DEVICE double operator()(Index /*system*/, Index begin, Index i, Index& /*ring*/) const {
    const T* p = x + 2 * (begin + i);
    const T* q = y + 2 * (begin + i);
    const double product =
        static_cast<double>(p[0]) * static_cast<double>(q[0]) + static_cast<double>(p[1]) * static_cast<double>(q[1]);
    const Index place = i % period;
    return place >= once_begin && place < once_end ? product : 2 * product;
  }
};

/// Terms of sums of weighted squares of pixels, in double. The weight of a pixel is that of its ring, or its own where
/// pixel_weight is not null.
template <class T>
struct SquareTerms {
  const T* x;
  Index period;  ///< pixels of a component
  PixelRings rings;
  const double* ring_weight;  ///< [ring]
  const T* pixel_weight;
  const Index* weight_begin;  ///< [system] of pixel_weight: that of its first pixel
  Index weight_period;        ///< after so many pixels of a system, they begin anew

  /// Of pixel i of those from `begin`, where a component begins, on; `ring`: a guess at where it is, and where it is.
  HOST_DEVICE double operator()(Index system, Index begin, Index i, Index& ring) const {
    const auto value = static_cast<double>(x[begin + i]);
    if (pixel_weight != nullptr)
      return static_cast<double>(pixel_weight[weight_begin[system] + within(i, weight_period)]) * value * value;
    ring = rings.find(within(i, period), ring);
    return ring_weight[ring] * value * value;
  }

 private:
  HOST_DEVICE static Index within(Index i, Index length) { return i < length ? i : i % length; }
};

/// Sums `systems` of them at once, [system] on the device: each of length[s] terms from begin[s] on, dealt out to
/// `blocks` blocks.
struct InnerSystems {
  const Index* begin;
  const Index* length;
  Index systems;
  Index blocks;
};

/// Largest magnitude of the terms of each block, [system][block] on the device, in the order of the stream. Terms:
/// InnerTerms and SquareTerms, of float and double.
template <class Terms>
void largest_products(const InnerSystems& systems, const Terms& terms, double* largest, StreamHandle stream);
/// Sums of the parts of the terms of each block by the grids of its system, [system][level]: exact, so in no order that
/// matters (math::add_parts). [system][block][level]; likewise.
template <class Terms>
void sum_products(const InnerSystems& systems, const Terms& terms, const double* grids, double* parts,
                  StreamHandle stream);

}  // namespace armilla::kernels
