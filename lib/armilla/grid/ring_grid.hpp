#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/meridian_circle.hpp>

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace armilla::grid {

using core::Index;

/// One ring of equidistant pixels at one colatitude; pixel j of it lies at phi0 + 2 pi j / nphi.
struct Ring {
  double theta;       ///< colatitude [rad]
  double cos_theta;   ///< stored apart, exact to rounding also near the poles
  double sin_theta;   ///< likewise
  double phi0;        ///< longitude of the first pixel [rad]
  Index nphi;         ///< number of pixels
  Index first_pixel;  ///< of the grid; rings follow each other without gaps
  double weight;      ///< quadrature weight of the whole ring [sr]; 0 where the grid has none
};

/// A ring and its mirror image at the equator: what shares one evaluation of Legendre functions.
struct RingPair {
  Index north;       ///< index of the ring at theta <= pi/2, or -1
  Index south;       ///< index of the ring at theta > pi/2, or -1; never equal to north
  double cos_theta;  ///< of the colatitude folded to the northern hemisphere, >= 0
  double sin_theta;  ///< likewise
};

/// Rings first .. last of a grid, counted from 0 in ascending theta.
struct RingRange {
  Index first;  ///< the northernmost
  Index last;   ///< the southernmost
  /// Equal where both ends are.
  friend bool operator==(const RingRange&, const RingRange&) = default;
};

/// What a grid is called and made from; written to files and compared between steps of a job. Which members a kind uses
/// is in its rows of grid_kinds(); 0 stands for a default that its maker fills in.
struct GridDescription {
  std::string kind;       ///< "healpix", "gauss", "equiangular", .. or "rings"
  std::string rule = {};  ///< equiangular: where the rings lie, such as "cc"
  Index nside = 0;        ///< healpix
  Index nlat = 0;         ///< number of rings
  Index nphi = 0;         ///< pixels per ring
  double phi0 = 0;        ///< longitude of the first pixel of each ring [rad]
  Index spin = 0;         ///< reduced_gauss: the highest spin that it is made for
  std::string file = {};  ///< rings: where they came from, for messages
  /// Of a part of the sky: the rings of the whole grid that it has, ascending, apart from each other. Empty: all.
  std::vector<RingRange> part = {};
  /// Whether it is no part of a grid.
  bool is_whole() const { return part.empty(); }
  /// All of HEALPix: what files in that format hold, and what has a NESTED order.
  bool is_full_healpix() const { return kind == "healpix" && is_whole(); }
  /// For people and logs, such as "healpix nside 512".
  std::string text() const;
};

/// What analysis on a grid can carry, and by which rule, such as "nlat - 1".
struct AnalysisLimits {
  Index lmax = 0;                                  ///< the highest
  Index mmax = 0;                                  ///< the highest
  std::string lmax_rule;                           ///< how lmax follows from the grid's parameters
  std::string mmax_rule;                           ///< how mmax does
  Index spin = std::numeric_limits<Index>::max();  ///< the highest; most grids carry any
  /// Where degrees above weights_lmax ask for more than weights of rings: the circle that the rings lie on, on which
  /// Delta_m is resampled (resample::ThetaQuadrature). No points where weights serve all degrees.
  math::MeridianCircle circle = {};
  Index weights_lmax = 0;  ///< up to which weights of rings are exact, where there is a circle
};

/// Iso-latitude rings, ascending in theta, each with its own number of pixels. Immutable.
class RingGrid {
 public:
  /// Takes rings in ascending theta; first_pixel is filled in here, mirror rings are found here.
  /// Throws InputError for no rings, theta not ascending or outside [0, pi], nphi < 1.
  RingGrid(GridDescription description, std::vector<Ring> rings, bool has_weights, AnalysisLimits limits);

  const GridDescription& description() const { return description_; }  ///< what it was made from
  Index npix() const { return npix_; }                                 ///< number of pixels
  std::span<const Ring> rings() const { return rings_; }               ///< in ascending theta
  /// All pairs in ascending sin(theta), so pole to equator; every ring is in exactly one.
  std::span<const RingPair> pairs() const { return pairs_; }
  /// True where pair `pair` and the next one have one ring each, both of one length: these two rings share an FFT as a
  /// ring and its mirror image do, so they are never parted. No pair is joined to two others.
  bool is_joined_to_next(Index pair) const { return joined_[static_cast<std::size_t>(pair)]; }
  /// Whether its rings can integrate maps over the whole sky; never those of a part.
  bool has_weights() const { return has_weights_; }
  /// What analysis can carry.
  const AnalysisLimits& analysis_limits() const { return limits_; }
  /// The largest lmax with mmax = lmax.
  Index analysis_lmax() const { return std::min(limits_.lmax, limits_.mmax); }
  /// True where quadrature for degrees up to `lmax` is exact, but not by weights of rings alone.
  bool needs_theta_quadrature(Index lmax) const {
    return has_weights_ && limits_.circle.points > 0 && lmax > limits_.weights_lmax && lmax <= limits_.lmax;
  }
  /// True where both have the same rings, pixel for pixel.
  bool same_pixels(const RingGrid& other) const;

 private:
  GridDescription description_;
  std::vector<Ring> rings_;
  std::vector<RingPair> pairs_;
  std::vector<bool> joined_;  ///< [pair]
  Index npix_ = 0;
  bool has_weights_ = false;
  AnalysisLimits limits_;
};

}  // namespace armilla::grid
