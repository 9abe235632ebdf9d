#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/dist/distribution.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/transform/field_kind.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace armilla::job {

/// The points of values. Computed values share the points of the catalogue at which they are evaluated.
struct Catalogue {
  std::string file;                      ///< for a pattern, the first file
  Index points = 0;                      ///< of all ranks; those of files are assigned to ranks by points::first_point
  std::optional<Index> own_points = {};  ///< of this rank, if the caller has distributed them
};

/// A named value of a job, described before it is computed.
struct ValueInfo {
  std::string name;
  ValueSort sort = ValueSort::kMap;
  transform::FieldKind kind;                              ///< of a field, or of the fields of spectra
  std::shared_ptr<const dist::AlmDistribution> alm;       ///< of an alm
  std::shared_ptr<const dist::PixelDistribution> pixels;  ///< of a map
  std::shared_ptr<const Catalogue> catalogue;             ///< of points and values
  std::vector<std::string> spectra;                       ///< names of the columns of spectra and tables
  Index spectra_lmax = 0;
  std::vector<std::string> units;  ///< per component of a field; one for spectra
  std::string coordsys;
  bool per_item = false;  ///< each map of a campaign has its own value
  /// The contents of spectra and tables that are an input shared by all maps; null if they are computed.
  std::shared_ptr<const alm::SpectraTable> table = {};
  bool gives_grid = false;   ///< a grid of the job is that of this map
  bool has_bad = false;      ///< a map with bad pixels, which are NaN in memory and BAD_DATA in files
  bool is_borrowed = false;  ///< the memory is that of the caller

  /// Whether it consists of tables.
  bool is_table() const { return sort >= ValueSort::kSpectra; }
};

/// Bytes of a spectrum, l = 0 .. lmax, and of the checksum behind it, in the file from which statistics are computed.
constexpr Index stored_spectrum_bytes(Index lmax) {
  return (lmax + 1) * static_cast<Index>(sizeof(double)) + static_cast<Index>(sizeof(std::uint64_t));
}

}  // namespace armilla::job
