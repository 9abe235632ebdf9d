#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/atomic_file.hpp>

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace armilla::io {

namespace {

[[noreturn]] void throw_write_error(const std::string& path, int error_number) {
  throw core::ResourceError(core::write_error_text(path, error_number));
}

// A partial file that is open for writing. `name` is the output, for messages.
class Descriptor {
 public:
  Descriptor(const std::string& partial, const std::string& name)
      : name_(name), number_(::open(partial.c_str(), O_RDWR | O_CLOEXEC)) {
    check(number_);
  }
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return number_; }
  // Throws ResourceError for the status of a failed call.
  void check(int status) const {
    if (status < 0) throw_write_error(name_, errno);
  }
  // Some file systems report lost data here.
  void close() {
    if (::close(std::exchange(number_, -1)) != 0 && errno != EINTR) throw_write_error(name_, errno);
  }

 private:
  const std::string& name_;
  int number_;
};

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
  Descriptor file(partial_, path_);
  allocate(file.get(), path_, bytes);
  file.check(::ftruncate(file.get(), 0));
  file.close();
}

void AtomicFile::reserve(Index bytes) const {
  Descriptor file(partial_, path_);
  file.check(::ftruncate(file.get(), static_cast<off_t>(bytes)));
  allocate(file.get(), path_, bytes);
  file.close();
}

void AtomicFile::sync() const {
  comm::phase(comm_, [&] {
    Descriptor file(partial_, path_);
    file.check(::fsync(file.get()));
    file.close();
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
