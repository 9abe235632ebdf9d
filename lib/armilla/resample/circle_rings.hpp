#pragma once

#include <armilla/math/meridian_circle.hpp>
#include <armilla/resample/pair_value.hpp>

#include <span>
#include <vector>

namespace armilla::resample {

using core::Index;

/// Pairs of rings of a grid: cosine and sine of the northern colatitude, and the rings present (>= 0).
struct PairList {
  std::span<const double> cos_theta;
  std::span<const double> sin_theta;
  std::span<const Index> north;
  std::span<const Index> south;
  Index size() const { return static_cast<Index>(cos_theta.size()); }
};

/// Positions of pairs of rings on a circle through both poles. Sums over rings represent half the sums over the circle.
/// A ring at a pole is one point of the circle and counts half; all others are two points. The rings may omit points at
/// the poles, called "extra" here. There a function on the circle is zero (all Delta_m except m = spin), or it is
/// determined by the other points. One missing point requires degree below points / 2, two require degree below points
/// / 2 - 1.
class CircleRings {
 public:
  /// Throws InputError if a ring is not on the circle, or if a point other than a pole has no ring.
  CircleRings(const math::MeridianCircle& circle, const PairList& pairs);

  Index pairs() const { return pairs_; }
  /// Whether there is an extra pair of points: both poles or one of them.
  bool has_extra() const { return !extra_.empty(); }
  Index points() const { return points_; }

  /// Halves rings at the poles and writes the extra pair, also halved, after the last pair. Its values are computed
  /// from the rings if `filled`, otherwise zero. Absent rings must be zero.
  void prepare(bool filled, PairValue* rings) const;
  /// The transpose; absent rings are unspecified afterwards.
  void prepare_transposed(bool filled, PairValue* rings) const;

  // Tables equivalent to prepare(), for quadrature in other modules. ring_factors: [pair][north, south] factors of
  // rings. extra_shares: [pair][north, south][to the northern, to the southern extra point] contributions to the extra
  // points; empty without an extra pair.

  std::vector<double> ring_factors() const;
  std::vector<double> extra_shares() const;

 private:
  struct Ends {
    double north, south;
  };
  struct PoleRing {
    Index pair;
    int part;  ///< index in the PairValue: 0 north, 2 south
  };
  void find_extra(const PairList& pairs, const std::vector<Index>& north, const std::vector<Index>& south);

  Index pairs_;
  Index points_;
  std::vector<PoleRing> poles_;
  std::vector<Ends> extra_;  ///< [pair][north, south ring] contribution to the extra points; empty without them
};

}  // namespace armilla::resample
