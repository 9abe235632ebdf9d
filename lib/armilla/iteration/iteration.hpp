#pragma once

#include <armilla/iteration/types.hpp>

namespace armilla::iteration {

/// An iterated analysis of the maps of a transform, by one scheme and one quadrature A. Keeps what it can from batch to
/// batch of a campaign.
template <class T>
class Iteration {
 public:
  virtual ~Iteration() = default;
  /// alm = A map, then so often alm += A (map - Y alm); overwrites alm. Collective, but for iterations on one rank.
  virtual void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm) = 0;
};

}  // namespace armilla::iteration
