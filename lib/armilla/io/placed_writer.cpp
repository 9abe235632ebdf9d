#include <armilla/core/error.hpp>
#include <armilla/io/placed_writer.hpp>

#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace armilla::io {

void write_bytes_at(int descriptor, Index position, const void* data, Index bytes, const std::string& name) {
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::pwrite(descriptor, next, static_cast<std::size_t>(bytes), static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw core::ResourceError(write_error_text(name, done < 0 ? errno : ENOSPC));
    next += done;
    position += done;
    bytes -= done;
  }
}

PlacedWriter::~PlacedWriter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void PlacedWriter::open(const AtomicFile& file) {
  name_ = file.path();
  descriptor_ = ::open(file.partial_path().c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw core::ResourceError(
        fmt::format("output '{}': a rank does not see the file that rank 0 made (errno {}): write to a folder that "
                    "all nodes share",
                    name_, errno));
}

void PlacedWriter::write(Index position, const void* data, Index bytes) const {
  write_bytes_at(descriptor_, position, data, bytes, name_);
}

}  // namespace armilla::io
