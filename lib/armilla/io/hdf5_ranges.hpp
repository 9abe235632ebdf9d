#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Rows (components) and columns (pixels, coefficients) of a dataset. A one-dimensional dataset has one row. For three
/// dimensions, `rows` counts the rows of each map.
struct Hdf5Shape {
  Index rows = 0;
  Index columns = 0;
  Index maps = 0;  ///< 0 without a batch axis
};
/// Throws InputError, naming file and dataset, unless the dataset has one, two or three dimensions.
Hdf5Shape hdf5_shape(hid_t dataset, const std::string& name, const std::string& path);

/// Throws InputError if the dataset has more components or maps than are supported, 2^16 and 10^7: chunks that were
/// never written take no space in a file, but each component and map takes memory.
void check_hdf5_counts(const Hdf5Shape& shape, const std::string& name, const std::string& path);

/// The precision for reading the values of a dataset: floating point, integers, or booleans, which are read as 0 or 1.
/// Throws InputError, naming file and dataset, if it holds no real numbers.
core::Precision hdf5_precision(hid_t dataset, const std::string& name, const std::string& path);

/// Reads the values of one row, range by range, into `out`, whose type is `memory_type`; HDF5 converts the values. The
/// dataset may be chunked and compressed. In a batch of maps with n rows each, row r of map k has index k n + r. Throws
/// InputError.
void read_hdf5_ranges(hid_t dataset, hid_t memory_type, Index row, std::span<const core::IndexRange> ranges, void* out,
                      const std::string& path);

/// Throws InputError unless the dataset has one dimension. Also throws if the dataset is long but almost none of it is
/// stored, as in a damaged file. Call this before allocating memory for the dataset.
void check_hdf5_column(hid_t dataset, const Hdf5Shape& shape, const std::string& name, const std::string& path);

/// Reads a one-dimensional numeric dataset of a group or the root group. Throws InputError.
std::vector<double> read_hdf5_column(hid_t group, const std::string& name, const std::string& path);

/// Merges ranges that follow each other without a gap; the order is unchanged.
std::vector<core::IndexRange> joined(std::span<const core::IndexRange> ranges);

}  // namespace armilla::io
