#include <armilla/api/access.hpp>
#include <armilla/armilla.hpp>
#include <armilla/core/build_info.hpp>
#include <armilla/ops/analysis.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "support/mpi_main.hpp"
#include "support/reference_data.hpp"
#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"
#include <fftw3.h>
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::expect_refusal;

TransformSpec polarised(Index maps = 1) {
  return {
      .grid = make_healpix(8), .lmax = 16, .mmax = 14, .fields = FieldKind::temperature_polarisation(), .maps = maps};
}

SpectraTable white(Index lmax, const FieldKind& fields) {
  SpectraTable table{lmax, {}, {}, ""};
  for (const std::string& name : fields.alm_names()) {
    table.names.push_back(alm::spectrum_name(name, name));
    table.columns.emplace_back(core::at(lmax + 1), 1.0);
  }
  return table;
}

template <class T>
Alm<T> random(const Transform<T>& t, std::uint64_t seed) {
  Alm<T> field = t.make_alm();
  random_alm(field, white(t.layout().lmax(), t.fields()), seed);
  return field;
}

template <class Field>
void poison(Field& field) {
  using Number = typename std::remove_reference_t<decltype(field.data())>::value_type;
  std::ranges::fill(field.data(), Number(std::numeric_limits<float>::quiet_NaN()));
}

template <class Field, class Other>
bool same(const Field& a, const Other& b) {
  return std::ranges::equal(a.data(), b.data());
}

template <class T>
void check_against_modules() {
  const auto world = Communicator::world();
  Transform<T> t(world, polarised(2));
  transform::FieldTransformSpec spec;
  spec.kind = FieldKind::temperature_polarisation();
  spec.alm = std::make_shared<AlmDistribution>(AlmLayout(16, 14), world.size());
  spec.pixels = std::make_shared<PixelDistribution>(std::make_shared<RingGrid>(make_healpix(8)), world.size());
  spec.maps = 2;
  spec.backend = backend::kind_of(t.backend());
  transform::FieldTransform<T> module(world, spec);
  transform::AlmField<T> alm(spec.kind, spec.alm, world.rank(), 2);
  transform::MapField<T> map(spec.kind, spec.pixels, world.rank(), 2);

  const Alm<T> own_alm = random(t, 5);
  Map<T> own_map = t.make_map();
  Alm<T> found = t.make_alm();
  poison(own_map);
  t.synthesis(own_alm, own_map);
  module.synthesis(api::Access::field(own_alm), map);
  EXPECT_TRUE(same(own_map, map)) << "synthesis";
  poison(found);
  t.adjoint_synthesis(own_map, found);
  module.adjoint_synthesis(map, alm);
  EXPECT_TRUE(same(found, alm)) << "adjoint_synthesis";
  // The third time by what the first one left, or not.
  for (const Index iterations : {2, 2, 0, 2}) {
    poison(found);
    t.analysis(own_map, found, {.iterations = iterations});
    ops::analysis<T>(module, map, alm, {{}, ops::Jacobi{iterations}});
    EXPECT_TRUE(same(found, alm)) << iterations << " iterations";
  }
  poison(found);
  t.analysis(own_map, found, {.weights = Weights::kRing});
  ops::analysis<T>(module, map, alm, {{ops::WeightKind::kRing}, ops::Quadrature{}});
  EXPECT_TRUE(same(found, alm)) << "ring weights";
  poison(own_map);
  t.adjoint_analysis(own_alm, own_map);
  module.adjoint_quadrature(api::Access::field(own_alm), map);
  EXPECT_TRUE(same(own_map, map)) << "adjoint_analysis";
}

TEST(Api, ComputesWhatTheModulesDo) {
  check_against_modules<float>();
  check_against_modules<double>();
}

TEST(Api, NewFieldsAreZero) {
  const auto world = Communicator::world();
  const Transform t(world, polarised());
  const auto is_zero = [](auto number) { return number == decltype(number)(); };
  EXPECT_TRUE(std::ranges::all_of(t.make_alm().data(), is_zero));
  EXPECT_TRUE(std::ranges::all_of(t.make_map().data(), is_zero));
}

