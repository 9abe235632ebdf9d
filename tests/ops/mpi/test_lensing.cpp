// Displaced pixels and lensed fields against the reference: HEALPix nside 32, lmax 95.
#include <armilla/grid/makers.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/lensing.hpp>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/distance.hpp"
#include "support/fields.hpp"
#include "support/reference_data.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::at;
using core::kPi;

constexpr Index kReferenceLmax = 95, kReferencePixels = 12288;

class Lensing : public testing::Test {
 protected:
  Lensing()
      : comm_(comm::Communicator::world()),
        file_(test::reference_file("lensing.h5")),
        pointing_(test::read_doubles(file_, "lensing/pointing")),
        grid_(std::make_shared<grid::RingGrid>(grid::make_healpix(32))),
        layout_(std::make_shared<dist::AlmDistribution>(alm::AlmLayout(kReferenceLmax, kReferenceLmax), comm_.size())),
        vectors_(gradient_kind(transform::FieldKind::scalar("PHI"), TangentAxes::kThetaPhi),
                 std::make_shared<dist::PixelDistribution>(grid_, comm_.size()), comm_.rank(), 1) {
    const std::vector<double> given = test::read_doubles(file_, "lensing/potential_alm");
    transform::AlmField<double> potential(transform::FieldKind::scalar("PHI"), layout_, comm_.rank(), 1);
    test::fill_alm(potential, [&](Index, Index, Index l, Index m) {
      const auto i = 2 * at(alm::AlmLayout(kReferenceLmax, kReferenceLmax).index(l, m));
      return std::complex<double>(given[i], given[i + 1]);
    });
    transform::FieldTransformSpec spec =
        test::make_spec(vectors_.kind(), grid_, alm::AlmLayout(kReferenceLmax, kReferenceLmax), comm_.size());
    spec.backend = backend::Kind::kCpu;
    transform::FieldTransform<double> transform(comm_, spec);
    gradient(transform, potential, vectors_, TangentAxes::kThetaPhi, 1);
  }

  /// Calls visit(own, pixel of the grid).
  template <class Visit>
  void for_pixels(const Visit& visit) const {
    std::size_t own = 0;
    for (const auto& range : vectors_.distribution().pixel_ranges(comm_.rank()))
      for (Index pixel = range.first; pixel < range.first + range.count; ++pixel) visit(own++, pixel);
  }

  comm::Communicator comm_;
  std::string file_;
  std::vector<double> pointing_;  // [pixel][theta, phi, gamma]
  std::shared_ptr<grid::RingGrid> grid_;
  std::shared_ptr<dist::AlmDistribution> layout_;
  transform::MapField<double> vectors_;
};

TEST_F(Lensing, DisplacesPixelsAlongGeodesics) {
  const Pointing found = displace(vectors_, 0);
  for_pixels([&](std::size_t own, Index pixel) {
    const double* expected = &pointing_[3 * at(pixel)];
    EXPECT_NEAR(found.theta[own], expected[0], 1e-12);
    EXPECT_NEAR(std::remainder(found.phi[own] - expected[1], 2 * kPi), 0, 1e-12 / std::sin(expected[0]));
    EXPECT_NEAR(found.gamma[own], expected[2], 1e-12 / std::sin(expected[0]));
  });
}

/// Where a geodesic from colatitude `from` leads, by vectors in extended precision.
struct Displacement {
  long double theta, phi_change, gamma;

  Displacement(long double from, long double south, long double east) {
    const long double angle = std::hypot(south, east), c = std::cos(from), s = std::sin(from);
    const long double d[] = {south / angle * c, east / angle, -south / angle * s}, n[] = {s, 0, c};
    long double end[3], way[3];
    for (int i = 0; i < 3; ++i) {
      end[i] = std::cos(angle) * n[i] + std::sin(angle) * d[i];
      way[i] = std::cos(angle) * d[i] - std::sin(angle) * n[i];
    }
    const long double rho = std::hypot(end[0], end[1]);
    theta = std::atan2(rho, end[2]);
    phi_change = std::atan2(end[1], end[0]);
    const long double outward = (end[0] * way[0] + end[1] * way[1]) / rho;
    gamma = std::atan2(east, south) -
            std::atan2((end[0] * way[1] - end[1] * way[0]) / rho, end[2] * outward - rho * way[2]);
  }
};

