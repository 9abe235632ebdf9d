#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/io/file_probe.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

namespace armilla::io {

Index file_size(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) throw core::InputError(fmt::format("'{}': its size cannot be read ({})", path, error.message()));
  return static_cast<Index>(size);
}

std::string file_head(const std::string& path, Index count) {
  const core::InputFile file(path);
  std::string head(static_cast<std::size_t>(count), '\0');
  head.resize(static_cast<std::size_t>(file.read_some(0, head)));
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

void throw_changed(const std::string& path) {
  throw core::InputError(fmt::format("'{}' has changed since its header was read: run again", path));
}

}  // namespace armilla::io
