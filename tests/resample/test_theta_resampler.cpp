#include <armilla/core/error.hpp>
#include <armilla/math/wigner.hpp>
#include <armilla/resample/theta_resampler.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::resample {
namespace {

using Complex = std::complex<double>;

struct Targets {
  std::vector<double> theta;
  std::vector<double> cosine;
  std::vector<double> sine;

  void add(double angle) {
    theta.push_back(angle);
    cosine.push_back(std::max(0.0, std::cos(angle)));
    sine.push_back(std::sin(angle));
  }
};

// Northern half of the rings of HEALPix.
Targets healpix(Index nside) {
  Targets targets;
  for (Index i = 1; i <= 2 * nside; ++i) {
    const auto ratio = static_cast<double>(i) / static_cast<double>(nside);
    targets.add(std::acos(i < nside ? 1 - ratio * ratio / 3 : 4.0 / 3 - 2 * ratio / 3));
  }
  return targets;
}

// Equidistant rings from the pole (offset 0) or half a step off it.
Targets equidistant(Index intervals, double offset) {
  Targets targets;
  for (Index i = 0; 2 * i <= intervals; ++i) {
    const double theta = core::kPi * (static_cast<double>(i) + offset) / static_cast<double>(intervals);
    if (theta <= 0.5 * core::kPi) targets.add(theta);
  }
  return targets;
}

Targets few(std::initializer_list<double> thetas) {
  Targets targets;
  for (const double theta : thetas) targets.add(theta);
  return targets;
}

// The function at a northern ring and at its mirror: slambda_lm(pi - theta) = (-1)^(l + m) (-s)lambda_lm(theta).
double north(Index spin, Index l, Index m, double theta) { return math::spin_harmonic(spin, l, m, theta); }
double south(Index spin, Index l, Index m, double theta) {
  return ((l + m) % 2 == 0 ? 1.0 : -1.0) * math::spin_harmonic(-spin, l, m, theta);
}

// Of slambda_l1 + i slambda_l2: both parts of the column are carried, and degrees of either parity at the equator.
PairValue column(Index spin, Index l1, Index l2, Index m, double theta) {
  return {{north(spin, l1, m, theta), north(spin, l2, m, theta), south(spin, l1, m, theta), south(spin, l2, m, theta)}};
}

std::vector<PairValue> random_pairs(Index count, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  std::vector<PairValue> values(static_cast<std::size_t>(count));
  for (auto& value : values)
    for (double& part : value.part) part = normal(generator);
  return values;
}

ConstRingColumn column_of(const std::vector<PairValue>& pairs, Index first = 0) {
  return column_of(pairs.data() + first);
}
RingColumn column_of(std::vector<PairValue>& pairs, Index first = 0) { return column_of(pairs.data() + first); }

void carry(const ThetaResampler& resampler, PoleParity parity, const std::vector<PairValue>& source,
           std::vector<PairValue>& target, Index first_target, ThetaResampler::Workspace& workspace) {
  resampler.synthesis(parity, column_of(source), workspace);
  resampler.get_targets(first_target, resampler.target_pairs(), column_of(target, first_target), workspace);
}

double dot(const std::vector<PairValue>& a, const std::vector<PairValue>& b) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (int c = 0; c < 4; ++c) sum += static_cast<long double>(a[i].part[c]) * static_cast<long double>(b[i].part[c]);
  return static_cast<double>(sum);
}

double norm(const std::vector<PairValue>& a) { return std::sqrt(dot(a, a)); }

