// Fields in device memory, through the public interface.
#include <armilla/armilla.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numeric>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include "support/device_array.hpp"
#include "support/mpi_main.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>

namespace armilla {
namespace {

using test::DeviceArray;
using test::expect_refusal;

template <class T>
class DeviceMemory : public testing::Test {
 protected:
  using Complex = std::complex<T>;

  void SetUp() override { ARMILLA_NEEDS_DEVICE(); }

  static TransformSpec spec_of(const char* backend) {
    return {.grid = make_healpix(8),
            .lmax = 20,
            .fields = FieldKind::temperature_polarisation(),
            .maps = 2,
            .backend = backend};
  }
  static Alm<T> fill(Alm<T> alm) {
    double next = 0.1;
    for (const Index m : alm.local_m())
      for (Index f = 0; f < alm.maps() * alm.fields().components(); ++f)
        for (Complex& value : alm.of_m(m, f % alm.fields().components(), f / alm.fields().components())) {
          next += 0.3 + static_cast<double>(m);
          value = {static_cast<T>(std::cos(next)), static_cast<T>(m == 0 ? 0 : std::sin(next))};
        }
    return alm;
  }
  template <class Values, class Field>
  static bool same(const Values& values, const Field& field) {
    return std::ranges::equal(values, std::as_const(field).data());
  }
};

using Precisions = testing::Types<double, float>;
TYPED_TEST_SUITE(DeviceMemory, Precisions);

TYPED_TEST(DeviceMemory, DataOfFieldsIsThatOnTheHost) {
  using T = TypeParam;
  Transform<T> t(Communicator::world(), this->spec_of("cuda"));
  EXPECT_GE(t.device(), 0);
  Alm<T> alm = this->fill(t.make_alm());
  Map<T> map = t.make_map();
  t.synthesis(alm, map);
  DeviceArray<T> pixels(t.device(), map.data().size());
  EXPECT_TRUE(this->same(pixels.values_at(std::as_const(map).device_data()), map));
  EXPECT_TRUE(this->same(pixels.values_at(map.copy().device_data()), map));
  // What is written there is the value of the field.
  const auto begin = std::as_const(alm).data();
  const std::vector<std::complex<T>> before(begin.begin(), begin.end());
  DeviceArray<std::complex<T>> other(t.device(), std::span(before));
  std::complex<T>* const there = alm.device_data();
  kernels::Stream stream;
  kernels::fill_zero(kernels::DevicePointer<std::complex<T>>(there), static_cast<Index>(before.size()), stream);
  stream.wait();
  EXPECT_TRUE(std::ranges::all_of(alm.data(), [](auto value) { return value == std::complex<T>(); }));
  std::ranges::copy(before, alm.data().begin());
  EXPECT_EQ(other.values_at(alm.device_data()), before);
}

TYPED_TEST(DeviceMemory, MemoryOfTheProgramIsUsedInPlace) {
  using T = TypeParam;
  Transform<T> t(Communicator::world(), this->spec_of("cuda"));
  const Alm<T> alm = this->fill(t.make_alm());
  Alm<T> found = t.make_alm();
  Map<T> map = t.make_map();
  t.synthesis(alm, map);
  t.analysis(map, found, {.iterations = 1});

  DeviceArray<std::complex<T>> own_alm(t.device(), alm.data()), own_found(t.device(), alm.data().size());
  DeviceArray<T> own_map(t.device(), map.data().size());
  const Alm<T> given = t.const_device_alm_of(own_alm.data(), own_alm.size());
  Map<T> adopted = t.device_map_of(own_map.data(), own_map.size());
  EXPECT_EQ(adopted.device_data(), own_map.data());
  t.synthesis(given, adopted);
  EXPECT_TRUE(this->same(own_map.values(), map));
  EXPECT_TRUE(this->same(std::as_const(adopted).data(), map));
  Alm<T> result = t.device_alm_of(own_found.data(), own_found.size());
  t.analysis(t.const_device_map_of(own_map.data(), own_map.size()), result, {.iterations = 1});
  EXPECT_TRUE(this->same(own_found.values(), found));
  t.adjoint_synthesis(map, found);
  t.adjoint_synthesis(adopted, result);
  EXPECT_TRUE(this->same(own_found.values(), found));
  // The host changes a value.
  if (map.data().empty()) return;
  adopted.data()[0] = 7;
  EXPECT_EQ(adopted.device_data(), own_map.data());
  EXPECT_EQ(own_map.values()[0], T{7});
}

TYPED_TEST(DeviceMemory, IsCheckedForOtherMemory) {
  using T = TypeParam;
  Transform<T> t(Communicator::world(), this->spec_of("cuda"));
  const Alm<T> alm = t.make_alm();
  DeviceArray<std::complex<T>> there(t.device(), alm.data().size() + 1);
  const std::size_t size = alm.data().size();
  std::vector<std::complex<T>> host(size);
  expect_refusal([&] { t.device_alm_of(there.data(), size + 1); }, "the memory has");
  if (size > 0) {
    expect_refusal([&] { t.device_alm_of(host.data(), size); }, "not memory of a GPU");
    expect_refusal([&] { t.const_device_alm_of(nullptr, size); }, "not memory of a GPU");
    auto* const odd = reinterpret_cast<std::complex<T>*>(reinterpret_cast<T*>(there.data()) + 1);
    expect_refusal([&] { t.device_alm_of(odd, size); }, "is not a multiple of");
  }
  Alm<T> constant = t.const_device_alm_of(there.data(), size);
  expect_refusal([&] { t.adjoint_synthesis(t.make_map(), constant); }, "const_device_");
  expect_refusal([&] { constant.device_data(); }, "passed as constant");

  Transform<T> on_host(Communicator::world(), this->spec_of("cpu"));
  EXPECT_EQ(on_host.device(), -1);
  expect_refusal([&] { on_host.device_alm_of(there.data(), size); }, "device_alm_of() needs a GPU");
  expect_refusal([&] { on_host.make_map().device_data(); }, "device_data() needs a GPU");
}

TYPED_TEST(DeviceMemory, HoldsValuesAtPoints) {
  using T = TypeParam;
  const Communicator world = Communicator::world();
  std::vector<double> theta(50), phi(50);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    theta[i] = std::fmod(0.37 * static_cast<double>(i + 1) + world.rank(), core::kPi);
    phi[i] = 1.7 * static_cast<double>(i);
  }
  const PointTransformSpec spec{
      .lmax = 20, .fields = FieldKind::temperature_polarisation(), .accuracy = 1e-5, .backend = "cuda"};
  PointTransform<T> t(world, spec, theta, phi);
  EXPECT_EQ(t.backend(), "cuda");
  EXPECT_GE(t.device(), 0);
  const Alm<T> alm = this->fill(t.make_alm());
  Alm<T> found = t.make_alm(), on_device = t.make_alm();
  std::vector<T> values(core::at(t.values_size()));
  t.synthesis(alm, values);
  DeviceArray<T> own(t.device(), values.size());
  t.device_synthesis(alm, own.data(), own.size());
  EXPECT_EQ(own.values(), values);
  t.adjoint_synthesis(values, found);
  t.device_adjoint_synthesis(own.data(), own.size(), on_device);
  EXPECT_TRUE(this->same(std::as_const(on_device).data(), found));
  expect_refusal([&] { t.device_synthesis(alm, values.data(), values.size()); }, "not memory of a GPU");

