#include <armilla/core/error.hpp>
#include <armilla/core/read_file.hpp>
#include <armilla/core/special_file.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace {

// A folder, device, FIFO or socket. Files whose kind is not known count as regular, so that reading them fails.
bool is_special(const std::filesystem::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !special_kind(status.st_mode).empty();
}

}  // namespace

bool FileText::is_missing() const { return error == ENOENT || error == ENOTDIR; }

FileText read_file(const std::string& path) {
  int file = -1;
  // Does not wait for a writer of a FIFO.
  do file = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  while (file < 0 && errno == EINTR);
  if (file < 0) return {{}, errno};
  struct stat status {};
  // A device may have no end. Folders fail to be read.
  if (::fstat(file, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
    ::close(file);
    return {{}, EINVAL};
  }
  FileText result;
  std::array<char, 16384> part;
  for (;;) {
    const ssize_t bytes = ::read(file, part.data(), part.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) result = {{}, errno};
    if (bytes <= 0) break;
    result.text.append(part.data(), static_cast<std::size_t>(bytes));
  }
  ::close(file);
  return result;
}

std::string read_file_if_there(const std::string& path, const std::string& what) {
  FileText file = read_file(path);
  if (file.error != 0 && !file.is_missing()) throw ResourceError(read_error_text(what, file.error));
  return std::move(file.text);
}

FolderFiles files_in(const std::string& folder, const std::string& ending) {
  namespace fs = std::filesystem;
  FolderFiles files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().ends_with(ending) && !is_special(entry->path()))
      files.paths.push_back(entry->path().string());
  if (error && error != std::errc::no_such_file_or_directory) files.error = error.value();
  std::ranges::sort(files.paths);
  return files;
}

std::vector<std::string> readable_files_in(const std::string& folder, const std::string& ending) {
  FolderFiles files = files_in(folder, ending);
  if (files.error != 0) throw ResourceError(read_error_text(fmt::format("folder '{}'", folder), files.error));
  return std::move(files.paths);
}

std::string read_error_text(const std::string& what, int error_number) {
  const char* const advice = error_number == EACCES || error_number == EPERM ? "its permissions" : "the disk";
  return fmt::format("{} cannot be read ({}): check {}", what, std::strerror(error_number), advice);
}

}  // namespace armilla::core
