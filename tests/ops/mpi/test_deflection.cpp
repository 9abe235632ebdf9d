// The transpose of lensing, the derivative of a displacement, and inverse deflections.
#include <armilla/grid/makers.hpp>
#include <armilla/grid/part.hpp>
#include <armilla/ops/deflection.hpp>
#include <armilla/ops/inverse_deflection.hpp>
#include <armilla/ops/lensing.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/distance.hpp"
#include "support/dot.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::at;
using core::kPi;
using transform::AlmField;
using transform::FieldKind;
using transform::MapField;
using Grid = std::shared_ptr<const grid::RingGrid>;

constexpr Index kVectorLmax = 20;

std::shared_ptr<const dist::AlmDistribution> layout_of(const comm::Communicator& comm, Index lmax) {
  return std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), comm.size());
}

/// E, B of displacements of up to 0.1 `size` and a magnification that differs from 1 by up to 0.2 `size`.
AlmField<double> draw_deflection(const comm::Communicator& comm, double size) {
  AlmField<double> alm(FieldKind::vector(), layout_of(comm, kVectorLmax), comm.rank(), 1);
  test::fill_noise(alm, 11);
  const std::vector<double> steep = [&] {
    std::vector<double> factors;
    for (Index l = 0; l <= kVectorLmax; ++l) factors.push_back(0.5 * size * std::pow(l + 1, -2.5));
    return factors;
  }();
  transform::multiply_degrees(alm, 0, 2, steep);
  return alm;
}

AlmField<double> with_derivatives(const AlmField<double>& vectors) {
  AlmField<double> all(deflection_kind(DeflectionParts::kDerivatives), vectors.shared_distribution(), vectors.rank(),
                       vectors.maps());
  test::poison(all);
  make_deflection(vectors, all);
  return all;
}

MapField<double> synthesise(const comm::Communicator& comm, const AlmField<double>& alm, const Grid& grid) {
  transform::FieldTransformSpec spec = test::make_spec(alm.kind(), grid, alm.distribution().layout(), comm.size());
  spec.backend = backend::Kind::kCpu;
  transform::FieldTransform<double> transform(comm, spec);
  MapField<double> map(alm.kind(), spec.pixels, comm.rank(), 1);
  transform.synthesis(alm, map);
  return map;
}

MapField<double> magnification_of(const comm::Communicator& comm, const AlmField<double>& vectors, const Grid& grid) {
  const MapField<double> all = synthesise(comm, with_derivatives(vectors), grid);
  MapField<double> found(magnification_kind(), all.shared_distribution(), comm.rank(), 1);
  test::poison(found);
  magnification(all, found);
  return found;
}

Grid gauss(Index nlat) { return std::make_shared<grid::RingGrid>(grid::make_gauss(nlat, 0)); }

/// Ring weight over its pixels, of each own pixel.
std::vector<double> pixel_areas(const MapField<double>& map) {
  std::vector<double> areas(at(map.local_size()));
  const std::vector<Index> rings = map.distribution().local_rings(map.rank()),
                           places = map.distribution().local_ring_pixels(map.rank());
  for (std::size_t r = 0; r < rings.size(); ++r) {
    const grid::Ring& ring = map.distribution().grid().rings()[at(rings[r])];
    for (Index j = 0; j < ring.nphi; ++j) areas[at(places[r] + j)] = ring.weight / static_cast<double>(ring.nphi);
  }
  return areas;
}

TEST(Deflection, MagnificationCoversTheSphereOnce) {
  const auto comm = comm::Communicator::world();
  for (const double size : {0.01, 1.0}) {
    const MapField<double> found = magnification_of(comm, draw_deflection(comm, size), gauss(64));
    const std::vector<double> areas = pixel_areas(found);
    double sums[] = {0, 0};
    for (std::size_t i = 0; i < areas.size(); ++i) {
      sums[0] += areas[i] * found.component(0, 2)[i];
      sums[1] += areas[i] * std::pow(found.component(0, 2)[i] - 1, 2);
    }
    comm.sum(sums);
    EXPECT_NEAR(sums[0], 4 * kPi, 1e-12) << size;
    EXPECT_GT(sums[1], 1e-3 * size * size);
  }
}

