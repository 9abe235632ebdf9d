#include <armilla/core/error.hpp>
#include <armilla/io/placed_writer.hpp>

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace armilla::io {

PlacedWriter::~PlacedWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlacedWriter::open(const AtomicFile& file) {
  name_ = file.path();
  descriptor_ = ::open(file.partial_path().c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor_ < 0)
    throw core::ResourceError(
        fmt::format("output '{}': a rank does not see the file that rank 0 made (errno {}): write to a folder that "
                    "all nodes share",
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

void PlacedWriter::read(Index position, void* data, Index bytes) const {
  auto* next = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pread(descriptor_, next, static_cast<std::size_t>(bytes), static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw core::ResourceError(fmt::format("'{}' cannot be read again: check the disk", name_));
    next += done;
    position += done;
    bytes -= done;
  }
}

}  // namespace armilla::io
