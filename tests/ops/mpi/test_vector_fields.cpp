#include <armilla/comm/communicator.hpp>
#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/gradient.hpp>
#include <armilla/ops/vector_fields.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/dot.hpp"
#include "support/fields.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using test::make_spec;
using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

using core::at;

// Fills each pixel with f(component, theta, phi).
void fill(MapField<double>& map, const std::function<double(Index, double, double)>& f) {
  const grid::RingGrid& grid = map.distribution().grid();
  std::vector<double> theta(at(grid.npix()));
  std::vector<double> phi(at(grid.npix()));
  for (const grid::Ring& ring : grid.rings())
    for (Index j = 0; j < ring.nphi; ++j) {
      theta[at(ring.first_pixel + j)] = ring.theta;
      phi[at(ring.first_pixel + j)] =
          ring.phi0 + 2 * core::kPi * static_cast<double>(j) / static_cast<double>(ring.nphi);
    }
  test::fill_map(map, [&](Index, Index c, Index p) { return f(c, theta[at(p)], phi[at(p)]); });
}

double largest_difference(const comm::Communicator& comm, const MapField<double>& a, const MapField<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.data().size(); ++i) largest = std::max(largest, std::abs(a.data()[i] - b.data()[i]));
  comm.max({&largest, 1});
  return largest;
}

