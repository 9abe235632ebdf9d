#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/grid/ring_weights.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/norms.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>
#include <unistd.h>

namespace armilla::ops {
namespace {

namespace fs = std::filesystem;
using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

// A cache folder of its own for each test, the same on all ranks.
class MapAnalysis : public testing::Test {
 protected:
  MapAnalysis() : world_(comm::Communicator::world()) {
    std::string folder;
    if (world_.is_root()) {
      folder = (fs::temp_directory_path() / "armilla-analysis-XXXXXX").string();
      EXPECT_NE(mkdtemp(folder.data()), nullptr);
    }
    folder_ = world_.broadcast(folder);
    if (const char* value = std::getenv("ARMILLA_CACHE_DIR")) before_ = value;
    use(folder_);
  }
  ~MapAnalysis() override {
    before_.empty() ? unsetenv("ARMILLA_CACHE_DIR") : setenv("ARMILLA_CACHE_DIR", before_.c_str(), 1);
    world_.barrier();
    if (world_.is_root()) fs::remove_all(folder_);
  }
  static void use(const fs::path& folder) { setenv("ARMILLA_CACHE_DIR", folder.c_str(), 1); }

  std::shared_ptr<const dist::PixelDistribution> pixels(Index nside, int ranks) const {
    return std::make_shared<dist::PixelDistribution>(std::make_shared<grid::RingGrid>(grid::make_healpix(nside)),
                                                     ranks);
  }

  // The weights times npix / (4 pi), as a map.
  MapField<double> weights_map(const comm::Communicator& comm, Index nside, Index degree) const {
    const auto own = pixels(nside, comm.size());
    MapField<double> map(FieldKind::scalar(), own, comm.rank(), 1);
    std::ranges::fill(map.data(), 1.0);
    PixelWeights(comm, own, degree).multiply(map, map, map.memory());
    comm.barrier();  // now the file is there for all
    return map;
  }

