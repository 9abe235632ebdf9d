#pragma once

#include <armilla/alm/convention.hpp>
#include <armilla/core/input_file.hpp>
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
/// By which sign values are multiplied on read: kOpposite converts U from IAU to COSMO.
enum class Sign { kAsStored, kOpposite };
/// Treatment of NaN, infinite and bad (BAD_DATA, -1.6375e30) pixels on read. kKeep, for inspection and conversion,
/// keeps them unchanged; kMark sets all of them to NaN, for steps that ignore them.
enum class BadDataPolicy { kError, kZero, kKeep, kMark };

/// HEALPix's value for a pixel without data; compared with a relative tolerance of 1e-5 because of rounding to single
/// precision.
inline constexpr double kBadPixel = -1.6375e30;

/// The spin of a component that neither the header of a file nor a name defined by its format states.
inline constexpr Index kUnknownSpin = -1;

/// Which component of its pair a component is: Q and E are first, U and B second. Unknown for scalars, and if a file
/// lacks the other one.
enum class PairRole { kUnknown, kFirst, kSecond };

/// Metadata of a file other than the layout.
struct FieldMetadata {
  std::vector<std::string> fields = {};  ///< per component: T, Q, U in maps, T, E, B in alm
  std::vector<std::string> units = {};   ///< per component, may be empty strings
  std::string coordsys = {};             ///< G, E, C (equatorial), or empty
  std::string polcconv = {};             ///< COSMO, IAU or empty, as in the file; in memory always COSMO
  /// Per component, kUnknownSpin for those of unknown spin; empty if none is known (component_spins.hpp).
  std::vector<Index> spins = {};
  std::vector<PairRole> roles = {};  ///< per component, like `spins`
  /// FITS and text: the names of the columns of the components; empty in other files, where they are `fields`.
  std::vector<std::string> columns = {};

  /// The unit of a component; empty if there is none.
  std::string unit(std::size_t component) const { return component < units.size() ? units[component] : std::string(); }
};

/// Batch axis of HDF5 files with many maps or coefficients, [map][component][pixel or index].
struct BatchAxis {
  Index maps = 0;                  ///< number of maps; 0 if the file has no such axis
  Index map = 0;                   ///< the map for read_map() and read_alm()
  std::vector<bool> present = {};  ///< maps that are present; empty: all
};

/// Whether a caller accepts files with a batch axis. Callers that need a single map reject them.
enum class BatchPolicy { kRefuse, kTake };

/// A column of a FITS file.
struct FitsPlace {
  int hdu;     ///< 1 is the primary one
  int column;  ///< from 1
};

/// Header of a map file.
struct MapInfo {
  std::string path;
  core::FileState seen;  ///< of the file; read_map() throws if it has changed
  Format format = Format::kHdf5;
  std::shared_ptr<const grid::RingGrid> grid;
  Index components = 0;
  Precision precision = Precision::kDouble;
  Ordering ordering = Ordering::kRing;
  bool explicit_index = false;   ///< FITS: rows contain their pixel index (partial sky)
  Index rows = 0;                ///< pixels of each component in the file
  double bad_value = kBadPixel;  ///< BAD_DATA of the file, in addition to kBadPixel
  FieldMetadata metadata;
  BatchAxis batch;
  std::shared_ptr<const void> contents = {};  ///< keeps what a compressed file contains in memory
  std::vector<FitsPlace> places = {};         ///< FITS: of each component
  std::vector<MapInfo> parts = {};            ///< the files of a joined map (join_maps()), whose components are its own
};

/// Header of a file of coefficients.
struct AlmInfo {
  std::string path;
  core::FileState seen;  ///< of the file; read_alm() throws if it has changed
  Format format = Format::kHdf5;
  Index lmax = 0;
  Index mmax = 0;
  Index components = 0;
  Precision precision = Precision::kDouble;
  /// Convention of the coefficients; read_alm() converts them. A job may specify it if the file does not.
  alm::Convention convention;
  // Parts of `convention` that are specified in the file.
  bool says_norm = false, says_phase = false, says_basis = false;
  FieldMetadata metadata;
  BatchAxis batch;
  std::shared_ptr<const void> contents = {};  ///< as in MapInfo
  std::vector<int> hdus = {};                 ///< FITS: of each component; 1 is the primary HDU
  std::vector<AlmInfo> parts = {};            ///< of joined coefficients (join_alm()), like those of MapInfo
};

/// Counts of bad pixels among those read.
struct BadPixels {
  Index nan = 0;
  Index bad_data = 0;
  Index total() const { return nan + bad_data; }
  BadPixels& operator+=(const BadPixels& other) {
    nan += other.nan;
    bad_data += other.bad_data;
    return *this;
  }
};

}  // namespace armilla::io