TEST(Gradient, TheReferenceHolds) {
  const auto comm = comm::Communicator::world();
  const std::string file = test::reference_file("derivatives.h5");
  const Index lmax = test::read_attribute(file, "derivatives/healpix", "lmax");
  const auto grid =
      std::make_shared<grid::RingGrid>(grid::make_healpix(test::read_attribute(file, "derivatives/healpix", "nside")));
  const std::vector<double> reference = test::read_doubles(file, "derivatives/healpix/map");
  for (const auto& options : {backend::Options{"fast", backend::ThetaResampling::kOff},
                              {"fast", backend::ThetaResampling::kOn},
                              {"reference", backend::ThetaResampling::kOff}}) {
    auto spec = make_spec(gradient_kind(FieldKind::scalar(), TangentAxes::kThetaPhi), grid, alm::AlmLayout(lmax, lmax),
                          comm.size());
    spec.options = options;
    FieldTransform<double> transform(comm, spec);
    AlmField<double> alm(FieldKind::scalar(), spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    MapField<double> expected(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_alm(alm, [](Index, Index, Index l, Index m) { return test::closed_form(l, m, 0, 0); });
    test::fill_map(expected, [&](Index, Index c, Index p) { return reference[at(c * grid->npix() + p)]; });
    test::poison(map);
    gradient(transform, alm, map, TangentAxes::kThetaPhi, 1.0);
    const double norm = test::dot(comm, expected, expected);
    for (std::size_t i = 0; i < map.data().size(); ++i) map.data()[i] -= expected.data()[i];
    const double error = std::sqrt(test::dot(comm, map, map) / norm);
    EXPECT_LT(error, 1e-12);
    if (comm.is_root()) std::printf("derivatives/healpix %.2e\n", error);
  }
}

// x = sin(theta) cos(phi) on a sphere of radius 2, poles among the rings.
TEST(Gradient, PolesHaveTheLimitAlongTheMeridianOfEachPixel) {
  const auto comm = comm::Communicator::world();
  const std::vector<double> theta{0.0, 0.7, core::kPi / 2, core::kPi};
  const std::vector<double> phi0{0.3, 0.0, 1.0, 0.1};
  const std::vector<Index> nphi{4, 9, 8, 5};
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_rings(theta, phi0, nphi, {}, "poles"));
  for (const auto axes : {TangentAxes::kThetaPhi, TangentAxes::kEastNorth}) {
    const auto spec = make_spec(gradient_kind(FieldKind::scalar("X"), axes), grid, alm::AlmLayout(5, 5), comm.size());
    FieldTransform<double> transform(comm, spec);
    AlmField<double> alm(FieldKind::scalar("X"), spec.alm, comm.rank(), 1);
    MapField<double> map(spec.kind, spec.pixels, comm.rank(), 1);
    MapField<double> expected(spec.kind, spec.pixels, comm.rank(), 1);
    test::fill_alm(alm, [](Index, Index, Index l, Index m) -> std::complex<double> {
      if (l == 0) return 3.0;  // a constant has no gradient
      return l == 1 && m == 1 ? -std::sqrt(2 * core::kPi / 3) : 0.0;
    });
    fill(expected, [&](Index c, double t, double p) {
      const double south = std::cos(t) * std::cos(p) / 2;
      const double east = -std::sin(p) / 2;
      if (axes == TangentAxes::kThetaPhi) return c == 0 ? south : east;
      return c == 0 ? east : -south;
    });
    test::poison(map);
    gradient(transform, alm, map, axes, 2.0);
    EXPECT_LT(largest_difference(comm, map, expected), 1e-15 * 4);
  }
}

TEST(Gradient, TheAdjointIsTheTranspose) {
  const auto comm = comm::Communicator::world();
  const FieldKind names[] = {FieldKind::scalar("T"), FieldKind::scalar("Z")};
  const FieldKind scalars = FieldKind::joined(names);
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  for (const auto axes : {TangentAxes::kThetaPhi, TangentAxes::kEastNorth}) {
    const auto spec = make_spec(gradient_kind(scalars, axes), grid, alm::AlmLayout(20, 17), comm.size(), 2);
    FieldTransform<double> transform(comm, spec);
    AlmField<double> x(scalars, spec.alm, comm.rank(), 2);
    AlmField<double> from_y(scalars, spec.alm, comm.rank(), 2);
    MapField<double> y(spec.kind, spec.pixels, comm.rank(), 2);
    MapField<double> from_x(spec.kind, spec.pixels, comm.rank(), 2);
    test::fill_noise(x, 4);
    test::fill_map(y, [](Index k, Index c, Index p) {
      return test::noise(5, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
    });
    test::poison(from_x);
    test::poison(from_y);
    gradient(transform, x, from_x, axes, 0.5);
    adjoint_gradient(transform, y, from_y, axes, 0.5);
    const double scale = std::sqrt(test::dot(comm, from_x, from_x) * test::dot(comm, y, y));
    EXPECT_GT(scale, 0);
    EXPECT_NEAR(test::dot(comm, from_x, y), test::dot(comm, x, from_y), 1e-13 * scale);
  }
}

TEST(Gradient, IsOfScalars) {
  try {
    gradient_kind(FieldKind::temperature_polarisation(), TangentAxes::kThetaPhi);
    FAIL();
  } catch (const core::InputError& error) {
    EXPECT_STREQ(error.what(), "fields T, Q, U have spin 2, but the gradient is defined for scalars only");
  }
}

constexpr double kEarth = 6.371e6;

// What a wind is, and its vorticity, divergence, stream function and velocity potential: known functions.
struct Flow {
  const char* name;
  std::function<double(Index, double, double)> wind;       // u, v
  std::function<double(Index, double, double)> vorticity;  // vorticity, divergence
  std::function<double(Index, double, double)> stream;     // stream function, velocity potential
};

std::vector<Flow> flows() {
  const double speed = 38.6;
  const double potential = 2.5e7;
  // Williamson et al. 1992, case 6.
  const double omega = 7.848e-6;
  const double k = 6.1e-6;
  const double r = 4;
  return {{"solid-body rotation", [=](Index c, double t, double) { return c == 0 ? speed * std::sin(t) : 0.0; },
           [=](Index c, double t, double) { return c == 0 ? 2 * speed * std::cos(t) / kEarth : 0.0; },
           [=](Index c, double t, double) { return c == 0 ? -kEarth * speed * std::cos(t) : 0.0; }},
          {"gradient of a potential",
           [=](Index c, double t, double p) {
             return c == 0 ? -potential * std::sin(p) / kEarth : -potential * std::cos(t) * std::cos(p) / kEarth;
           },
           [=](Index c, double t, double p) {
             return c == 0 ? 0.0 : -2 * potential * std::sin(t) * std::cos(p) / (kEarth * kEarth);
           },
           [=](Index c, double t, double p) { return c == 0 ? 0.0 : potential * std::sin(t) * std::cos(p); }},
          {"Rossby-Haurwitz wave",
           [=](Index c, double t, double p) {
             const double north = std::cos(t);  // sine of the latitude
             const double cosine = std::sin(t);
             const double power = std::pow(cosine, r - 1);
             if (c == 1) return -kEarth * k * r * power * north * std::sin(r * p);
             return kEarth * omega * cosine +
                    kEarth * k * power * (r * north * north - cosine * cosine) * std::cos(r * p);
           },
           [=](Index c, double t, double p) {
             if (c == 1) return 0.0;
             return 2 * omega * std::cos(t) -
                    k * std::cos(t) * std::pow(std::sin(t), r) * (r * r + 3 * r + 2) * std::cos(r * p);
           },
           [=](Index c, double t, double p) {
             if (c == 1) return 0.0;
             return kEarth * kEarth * std::cos(t) * (-omega + k * std::pow(std::sin(t), r) * std::cos(r * p));
           }}};
}

class VectorFields : public testing::Test {
 protected:
  MapField<double> map_of(VectorForm form, const std::function<double(Index, double, double)>& values) {
    MapField<double> map(kind_of(form), pixels_, comm_.rank(), 1);
    fill(map, values);
    return map;
  }
  AlmField<double> analysis(const MapField<double>& map) {
    FieldTransform<double> transform(comm_, {.kind = map.kind(), .alm = alm_, .pixels = pixels_});
    AlmField<double> alm(map.kind(), alm_, comm_.rank(), 1);
    test::poison(alm);
    transform.quadrature(map, alm);
    return alm;
  }
  MapField<double> synthesis(const AlmField<double>& alm) {
    FieldTransform<double> transform(comm_, {.kind = alm.kind(), .alm = alm_, .pixels = pixels_});
    MapField<double> map(alm.kind(), pixels_, comm_.rank(), 1);
    test::poison(map);
    transform.synthesis(alm, map);
    return map;
  }
  void expect_equal(const MapField<double>& map, const MapField<double>& expected, const char* what) {
    double size = std::sqrt(test::dot(comm_, expected, expected) / static_cast<double>(grid_->npix()));
    // Roundings of lmax terms each.
    EXPECT_LT(largest_difference(comm_, map, expected), 1e-13 * size) << what;
  }

  comm::Communicator comm_ = comm::Communicator::world();
  std::shared_ptr<const grid::RingGrid> grid_ = std::make_shared<grid::RingGrid>(grid::make_gauss(16, 32));
  std::shared_ptr<const dist::AlmDistribution> alm_ =
      std::make_shared<dist::AlmDistribution>(alm::AlmLayout(15, 15), comm_.size());
  std::shared_ptr<const dist::PixelDistribution> pixels_ =
      std::make_shared<dist::PixelDistribution>(grid_, comm_.size());
};

TEST_F(VectorFields, KnownFlowsHaveTheirVorticityDivergenceStreamAndPotential) {
  using enum VectorForm;
  for (const Flow& flow : flows()) {
    SCOPED_TRACE(flow.name);
    const MapField<double> wind = map_of(kWind, flow.wind);
    const MapField<double> vorticity = map_of(kVorticityDivergence, flow.vorticity);
    const MapField<double> stream = map_of(kStreamPotential, flow.stream);

    AlmField<double> alm = analysis(wind);
    convert_vector(alm, 0, kWind, kVorticityDivergence, kEarth);
    EXPECT_EQ(alm.kind().alm_names(), (std::vector<std::string>{"VORTICITY", "DIVERGENCE"}));
    expect_equal(synthesis(alm), vorticity, "wind to vorticity");
    convert_vector(alm, 0, kVorticityDivergence, kStreamPotential, kEarth);
    expect_equal(synthesis(alm), stream, "vorticity to stream function");
    convert_vector(alm, 0, kStreamPotential, kWind, kEarth);
    expect_equal(synthesis(alm), wind, "stream function to wind");
    convert_vector(alm, 0, kWind, kThetaPhi, kEarth);
    const MapField<double> south_east = synthesis(alm);
    expect_equal(south_east,
                 map_of(kThetaPhi,
                        [&](Index c, double t, double p) { return c == 0 ? -flow.wind(1, t, p) : flow.wind(0, t, p); }),
                 "wind to its southward and eastward components");

    AlmField<double> again = analysis(south_east);
    convert_vector(again, 0, kThetaPhi, kStreamPotential, kEarth);
    expect_equal(synthesis(again), stream, "components to stream function");
  }
}

TEST_F(VectorFields, EveryFormComesBackFromEveryOther) {
  const FieldKind kinds[] = {FieldKind::scalar("T"), FieldKind::wind(), FieldKind::pair(3, "A", "C")};
  const FieldKind kind = FieldKind::joined(kinds);
  AlmField<double> start(kind, alm_, comm_.rank(), 2);
  test::fill_noise(start, 12);
  for (const auto through : {VectorForm::kThetaPhi, VectorForm::kVorticityDivergence, VectorForm::kStreamPotential}) {
    AlmField<double> alm(kind, alm_, comm_.rank(), 2);
    std::ranges::copy(start.data(), alm.data().begin());
    convert_vector(alm, 1, VectorForm::kWind, through, 3.0);
    EXPECT_EQ(alm.kind().components(), 5);
    EXPECT_EQ(alm.kind().map_names()[3], "A");
    EXPECT_EQ(alm.kind().map_names()[1], kind_of(through).map_names()[0]);
    convert_vector(alm, 1, through, VectorForm::kWind, 3.0);
    EXPECT_EQ(alm.kind(), kind);
    for (std::size_t i = 0; i < alm.data().size(); ++i)
      EXPECT_LE(std::abs(alm.data()[i] - start.data()[i]), 8e-16 * std::abs(start.data()[i]));
  }
}

}  // namespace
}  // namespace armilla::ops
