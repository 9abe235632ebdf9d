// The check of devices before a run, on an emulated device that can be made to be wrong.
#include <armilla/backend/device_check.hpp>
#include <armilla/core/error.hpp>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>

#include "support/emulation.hpp"
#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

using test::Pretend;

template <class T>
DeviceCheck check() {
  return check_device<T>(Kind::kCuda, {});
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(DeviceCheck, PassesARightDevice) {
  const auto start = std::chrono::steady_clock::now();
  const DeviceCheck in_double = check<double>();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(in_double.fault, "");
  EXPECT_GT(in_double.rms, 0);
  EXPECT_LT(in_double.rms, 0.1 * device_check_limit(core::Precision::kDouble));
  const DeviceCheck in_single = check<float>();
  EXPECT_EQ(in_single.fault, "");
  EXPECT_GT(in_single.rms, 1e-9);
  EXPECT_LT(in_single.rms, 0.1 * device_check_limit(core::Precision::kSingle));
  std::printf("differences %.1e in double, %.1e in single; %.0f ms\n", in_double.rms, in_single.rms,
              1e3 * seconds.count());
}

// cuFFT may take as much working space as what it transforms.
TEST(DeviceCheck, PassesWhereFftsNeedWorkingSpace) {
  const Pretend device({.fft_needs_work = true});
  EXPECT_EQ(check<double>().fault, "");
  EXPECT_EQ(check<float>().fault, "");
}

TEST(DeviceCheck, FindsWhatIsWrongInEachStage) {
  {
    const Pretend wrong({.row_error = 1e-7});
    const DeviceCheck found = check<double>();
    EXPECT_GT(found.rms, device_check_limit(core::Precision::kDouble));
    EXPECT_TRUE(
        contains(found.fault, "the Legendre stage of synthesis of spin 0, 1 map, on rings of HEALPix, has a relative "))
        << found.fault;
    EXPECT_TRUE(contains(found.fault, "above the limit 1e-11")) << found.fault;
  }
  {
    const Pretend wrong({.transform_error = 1e-3});
    for (const std::string& fault : {check<double>().fault, check<float>().fault})
      EXPECT_TRUE(contains(fault, "the ring stage of synthesis of spin 0, 1 map, on rings of HEALPix")) << fault;
  }
  EXPECT_EQ(check<double>().fault, "");
}

TEST(DeviceCheck, TakesWhatIsNoNumberForWrong) {
  const Pretend wrong({.transform_error = std::nan("")});
  const DeviceCheck found = check<double>();
  EXPECT_TRUE(std::isinf(found.rms));
  EXPECT_FALSE(found.fault.empty());
}

TEST(DeviceCheck, TakesAnErrorOfTheDeviceForAFault) {
  const Pretend failing({.fails = true});
  const DeviceCheck found = check<double>();
  EXPECT_TRUE(std::isinf(found.rms));
  EXPECT_TRUE(contains(found.fault, "CUDA: work on the GPU failed")) << found.fault;
}

TEST(DeviceCheck, IsForBackendsWithDevices) {
  EXPECT_THROW(check_device<double>(Kind::kCpu, {}), core::InputError);
  const Pretend absent({.visible = false});
  EXPECT_THROW(check_device<double>(Kind::kCuda, {}), core::ResourceError);
}

TEST(Devices, OfOtherRatesAreNotForTransforms) {
  EXPECT_TRUE(has_fast_doubles({.single_to_double = 2}));
  EXPECT_TRUE(has_fast_doubles({.single_to_double = 4}));
  for (const int ratio : {0, 32, 64}) EXPECT_FALSE(has_fast_doubles({.single_to_double = ratio}));
  EXPECT_TRUE(has_fast_doubles(device_of(Kind::kCuda, {}).value()));
  EXPECT_FALSE(device_of(Kind::kCpu, {}).has_value());
}

}  // namespace
}  // namespace armilla::backend
