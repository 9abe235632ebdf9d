// Sums of what objects take of a device.
#include <armilla/backend/device_estimate.hpp>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

TEST(DeviceEstimate, GivesEachWorkingSpaceWhatItCanUse) {
  DeviceEstimate memory{{.tables = 3, .kept = 5}, {{10, 100}}};
  memory += DeviceEstimate{{.tables = 4}, {{20, 40}, {7, 6}}};
  EXPECT_EQ(memory.min_work(), 20);
  EXPECT_EQ(memory.with_work(0).workspace, 10 + 20 + 7);
  EXPECT_EQ(memory.with_work(50).workspace, 50 + 40 + 7);
  EXPECT_EQ(memory.with_work(1000).peak(), 7 + 5 + 100 + 40 + 7);
  EXPECT_EQ(memory.held.held(), 12);
}

}  // namespace
}  // namespace armilla::backend
