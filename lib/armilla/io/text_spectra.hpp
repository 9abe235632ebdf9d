#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>
#include <vector>

namespace armilla::io {

/// Reads text: header lines starting with `#`, then rows of numbers. The last header line names the columns (L, TT, EE,
/// ...); a header line may give `unit: ...`. Throws InputError, naming file and line.
SpectraRows read_text_spectra(const std::string& path);

/// Formats spectra as such text, with full double precision.
std::string text_of_spectra(const alm::SpectraTable& spectra);

/// Bytes of the text of spectra with these names, up to the signs of numbers and exponents of three digits.
Index text_spectra_bytes(const std::vector<std::string>& names, Index lmax);

}  // namespace armilla::io
