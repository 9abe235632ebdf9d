#pragma once

#include <armilla/io/fits_handle.hpp>

#include <string>
#include <vector>

#include <hdf5.h>

namespace armilla::io {

// Files of other kinds, which are named as what they are. Each function throws InputError with what to do, or returns
// if it does not know the file.

/// Files that are neither HDF5 nor FITS nor tables of text: NetCDF classic, GRIB, NumPy, and the text formats of models
/// of the gravity (gfc) and magnetic (shc) fields.
void refuse_foreign(const std::string& path);

/// FITS files without a table: images in a projection of the sky, spectral cubes, maps of healsparse.
void refuse_fits_images(const FitsFile& file);

/// The current table of a FITS file, if it is a multi-order coverage (MOC) without values, or of healsparse.
void refuse_fits_table(const FitsFile& file, const std::vector<FitsColumn>& columns);

/// HDF5 files whose coordinates, the datasets with these two names, span a grid: NetCDF-4, and files like them.
void refuse_netcdf(hid_t file, const std::string& first, const std::string& second, const std::string& path);

/// NetCDF-4 files whose coordinates have other names: those with variables along named dimensions.
void refuse_netcdf_variables(hid_t file, const std::string& path);

}  // namespace armilla::io
