#pragma once

#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/ops/lensing.hpp>

#include <cmath>
#include <memory>
#include <vector>

#include "support/fields.hpp"

namespace armilla::ops {

/// Whole grids, among them one with rings at the poles, and a part of the sky.
inline std::vector<std::shared_ptr<const grid::RingGrid>> lens_grids() {
  grid::RingSelection part;
  part.theta = grid::ThetaRange{0, 70 * core::kPi / 180};
  return {std::make_shared<grid::RingGrid>(grid::make_healpix(16)),
          std::make_shared<grid::RingGrid>(grid::make_equiangular("cc", 33, 40, 0.3)),
          std::make_shared<grid::RingGrid>(grid::make_part({.kind = "healpix", .nside = 16}, part))};
}

/// Fields and vectors of one test, on the ranks of a communicator.
template <class T>
struct LensCase {
  LensCase(const comm::Communicator& communicator, std::shared_ptr<const grid::RingGrid> grid,
           transform::FieldKind fields, Index lmax, backend::Kind backend)
      : comm(communicator),
        kind(std::move(fields)),
        pixels(std::make_shared<dist::PixelDistribution>(std::move(grid), comm.size())),
        spec{.kind = kind,
             .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), comm.size()),
             .accuracy = sizeof(T) == 4 ? 1e-5 : 1e-9,
             .backend = backend} {}

  transform::MapField<T> make_map(const transform::FieldKind& fields, Index maps) const {
    return {fields, pixels, comm.rank(), maps};
  }
  transform::AlmField<T> make_alm(Index maps, std::uint64_t seed = 5) const {
    transform::AlmField<T> alm(kind, spec.alm, comm.rank(), maps);
    test::fill_noise(alm, seed);
    return alm;
  }
  /// Vectors of 1e-10 to 4 rad in all directions: to the other side of the poles, and further than pi.
  transform::MapField<T> vectors(Index maps) const {
    auto made = make_map(transform::FieldKind::vector(), maps);
    test::fill_map(made, [](Index k, Index c, Index p) {
      const auto i = static_cast<double>(p % 997 + k);
      const double angle = p % 13 == 0 ? 0 : 4 * std::pow(10.0, -10 * i / 997);
      return angle * (c == 0 ? std::cos(static_cast<double>(p)) : std::sin(static_cast<double>(p)));
    });
    return made;
  }

  const comm::Communicator& comm;
  transform::FieldKind kind;
  std::shared_ptr<const dist::PixelDistribution> pixels;
  points::PointTransformSpec spec;
};

}  // namespace armilla::ops
