#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/table.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Spectra as rows of a file.
struct SpectraRows {
  std::vector<double> degrees;  ///< l of each row; empty if rows count from l = 0
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< [name][row]
  std::string unit;
};

/// Header of a file of spectra: HDF5 dataset `cl`, the first table of a FITS file, or text. `columns`: see
/// TableParts::names. Throws InputError.
Table open_spectra(const std::string& path, const std::vector<std::string>& columns = {});

/// Names of the spectra of each column: TT, EE, ..., also for HEALPix's TEMPERATURE, GRADIENT, CURL, G-T, C-T, C-G.
/// healpy's write_cl() labels its arrays with HEALPix's names, C-T before C-G, although healpy stores EB before TB. A
/// full table of six columns with CREATOR = healpy is therefore named in healpy's order.
std::vector<std::string> spectra_names(const Table& table);

/// All rows. A column L or ELL holds the degrees; other tables count from l = 0. Throws InputError.
SpectraRows read_spectra_rows(const Table& table);

/// C_l from l = 0, zero below the first row. `is_dl`: the columns hold l (l + 1) / (2 pi) C_l; columns of the lensing
/// potential P, such as PP and TP, then have an additional factor sqrt(l (l + 1)) for each P (CAMB's convention).
/// Throws InputError, naming the file, for no columns, columns of different lengths, l that does not ascend by one, or
/// values that are not finite.
alm::SpectraTable table_of_rows(const SpectraRows& rows, bool is_dl, const std::string& path);

}  // namespace armilla::io
