#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/comm/communicator.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/placed_dataset.hpp>

#include <optional>
#include <span>

namespace armilla::io {

/// Layout of a file with the spectra of many maps with these names, l and unit. The plan keeps a reference to the
/// argument.
Hdf5Plan hdf5_spectra_plan(const alm::SpectraTable& spectra);

/// An HDF5 file, being written, with statistics of the spectra of many maps. It is a spectra file whose dataset `cl`,
/// also named `mean`, holds the mean. It also has the datasets `covariance` [spectrum][l][l'] and `count`, the number
/// of maps.
class StatisticsFile {
 public:
  /// Collective. `mean` is the same on all ranks. Throws ResourceError.
  StatisticsFile(const comm::Communicator& comm, const core::OutputPath& output, const alm::SpectraTable& mean,
                 Index count);
  StatisticsFile(const StatisticsFile&) = delete;
  StatisticsFile& operator=(const StatisticsFile&) = delete;

  /// Not collective. Writes rows l >= first of the covariance [l][l'] of one spectrum. Throws ResourceError.
  void write_rows(Index spectrum, Index first, std::span<const double> rows);
  /// Collective. Makes the file visible under its final name.
  void commit();

 private:
  AtomicFile file_;
  Index degrees_;
  std::optional<PlacedDataset> covariance_;
};

}  // namespace armilla::io
