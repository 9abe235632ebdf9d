#pragma once

#include <armilla/backend/cuda/device_legendre.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/pair_parts.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "support/ring_task.hpp"
#include <gtest/gtest.h>

namespace armilla::test {

using core::Precision;

constexpr Index kWork = Index{1} << 22;
constexpr double kTolerance = 1e-12;
constexpr double kSingleTolerance = 1e-6;

/// A stage, with sums and products where it has a choice.
template <class Stage>
Stage make_stage(const legendre::Task& task, Precision sums, Index work, const kernels::Stream& stream,
                 backend::Products products) {
  if constexpr (std::is_constructible_v<Stage, const legendre::Task&, Precision, Index, const kernels::Stream&,
                                        backend::Products>)
    return Stage(task, sums, work, stream, products);
  else
    return Stage(task, work, stream);
}

/// Both directions of a stage, own m in ranges of `orders`, or all at once where that is 0; what it leaves alone is not
/// a number.
template <class T, class Stage = backend::DeviceLegendre<T>>
struct OnDevice {
  OnDevice(const RingTask& rings, const Numbers<T>& alm_in, const Numbers<T>& delta_in, Index work = kWork,
           Precision sums = Precision::kDouble, backend::Products products = backend::Products::kCudaCores,
           Index orders = 0)
      : delta(static_cast<std::size_t>(rings.delta_size), std::numeric_limits<T>::quiet_NaN()),
        alm(static_cast<std::size_t>(rings.alm_size), std::numeric_limits<T>::quiet_NaN()) {
    const kernels::Stream stream;
    auto stage = make_stage<Stage>(rings.task, sums, work, stream, products);
    const auto alm_there = kernels::upload<std::complex<T>>(alm_in, stream);
    auto delta_there = kernels::upload<std::complex<T>>(delta, stream);
    const auto own = static_cast<Index>(rings.m.size());
    const auto for_each_range = [&](const auto& call) {
      const Index count = orders == 0 ? own : orders;
      for (Index k = 0; k < own; k += count) call(backend::OrderRange{k, std::min(k + count, own)});
    };
    for_each_range([&](auto range) { stage.synthesis(range, alm_there.data(), delta_there.data(), stream); });
    kernels::copy(delta.data(), delta_there.data(), delta_there.size(), stream);
    const auto rings_there = kernels::upload<std::complex<T>>(delta_in, stream);
    auto sums_there = kernels::upload<std::complex<T>>(alm, stream);
    for_each_range([&](auto range) { stage.adjoint(range, rings_there.data(), sums_there.data(), stream); });
    kernels::copy(alm.data(), sums_there.data(), sums_there.size(), stream);
    stream.wait();
  }
  Numbers<T> delta, alm;
};

/// Colatitudes of the northern rings of grids of `rings` rings; the last one is the equator where their number is odd.
inline std::vector<double> gauss(int rings) {
  std::vector<double> theta;
  for (int i = 0; i < (rings + 1) / 2; ++i) theta.push_back((i + 0.75) / (rings + 0.5) * core::kPi);
  if (rings % 2 != 0) theta.back() = core::kPi / 2;
  return theta;
}
inline std::vector<double> healpix(int nside) {
  std::vector<double> theta;
  for (int i = 1; i <= 2 * nside; ++i) {
    const double x = static_cast<double>(i) / nside;
    theta.push_back(i < nside ? std::acos(1 - x * x / 3) : std::acos(4.0 / 3 - 2 * x / 3));
  }
  return theta;
}

inline std::vector<Index> all_orders(Index mmax) {
  std::vector<Index> m;
  for (Index i = 0; i <= mmax; ++i) m.push_back(i);
  return m;
}

/// Pairs that feel m, as the polar cut has it.
inline void cut(RingTask& rings, double beyond) {
  for (std::size_t k = 0; k < rings.m.size(); ++k)
    while (rings.first[k] < rings.task.pairs() - 1 &&
           static_cast<double>(rings.task.lmax) * rings.sine[static_cast<std::size_t>(rings.first[k])] + beyond <
               static_cast<double>(rings.m[k]))
      ++rings.first[k];
}

/// A shape of a task of several rings and m.
struct LegendreCase {
  const char* name;
  Index lmax;
  std::vector<double> theta;
  std::vector<Index> m;
  std::size_t missing;
  bool equator;  // the last pair is one ring
};

using LegendreParameters = std::tuple<LegendreCase, Index, Index>;

/// Two combinations for each shape; each spin and each number of maps is in one of them.
inline std::vector<LegendreParameters> some_combinations(const std::vector<LegendreCase>& shapes,
                                                         const std::vector<Index>& spins,
                                                         const std::vector<Index>& maps) {
  std::vector<LegendreParameters> some;
  for (std::size_t i = 0; i < 2 * shapes.size(); ++i)
    some.emplace_back(shapes[i % shapes.size()], spins[(i + 2 * (i / shapes.size())) % spins.size()],
                      maps[i % maps.size()]);
  return some;
}

inline std::string combination_name(const testing::TestParamInfo<LegendreParameters>& parameter) {
  const auto& [shape, spin, maps] = parameter.param;
  return std::string(shape.name) + "_spin" + std::to_string(spin) + "_maps" + std::to_string(maps);
}

/// Expects what the reference engine gives, to rounding, at all that is there, and that nothing else is touched.
template <class Stage = backend::DeviceLegendre<double>>
void expect_reference(const RingTask& rings, Precision sums, backend::Products products) {
  const double tolerance = sums == Precision::kDouble ? kTolerance : kSingleTolerance;
  const Index wigner = legendre::PairParts(rings.task).wigner;
  const auto nan = std::complex<double>(std::nan(""), 0);
  const auto alm = rings.random_alm<double>(nan);
  auto delta = rings.random_delta<double>(nan);
  auto delta_own = delta;
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair >= wigner) return;
    delta[i] = nan;
    delta_own[i] = 0;
  });
  Numbers<double> delta_expected(delta.size(), nan), alm_expected(alm.size(), nan);
  const auto engine = legendre::make_reference_engine<double>(rings.task);
  engine->synthesis(alm.data(), delta_expected.data(), {});
  engine->adjoint(delta_own.data(), alm_expected.data(), {});

  const OnDevice<double, Stage> device(rings, alm, delta, kWork, sums, products);
  std::vector<bool> own(delta.size(), false);
  double difference = 0;
  double norm = 0;
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair < wigner) return;
    own[i] = true;
    difference += std::norm(device.delta[i] - delta_expected[i]);
    norm += std::norm(delta_expected[i]);
  });
  EXPECT_LE(std::sqrt(difference), tolerance * std::sqrt(norm));
  for (std::size_t i = 0; i < own.size(); ++i) ASSERT_TRUE(own[i] || std::isnan(device.delta[i].real())) << i;

  difference = norm = 0;
  for (std::size_t i = 0; i < alm.size(); ++i) {
    ASSERT_EQ(std::isnan(device.alm[i].real()), std::isnan(alm_expected[i].real())) << i;
    if (std::isnan(alm_expected[i].real())) continue;
    difference += std::norm(device.alm[i] - alm_expected[i]);
    norm += std::norm(alm_expected[i]);
  }
  EXPECT_LE(std::sqrt(difference), tolerance * std::sqrt(norm));
}

