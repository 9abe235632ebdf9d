#pragma once

#include <armilla/math/meridian_circle.hpp>
#include <armilla/resample/pair_value.hpp>

#include <span>
#include <vector>

namespace armilla::resample {

using core::Index;

/// Pairs of rings as a grid has them: cosine and sine of the northern colatitude, and the rings that are there (>= 0).
struct PairList {
  std::span<const double> cos_theta;
  std::span<const double> sin_theta;
  std::span<const Index> north;
  std::span<const Index> south;
  Index size() const { return static_cast<Index>(cos_theta.size()); }
};

/// Where pairs of rings lie on a circle through both poles. Sums over rings stand for half the sums over the circle: a
/// ring at a pole is one point of it and counts by half, all others are two. The rings may leave out points at the
/// poles, "extra" here, where a function of the circle is zero (all Delta_m but those of m = spin), or follows from the
/// other points: one where it is of degree below points / 2, both below points / 2 - 1.
class CircleRings {
 public:
  /// Throws InputError where a ring does not lie on the circle, or a point that is not at a pole has no ring.
  CircleRings(const math::MeridianCircle& circle, const PairList& pairs);

  Index pairs() const { return pairs_; }
  /// Whether there is an extra pair of points, both poles or one of them.
  bool has_extra() const { return !extra_.empty(); }
  Index points() const { return points_; }

  /// Halves rings at the poles and writes the extra pair, likewise halved, behind the last pair: as it follows from the
  /// rings, or zero. Rings that are not there must be zero.
  void prepare(bool filled, PairValue* rings) const;
  /// The transpose; rings that are not there come out void.
  void prepare_transposed(bool filled, PairValue* rings) const;

  // The same as tables, for quadrature elsewhere: [pair][north, south] what rings are multiplied by, and [pair][north,
  // south][to the northern, to the southern extra point] what they add there then; empty without an extra pair.

  std::vector<double> ring_factors() const;
  std::vector<double> extra_shares() const;

 private:
  struct Ends {
    double north, south;
  };
  struct PoleRing {
    Index pair;
    int part;  ///< of the PairValue: 0 north, 2 south
  };
  void find_extra(const PairList& pairs, const std::vector<Index>& north, const std::vector<Index>& south);

  Index pairs_;
  Index points_;
  std::vector<PoleRing> poles_;
  std::vector<Ends> extra_;  ///< [pair][north, south ring] what a ring adds to the extra points, empty without them
};

}  // namespace armilla::resample