/// theta, phi -> the point.
std::array<double, 3> point_at(double theta, double phi) {
  return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
}

/// Pixels of rings, four of them, moved by dtheta and dphi, as displaced unit vectors.
std::vector<std::array<double, 3>> displaced_pixels(const comm::Communicator& comm, const AlmField<double>& alm,
                                                    double dtheta, double dphi) {
  const std::vector<double> theta{0.3 + dtheta, 1.1 + dtheta, 1.9 + dtheta, 2.8 + dtheta}, phi(4, 0.2 + dphi);
  const std::vector<Index> nphi(4, 7);
  const Grid grid = std::make_shared<grid::RingGrid>(grid::make_rings(theta, phi, nphi, {}, "shifted"));
  const Pointing moved = displace(synthesise(comm, alm, grid), 0);
  std::vector<std::array<double, 3>> points;
  for (std::size_t i = 0; i < moved.theta.size(); ++i) points.push_back(point_at(moved.theta[i], moved.phi[i]));
  return points;
}

TEST(Deflection, MagnificationIsTheDerivativeOfThePointing) {
  const auto comm = comm::Communicator::world();
  const AlmField<double> alm = draw_deflection(comm, 1);
  constexpr double kStep = 1e-3;
  // Fourth order: the error is about kStep^4 kVectorLmax^4 / 30 of a displacement of 0.1.
  const auto derivative = [&](double theta, double phi) {
    auto sum = displaced_pixels(comm, alm, 2 * theta * kStep, 2 * phi * kStep);
    for (auto& point : sum)
      for (double& x : point) x *= -1;
    for (const auto& [shift, factor] : {std::pair{1, 8.0}, {-1, -8.0}, {-2, 1.0}}) {
      const auto more = displaced_pixels(comm, alm, shift * theta * kStep, shift * phi * kStep);
      for (std::size_t i = 0; i < sum.size(); ++i)
        for (std::size_t x = 0; x < 3; ++x) sum[i][x] += factor * more[i][x];
    }
    for (auto& point : sum)
      for (double& x : point) x /= 12 * kStep;
    return sum;
  };
  const auto here = displaced_pixels(comm, alm, 0, 0), along_theta = derivative(1, 0), along_phi = derivative(0, 1);
  const std::vector<double> theta{0.3, 1.1, 1.9, 2.8}, phi(4, 0.2);
  const std::vector<Index> nphi(4, 7);
  const Grid grid = std::make_shared<grid::RingGrid>(grid::make_rings(theta, phi, nphi, {}, "rings"));
  const MapField<double> found = magnification_of(comm, alm, grid);
  const std::vector<Index> rings = found.distribution().local_rings(comm.rank()),
                           places = found.distribution().local_ring_pixels(comm.rank());
  for (std::size_t r = 0; r < rings.size(); ++r)
    for (Index j = 0; j < 7; ++j) {
      const std::size_t i = at(places[r] + j);
      const auto &n = here[i], &a = along_theta[i], &b = along_phi[i];
      const double volume =
          n[0] * (a[1] * b[2] - a[2] * b[1]) + n[1] * (a[2] * b[0] - a[0] * b[2]) + n[2] * (a[0] * b[1] - a[1] * b[0]);
      EXPECT_NEAR(found.component(0, 2)[i], volume / grid->rings()[at(rings[r])].sin_theta, 1e-8);
    }
}

TEST(Deflection, OfAPotentialIsItsGradient) {
  const auto comm = comm::Communicator::world();
  AlmField<double> potential(FieldKind::scalar("P"), layout_of(comm, kVectorLmax), comm.rank(), 2),
      vectors(FieldKind::vector(), potential.shared_distribution(), comm.rank(), 2);
  test::fill_noise(potential, 3);
  test::fill_alm(vectors, [](Index, Index, Index, Index) { return std::complex<double>(0); });
  for (Index map = 0; map < 2; ++map) std::ranges::copy(potential.component(map, 0), vectors.component(map, 0).begin());
  std::vector<double> roots;
  for (Index l = 0; l <= kVectorLmax; ++l) roots.push_back(std::sqrt(static_cast<double>(l * (l + 1))));
  transform::multiply_degrees(vectors, 0, 1, roots);
  EXPECT_LE(test::distance(comm, with_derivatives(potential), with_derivatives(vectors)), 1e-15);
}

