#pragma once

#include <armilla/alm/convention.hpp>
#include <armilla/core/types.hpp>
#include <armilla/grid/ring_grid.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::io {

using core::Index;
using core::Precision;

enum class Format { kHdf5, kFits };
enum class FileKind { kMap, kAlm, kSpectra, kRings, kPoints };
enum class Ordering { kRing, kNested };
/// What to do with NaN, infinite and bad (BAD_DATA, -1.6375e30) pixels on read. kKeep, for inspection and conversion,
/// hands them on as they are; kMark makes all of them NaN, for steps that leave them out.
enum class BadDataPolicy { kError, kZero, kKeep, kMark };

/// HEALPix's mark of a pixel without data; matched with a relative tolerance of 1e-5, as single precision moves it.
inline constexpr double kBadPixel = -1.6375e30;

/// What is said about the numbers of a file besides their layout.
struct FieldMetadata {
  std::vector<std::string> fields;  ///< per component: T, Q, U in maps, T, E, B in alm
  std::vector<std::string> units;   ///< per component, may be empty strings
  std::string coordsys;             ///< G, E, C (equatorial), or empty
  std::string polcconv;             ///< COSMO, IAU or empty, as the file says; in memory it is always COSMO
  std::vector<Index> spins = {};    ///< per component; nothing if the file does not say
};

/// Of HDF5 files that hold many maps, or coefficients of many, as [map][component][pixel or index].
struct BatchAxis {
  Index maps = 0;                  ///< how many; 0 if the file has no such axis
  Index map = 0;                   ///< which one read_map() and read_alm() read
  std::vector<bool> present = {};  ///< which ones are there; empty: all
};

/// Who opens a file with a batch axis: those who take one map refuse it.
enum class BatchPolicy { kRefuse, kTake };

/// A map file, as its header tells.
struct MapInfo {
  std::string path;
  Format format = Format::kHdf5;
  std::shared_ptr<const grid::RingGrid> grid;
  Index components = 0;
  Precision precision = Precision::kDouble;
  Ordering ordering = Ordering::kRing;
  bool explicit_index = false;   ///< FITS: rows carry their pixel number (partial sky)
  Index rows = 0;                ///< pixels that the file holds of each component
  double bad_value = kBadPixel;  ///< what BAD_DATA of the file says, beside kBadPixel itself
  FieldMetadata metadata;
  BatchAxis batch;
};

/// A file of coefficients, as its header tells.
struct AlmInfo {
  std::string path;
  Format format = Format::kHdf5;
  Index lmax = 0;
  Index mmax = 0;
  Index components = 0;
  Precision precision = Precision::kDouble;
  /// What its numbers follow; read_alm() converts. A job may know better where the file says nothing.
  alm::Convention convention;
  // Which parts of `convention` the file itself says.
  bool says_norm = false, says_phase = false, says_basis = false;
  FieldMetadata metadata;
  BatchAxis batch;
};

/// Pixels that were not finite numbers, among those read.
struct BadPixels {
  Index nan = 0;
  Index bad_data = 0;
  Index total() const { return nan + bad_data; }
};

}  // namespace armilla::io
