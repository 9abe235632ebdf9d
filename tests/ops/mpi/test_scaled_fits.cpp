#include <armilla/grid/makers.hpp>
#include <armilla/ops/analysis.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/norms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fit_methods.hpp"
#include "support/fields.hpp"
#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using transform::AlmField;
using transform::FieldKind;
using transform::FieldTransform;
using transform::MapField;

/// A map of T, Q, U with holes, and its fits.
template <class T>
class Sky {
 public:
  explicit Sky(const std::shared_ptr<const grid::RingGrid>& grid)
      : world_(comm::Communicator::world()),
        transform_(world_, test::make_spec(kind_, grid, {20, 20}, world_.size())) {}

  /// The noise of the map times 2^exponent; 2^(exponent + 10) behind the mask.
  void fill(MapField<T>& map, int exponent) const {
    test::fill_map(map, [&](Index, Index c, Index p) {
      const double value = test::noise(5, static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(c));
      return std::ldexp(p % 11 == 3 ? std::ldexp(value, 10) : value, exponent);
    });
  }
  /// Coefficients of the map times 2^exponent, with weights times 2^of_weights and a mask times 2^of_mask.
  std::vector<std::complex<T>> coefficients(const AnalysisMethod& method, int exponent, int of_weights = 0,
                                            int of_mask = 0) {
    MapField<T> map(kind_, transform_.spec().pixels, world_.rank(), 1);
    fill(map, exponent);
    MapField<T> weights(FieldKind::scalar(), transform_.spec().pixels, world_.rank(), 1);
    test::fill_map(weights, [&](Index, Index, Index p) {
      return std::ldexp(1.5 + test::noise(9, static_cast<std::uint64_t>(p)), of_weights);
    });
    MapField<T> mask(FieldKind::scalar(), transform_.spec().pixels, world_.rank(), 1);
    test::fill_map(mask, [&](Index, Index, Index p) { return p % 11 == 3 ? 0.0 : std::ldexp(1.0, of_mask); });
    AlmField<T> alm(kind_, transform_.spec().alm, world_.rank(), 1);
    test::poison(alm);
    const bool weighs = method.fit() != nullptr;
    outcomes = analysis(transform_, map, alm, method, weighs ? FitMaps<T>{&mask, &weights} : FitMaps<T>{});
    return {alm.data().begin(), alm.data().end()};
  }

  std::vector<AnalysisOutcome> outcomes;

 private:
  comm::Communicator world_;
  FieldKind kind_ = FieldKind::temperature_polarisation();
  FieldTransform<T> transform_;
};

template <class T>
std::vector<std::complex<T>> scaled(std::vector<std::complex<T>> values, int exponent) {
  for (auto& value : values)
    value = {static_cast<T>(std::ldexp(static_cast<double>(value.real()), exponent)),
             static_cast<T>(std::ldexp(static_cast<double>(value.imag()), exponent))};
  return values;
}

template <class T>
void expect_powers_of_two_pass_through(const AnalysisMethod& method, const std::vector<int>& exponents) {
  Sky<T> sky(std::make_shared<grid::RingGrid>(grid::make_healpix(8)));
  const auto expected = sky.coefficients(method, 0);
  const std::vector<AnalysisOutcome> first = sky.outcomes;
  for (const int exponent : exponents) {
    EXPECT_EQ(sky.coefficients(method, exponent), scaled(expected, exponent)) << exponent;
    ASSERT_EQ(sky.outcomes.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(sky.outcomes[i].iterations, first[i].iterations);
      EXPECT_EQ(sky.outcomes[i].converged, first[i].converged);
      EXPECT_EQ(sky.outcomes[i].normal_residual, first[i].normal_residual);
      EXPECT_EQ(sky.outcomes[i].map_residual, first[i].map_residual);
    }
  }
}

TEST(ScaledFits, PowersOfTwoChangeNoBit) {
  const std::vector<int> exponents{-900, -560, -400, 3, 500, 560, 900};
  for (const AnalysisMethod& method :
       {cg(1e-9), lsmr(1e-9), AnalysisMethod{{}, Accuracy{1e-8}}, AnalysisMethod{{}, Jacobi{2}}})
    expect_powers_of_two_pass_through<double>(method, exponents);
}

