#include <armilla/core/error.hpp>
#include <armilla/io/same_file.hpp>

#include <array>

#include <fmt/format.h>

namespace armilla::io {

namespace {

using core::Index;

constexpr std::size_t kMembers = 3;

}  // namespace

std::vector<bool> same_on_all_ranks(const comm::Communicator& comm, std::span<const core::FileState> seen) {
  const bool on_one_node = comm.node_rank().ranks == comm.size();
  // The largest and the smallest of each number over the ranks, from one reduction.
  std::vector<Index> most;
  for (const core::FileState& one : seen)
    for (const Index number : std::array<Index, kMembers>{one.stamp.size, one.stamp.mtime, on_one_node ? one.inode : 0})
      most.insert(most.end(), {number, -number});
  comm.max(std::span<Index>(most));
  std::vector<bool> same;
  for (std::size_t file = 0; file < seen.size(); ++file) {
    bool alike = true;
    for (std::size_t i = 2 * kMembers * file; i < 2 * kMembers * (file + 1); i += 2) alike &= most[i] == -most[i + 1];
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
