#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>

namespace armilla::io {

/// The first table of a FITS file, ASCII or binary, one row per l from 0 unless a column L or ELL says otherwise.
/// Columns go by name: TT, EE, ..., or HEALPix's TEMPERATURE, GRADIENT, CURL, G-T, C-T, C-G. Throws InputError.
/// healpy's write_cl() gives HEALPix's names, with C-T before C-G, to arrays that healpy keeps with EB before TB; in a
/// full table of six with CREATOR = healpy these two are therefore read in healpy's order.
SpectraRows read_fits_spectra(const std::string& path);

/// Root only. A binary table of doubles with columns TT, EE, BB, TE, EB, TB, in the order in which healpy reads. Throws
/// ResourceError.
void write_fits_spectra(const AtomicFile& file, const alm::SpectraTable& spectra);

}  // namespace armilla::io
