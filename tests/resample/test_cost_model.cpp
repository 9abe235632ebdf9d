#include <armilla/resample/cost_model.hpp>

#include <gtest/gtest.h>

namespace armilla::resample {
namespace {

TEST(CostModel, ResamplesOnlyGridsWithClearlyMoreRings) {
  EXPECT_FALSE(pays(4095, 2048)) << "a Gauss grid has no ring to save";
  EXPECT_FALSE(pays(4095, 2100));
  EXPECT_TRUE(pays(4095, 4096)) << "healpix nside 2048";
  EXPECT_TRUE(pays(1023, 2048)) << "healpix nside 1024";
  EXPECT_TRUE(pays(2047, 2048)) << "healpix nside 1024";
  EXPECT_TRUE(pays(6143, 4096)) << "healpix nside 2048, all that it carries";
  EXPECT_FALSE(pays(1535, 1024)) << "healpix nside 512, all that it carries: the FFTs cost more than is saved";
  EXPECT_FALSE(pays(64, 4096)) << "small problems are left alone";
}

TEST(CostModel, MoreRingsPayMore) {
  for (const Index lmax : {600, 1023, 4095, 6143}) {
    bool before = false;
    for (Index pairs = 1; pairs < 8 * lmax; pairs += 37) {
      const bool now = pays(lmax, pairs);
      EXPECT_TRUE(now || !before) << "lmax " << lmax << ", " << pairs << " pairs";
      before = now;
    }
    EXPECT_TRUE(before) << "lmax " << lmax;
  }
}

}  // namespace
}  // namespace armilla::resample
