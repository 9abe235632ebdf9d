// What moves between host and device, which the emulated device counts, and devices of other ranks.
#include <armilla/armilla.hpp>

#include <complex>
#include <string>
#include <vector>

#include "support/device_array.hpp"
#include "support/emulation.hpp"
#include "support/refusal.hpp"
#include <gtest/gtest.h>
#include <kernels/core/emulation.hpp>

namespace armilla {
namespace {

using test::DeviceArray;
using test::expect_refusal;

template <class Work>
std::size_t copied_by(const Work& work) {
  const std::size_t before = kernels::emulation().copied;
  work();
  return kernels::emulation().copied - before;
}

// Of one rank, which exchanges nothing. Tables by order and ring are copied to the device; all are smaller than the
// smallest field.
TEST(DeviceCopies, NoFieldMovesBetweenCalls) {
  Transform t(Communicator::self(), {.grid = make_healpix(32), .lmax = 64, .backend = "cuda"});
  Alm<double> alm = t.make_alm(), found = t.make_alm();
  alm.data()[5] = 1;
  Map<double> map = t.make_map();
  t.synthesis(alm, map);
  const std::size_t alm_bytes = alm.data().size() * sizeof(std::complex<double>);
  alm.device_data();
  EXPECT_LT(copied_by([&] {
              for (int i = 0; i < 2; ++i) {
                t.synthesis(alm, map);
                map.device_data();
                t.adjoint_synthesis(map, found);
                found.device_data();
                t.analysis(map, alm, {.iterations = 1});
                alm.device_data();
              }
            }),
            alm_bytes);

  DeviceArray<std::complex<double>> own_alm(t.device(), alm.data());
  DeviceArray<double> own_map(t.device(), map.data().size());
  EXPECT_LT(copied_by([&] {
              Alm<double> adopted = t.device_alm_of(own_alm.data(), own_alm.size());
              Map<double> pixels = t.device_map_of(own_map.data(), own_map.size());
              t.synthesis(adopted, pixels);
              t.adjoint_synthesis(pixels, adopted);
            }),
            alm_bytes);
}

TEST(DeviceCopies, ValuesAtPointsStayThere) {
  std::vector<double> theta(5000), phi(5000);
  for (std::size_t i = 0; i < theta.size(); ++i) {
    theta[i] = core::kPi * static_cast<double>(i) / static_cast<double>(theta.size());
    phi[i] = 0.37 * static_cast<double>(i);
  }
  PointTransform t(Communicator::self(), {.lmax = 64, .accuracy = 1e-6, .backend = "cuda"}, theta, phi);
  DeviceArray<std::complex<double>> alm(t.device(), core::at(t.alm_size()));
  DeviceArray<double> values(t.device(), core::at(t.values_size()));
  EXPECT_LT(copied_by([&] {
              t.device_synthesis(t.const_device_alm_of(alm.data(), alm.size()), values.data(), values.size());
              Alm<double> result = t.device_alm_of(alm.data(), alm.size());
              t.device_adjoint_synthesis(values.data(), values.size(), result);
            }),
            values.size() * sizeof(double) / 4);
}

TEST(DeviceMemoryOfOthers, IsRefused) {
  const test::Pretend pretend({.devices = 2});
  const Transform t(Communicator::world(), {.grid = make_healpix(8), .lmax = 16, .backend = "cuda"});
  const std::size_t size = t.make_map().data().size();
  const int other = 1 - t.device();
  DeviceArray<double> elsewhere(other, size), one(t.device(), 1);
  expect_refusal([&] { t.device_map_of(elsewhere.data(), size); }, "is on GPU " + std::to_string(other) + ", but");
  expect_refusal([&] { t.device_map_of(one.data(), size); }, "ends before");
}

TEST(PointTransformBackend, NeedsADevice) {
  const test::Pretend pretend({.visible = false});
  const std::vector<double> theta{1.0}, phi{2.0};
  EXPECT_EQ(PointTransform(Communicator::world(), {.lmax = 4}, theta, phi).backend(), "cpu");
  try {
    PointTransform(Communicator::world(), {.lmax = 4, .backend = "cuda"}, theta, phi);
    ADD_FAILURE() << "a device was used that is not there";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("no GPU is visible"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace armilla
