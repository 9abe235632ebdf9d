#include <armilla/core/error.hpp>
#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/norms.hpp>
#include <armilla/ops/solvers/accuracy.hpp>
#include <armilla/ops/solvers/batch_vectors.hpp>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "fit_methods.hpp"
#include "support/dot.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

// The method with change(solver) made to what all fits have.
template <class Change>
AnalysisMethod changed(AnalysisMethod method, const Change& change) {
  if (auto* by_cg = std::get_if<ConjugateGradients>(&method.solver)) change(*by_cg);
  if (auto* by_lsmr = std::get_if<Lsmr>(&method.solver)) change(*by_lsmr);
  return method;
}

class LeastSquaresFit : public testing::Test {
 protected:
  LeastSquaresFit() : world_(comm::Communicator::world()) {}

  // Holes of 5 to 10 degrees, and one rank's worth of rings at most untouched.
  static double hole(const grid::RingGrid& grid, Index pixel) {
    const auto rings = grid.rings();
    std::size_t r = 0;
    while (r + 1 < rings.size() && rings[r + 1].first_pixel <= pixel) ++r;
    const double phi = rings[r].phi0 + 2 * core::kPi * static_cast<double>(pixel - rings[r].first_pixel) /
                                           static_cast<double>(rings[r].nphi);
    for (const auto& [theta, longitude, radius] : {std::array{0.9, 0.3, 0.09}, {1.6, 2.0, 0.17}, {2.6, 5.0, 0.1}}) {
      const double cosine =
          rings[r].cos_theta * std::cos(theta) + rings[r].sin_theta * std::sin(theta) * std::cos(phi - longitude);
      if (cosine > std::cos(radius)) return 0;
    }
    return 1;
  }
  static double depth(const grid::RingGrid& grid, Index pixel) {
    const auto rings = grid.rings();
    std::size_t r = 0;
    while (r + 1 < rings.size() && rings[r + 1].first_pixel <= pixel) ++r;
    return 3e7 / (0.1 + rings[r].sin_theta) * (1.2 + std::sin(0.01 * static_cast<double>(pixel)));
  }

  template <class T, class F>
  MapField<T> scalar_map(const transform::FieldTransformSpec& spec, Index maps, F&& f) const {
    MapField<T> map(FieldKind::scalar(), spec.pixels, world_.rank(), maps);
    test::fill_map(map, [&](Index k, Index, Index p) { return f(k, p); });
    return map;
  }

  comm::Communicator world_;
};

template <class T>
double worst(const comm::Communicator& comm, const AlmField<T>& a, const AlmField<T>& b) {
  double worst = 0;
  for (const double error : relative_error(comm, a, b)) worst = std::max(worst, error);
  return worst;
}

// ducc's pseudo_analysis of white noise on HEALPix.
TEST_F(LeastSquaresFit, AgreesWithTheReference) {
  const std::string file = test::reference_file("analysis.h5");
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(32));
  const auto kind = FieldKind::scalar();
  FieldTransform<double> transform(world_, test::make_spec(kind, grid, {64, 64}, world_.size()));
  const auto& spec = transform.spec();
  MapField<double> map(kind, spec.pixels, world_.rank(), 1);
  const auto values = test::read_doubles(file, "analysis/noise/map");
  test::fill_map(map, [&](Index, Index, Index p) { return values[static_cast<std::size_t>(p)]; });
  AlmField<double> expected(kind, spec.alm, world_.rank(), 1);
  const auto numbers = test::read_doubles(file, "analysis/noise/alm_least_squares");
  test::fill_alm(expected, [&](Index, Index, Index l, Index m) {
    const auto i = static_cast<std::size_t>(2 * spec.alm->layout().index(l, m));
    return std::complex<double>(numbers[i], numbers[i + 1]);
  });
  for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12), AnalysisMethod{{}, Accuracy{1e-12}}}) {
    AlmField<double> found(kind, spec.alm, world_.rank(), 1);
    test::poison(found);
    const auto outcomes = analysis(transform, map, found, method);
    EXPECT_TRUE(outcomes.at(0).converged);
    const double error = worst(world_, found, expected);
    EXPECT_LT(error, 1e-9);
    if (world_.is_root())
      std::printf(
          "solver %zu: %lld iterations, normal residual %.1e, map residual %.3f, error %.1e against ducc %.1e\n",
          method.solver.index(), static_cast<long long>(outcomes[0].iterations), outcomes[0].normal_residual,
          outcomes[0].map_residual, outcomes[0].alm_error.value_or(0), error);
  }
}