// Largest error at the targets over the largest value at the source.
double worst_error(Index lmax, Index spin, Index l1, Index l2, Index m, const Targets& targets) {
  const ThetaResampler resampler(lmax, targets.cosine, targets.sine);
  ThetaResampler::Workspace workspace(resampler);
  std::vector<PairValue> source;
  double largest = 0;
  for (Index j = 0; j < resampler.source_pairs(); ++j) {
    const double theta = std::atan2(resampler.source_sin()[static_cast<std::size_t>(j)],
                                    resampler.source_cos()[static_cast<std::size_t>(j)]);
    source.push_back(column(spin, l1, l2, m, theta));
    for (const double part : source.back().part) largest = std::max(largest, std::abs(part));
  }
  const double poison = std::numeric_limits<double>::quiet_NaN();
  std::vector<PairValue> target(targets.theta.size(), PairValue{{poison, poison, poison, poison}});
  carry(resampler, pole_parity(m, spin), source, target, 0, workspace);
  double worst = 0;
  for (std::size_t i = 0; i < target.size(); ++i) {
    const PairValue exact = column(spin, l1, l2, m, targets.theta[i]);
    for (int c = 0; c < 4; ++c) {
      const double error = std::abs(target[i].part[c] - exact.part[c]);
      worst = std::isfinite(error) ? std::max(worst, error) : std::numeric_limits<double>::infinity();
    }
  }
  return worst / largest;
}

// The kernel leaves 1e-13 at most; the rest is the rounding of theta and of the recurrences compared with: lmax eps,
// which is 1e-13 for lmax 511.
constexpr double kTolerance = 5e-13;

TEST(ThetaResampler, CarriesHarmonicsToTheRingsOfTheGrid) {
  struct Case {
    Index lmax, spin, l1, l2, m;
  };
  const std::vector<Case> cases = {{20, 0, 20, 19, 0},     {20, 0, 20, 13, 7},      {33, 1, 33, 32, 0},
                                   {64, 2, 64, 63, 3},     {64, 2, 64, 2, 2},       {100, 3, 100, 99, 4},
                                   {255, 0, 255, 254, 1},  {255, 2, 255, 254, 200}, {383, -2, 383, 17, 6},
                                   {511, 0, 511, 510, 0},  {511, 0, 511, 510, 3},   {511, 2, 511, 510, 1},
                                   {511, 2, 511, 510, 50}, {511, 0, 511, 511, 511}, {511, 0, 0, 2, 0}};
  for (const Case& c : cases) {
    const std::vector<std::pair<const char*, Targets>> grids = {
        {"healpix", healpix(c.lmax / 2 + 1)},
        {"healpix, more rings", healpix(c.lmax + 5)},
        {"Driscoll-Healy", equidistant(2 * (c.lmax + 1), 0)},
        {"Clenshaw-Curtis, odd", equidistant(3 * c.lmax + 1, 0)},
        {"Fejer", equidistant(2 * c.lmax + 3, 0.5)},
        {"pole and equator", few({0.0, 0.5 * core::kPi})},
        {"one ring", few({1.1})},
        {"near the pole", few({0.0, 1e-12, 1e-5, 1e-3})}};
    for (const auto& [name, targets] : grids) {
      const double error = worst_error(c.lmax, c.spin, c.l1, c.l2, c.m, targets);
      EXPECT_LE(error, kTolerance) << name << ", lmax " << c.lmax << ", spin " << c.spin << ", l " << c.l1 << " and "
                                   << c.l2 << ", m " << c.m;
    }
  }
}

TEST(ThetaResampler, ServesTheSmallestDegrees) {
  for (const Index lmax : {0, 1, 2, 3, 7})
    for (Index m = 0; m <= lmax; ++m)
      EXPECT_LE(worst_error(lmax, 0, lmax, m, m, healpix(4)), kTolerance) << "lmax " << lmax << ", m " << m;
}