  comm::Communicator world_;
  fs::path folder_;
  std::string before_;
};

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

class Healpy : public MapAnalysis {
 protected:
  void check(const FieldKind& kind, const std::string& group, const std::string& name, const AnalysisMethod& method) {
    SCOPED_TRACE(group + "/" + name);
    const std::string file = test::reference_file("analysis.h5");
    const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(32));
    const alm::AlmLayout layout(64, 64);
    FieldTransform<double> transform(world_, test::make_spec(kind, grid, layout, world_.size()));
    const auto& spec = transform.spec();
    MapField<double> map(kind, spec.pixels, world_.rank(), 1);
    const auto values = test::read_doubles(file, group + "/map");
    test::fill_map(map,
                   [&](Index, Index c, Index p) { return values[static_cast<std::size_t>(c * grid->npix() + p)]; });
    AlmField<double> a(kind, spec.alm, world_.rank(), 1);
    test::poison(a);
    analysis(transform, map, a, method);
    AlmField<double> expected(kind, spec.alm, world_.rank(), 1);
    const auto numbers = test::read_doubles(file, group + "/" + name);
    test::fill_alm(expected, [&](Index, Index c, Index l, Index m) {
      const auto i = static_cast<std::size_t>(2 * (c * layout.size() + layout.index(l, m)));
      return std::complex<double>(numbers[i], numbers[i + 1]);
    });
    for (const double error : relative_error(world_, a, expected)) EXPECT_LT(error, 1e-11);
  }
};

TEST_F(Healpy, JacobiIterationsAgree) {
  const auto all = FieldKind::temperature_polarisation();
  for (const Index iterations : {0, 1, 3, 10})
    check(FieldKind::scalar(), "analysis/noise", "alm_jacobi" + std::to_string(iterations), {{}, Jacobi{iterations}});
  for (const Index iterations : {0, 3})
    check(all, "analysis/noise_iqu", "alm_teb_jacobi" + std::to_string(iterations), {{}, Jacobi{iterations}});
}

TEST_F(Healpy, RingWeightsAgree) {
  for (const std::string group : {"noise", "noise_iqu"})
    for (const std::string& name : test::members(test::reference_file("analysis.h5"), "analysis/" + group))
      if (name.find("ring_weights") != std::string::npos)
        check(group == "noise" ? FieldKind::scalar() : FieldKind::temperature_polarisation(), "analysis/" + group, name,
              {{WeightKind::kRing}, Quadrature{}});
}

// Every harmonic up to the degree, by the reference engine.
TEST_F(MapAnalysis, PixelWeightsIntegrateEveryHarmonic) {
  for (const auto& [nside, degree] : {std::pair<Index, Index>{64, 128},
                                      {1, pixel_weights_limit(1)},
                                      {2, pixel_weights_limit(2)},
                                      {3, pixel_weights_limit(3)},
                                      {4, pixel_weights_limit(4)},
                                      {11, 30},
                                      {16, 0},
                                      {24, 61}}) {
    const auto kind = FieldKind::scalar();
    const MapField<double> map = weights_map(world_, nside, degree);
    auto asked = test::make_spec(kind, map.distribution().shared_grid(), alm::AlmLayout(degree, degree), world_.size());
    asked.pixels = map.shared_distribution();
    asked.options.engine = "reference";
    FieldTransform<double> transform(world_, asked);
    AlmField<double> sums(kind, asked.alm, world_.rank(), 1);
    test::poison(sums);
    transform.quadrature(map, sums);
    AlmField<double> expected(kind, asked.alm, world_.rank(), 1);
    test::fill_alm(expected, [](Index, Index, Index l, Index) { return l == 0 ? std::sqrt(4 * core::kPi) : 0.0; });
    double worst = 0;
    for (std::size_t i = 0; i < sums.data().size(); ++i)
      worst = std::max(worst, std::abs(sums.data()[i] - expected.data()[i]));
    world_.max(std::span(&worst, 1));
    EXPECT_LE(worst, 1e-13) << "nside " << nside << " degree " << degree;
    if (world_.is_root())
      std::printf("nside %lld degree %lld: %.1e\n", static_cast<long long>(nside), static_cast<long long>(degree),
                  worst);
  }
}

TEST_F(MapAnalysis, PixelWeightsAreOfTheLeastSumOfSquares) {
  // What is least is a sum of harmonics up to the degree: analysis and synthesis of x with weights that make products
  // exact bring it back.
  const auto kind = FieldKind::scalar();
  const Index nside = 16;
  const Index degree = 20;
  const MapField<double> map = weights_map(world_, nside, degree);
  FieldTransform<double> transform(
      world_, test::make_spec(kind, map.distribution().shared_grid(), alm::AlmLayout(degree, degree), world_.size()));
  MapField<double> x(kind, transform.spec().pixels, world_.rank(), 1);
  for (std::size_t i = 0; i < x.data().size(); ++i) x.data()[i] = map.data()[i] - 1;
  AlmField<double> a(kind, transform.spec().alm, world_.rank(), 1);
  analysis(transform, x, a, {{WeightKind::kPixel, 48}, Quadrature{}});
  MapField<double> back(kind, transform.spec().pixels, world_.rank(), 1);
  transform.synthesis(a, back);
  double largest[2] = {0, 0};
  for (std::size_t i = 0; i < x.data().size(); ++i) {
    largest[0] = std::max(largest[0], std::abs(back.data()[i] - x.data()[i]));
    largest[1] = std::max(largest[1], std::abs(x.data()[i]));
  }
  world_.max(largest);
  EXPECT_LE(largest[0], 1e-13);
  EXPECT_GT(largest[1], 1e-2);
}

TEST_F(MapAnalysis, WithPixelWeightsIsExactUpToOneAndAHalfNside) {
  // 500 iterations at nside 64: where many ranks share few cores, less must do.
  const Index nside = world_.size() <= 2 ? 64 : 16;
  const Index lmax = 3 * nside / 2;
  for (const auto& kind : {FieldKind::scalar(), FieldKind::temperature_polarisation()}) {
    const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(nside));
    FieldTransform<double> transform(world_, test::make_spec(kind, grid, alm::AlmLayout(lmax, lmax), world_.size()));
    const auto& spec = transform.spec();
    AlmField<double> truth(kind, spec.alm, world_.rank(), 1);
    test::fill_noise(truth, 3);
    MapField<double> map(kind, spec.pixels, world_.rank(), 1);
    transform.synthesis(truth, map);
    AlmField<double> found(kind, spec.alm, world_.rank(), 1);
    test::poison(found);
    analysis(transform, map, found, {{WeightKind::kPixel}, Quadrature{}});
    for (const double error : relative_error(world_, found, truth)) {
      EXPECT_LE(error, 1e-12);
      if (world_.is_root()) std::printf("%lld components: %.1e\n", static_cast<long long>(kind.components()), error);
    }
  }
}