// <W Y a, map> = <a, Y^T W map>, and sums of inputs give sums of outputs.
TEST_F(LeastSquaresFit, MaskedOperatorIsLinearAndItsAdjointExact) {
  const auto kind = FieldKind::temperature_polarisation();
  for (const auto& grid : {std::make_shared<grid::RingGrid>(grid::make_healpix(16)),
                           std::make_shared<grid::RingGrid>(grid::make_gauss(30, 64))}) {
    FieldTransform<double> transform(world_, test::make_spec(kind, grid, {24, 24}, world_.size()));
    const auto& spec = transform.spec();
    const auto mask = scalar_map<double>(spec, 1, [&](Index, Index p) { return hole(*grid, p); });
    const auto depths = scalar_map<double>(spec, 1, [&](Index, Index p) { return depth(*grid, p); });
    const MapField<double> map(kind, spec.pixels, world_.rank(), 1);
    const FitWeights<double> weights(world_, map, PixelCount::kUniform, {}, {&mask, &depths});
    NormalEquations<double> equations(transform, weights);
    AlmField<double> a(kind, spec.alm, world_.rank(), 1);
    AlmField<double> b(kind, spec.alm, world_.rank(), 1);
    AlmField<double> sum(kind, spec.alm, world_.rank(), 1);
    test::fill_noise(a, 1);
    test::fill_noise(b, 2);
    for (std::size_t i = 0; i < a.data().size(); ++i) sum.data()[i] = 2.0 * a.data()[i] - 3.0 * b.data()[i];
    AlmField<double> of_a(kind, spec.alm, world_.rank(), 1);
    AlmField<double> of_b(kind, spec.alm, world_.rank(), 1);
    AlmField<double> of_sum(kind, spec.alm, world_.rank(), 1);
    for (const bool inverse : {false, true}) {
      const auto apply = [&](const AlmField<double>& from, AlmField<double>& to) {
        test::poison(to);
        inverse ? equations.precondition(from, to) : equations.multiply(from, to);
      };
      apply(a, of_a);
      apply(b, of_b);
      apply(sum, of_sum);
      const double scale = std::sqrt(test::dot(world_, of_a, of_a) * test::dot(world_, b, b));
      EXPECT_GT(scale, 0);
      EXPECT_LT(std::abs(test::dot(world_, of_a, b) - test::dot(world_, a, of_b)), 1e-13 * scale);
      AlmField<double> expected(kind, spec.alm, world_.rank(), 1);
      for (std::size_t i = 0; i < a.data().size(); ++i)
        expected.data()[i] = 2.0 * of_a.data()[i] - 3.0 * of_b.data()[i];
      EXPECT_LT(worst(world_, of_sum, expected), 1e-13);
    }
    // <Y^T W map, a> = <map, W Y a>, with W Y a by hand.
    MapField<double> noise(kind, spec.pixels, world_.rank(), 1);
    test::fill_map(noise, [](Index, Index c, Index p) {
      return test::noise(3, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(c));
    });
    MapField<double> synthesised(kind, spec.pixels, world_.rank(), 1);
    transform.synthesis(a, synthesised);
    const double scale = std::sqrt(test::dot(world_, noise, noise) * test::dot(world_, synthesised, synthesised));
    weights.multiply(synthesised, transform.memory());
    equations.adjoint(noise, of_a);
    EXPECT_LT(std::abs(test::dot(world_, of_a, a) - test::dot(world_, noise, synthesised)), 1e-13 * scale);
  }
}

