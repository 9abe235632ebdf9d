#include <armilla/core/error.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/job/journal/journal_writer.hpp>
#include <armilla/job/parse/json_text.hpp>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace armilla::job {

namespace {

[[noreturn]] void throw_journal(const std::string& path, int error) {
  if (error == EACCES || error == EPERM || error == EROFS)
    throw core::InputError(
        fmt::format("cannot write journal '{}' ({}): make its folder writable, or write the outputs elsewhere", path,
                    std::strerror(error)));
  throw core::ResourceError(core::write_error_text(path, error));
}

struct flock whole_file(short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  return lock;
}

}  // namespace

JournalWriter::JournalWriter(std::string path, const nlohmann::json& first) : path_(std::move(path)) {
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
  if (file_ < 0) throw_journal(path_, errno);
  struct flock lock = whole_file(F_WRLCK);
  // On failure, other runs do not detect that this run is alive.
  [[maybe_unused]] const int locked = ::fcntl(file_, F_OFD_SETLK, &lock);
  try {
    append(first);
  } catch (...) {
    ::unlink(path_.c_str());
    ::close(file_);
    throw;
  }
  core::sync_folder(core::folder_of(path_));
}

JournalWriter::~JournalWriter() { ::close(file_); }

void JournalWriter::append(const nlohmann::json& line) { append(std::vector<nlohmann::json>{line}); }

void JournalWriter::append(const std::vector<nlohmann::json>& lines) {
  std::string text;
  for (const auto& line : lines) text += json_text(line) + "\n";
  const std::lock_guard guard(lock_);
  const off_t before = ::lseek(file_, 0, SEEK_END);
  // Lines must not be appended after a torn line, and lines that may not have reached the disk must not count.
  const auto fail = [&](int error) {
    [[maybe_unused]] const int cut = ::ftruncate(file_, before);
    throw_journal(path_, error);
  };
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t bytes = ::write(file_, text.data() + written, text.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) fail(bytes < 0 ? errno : ENOSPC);
    written += static_cast<std::size_t>(bytes);
  }
  if (::fdatasync(file_) != 0) fail(errno);
}

void JournalWriter::remove() { ::unlink(path_.c_str()); }

bool is_locked(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  struct flock lock = whole_file(F_WRLCK);
  const bool is_held = ::fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
  ::close(file);
  return is_held;
}

}  // namespace armilla::job
