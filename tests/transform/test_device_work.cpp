// The choice of working space on a device.
#include <armilla/transform/device_work.hpp>

#include <gtest/gtest.h>

namespace armilla::transform {
namespace {

TEST(DeviceWork, TakesAsMuchAsFits) {
  const auto total = [](Index work) { return 600 + 4 * work; };
  EXPECT_EQ(largest_device_work(1600, 10, total), 200);  // an eighth
  EXPECT_EQ(largest_device_work(800, 10, total), 50);
  EXPECT_EQ(largest_device_work(640, 10, total), 10);
  EXPECT_EQ(largest_device_work(639, 10, total), std::nullopt);
}

}  // namespace
}  // namespace armilla::transform
