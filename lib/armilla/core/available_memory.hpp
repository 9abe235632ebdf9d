#pragma once

#include <armilla/core/types.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace armilla::core {

/// One bound on the memory that can still be allocated.
struct MemoryBound {
  std::string name;     ///< such as "free memory of the node", "limit of control group /slurm/job_7"
  Index bytes = 0;      ///< memory that can be allocated in addition to the present usage
  bool shared = false;  ///< applies to all processes of the node with the same bound; otherwise to this process only
};

/// All bounds set by the system: MemAvailable of the node, and its commit limit if it does not overcommit; the limits
/// of the control groups of this process and of all their parents (version 1, and version 2 with nested groups, as
/// created by Slurm), with cached files counted as free; `ulimit -v` and `ulimit -d`. Bounds that the system does not
/// report, as on systems other than Linux, are omitted. `root` is prepended to /proc and /sys.
std::vector<MemoryBound> memory_bounds(const std::filesystem::path& root = "/");

/// The smallest of the bounds [bytes]; kTooManyBytes if there are none.
Index min_bytes(const std::vector<MemoryBound>& bounds);

/// "64G", "64GiB" (2^30 each), "64GB" (10^9), "1.5T", "1000000", in bytes; kTooManyBytes for "none". Throws InputError
/// for any other text.
Index parse_bytes(const std::string& text);

/// Value of the environment variable ARMILLA_MEMORY_LIMIT, as parse_bytes() reads it, if it is set and not empty.
/// Throws InputError if it is not a valid size.
std::optional<Index> environment_memory_limit();

}  // namespace armilla::core
