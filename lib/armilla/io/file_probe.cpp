#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/special_file.hpp>
#include <armilla/io/file_probe.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::io {

void check_readable(const std::string& path) {
  const auto refuse = [&](int error) {
    throw core::InputError(fmt::format("'{}' cannot be opened for reading ({}): check the path and its permissions",
                                       path, std::strerror(error)));
  };
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) refuse(errno);
  // Checked before opening, because opening a FIFO blocks until it has a writer.
  if (const std::string_view kind = core::special_kind(status.st_mode); !kind.empty())
    throw core::InputError(
        fmt::format("'{}' cannot be read: it is {}: specify the path of a regular file", path, kind));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) refuse(errno);
  ::close(file);
}

Index file_size(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw core::InputError(fmt::format("'{}': its size cannot be read ({})", path, error.message()));
  return static_cast<Index>(size);
}

std::string file_head(const std::string& path, Index count) {
  check_readable(path);
  std::string head(static_cast<std::size_t>(count), '\0');
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(count));
  if (!file.is_open() || file.bad()) throw core::ResourceError(core::read_error_text(fmt::format("'{}'", path), errno));
  head.resize(static_cast<std::size_t>(file.gcount()));
  return head;
}

bool is_text(const std::string& bytes) {
  return std::ranges::all_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isprint(byte) || std::isspace(byte);
  });
}

std::string name_ending(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

}  // namespace armilla::io
