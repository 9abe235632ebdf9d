#pragma once

#include <armilla/grid/makers.hpp>
#include <armilla/transform/field_transform.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

namespace armilla::perf {

using core::Index;

/// The transform whose stages a benchmark times, and the number of rounds.
struct StageCase {
  Index nside = 0;  ///< of a HEALPix grid; 0: Gauss grid
  Index nlat = 256;
  Index nphi = 0;  ///< 0 means 2 nlat
  Index lmax = 255;
  Index spin = 0;
  Index maps = 1;
  int rounds = 7;

  /// Adds the command-line options for all of these.
  void add_options(CLI::App& app) {
    app.add_option("--nside", nside, "nside of a HEALPix grid; default: a Gauss grid");
    app.add_option("--nlat", nlat, "rings of the Gauss grid");
    app.add_option("--nphi", nphi, "pixels per ring of the Gauss grid, default 2 nlat");
    app.add_option("--lmax", lmax);
    app.add_option("--spin", spin);
    app.add_option("--maps", maps);
    app.add_option("--rounds", rounds);
  }

  /// Specification with coefficients and pixels distributed to this number of ranks.
  transform::FieldTransformSpec spec(int ranks = 1) const {
    transform::FieldTransformSpec spec;
    spec.kind = spin == 0 ? transform::FieldKind::scalar() : transform::FieldKind::spin(spin);
    spec.maps = maps;
    spec.campaign = maps > 1;
    spec.alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), ranks);
    spec.pixels = std::make_shared<dist::PixelDistribution>(
        std::make_shared<grid::RingGrid>(nside > 0 ? grid::make_healpix(nside)
                                                   : grid::make_gauss(nlat, nphi > 0 ? nphi : 2 * nlat)),
        ranks);
    return spec;
  }
};

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace armilla::perf
