#include <armilla/comm/phase.hpp>
#include <armilla/job/run/spectra_store.hpp>

namespace armilla::job {

SpectraStore::SpectraStore(const comm::Communicator& comm, const core::OutputPath& output, Index maps, Index spectra,
                           Index lmax)
    : maps_(maps), spectra_(spectra), lmax_(lmax), file_(comm, output) {
  comm::phase(file_.comm(), [&] {
    if (file_.comm().is_root()) file_.keep();
  });
  comm::phase(file_.comm(), [&] { writer_.open(file_, comm.size()); });
}

void SpectraStore::put(Index map, const alm::SpectraTable& table) {
  for (Index s = 0; s < spectra_; ++s)
    writer_.write((map * spectra_ + s) * row_bytes(), table.columns[static_cast<std::size_t>(s)].data(), row_bytes());
}

void SpectraStore::finish() {
  comm::phase(file_.comm(), [&] { writer_.finish(); });
  comm::phase(file_.comm(), [&] { reader_.open(file_); });
}

void SpectraStore::get(Index map, Index spectrum, std::span<double> values) const {
  reader_.read((map * spectra_ + spectrum) * row_bytes(), values.data(), row_bytes());
}

}  // namespace armilla::job
