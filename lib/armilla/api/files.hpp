#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>

#include <optional>
#include <string>
#include <vector>

/// @file
/// Files of maps, coefficients and spectra: HDF5 and FITS. The ending of a name gives the format of a file that is
/// written: .h5, .hdf5, .fits, .fit; spectra also .dat and .txt. Files that are read are known by their content.

namespace armilla {

/// What a file says about its numbers besides their layout.
struct FileInfo {
  FieldKind fields = {};                ///< names and spins of the components
  std::vector<std::string> units = {};  ///< of each component; none where the file has none
  std::string coordsys = {};  ///< "G" (galactic), "E" (ecliptic), "C" (equatorial), or empty where the file has none
};

/// What the header of a map file says.
struct MapFileInfo : FileInfo {
  RingGrid grid;  ///< pixels of the map
};

/// What the header of a file of coefficients says.
struct AlmFileInfo : FileInfo {
  AlmLayout layout;  ///< its lmax and mmax
};

/// Collective. Reads the header of a map file. Throws InputError where the file cannot be read, is damaged, holds no
/// map or several, or does not say the spins of its components.
MapFileInfo read_map_info(const Communicator& comm, const std::string& path);
/// Collective. Reads the header of a file of coefficients. Throws InputError as read_map_info().
AlmFileInfo read_alm_info(const Communicator& comm, const std::string& path);

/// What read() does with pixels that are NaN, infinite, marked as bad (-1.6375e30) or not in the file.
enum class BadPixels {
  kError,  ///< throws InputError with their numbers
  kZero    ///< makes them 0
};

/// Collective. Reads map number `map` of `field` from a file, component by component by their names, from RING or
/// NESTED order and to the COSMO convention. Throws InputError where the file cannot be read, lacks a component, or
/// lies on another grid.
template <class T>
void read(const std::string& path, Map<T>& field, BadPixels bad = BadPixels::kError, Index map = 0);
/// Collective. Reads map number `map` of `field` from a file of coefficients, component by component by their names, to
/// Armilla's conventions. Throws InputError where the file cannot be read, lacks a component, has a smaller lmax or
/// mmax, or has numbers that are not finite; of a larger lmax, it takes what `field` has.
template <class T>
void read(const std::string& path, Alm<T>& field, Index map = 0);
/// What the columns of a file of spectra hold.
enum class SpectraKind {
  kCl,  ///< C_l
  kDl   ///< l (l + 1) / (2 pi) C_l, as Boltzmann codes write them
};

/// Collective. Reads spectra, as C_l: HDF5, FITS, or text with a line of column names (L, TT, EE, ...). Throws
/// InputError where the file cannot be read, has degrees missing, or values that are not finite.
SpectraTable read_spectra(const Communicator& comm, const std::string& path, SpectraKind kind = SpectraKind::kCl);

/// What write() says in a file, and how it writes numbers.
struct WriteOptions {
  std::vector<std::string> units = {};      ///< of each component, or none
  std::string coordsys = {};                ///< "G", "E", "C", or empty
  std::optional<Precision> precision = {};  ///< of the numbers in the file; none: that of the field
  Index map = 0;                            ///< which of the field's maps is written
};

/// Collective. Writes a map, in RING order. The file appears under its name when all ranks have succeeded; a file of
/// that name is replaced. Its bytes do not depend on the number of ranks. Numbers that are not finite are written as
/// they are. Throws InputError where the format cannot hold the grid, or the file cannot be made, or ranks have
/// different names or options; ResourceError for full disks.
template <class T>
void write(const std::string& path, const Map<T>& field, const WriteOptions& options = {});
/// Collective. Writes coefficients. Throws as write() of maps.
template <class T>
void write(const std::string& path, const Alm<T>& field, const WriteOptions& options = {});
/// Collective. Writes spectra, the same on all ranks. Throws as write() of maps.
void write(const Communicator& comm, const std::string& path, const SpectraTable& spectra);

}  // namespace armilla