TEST_F(MapAnalysis, WeightsSpareIterations) {
  const Index lmax = 48;
  const auto kind = FieldKind::scalar();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(32));
  FieldTransform<float> transform(world_, test::make_spec(kind, grid, alm::AlmLayout(lmax, lmax), world_.size()));
  const auto& spec = transform.spec();
  AlmField<float> truth(kind, spec.alm, world_.rank(), 1);
  test::fill_noise(truth, 4);
  MapField<float> map(kind, spec.pixels, world_.rank(), 1);
  transform.synthesis(truth, map);
  const auto error = [&](const AnalysisMethod& method) {
    AlmField<float> found(kind, spec.alm, world_.rank(), 1);
    test::poison(found);
    analysis(transform, map, found, method);
    return relative_error(world_, found, truth)[0];
  };
  const double plain = error({});
  EXPECT_LT(error({{WeightKind::kRing}, Quadrature{}}), plain);
  EXPECT_LT(error({{WeightKind::kPixel}, Quadrature{}}), 1e-3 * plain);
  EXPECT_LT(error({{WeightKind::kRing}, Jacobi{1}}), error({{}, Jacobi{1}}));
  EXPECT_LT(error({{WeightKind::kPixel}, Jacobi{1}}), 0.1 * error({{}, Jacobi{1}}));
  // A few roundings of float.
  EXPECT_LT(error({{WeightKind::kPixel}, Jacobi{1}}), 2e-6);
}

TEST_F(MapAnalysis, PixelWeightsHaveTheSameBitsOnAnyNumberOfRanks) {
  const Index nside = 20;
  const Index degree = 55;
  const MapField<double> together = weights_map(world_, nside, degree);
  const fs::path file = pixel_weights_file(nside, degree);
  const std::string kept = content(file);
  EXPECT_GT(kept.size(), 200u * sizeof(double));
  const MapField<double> from_file = weights_map(world_, nside, degree);
  world_.barrier();
  use(folder_ / ("rank" + std::to_string(world_.rank())));
  const MapField<double> alone = weights_map(comm::Communicator::self(), nside, degree);
  EXPECT_EQ(content(pixel_weights_file(nside, degree)), kept);
  std::size_t i = 0;
  for (const dist::PixelRange& range : together.distribution().pixel_ranges(world_.rank()))
    for (Index p = range.first; p < range.first + range.count; ++p, ++i) {
      ASSERT_EQ(together.data()[i], alone.data()[static_cast<std::size_t>(p)]);
      ASSERT_EQ(together.data()[i], from_file.data()[i]);
    }
}

TEST_F(MapAnalysis, DamagedFilesOfWeightsAreReplaced) {
  const Index nside = 8;
  const Index degree = 16;
  const MapField<double> good = weights_map(world_, nside, degree);
  const fs::path file = pixel_weights_file(nside, degree);
  const std::string kept = content(file);
  std::string flipped = kept;
  flipped[kept.size() / 2] ^= 1;
  std::string of_another = kept;
  of_another.replace(of_another.find("nside 8"), 7, "nside 9");
  for (const std::string& wrong : {flipped, of_another, kept.substr(0, kept.size() / 2), kept + "x", std::string()}) {
    world_.barrier();
    if (world_.is_root()) std::ofstream(file, std::ios::binary | std::ios::trunc) << wrong;
    world_.barrier();
    const MapField<double> found = weights_map(world_, nside, degree);
    EXPECT_TRUE(std::ranges::equal(found.data(), good.data()));
    EXPECT_EQ(content(file), kept);
  }
}

