// Displaced pixels and lensed fields against the reference: HEALPix nside 32, lmax 95.
#include <armilla/grid/makers.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/lensing.hpp>

#include <cmath>
#include <vector>

#include "support/distance.hpp"
#include "support/fields.hpp"
#include "support/reference_data.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::at;
using core::kPi;

constexpr Index kLmax = 95, kPixels = 12288;

class Lensing : public testing::Test {
 protected:
  Lensing()
      : comm_(comm::Communicator::world()),
        file_(test::reference_file("lensing.h5")),
        pointing_(test::read_doubles(file_, "lensing/pointing")),
        grid_(std::make_shared<grid::RingGrid>(grid::make_healpix(32))),
        layout_(std::make_shared<dist::AlmDistribution>(alm::AlmLayout(kLmax, kLmax), comm_.size())),
        vectors_(gradient_kind(transform::FieldKind::scalar("PHI"), TangentAxes::kThetaPhi),
                 std::make_shared<dist::PixelDistribution>(grid_, comm_.size()), comm_.rank(), 1) {
    const std::vector<double> given = test::read_doubles(file_, "lensing/potential_alm");
    transform::AlmField<double> potential(transform::FieldKind::scalar("PHI"), layout_, comm_.rank(), 1);
    test::fill_alm(potential, [&](Index, Index, Index l, Index m) {
      const auto i = 2 * at(alm::AlmLayout(kLmax, kLmax).index(l, m));
      return std::complex<double>(given[i], given[i + 1]);
    });
    transform::FieldTransformSpec spec =
        test::make_spec(vectors_.kind(), grid_, alm::AlmLayout(kLmax, kLmax), comm_.size());
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
    const std::complex<double> there(tqu[at(kPixels + pixel)], tqu[at(2 * kPixels + pixel)]);
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
