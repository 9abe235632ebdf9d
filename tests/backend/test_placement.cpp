// Which device a rank uses, and with how many others, by what the ranks of its machine see.
#include <armilla/backend/placement.hpp>

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace armilla::backend {
namespace {

/// "device/ranks" of each rank.
std::string places(const std::vector<SeenDevices>& seen) {
  std::string all;
  for (std::size_t rank = 0; rank < seen.size(); ++rank) {
    const Placement place = place_rank(seen, static_cast<int>(rank));
    all += (rank == 0 ? "" : " ") + std::to_string(place.device) + "/" + std::to_string(place.ranks);
  }
  return all;
}

TEST(Placement, RanksThatSeeTheSameDevicesSpreadOverThem) {
  const SeenDevices two{"a", "b"}, four{"a", "b", "c", "d"};
  EXPECT_EQ(places({two}), "0/1");
  EXPECT_EQ(places({four, four}), "0/1 1/1");
  EXPECT_EQ(places({two, two, two, two}), "0/2 0/2 1/2 1/2");
  EXPECT_EQ(places({two, two, two, two, two}), "0/3 0/3 0/3 1/2 1/2");
}

TEST(Placement, RanksThatEachSeeTheirOwnDeviceDoNotShareIt) { EXPECT_EQ(places({{"a"}, {"b"}, {"c"}}), "0/1 0/1 0/1"); }

TEST(Placement, RanksShareADeviceByItsUuid) {
  EXPECT_EQ(places({{"a"}, {"a"}, {"b"}}), "0/2 0/2 0/1");
  // Whatever its index: the order that a rank sees is respected.
  EXPECT_EQ(places({{"a", "b"}, {"b", "a"}}), "0/1 0/1");
  EXPECT_EQ(places({{"a", "b"}, {"a", "b"}, {"b"}}), "0/1 1/2 0/2");
}

TEST(Placement, RanksWithoutADeviceTakeNoShare) { EXPECT_EQ(places({{"a"}, {}, {"a"}}), "0/2 0/1 0/2"); }

}  // namespace
}  // namespace armilla::backend