TEST_F(LeastSquaresFit, RecoversBandLimitedMapsBehindMasksAndUnevenNoise) {
  const std::vector<FieldKind> scalar_and_spin{FieldKind::scalar("N"), FieldKind::spin(3)};
  for (const auto& kind : {FieldKind::scalar(), FieldKind::polarisation(), FieldKind::temperature_polarisation(),
                           FieldKind::joined(scalar_and_spin)}) {
    const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(16));
    FieldTransform<double> transform(world_, test::make_spec(kind, grid, {20, 17}, world_.size()));
    const auto& spec = transform.spec();
    const auto mask = scalar_map<double>(spec, 1, [&](Index, Index p) { return hole(*grid, p); });
    const auto depths = scalar_map<double>(spec, 1, [&](Index, Index p) { return depth(*grid, p); });
    AlmField<double> truth(kind, spec.alm, world_.rank(), 1);
    test::fill_noise(truth, 6);
    MapField<double> map(kind, spec.pixels, world_.rank(), 1);
    transform.synthesis(truth, map);
    // What is behind the mask must not matter.
    for (Index c = 0; c < kind.components(); ++c)
      for (std::size_t p = 0; p < mask.data().size(); ++p)
        if (mask.data()[p] == 0) map.component(0, c)[p] = 1e3;
    for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12)})
      for (const FitMaps<double>& maps : {FitMaps<double>{&mask, nullptr}, FitMaps<double>{&mask, &depths}}) {
        AlmField<double> found(kind, spec.alm, world_.rank(), 1);
        test::poison(found);
        const auto outcome = analysis(transform, map, found, method, maps).at(0);
        EXPECT_TRUE(outcome.converged) << outcome.normal_residual;
        // The tolerance over the least eigenvalue, some 0.01.
        const double error = worst(world_, found, truth);
        EXPECT_LT(error, 1e-9);
        EXPECT_LT(outcome.map_residual, 1e-11);
        if (world_.is_root())
          std::printf("%lld components, solver %zu, %s: %lld iterations, error %.1e\n",
                      static_cast<long long>(kind.components()), method.solver.index(),
                      maps.inverse_variance ? "uneven noise" : "mask", static_cast<long long>(outcome.iterations),
                      error);
      }
  }
}

TEST_F(LeastSquaresFit, IsTheQuadratureOnGaussGrids) {
  const auto kind = FieldKind::temperature_polarisation();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_gauss(32, 64));
  FieldTransform<double> transform(world_, test::make_spec(kind, grid, {31, 31}, world_.size()));
  const auto& spec = transform.spec();
  AlmField<double> truth(kind, spec.alm, world_.rank(), 1);
  test::fill_noise(truth, 8);
  MapField<double> map(kind, spec.pixels, world_.rank(), 1);
  transform.synthesis(truth, map);
  for (const AnalysisMethod& algorithm : {cg(1e-13), lsmr(1e-13)})
    for (const PixelCount count : {PixelCount::kUniform, PixelCount::kArea}) {
      const AnalysisMethod method = changed(algorithm, [&](LeastSquares& fit) { fit.count = count; });
      AlmField<double> found(kind, spec.alm, world_.rank(), 1);
      test::poison(found);
      const auto outcome = analysis(transform, map, found, method).at(0);
      EXPECT_TRUE(outcome.converged) << outcome.normal_residual;
      EXPECT_LT(worst(world_, found, truth), 1e-11);
      // By area the quadrature is the inverse: one step, one more at most for rounding.
      if (count == PixelCount::kArea) {
        EXPECT_LE(outcome.iterations, 2);
      }
      if (world_.is_root())
        std::printf("solver %zu: %lld iterations\n", method.solver.index(), static_cast<long long>(outcome.iterations));
    }
}

