// Resampling in theta on the device against the CPU's, column by column.
#include <armilla/backend/cuda/device_theta.hpp>
#include <armilla/backend/delta_column.hpp>
#include <armilla/backend/source_rings.hpp>
#include <armilla/backend/theta_chunk.hpp>
#include <armilla/core/error.hpp>

#include <cmath>
#include <complex>
#include <vector>

#include "support/column_fft.hpp"
#include "support/device.hpp"
#include "support/ring_task.hpp"
#include "support/theta_columns.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using resample::PairValue;
using resample::ThetaResampler;
using test::distance;
using test::for_each_column;
using test::kMuch;
using test::kNever;
using test::many_angles;
using test::Numbers;
using test::RingTask;
using test::source_column;

// Own m of both parities; the last two feel few rings, and none.
std::unique_ptr<RingTask> some_rings(Index spin, Index lmax, Index maps, std::size_t missing = 7, int angles = 400) {
  auto rings = std::make_unique<RingTask>(spin, lmax, std::vector<Index>{0, 1, 2, lmax / 2, lmax - 1, lmax},
                                          many_angles(angles), maps, missing);
  rings->first[4] = 33;
  rings->first[5] = rings->task.pairs();
  return rings;
}

template <class T>
Numbers<T> to_rings(const test::ResampledRings& test, const Numbers<double>& source, Index work_bytes = kMuch) {
  const kernels::Stream stream;
  DeviceTheta<T> theta(test.rings.task, test.resampler, test::make_column_fft(), work_bytes, stream);
  Numbers<T> delta(static_cast<std::size_t>(test.rings.delta_size), static_cast<T>(kNever));
  const auto there = kernels::upload<std::complex<double>>(source, stream);
  auto result = kernels::upload<std::complex<T>>(delta, stream);
  theta.to_rings(OrderRange::all(test.rings.task), there.data(), result.data(), stream);
  kernels::copy(delta.data(), result.data(), result.size(), stream);
  stream.wait();
  return delta;
}

template <class T>
Numbers<double> to_source(const test::ResampledRings& test, const Numbers<T>& delta, Index work_bytes = kMuch) {
  const kernels::Stream stream;
  DeviceTheta<T> theta(test.rings.task, test.resampler, test::make_column_fft(), work_bytes, stream);
  Numbers<double> source(static_cast<std::size_t>(test.source.delta_size()), std::nan(""));
  const auto there = kernels::upload<std::complex<T>>(delta, stream);
  auto result = kernels::upload<std::complex<double>>(source, stream);
  theta.to_source(OrderRange::all(test.rings.task), there.data(), result.data(), stream);
  kernels::copy(source.data(), result.data(), result.size(), stream);
  stream.wait();
  return source;
}

std::vector<std::complex<double>> rings_of(const std::vector<PairValue>& pairs) {
  std::vector<std::complex<double>> rings;
  for (const PairValue& pair : pairs) {
    rings.push_back(pair.north());
    rings.push_back(pair.south());
  }
  return rings;
}

class DeviceThetaOfSpins : public testing::TestWithParam<Index> {};
INSTANTIATE_TEST_SUITE_P(Spins, DeviceThetaOfSpins, testing::Values(0, 1, 2),
                         [](const auto& parameter) { return std::to_string(parameter.param); });

void expect_columns_of_the_cpu(const test::ResampledRings& test) {
  const RingTask& rings = test.rings;
  const auto source = test.random_source();
  const auto delta = to_rings<double>(test, source);
  auto untouched = delta;
  ThetaResampler::Workspace work(test.resampler);
  for_each_column(rings.task, [&](Index k, Index w) {
    const auto parity = resample::pole_parity(rings.m[static_cast<std::size_t>(k)], rings.task.spin);
    const auto column = source_column(test.source, source, k, w);
    std::vector<PairValue> expected(static_cast<std::size_t>(rings.task.pairs()));
    test.resampler.synthesis(parity, {column.data()}, work);
    test.resampler.get_targets(0, rings.task.pairs(), resample::column_of(expected.data()), work);
    // Only what is there and feels m is compared.
    Numbers<double> there(delta.size(), kNever);
    write_column<double>(rings.task, expected.data(), k, w, there.data());
    Numbers<double> mine, cpu;
    for (std::size_t i = 0; i < there.size(); ++i) {
      if (there[i] == kNever) continue;
      mine.push_back(delta[i]);
      cpu.push_back(there[i]);
      untouched[i] = kNever;
    }
    EXPECT_LT(distance(mine, cpu), 1e-14) << "m number " << k << ", w " << w << ", lmax " << rings.task.lmax;
  });
  for (const auto& number : untouched) EXPECT_EQ(number, kNever);
}

void expect_transposed_columns_of_the_cpu(const test::ResampledRings& test) {
  const RingTask& rings = test.rings;
  const auto delta = rings.random_delta<double>(std::nan(""));
  const auto source = to_source<double>(test, delta);
  ThetaResampler::Workspace work(test.resampler);
  for_each_column(rings.task, [&](Index k, Index w) {
    const auto parity = resample::pole_parity(rings.m[static_cast<std::size_t>(k)], rings.task.spin);
    std::vector<PairValue> targets(static_cast<std::size_t>(rings.task.pairs()));
    read_column<double>(rings.task, delta.data(), k, w, targets.data());
    Numbers<double> expected(static_cast<std::size_t>(2 * test.resampler.source_pairs()));
    const auto columns = rings_of(targets);
    test.resampler.clear(work);
    test.resampler.add_targets(0, rings.task.pairs(), {columns.data()}, work);
    test.resampler.adjoint(parity, {expected.data()}, work);
    EXPECT_LT(distance(source_column(test.source, source, k, w, true), expected), 1e-14)
        << "m number " << k << ", w " << w << ", lmax " << rings.task.lmax;
  });
}

