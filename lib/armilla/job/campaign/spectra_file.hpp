#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/placed_writer.hpp>
#include <armilla/job/run/spectra_store.hpp>

#include <span>

namespace armilla::job {

/// A store in a temporary file: [map][spectrum][l], each with its checksum (see stored_spectrum_bytes).
class SpectraFile final : public SpectraStore {
 public:
  /// Collective. The values are in a partial file of `output`, which is never published. If it is to be kept, it
  /// outlives the run until remove(), and the file of an earlier run is continued. Throws ResourceError if it cannot be
  /// created, or is not visible to all ranks.
  SpectraFile(const comm::Communicator& comm, const core::OutputPath& output, Index maps, Index spectra, Index lmax);

  /// Throws ResourceError.
  void put(Index map, const alm::SpectraTable& table) override;
  /// Not collective, thread-safe. Syncs everything that this rank has stored. Throws ResourceError.
  void sync() const { writer_.sync(); }
  /// Root only. Removes the file.
  void remove() { file_.discard(); }
  /// Throws ResourceError.
  void finish() override;
  /// Throws ResourceError, also if the values are not those that were stored.
  void get(Index map, Index spectrum, std::span<double> values) const override;

 private:
  Index position(Index map, Index spectrum) const;

  io::AtomicFile file_;
  io::PlacedWriter writer_;
  io::PlacedReader reader_;
};

}  // namespace armilla::job