// A batch of maps of different difficulty, each with its own mask or all with weights of rings alone, against each
// alone on one rank.
template <class T>
void check_batch(const comm::Communicator& world, const AnalysisMethod& method, bool masked) {
  const auto kind = FieldKind::temperature_polarisation();
  const Index maps = 3;
  const auto own = comm::Communicator::self();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  const Index lmax = masked ? 14 : 20;  // with aliases
  const auto value = [](Index k, Index c, Index p) {
    const double noise = test::noise(11, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(8 * k + c));
    return k == 1 ? 3.0 + 1e-3 * noise : noise;
  };
  const auto weight = [](Index k, Index p) { return (k == 2 && p % 7 == 0) || (k > 0 && p < 6 * k) ? 0.0 : 1.0; };
  const auto variance = [](Index c, Index p) { return 1.0 + (c == 0 ? 0.0 : 9.0 * static_cast<double>(p) / 768); };

  FieldTransform<T> together(world, test::make_spec(kind, grid, {lmax, lmax}, world.size(), maps));
  const auto& spec = together.spec();
  MapField<T> map(kind, spec.pixels, world.rank(), maps);
  test::fill_map(map, value);
  MapField<T> mask(FieldKind::scalar(), spec.pixels, world.rank(), maps);
  test::fill_map(mask, [&](Index k, Index, Index p) { return weight(k, p); });
  MapField<T> variances(kind, spec.pixels, world.rank(), 1);
  test::fill_map(variances, [&](Index, Index c, Index p) { return variance(c, p); });
  AlmField<T> found(kind, spec.alm, world.rank(), maps);
  test::poison(found);
  const auto outcomes = analysis(together, map, found, method, masked ? FitMaps<T>{&mask, &variances} : FitMaps<T>{});
  ASSERT_EQ(outcomes.size(), 3u);

  FieldTransform<T> alone(own, test::make_spec(kind, grid, {lmax, lmax}, 1));
  for (Index k = 0; k < maps; ++k) {
    MapField<T> one(kind, alone.spec().pixels, 0, 1);
    test::fill_map(one, [&](Index, Index c, Index p) { return value(k, c, p); });
    MapField<T> one_mask(FieldKind::scalar(), alone.spec().pixels, 0, 1);
    test::fill_map(one_mask, [&](Index, Index, Index p) { return weight(k, p); });
    MapField<T> one_variance(kind, alone.spec().pixels, 0, 1);
    test::fill_map(one_variance, [&](Index, Index c, Index p) { return variance(c, p); });
    AlmField<T> expected(kind, alone.spec().alm, 0, 1);
    test::poison(expected);
    const auto outcome =
        analysis(alone, one, expected, method, masked ? FitMaps<T>{&one_mask, &one_variance} : FitMaps<T>{}).at(0);
    const AnalysisOutcome& among = outcomes[static_cast<std::size_t>(k)];
    EXPECT_TRUE(among.converged) << "map " << k << ": " << among.normal_residual;
    EXPECT_EQ(among.iterations, outcome.iterations);
    EXPECT_EQ(among.normal_residual, outcome.normal_residual);
    EXPECT_EQ(among.map_residual, outcome.map_residual);
    EXPECT_EQ(among.alm_error, outcome.alm_error);
    const auto own_m = spec.alm->local_m(world.rank());
    const auto offsets = spec.alm->local_offsets(world.rank());
    for (Index c = 0; c < kind.components(); ++c)
      for (std::size_t i = 0; i < own_m.size(); ++i)
        for (Index l = own_m[i]; l <= lmax; ++l)
          ASSERT_EQ(found.component(k, c)[static_cast<std::size_t>(offsets[i] + l)],
                    expected.component(0, c)[static_cast<std::size_t>(spec.alm->layout().index(l, own_m[i]))])
              << "map " << k << " component " << c << " l " << l << " m " << own_m[i];
  }
  if (world.is_root())
    std::printf("solver %zu: iterations %lld %lld %lld\n", method.solver.index(),
                static_cast<long long>(outcomes[0].iterations), static_cast<long long>(outcomes[1].iterations),
                static_cast<long long>(outcomes[2].iterations));
}

TEST_F(LeastSquaresFit, MapsOfABatchHaveTheBitsThatTheyHaveAloneOnAnyNumberOfRanks) {
  for (const bool masked : {true, false}) {
    for (const AnalysisMethod& method : {cg(1e-11), lsmr(1e-11)}) check_batch<double>(world_, method, masked);
    for (const AnalysisMethod& method : {cg(1e-4), lsmr(1e-4)}) check_batch<float>(world_, method, masked);
  }
  // By latitude, so that there is a preconditioner.
  const auto by_latitude = [](LeastSquares& fit) {
    for (int ring = 0; ring < 31; ++ring) fit.ring_inverse_variance.push_back(1 + 0.5 * ring);
  };
  for (const AnalysisMethod& method : {cg(1e-11), lsmr(1e-11)})
    check_batch<double>(world_, changed(method, by_latitude), false);
  check_batch<double>(world_, {{}, Accuracy{1e-11}}, false);
  check_batch<float>(world_, {{}, Accuracy{1e-4}}, false);
}

