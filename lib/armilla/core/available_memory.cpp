#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/saturating.hpp>
#include <armilla/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <sys/resource.h>

namespace armilla::core {

namespace {

namespace fs = std::filesystem;

/// The first number of a file; std::nullopt for "max", or if there is no such file.
std::optional<Index> number_in(const fs::path& file) {
  std::ifstream in(file);
  Index number = 0;
  if (in >> number) return number;
  return std::nullopt;
}

/// The number after `key` in a file of lines "key number" or "key: number kB".
std::optional<Index> number_of(const fs::path& file, const std::string& key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, unit;
    Index number = 0;
    if (!(words >> name >> number) || (name != key && name != key + ":")) continue;
    return words >> unit && unit == "kB" ? number * 1024 : number;
  }
  return std::nullopt;
}

/// Location of control groups in the file system.
struct Hierarchy {
  fs::path mounted;   ///< folder of the mount
  std::string group;  ///< control group of this folder
  bool version_2 = false;
};

bool has_word(const std::string& list, std::string_view word) {
  std::istringstream words(list);
  for (std::string each; std::getline(words, each, ',');)
    if (each == word) return true;
  return false;
}

/// The hierarchies that limit memory. A line of mountinfo is "36 35 98:0 /group /sys/fs/cgroup rw,relatime master:1 -
/// cgroup2 cgroup rw,memory" (proc(5)).
std::vector<Hierarchy> hierarchies(const fs::path& root) {
  std::vector<Hierarchy> found;
  std::ifstream in(root / "proc/self/mountinfo");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string skipped, group, folder, word, type, source, options;
    if (!(words >> skipped >> skipped >> skipped >> group >> folder)) continue;
    while (words >> word && word != "-") continue;
    if (!(words >> type >> source >> options)) continue;
    const bool version_2 = type == "cgroup2";
    if (!version_2 && (type != "cgroup" || !has_word(options, "memory"))) continue;
    found.push_back({root / fs::path(folder).relative_path(), group, version_2});
  }
  return found;
}

/// The group of this process in a hierarchy. A line of the file is "4:memory:/group" or, for version 2, "0::/group".
std::optional<std::string> own_group(const fs::path& root, bool version_2) {
  std::ifstream in(root / "proc/self/cgroup");
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    if (version_2 ? controllers.empty() : has_word(controllers, "memory")) return line.substr(second + 1);
  }
  return std::nullopt;
}

/// Memory that a group can still allocate; std::nullopt without a limit. Cached files count as free, because the kernel
/// drops them when memory is needed.
std::optional<Index> free_of_group(const fs::path& folder, bool version_2) {
  const auto limit = number_in(folder / (version_2 ? "memory.max" : "memory.limit_in_bytes"));
  const auto used = number_in(folder / (version_2 ? "memory.current" : "memory.usage_in_bytes"));
  if (!limit || !used || *limit >= kTooManyBytes) return std::nullopt;
  const fs::path parts = folder / "memory.stat";
  const std::string total = version_2 ? "" : "total_";
  const Index cached =
      number_of(parts, total + "inactive_file").value_or(0) + number_of(parts, total + "active_file").value_or(0);
  return std::max<Index>(*limit - std::max<Index>(*used - cached, 0), 0);
}

// With string literals in push_back(), GCC 12 emits false warnings about array bounds.
void add_bound(std::vector<MemoryBound>& bounds, const std::string& name, Index bytes, bool shared) {
  bounds.push_back({name, bytes, shared});
}

void add_groups(const fs::path& root, std::vector<MemoryBound>& bounds) {
  for (const Hierarchy& hierarchy : hierarchies(root)) {
    const auto group = own_group(root, hierarchy.version_2);
    if (!group) continue;
    // In a container the folder may be a group below the root, and the path of the process's group may be relative to
    // either.
    fs::path below = fs::path(*group).lexically_relative(hierarchy.group);
    if (below.empty() || *below.begin() == "..") below = ".";
    const fs::path own = (hierarchy.mounted / below).lexically_normal();
    fs::path folder = hierarchy.mounted;
    const auto add = [&](const fs::path& place) {
      if (const auto bytes = free_of_group(place, hierarchy.version_2))
        add_bound(bounds, fmt::format("limit of control group {}", place.string()), *bytes, true);
    };
    add(folder);
    for (const fs::path& part : below)
      if (part != ".") add(folder /= part);
  }
}

void add_node(const fs::path& root, std::vector<MemoryBound>& bounds) {
  const fs::path memory = root / "proc/meminfo";
  if (const auto bytes = number_of(memory, "MemAvailable")) add_bound(bounds, "free memory of the node", *bytes, true);
  constexpr Index kNoOvercommit = 2;
  if (number_in(root / "proc/sys/vm/overcommit_memory") != kNoOvercommit) return;
  const auto limit = number_of(memory, "CommitLimit");
  const auto taken = number_of(memory, "Committed_AS");
  if (limit && taken)
    add_bound(bounds, "commit limit of the node (vm.overcommit_memory = 2)", std::max<Index>(*limit - *taken, 0), true);
}

void add_process(const fs::path& root, std::vector<MemoryBound>& bounds) {
  const auto add = [&](int resource, const char* key, const char* name) {
    rlimit limit{};
    const auto used = number_of(root / "proc/self/status", key);
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || !used) return;
    const Index most = static_cast<Index>(std::min<rlim_t>(limit.rlim_cur, kTooManyBytes));
    add_bound(bounds, name, std::max<Index>(most - *used, 0), false);
  };
  add(RLIMIT_AS, "VmSize", "ulimit -v");
  add(RLIMIT_DATA, "VmData", "ulimit -d");
}

}  // namespace

std::vector<MemoryBound> memory_bounds(const fs::path& root) {
  std::vector<MemoryBound> bounds;
  add_node(root, bounds);
  add_groups(root, bounds);
  add_process(root, bounds);
  return bounds;
}

Index min_bytes(const std::vector<MemoryBound>& bounds) {
  Index least = kTooManyBytes;
  for (const MemoryBound& bound : bounds) least = std::min(least, bound.bytes);
  return least;
}

Index parse_bytes(const std::string& text) {
  if (text == "none") return kTooManyBytes;
  constexpr std::string_view kUnits = "KMGTP";
  double number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double factor = 1;
  bool known = wrong == std::errc() && std::isfinite(number) && number >= 0;
  if (!unit.empty()) {
    const auto power = kUnits.find(unit.front());
    const std::string_view rest = unit.substr(1);
    known = known && power != std::string_view::npos && (rest.empty() || rest == "iB" || rest == "B");
    factor = std::pow(rest == "B" ? 1000.0 : 1024.0, static_cast<double>(power) + 1);
  }
  if (!known)
    throw InputError(
        fmt::format("'{}' is not a valid memory size: use 64G or 64GiB (in 2^30 bytes), 64GB (in 10^9 bytes), "
                    "a number of bytes, or none",
                    excerpt(text)));
  return static_cast<Index>(std::min(number * factor, static_cast<double>(kTooManyBytes)));
}

std::optional<Index> environment_memory_limit() {
  const char* const text = std::getenv("ARMILLA_MEMORY_LIMIT");
  if (text == nullptr || *text == '\0') return std::nullopt;
  try {
    return parse_bytes(text);
  } catch (const InputError& error) {
    throw InputError(fmt::format("ARMILLA_MEMORY_LIMIT: {}", error.what()));
  }
}

}  // namespace armilla::core
