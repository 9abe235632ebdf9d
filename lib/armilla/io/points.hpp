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

/// How a catalogue gives the places of its points: colatitude and longitude [rad], right ascension and declination, or
/// longitude and latitude [degrees].
enum class PointCoordinates { kThetaPhi, kRaDec, kLonLat };

/// What a catalogue is written in.
enum class PointFormat { kHdf5, kFits, kText };

/// Which columns of a catalogue to read; what is not given is found by the usual names (theta and phi, ra and dec, lon
/// and lat, in any case).
struct PointColumns {
  std::optional<PointCoordinates> coordinates;
  std::vector<std::string> places;  ///< the two columns of coordinates, in the order of their names above
  std::vector<std::string> values;  ///< FITS and CSV: the columns that are values; empty: all others
};

/// A file of points on the sphere, perhaps with values at them, as its header tells.
struct PointsInfo {
  std::string path;
  PointFormat format = PointFormat::kHdf5;
  Index points = 0;
  PointCoordinates coordinates = PointCoordinates::kThetaPhi;
  std::vector<std::string> places;  ///< names of the two columns or datasets
  Index components = 0;             ///< of the values; 0 for points alone
  Precision precision = Precision::kDouble;
  FieldMetadata metadata;
};

/// Header of a catalogue. HDF5: datasets theta and phi (or ra, dec, lon, lat) [point] and perhaps `values`
/// [component][point]; FITS: a binary table, one row per point; text (.csv, .txt, .dat): a line of names, then one row
/// per point, parted by commas or white space. Throws InputError that names file and column: columns that are missing,
/// of unequal length or no numbers, no point at all. Not collective.
PointsInfo open_points(const std::string& path, const PointColumns& columns = {});

/// Places of the points `first` .. first + theta.size() - 1, as theta and phi [rad]. Throws InputError with the number
/// of the first point that is not finite or whose theta, declination or latitude is out of range. Not collective.
void read_places(const PointsInfo& info, Index first, std::span<double> theta, std::span<double> phi);

/// Values of one component at the points `first` .. first + out.size() - 1, with polarisation in COSMO. Throws
/// InputError with the number of the first value that is not finite. Not collective.
template <class T>
void read_values(const PointsInfo& info, Index component, Index first, std::span<T> out);

/// Collective. Writes the points of all ranks in the order of ranks, theta and phi [rad] and `values`
/// [component][own point], to a file whose format follows from its ending. Bytes do not depend on the number of ranks.
template <class T>
void write_points(const comm::Communicator& comm, const core::OutputPath& output, const FieldMetadata& metadata,
                  std::span<const double> theta, std::span<const double> phi, std::span<const T> values,
                  const WriteOptions& options);

}  // namespace armilla::io
