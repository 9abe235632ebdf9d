#pragma once

#include <armilla/core/types.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::grid {

using core::Index;

/// One ring of equidistant pixels at one colatitude; pixel j of it lies at phi0 + 2 pi j / nphi.
struct Ring {
  double theta;      ///< colatitude [rad]
  double cos_theta;  ///< stored apart, exact to rounding also near the poles
  double sin_theta;
  double phi0;  ///< longitude of the first pixel [rad]
  Index nphi;
  Index first_pixel;  ///< of the grid; rings follow each other without gaps
  double weight;      ///< quadrature weight of the whole ring [sr]; 0 where the grid has none
};

/// A ring and its mirror image at the equator: what shares one evaluation of Legendre functions.
struct RingPair {
  Index north;       ///< index of the ring at theta <= pi/2, or -1
  Index south;       ///< index of the ring at theta > pi/2, or -1; never equal to north
  double cos_theta;  ///< of the colatitude folded to the northern hemisphere, >= 0
  double sin_theta;
};

/// What a grid is called and made from; written to files and compared between steps of a job.
struct GridDescription {
  std::string kind;       ///< "healpix", "gauss" or "rings"
  Index nside = 0;        ///< healpix
  Index nlat = 0;         ///< gauss: number of rings
  Index nphi = 0;         ///< gauss: pixels per ring
  std::string file = {};  ///< rings: where they came from, for messages
  /// For people and logs, such as "healpix nside 512".
  std::string text() const;
};

/// Iso-latitude rings, ascending in theta, each with its own number of pixels. Immutable.
class RingGrid {
 public:
  /// Takes rings in ascending theta; first_pixel is filled in here, mirror rings are found here.
  /// `analysis_lmax`: largest lmax that analysis on this grid can carry.
  /// Throws InputError for no rings, theta not ascending or outside [0, pi], nphi < 1.
  RingGrid(GridDescription description, std::vector<Ring> rings, bool has_weights, Index analysis_lmax);

  const GridDescription& description() const { return description_; }
  Index npix() const { return npix_; }
  std::span<const Ring> rings() const { return rings_; }
  /// All pairs in ascending sin(theta), so pole to equator; every ring is in exactly one.
  std::span<const RingPair> pairs() const { return pairs_; }
  bool has_weights() const { return has_weights_; }
  Index analysis_lmax() const { return analysis_lmax_; }
  /// True where both have the same rings, pixel for pixel.
  bool same_pixels(const RingGrid& other) const;

 private:
  GridDescription description_;
  std::vector<Ring> rings_;
  std::vector<RingPair> pairs_;
  Index npix_ = 0;
  bool has_weights_ = false;
  Index analysis_lmax_ = 0;
};

}  // namespace armilla::grid