TEST(Api, EveryCoefficientAndPixelHasOneOwner) {
  const auto world = Communicator::world();
  const Transform t(world, polarised(2));
  Alm alm = t.make_alm();
  Map map = t.make_map();
  std::vector<double> coefficients(core::at(t.layout().size()));
  std::vector<double> pixels(core::at(t.grid().npix()));
  for (Index k = 0; k < 2; ++k)
    for (Index c = 0; c < 3; ++c) {
      for (const Index m : alm.local_m()) {
        EXPECT_EQ(alm.distribution().owner(m), alm.rank());
        Index l = m;
        for (auto& number : alm.of_m(m, c, k)) {
          number = 1;
          coefficients[core::at(t.layout().index(l++, m))] += 1;
        }
        EXPECT_EQ(l, 17);
      }
      for (const LocalRing& own : map.rings())
        for (Index j = 0; j < own.ring.nphi; ++j) {
          map.of_ring(own, c, k)[core::at(j)] = 1;
          pixels[core::at(own.ring.first_pixel + j)] += 1;
        }
    }
  const auto is_one = [](auto number) { return number == decltype(number)(1); };
  EXPECT_TRUE(std::ranges::all_of(alm.data(), is_one));
  EXPECT_TRUE(std::ranges::all_of(map.data(), is_one));
  world.sum(std::span<double>(coefficients));
  world.sum(std::span<double>(pixels));
  const auto is_six = [](double count) { return count == 6; };
  EXPECT_TRUE(std::ranges::all_of(coefficients, is_six));
  EXPECT_TRUE(std::ranges::all_of(pixels, is_six));
}

TEST(Api, PixelsOfRingsLieWhereTheirRingSays) {
  const auto world = Communicator::world();
  Transform t(world, {.grid = make_healpix(4), .lmax = 3});
  Alm alm = t.make_alm();
  for (const Index m : alm.local_m())
    if (m == 1) alm.of_m(1)[0] = -std::sqrt(2 * core::kPi / 3);  // sin(theta) cos(phi)
  Map map = t.make_map();
  t.synthesis(alm, map);
  for (const LocalRing& own : map.rings())
    for (Index j = 0; j < own.ring.nphi; ++j)
      EXPECT_NEAR(map.of_ring(own)[core::at(j)], std::sin(own.ring.theta) * std::cos(own.phi(j)), 1e-15);
}

TEST(Api, AnalysisToToleranceReachesIt) {
  const auto world = Communicator::world();
  Transform t(world, polarised(2));
  const Alm alm = random(t, 8);
  Map map = t.make_map();
  t.synthesis(alm, map);
  Alm found = t.make_alm();
  const auto results = t.analysis_to_tolerance(map, found, 1e-8);
  ASSERT_EQ(results.size(), 2u);
  for (Index k = 0; k < 2; ++k) {
    EXPECT_TRUE(results[core::at(k)].converged);
    EXPECT_GT(results[core::at(k)].iterations, 0);
    EXPECT_LE(results[core::at(k)].alm_error, 1e-8);
    // Estimates are of all components together; each has a third of the power.
    for (const double error : relative_error(found, alm, k)) EXPECT_LT(error, 1e-7);
  }
}

TEST(Api, FieldsOfAnotherTransformOfTheSameShapeAreTaken) {
  const auto world = Communicator::world();
  Transform coarse(world, {.grid = make_gauss(20, 40), .lmax = 10});
  Transform fine(world, {.grid = make_gauss(20, 40), .lmax = 19});
  const Alm alm = random(coarse, 3);
  Map map = coarse.make_map();
  coarse.synthesis(alm, map);
  Alm found = fine.make_alm();
  fine.analysis(map, found, {.iterations = 1});
  for (const Index m : found.local_m())
    for (Index l = std::max<Index>(m, 11); l <= 19; ++l)
      EXPECT_LT(std::abs(found.of_m(m)[core::at(l - m)]), 1e-13) << l << " " << m;
  const SpectraTable before = spectra(alm);
  const SpectraTable after = spectra(found);
  for (std::size_t l = 0; l <= 10; ++l) EXPECT_NEAR(after.columns[0][l], before.columns[0][l], 1e-12);
}