TEST(ScaledFits, PowersOfTwoChangeNoBitInSinglePrecision) {
  for (const AnalysisMethod& method : {cg(1e-4), lsmr(1e-4)})
    expect_powers_of_two_pass_through<float>(method, {-100, -60, 60, 100});
}

// Where the quadrature is exact, it is iterated by itself.
TEST(ScaledFits, PowersOfTwoChangeNoBitOnAGaussGrid) {
  Sky<double> sky(std::make_shared<grid::RingGrid>(grid::make_gauss(24, 48)));
  const AnalysisMethod method{{}, Accuracy{1e-9}};
  const auto expected = sky.coefficients(method, 0);
  for (const int exponent : {-600, 600}) {
    EXPECT_EQ(sky.coefficients(method, exponent), scaled(expected, exponent));
    EXPECT_GE(sky.outcomes.at(0).iterations, 1);
  }
}

TEST(ScaledFits, OnlyRatiosOfWeightsCount) {
  Sky<double> sky(std::make_shared<grid::RingGrid>(grid::make_healpix(8)));
  for (const AnalysisMethod& method : {cg(1e-9), lsmr(1e-9)}) {
    const auto expected = sky.coefficients(method, 0);
    for (const auto& [of_weights, of_mask] : {std::pair{-1000, 0}, {-660, 0}, {660, 0}, {1000, 0}, {0, -600}, {0, 600}})
      EXPECT_EQ(sky.coefficients(method, 0, of_weights, of_mask), expected) << of_weights << " " << of_mask;
  }
}

/// Coefficients up to lmax 4 of a map of noise at nside 8 under a mask.
template <class Mask>
std::vector<std::complex<double>> under(const Mask& value, const AnalysisMethod& method) {
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  const auto world = comm::Communicator::world();
  FieldTransform<double> transform(world, test::make_spec(FieldKind::scalar(), grid, {4, 4}, world.size()));
  MapField<double> map(FieldKind::scalar(), transform.spec().pixels, world.rank(), 1);
  test::fill_map(map, [](Index, Index, Index p) { return test::noise(5, static_cast<std::uint64_t>(p)); });
  MapField<double> mask(FieldKind::scalar(), transform.spec().pixels, world.rank(), 1);
  test::fill_map(mask, [&](Index, Index, Index p) { return value(p); });
  AlmField<double> alm(FieldKind::scalar(), transform.spec().alm, world.rank(), 1);
  for (const auto& outcome : analysis(transform, map, alm, method, {&mask, nullptr})) {
    EXPECT_TRUE(outcome.converged);
    EXPECT_LT(outcome.iterations, 60);
  }
  return {alm.data().begin(), alm.data().end()};
}

void expect_alike(const std::vector<std::complex<double>>& a, const std::vector<std::complex<double>>& b) {
  ASSERT_EQ(a.size(), b.size());
  double largest = 0;
  double error = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(a[i]));
    error = std::max(error, std::abs(a[i] - b[i]));
  }
  EXPECT_LE(error, 1e-8 * largest);
}

// A pixel of next to no weight is as good as masked, and must not rule the residual.
TEST(ScaledFits, PixelsOfVerySmallWeightAreNearlyMasked) {
  for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12)}) {
    const auto masked = under([](Index p) { return p == 10 ? 0.0 : 1.0; }, method);
    for (const double value : {1e-8, 1e-19, 1e-24, 1e-155})
      expect_alike(under([&](Index p) { return p == 10 ? value : 1.0; }, method), masked);
  }
}

// Weights that fall smoothly over many decades, as at the border of a survey.
TEST(ScaledFits, ApodisedMasksAreFittedByEitherMethodAlike) {
  const auto mask = [](Index p) { return std::exp(-0.5 * std::pow(static_cast<double>(p) / 200.0, 2)); };
  expect_alike(under(mask, cg(1e-12)), under(mask, lsmr(1e-12)));
}

