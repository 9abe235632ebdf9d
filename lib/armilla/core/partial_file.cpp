#include <armilla/core/error.hpp>
#include <armilla/core/own_files.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/core/special_file.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <random>
#include <string_view>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kPrefix = ".armilla-";
constexpr std::string_view kEnding = ".partial";
constexpr int kMaxLinks = 40;  // length of a chain, as in the Linux kernel
constexpr std::size_t kHashDigits = 16;
// Folder, separator, and the longest name of a partial file must fit in PATH_MAX, which includes the terminating null.
constexpr std::size_t kMaxFolderBytes =
    PATH_MAX - 2 - (kPrefix.size() + kHashDigits + 1 + kHashDigits + kEnding.size());

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw InputError(fmt::format("'{}' cannot be written: {}", path, reason));
}

// pathconf() fails or returns -1 if the file system has no limit.
std::size_t longest_name(const std::string& folder) {
  const long longest = ::pathconf(folder.c_str(), _PC_NAME_MAX);
  return longest > 0 ? static_cast<std::size_t>(longest) : NAME_MAX;
}

void check_lengths(const std::string& path, const std::string& target) {
  const std::string folder = folder_of(target);
  if (folder.size() > kMaxFolderBytes)
    refuse(path, fmt::format("the path of its folder has {} bytes, but at most {} are supported: use a shorter "
                             "path, or run from a folder closer to the output and use a relative path",
                             folder.size(), kMaxFolderBytes));
  const std::size_t bytes = fs::path(target).filename().string().size();
  const std::size_t most = longest_name(folder);
  if (bytes > most)
    refuse(path, fmt::format("its name has {} bytes, but the file system allows {}: use a shorter name", bytes, most));
}

// The mode of a path, following links; std::nullopt if it does not exist.
std::optional<mode_t> mode_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_mode;
}

// Whether the kept file exists. Refuses what no run has left there: links, folders, FIFOs, devices.
bool is_kept_there(const std::string& kept) {
  struct stat status {};
  if (::lstat(kept.c_str(), &status) != 0) return false;
  if (S_ISREG(status.st_mode)) return true;
  throw InputError(fmt::format("'{}', in which a run keeps unfinished results, is {}: remove it", kept,
                               S_ISLNK(status.st_mode) ? "a symbolic link" : special_kind(status.st_mode)));
}

std::optional<std::string> link_target(const std::string& path) {
  std::error_code error;
  const fs::path to = fs::read_symlink(path, error);
  if (error) return std::nullopt;
  return to.is_absolute() ? to.string() : (fs::path(path).parent_path() / to).string();
}

void check_folder(const std::string& path, const std::string& folder) {
  const auto mode = mode_of(folder);
  if (mode && !S_ISDIR(*mode)) refuse(path, fmt::format("'{}' is not a folder: write to another folder", folder));
  if (mode) return;
  if (errno == ENOENT)
    refuse(path, fmt::format("the folder '{}' does not exist: create it or write to another one", folder));
  refuse(path, fmt::format("the folder '{}' cannot be used ({}): check the path, or write to another one", folder,
                           std::strerror(errno)));
}

std::string unique_name(const std::string& mark) {
  std::random_device random;
  const std::uint64_t number = (static_cast<std::uint64_t>(random()) << 32) | random();
  return fmt::format("{}{}{}{:016x}{}", kPrefix, mark, mark.empty() ? "" : "-", number, kEnding);
}

[[noreturn]] void throw_cannot_create(const std::string& path, const std::string& folder, int error) {
  constexpr std::array kOfResources{ENOSPC, EDQUOT, EMFILE, ENFILE, EIO, ENOMEM};
  for (const int resource : kOfResources)
    if (error == resource) throw ResourceError(write_error_text(path, error));
  refuse(path, fmt::format("the folder '{}' is not writable ({}): change its permissions or write to another one",
                           folder, std::strerror(error)));
}

