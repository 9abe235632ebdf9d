#include <armilla/core/cache.hpp>
#include <armilla/core/error.hpp>
#include <armilla/core/node_file.hpp>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::core {

namespace {

/// What the meeting point of a key tells: where the contents are open, and which file they must be.
struct Holder {
  Index process = 0;
  Index descriptor = 0;
  Index device = 0;
  Index inode = 0;
};

/// An open file, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

struct stat status_of(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0)
    throw ResourceError(fmt::format("a file in memory cannot be used ({})", std::strerror(errno)));
  return status;
}

/// The meeting point, locked; -1 if there is none, for lack of permission or of the folder.
int open_locked(const std::string& path) {
  while (true) {
    Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (file.get() < 0) return -1;
    int result = 0;
    do result = ::flock(file.get(), LOCK_EX);
    while (result != 0 && errno == EINTR);
    const struct stat status = status_of(file.get());
    if (result != 0 || status.st_uid != ::getuid() || !S_ISREG(status.st_mode)) return -1;
    if (status.st_nlink > 0) return file.release();  // otherwise its holder has removed it
  }
}

std::optional<Holder> read_holder(int meeting_point) {
  Holder holder;
  if (::pread(meeting_point, &holder, sizeof(holder), 0) != sizeof(holder)) return std::nullopt;
  return holder;
}

/// The contents of a holder; -1 if it no longer has them, or cannot be seen from here.
int open_from(const Holder& holder) {
  const std::string path = fmt::format("/proc/{}/fd/{}", holder.process, holder.descriptor);
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return -1;
  const struct stat status = status_of(file.get());
  const bool is_same =
      static_cast<Index>(status.st_dev) == holder.device && static_cast<Index>(status.st_ino) == holder.inode;
  return is_same && S_ISREG(status.st_mode) ? file.release() : -1;
}

}  // namespace

std::shared_ptr<const NodeFile> NodeFile::acquire(const std::string& key, const Fill& fill) {
  const std::string meeting_point =
      fmt::format("/dev/shm/.armilla-{}-{:016x}", ::getuid(), fnv1a(key.data(), key.size()));
  const Descriptor meeting(open_locked(meeting_point));
  if (meeting.get() >= 0)
    if (const auto holder = read_holder(meeting.get()))
      if (const int found = open_from(*holder); found >= 0)
        return std::shared_ptr<const NodeFile>(new NodeFile(found, ""));
  Descriptor file(::memfd_create("armilla", MFD_CLOEXEC));
  if (file.get() < 0) throw ResourceError(fmt::format("no file in memory can be created ({})", std::strerror(errno)));
  try {
    fill(file.get());
  } catch (...) {
    if (meeting.get() >= 0) ::unlink(meeting_point.c_str());
    throw;
  }
  const struct stat status = status_of(file.get());
  const int descriptor = file.release();
  const Holder holder{::getpid(), descriptor, static_cast<Index>(status.st_dev), static_cast<Index>(status.st_ino)};
  const bool is_shared = meeting.get() >= 0 && ::pwrite(meeting.get(), &holder, sizeof(holder), 0) == sizeof(holder);
  return std::shared_ptr<const NodeFile>(new NodeFile(descriptor, is_shared ? meeting_point : ""));
}

NodeFile::NodeFile(int descriptor, std::string meeting_point)
    : descriptor_(descriptor),
      path_(fmt::format("/proc/self/fd/{}", descriptor)),
      meeting_point_(std::move(meeting_point)),
      bytes_(static_cast<Index>(status_of(descriptor).st_size)) {}

NodeFile::~NodeFile() {
  if (!meeting_point_.empty()) {
    const Descriptor meeting(open_locked(meeting_point_));
    const auto holder = meeting.get() < 0 ? std::nullopt : read_holder(meeting.get());
    if (!holder || (holder->process == ::getpid() && holder->descriptor == descriptor_))
      ::unlink(meeting_point_.c_str());
  }
  ::close(descriptor_);
}

}  // namespace armilla::core
