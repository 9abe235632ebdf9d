// The arithmetic of the Wigner kernels and their indices, block by block on the host, against the reference engine.
#include <armilla/backend/wigner_tables.hpp>
#include <armilla/legendre/engine.hpp>
#include <armilla/legendre/start_values.hpp>
#include <armilla/legendre/store_coefficients.hpp>
#include <armilla/legendre/wigner_stage.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "support/host_tables.hpp"
#include "support/ring_task.hpp"
#include <gtest/gtest.h>
#include <kernels/core/host_blocks.hpp>
#include <kernels/legendre/wigner_adjoint_body.hpp>
#include <kernels/legendre/wigner_synthesis_body.hpp>

namespace armilla::kernels {
namespace {

using backend::WignerTables;
using test::many_angles;
using test::RingTask;

template <class T>
using Numbers = std::vector<std::complex<T>>;

constexpr double kNever = 1e300;  // where nothing may be read, and nothing be written
constexpr Index kAllPairs = -1;

// Groups of maps in one call.
constexpr Index kGroups = 2;

// What DeviceWigner does, on the host.
template <class T>
struct HostWigner {
  explicit HostWigner(const RingTask& rings, Index pair_begin = 0, Index pair_end = kAllPairs)
      : tables(rings.task, pair_begin, pair_end == kAllPairs ? rings.task.pairs() : pair_end),
        task(tables.task<KernelPointer>(test::HostTables{})) {}

  void synthesis(const Numbers<T>& alm, Numbers<T>& delta) const {
    for (const auto& range : tables.ranges(std::numeric_limits<Index>::max()))
      for_each_call(task, range, kGroups, 0, [&](const WignerCall& call, int maps) {
        with_wigner_synthesis<T>(call, maps, reinterpret_cast<const T*>(alm.data()), reinterpret_cast<T*>(delta.data()),
                                 Run{order});
      });
  }
  void adjoint(const Numbers<T>& delta, Numbers<T>& alm, Accumulate accumulate, Index work_bytes = 1 << 30) const {
    for (const auto& range : tables.ranges(work_bytes)) {
      const Index numbers = tables.partial_numbers(range);
      std::vector<double> partials(static_cast<std::size_t>(kGroups * numbers), std::nan(""));
      for_each_call(task, range, kGroups, numbers, [&](const WignerCall& call, int maps) {
        with_wigner_partial_sums<T>(call, maps, reinterpret_cast<const T*>(delta.data()), partials.data(), Run{order});
        with_wigner_reduction<T>(call, maps, partials.data(), accumulate, reinterpret_cast<T*>(alm.data()), Run{order});
      });
    }
  }

  WignerTables tables;
  WignerTask task;
  HostOrder order = HostOrder::kAscending;

