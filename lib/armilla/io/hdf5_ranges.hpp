#pragma once

#include <armilla/dist/distribution.hpp>
#include <armilla/io/hdf5_handle.hpp>

#include <span>
#include <string>
#include <vector>

namespace armilla::io {

/// Rows (components) and columns (pixels, coefficients) of a dataset; a one-dimensional dataset has one row, one of
/// three dimensions as many rows for each of its maps.
struct Hdf5Shape {
  Index rows = 0;
  Index columns = 0;
  Index maps = 0;  ///< 0 without a batch axis
};
/// Throws InputError, naming file and dataset, for other than one, two or three dimensions.
Hdf5Shape hdf5_shape(hid_t dataset, const std::string& name, const std::string& path);

/// The precision that holds the numbers of a dataset: floating point, integers, or truth values, which are read as 0
/// and
/// 1. Throws InputError, naming file and dataset, where it holds no real numbers.
core::Precision hdf5_precision(hid_t dataset, const std::string& name, const std::string& path);

/// Values of one row, range after range, into `out`, which has the type `memory_type`; HDF5 converts numbers. The
/// dataset may be chunked and compressed. Row r of map k of a batch of maps of n rows has the number k n + r. Throws
/// InputError.
void read_hdf5_ranges(hid_t dataset, hid_t memory_type, Index row, std::span<const dist::PixelRange> ranges, void* out,
                      const std::string& path);

/// Throws InputError unless a dataset has one dimension, and where it is long but next to nothing of it is stored, as
/// in a damaged file: before memory is allocated for it.
void check_hdf5_column(hid_t dataset, const Hdf5Shape& shape, const std::string& name, const std::string& path);

/// A whole one-dimensional dataset of the root group or a group, of numbers. Throws InputError.
std::vector<double> read_hdf5_column(hid_t group, const std::string& name, const std::string& path);

/// The same ranges with those joined that follow each other without a gap, in the same order.
std::vector<dist::PixelRange> joined(std::span<const dist::PixelRange> ranges);

}  // namespace armilla::io