/// Expects the same bits of a map again, in a batch of kMaps, and where own m are worked on in other ranges, chosen by
/// working space or by the caller.
template <Index kMaps, class Stage = backend::DeviceLegendre<double>>
void expect_same_bits(Index spin, Precision sums, backend::Products products) {
  using Device = OnDevice<double, Stage>;
  const auto m = all_orders(40);
  RingTask one(spin, 60, m, gauss(401), 1, 5);
  RingTask many(spin, 60, m, gauss(401), kMaps, 5);
  cut(one, 30);
  cut(many, 30);
  const Device first(one, one.random_alm<double>(0), one.random_delta<double>(0), kWork, sums, products);
  const Device again(one, one.random_alm<double>(0), one.random_delta<double>(0), 1, sums, products);
  const Device batch(many, many.random_alm<double>(0), many.random_delta<double>(0), kWork, sums, products);
  const Device parts(many, many.random_alm<double>(0), many.random_delta<double>(0), 30000, sums, products);
  const auto in_ranges = [&](Index work, Index orders) {
    return Device(many, many.random_alm<double>(0), many.random_delta<double>(0), work, sums, products, orders);
  };
  const Device ranges = in_ranges(Index{1} << 28, 7);
  const Device ranges_of_parts = in_ranges(30000, 4);
  const Index wigner = legendre::PairParts(one.task).wigner;
  Numbers<double> of_one, of_again, of_batch, of_parts, of_ranges, of_both;
  one.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair < wigner) return;
    of_one.push_back(first.delta[i]);
    of_again.push_back(again.delta[i]);
  });
  many.for_each_delta([&](std::size_t, Index pair, Index w, std::size_t i) {
    if (pair < wigner || w % kMaps != 0) return;
    of_batch.push_back(batch.delta[i]);
    of_parts.push_back(parts.delta[i]);
    of_ranges.push_back(ranges.delta[i]);
    of_both.push_back(ranges_of_parts.delta[i]);
  });
  EXPECT_EQ(of_one, of_again);
  EXPECT_EQ(of_one, of_batch);
  EXPECT_EQ(of_one, of_parts);
  EXPECT_EQ(of_one, of_ranges);
  EXPECT_EQ(of_one, of_both);
  for (Index c = 0; c < one.task.components; ++c)
    for (Index k = 0; k < static_cast<Index>(m.size()); ++k)
      for (Index l = m[static_cast<std::size_t>(k)]; l <= one.task.lmax; ++l) {
        const auto expected = one.task.coefficients(first.alm.data(), k, c, 0)[l];
        ASSERT_EQ(one.task.coefficients(again.alm.data(), k, c, 0)[l], expected);
        ASSERT_EQ(many.task.coefficients(batch.alm.data(), k, c, 0)[l], expected);
        ASSERT_EQ(many.task.coefficients(parts.alm.data(), k, c, 0)[l], expected);
        ASSERT_EQ(many.task.coefficients(ranges.alm.data(), k, c, 0)[l], expected);
        ASSERT_EQ(many.task.coefficients(ranges_of_parts.alm.data(), k, c, 0)[l], expected);
      }
}

