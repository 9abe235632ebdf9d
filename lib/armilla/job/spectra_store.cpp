#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/placed_writer.hpp>
#include <armilla/job/spectra_store.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace armilla::job {

SpectraStore::SpectraStore(const comm::Communicator& comm, const std::string& output, Index maps, Index spectra,
                           Index lmax)
    : owns_(comm.is_root()), maps_(maps), spectra_(spectra), lmax_(lmax) {
  const std::filesystem::path target(output);
  path_ = (target.parent_path() / fmt::format(".{}.spectra.partial", target.filename().string())).string();
  for (const bool makes : {true, false})
    comm::phase(comm, [&] {
      if (owns_ != makes) return;
      descriptor_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | (makes ? O_CREAT | O_TRUNC : 0), 0666);
      if (descriptor_ < 0)
        throw core::ResourceError(
            fmt::format("'{}', for spectra until their statistics are taken, cannot be opened on all ranks ({}): write "
                        "to a folder that all nodes share",
                        path_, std::strerror(errno)));
    });
}

SpectraStore::~SpectraStore() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (owns_) ::unlink(path_.c_str());
}

void SpectraStore::put(Index map, const alm::SpectraTable& table) {
  const Index bytes = (lmax_ + 1) * static_cast<Index>(sizeof(double));
  for (Index s = 0; s < spectra_; ++s)
    io::write_bytes_at(descriptor_, (map * spectra_ + s) * bytes, table.columns[static_cast<std::size_t>(s)].data(),
                       bytes, path_);
}

void SpectraStore::get(Index map, Index spectrum, std::span<double> values) const {
  Index bytes = (lmax_ + 1) * static_cast<Index>(sizeof(double));
  Index position = (map * spectra_ + spectrum) * bytes;
  auto* next = reinterpret_cast<char*>(values.data());
  while (bytes > 0) {
    const ssize_t done = ::pread(descriptor_, next, static_cast<std::size_t>(bytes), static_cast<off_t>(position));
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) throw core::ResourceError(fmt::format("'{}' cannot be read: check the disk", path_));
    next += done;
    position += done;
    bytes -= done;
  }
}

}  // namespace armilla::job
