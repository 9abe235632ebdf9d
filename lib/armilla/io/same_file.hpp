#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/input_file.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Collective. Whether all ranks have opened the same file, for each of the files: their sizes and modification times
/// agree, and their inodes if all ranks are on one node. The result is the same on all ranks.
std::vector<bool> same_on_all_ranks(const comm::Communicator& comm, std::span<const core::FileState> seen);

/// Collective. Throws InputError on all ranks unless they have opened the same files. All ranks pass as many files.
void check_same_on_all_ranks(const comm::Communicator& comm, std::span<const core::SeenFile> files);

/// The error for a file that differs between ranks.
std::string different_file_text(const std::string& path);

}  // namespace armilla::io
