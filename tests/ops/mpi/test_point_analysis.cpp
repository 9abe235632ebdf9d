// Least-squares coefficients of values at points.
#include <armilla/core/error.hpp>
#include <armilla/ops/map_faults.hpp>
#include <armilla/ops/point_analysis.hpp>
#include <armilla/points/point_field.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "fit_methods.hpp"
#include "support/distance.hpp"
#include "support/fields.hpp"
#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace armilla::ops {
namespace {

using core::at;
using points::PointField;
using transform::AlmField;

/// Points of all ranks, uneven: denser in the north.
std::shared_ptr<points::LocalPoints> uneven(const comm::Communicator& comm, Index count) {
  auto places = std::make_shared<points::LocalPoints>();
  places->first = points::first_point(count, comm.size(), comm.rank());
  const Index end = points::first_point(count, comm.size(), comm.rank() + 1);
  for (Index i = places->first; i < end; ++i) {
    const auto n = static_cast<std::uint64_t>(i);
    const double share = 0.5 * (test::noise(1, n) + 1);
    places->theta.push_back(std::acos(1 - 2 * std::pow(share, 1.3)));
    places->phi.push_back(4 * test::noise(2, n));
  }
  return places;
}

/// [own point], between 0.5 and 1.5; every tenth is 0.
std::vector<double> uneven_weights(const points::LocalPoints& places) {
  std::vector<double> weights;
  for (Index i = places.first; i < places.first + places.size(); ++i)
    weights.push_back(i % 10 == 0 ? 0 : 1 + 0.5 * test::noise(3, static_cast<std::uint64_t>(i)));
  return weights;
}

template <class T>
class Fit {
 public:
  Fit(const comm::Communicator& comm, transform::FieldKind kind, Index lmax, Index points, Index maps = 1)
      : places(uneven(comm, points)),
        spec{.kind = std::move(kind),
             .alm = std::make_shared<dist::AlmDistribution>(alm::AlmLayout(lmax, lmax), comm.size()),
             .maps = maps,
             .accuracy = sizeof(T) == 4 ? 1e-6 : 2e-13},
        transform(comm, spec, places->theta, places->phi),
        alm(spec.kind, spec.alm, comm.rank(), maps),
        found(spec.kind, spec.alm, comm.rank(), maps),
        values(spec.kind, places, maps) {
    test::fill_noise(alm, 5);
    synthesis(alm, values);
  }

  void synthesis(const AlmField<T>& from, PointField<T>& to) {
    backend::DualBuffer<T> all(to.data(), backend::Access::kReadWrite);
    transform.synthesis(from, all);
  }
  auto run(PointAnalysis<T>& analysis, const AnalysisMethod& method) { return run(analysis, method, values, found); }
  auto run(PointAnalysis<T>& analysis, const AnalysisMethod& method, const PointField<T>& from, AlmField<T>& to) {
    return analysis.run(from.data(), to, method);
  }

  std::shared_ptr<points::LocalPoints> places;
  points::PointTransformSpec spec;
  points::PointTransform<T> transform;
  AlmField<T> alm, found;
  PointField<T> values;
};

TEST(PointAnalysis, FindsTheCoefficientsOfBandLimitedValues) {
  const auto comm = comm::Communicator::world();
  for (const auto& kind : {transform::FieldKind::temperature_polarisation(), transform::FieldKind::spin(1)})
    for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12)})
      for (const bool weighted : {false, true}) {
        Fit<double> fit(comm, kind, 20, 2000, 2);
        PointAnalysis<double> analysis(fit.transform, weighted ? uneven_weights(*fit.places) : std::vector<double>());
        test::poison(fit.found);
        const auto outcomes = fit.run(analysis, method);
        ASSERT_EQ(outcomes.size(), 2U);
        for (const AnalysisOutcome& outcome : outcomes) {
          EXPECT_TRUE(outcome.converged);
          EXPECT_LE(outcome.normal_residual, 1e-12);
          EXPECT_LE(outcome.map_residual, 1e-11);
          EXPECT_GT(outcome.condition, 1.5);
        }
        EXPECT_LE(test::distance(comm, fit.found, fit.alm), 3e-12 * outcomes.front().condition);
      }
}