// FFTW's wisdom is global to the process.
TEST(Api, ResultsDoNotDependOnPlansOfTheProgram) {
  const TransformSpec spec{.grid = make_healpix(150), .lmax = 20};  // rings of up to 600 pixels
  const auto world = Communicator::world();
  Transform before(world, spec);
  const Alm alm = random(before, 5);
  Map expected = before.make_map();
  before.synthesis(alm, expected);
  std::vector<std::complex<double>> in(600), out(600);
  for (const int length : {12, 20, 32, 60, 120, 240, 360, 420, 448, 512, 600})
    fftw_destroy_plan(fftw_plan_dft_1d(length, reinterpret_cast<fftw_complex*>(in.data()),
                                       reinterpret_cast<fftw_complex*>(out.data()), FFTW_FORWARD, FFTW_MEASURE));
  Transform after(world, spec);
  Map map = after.make_map();
  poison(map);
  after.synthesis(alm, map);
  EXPECT_TRUE(same(map, expected));
}

TEST(Api, WorksOnRanksOfTheProgram) {
  const auto world = Communicator::world();
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world.rank() % 2, world.rank(), &half);
  double distance = 0;
  {
    Transform t(Communicator::duplicate_of(half), polarised());
    Transform alone(Communicator::self(), polarised());
    const Alm part = random(t, 4);
    const Alm whole = random(alone, 4);
    Map map = t.make_map();
    Map whole_map = alone.make_map();
    t.synthesis(part, map);
    alone.synthesis(whole, whole_map);
    for (const LocalRing& own : map.rings())
      for (const LocalRing& ring : whole_map.rings()) {
        if (ring.ring.first_pixel != own.ring.first_pixel) continue;
        for (Index c = 0; c < 3; ++c) EXPECT_TRUE(std::ranges::equal(map.of_ring(own, c), whole_map.of_ring(ring, c)));
      }
    distance = relative_error(part, part)[0];
    MPI_Comm_free(&half);
    expect_refusal([&] { t.synthesis(part, map); }, "free it after the last collective call");
  }
  EXPECT_EQ(distance, 0);
}