 private:
  struct Run {
    HostOrder order;
    template <class Body>
    void operator()(const Body& body, const char*) const {
      run_blocks(body, order);
    }
  };
};

// What the reference engine does next to the poles, on all rings: the recurrence in long double.
Numbers<double> exact_delta(const RingTask& rings, const Numbers<double>& alm) {
  Numbers<double> delta(static_cast<std::size_t>(rings.delta_size), kNever);
  const legendre::WignerStage<double> stage(rings.task, 2.0);
  for (std::size_t k = 0; k < rings.m.size(); ++k)
    stage.synthesise(static_cast<Index>(k), rings.first[k], rings.task.pairs(), alm.data(), delta.data());
  return delta;
}

Numbers<double> exact_alm(const RingTask& rings, const Numbers<double>& delta) {
  Numbers<double> alm(static_cast<std::size_t>(rings.alm_size), kNever);
  const legendre::WignerStage<double> stage(rings.task, 2.0);
  for (std::size_t i = 0; i < rings.m.size(); ++i) {
    const auto k = static_cast<Index>(i);
    Numbers<double> sums(static_cast<std::size_t>(stage.degrees(k) * rings.task.width()));
    stage.apply_adjoint(k, rings.first[i], rings.task.pairs(), delta.data(), sums);
    legendre::store_coefficients(rings.task, k, stage.lowest(k), sums, alm.data());
  }
  return alm;
}

std::vector<Index> some_m(Index spin, Index lmax) {
  std::vector<Index> m{0, 1, 2, 3, spin - 1, spin, spin + 1, lmax / 3, lmax - 1, lmax};
  std::sort(m.begin(), m.end());
  m.erase(std::unique(m.begin(), m.end()), m.end());
  while (m.front() < 0) m.erase(m.begin());
  return m;
}

// The largest difference on one ring of any m, in units of the rms of this m and component over all rings.
double worst_ring(const RingTask& rings, const Numbers<double>& a, const Numbers<double>& b) {
  std::vector<double> square(rings.m.size() * static_cast<std::size_t>(rings.task.width()));
  std::vector<double> count(square.size()), worst(square.size());
  rings.for_each_delta([&](std::size_t k, Index, Index w, std::size_t place) {
    const std::size_t i = k * static_cast<std::size_t>(rings.task.width()) + static_cast<std::size_t>(w);
    square[i] += std::norm(b[place]);
    count[i] += 1;
    const double difference = std::abs(a[place] - b[place]);
    worst[i] = std::isnan(difference) ? 1e300 : std::max(worst[i], difference);
  });
  double most = 0;
  for (std::size_t i = 0; i < square.size(); ++i)
    if (square[i] > 0) most = std::max(most, worst[i] / std::sqrt(square[i] / count[i]));
  return most;
}

double distance(const Numbers<double>& a, const Numbers<double>& b) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(difference / norm);
}

double dot(const Numbers<double>& a, const Numbers<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].real() * b[i].real() + a[i].imag() * b[i].imag();
  return sum;
}

class WignerKernels : public testing::TestWithParam<Index> {
 public:
  Index spin() const { return GetParam(); }
  Index lmax() const { return spin() + 130; }
};

INSTANTIATE_TEST_SUITE_P(Spins, WignerKernels, testing::Values(0, 1, 2, 3, 5, 10, 100),
                         [](const auto& parameter) { return std::to_string(parameter.param); });

// Roundings of the recurrence grow like the root of its length; 5e-16 for each degree is far above.
TEST_P(WignerKernels, EqualTheReferenceEngineOnEveryRing) {
  RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(260), 3, 7);
  rings.first.back() = 9;
  rings.first[rings.first.size() - 2] = 150;
  const auto alm = rings.random_alm<double>(std::nan(""));
  const auto expected = exact_delta(rings, alm);
  Numbers<double> delta(expected.size(), kNever);
  const HostWigner<double> wigner(rings);
  wigner.synthesis(alm, delta);
  EXPECT_LT(worst_ring(rings, delta, expected), 5e-16 * static_cast<double>(lmax()));
  for (std::size_t i = 0; i < delta.size(); ++i) EXPECT_EQ(delta[i] == kNever, expected[i] == kNever) << i;
}

TEST_P(WignerKernels, AdjointEqualsTheReferenceEngine) {
  RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(260), 3, 7);
  rings.first.back() = rings.task.pairs();
  rings.first[2] = 150;
  const auto delta = rings.random_delta<double>(std::nan(""));
  auto expected = exact_alm(rings, delta);
  Numbers<double> alm(expected.size(), kNever);
  const HostWigner<double> wigner(rings);
  wigner.adjoint(delta, alm, Accumulate::kOverwrite);
  for (std::size_t i = 0; i < alm.size(); ++i) {
    EXPECT_EQ(alm[i] == kNever, expected[i] == kNever) << i;
    if (expected[i] == kNever) alm[i] = expected[i] = 0;
  }
  EXPECT_LT(distance(alm, expected), 5e-16 * static_cast<double>(lmax()));

  auto twice = alm;
  wigner.adjoint(delta, twice, Accumulate::kAdd);
  for (std::size_t i = 0; i < alm.size(); ++i) EXPECT_EQ(twice[i], alm[i] + alm[i]);
  auto parts = alm;
  wigner.adjoint(delta, parts, Accumulate::kOverwrite, 20000);
  EXPECT_GT(wigner.tables.ranges(20000).size(), 3u);
  EXPECT_EQ(parts, alm);
}