TEST_P(DeviceThetaOfSpins, CarriesColumnsAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index lmax : {2, 45, 600}) {
    if (lmax < GetParam()) continue;
    const auto rings = some_rings(GetParam(), lmax, 3);
    expect_columns_of_the_cpu(test::ResampledRings(*rings));
  }
}

TEST_P(DeviceThetaOfSpins, CarriesTheTransposeAsTheCpuDoes) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index lmax : {2, 45, 600}) {
    const auto rings = some_rings(GetParam(), lmax, 3);
    expect_transposed_columns_of_the_cpu(test::ResampledRings(*rings));
  }
}

/// Of transforms at points.
TEST_P(DeviceThetaOfSpins, CarriesColumnsToTheFineGridItself) {
  ARMILLA_NEEDS_DEVICE();
  for (const Index lmax : {2, 45, 600})
    for (const std::size_t missing : {0, 7}) {
      const resample::FineGrid fine{.length = lmax == 600 ? 800 : 96, .width = 9, .oversampling = 1.3};
      const auto rings = some_rings(GetParam(), lmax, 3, missing, static_cast<int>(fine.length / 2) - 10);
      const test::ResampledRings test(*rings, fine);
      if (lmax >= GetParam()) expect_columns_of_the_cpu(test);
      expect_transposed_columns_of_the_cpu(test);
    }
}

TEST(DeviceTheta, CarriesBackTheTranspose) {
  ARMILLA_NEEDS_DEVICE();
  const auto rings = some_rings(2, 300, 2);
  const test::ResampledRings test(*rings);
  auto source = test.random_source();
  auto delta = rings->random_delta<double>(0);
  const auto there = to_rings<double>(test, source);
  const auto back = to_source<double>(test, delta);
  double forward = 0;
  double backward = 0;
  double there_square = 0;
  double delta_square = 0;
  rings->for_each_delta([&](std::size_t, Index, Index, std::size_t i) {
    forward += (there[i] * std::conj(delta[i])).real();
    there_square += std::norm(there[i]);
    delta_square += std::norm(delta[i]);
  });
  for (std::size_t i = 0; i < source.size(); ++i)
    if (!std::isnan(source[i].real())) backward += (source[i] * std::conj(back[i])).real();
  EXPECT_NEAR(forward, backward, 1e-13 * std::sqrt(there_square * delta_square));
}

TEST(DeviceTheta, GivesTheSameBitsInAnyChunkAndBatch) {
  ARMILLA_NEEDS_DEVICE();
  const auto rings = some_rings(2, 100, 3, 0);
  const test::ResampledRings test(*rings);
  const auto source = test.random_source();
  const auto delta = rings->random_delta<double>(0);
  // Chunks that end within an m.
  const Index column = 16 * (2 * test.resampler.source_pairs() + 2 * test.resampler.fine_pairs());
  const Index least = fft_columns(2 * test.resampler.fine_pairs());
  EXPECT_EQ(to_rings<double>(test, source), to_rings<double>(test, source, least * column));
  EXPECT_EQ(to_source<double>(test, delta), to_source<double>(test, delta, least * column));

  const auto single = some_rings(2, 100, 1, 0);
  const test::ResampledRings alone(*single);
  const auto many = to_rings<double>(test, source);
  const auto one = to_rings<double>(alone, alone.random_source());
  Numbers<double> of_many, of_one;
  rings->for_each_delta([&](std::size_t, Index, Index w, std::size_t i) {
    if (w % 3 == 0) of_many.push_back(many[i]);
  });
  single->for_each_delta([&](std::size_t, Index, Index, std::size_t i) { of_one.push_back(one[i]); });
  EXPECT_EQ(of_many, of_one);
}

TEST(DeviceTheta, TakesSinglePrecision) {
  ARMILLA_NEEDS_DEVICE();
  const auto rings = some_rings(0, 200, 2);
  const test::ResampledRings test(*rings);
  const auto source = test.random_source();
  const auto delta = to_rings<double>(test, source);
  const auto rounded = to_rings<float>(test, source);
  rings->for_each_delta(
      [&](std::size_t, Index, Index, std::size_t i) { ASSERT_EQ(rounded[i], std::complex<float>(delta[i])); });
  const auto single = rings->random_delta<float>(0);
  EXPECT_EQ(to_source<float>(test, single), to_source<double>(test, Numbers<double>(single.begin(), single.end())));
}

TEST(DeviceTheta, SaysSoWhereOneCallOfFftsDoesNotFit) {
  ARMILLA_NEEDS_DEVICE();
  const auto rings = some_rings(0, 100, 1);
  const test::ResampledRings test(*rings);
  try {
    to_rings<double>(test, test.random_source(), 100);
    FAIL();
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("columns need"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace armilla::backend
