#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/placed_writer.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::job {

using core::Index;

/// Stores the spectra of all maps of a campaign in a temporary file: [map][spectrum][l], each with its checksum (see
/// stored_spectrum_bytes). Mean and covariance can then be computed in map order, so that they are bitwise identical
/// for any distribution of maps. Memory does not grow with the number of maps.
class SpectraStore {
 public:
  /// Collective. The values are in a partial file of `output`, which is never published. If it is to be kept, it
  /// outlives the run until remove(), and the file of an earlier run is continued. Throws ResourceError if it cannot be
  /// created, or is not visible to all ranks.
  SpectraStore(const comm::Communicator& comm, const core::OutputPath& output, Index maps, Index spectra, Index lmax);
  SpectraStore(const SpectraStore&) = delete;
  SpectraStore& operator=(const SpectraStore&) = delete;

  Index maps() const { return maps_; }
  Index spectra() const { return spectra_; }
  Index lmax() const { return lmax_; }

  /// Not collective; called by one rank for each map. Throws ResourceError.
  void put(Index map, const alm::SpectraTable& table);
  /// Not collective, thread-safe. Syncs everything that this rank has stored. Throws ResourceError.
  void sync() const { writer_.sync(); }
  /// Root only. Removes the file.
  void remove() { file_.discard(); }
  /// Collective, after all put() calls; get() can be used afterwards. Throws ResourceError.
  void finish();
  /// Not collective. The spectrum with index `spectrum` of one map, l = 0 .. lmax. Throws ResourceError, also if the
  /// values are not those that were stored.
  void get(Index map, Index spectrum, std::span<double> values) const;

 private:
  Index position(Index map, Index spectrum) const;

  Index maps_, spectra_, lmax_;
  io::AtomicFile file_;
  io::PlacedWriter writer_;
  io::PlacedReader reader_;
};

}  // namespace armilla::job