/// Expects sum of Delta times conj(delta) = sum of a times conj(alm), real parts: to some roundings, which do not
/// depend on how exact the functions are.
template <class Stage = backend::DeviceLegendre<double>>
void expect_transposes(Index spin, Index maps, backend::Products products) {
  RingTask rings(spin, 100, all_orders(20), gauss(203), maps, 4);
  cut(rings, 30);
  const Index wigner = legendre::PairParts(rings.task).wigner;
  const auto alm = rings.random_alm<double>(0);
  const auto delta = rings.random_delta<double>(0);
  const OnDevice<double, Stage> device(rings, alm, delta, kWork, Precision::kDouble, products);
  double of_delta = 0;
  double size = 0;
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
    if (pair < wigner) return;
    of_delta += (device.delta[i] * std::conj(delta[i])).real();
    size += std::norm(device.delta[i]);
  });
  double of_alm = 0;
  for (std::size_t i = 0; i < alm.size(); ++i)
    if (!std::isnan(device.alm[i].real())) of_alm += (alm[i] * std::conj(device.alm[i])).real();
  EXPECT_NEAR(of_delta, of_alm, 1e-14 * size) << "spin " << spin;
}

/// Expects exact numbers of some m and rings of a large transform; next to the end of the Wigner part and next to the
/// equator among them.
template <class Stage = backend::DeviceLegendre<double>>
void expect_exact_at_high_degrees(backend::Products products, const std::vector<Index>& spins) {
  constexpr Index kLmax = 4095;
  const std::vector<double> all = gauss(4096);
  std::vector<double> theta;
  for (std::size_t i = 0; i < all.size(); i += i < 64 || i > 2016 ? 2 : 53) theta.push_back(all[i]);
  theta.push_back(core::kPi / 2);
  std::vector<Index> m;
  for (Index i = 0; i <= kLmax; i += i < 8 ? 1 : i < 400 ? 31 : 271) m.push_back(i);
  m.push_back(kLmax);
  for (const Index spin : spins) {
    RingTask rings(spin, kLmax, m, theta, 1);
    rings.south.back() = -1;
    if (spin != 1) cut(rings, 100);  // without it, functions begin far below the least double
    const Index wigner = legendre::PairParts(rings.task).wigner;
    const auto alm = rings.random_alm<double>(0);
    auto delta = rings.random_delta<double>(0);
    rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
      if (pair < wigner) delta[i] = 0;
    });
    const OnDevice<double, Stage> device(rings, alm, delta, kWork, Precision::kDouble, products);
    Numbers<double> delta_expected(delta.size()), alm_expected(alm.size());
    const auto engine = legendre::make_reference_engine<double>(rings.task);
    engine->synthesis(alm.data(), delta_expected.data(), {});
    engine->adjoint(delta.data(), alm_expected.data(), {});
    const auto pairs = static_cast<std::size_t>(rings.task.pairs());
    std::vector<double> difference(pairs, 0.0), norm(pairs, 0.0);
    rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t i) {
      if (pair < wigner) return;
      difference[static_cast<std::size_t>(pair)] += std::norm(device.delta[i] - delta_expected[i]);
      norm[static_cast<std::size_t>(pair)] += std::norm(delta_expected[i]);
    });
    double worst = 0;
    double all_difference = 0;
    double all_norm = 0;
    for (auto p = static_cast<std::size_t>(wigner); p < pairs; ++p) {
      worst = std::max(worst, std::sqrt(difference[p] / norm[p]));
      EXPECT_LE(std::sqrt(difference[p] / norm[p]), 2 * kTolerance) << "spin " << spin << ", theta " << theta[p];
      all_difference += difference[p];
      all_norm += norm[p];
    }
    EXPECT_LE(std::sqrt(all_difference / all_norm), kTolerance);
    double alm_difference = 0;
    double alm_norm = 0;
    for (std::size_t i = 0; i < alm.size(); ++i) {
      if (std::isnan(device.alm[i].real())) continue;
      alm_difference += std::norm(device.alm[i] - alm_expected[i]);
      alm_norm += std::norm(alm_expected[i]);
    }
    EXPECT_LE(std::sqrt(alm_difference / alm_norm), kTolerance);
    std::printf("spin %d: relative rms %.2e, of the worst ring %.2e; of coefficients %.2e\n", static_cast<int>(spin),
                std::sqrt(all_difference / all_norm), worst, std::sqrt(alm_difference / alm_norm));
  }
}

}  // namespace armilla::test
