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

/// The spectra of all maps of a campaign until it is done, in a file that is gone afterwards: [map][spectrum][l]. So
/// their mean and covariance can be taken in the order of the maps, the same bit for bit whoever transformed which, and
/// memory does not grow with their number.
class SpectraStore {
 public:
  /// Collective. The numbers are in a partial file of `output`, which is never published. Where it is to be kept, it
  /// outlives the run until remove(), and that of an earlier run is continued. Throws ResourceError if it cannot be
  /// made, or not all ranks see it.
  SpectraStore(const comm::Communicator& comm, const core::OutputPath& output, Index maps, Index spectra, Index lmax);
  SpectraStore(const SpectraStore&) = delete;
  SpectraStore& operator=(const SpectraStore&) = delete;

  Index maps() const { return maps_; }
  Index spectra() const { return spectra_; }
  Index lmax() const { return lmax_; }

  /// Not collective; by one rank for each map. Throws ResourceError.
  void put(Index map, const alm::SpectraTable& table);
  /// Not collective, of any thread. What this rank has put reaches the disk. Throws ResourceError.
  void sync() const { writer_.sync(); }
  /// Root only. Removes the file.
  void remove() { file_.discard(); }
  /// Collective, when all have put theirs; get() works from then on. Throws ResourceError.
  void finish();
  /// Not collective. Spectrum number `spectrum` of one map, l = 0 .. lmax. Throws ResourceError.
  void get(Index map, Index spectrum, std::span<double> values) const;

 private:
  Index row_bytes() const { return (lmax_ + 1) * static_cast<Index>(sizeof(double)); }

  Index maps_, spectra_, lmax_;
  io::AtomicFile file_;
  io::PlacedWriter writer_;
  io::PlacedReader reader_;
};

}  // namespace armilla::job
