#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/metadata.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// Without white space at either end.
std::string trimmed(std::string_view text);
std::string upper(std::string_view text);

/// Parts of a comma separated list, trimmed.
std::vector<std::string> split_list(std::string_view text);
std::string join_list(const std::vector<std::string>& parts);
/// One text for each component: one text may be a list of as many parts as there are components, else it stands for all
/// of them. Nothing if there are other numbers of texts.
std::vector<std::string> per_component(const std::vector<std::string>& texts, std::size_t components);

/// The field that a map column of a FITS file holds: T, Q, U for the names that HEALPix, healpy and WMAP use
/// (TEMPERATURE, Q_POLARISATION, U-STOKES, ...), else the column's own name.
std::string field_of_column(std::string_view column);
/// The same, but T, Q, U also for the inpainted maps that Planck's files have beside those that field_of_column() finds
/// (I_STOKES_INP, Q_STOKES_INP, ...).
std::string stokes_of_column(std::string_view column);
/// HEALPix's name for the column of a component: TEMPERATURE, Q_POLARISATION, U_POLARISATION, else the field's own
/// name.
std::string column_of_field(const std::vector<std::string>& fields, std::size_t component);

/// Fields of a file that does not name them: T; Q, U; T, Q, U; else FIELD_1, FIELD_2, ...
std::vector<std::string> default_map_fields(Index components);
/// Likewise for coefficients: T; E, B; T, E, B.
std::vector<std::string> default_alm_fields(Index components);
/// True if Q, U, E or B is among the fields, so that the sign convention of polarisation matters; U, V without Q are
/// winds.
bool is_polarised(const std::vector<std::string>& fields);

/// G, E or C for the spellings found in files; empty for none and `unknown`; other text as it is.
std::string coordsys_of(std::string_view text);
/// COSMO, IAU or empty. Throws InputError, naming the file, for any other text.
std::string polcconv_of(std::string_view text, const std::string& path);
/// Ordering by its keyword. Throws InputError, naming the file, for text other than RING, NESTED or NEST.
Ordering ordering_of(std::string_view text, const std::string& path);
std::string_view ordering_name(Ordering ordering);
/// Empty if files say that they do not know.
std::string unit_of(std::string_view text);

/// TT, EE, BB, TE, TB, EB for the names of HEALPix (TEMPERATURE, GRADIENT, CURL, G-T, C-T, C-G) and for the pairs of
/// letters in either order; other names as they are.
std::string spectrum_of_column(std::string_view column);
/// Positions of `names` so that TT, EE, BB, TE, EB, TB come first in healpy's order and the rest follow as they stand.
std::vector<std::size_t> healpy_order(const std::vector<std::string>& names);

}  // namespace armilla::io