TEST(PointAnalysis, WorksInSinglePrecision) {
  const auto comm = comm::Communicator::world();
  for (const AnalysisMethod& method : {cg(1e-5), lsmr(1e-5)}) {
    Fit<float> fit(comm, transform::FieldKind::scalar(), 20, 2000);
    PointAnalysis<float> analysis(fit.transform, {});
    EXPECT_TRUE(fit.run(analysis, method).front().converged);
    EXPECT_LE(test::distance(comm, fit.found, fit.alm), 1e-4);
  }
}

/// Against all columns of Y: the normal equations hold, and the condition is that of Y^T W Y.
TEST(PointAnalysis, SolvesTheNormalEquationsAndTellsTheirCondition) {
  const auto comm = comm::Communicator::world();
  constexpr Index kFew = 5, kUnknowns = (kFew + 1) * (kFew + 1);
  Fit<double> fit(comm, transform::FieldKind::scalar(), kFew, 90);
  const std::vector<double> weights = uneven_weights(*fit.places);
  const auto own = fit.places->size();
  Eigen::MatrixXd columns(own, kUnknowns);
  Index number = 0;
  for (Index l = 0; l <= kFew; ++l)
    for (Index m = 0; m <= l; ++m)
      for (const bool imaginary : {false, true}) {
        if (imaginary && m == 0) continue;
        const double size = m == 0 ? 1 : std::sqrt(0.5);  // of unit norm: m > 0 counts twice
        AlmField<double> unit(fit.spec.kind, fit.spec.alm, comm.rank(), 1);
        test::fill_alm(unit, [&](Index, Index, Index l_, Index m_) {
          if (l_ != l || m_ != m) return std::complex<double>(0);
          return imaginary ? std::complex<double>(0, size) : std::complex<double>(size, 0);
        });
        fit.synthesis(unit, fit.values);
        for (Index i = 0; i < own; ++i) columns(i, number) = fit.values.component(0, 0)[at(i)];
        ++number;
      }
  std::vector<double> sum{std::accumulate(weights.begin(), weights.end(), 0.0)};
  comm.sum(std::span<double>(sum));
  Eigen::VectorXd w(own), data(own);
  for (Index i = 0; i < own; ++i) {
    w(i) = weights[at(i)] * 4 * core::kPi / sum[0];
    data(i) = test::noise(9, static_cast<std::uint64_t>(fit.places->first + i));
    fit.values.component(0, 0)[at(i)] = data(i);
  }
  Eigen::MatrixXd normal = columns.transpose() * w.asDiagonal() * columns;
  Eigen::VectorXd right = columns.transpose() * w.asDiagonal() * data;
  comm.sum(std::span<double>(normal.data(), at(kUnknowns * kUnknowns)));
  comm.sum(std::span<double>(right.data(), at(kUnknowns)));
  const Eigen::VectorXd eigenvalues = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(normal).eigenvalues();
  const double condition = eigenvalues(kUnknowns - 1) / eigenvalues(0);
  const Eigen::VectorXd expected = columns * normal.ldlt().solve(right);

  for (const AnalysisMethod& method : {cg(1e-12), lsmr(1e-12)}) {
    PointAnalysis<double> analysis(fit.transform, weights);
    const AnalysisOutcome outcome = fit.run(analysis, method).front();
    EXPECT_TRUE(outcome.converged);
    EXPECT_NEAR(outcome.condition, condition, 0.01 * condition);
    PointField<double> values(fit.spec.kind, fit.places);
    fit.synthesis(fit.found, values);
    for (Index i = 0; i < own; ++i) EXPECT_NEAR(values.component(0, 0)[at(i)], expected(i), 1e-9);
  }
}

