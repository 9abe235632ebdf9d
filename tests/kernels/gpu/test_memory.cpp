#include <armilla/core/error.hpp>

#include <numeric>
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/device.hpp>
#include <kernels/core/memory.hpp>
#include <kernels/core/stream.hpp>
#include <support/device.hpp>

namespace armilla::kernels {
namespace {

TEST(DeviceMemory, NumbersComeBackAsTheyWent) {
  ARMILLA_NEEDS_DEVICE();
  const Stream stream;
  std::vector<double> numbers(100003);
  std::iota(numbers.begin(), numbers.end(), 0.5);
  const auto there = upload<double>(numbers, stream);
  PinnedBuffer<double> back(there.size());
  std::fill_n(back.data(), back.size(), -1.0);
  copy(back.data(), there.data(), there.size(), stream);
  stream.wait();
  EXPECT_EQ(std::vector<double>(back.data(), back.data() + back.size()), numbers);
}

TEST(DeviceMemory, IsSetToZeroInTheOrderOfTheStream) {
  ARMILLA_NEEDS_DEVICE();
  const Stream stream;
  const std::vector<int> ones(1000, 1);
  std::vector<int> back(1000, 7);
  DeviceBuffer<int> buffer(1000);
  TimedEvent before, after;
  before.record(stream);
  copy(buffer.data(), ones.data(), 1000, stream);
  fill_zero(buffer.data(), 500, stream);
  copy(back.data(), buffer.data(), 1000, stream);
  after.record(stream);
  after.wait();
  EXPECT_EQ(std::accumulate(back.begin(), back.begin() + 500, 0), 0);
  EXPECT_EQ(std::accumulate(back.begin() + 500, back.end(), 0), 500);
  EXPECT_GE(after.seconds_since(before), 0);  // the order of the marks
}

TEST(DeviceMemory, SaysSoWhereTheDeviceHasTooLittle) {
  ARMILLA_NEEDS_DEVICE();
  try {
    DeviceBuffer<double> buffer(device_memory().total);  // in numbers of eight bytes
    FAIL() << "eight times the memory of the device was given";
  } catch (const core::ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find("GPU memory allocation of"), std::string::npos) << error.what();
  }
}

TEST(DeviceMemory, IsCountedAndLimited) {
  ARMILLA_NEEDS_DEVICE();
  const Index held = device_usage().held;
  forget_peak();
  {
    const DeviceBuffer<double> first(1000);
    const DeviceBuffer<char> second(17);
    EXPECT_EQ(device_usage().held, held + 8017);
    const PinnedBuffer<double> on_host(1000);
    EXPECT_EQ(device_usage().held, held + 8017);
  }
  EXPECT_EQ(device_usage().held, held);
  EXPECT_EQ(device_usage().peak, held + 8017);
  limit_device_memory(held + 4096);
  EXPECT_EQ(device_memory().free, 4096);
  {
    const DeviceBuffer<char> all(4096);
    EXPECT_EQ(device_memory().free, 0);
    EXPECT_THROW(DeviceBuffer<char>(1), core::ResourceError);
  }
  limit_device_memory(-1);
  EXPECT_GT(device_memory().free, 4096);
  EXPECT_EQ(device_usage().held, held);
}

}  // namespace
}  // namespace armilla::kernels