TEST_P(WignerKernels, AreTransposesOfEachOther) {
  const RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(200), 2, 5);
  const auto alm = rings.random_alm<double>(0);
  const auto delta = rings.random_delta<double>(0);
  Numbers<double> there(delta.size()), back(alm.size());
  const HostWigner<double> wigner(rings);
  wigner.synthesis(alm, there);
  wigner.adjoint(delta, back, Accumulate::kOverwrite);
  const double scale = std::sqrt(dot(there, there) * dot(delta, delta));
  EXPECT_NEAR(dot(there, delta), dot(alm, back), 1e-14 * scale);
}

TEST_P(WignerKernels, GiveTheSameBitsInAnyBatch) {
  const RingTask one(spin(), lmax(), some_m(spin(), lmax()), many_angles(150), 1);
  const auto alm = one.random_alm<double>(0);
  const auto delta = one.random_delta<double>(0);
  Numbers<double> there(delta.size()), back(alm.size());
  const HostWigner<double> wigner(one);
  wigner.synthesis(alm, there);
  wigner.adjoint(delta, back, Accumulate::kOverwrite);
  for (const Index maps : {2, 3, 4, 7, 13}) {
    const RingTask many(spin(), lmax(), some_m(spin(), lmax()), many_angles(150), maps);
    const auto alm_many = many.random_alm<double>(0);
    const auto delta_many = many.random_delta<double>(0);
    Numbers<double> there_many(delta_many.size()), back_many(alm_many.size());
    const HostWigner<double> batch(many);
    batch.synthesis(alm_many, there_many);
    batch.adjoint(delta_many, back_many, Accumulate::kOverwrite);
    for (std::size_t i = 0; i < alm.size(); ++i) ASSERT_EQ(back_many[i], back[i]) << maps << " maps";
    // The same rings in the same order: the first map of each component.
    Numbers<double> first, first_many;
    one.for_each_delta([&](std::size_t, Index, Index, std::size_t place) { first.push_back(there[place]); });
    many.for_each_delta([&](std::size_t, Index, Index w, std::size_t place) {
      if (w % maps == 0) first_many.push_back(there_many[place]);
    });
    ASSERT_EQ(first, first_many) << maps << " maps";
  }
}

// What threads do between two barriers, and blocks of one kernel, have no order on a device.
TEST_P(WignerKernels, DoNotDependOnTheOrderOfThreads) {
  const RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(200), 3);
  const auto alm = rings.random_alm<double>(0);
  const auto delta = rings.random_delta<double>(0);
  HostWigner<double> wigner(rings);
  Numbers<double> there(delta.size()), back(alm.size());
  wigner.synthesis(alm, there);
  wigner.adjoint(delta, back, Accumulate::kOverwrite);
  auto there_again = Numbers<double>(delta.size());
  auto back_again = Numbers<double>(alm.size());
  wigner.order = HostOrder::kDescending;
  wigner.synthesis(alm, there_again);
  wigner.adjoint(delta, back_again, Accumulate::kOverwrite);
  EXPECT_NE(there, Numbers<double>(delta.size()));
  EXPECT_NE(back, Numbers<double>(alm.size()));
  EXPECT_EQ(there_again, there);
  EXPECT_EQ(back_again, back);
}

TEST_P(WignerKernels, LeaveOtherPairsAlone) {
  const RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(200), 1);
  const auto alm = rings.random_alm<double>(0);
  Numbers<double> all(static_cast<std::size_t>(rings.delta_size), kNever);
  auto some = all;
  HostWigner<double>(rings).synthesis(alm, all);
  HostWigner<double>(rings, 5, 170).synthesis(alm, some);
  rings.for_each_delta([&](std::size_t, Index pair, Index, std::size_t place) {
    const std::complex<double> expected = pair < 5 || pair >= 170 ? kNever : all[place];
    ASSERT_EQ(some[place], expected) << "pair " << pair;
  });

  // Three sets of pairs add up to the adjoint of all.
  const auto delta = rings.random_delta<double>(0);
  Numbers<double> sum(static_cast<std::size_t>(rings.alm_size), kNever);
  auto whole = sum;
  HostWigner<double>(rings).adjoint(delta, whole, Accumulate::kOverwrite);
  HostWigner<double>(rings, 0, 0).adjoint(delta, sum, Accumulate::kOverwrite);
  HostWigner<double>(rings, 5, 170).adjoint(delta, sum, Accumulate::kAdd);
  HostWigner<double>(rings, 0, 5).adjoint(delta, sum, Accumulate::kAdd);
  HostWigner<double>(rings, 170, rings.task.pairs()).adjoint(delta, sum, Accumulate::kAdd);
  EXPECT_LT(distance(sum, whole), 1e-15);
}