void close_file(int descriptor) {
  if (descriptor >= 0) ::close(descriptor);
}

}  // namespace

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) ::fsync(descriptor);
  close_file(descriptor);
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string output_target(const std::string& path) {
  const auto mode = mode_of(path);
  if (!fs::path(path).has_filename() || (mode && S_ISDIR(*mode))) refuse(path, "it is a folder: specify a file name");
  if (mode && !S_ISREG(*mode))
    refuse(path, fmt::format("it is {}, which the output would replace: specify a regular file", special_kind(*mode)));
  std::string target = path;
  int links = 0;
  for (auto next = link_target(target); next; next = link_target(target)) {
    if (++links > kMaxLinks) refuse(path, "its symbolic links form a loop: remove them or use another path");
    target = *next;
  }
  check_lengths(path, target);
  check_folder(path, folder_of(target));
  return target;
}

PartialFile::PartialFile(const OutputPath& output)
    : output_(output.path), target_(output_target(output.path)), kept_(output.kept) {
  if (!kept_.empty() && is_kept_there(kept_)) {
    partial_ = kept_;
    is_kept_ = true;
    continued_ = true;
    return;
  }
  const std::string folder = folder_of(target_);
  int file = -1;
  const std::lock_guard guard(own_files().lock);
  do {
    partial_ = (fs::path(folder) / unique_name(output.mark)).string();
    file = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (file < 0 && (errno == EEXIST || errno == EINTR));
  if (file < 0) throw_cannot_create(output_, folder, errno);
  close_file(file);
  own_files().paths.insert(partial_);
}

PartialFile::~PartialFile() {
  if (published_ || is_kept_) return;
  discard();
}

void PartialFile::discard() {
  ::unlink(partial_.c_str());
  const std::lock_guard guard(own_files().lock);
  own_files().paths.erase(partial_);
}

namespace {

// The content of a file must reach the disk before its new name does.
void sync_file(const std::string& file, const std::string& output) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw ResourceError(write_error_text(output, errno));
  const int failed = ::fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  if (failed != 0) throw ResourceError(write_error_text(output, failed));
}

}  // namespace

void PartialFile::keep() {
  sync_file(partial_, output_);
  const std::lock_guard guard(own_files().lock);
  // link() fails if another process was faster; on file systems without links, rename() is used.
  const bool linked = ::link(partial_.c_str(), kept_.c_str()) == 0;
  if (linked || errno == EEXIST) {
    continued_ = !linked;
    ::unlink(partial_.c_str());
  } else if (std::rename(partial_.c_str(), kept_.c_str()) != 0) {
    throw ResourceError(write_error_text(output_, errno));
  }
  own_files().paths.erase(partial_);
  partial_ = kept_;
  is_kept_ = true;
  sync_folder(folder_of(kept_));
}

void PartialFile::publish() {
  rename_to_target();
  // The new name must reach the disk as well. If the folder cannot be synced, the file is complete nevertheless.
  sync_folder(folder_of(target_));
}

void PartialFile::rename_to_target() {
  const std::lock_guard guard(own_files().lock);
  if (std::rename(partial_.c_str(), target_.c_str()) != 0) {
    if (errno == ENOENT)
      throw ResourceError(
          fmt::format("'{}' cannot be written: its partial file '{}' was removed by another program: run again",
                      output_, partial_));
    throw ResourceError(write_error_text(output_, errno));
  }
  published_ = true;
  own_files().paths.erase(partial_);
}

int remove_partial_files(const std::string& folder, const std::string& mark, double min_age) {
  const std::string prefix = fmt::format("{}{}-", kPrefix, mark);
  const auto is_old = [&](const fs::directory_entry& entry) {
    std::error_code error;
    const auto written = entry.last_write_time(error);
    return min_age <= 0 ||
           (!error && std::chrono::duration<double>(fs::file_time_type::clock::now() - written).count() >= min_age);
  };
  int removed = 0;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(kEnding) && is_old(*entry) && ::unlink(entry->path().c_str()) == 0)
      ++removed;
  }
  return removed;
}

std::string write_error_text(const std::string& path, int error_number) {
  switch (error_number) {
    case ENOSPC:
      return fmt::format("'{}' cannot be written: the disk is full: free space or write to another disk", path);
    case EDQUOT:
      return fmt::format("'{}' cannot be written: the disk quota is exceeded: free space or write to another disk",
                         path);
    case EFBIG:
      return fmt::format(
          "'{}' cannot be written: it would exceed the file size limit (ulimit -f, or that of the file system): raise "
          "the limit or write to another disk",
          path);
    default:
      break;
  }
  return fmt::format("'{}' cannot be written ({}): check the disk or write to another one", path,
                     std::strerror(error_number));
}

}  // namespace armilla::core
