#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/write.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// How a catalogue gives the places of its points: colatitude and longitude, right ascension and declination, or
/// longitude and latitude. In radians the first, in degrees the others, unless the file says a unit.
enum class PointCoordinates { kThetaPhi, kRaDec, kLonLat };

/// What a catalogue is written in.
enum class PointFormat { kHdf5, kFits, kText };

/// Which columns of a catalogue to read; what is not given is found by the usual names in any case: the first of the
/// pairs theta and phi, ra and dec, ra_icrs and de_icrs, raj2000 and dej2000, lon and lat, longitude and latitude, glon
/// and glat, elon and elat of which both are there.
struct PointColumns {
  std::optional<PointCoordinates> coordinates;
  std::vector<std::string> places;  ///< the two columns of coordinates, in the order of their names above
  /// FITS and text: the columns that are values. Empty: all others of numbers that have one number for each point; a
  /// column of text whose first word is not a number is left out.
  std::vector<std::string> values;
};

/// A file of points on the sphere, perhaps with values at them, as its header tells.
struct PointsInfo {
  std::string path;
  PointFormat format = PointFormat::kHdf5;
  Index points = 0;
  PointCoordinates coordinates = PointCoordinates::kThetaPhi;
  std::vector<std::string> places = {};            ///< names of the two columns or datasets
  bool in_degrees = false;                         ///< the places in the file, else in radians
  Precision place_precision = Precision::kDouble;  ///< of the places in the file
  Index components = 0;                            ///< of the values; 0 for points alone
  Precision precision = Precision::kDouble;        ///< of the values
  /// coordsys where the file does not say: C for right ascension and declination, G for glon and glat, E for elon and
  /// elat.
  FieldMetadata metadata = {};
  /// FITS and text: numbers of the columns, from 0, of the places, then of each component.
  std::vector<Index> columns = {};
};

/// Header of a catalogue. HDF5: datasets theta and phi (or ra, dec, lon, lat) [point] and perhaps `values`
/// [component][point]; FITS: the first table, whose columns hold equally many points in each row, most often one; text
/// (.csv, .txt, .dat): a line of names, then one row per point, separated by commas or white space. Throws InputError
/// that names file and column: columns that are missing, of unequal length or no numbers, no point at all, and, of
/// text, rows that have another number of words. Not collective.
PointsInfo open_points(const std::string& path, const PointColumns& columns = {});

/// Places of the points `first` .. first + theta.size() - 1, as theta and phi [rad]. A theta, declination or latitude
/// that rounding took out of its range, by at most 1e-6 of half a turn, becomes its end. Throws InputError with the
/// number, from 0, of the first point that is not finite or whose theta, declination or latitude is out of range.
/// Not collective.
void read_places(const PointsInfo& info, Index first, std::span<double> theta, std::span<double> phi);

/// Values of one component at the points `first` .. first + out.size() - 1, with polarisation in COSMO. With
/// BadDataPolicy::kError throws InputError with the number, from 0, of the first point whose value is not finite or
/// BAD_DATA; with the others as read_map(). Not collective.
template <class T>
BadPixels read_values(const PointsInfo& info, Index component, Index first, std::span<T> out,
                      BadDataPolicy policy = BadDataPolicy::kError);

/// The format of the ending of a name: .h5 .hdf5, .fits .fit, .csv .txt .dat. Throws InputError, which lists these, for
/// others. Not collective.
PointFormat point_format_of_name(const std::string& path);

/// Disk space of a file of that name [bytes]; for text at most that.
Index points_file_bytes(const std::string& path, Index points, Index components, Precision precision);

/// Collective. Writes the points of all ranks in the order of ranks, theta and phi [rad] in double precision and
/// `values` [component][own point], to a file whose format follows from its ending. A rank may have no points, all
/// together have at least one. Of `options` the precision of the values is used. Bytes do not depend on the number of
/// ranks. Throws InputError for endings as point_format_of_name(), and as the writers of write.hpp.
template <class T>
void write_points(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
                  std::span<const double> theta, std::span<const double> phi, std::span<const T> values,
                  const WriteOptions& options);

}  // namespace armilla::io