TEST_P(WignerKernels, TakeSinglePrecision) {
  const RingTask rings(spin(), lmax(), some_m(spin(), lmax()), many_angles(100), 2);
  const auto alm = rings.random_alm<float>(0);
  const auto delta = rings.random_delta<float>(0);
  Numbers<float> there(delta.size()), back(alm.size()), there_expected(delta.size()), back_expected(alm.size());
  const auto engine = legendre::make_reference_engine<float>(rings.task);
  engine->synthesis(alm.data(), there_expected.data(), {});
  engine->adjoint(delta.data(), back_expected.data(), {});
  const HostWigner<float> wigner(rings);
  wigner.synthesis(alm, there);
  wigner.adjoint(delta, back, Accumulate::kOverwrite);
  const auto wide = [](const Numbers<float>& numbers) { return Numbers<double>(numbers.begin(), numbers.end()); };
  EXPECT_LT(distance(wide(there), wide(there_expected)), 1e-7);
  EXPECT_LT(distance(wide(back), wide(back_expected)), 1e-7);
}

TEST_P(WignerKernels, StartAsTheVectorsOfTheCpuDo) {
  const Index mmax = 5000;
  std::vector<Index> m;
  for (Index i = 0; i <= mmax; i += 37) m.push_back(i);
  const RingTask rings(spin(), mmax, m, many_angles(40), 1);
  const HostWigner<double> wigner(rings);
  const legendre::WignerStartValues starts(spin(), rings.task.cos_theta, rings.task.sin_theta, m.back());
  const Index pairs = rings.task.pairs();
  std::vector<double> value(static_cast<std::size_t>(pairs)), scale(value.size());
  for (std::size_t k = 0; k < m.size(); ++k)
    for (const int sign : {1, -1}) {
      starts.get(m[k], sign, 0, pairs, value.data(), scale.data());
      for (Index p = 0; p < pairs; ++p) {
        const WignerFunction start = wigner_start(wigner.task, static_cast<Index>(k), sign, p);
        ASSERT_EQ(start.value, value[static_cast<std::size_t>(p)]) << m[k] << ", pair " << p;
        ASSERT_EQ(start.scale, scale[static_cast<std::size_t>(p)]) << m[k] << ", pair " << p;
      }
    }
}

// The largest transforms: every ring to 1e-12 of the rms, where functions begin at 1e-20000 as well.
TEST(WignerKernelsOfHighDegree, KeepTwelveDigits) {
  for (const Index spin : {0, 2, 40}) {
    const RingTask rings(spin, 4095, {0, 2, 39, 500, 2500, 4000}, many_angles(30), 1);
    const auto alm = rings.random_alm<double>(0);
    const auto expected = exact_delta(rings, alm);
    Numbers<double> delta(expected.size());
    HostWigner<double>(rings).synthesis(alm, delta);
    EXPECT_LT(worst_ring(rings, delta, expected), 1e-12) << "spin " << spin;
  }
}

TEST(WignerKernelsOfHighDegree, SkipNothingFarAboveUnderflow) {
  const RingTask rings(3, 20100, {2000}, {0.1}, 1);
  Numbers<double> alm(static_cast<std::size_t>(rings.alm_size)), delta(static_cast<std::size_t>(rings.delta_size));
  rings.task.coefficients(alm.data(), 0, 0, 0)[20100] = 1;
  HostWigner<double>(rings).synthesis(alm, delta);
  const double plus = math::spin_harmonic(3, 20100, 2000, 0.1);
  const double minus = math::spin_harmonic(-3, 20100, 2000, 0.1);
  EXPECT_GT(std::abs(plus), 1e-3);
  EXPECT_NEAR(delta[0].real(), -0.5 * (plus - minus), 1e-15 * 20100);
  EXPECT_NEAR(delta[1].imag(), 0.5 * (plus + minus), 1e-15 * 20100);
}

}  // namespace
}  // namespace armilla::kernels
