#pragma once

#include <armilla/alm/spectra_table.hpp>
#include <armilla/io/spectra_rows.hpp>

#include <string>

namespace armilla::io {

/// Text: lines that begin with `#`, of which the last names the columns (L, TT, EE, ...) and one may say `unit: ...`,
/// then rows of numbers. Throws InputError, naming file and line.
SpectraRows read_text_spectra(const std::string& path);

/// The same as text, with all digits of a double.
std::string text_of_spectra(const alm::SpectraTable& spectra);

}  // namespace armilla::io