TEST_F(MapAnalysis, CacheThatCannotBeWrittenIsNoError) {
  const MapField<double> good = weights_map(world_, 8, 16);
  if (world_.is_root()) std::ofstream(folder_ / "file") << "x";
  world_.barrier();
  use(folder_ / "file" / "cache");
  EXPECT_TRUE(std::ranges::equal(weights_map(world_, 8, 16).data(), good.data()));
}

TEST_F(MapAnalysis, RefusesWeightsThatAreNotThere) {
  const auto refused = [&](const grid::RingGrid& grid, const WeightsSpec& spec) {
    try {
      check_weights(spec, grid);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const grid::RingGrid healpix = grid::make_healpix(8);
  for (const WeightKind kind : {WeightKind::kRing, WeightKind::kPixel}) {
    EXPECT_NE(refused(grid::make_gauss(8, 16), {kind, {}}).find("gauss 8 x 16"), std::string::npos);
    EXPECT_EQ(refused(healpix, {kind, {}}), "");
    EXPECT_NE(refused(healpix, {kind, 200}).find("degree = 200"), std::string::npos);
  }
  EXPECT_NE(refused(healpix, {WeightKind::kRing, 29}).find("up to degree 28"), std::string::npos);
  EXPECT_NE(refused(healpix, {WeightKind::kPixel, 25}).find("up to degree 24"), std::string::npos);
  EXPECT_EQ(refused(grid::make_gauss(8, 16), {}), "");
}

TEST_F(MapAnalysis, TheNormalMatrixServesAllWeightsOfRings) {
  auto spec =
      test::make_spec(FieldKind::temperature_polarisation(), std::make_shared<grid::RingGrid>(grid::make_healpix(8)),
                      alm::AlmLayout(20, 20), world_.size(), 3);
  MapField<double> map(spec.kind, spec.pixels, world_.rank(), 3);
  test::fill_map(map, [](Index k, Index c, Index p) {
    return test::noise(7, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
  });
  AlmField<double> by_matrix(spec.kind, spec.alm, world_.rank(), 3), by_rings(spec.kind, spec.alm, world_.rank(), 3);
  for (const WeightKind kind : {WeightKind::kGrid, WeightKind::kRing}) {
    const auto run = [&](bool campaign, AlmField<double>& alm) {
      spec.campaign = campaign;
      FieldTransform<double> transform(world_, spec);
      test::poison(alm);
      analysis(transform, map, alm, {{kind, {}}, Jacobi{3}});
    };
    run(true, by_matrix);
    run(false, by_rings);
    for (const double error : relative_error(world_, by_matrix, by_rings)) EXPECT_LT(error, 1e-13);
  }
}

TEST_F(MapAnalysis, ImmediateNeedsWeightsOfRings) {
  const auto spec = test::make_spec(FieldKind::scalar(), std::make_shared<grid::RingGrid>(grid::make_healpix(8)),
                                    alm::AlmLayout(16, 16), world_.size(), 1);
  FieldTransform<double> transform(world_, spec);
  MapField<double> map(spec.kind, spec.pixels, world_.rank(), 1);
  AlmField<double> alm(spec.kind, spec.alm, world_.rank(), 1);
  EXPECT_THROW(analysis(transform, map, alm, {{WeightKind::kPixel, {}}, Immediate{1}}), core::InputError);
}

// Orders and sizes without 32-bit trouble, by arithmetic.
TEST(PixelWeightsOfLargeMaps, AreCountedInSixtyFourBits) {
  const grid::HealpixOrbits orbits(16384);
  // 12 nside^2 pixels by 16 symmetries, and what lies on mirror lines.
  EXPECT_GT(orbits.count(), Index{12} * 16384 * 16384 / 16);
  EXPECT_LT(orbits.count(), Index{12} * 16384 * 16384 / 16 + Index{4} * 16384);
}

}  // namespace
}  // namespace armilla::ops
