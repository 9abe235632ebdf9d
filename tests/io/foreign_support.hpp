#pragma once

#include <armilla/core/types.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fitsio.h>
#include <hdf5.h>

namespace armilla::test {

using core::Index;

/// A column as another program would write it.
struct ForeignColumn {
  std::string name;
  std::string form;
  std::vector<double> values;
};

/// Keywords as text; a value that begins with a digit or a sign is written as a number.
using Keywords = std::vector<std::pair<std::string, std::string>>;

/// Appends a binary table to a FITS file, which is made where it is absent. Written with cfitsio alone.
void append_fits_table(const std::string& path, const std::vector<ForeignColumn>& columns, Index rows,
                       const Keywords& keywords);

/// Writes an HDF5 file through HDF5 alone: `fill` gets the file.
void make_hdf5(const std::string& path, const std::function<void(hid_t)>& fill);
/// A dataset of doubles, compressed in the given chunks (none: contiguous); its identifier stays open for attributes.
hid_t add_hdf5_dataset(hid_t file, const std::string& name, const std::vector<hsize_t>& extent,
                       const std::vector<hsize_t>& chunk, const std::vector<double>& values);
void add_hdf5_text(hid_t object, const std::string& name, const std::vector<std::string>& fixed_length);
void add_hdf5_index(hid_t object, const std::string& name, Index value);

}  // namespace armilla::test
