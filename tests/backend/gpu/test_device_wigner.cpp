#include <armilla/backend/cuda/device_wigner.hpp>
#include <armilla/legendre/engine.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include "support/ring_task.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using test::many_angles;
using test::Numbers;
using test::RingTask;

constexpr double kUntouched = 1e300;

// Both directions of all pairs, with partial sums of a few m at once; own m in ranges of `orders`.
struct WignerOnDevice {
  WignerOnDevice(const RingTask& rings, const Numbers<double>& alm_in, const Numbers<double>& delta_in,
                 Index orders = 1000, Index work = 1 << 22)
      : delta(static_cast<std::size_t>(rings.delta_size), kUntouched),
        alm(static_cast<std::size_t>(rings.alm_size), kUntouched) {
    const kernels::Stream stream;
    DeviceWigner<double> wigner(rings.task, 0, rings.task.pairs(), work, stream);
    const auto alm_there = kernels::upload<std::complex<double>>(alm_in, stream);
    auto delta_there = kernels::upload<std::complex<double>>(delta, stream);
    const auto own = static_cast<Index>(rings.m.size());
    for (Index k = 0; k < own; k += orders)
      wigner.synthesis({k, std::min(k + orders, own)}, alm_there.data(), delta_there.data(), stream);
    kernels::copy(delta.data(), delta_there.data(), delta_there.size(), stream);
    const auto rings_there = kernels::upload<std::complex<double>>(delta_in, stream);
    auto sums_there = kernels::upload<std::complex<double>>(alm, stream);
    for (Index k = 0; k < own; k += orders)
      wigner.adjoint({k, std::min(k + orders, own)}, rings_there.data(), sums_there.data(), Accumulate::kOverwrite,
                     stream);
    kernels::copy(alm.data(), sums_there.data(), sums_there.size(), stream);
    stream.wait();
  }
  Numbers<double> delta, alm;
};

double relative_distance(const Numbers<double>& a, const Numbers<double>& b) {
  double difference = 0;
  double norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (b[i] == kUntouched && a[i] == kUntouched) continue;
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(difference / norm);
}

TEST(DeviceWigner, EqualsTheReferenceEngine) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index spin : {0, 1, 2, 3, 5, 40}) {
    RingTask rings(spin, 200, {0, 1, 2, 3, 4, 39, 40, 41, 100, 199, 200}, many_angles(120), 7, 9);
    rings.first.back() = 80;
    const auto alm = rings.random_alm<double>(0);
    const auto delta = rings.random_delta<double>(0);
    const WignerOnDevice device(rings, alm, delta);
    Numbers<double> delta_expected(delta.size(), kUntouched), alm_expected(alm.size(), kUntouched);
    const auto engine = legendre::make_reference_engine<double>(rings.task);
    engine->synthesis(alm.data(), delta_expected.data(), {});
    engine->adjoint(delta.data(), alm_expected.data(), {});
    EXPECT_LT(relative_distance(device.delta, delta_expected), 1e-12) << "spin " << spin;
    EXPECT_LT(relative_distance(device.alm, alm_expected), 1e-12) << "spin " << spin;
  }
}

TEST(DeviceWigner, GivesTheSameBitsAgainAndInAnyBatch) {
  ARMILLA_NEEDS_DEVICE();
  const std::vector<Index> m{0, 1, 2, 100, 200};
  const RingTask one(2, 200, m, many_angles(120), 1);
  const RingTask many(2, 200, m, many_angles(120), 7);
  const WignerOnDevice first(one, one.random_alm<double>(0), one.random_delta<double>(0));
  const WignerOnDevice again(one, one.random_alm<double>(0), one.random_delta<double>(0));
  const WignerOnDevice batch(many, many.random_alm<double>(0), many.random_delta<double>(0));
  EXPECT_EQ(first.delta, again.delta);
  EXPECT_EQ(first.alm, again.alm);
  for (std::size_t i = 0; i < first.alm.size(); ++i) ASSERT_EQ(first.alm[i], batch.alm[i]);
  Numbers<double> of_one, of_batch;
  one.for_each_delta([&](std::size_t, Index, Index, std::size_t i) { of_one.push_back(first.delta[i]); });
  many.for_each_delta([&](std::size_t, Index, Index w, std::size_t i) {
    if (w % 7 == 0) of_batch.push_back(batch.delta[i]);
  });
  EXPECT_EQ(of_one, of_batch);
}

// Partial sums of all m at once leave room for several groups of maps of a few m.
TEST(DeviceWigner, GivesTheSameBitsInRangesOfM) {
  ARMILLA_NEEDS_DEVICE();
  const std::vector<Index> m{0, 1, 2, 50, 80, 100};
  for (const Index spin : {0, 2, 5}) {
    const RingTask rings(spin, 100, m, many_angles(110), 15);
    const auto run = [&](Index orders, Index work) {
      return WignerOnDevice(rings, rings.random_alm<double>(0), rings.random_delta<double>(0), orders, work);
    };
    const WignerOnDevice all = run(6, 1 << 20);
    for (const auto& [orders, work] : std::vector<std::pair<Index, Index>>{{1, 1 << 24}, {2, 1 << 24}, {4, 1}}) {
      const WignerOnDevice some = run(orders, work);
      EXPECT_EQ(some.delta, all.delta) << orders;
      EXPECT_EQ(some.alm, all.alm) << orders;
    }
  }
}

}  // namespace
}  // namespace armilla::backend
