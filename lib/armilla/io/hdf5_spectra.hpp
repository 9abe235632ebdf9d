#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/hdf5_ranges.hpp>
#include <armilla/io/hdf5_writer.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>

namespace armilla::io {

/// Dataset `cl` [spectrum][l], l from 0, attribute FIELDS with the names of the spectra. Throws InputError.
SpectraRows read_hdf5_spectra(const std::string& path);

/// What attributes say of a dataset of spectra of one map or many: names, lmax and unit; no columns. Throws InputError.
alm::SpectraTable named_hdf5_spectra(hid_t dataset, const Hdf5Shape& shape, const std::string& path);

/// What a file of spectra with these names, l and unit holds; keeps a reference.
Hdf5Plan hdf5_spectra_plan(const alm::SpectraTable& spectra);

/// Root only. Throws ResourceError.
void write_hdf5_spectra(const AtomicFile& file, const alm::SpectraTable& spectra);

}  // namespace armilla::io
