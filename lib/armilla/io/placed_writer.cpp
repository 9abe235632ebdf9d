#include <armilla/core/error.hpp>
#include <armilla/io/placed_writer.hpp>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace armilla::io {

namespace {

constexpr Index kBehindAllData = Index{1} << 62;

int open_partial(const AtomicFile& file, int flags) {
  int descriptor = -1;
  do descriptor = ::open(file.partial_path().c_str(), flags | O_CLOEXEC);
  while (descriptor < 0 && errno == EINTR);
  if (descriptor < 0 && errno != ENOENT && errno != ESTALE)
    throw core::ResourceError(core::write_error_text(file.path(), errno));
  if (descriptor < 0)
    throw core::ResourceError(
        fmt::format("output '{}': a rank does not see the file that rank 0 created (errno {}): write to a folder "
                    "shared by all nodes",
                    file.path(), errno));
  return descriptor;
}

bool lock_own_byte(int descriptor, int rank) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(kBehindAllData + rank);
  lock.l_len = 1;
  int status = 0;
  do status = ::fcntl(descriptor, F_OFD_SETLK, &lock);
  while (status != 0 && errno == EINTR);
  return status == 0;
}

bool is_on_nfs(int descriptor) {
  struct statfs status {};
  return ::fstatfs(descriptor, &status) == 0 && status.f_type == NFS_SUPER_MAGIC;
}

}  // namespace

PlacedWriter::~PlacedWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlacedWriter::open(const AtomicFile& file, int writers) {
  name_ = file.path();
  descriptor_ = open_partial(file, O_WRONLY);
  const bool is_shared = writers > 1 || file.first_writer() > 0;
  if (is_shared && !lock_own_byte(descriptor_, file.first_writer() + file.comm().rank()) && is_on_nfs(descriptor_))
    throw core::ResourceError(
        fmt::format("output '{}': this NFS file system has no file locks (errno {}), and without them nodes overwrite "
                    "each other's data: mount it with locks, write to another file system, or use one rank",
                    name_, errno));
}

void PlacedWriter::write(Index position, const void* data, Index bytes) const {
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pwrite(descriptor_, next, static_cast<std::size_t>(bytes), static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw core::ResourceError(core::write_error_text(name_, done < 0 ? errno : ENOSPC));
    next += done;
    position += done;
    bytes -= done;
  }
}

void PlacedWriter::sync() const {
  if (descriptor_ >= 0 && ::fdatasync(descriptor_) != 0)
    throw core::ResourceError(core::write_error_text(name_, errno));
}

void PlacedWriter::finish() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0) return;
  const int unsynced = ::fsync(descriptor) != 0 ? errno : 0;
  const int unclosed = ::close(descriptor) != 0 && errno != EINTR ? errno : 0;
  if (unsynced != 0 || unclosed != 0)
    throw core::ResourceError(core::write_error_text(name_, unsynced != 0 ? unsynced : unclosed));
}

PlacedReader::~PlacedReader() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlacedReader::open(const AtomicFile& file) {
  name_ = file.path();
  descriptor_ = open_partial(file, O_RDONLY);
}

void PlacedReader::read(Index position, void* data, Index bytes) const {
  auto* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pread(descriptor_, next, static_cast<std::size_t>(bytes), static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw core::ResourceError(fmt::format("'{}' cannot be read back: check the disk", name_));
    next += done;
    position += done;
    bytes -= done;
  }
}

}  // namespace armilla::io
