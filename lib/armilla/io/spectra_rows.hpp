#pragma once

#include <armilla/alm/spectra_table.hpp>

#include <string>
#include <vector>

namespace armilla::io {

using core::Index;

/// Spectra as rows of a file.
struct SpectraRows {
  std::vector<double> degrees;  ///< l of each row; empty if rows count from l = 0
  std::vector<std::string> names;
  std::vector<std::vector<double>> columns;  ///< [name][row]
  std::string unit;
};

/// C_l from l = 0, zero below the first row. `is_dl`: the columns hold l (l + 1) / (2 pi) C_l; columns of the lensing
/// potential P, such as PP and TP, then have an additional factor sqrt(l (l + 1)) for each P (CAMB's convention).
/// Throws InputError, naming the file, for no columns, columns of different lengths, l that does not ascend by one, or
/// values that are not finite.
alm::SpectraTable table_of_rows(const SpectraRows& rows, bool is_dl, const std::string& path);

}  // namespace armilla::io
