#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/atomic_file.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>

namespace armilla::io {

/// Reads the first table of a FITS file, ASCII or binary. Row l holds degree l, starting at 0, unless a column L or ELL
/// gives the degrees. Columns are identified by name: TT, EE, ..., or HEALPix's TEMPERATURE, GRADIENT, CURL, G-T, C-T,
/// C-G. healpy's write_cl() labels its arrays with HEALPix's names, C-T before C-G, although healpy stores EB before
/// TB. A full table of six columns with CREATOR = healpy is therefore read in healpy's order. Throws InputError.
SpectraRows read_fits_spectra(const std::string& path);

/// Root only. Writes a binary table of doubles with columns TT, EE, BB, TE, EB, TB, the order that healpy reads. Throws
/// ResourceError.
void write_fits_spectra(const AtomicFile& file, const alm::SpectraTable& spectra);

}  // namespace armilla::io