TEST(Deflection, DeterminantIsTheFormula) {
  const DisplacementGradient of{{0.3, -0.4}, 0.1, -0.2, {0.15, 0.25}};
  const double cosine = std::cos(0.5), share = std::sin(0.5) / 0.5;
  const double along = (of.shear * std::conj(of.displacement * of.displacement)).real() / 0.25;
  EXPECT_NEAR(DisplacementMatrix(of).determinant(),
              1.1 * (cosine + share * 0.1) + (cosine - share) * along - share * std::norm(of.shear) + share * 0.04,
              1e-15);
}

/// A whole sphere, and part of one.
std::vector<Grid> grids() {
  grid::GridDescription healpix;
  healpix.kind = "healpix";
  healpix.nside = 8;
  grid::RingSelection part;
  part.theta = grid::ThetaRange{30 * kPi / 180, 80 * kPi / 180};
  return {gauss(21), std::make_shared<grid::RingGrid>(grid::make_part(healpix, part))};
}

TEST(LensAdjoint, IsTheTranspose) {
  const auto comm = comm::Communicator::world();
  for (const Grid& grid : grids()) {
    const MapField<double> vectors = synthesise(comm, draw_deflection(comm, 1), grid);
    for (const FieldKind& kind : {FieldKind::temperature_polarisation(), FieldKind::vector(), FieldKind::spin(3)}) {
      SCOPED_TRACE(grid->description().text() + " " + kind.map_names().front());
      const points::PointTransformSpec spec{.kind = kind, .alm = layout_of(comm, 30), .accuracy = 1e-8};
      Lens<double> lens(comm, vectors, 0, spec);
      AlmField<double> a(kind, spec.alm, comm.rank(), 2), found(kind, spec.alm, comm.rank(), 2);
      MapField<double> lensed(kind, vectors.shared_distribution(), comm.rank(), 2),
          map(kind, vectors.shared_distribution(), comm.rank(), 2),
          weighted(kind, vectors.shared_distribution(), comm.rank(), 2);
      test::fill_noise(a, 7);
      test::fill_map(map, [](Index k, Index c, Index p) { return test::noise(9, at(p), at(2 * c + k)); });
      test::poison(lensed);
      test::poison(found);
      const backend::DualBuffer<double> none(0);
      backend::DualBuffer<double> weights(map.local_size());
      const std::span<double> factors = weights.host();
      for (std::size_t i = 0; i < factors.size(); ++i) factors[i] = 0.5 + 0.1 * static_cast<double>(i % 7);
      for (Index k = 0; k < 2; ++k) {
        lens(a, 1 - k, lensed, k);
        lens.adjoint(map, k, k == 0 ? none : weights, found, 1 - k);
        for (Index c = 0; c < kind.components(); ++c)
          for (std::size_t i = 0; i < factors.size(); ++i)
            weighted.component(k, c)[i] = map.component(k, c)[i] * (k == 0 ? 1 : factors[i]);
      }
      const double size = std::sqrt(test::dot(comm, lensed, lensed) * test::dot(comm, weighted, weighted));
      EXPECT_GT(size, 1);
      EXPECT_NEAR(test::dot(comm, a, found), test::dot(comm, lensed, weighted), 1e-13 * size);
    }
  }
}

