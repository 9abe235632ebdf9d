#pragma once

#include <armilla/api/alm.hpp>
#include <armilla/api/map.hpp>
#include <armilla/api/names.hpp>

#include <optional>
#include <string>
#include <vector>

/// @file
/// Files of maps, coefficients and spectra: HDF5 and FITS. The extension selects the format of an output: .h5, .hdf5,
/// .fits, .fit; spectra also .dat and .txt. The format of an input is detected from its content.

namespace armilla {

/// Metadata of a file other than the layout.
struct FileInfo {
  FieldKind fields = {};                ///< names and spins of the components
  std::vector<std::string> units = {};  ///< of each component; empty if the file has none
  std::string coordsys = {};  ///< "G" (galactic), "E" (ecliptic), "C" (equatorial), or empty if the file has none
};

/// Header of a map file.
struct MapFileInfo : FileInfo {
  RingGrid grid;  ///< pixels of the map
};

/// Header of a file of coefficients.
struct AlmFileInfo : FileInfo {
  AlmLayout layout;  ///< its lmax and mmax
};

/// Collective. Reads the header of a map file. Throws InputError if the file cannot be read, is damaged, does not hold
/// exactly one map, or does not state the spins of its components.
MapFileInfo read_map_info(const Communicator& comm, const std::string& path);
/// Collective. Reads the header of a file of coefficients. Throws InputError as read_map_info().
AlmFileInfo read_alm_info(const Communicator& comm, const std::string& path);

/// Treatment by read() of pixels that are NaN, infinite, marked as bad (-1.6375e30) or absent from the file.
enum class BadPixels {
  kError,  ///< throws InputError with their counts
  kZero    ///< sets them to 0; a map without a good value throws InputError
};

/// Collective. Reads map `map` of `field` from a file, component by component by their names, converted from RING or
/// NESTED order and to the COSMO convention. Returns a warning if the map has rings at a pole with values that no field
/// has; empty otherwise. Throws InputError if the file cannot be read, lacks a component, has another grid, or repeats
/// the first longitude at the end of each ring; the values of this map are then unspecified.
template <class T>
std::vector<std::string> read(const std::string& path, Map<T>& field, BadPixels bad = BadPixels::kError, Index map = 0);
/// Collective. Reads map `map` of `field` from a file of coefficients, component by component by their names, converted
/// to Armilla's conventions. Imaginary parts of a_l0 above rounding errors are set to 0; returns a warning about them,
/// empty otherwise. Throws InputError if the file cannot be read, lacks a component, has a smaller lmax or mmax, or has
/// values that are not finite; the values of this map are then unspecified. Degrees above the lmax of `field` are
/// ignored.
template <class T>
std::vector<std::string> read(const std::string& path, Alm<T>& field, Index map = 0);
/// Meaning of the columns of a file of spectra.
enum class SpectraKind {
  kCl,  ///< C_l
  kDl   ///< l (l + 1) / (2 pi) C_l, as Boltzmann codes write them
};

/// Collective. Reads spectra, as C_l: HDF5, FITS, or text with a line of column names (L, TT, EE, ...). Throws
/// InputError if the file cannot be read, lacks degrees, or has values that are not finite.
SpectraTable read_spectra(const Communicator& comm, const std::string& path, SpectraKind kind = SpectraKind::kCl);

/// Metadata and format of files written by write().
struct WriteOptions {
  std::vector<std::string> units = {};      ///< of each component, or empty
  std::string coordsys = {};                ///< "G", "E", "C", or empty
  std::optional<Precision> precision = {};  ///< of the values in the file; default: that of the field
  Index map = 0;                            ///< index of the map of the field to write
};

/// Collective. Writes a map, in RING order. The file is renamed to its final name after all ranks have succeeded; an
/// existing file of that name is replaced. The contents do not depend on the number of ranks. Values that are not
/// finite are written unchanged. Throws InputError if the format does not support the grid, if the file cannot be
/// created, or if ranks have different names or options. Throws ResourceError if the disk is full.
template <class T>
void write(const std::string& path, const Map<T>& field, const WriteOptions& options = {});
/// Collective. Writes coefficients. Throws like write() for maps.
template <class T>
void write(const std::string& path, const Alm<T>& field, const WriteOptions& options = {});
/// Collective. Writes spectra, which must be the same on all ranks. Throws like write() for maps.
void write(const Communicator& comm, const std::string& path, const SpectraTable& spectra);

}  // namespace armilla
