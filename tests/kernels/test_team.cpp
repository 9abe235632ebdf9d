// Teams of threads on the host.
#include <vector>

#include <gtest/gtest.h>
#include <kernels/core/host_team.hpp>

namespace armilla::kernels {
namespace {

struct Lane {
  int own;
};
struct Shared {};

// Each warp has one number, and its own lanes, whatever the rotation.
TEST(HostTeam, RotatesTheNumbersOfWarps) {
  for (const int warps : {1, 2, 3, 4, 8})
    for (int rotation = 0; rotation < warps; ++rotation) {
      HostTeam<Lane, Shared> team(warps * kWarp, HostOrder::kAscending, rotation);
      team.each([](Lane& lane, int thread) { lane.own = thread; });
      std::vector<int> seen(static_cast<std::size_t>(warps));
      team.each_warp([&](auto& warp) {
        const int physical = warp.any_lane().own / kWarp;
        EXPECT_EQ(warp.index(), (physical + rotation) % warps);
        ++seen[static_cast<std::size_t>(warp.index())];
        warp.each([&](const Lane& lane, int i) { EXPECT_EQ(lane.own, physical * kWarp + i); });
      });
      EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(warps), 1));
    }
}

}  // namespace
}  // namespace armilla::kernels
