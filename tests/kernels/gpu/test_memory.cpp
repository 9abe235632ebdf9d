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
  Event before, after;
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
    EXPECT_NE(std::string(error.what()).find("allocation on the GPU of"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace armilla::kernels
