#include <armilla/comm/phase.hpp>
#include <armilla/core/error.hpp>
#include <armilla/io/checksum.hpp>
#include <armilla/job/campaign/spectra_file.hpp>
#include <armilla/job/plan/plan.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

#include <fmt/format.h>

namespace armilla::job {

SpectraFile::SpectraFile(const comm::Communicator& comm, const core::OutputPath& output, Index maps, Index spectra,
                         Index lmax)
    : SpectraStore(maps, spectra, lmax), file_(comm, output) {
  comm::phase(file_.comm(), [&] {
    if (file_.comm().is_root()) file_.keep();
  });
  comm::phase(file_.comm(), [&] { writer_.open(file_, comm.size()); });
}

void SpectraFile::put(Index map, const alm::SpectraTable& table) {
  std::vector<std::byte> row(static_cast<std::size_t>(stored_spectrum_bytes(lmax())));
  for (Index s = 0; s < spectra(); ++s) {
    const auto values = std::as_bytes(std::span(table.columns[static_cast<std::size_t>(s)]));
    const std::uint64_t checksum = io::bytes_checksum(values);
    std::memcpy(row.data(), values.data(), values.size());
    std::memcpy(row.data() + values.size(), &checksum, sizeof(checksum));
    writer_.write(position(map, s), row.data(), static_cast<Index>(row.size()));
  }
}

void SpectraFile::finish() {
  comm::phase(file_.comm(), [&] { writer_.finish(); });
  comm::phase(file_.comm(), [&] { reader_.open(file_); });
}

void SpectraFile::get(Index map, Index spectrum, std::span<double> values) const {
  std::uint64_t checksum = 0;
  const std::span bytes = std::as_writable_bytes(values);
  reader_.read(position(map, spectrum), values.data(), static_cast<Index>(bytes.size()));
  reader_.read(position(map, spectrum) + static_cast<Index>(bytes.size()), &checksum,
               static_cast<Index>(sizeof(checksum)));
  if (checksum != io::bytes_checksum(bytes))
    throw core::ResourceError(
        fmt::format("'{}' cannot be computed: the spectra of map {} of {}, which are kept in '{}', are damaged: remove "
                    "that file and run again, which computes all maps again",
                    file_.path(), map + 1, maps(), file_.partial_path()));
}

Index SpectraFile::position(Index map, Index spectrum) const {
  return (map * spectra() + spectrum) * stored_spectrum_bytes(lmax());
}

}  // namespace armilla::job