  // Coefficients in memory of the program too. There are more unknowns than values, so the fit has a penalty.
  std::vector<double> weights(theta.size(), 2.0);
  weights.front() = 0;
  const PointAnalysisOptions options{.tolerance = 1e-4, .regularise = 1};
  const PointAnalysisResult expected_fit = t.analysis(values, found, weights, options).front();
  DeviceArray<std::complex<T>> own_alm(t.device(), core::at(t.alm_size()));
  Alm<T> adopted = t.device_alm_of(own_alm.data(), own_alm.size());
  const PointAnalysisResult fit = t.device_analysis(own.data(), own.size(), adopted, weights, options).front();
  EXPECT_TRUE(fit.converged);
  EXPECT_EQ(fit.iterations, expected_fit.iterations);
  EXPECT_EQ(fit.residual, expected_fit.residual);
  EXPECT_TRUE(this->same(own_alm.values(), found));

  PointTransformSpec cpu = spec;
  cpu.backend = "cpu";
  PointTransform<T> on_host(world, cpu, theta, phi);
  EXPECT_EQ(on_host.device(), -1);
  std::vector<T> expected(values.size());
  on_host.synthesis(alm, expected);
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    error += std::norm(values[i] - expected[i]);
    norm += std::norm(expected[i]);
  }
  EXPECT_LT(std::sqrt(error / norm), 1e-5);  // the accuracy of both
  expect_refusal([&] { on_host.device_synthesis(alm, own.data(), own.size()); }, "device_synthesis() needs a GPU");
  Alm<T> host_fit = on_host.make_alm();
  EXPECT_TRUE(on_host.analysis(values, host_fit, weights, options).front().converged);
  error = norm = 0;
  for (std::size_t i = 0; i < found.data().size(); ++i) {
    error += std::norm(found.data()[i] - host_fit.data()[i]);
    norm += std::norm(host_fit.data()[i]);
  }
  EXPECT_LE(std::sqrt(error / norm), 3e-4 * fit.condition);  // twice the tolerance, and the accuracy
  expect_refusal([&] { on_host.device_analysis(own.data(), own.size(), host_fit); }, "device_analysis() needs a GPU");
  cpu.backend = "gpu";
  expect_refusal([&] { PointTransform<T>(world, cpu, theta, phi); }, "backend gpu does not exist");
}

}  // namespace
}  // namespace armilla

int main(int argc, char** argv) { return armilla::test::mpi_main(argc, argv); }