TEST(InverseDeflection, LeadsToThePointsThatComeToThePixels) {
  const auto comm = comm::Communicator::world();
  const AlmField<double> all = with_derivatives(draw_deflection(comm, 1));
  for (const Grid& grid : grids()) {
    MapField<double> found(FieldKind::vector(), std::make_shared<dist::PixelDistribution>(grid, comm.size()),
                           comm.rank(), 2);
    const InverseOutcome outcome = inverse_deflection(comm, all, 0, 1e-12, "auto", found, 1);
    EXPECT_TRUE(outcome.converged());
    EXPECT_GE(outcome.iterations, 3);
    EXPECT_LE(outcome.iterations, 8);
    EXPECT_LE(outcome.largest_residual, outcome.tolerance);
    const Pointing from = displace(found, 1);
    const points::PointTransformSpec spec{.kind = all.kind(), .alm = all.shared_distribution(), .accuracy = 1e-12};
    points::PointTransform<double> transform(comm, spec, from.theta, from.phi);
    std::vector<std::vector<double>> values(6, std::vector<double>(from.theta.size()));
    const std::vector<std::span<double>> spans(values.begin(), values.end());
    transform.synthesis(all, spans);
    const std::vector<Index> rings = found.distribution().local_rings(comm.rank()),
                             places = found.distribution().local_ring_pixels(comm.rank());
    for (std::size_t r = 0; r < rings.size(); ++r) {
      const grid::Ring& ring = grid->rings()[at(rings[r])];
      for (Index j = 0; j < ring.nphi; ++j) {
        const std::size_t i = at(places[r] + j);
        const double angle = std::hypot(values[0][i], values[1][i]), share = std::sin(angle) / angle;
        const double theta = from.theta[i], phi = from.phi[i];
        const auto start = point_at(theta, phi), south = point_at(theta + kPi / 2, phi),
                   east = point_at(kPi / 2, phi + kPi / 2);
        const auto pixel =
            point_at(ring.theta, ring.phi0 + 2 * kPi * static_cast<double>(j) / static_cast<double>(ring.nphi));
        for (std::size_t x = 0; x < 3; ++x)
          EXPECT_NEAR(std::cos(angle) * start[x] + share * (values[0][i] * south[x] + values[1][i] * east[x]), pixel[x],
                      1e-12);
      }
    }
  }
}

TEST(InverseDeflection, IsBitwiseIdenticalOnAnyRanks) {
  const auto comm = comm::Communicator::world();
  const auto self = comm::Communicator::self();
  const Grid grid = gauss(21);
  MapField<double> together(FieldKind::vector(), std::make_shared<dist::PixelDistribution>(grid, comm.size()),
                            comm.rank(), 1),
      alone(FieldKind::vector(), std::make_shared<dist::PixelDistribution>(grid, 1), 0, 1);
  inverse_deflection(comm, with_derivatives(draw_deflection(comm, 1)), 0, 1e-10, "auto", together, 0);
  inverse_deflection(self, with_derivatives(draw_deflection(self, 1)), 0, 1e-10, "auto", alone, 0);
  for (Index c = 0; c < 2; ++c) {
    std::size_t own = 0;
    for (const auto& range : together.distribution().pixel_ranges(comm.rank()))
      for (Index p = range.first; p < range.first + range.count; ++p)
        ASSERT_EQ(together.component(0, c)[own++], alone.component(0, c)[at(p)]);
  }
}

TEST(InverseDeflection, SaysWherePointsCross) {
  const auto comm = comm::Communicator::world();
  const Grid grid = gauss(21);
  MapField<double> found(FieldKind::vector(), std::make_shared<dist::PixelDistribution>(grid, comm.size()), comm.rank(),
                         1);
  const AlmField<double> vectors = draw_deflection(comm, 20);
  const DeflectionFaults faults = find_deflection_faults(comm, magnification_of(comm, vectors, grid), 0);
  EXPECT_GT(faults.folded, 10);
  EXPECT_LT(faults.least, 0);
  EXPECT_GT(faults.longest, 0.5);
  EXPECT_EQ(faults.too_long, 0);
  test::poison(found);
  const InverseOutcome outcome = inverse_deflection(comm, with_derivatives(vectors), 0, 1e-8, "auto", found, 0);
  EXPECT_FALSE(outcome.converged());
  EXPECT_GT(outcome.failed, 0);
  EXPECT_LT(outcome.pixel, grid->npix());
  Index zeros = 0;  // of pixels that failed
  for (Index i = 0; i < found.local_size(); ++i)
    if (found.component(0, 0)[core::at(i)] == 0 && found.component(0, 1)[core::at(i)] == 0) ++zeros;
  comm.sum(std::span(&zeros, 1));
  EXPECT_EQ(zeros, outcome.failed);
}

}  // namespace
}  // namespace armilla::ops