/// Values of any size give the same digits.
TEST(PointAnalysis, ScalesWithTheValues) {
  const auto comm = comm::Communicator::world();
  Fit<double> fit(comm, transform::FieldKind::scalar(), 10, 500);
  PointAnalysis<double> analysis(fit.transform, {});
  for (const AnalysisMethod& method : {cg(1e-10), lsmr(1e-10)}) {
    const AnalysisOutcome plain = fit.run(analysis, method).front();
    for (const int exponent : {-900, 600}) {
      PointField<double> values = fit.values;
      for (double& value : values.data()) value = std::ldexp(value, exponent);
      AlmField<double> found(fit.spec.kind, fit.spec.alm, comm.rank(), 1);
      const auto outcome = fit.run(analysis, method, values, found).front();
      EXPECT_EQ(outcome.iterations, plain.iterations);
      for (std::size_t i = 0; i < found.data().size(); ++i) {
        EXPECT_EQ(std::ldexp(found.data()[i].real(), -exponent), fit.found.data()[i].real());
        EXPECT_EQ(std::ldexp(found.data()[i].imag(), -exponent), fit.found.data()[i].imag());
      }
    }
  }
}

/// Each system on its own scale: T beside a Q, U of another size.
TEST(PointAnalysis, FitsSystemsOfAnySize) {
  const auto comm = comm::Communicator::world();
  for (const AnalysisMethod& method : {cg(1e-11), lsmr(1e-11)}) {
    Fit<double> fit(comm, transform::FieldKind::temperature_polarisation(), 10, 600);
    constexpr int kSmall = -600;
    for (double& value : fit.values.component(0, 0)) value = std::ldexp(value, kSmall);
    PointAnalysis<double> analysis(fit.transform, {});
    EXPECT_TRUE(fit.run(analysis, method).front().converged);
    for (std::complex<double>& a : fit.found.component(0, 0)) a *= std::ldexp(1.0, -kSmall);
    EXPECT_LE(test::distance(comm, fit.found, fit.alm), 1e-9);
  }
}

/// Fewer points than coefficients: refused by count, and with a penalty that vanishes, values are met by coefficients
/// of a small norm.
TEST(PointAnalysis, RefusesFewValuesUnlessRegularised) {
  const auto comm = comm::Communicator::world();
  for (AnalysisMethod method : {cg(1e-12), lsmr(1e-12)}) {
    Fit<double> fit(comm, transform::FieldKind::scalar(), 30, 40);
    PointAnalysis<double> analysis(fit.transform, {});
    EXPECT_THROW(fit.run(analysis, method), core::InputError);
    method.fit()->regularise.penalty = 1e-10;
    const AnalysisOutcome outcome = fit.run(analysis, method).front();
    EXPECT_TRUE(outcome.converged);
    EXPECT_LE(outcome.map_residual, 1e-9);
    EXPECT_GT(test::distance(comm, fit.found, fit.alm), 0.5);
  }
}

TEST(PointAnalysis, RefusesWhatCannotBeFitted) {
  const auto comm = comm::Communicator::world();
  Fit<double> fit(comm, transform::FieldKind::scalar(), 10, 500);
  const auto message = [&](const std::vector<double>& weights) {
    try {
      PointAnalysis<double>(fit.transform, weights);
    } catch (const core::InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::vector<double> weights(at(fit.places->size()), 1.0);
  if (comm.rank() == comm.size() - 1) weights.back() = -2;
  EXPECT_NE(message(weights).find("the weight of point 499 is -2"), std::string::npos) << message(weights);
  std::ranges::fill(weights, 0.0);
  EXPECT_NE(message(weights).find("all weights are 0"), std::string::npos) << message(weights);
  weights.resize(at(fit.places->size()) + 1, 1.0);
  std::ranges::fill(weights, 1.0);
  EXPECT_NE(message(weights).find("provide one per point"), std::string::npos) << message(weights);

  if (comm.rank() == 0) fit.values.data()[0] = std::numeric_limits<double>::quiet_NaN();
  PointAnalysis<double> analysis(fit.transform, {});
  EXPECT_THROW(fit.run(analysis, cg(1e-10)), MapFaults);
}

}  // namespace
}  // namespace armilla::ops
