#pragma once

#include <armilla/core/types.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace armilla::core {

/// One bound on the memory that may still be taken.
struct MemoryBound {
  std::string name;     ///< what sets it: "free memory of the node", "limit of the control group /slurm/job_7"
  Index bytes = 0;      ///< that may be taken on top of what is taken now
  bool shared = false;  ///< by all processes of the node that name the same bound; else it is that of this process
};

/// All bounds that the system sets: MemAvailable of the node, and its commit limit where it does not overcommit; the
/// limits of the control groups of this process and of all above them (version 1, and 2 with nested groups, as Slurm
/// makes them), in which cached files count as free; and `ulimit -v` and `ulimit -d`. Bounds that the system does not
/// say, as on other systems than Linux, are left out. `root` stands before /proc and /sys.
std::vector<MemoryBound> memory_bounds(const std::filesystem::path& root = "/");

/// The least of them [bytes]; kTooManyBytes without any.
Index min_bytes(const std::vector<MemoryBound>& bounds);

/// "64G", "64GiB" (2^30 each), "64GB" (10^9), "1.5T", "1000000", in bytes; kTooManyBytes for "none". Throws InputError
/// for other texts.
Index parse_bytes(const std::string& text);

}  // namespace armilla::core
