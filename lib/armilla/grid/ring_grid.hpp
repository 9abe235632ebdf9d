#pragma once

#include <armilla/core/types.hpp>
#include <armilla/math/meridian_circle.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace armilla::grid {

using core::Index;

/// One ring of equidistant pixels at one colatitude; pixel j is at phi0 + 2 pi j / nphi.
struct Ring {
  double theta;       ///< colatitude [rad]
  double cos_theta;   ///< stored separately, exact to rounding also near the poles
  double sin_theta;   ///< the same
  double phi0;        ///< longitude of the first pixel [rad]
  Index nphi;         ///< number of pixels
  Index first_pixel;  ///< index in the grid; rings are contiguous
  double weight;      ///< quadrature weight of the whole ring [sr]; 0 if the grid has none
};

/// A ring and its mirror image at the equator, which share one evaluation of Legendre functions.
struct RingPair {
  Index north;       ///< index of the ring at theta <= pi/2, or -1
  Index south;       ///< index of the ring at theta > pi/2, or -1; never equal to north
  double cos_theta;  ///< of the colatitude folded to the northern hemisphere, >= 0
  double sin_theta;  ///< the same
};

/// Rings first .. last of a grid, counted from 0 in ascending theta.
struct RingRange {
  Index first;  ///< the northernmost
  Index last;   ///< the southernmost
  /// Equal if both ends are equal.
  friend bool operator==(const RingRange&, const RingRange&) = default;
};

/// Kind and parameters of a grid; written to files and compared between steps of a job. The rows of grid_kinds() list
/// the members that a kind uses; 0 stands for a default value.
struct GridDescription {
  std::string kind;       ///< "healpix", "gauss", "equiangular", .. or "rings"
  std::string rule = {};  ///< equiangular: rule for the colatitudes, such as "cc"
  Index nside = 0;        ///< healpix
  Index nlat = 0;         ///< number of rings
  Index nphi = 0;         ///< pixels per ring
  double phi0 = 0;        ///< longitude of the first pixel of each ring [rad]
  Index spin = 0;         ///< reduced_gauss: the highest supported spin
  std::string file = {};  ///< rings: their file, for messages
  /// For a part of the sky: its rings of the whole grid, as ascending ranges that are not adjacent. Empty: all rings.
  std::vector<RingRange> part = {};
  /// Whether it is a whole grid.
  bool is_whole() const { return part.empty(); }
  /// Whether it is a whole HEALPix grid, as in HEALPix files; only such a grid has a NESTED order.
  bool is_full_healpix() const { return kind == "healpix" && is_whole(); }
  /// Text for messages, such as "healpix nside 512".
  std::string text() const;
};

/// Limits of analysis on a grid, and the formulas for them, such as "nlat - 1".
struct AnalysisLimits {
  Index lmax = 0;                                  ///< highest degree
  Index mmax = 0;                                  ///< highest order
  std::string lmax_rule;                           ///< formula for lmax from the parameters of the grid
  std::string mmax_rule;                           ///< the same for mmax
  Index spin = std::numeric_limits<Index>::max();  ///< highest spin; most grids have no limit
  /// If exact analysis needs more than ring weights: the circle of the rings, on which Delta_m is resampled
  /// (resample::ThetaQuadrature). No points if weights are exact for all fields that the rings determine.
  math::MeridianCircle circle = {};
  /// If there is a circle: degree up to which ring weights are exact, for fields without power at higher degrees.
  Index weights_lmax = 0;
};

class PolarCuts;

/// Iso-latitude rings, ascending in theta, each with its own number of pixels. Immutable.
class RingGrid {
 public:
  /// Takes rings in ascending theta. Computes first_pixel and the pairs of mirror rings. Throws InputError for no
  /// rings, theta not ascending or outside [0, pi], nphi < 1.
  RingGrid(GridDescription description, std::vector<Ring> rings, bool has_weights, AnalysisLimits limits);

  const GridDescription& description() const { return description_; }  ///< kind and parameters
  Index npix() const { return npix_; }                                 ///< number of pixels
  std::span<const Ring> rings() const { return rings_; }               ///< in ascending theta
  /// All pairs in ascending sin(theta), from pole to equator. Every ring is in exactly one pair.
  std::span<const RingPair> pairs() const { return pairs_; }
  /// True if pair `pair` and the next one have one ring each, of equal length: these two rings share an FFT like a ring
  /// and its mirror image, so they stay on one rank. No pair is joined to two others.
  bool is_joined_to_next(Index pair) const { return joined_[static_cast<std::size_t>(pair)]; }
  /// Whether its rings have weights for integrals over the whole sky; always false for a part.
  bool has_weights() const { return has_weights_; }
  /// Limits of analysis.
  const AnalysisLimits& analysis_limits() const { return limits_; }
  /// The largest lmax with mmax = lmax.
  Index analysis_lmax() const { return std::min(limits_.lmax, limits_.mmax); }
  /// True if quadrature for degrees up to `lmax` is exact for all fields that the rings determine, but not with ring
  /// weights alone.
  bool needs_theta_quadrature(Index lmax) const {
    return has_weights_ && limits_.circle.points > 0 && lmax <= limits_.lmax;
  }
  /// Number of m beyond math::polar_cut() for which values on the rings may be significant. 0 if the values are those
  /// of a band-limited field.
  Index order_margin() const { return order_margin_; }
  /// For rings whose values are not those of a band-limited field, such as the deconvolved values of transforms at
  /// points.
  void set_order_margin(Index margin) { order_margin_ = margin; }
  /// [pair] math::polar_cut() of its rings for functions of degree <= lmax with this spin. Computed once; copies of the
  /// grid share it. May be called by any thread.
  std::shared_ptr<const std::vector<Index>> polar_cuts(Index lmax, Index spin) const;
  /// True if both have the same rings and pixels.
  bool same_pixels(const RingGrid& other) const;

 private:
  GridDescription description_;
  std::vector<Ring> rings_;
  std::vector<RingPair> pairs_;
  std::vector<bool> joined_;  ///< [pair]
  Index npix_ = 0;
  bool has_weights_ = false;
  Index order_margin_ = 0;
  AnalysisLimits limits_;
  std::shared_ptr<PolarCuts> cuts_;
};

}  // namespace armilla::grid
