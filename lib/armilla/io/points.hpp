#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/core/partial_file.hpp>
#include <armilla/io/metadata.hpp>
#include <armilla/io/table.hpp>
#include <armilla/io/write.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Coordinates of the points of a catalogue: colatitude and longitude in radians, right ascension and declination in
/// degrees, or longitude and latitude in degrees, unless the file gives a unit.
enum class PointCoordinates { kThetaPhi, kRaDec, kLonLat };

/// Columns of a catalogue to read. Columns that are not given are identified by their usual names, ignoring case: the
/// first complete pair of theta and phi, ra and dec, ra_icrs and de_icrs, raj2000 and dej2000, lon and lat, longitude
/// and latitude, glon and glat, elon and elat.
struct PointColumns {
  std::optional<PointCoordinates> coordinates;
  std::vector<std::string> places;  ///< the two coordinate columns, in the order given above
  /// FITS and text: the columns of values. If empty, all other columns with one value for each point; columns of text
  /// files whose first word is not a number are ignored.
  std::vector<std::string> values;
};

/// Header of a file of points on the sphere, optionally with values.
struct PointsInfo : Table {
  Index points = 0;
  PointCoordinates coordinates = PointCoordinates::kThetaPhi;
  std::vector<std::string> places = {};            ///< names of the two columns or datasets
  bool in_degrees = false;                         ///< positions in the file are in degrees; otherwise in radians
  Precision place_precision = Precision::kDouble;  ///< of the positions in the file
  Index components = 0;                            ///< of the values; 0 for points alone
  Precision precision = Precision::kDouble;        ///< of the values
  /// Default of coordsys if the file has none: C for right ascension and declination, G for glon and glat, E for elon
  /// and elat.
  FieldMetadata metadata = {};
  std::vector<std::size_t> chosen = {};  ///< columns of the table: of the positions, then of each component
};

/// Header of a catalogue. HDF5: datasets theta and phi (or ra, dec, lon, lat) [point] and optionally `values`
/// [component][point]. FITS: the first table, whose columns have the same number of points in each row, usually one.
/// Text (.csv, .txt, .dat): a line of names, then one row per point, separated by commas or white space. Throws
/// InputError that names file and column for columns that are missing, of different length or not numeric, for files
/// without points, and for rows of text with another number of words. Not collective.
PointsInfo open_points(const std::string& path, const PointColumns& columns = {});

/// Positions of the points `first` .. first + theta.size() - 1, as theta and phi [rad]. A theta, declination or
/// latitude beyond its range by rounding, at most 1e-6 of 180 degrees, is set to the end of the range. Throws
/// InputError with the 0-based index of the first point that is not finite or whose theta, declination or latitude is
/// out of range. Not collective.
void read_places(const PointsInfo& info, Index first, std::span<double> theta, std::span<double> phi);

/// Values of one component at the points `first` .. first + out.size() - 1, multiplied by `sign`. With
/// BadDataPolicy::kError, throws InputError with the 0-based index of the first point whose value is not finite or
/// BAD_DATA. Other policies are as in read_map(). Not collective.
template <class T>
BadPixels read_values(const PointsInfo& info, Index component, Index first, std::span<T> out,
                      BadDataPolicy policy = BadDataPolicy::kError, Sign sign = Sign::kAsStored);

/// The format of the extension of a name: .h5 .hdf5, .fits .fit, .csv .txt .dat. Throws InputError, which lists these,
/// for others. Not collective.
TableFormat point_format_of_name(const std::string& path);

/// Disk space of a file of that name [bytes]; for text an upper bound.
Index points_file_bytes(const std::string& path, Index points, Index components, Precision precision);

/// Collective. Writes the points of all ranks in the order of ranks, theta and phi [rad] in double precision and
/// `values` [component][own point], to a file whose format follows from its extension. A rank may have no points, but
/// at least one rank has points. Only the precision of the values is used from `options`. The contents do not depend on
/// the number of ranks. Throws InputError for extensions like point_format_of_name(), and like the writers of
/// write.hpp.
template <class T>
void write_points(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
                  std::span<const double> theta, std::span<const double> phi, std::span<const T> values,
                  const WriteOptions& options);

}  // namespace armilla::io
