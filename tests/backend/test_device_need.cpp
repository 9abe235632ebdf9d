// The choice of working space on a device.
#include <armilla/backend/device_need.hpp>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

TEST(ChooseWork, TakesAsMuchAsFits) {
  const auto total = [](Index work) { return 600 + 4 * work; };
  EXPECT_EQ(choose_work(1600, 10, total), 200);  // an eighth
  EXPECT_EQ(choose_work(800, 10, total), 50);
  EXPECT_EQ(choose_work(640, 10, total), 10);
  EXPECT_EQ(choose_work(639, 10, total), std::nullopt);
}

}  // namespace
}  // namespace armilla::backend
