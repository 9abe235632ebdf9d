#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Reads dataset `cl` [spectrum][l], l from 0. Attribute FIELDS names the spectra. Throws InputError.
SpectraRows read_hdf5_spectra(const std::string& path);

/// Reads names, lmax and unit from the attributes of a dataset of spectra, for one map or many. The result has no
/// columns. Throws InputError.
alm::SpectraTable named_hdf5_spectra(hid_t dataset, const Hdf5Shape& shape, const std::string& path);

/// Reads the columns of one map of a dataset of spectra. Throws InputError.
std::vector<std::vector<double>> read_hdf5_columns(hid_t dataset, const Hdf5Shape& shape, Index map,
                                                   const std::string& path);

/// Writes names, lmax and unit to the attributes of a dataset of spectra. Throws ResourceError.
void describe_hdf5_spectra(hid_t dataset, const alm::SpectraTable& spectra);

/// Layout of a spectra file with these names, l and unit. The plan keeps a reference to the argument.
Hdf5Plan hdf5_spectra_plan(const alm::SpectraTable& spectra);

/// Root only. Throws ResourceError.
void write_hdf5_spectra(const AtomicFile& file, const alm::SpectraTable& spectra);

}  // namespace armilla::io