TEST_F(Lensing, DisplacesByAnyAngle) {
  // 1e-10 to 1 rad: small and large next to the distance from the poles.
  for_pixels([&](std::size_t own, Index pixel) {
    const double angle = std::pow(10.0, -10 + 10 * static_cast<double>(pixel % 997) / 996);
    vectors_.component(0, 0)[own] = angle * std::cos(static_cast<double>(pixel));
    vectors_.component(0, 1)[own] = angle * std::sin(static_cast<double>(pixel));
  });
  const Pointing found = displace(vectors_, 0);
  std::vector<double> theta, phi;
  for (const grid::Ring& ring : grid_->rings())
    for (Index j = 0; j < ring.nphi; ++j) {
      theta.push_back(ring.theta);
      phi.push_back(ring.phi0 + 2 * kPi * static_cast<double>(j) / static_cast<double>(ring.nphi));
    }
  for_pixels([&](std::size_t own, Index pixel) {
    const Displacement expected(theta[at(pixel)], vectors_.component(0, 0)[own], vectors_.component(0, 1)[own]);
    // Rounding of theta and of its cosine and sine, over the distance of the end from the poles.
    const double tolerance = 1e-15 / std::sin(static_cast<double>(expected.theta)) + 2e-15;
    const auto off = [](double a, long double b) {
      return static_cast<double>(std::remainder(static_cast<long double>(a) - b, 2 * std::numbers::pi_v<long double>));
    };
    EXPECT_NEAR(off(found.theta[own], expected.theta), 0, 2e-15) << pixel;
    EXPECT_NEAR(off(found.phi[own], phi[at(pixel)] + expected.phi_change), 0, tolerance) << pixel;
    EXPECT_NEAR(off(found.gamma[own], expected.gamma), 0, tolerance) << pixel;
  });
}

TEST_F(Lensing, CarriesFieldsBackToThePixels) {
  const transform::FieldKind kind = transform::FieldKind::temperature_polarisation();
  const points::PointTransformSpec spec{.kind = kind, .alm = layout_, .accuracy = 1e-12};
  Lens<double> lens(comm_, vectors_, 0, spec);
  transform::AlmField<double> alm(kind, layout_, comm_.rank(), 2);
  test::fill_alm(alm, [](Index map, Index c, Index l, Index m) {
    if (map == 0 || (c > 0 && l < 2)) return std::complex<double>(0);
    return test::closed_form(l, m, c, c == 0 ? 0 : 2);
  });
  transform::MapField<double> found(kind, vectors_.shared_distribution(), comm_.rank(), 1),
      expected = [&] { return transform::MapField<double>(kind, vectors_.shared_distribution(), comm_.rank(), 1); }();
  test::poison(found);
  lens(alm, 1, found, 0);
  const std::vector<double> tqu = test::read_doubles(file_, "lensing/tqu_without_rotation");
  for_pixels([&](std::size_t own, Index pixel) {
    const double turn = 2 * pointing_[3 * at(pixel) + 2];
    const std::complex<double> there(tqu[at(kReferencePixels + pixel)], tqu[at(2 * kReferencePixels + pixel)]);
    const std::complex<double> here = there * std::polar(1.0, turn);  // as ducc0.misc.lensing_rotate
    expected.component(0, 0)[own] = tqu[at(pixel)];
    expected.component(0, 1)[own] = here.real();
    expected.component(0, 2)[own] = here.imag();
  });
  EXPECT_LE(test::distance(comm_, found, expected), 1e-11);
}

TEST_F(Lensing, LeavesPixelsWithoutDisplacementAlone) {
  for (double& x : vectors_.data()) x = 0;
  const Pointing found = displace(vectors_, 0);
  for_pixels([&](std::size_t own, Index pixel) {
    const grid::Ring& ring =
        *std::prev(std::upper_bound(grid_->rings().begin(), grid_->rings().end(), pixel,
                                    [](Index p, const grid::Ring& r) { return p < r.first_pixel; }));
    EXPECT_NEAR(found.theta[own], ring.theta, 1e-15);
    EXPECT_EQ(found.gamma[own], 0);
  });
}

}  // namespace
}  // namespace armilla::ops
