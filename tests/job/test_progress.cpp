#include <armilla/core/machine.hpp>
#include <armilla/job/run/progress.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace armilla::job {
namespace {

TEST(Progress, CountsTransformsWithinStepsAndNeverGoesBack) {
  Progress progress(Progress::Display::kNone, 2);
  progress.begin(0, "analysis", 3);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0);
  double before = 0;
  for (int transform = 0; transform < 3; ++transform)
    for (const double share : {0.25, 0.5, 1.0}) {
      progress.update(share);
      EXPECT_GT(progress.fraction(), before);
      before = progress.fraction();
    }
  EXPECT_DOUBLE_EQ(before, 0.5);
  progress.begin(1, "smooth", 0);
  EXPECT_DOUBLE_EQ(progress.fraction(), 0.5);
}

TEST(Machine, MemoryIsMeasured) {
  const Index before = core::peak_resident_bytes();
  EXPECT_GT(before, 1 << 20);
  std::vector<char> block(std::size_t{64} << 20);
  volatile char* bytes = block.data();  // so that no compiler leaves the block out
  for (std::size_t i = 0; i < block.size(); i += 1024) bytes[i] = 1;
  EXPECT_GE(core::peak_resident_bytes(), before + static_cast<Index>(block.size()) / 2);
  const Index resident = core::resident_bytes();
  EXPECT_GE(core::peak_resident_bytes(), resident);
}

TEST(Machine, BytesReadWell) {
  EXPECT_EQ(core::readable_bytes(1023), "1023 B");
  EXPECT_EQ(core::readable_bytes(1536), "1.5 KiB");
  EXPECT_EQ(core::readable_bytes(Index{3} << 30), "3.0 GiB");
}

TEST(Machine, ThreadsAndBindingAreSaid) {
  core::set_thread_count(3);
  EXPECT_EQ(core::thread_count(), 3);
  EXPECT_NE(core::binding().find("CPUs: "), std::string::npos);
}

}  // namespace
}  // namespace armilla::job
