// What threads do between two barriers, and blocks of one kernel, have no order on a device: results must not depend on
// the order in which the emulated device runs them.
#include <armilla/backend/cuda/device_rings.hpp>
#include <armilla/backend/cuda/device_theta.hpp>

#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "support/column_fft.hpp"
#include "support/emulation.hpp"
#include "support/ring_case.hpp"
#include "support/theta_columns.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using kernels::HostOrder;
using test::Pretend;

template <class T>
std::vector<T> fetched(const kernels::DeviceBuffer<T>& buffer, const kernels::Stream& stream) {
  std::vector<T> numbers(static_cast<std::size_t>(buffer.size()));
  kernels::copy(numbers.data(), buffer.data(), buffer.size(), stream);
  stream.wait();
  return numbers;
}

// NaN equals NaN where nothing is written.
template <class T>
void expect_same(const std::vector<T>& a, const std::vector<T>& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] == a[i] || b[i] == b[i]) {
      ASSERT_EQ(a[i], b[i]) << what << ", number " << i;
    }
}

struct RingResults {
  RingResults(const test::RingCase& c, HostOrder order) {
    const Pretend device({.order = order});
    const kernels::Stream stream;
    DeviceRings<double> stage(c.task, Index{1} << 40, stream, {.size = {.lines = 4, .least = 512, .most = 4096}});
    const auto delta_in = kernels::upload<std::complex<double>>(c.random_delta<double>(), stream);
    auto map_out = kernels::upload<double>(c.poisoned_map<double>(), stream);
    stage.synthesis(delta_in.data(), nullptr, map_out.data(), stream);
    const auto map_in = kernels::upload<double>(c.random_map<double>(), stream);
    auto delta_out = kernels::upload<std::complex<double>>(c.poisoned_delta<double>(), stream);
    stage.adjoint(map_in.data(), nullptr, delta_out.data(), stream);
    map = fetched(map_out, stream);
    delta = fetched(delta_out, stream);
  }
  std::vector<double> map;
  std::vector<std::complex<double>> delta;
};

TEST(ThreadOrder, DecidesNoBitOfRings) {
  for (const auto& c : test::ring_cases()) {
    const RingResults up(*c, HostOrder::kAscending);
    const RingResults down(*c, HostOrder::kDescending);
    EXPECT_GT(test::written(up.map), 0u);
    EXPECT_GT(test::written(up.delta), 0u);
    expect_same(up.map, down.map, c->name + " synthesis");
    expect_same(up.delta, down.delta, c->name + " adjoint");
  }
}

struct ThetaResults {
  ThetaResults(const test::ResampledRings& test, HostOrder order) {
    const Pretend device({.order = order});
    const kernels::Stream stream;
    DeviceTheta<double> theta(test.rings.task, test.resampler, test::make_column_fft(), Index{1} << 30, stream);
    const auto source_in = kernels::upload<std::complex<double>>(test.random_source(), stream);
    const test::Numbers<double> unset(static_cast<std::size_t>(test.rings.delta_size), std::nan(""));
    auto delta_out = kernels::upload<std::complex<double>>(unset, stream);
    theta.to_rings(OrderRange::all(test.rings.task), source_in.data(), delta_out.data(), stream);
    const auto delta_in = kernels::upload<std::complex<double>>(test.rings.random_delta<double>(0), stream);
    auto source_out = kernels::DeviceBuffer<std::complex<double>>(test.source.delta_size());
    theta.to_source(OrderRange::all(test.rings.task), delta_in.data(), source_out.data(), stream);
    delta = fetched(delta_out, stream);
    source = fetched(source_out, stream);
  }
  test::Numbers<double> delta, source;
};

TEST(ThreadOrder, DecidesNoBitOfResampling) {
  test::RingTask rings(2, 300, {0, 1, 2, 150, 299, 300}, test::many_angles(200), 3, 7);
  rings.first[4] = 33;
  const test::ResampledRings test(rings);
  const ThetaResults up(test, HostOrder::kAscending);
  const ThetaResults down(test, HostOrder::kDescending);
  EXPECT_GT(test::written(up.delta), 0u);
  EXPECT_GT(test::written(up.source), 0u);
  expect_same(up.delta, down.delta, "to rings");
  expect_same(up.source, down.source, "to source");
}

}  // namespace
}  // namespace armilla::backend
