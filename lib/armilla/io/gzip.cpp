#include <armilla/core/error.hpp>
#include <armilla/core/input_file.hpp>
#include <armilla/core/machine.hpp>
#include <armilla/io/file_probe.hpp>
#include <armilla/io/gzip.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

namespace armilla::io {

namespace {

constexpr unsigned kBufferBytes = 1 << 20;

/// A file that is inflated from its beginning.
class Gzip {
 public:
  explicit Gzip(const std::string& path) : path_(path) {
    core::check_readable(path);
    file_.reset(::gzopen(path.c_str(), "rbe"));
    if (!file_) throw core::ResourceError(fmt::format("'{}' cannot be inflated ({})", path, std::strerror(errno)));
    ::gzbuffer(file_.get(), kBufferBytes);
  }

  /// Fills `out` up to the end of the contents; returns the number of bytes.
  std::size_t read(std::span<char> out) {
    std::size_t done = 0;
    while (done < out.size()) {
      const auto wanted = static_cast<unsigned>(std::min<std::size_t>(out.size() - done, kBufferBytes));
      const int bytes = ::gzread(file_.get(), out.data() + done, wanted);
      if (bytes <= 0) break;
      done += static_cast<std::size_t>(bytes);
    }
    int status = Z_OK;
    const char* const reason = ::gzerror(file_.get(), &status);
    if (status == Z_ERRNO)
      throw core::ResourceError(fmt::format("'{}' cannot be read ({})", path_, std::strerror(errno)));
    if (status != Z_OK && status != Z_STREAM_END)
      throw core::InputError(
          fmt::format("'{}' is truncated or damaged, so it cannot be inflated (gzip: {}): download or copy it again",
                      path_, reason));
    return done;
  }

 private:
  struct Closer {
    void operator()(gzFile file) const { ::gzclose_r(file); }
  };
  std::string path_;
  std::unique_ptr<gzFile_s, Closer> file_;
};

}  // namespace

bool is_gzip(const std::string& path) { return file_head(path, 2) == "\x1f\x8b"; }

std::string gzip_head(const std::string& path, Index count) {
  std::string head(static_cast<std::size_t>(count), '\0');
  head.resize(Gzip(path).read(head));
  return head;
}

void inflate_gzip(const std::string& path, Index most, int descriptor) {
  Gzip file(path);
  std::vector<char> buffer(kBufferBytes);
  Index all = 0;
  while (const std::size_t bytes = file.read(buffer)) {
    all += static_cast<Index>(bytes);
    if (all > most)
      throw core::ResourceError(
          fmt::format("'{}' inflates to more than {}, the memory that compressed files may take: run gunzip on it, or "
                      "raise the memory limit",
                      path, core::readable_bytes(most)));
    write_contents(descriptor, std::span(buffer).first(bytes), path);
  }
}

void write_contents(int descriptor, std::span<const char> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw core::ResourceError(
          fmt::format("the contents of '{}' do not fit in memory ({}): run gunzip on it", path, std::strerror(errno)));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace armilla::io
