#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/atomic_file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::io {

namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }

 private:
  int number_;
};

[[noreturn]] void throw_write_error(const std::string& path, int error_number) {
  throw core::ResourceError(write_error_text(path, error_number));
}

// Not posix_fallocate: where the file system cannot reserve, that writes into every block, which is slow over a
// network. Such file systems are left alone: a full disk is then met while writing.
void allocate(int file, const std::string& path, Index bytes) {
  if (bytes == 0) return;
  int status = 0;
  do status = ::fallocate(file, 0, 0, static_cast<off_t>(bytes));
  while (status != 0 && errno == EINTR);
  if (status != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) throw_write_error(path, errno);
}

}  // namespace

std::string write_error_text(const std::string& path, int error_number) {
  switch (error_number) {
    case ENOSPC:
      return fmt::format("'{}' cannot be written: the disk is full; free space or write elsewhere", path);
    case EDQUOT:
      return fmt::format("'{}' cannot be written: the disk quota is used up; free space or write elsewhere", path);
    case EFBIG:
      return fmt::format(
          "'{}' cannot be written: it would exceed the largest file size allowed here (ulimit -f, or the file system's "
          "limit); raise it or write elsewhere",
          path);
    default:
      break;
  }
  return fmt::format("'{}' cannot be written ({}): check the disk and write elsewhere", path,
                     std::strerror(error_number));
}

AtomicFile::AtomicFile(const comm::Communicator& comm, std::string path) : comm_(comm), path_(std::move(path)) {
  const std::filesystem::path target(path_);
  folder_ = target.has_parent_path() ? target.parent_path().string() : ".";
  partial_ = (std::filesystem::path(folder_) / fmt::format(".{}.partial", target.filename().string())).string();
  comm::phase(comm_, [&] {
    if (!comm_.is_root()) return;
    std::error_code ignored;
    if (!target.has_filename() || std::filesystem::is_directory(target, ignored))
      throw core::InputError(fmt::format("output '{}' is a folder: give the name of a file", path_));
    if (!std::filesystem::is_directory(folder_, ignored))
      throw core::InputError(
          fmt::format("output '{}': the folder '{}' does not exist: create it or write elsewhere", path_, folder_));
    const Descriptor file(partial_, O_RDWR | O_CREAT | O_TRUNC);
    if (file.get() < 0)
      throw core::ResourceError(
          fmt::format("output '{}': the folder '{}' is not writable ({}): change its permissions or write elsewhere",
                      path_, folder_, std::strerror(errno)));
  });
}

AtomicFile::~AtomicFile() {
  if (!committed_ && comm_.is_root()) ::unlink(partial_.c_str());
}

void AtomicFile::check_space(Index bytes) const {
  const Descriptor file(partial_, O_RDWR);
  if (file.get() < 0) throw_write_error(path_, errno);
  allocate(file.get(), path_, bytes);
  if (::ftruncate(file.get(), 0) != 0) throw_write_error(path_, errno);
}

void AtomicFile::reserve() const {
  const Descriptor file(partial_, O_RDWR);
  struct stat status {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) throw_write_error(path_, errno);
  allocate(file.get(), path_, static_cast<Index>(status.st_size));
}

void AtomicFile::commit() {
  comm::phase(comm_, [&] {
    const Descriptor file(partial_, O_RDWR);
    if (file.get() < 0 || ::fsync(file.get()) != 0) throw_write_error(path_, errno);
  });
  comm::phase(comm_, [&] {
    if (!comm_.is_root()) return;
    if (std::rename(partial_.c_str(), path_.c_str()) != 0) throw_write_error(path_, errno);
    committed_ = true;
    // The new name itself has to reach the disk; not all file systems can sync a folder, and then nothing is lost by
    // it.
    const Descriptor folder(folder_, O_RDONLY | O_DIRECTORY);
    if (folder.get() >= 0) ::fsync(folder.get());
  });
  committed_ = true;
}

}  // namespace armilla::io
