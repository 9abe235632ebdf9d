#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/iteration/types.hpp>

namespace armilla::iteration {

/// An iterated analysis of the maps of a transform, by one scheme and one quadrature A. Keeps what it can from batch to
/// batch of a campaign.
template <class T>
class Iteration {
 public:
  virtual ~Iteration() = default;
  /// alm = A map, then so often alm += A (map - Y alm); overwrites alm. Collective, but for iterations on one rank.
  /// `checkpoint`, null for none: the schemes of a single map (Scheme::kPixel, and kRing in Order::kJacobi) keep alm
  /// between corrections there, and go on from it. By pixels bitwise as if there had been no interruption, by rings
  /// within rounding.
  virtual void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm,
                       Checkpoint<T>* checkpoint = nullptr) = 0;
};

}  // namespace armilla::iteration
