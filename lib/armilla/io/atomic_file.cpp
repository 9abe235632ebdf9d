#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/atomic_file.hpp>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace armilla::io {

namespace {

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(::open(path.c_str(), flags | O_CLOEXEC)) {}
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
  throw core::ResourceError(core::write_error_text(path, error_number));
}

// posix_fallocate is not used: on file systems without reservation it writes to every block, which is slow over a
// network. On those file systems nothing is reserved, and a full disk is detected while writing.
void allocate(int file, const std::string& path, Index bytes) {
  if (bytes == 0) return;
  int status = 0;
  do status = ::fallocate(file, 0, 0, static_cast<off_t>(bytes));
  while (status != 0 && errno == EINTR);
  if (status != 0 && errno != EOPNOTSUPP && errno != ENOSYS && errno != EINVAL) throw_write_error(path, errno);
}

}  // namespace

AtomicFile::AtomicFile(const comm::Communicator& comm, core::OutputPath output)
    : comm_(comm), path_(output.path), kept_(output.kept), first_writer_(output.first_writer) {
  comm::phase(comm_, [&] {
    if (comm_.is_root()) made_.emplace(output);
  });
  partial_ = comm_.broadcast(made_ ? made_->path() : std::string());
  if (!kept_.empty() && !comm_.is_root()) partial_ = kept_;
}

void AtomicFile::keep() {
  if (kept_.empty() || made_->is_continued()) return;
  made_->keep();
  partial_ = made_->path();
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

void AtomicFile::sync() const {
  comm::phase(comm_, [&] {
    const Descriptor file(partial_, O_RDWR);
    if (file.get() < 0 || ::fsync(file.get()) != 0) throw_write_error(path_, errno);
  });
}

void AtomicFile::publish() { made_->publish(); }

void AtomicFile::discard() { made_->discard(); }

void AtomicFile::commit() {
  sync();
  comm::phase(comm_, [&] {
    if (comm_.is_root()) publish();
  });
}

}  // namespace armilla::io