TEST(ScaledFits, OnlyRatiosOfInverseVariancesOfRingsCount) {
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  const auto world = comm::Communicator::world();
  FieldTransform<double> transform(world, test::make_spec(FieldKind::scalar(), grid, {20, 20}, world.size()));
  MapField<double> map(FieldKind::scalar(), transform.spec().pixels, world.rank(), 1);
  test::fill_map(map, [](Index, Index, Index p) { return test::noise(5, static_cast<std::uint64_t>(p)); });
  std::vector<std::vector<std::complex<double>>> found;
  for (const int exponent : {0, -700, 700}) {
    ConjugateGradients method;
    for (std::size_t r = 0; r < grid->rings().size(); ++r)
      method.ring_inverse_variance.push_back(std::ldexp(1.0 + static_cast<double>(r % 5), exponent));
    AlmField<double> alm(FieldKind::scalar(), transform.spec().alm, world.rank(), 1);
    EXPECT_TRUE(analysis(transform, map, alm, {{}, method}).at(0).converged);
    found.emplace_back(alm.data().begin(), alm.data().end());
  }
  EXPECT_EQ(found[1], found[0]);
  EXPECT_EQ(found[2], found[0]);
}

// Whatever is there at the scale of the others is not lost, nor taken for zero.
TEST(ScaledFits, MapsOfABatchAreScaledEachByItself) {
  const auto world = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  FieldTransform<double> transform(world, test::make_spec(FieldKind::scalar(), grid, {20, 20}, world.size(), 4));
  MapField<double> map(FieldKind::scalar(), transform.spec().pixels, world.rank(), 4);
  const std::vector<int> exponents{0, -600, 600};
  test::fill_map(map, [&](Index k, Index, Index p) {
    return k == 3 ? 0
                  : std::ldexp(test::noise(5, static_cast<std::uint64_t>(p)), exponents[static_cast<std::size_t>(k)]);
  });
  AlmField<double> alm(FieldKind::scalar(), transform.spec().alm, world.rank(), 4);
  const auto outcomes = analysis(transform, map, alm, cg(1e-9));
  for (const AnalysisOutcome& outcome : outcomes) EXPECT_TRUE(outcome.converged);
  for (Index k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < alm.component(0, 0).size(); ++i)
      ASSERT_EQ(alm.component(k, 0)[i].real(),
                std::ldexp(alm.component(0, 0)[i].real(), exponents[static_cast<std::size_t>(k)]));
  for (const auto& value : alm.component(3, 0)) ASSERT_EQ(value, 0.0);
}

TEST(ScaledFits, NumbersThatAreNotFiniteAreNamed) {
  const auto world = comm::Communicator::world();
  const auto grid = std::make_shared<grid::RingGrid>(grid::make_healpix(8));
  FieldTransform<double> transform(world, test::make_spec(FieldKind::scalar(), grid, {20, 20}, world.size(), 2));
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    MapField<double> map(FieldKind::scalar(), transform.spec().pixels, world.rank(), 2);
    test::fill_map(map, [&](Index k, Index, Index p) { return k == 1 && p == 100 ? bad : 1e170; });
    AlmField<double> alm(FieldKind::scalar(), transform.spec().alm, world.rank(), 2);
    for (const AnalysisMethod& method : {lsmr(1e-9), AnalysisMethod{{}, Accuracy{1e-8}}}) {
      try {
        analysis(transform, map, alm, method);
        FAIL() << "the map is not finite";
      } catch (const MapFaults& error) {
        ASSERT_EQ(error.faults().size(), 1u);
        EXPECT_EQ(error.faults()[0].place, 1);
        EXPECT_NE(std::string(error.what()).find("not finite"), std::string::npos);
      }
    }
  }
}

TEST(ScaledFits, ErrorsOfTinyAndHugeCoefficientsAreTheirOwn) {
  const auto world = comm::Communicator::world();
  const auto layout = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(8, 8), world.size());
  AlmField<double> a(FieldKind::scalar(), layout, world.rank(), 1);
  AlmField<double> b(FieldKind::scalar(), layout, world.rank(), 1);
  std::vector<double> errors;
  for (const int exponent : {0, -600, 600}) {
    test::fill_noise(a, 1);
    test::fill_noise(b, 2);
    for (auto* field : {&a, &b})
      for (auto& value : field->data()) value *= std::ldexp(1.0, exponent);
    errors.push_back(relative_error(world, a, b).at(0));
  }
  EXPECT_GT(errors[0], 0.1);
  EXPECT_EQ(errors[1], errors[0]);
  EXPECT_EQ(errors[2], errors[0]);
  std::ranges::fill(b.data(), std::complex<double>{});
  EXPECT_GT(relative_error(world, a, b).at(0), 0.0);
}

}  // namespace
}  // namespace armilla::ops