TEST_F(LeastSquaresFit, MapsOfZerosAndRingWeights) {
  const auto kind = FieldKind::scalar();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  FieldTransform<double> transform(world_, test::make_spec(kind, grid, {12, 12}, world_.size(), 2));
  const auto& spec = transform.spec();
  MapField<double> map(kind, spec.pixels, world_.rank(), 2);
  test::fill_map(map,
                 [](Index k, Index, Index p) { return k == 0 ? 0.0 : test::noise(4, static_cast<std::uint64_t>(p)); });
  // Inverse variances of rings, given as such and as a map.
  std::vector<double> by_ring;
  for (std::size_t r = 0; r < grid->rings().size(); ++r) by_ring.push_back(1 + 0.3 * static_cast<double>(r));
  const auto as_map = scalar_map<double>(spec, 1, [&](Index, Index p) {
    std::size_t r = 0;
    while (r + 1 < grid->rings().size() && grid->rings()[r + 1].first_pixel <= p) ++r;
    return by_ring[r];
  });
  AlmField<double> a(kind, spec.alm, world_.rank(), 2);
  AlmField<double> b(kind, spec.alm, world_.rank(), 2);
  for (const AnalysisMethod& by_map : {cg(1e-12), lsmr(1e-12)}) {
    const auto method = changed(by_map, [&](LeastSquares& fit) { fit.ring_inverse_variance = by_ring; });
    test::poison(a);
    const auto outcomes = analysis(transform, map, a, method);
    analysis(transform, map, b, by_map, FitMaps<double>{nullptr, &as_map});
    EXPECT_LT(worst(world_, a, b), 1e-10);
    EXPECT_TRUE(outcomes[0].converged);
    EXPECT_EQ(outcomes[0].iterations, 0);
    EXPECT_TRUE(outcomes[1].converged);
    for (const auto& number : a.component(0, 0)) ASSERT_EQ(number, std::complex<double>());
  }
}

TEST_F(LeastSquaresFit, SaysWhatWasReachedWhereItDoesNotConverge) {
  const auto kind = FieldKind::scalar();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  FieldTransform<double> transform(world_, test::make_spec(kind, grid, {16, 16}, world_.size()));
  MapField<double> map(kind, transform.spec().pixels, world_.rank(), 1);
  test::fill_map(map, [](Index, Index, Index p) { return test::noise(4, static_cast<std::uint64_t>(p)); });
  AlmField<double> alm(kind, transform.spec().alm, world_.rank(), 1);
  for (const AnalysisMethod& method : {cg(1e-12, 3), lsmr(1e-12, 3)}) {
    const auto outcome = analysis(transform, map, alm, method).at(0);
    EXPECT_FALSE(outcome.converged);
    EXPECT_EQ(outcome.iterations, 3);
    EXPECT_GT(outcome.normal_residual, 1e-12);
    EXPECT_LT(outcome.normal_residual, 1e-2);
  }
  // Below rounding: ends by itself.
  const auto outcome = analysis(transform, map, alm, cg(1e-30)).at(0);
  EXPECT_FALSE(outcome.converged);
  EXPECT_LT(outcome.iterations, 500);
  EXPECT_LT(outcome.normal_residual, 1e-13);
}

TEST_F(LeastSquaresFit, RefusesWeightsThatLeaveNothing) {
  const auto kind = FieldKind::scalar();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(4));
  FieldTransform<double> transform(world_, test::make_spec(kind, grid, {6, 6}, world_.size(), 2));
  const auto& spec = transform.spec();
  MapField<double> map(kind, spec.pixels, world_.rank(), 2);
  test::fill_map(map, [](Index, Index, Index p) { return test::noise(4, static_cast<std::uint64_t>(p)); });
  AlmField<double> alm(kind, spec.alm, world_.rank(), 2);
  const auto message = [&](const FitMaps<double>& maps) {
    try {
      analysis(transform, map, alm, cg(1e-10), maps);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto second_empty = scalar_map<double>(spec, 2, [](Index k, Index) { return k == 0 ? 1.0 : 0.0; });
  const auto negative = scalar_map<double>(spec, 1, [](Index, Index p) { return p == 77 ? -1.0 : 1.0; });
  const auto not_a_number = scalar_map<double>(spec, 1, [](Index, Index p) { return p == 5 ? NAN : 1.0; });
  EXPECT_NE(message({&second_empty, nullptr}).find("map 1 of the batch: all pixels are masked"), std::string::npos);
  EXPECT_NE(message({nullptr, &negative}).find("negative or not finite"), std::string::npos);
  EXPECT_NE(message({&not_a_number, nullptr}).find("negative or not finite"), std::string::npos);
  if (world_.rank() == world_.size() - 1 && !map.data().empty()) map.data()[0] = NAN;
  EXPECT_NE(message({}).find("not finite"), std::string::npos);
}

}  // namespace
}  // namespace armilla::ops