TEST(ThetaResampler, FailsForTheWrongParity) {
  const Targets targets = healpix(32);
  // Spin 1 has the other parity: told m = 3 of a column of m = 2, the result must be far off.
  const ThetaResampler resampler(40, targets.cosine, targets.sine);
  ThetaResampler::Workspace workspace(resampler);
  std::vector<PairValue> source;
  for (Index j = 0; j < resampler.source_pairs(); ++j)
    source.push_back(column(0, 40, 39, 2, std::acos(resampler.source_cos()[static_cast<std::size_t>(j)])));
  std::vector<PairValue> target(targets.theta.size());
  carry(resampler, pole_parity(3, 0), source, target, 0, workspace);
  double worst = 0;
  for (std::size_t i = 0; i < target.size(); ++i)
    worst = std::max(worst, std::abs(target[i].part[0] - north(0, 40, 2, targets.theta[i])));
  EXPECT_GT(worst, 1e-3);
}

TEST(ThetaResampler, AdjointIsTheTranspose) {
  std::mt19937_64 generator(20240917);
  for (const Index lmax : {0, 5, 20, 127, 300, 511}) {
    for (const Targets& targets : {healpix(lmax + 3), equidistant(2 * lmax + 2, 0), few({0.0, 0.3})}) {
      const ThetaResampler resampler(lmax, targets.cosine, targets.sine);
      ThetaResampler::Workspace workspace(resampler);
      for (const PoleParity parity : {PoleParity::kEven, PoleParity::kOdd}) {
        for (const Index first_target : {Index{0}, resampler.target_pairs() / 2}) {
          const auto x = random_pairs(resampler.source_pairs(), generator);
          auto y = random_pairs(resampler.target_pairs(), generator);
          std::vector<PairValue> rx(y.size());
          auto ry = random_pairs(resampler.source_pairs(), generator);
          carry(resampler, parity, x, rx, first_target, workspace);
          resampler.clear(workspace);
          resampler.add_targets(first_target, resampler.target_pairs(), column_of(std::as_const(y), first_target),
                                workspace);
          resampler.adjoint(parity, column_of(ry), workspace);
          std::fill(y.begin(), y.begin() + first_target, PairValue{});
          // Rounding of each side is eps times the product of norms, some ten steps deep.
          EXPECT_LE(std::abs(dot(rx, y) - dot(x, ry)), 1e-14 * std::max(norm(rx) * norm(y), norm(x) * norm(ry)))
              << "lmax " << lmax << ", " << y.size() << " targets";
        }
      }
    }
  }
}

TEST(ThetaResampler, LeavesTargetsBeforeTheFirstAlone) {
  const Targets targets = healpix(16);
  const ThetaResampler resampler(20, targets.cosine, targets.sine);
  ThetaResampler::Workspace workspace(resampler);
  std::mt19937_64 generator(7);
  const auto source = random_pairs(resampler.source_pairs(), generator);
  std::vector<PairValue> all(targets.theta.size());
  std::vector<PairValue> rest(targets.theta.size(), PairValue{{7, 7, 7, 7}});
  carry(resampler, PoleParity::kOdd, source, all, 0, workspace);
  carry(resampler, PoleParity::kOdd, source, rest, 5, workspace);
  for (std::size_t i = 0; i < all.size(); ++i)
    for (int c = 0; c < 4; ++c) EXPECT_EQ(rest[i].part[c], i < 5 ? 7.0 : all[i].part[c]);
}

