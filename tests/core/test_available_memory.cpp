#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <support/scratch_folder.hpp>
#include <support/sizes.hpp>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace armilla::core {
namespace {

namespace fs = std::filesystem;
using test::kMiB;
using test::ScratchFolder;

/// A tree that looks like /proc and /sys of a node.
class FakeNode {
 public:
  FakeNode() {
    write("proc/meminfo",
          "MemTotal:       8388608 kB\nMemFree:         104857 kB\nMemAvailable:   4194304 kB\n"
          "CommitLimit:    3145728 kB\nCommitted_AS:   1048576 kB\n");
    write("proc/sys/vm/overcommit_memory", "0\n");
  }
  void write(const std::string& file, const std::string& text) const {
    const fs::path path = folder_.path() / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  /// A group of version 2. `max` may be "max".
  void group_2(const std::string& group, const std::string& max, Index used, Index inactive, Index active) const {
    const std::string folder = "sys/fs/cgroup/" + group;
    write(folder + "/memory.max", max + "\n");
    write(folder + "/memory.current", std::to_string(used) + "\n");
    write(folder + "/memory.stat", "anon 17\nfile 99\ninactive_anon 5\ninactive_file " + std::to_string(inactive) +
                                       "\nactive_file " + std::to_string(active) + "\n");
  }
  void group_1(const std::string& group, Index limit, Index used, Index inactive) const {
    const std::string folder = "sys/fs/cgroup/memory/" + group;
    write(folder + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(folder + "/memory.usage_in_bytes", std::to_string(used) + "\n");
    write(folder + "/memory.stat", "inactive_file 1\ntotal_inactive_file " + std::to_string(inactive) + "\n");
  }
  std::vector<MemoryBound> bounds() const { return memory_bounds(folder_.path()); }
  std::string path(const std::string& file) const { return (folder_.path() / file).string(); }

 private:
  ScratchFolder folder_;
};

const MemoryBound* find(const std::vector<MemoryBound>& bounds, const std::string& part) {
  for (const MemoryBound& bound : bounds)
    if (bound.name.find(part) != std::string::npos) return &bound;
  return nullptr;
}

TEST(AvailableMemory, IsWhatTheNodeHasWithoutGroups) {
  const FakeNode node;
  const auto bounds = node.bounds();
  ASSERT_EQ(bounds.size(), 1u);
  EXPECT_EQ(bounds[0].name, "free memory of the node");
  EXPECT_EQ(bounds[0].bytes, 4096 * kMiB);
  EXPECT_TRUE(bounds[0].shared);
}

TEST(AvailableMemory, CountsTheCommitLimitWhereNothingIsOvercommitted) {
  const FakeNode node;
  node.write("proc/sys/vm/overcommit_memory", "2\n");
  const MemoryBound* commit = nullptr;
  const auto bounds = node.bounds();
  commit = find(bounds, "commit limit");
  ASSERT_NE(commit, nullptr);
  EXPECT_EQ(commit->bytes, 2048 * kMiB);
}

// claims: guarantee memory_check
TEST(AvailableMemory, TakesTheLeastOfNestedGroupsOfVersion2) {
  const FakeNode node;
  node.write("proc/self/mountinfo",
             "31 23 0:28 / /proc rw - proc proc rw\n"
             "35 31 0:32 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n");
  node.write("proc/self/cgroup", "0::/system.slice/slurmstepd.scope/job_7/step_0/user/task_0\n");
  const std::string job = "system.slice/slurmstepd.scope/job_7";
  node.group_2("system.slice", "max", 5000 * kMiB, 0, 0);
  node.group_2(job, std::to_string(1000 * kMiB), 700 * kMiB, 200 * kMiB, 100 * kMiB);
  node.group_2(job + "/step_0", std::to_string(2000 * kMiB), 300 * kMiB, 0, 0);
  node.group_2(job + "/step_0/user/task_0", "max", 300 * kMiB, 0, 0);
  const auto bounds = node.bounds();
  ASSERT_EQ(bounds.size(), 3u);
  EXPECT_EQ(bounds[1].name, "limit of control group " + node.path("sys/fs/cgroup/" + job));
  EXPECT_EQ(bounds[1].bytes, 600 * kMiB) << "cached files are given up";
  EXPECT_EQ(bounds[2].bytes, 1700 * kMiB);
  EXPECT_EQ(min_bytes(bounds), 600 * kMiB);
}

TEST(AvailableMemory, TakesTheLeastOfNestedGroupsOfVersion1) {
  const FakeNode node;
  node.write("proc/self/mountinfo",
             "34 31 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
             "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
             "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n");
  node.write("proc/self/cgroup", "9:name=systemd:/\n4:memory:/slurm/uid_0/job_7/step_0\n1:cpu:/slurm\n0::/\n");
  node.group_1("", 0x7FFFFFFFFFFFF000, 3000 * kMiB, 0);  // none
  node.group_1("slurm/uid_0/job_7", 900 * kMiB, 500 * kMiB, 100 * kMiB);
  node.group_1("slurm/uid_0/job_7/step_0", 800 * kMiB, 900 * kMiB, 0);  // over its limit
  const auto bounds = node.bounds();
  ASSERT_EQ(bounds.size(), 3u);
  EXPECT_EQ(bounds[1].bytes, 500 * kMiB);
  EXPECT_EQ(bounds[2].bytes, 0);
}

TEST(AvailableMemory, FindsTheGroupOfAContainer) {
  const FakeNode node;
  node.write("proc/self/mountinfo", "35 31 0:32 /docker/ab12 /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  node.group_2("", std::to_string(512 * kMiB), 112 * kMiB, 0, 0);
  node.group_2("inner", std::to_string(256 * kMiB), 56 * kMiB, 0, 0);
  node.write("proc/self/cgroup", "0::/docker/ab12/inner\n");
  EXPECT_EQ(min_bytes(node.bounds()), 200 * kMiB);
  node.write("proc/self/cgroup", "0::/elsewhere\n");  // not below the folder: the folder itself
  EXPECT_EQ(min_bytes(node.bounds()), 400 * kMiB);
  node.write("proc/self/cgroup", "0::/../other\n");
  EXPECT_EQ(min_bytes(node.bounds()), 400 * kMiB);
}

TEST(AvailableMemory, OfTheProcessIsWhatUlimitLeaves) {
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const Index limit = Index{1} << 50;  // AddressSanitizer takes 2^44, ThreadSanitizer 2^47
    const rlimit set{static_cast<rlim_t>(limit), static_cast<rlim_t>(limit)};
    if (::setrlimit(RLIMIT_AS, &set) != 0) ::_exit(2);
    const auto bounds = memory_bounds();
    const MemoryBound* own = find(bounds, "ulimit -v");
    ::_exit(own != nullptr && !own->shared && own->bytes > limit / 2 && own->bytes < limit ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(AvailableMemory, OfThisMachineIsSaid) {
  const auto bounds = memory_bounds();
  ASSERT_NE(find(bounds, "free memory of the node"), nullptr);
  EXPECT_GT(min_bytes(bounds), 0);
  EXPECT_LT(min_bytes(bounds), kTooManyBytes);
  EXPECT_EQ(min_bytes({}), kTooManyBytes);
}

TEST(AvailableMemory, SizesAreReadAsSlurmWritesThem) {
  EXPECT_EQ(parse_bytes("1000000"), 1000000);
  EXPECT_EQ(parse_bytes("0"), 0);
  EXPECT_EQ(parse_bytes("64G"), Index{64} << 30);
  EXPECT_EQ(parse_bytes("1.5GiB"), Index{3} << 29);
  EXPECT_EQ(parse_bytes("2GB"), 2000000000);
  EXPECT_EQ(parse_bytes("3K"), 3072);
  EXPECT_EQ(parse_bytes("none"), kTooManyBytes);
  EXPECT_EQ(parse_bytes("1e30P"), kTooManyBytes);
  for (const char* bad : {"", "G", "-1G", "nan", "inf", "64 G", "64g", "64Gi", "64GiBs", "64X", "None"})
    EXPECT_THROW(parse_bytes(bad), InputError) << bad;
}

}  // namespace
}  // namespace armilla::core
