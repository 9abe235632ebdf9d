#include <armilla/core/available_memory.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/io/file_kinds.hpp>
#include <armilla/io/fits_contents.hpp>
#include <armilla/io/fits_structure.hpp>
#include <armilla/io/fits_tables_unpacked.hpp>
#include <armilla/io/gzip.hpp>

#include <fmt/format.h>

namespace armilla::io {

namespace {

/// What the processes of a node call the contents of this version of a file.
std::string contents_key(const std::string& path) {
  const core::FileState state = core::state_of(path);
  return fmt::format("{}:{}:{}:{}", state.device, state.inode, state.stamp.size, state.stamp.mtime);
}

Index most_bytes(std::optional<Index> memory_limit) {
  if (!memory_limit) memory_limit = core::environment_memory_limit();
  return (memory_limit ? *memory_limit : core::min_bytes(core::memory_bounds())) / 2;
}

}  // namespace

std::shared_ptr<const core::NodeFile> fits_contents(const std::string& path, std::optional<Index> memory_limit) {
  std::shared_ptr<const core::NodeFile> contents;
  if (is_gzip(path))
    contents = core::NodeFile::acquire(
        contents_key(path), [&](int descriptor) { inflate_gzip(path, most_bytes(memory_limit), descriptor); });
  const std::string& inflated = contents ? contents->path() : path;
  const Index unpacked_bytes = check_fits_structure(inflated, path).unpacked_bytes;
  if (unpacked_bytes == 0) return contents;
  return core::NodeFile::acquire(contents_key(path) + ":tables", [&](int descriptor) {
    if (unpacked_bytes > most_bytes(memory_limit))
      throw core::ResourceError(fmt::format(
          "'{}' has compressed tables of {}, but compressed files may take {} of memory: run funpack on it, "
          "or raise the memory limit",
          path, core::readable_bytes(unpacked_bytes), core::readable_bytes(most_bytes(memory_limit))));
    unpack_fits_tables(inflated, path, descriptor);
  });
}

std::shared_ptr<const core::NodeFile> inflated_contents(const std::string& path, std::optional<Index> memory_limit) {
  return is_fits(path) ? fits_contents(path, memory_limit) : nullptr;
}

}  // namespace armilla::io