// Columns between others, and targets in several calls: nothing of that changes a bit.
TEST(ThetaResampler, TakesColumnsWithAStrideAndTargetsInParts) {
  const Targets targets = healpix(32);
  const ThetaResampler resampler(50, targets.cosine, targets.sine);
  ThetaResampler::Workspace workspace(resampler);
  std::mt19937_64 generator(5);
  constexpr Index stride = 3;
  const auto in_strides = [](const std::vector<PairValue>& pairs) {
    std::vector<Complex> values(2 * stride * pairs.size());
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      values[2 * stride * i] = pairs[i].north();
      values[2 * stride * i + stride] = pairs[i].south();
    }
    return values;
  };
  const Index end = resampler.target_pairs();
  const auto source = random_pairs(resampler.source_pairs(), generator);
  std::vector<PairValue> target(targets.theta.size());
  carry(resampler, PoleParity::kOdd, source, target, 0, workspace);
  const auto strided_source = in_strides(source);
  std::vector<Complex> strided(2 * stride * target.size());
  resampler.synthesis(PoleParity::kOdd, {strided_source.data(), stride}, workspace);
  resampler.get_targets(7, end, {strided.data() + 7 * 2 * stride, stride}, workspace);
  resampler.get_targets(0, 7, {strided.data(), stride}, workspace);
  EXPECT_EQ(strided, in_strides(target));

  std::vector<PairValue> back(source.size());
  resampler.clear(workspace);
  resampler.add_targets(0, end, column_of(std::as_const(target)), workspace);
  resampler.adjoint(PoleParity::kOdd, column_of(back), workspace);
  std::vector<Complex> strided_back(2 * stride * back.size());
  resampler.clear(workspace);
  resampler.add_targets(0, 7, {strided.data(), stride}, workspace);
  resampler.add_targets(7, end, {strided.data() + 7 * 2 * stride, stride}, workspace);
  resampler.adjoint(PoleParity::kOdd, {strided_back.data(), stride}, workspace);
  EXPECT_EQ(strided_back, in_strides(back));
}

TEST(ThetaResampler, GivesTheSameBitsOnAnyThread) {
  const Targets targets = healpix(128);
  const ThetaResampler resampler(200, targets.cosine, targets.sine);
  std::mt19937_64 generator(11);
  constexpr int columns = 24;
  std::vector<std::vector<PairValue>> source;
  for (int i = 0; i < columns; ++i) source.push_back(random_pairs(resampler.source_pairs(), generator));
  const auto carry_column = [&](std::vector<std::vector<PairValue>>& out, int i, ThetaResampler::Workspace& workspace) {
    const auto column = static_cast<std::size_t>(i);
    out[column].resize(targets.theta.size());
    carry(resampler, pole_parity(i, 0), source[column], out[column], 0, workspace);
  };
  std::vector<std::vector<PairValue>> serial(columns);
  std::vector<std::vector<PairValue>> parallel(columns);
  ThetaResampler::Workspace workspace(resampler);
  for (int i = columns - 1; i >= 0; --i) carry_column(serial, i, workspace);
#pragma omp parallel num_threads(3)
  {
    ThetaResampler::Workspace own(resampler);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < columns; ++i) carry_column(parallel, i, own);
  }
  for (std::size_t i = 0; i < columns; ++i)
    for (std::size_t k = 0; k < serial[i].size(); ++k)
      for (int c = 0; c < 4; ++c) ASSERT_EQ(serial[i][k].part[c], parallel[i][k].part[c]);
}

TEST(ThetaResampler, NeedsFewSourceRings) {
  const Targets targets = few({1.0});
  for (const Index lmax : {255, 1023, 4095, 4096, 6143}) {
    const Index pairs = ThetaResampler(lmax, targets.cosine, targets.sine).source_pairs();
    EXPECT_GE(2 * pairs, lmax + 1);
    EXPECT_LE(2 * pairs, lmax + 1 + lmax / 40) << "lmax " << lmax;
  }
}

std::string message_of(Index lmax, const std::vector<double>& cosine, const std::vector<double>& sine) {
  try {
    const ThetaResampler resampler(lmax, cosine, sine);
  } catch (const core::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ThetaResampler, RefusesBadTargets) {
  EXPECT_NE(message_of(-1, {1}, {0}).find("lmax = -1 is negative"), std::string::npos);
  EXPECT_NE(message_of(4, {1, 0}, {0}).find("2 cosines but 1 sines"), std::string::npos);
  EXPECT_NE(message_of(4, {1, -0.5}, {0, 0.8}).find("target ring 1 with cos(theta) = -0.5"), std::string::npos);
  EXPECT_NE(message_of(4, {std::nan("")}, {0}).find("not in the northern hemisphere"), std::string::npos);
}

}  // namespace
}  // namespace armilla::resample
