#include <armilla/comm/thread_load.hpp>
#include <armilla/core/machine.hpp>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "support/mpi_main.hpp"
#include <gtest/gtest.h>

namespace armilla::comm {
namespace {

/// While it is there, nothing limits how long threads spin.
class UnlimitedWaits {
 public:
  UnlimitedWaits() {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const char* value = std::getenv(kNames[i]);
      before_[i] = value == nullptr ? "" : value;
      ::unsetenv(kNames[i]);
    }
  }
  ~UnlimitedWaits() {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      before_[i].empty() ? ::unsetenv(kNames[i]) : ::setenv(kNames[i], before_[i].c_str(), 1);
  }
  UnlimitedWaits(const UnlimitedWaits&) = delete;
  UnlimitedWaits& operator=(const UnlimitedWaits&) = delete;

 private:
  static constexpr std::array kNames{"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"};
  std::array<std::string, kNames.size()> before_;
};

TEST(ThreadLoad, RanksOnTheSameCpusAreSummed) {
  const std::vector<int> two{0, 1}, four{0, 1, 2, 3};
  EXPECT_FALSE(find_oversubscription(std::vector<ThreadLoad>{{"a", four, 2}, {"a", four, 2}}));
  EXPECT_FALSE(find_oversubscription(std::vector<ThreadLoad>{{"a", {}, 8}})) << "CPUs unknown";
  const auto same = find_oversubscription(std::vector<ThreadLoad>{{"a", two, 2}, {"a", two, 2}, {"a", two, 2}});
  ASSERT_TRUE(same);
  EXPECT_EQ(same->ranks, 3);
  EXPECT_EQ(same->threads, 6);
  EXPECT_EQ(same->cpus, two);
  EXPECT_TRUE(same->same_cpus);
  const auto node = find_oversubscription(std::vector<ThreadLoad>{{"a", two, 2}, {"a", {1, 2}, 2}});
  ASSERT_TRUE(node);
  EXPECT_FALSE(node->same_cpus);
  EXPECT_EQ(node->cpus, (std::vector<int>{0, 1, 2}));
}

TEST(ThreadLoad, InfiniteTimesAreNoLimit) {
  const UnlimitedWaits waits;
  EXPECT_TRUE(threads_spin());
  for (const char* name : {"GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) {
    for (const char* value : {"infinity", "INFINITY", "infinite", "INFINITE"}) {
      ::setenv(name, value, 1);
      EXPECT_TRUE(threads_spin()) << name << "=" << value;
    }
    ::setenv(name, "0", 1);
    EXPECT_FALSE(threads_spin()) << name;
    ::unsetenv(name);
  }
}

TEST(ThreadLoad, AWarningNamesThreadsAndCpus) {
  const auto world = Communicator::world();
  const int threads = core::thread_count();
  const auto cpus = core::own_cpus().size();
  ASSERT_GT(cpus, 0u);
  const UnlimitedWaits waits;
  core::set_thread_count(static_cast<int>(cpus) + 1);
  const std::string text = spinning_warning(world);
  ::setenv("OMP_WAIT_POLICY", "PASSIVE", 1);
  const std::string passive = spinning_warning(world);
  ::unsetenv("OMP_WAIT_POLICY");
  ::setenv("GOMP_SPINCOUNT", "1000", 1);
  const std::string limited = spinning_warning(world);
  ::unsetenv("GOMP_SPINCOUNT");
  core::set_thread_count(1);
  const std::string single = spinning_warning(world);
  core::set_thread_count(threads);
  EXPECT_TRUE(passive.empty() && limited.empty() && single.empty()) << passive << limited << single;
  if (!world.is_root()) {
    EXPECT_TRUE(text.empty());
    return;
  }
  const auto total = static_cast<std::size_t>(world.size()) * (cpus + 1);
  EXPECT_NE(text.find(std::to_string(total) + " threads share " + std::to_string(cpus) + " CPU"), std::string::npos)
      << text;
  EXPECT_NE(text.find("OMP_WAIT_POLICY=passive"), std::string::npos) << text;
}

}  // namespace
}  // namespace armilla::comm
