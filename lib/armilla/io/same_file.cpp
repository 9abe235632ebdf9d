#include <armilla/comm/phase.hpp>
#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/host_name.hpp>
#include <armilla/io/same_file.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::io {

namespace {

using core::Index;

constexpr std::size_t kMembers = 3;

/// Of the node of this rank.
Index node_hash() {
  const std::string name = core::host_name();
  return static_cast<Index>(core::fnv1a(name.data(), name.size()) >> 2);
}

}  // namespace

std::vector<bool> same_on_all_ranks(const comm::Communicator& comm, std::span<const core::FileState> seen) {
  // The largest and the smallest of each number over the ranks, from one reduction.
  std::vector<Index> most;
  comm::phase(comm, [&] {
    const auto add = [&](Index number) { most.insert(most.end(), {number, -number}); };
    add(node_hash());
    for (const core::FileState& one : seen)
      for (const Index number : std::array<Index, kMembers>{one.stamp.size, one.stamp.mtime, one.inode}) add(number);
  });
  comm.max(std::span<Index>(most));
  const auto is_alike = [&](std::size_t number) { return most[2 * number] == -most[2 * number + 1]; };
  // Inodes of network file systems may differ between nodes.
  const std::size_t compared = is_alike(0) ? kMembers : kMembers - 1;
  std::vector<bool> same;
  for (std::size_t file = 0; file < seen.size(); ++file) {
    bool alike = true;
    for (std::size_t i = 0; i < compared; ++i) alike = alike && is_alike(1 + kMembers * file + i);
    same.push_back(alike);
  }
  return same;
}

std::string different_file_text(const std::string& path) {
  return fmt::format(
      "'{}' was replaced while the ranks opened it, or differs between nodes: run again, or put it on a file system "
      "shared by all nodes, or copy it to them with its time (cp -p)",
      path);
}

void check_same_on_all_ranks(const comm::Communicator& comm, std::span<const core::SeenFile> files) {
  std::vector<core::FileState> seen;
  for (const core::SeenFile& file : files) seen.push_back(file.state);
  const std::vector<bool> same = same_on_all_ranks(comm, seen);
  for (std::size_t i = 0; i < same.size(); ++i)
    if (!same[i]) throw core::InputError(different_file_text(files[i].path));
}

}  // namespace armilla::io
