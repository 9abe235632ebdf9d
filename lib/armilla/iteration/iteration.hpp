#pragma once

#include <armilla/iteration/checkpoint.hpp>
#include <armilla/iteration/types.hpp>

namespace armilla::iteration {

/// An iterated analysis of the maps of a transform, with one scheme and one quadrature A. Reusable state is kept
/// between the batches of a campaign.
template <class T>
class Iteration {
 public:
  virtual ~Iteration() = default;
  /// alm = A map, then `corrections` times alm += A (map - Y alm); overwrites alm. Collective, except for iterations on
  /// one rank. `checkpoint`, null for none: the schemes for a single map (Scheme::kPixel, and kRing in Order::kJacobi)
  /// store alm between corrections there and resume from it. Resumed results by pixels are bitwise identical to
  /// uninterrupted ones; by rings they agree to rounding.
  virtual void analyse(const MapField<T>& map, Index corrections, AlmField<T>& alm,
                       Checkpoint<T>* checkpoint = nullptr) = 0;
};

}  // namespace armilla::iteration
