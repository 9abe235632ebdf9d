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
  alm::SpectraTable mean;  ///< over the maps that are present
  /// [spectrum][l] standard deviation of one map (norm 1 / (n - 1)); NaN for fewer than two maps.
  std::vector<std::vector<double>> deviation;
  std::vector<alm::SpectraTable> samples;  ///< some maps, evenly spaced; none for a file of statistics
  Index maps = 0;                          ///< number of maps that are present
};

/// Reads an HDF5 file of spectra with a batch axis, one map at a time, or a file of statistics; std::nullopt for a file
/// with the spectra of one map. `samples`: maximum number of samples. Throws InputError, also if no map is present.
std::optional<SpectraSummary> read_spectra_summary(const std::string& path, Index samples);

/// The batch axis of a file of spectra; without an axis it has no maps. Throws InputError.
BatchAxis spectra_batch(const std::string& path);

/// The spectra of map `batch.map` of a file with this batch axis. Throws InputError if the map was left out.
alm::SpectraTable read_spectra_of_map(const std::string& path, const BatchAxis& batch);

}  // namespace armilla::io
