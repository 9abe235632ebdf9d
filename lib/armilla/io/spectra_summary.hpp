#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/core/types.hpp>
#include <armilla/io/metadata.hpp>

#include <optional>
#include <string>
#include <vector>

namespace armilla::io {

/// Statistics of the spectra of many maps.
struct SpectraSummary {
  alm::SpectraTable mean;                      ///< over the maps that are present
  std::vector<std::vector<double>> deviation;  ///< [spectrum][l] standard deviation of one map (norm 1 / (n - 1)); NaN
                                               ///< of fewer than two
  std::vector<alm::SpectraTable> samples;      ///< some maps, evenly spaced; none for a file of statistics
  Index maps = 0;                              ///< number of maps that are present
};

/// Of an HDF5 file of spectra with a batch axis, of which maps are read one after the other, or of one of statistics;
/// nothing of a file of the spectra of one map. `samples`: at most so many. Throws InputError, also where no map is
/// there.
std::optional<SpectraSummary> read_spectra_summary(const std::string& path, Index samples);

/// The batch axis of a file of spectra; that of files without one has no maps. Throws InputError.
BatchAxis spectra_batch(const std::string& path);

/// The spectra of map `batch.map` of a file with this batch axis. Throws InputError if the map was left out.
alm::SpectraTable read_spectra_of_map(const std::string& path, const BatchAxis& batch);

}  // namespace armilla::io