TEST(Api, RefusesWhatDoesNotFit) {
  const auto world = Communicator::world();
  Transform t(world, {.grid = make_healpix(4), .lmax = 8});
  Transform other(world, {.grid = make_healpix(8), .lmax = 9});
  Transform pair(world, {.grid = make_healpix(4), .lmax = 8, .fields = FieldKind::polarisation()});
  Alm alm = t.make_alm();
  Map map = t.make_map();
  expect_refusal([&] { t.synthesis(other.make_alm(), map); }, "lmax = 9, mmax = 9, but the transform has lmax = 8");
  Map fine = other.make_map();
  expect_refusal([&] { t.synthesis(alm, fine); }, "the map is on healpix nside 8");
  expect_refusal([&] { pair.adjoint_synthesis(map, alm); },
                 "the alm does not match the transform: it has 1 components");
  // Where one rank alone is wrong, all say so.
  if (const Map<double>& given = world.is_root() ? fine : map; true)
    expect_refusal([&] { t.analysis(given, alm); }, "the map is on healpix nside 8");
  expect_refusal([&] { spectra(alm, world.is_root() ? 2 : 0); }, "map 2 does not exist");
  expect_refusal([&] { t.analysis(map, alm, {.iterations = -1}); }, "iterations = -1");
  expect_refusal([&] { t.analysis_to_tolerance(map, alm, 1e-30); }, "tolerance = 1e-30 is below the limit of double");
  expect_refusal([&] { alm.of_m(9); }, "does not own m = 9");
  expect_refusal([&] { alm.of_m(alm.local_m().empty() ? 0 : alm.local_m()[0], 1); }, "component 1 does not exist");
  expect_refusal([&] { map.of_ring({}, 0, 1); }, "map 1 does not exist");
  for (const LocalRing& ring : fine.rings())
    if (ring.ring.nphi == 32) expect_refusal([&] { map.of_ring(ring); }, "has no ring of 32 pixels");
  expect_refusal([&] { spectra(alm, -1); }, "map -1 does not exist");
  expect_refusal([&] { random_alm(alm, {8, {"TT"}, {std::vector<double>(5, 1.0)}, ""}, 1); }, "has 5 values");
  expect_refusal([&] { write(world, "cl.h5", {8, {"TT", "EE"}, {std::vector<double>(9, 1.0)}, ""}); }, "1 columns");
  expect_refusal([&] { relative_error(alm, other.make_alm()); }, "the two alm have lmax");

  const auto make = [&](const TransformSpec& spec) { return [&world, spec] { Transform<double>(world, spec); }; };
  expect_refusal(make({.grid = make_healpix(4), .lmax = 8, .maps = 0}), "maps = 0");
  expect_refusal(make({.grid = make_healpix(4), .lmax = 8, .mmax = 9}), "mmax");
  expect_refusal(make({.grid = make_healpix(4), .lmax = 1, .fields = FieldKind::polarisation()}), "spin 2");
  expect_refusal(make({.grid = make_healpix(4), .lmax = 8, .backend = "abacus"}), "abacus");
  expect_refusal([] { make_grid({.kind = "HEALPix", .nside = 4}); }, "use one of healpix, gauss");
  EXPECT_THROW(make({.grid = make_healpix(4), .lmax = 8, .maps = Index{1} << 60})(), ResourceError);
  expect_refusal([&] { write("a.h5", alm, {.coordsys = "banana"}); }, "'banana' is not");
  Transform comma(world, {.grid = make_healpix(4), .lmax = 8, .fields = FieldKind::scalar("A,B")});
  expect_refusal([&] { write("a.h5", comma.make_alm()); }, "'A,B' cannot be a component name");
  expect_refusal([&] { random_alm(alm, {8, {"TT"}, {std::vector<double>(9, NAN)}, ""}, 1); }, "is nan at l = 0");
  if (world.size() > 1) {
    const Index own = world.is_root() ? 0 : 1;
    expect_refusal(make({.grid = make_healpix(4), .lmax = 8 + own}), "rank 1 has healpix nside 4");
    expect_refusal([&] { t.analysis(map, alm, {.iterations = own}); }, "rank 1 has iterations = 1");
    expect_refusal([&] { t.analysis_to_tolerance(map, alm, own == 0 ? 1e-6 : 1e-7); }, "rank 1 has tolerance");
    expect_refusal([&] { write(own == 0 ? "a.h5" : "b.h5", alm); }, "rank 1 has 'b.h5'");
  }

  Transform aliased(world, {.grid = make_gauss(8, 16), .lmax = 8});
  Map gauss = aliased.make_map();
  expect_refusal([&] { aliased.analysis(gauss, alm); }, "lmax = 8 exceeds nlat - 1 = 7");
  Transform exact(world, {.grid = make_gauss(9, 17), .lmax = 8});
  Map whole = exact.make_map();
  expect_refusal([&] { exact.analysis(whole, alm, {.weights = Weights::kPixel}); }, "require a full-sky HEALPix map");
  const std::vector<double> theta{1.0, 2.0};
  const std::vector<double> phi0{0, 0};
  const std::vector<Index> nphi{20, 20};
  Transform bare(world, {.grid = make_rings(theta, phi0, nphi, {}, "two.h5"), .lmax = 8});
  Map rings = bare.make_map();
  expect_refusal([&] { bare.analysis(rings, alm); }, "has no quadrature weights");
  expect_refusal([&] { bare.adjoint_analysis(alm, rings); }, "has no quadrature weights");
}

// CITATION.cff is written by hand.
TEST(Api, TheVersionIsThatOfTheProjectAndOfItsCitation) {
  EXPECT_STREQ(version(), core::kVersion);
  const std::string citation = test::content(test::source_file("CITATION.cff"));
  EXPECT_NE(citation.find("\nversion: " + std::string(version()) + "\n"), std::string::npos);
}

}  // namespace
}  // namespace armilla

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
