#pragma once

#include <armilla/core/types.hpp>
#include <armilla/io/metadata.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace armilla::io {

/// Removes white space at both ends.
std::string trimmed(std::string_view text);
std::string upper(std::string_view text);

/// Parts of a comma separated list, trimmed.
std::vector<std::string> split_list(std::string_view text);
std::string join_list(const std::vector<std::string>& parts);
/// One text per component. A single text may be a list with one entry per component; otherwise it applies to all of
/// them. Returns an empty vector for any other number of texts.
std::vector<std::string> per_component(const std::vector<std::string>& texts, std::size_t components);

/// The field in a map column of a FITS file: T, Q, U for the names that HEALPix, healpy and WMAP use (TEMPERATURE,
/// Q_POLARISATION, U-STOKES, ...), otherwise the name of the column.
std::string field_of_column(std::string_view column);
/// Like field_of_column(), but also returns T, Q, U for the inpainted maps of Planck's files (I_STOKES_INP,
/// Q_STOKES_INP, ...), which accompany those that field_of_column() finds.
std::string stokes_of_column(std::string_view column);
/// HEALPix's name for the column of a component: TEMPERATURE, Q_POLARISATION, U_POLARISATION, otherwise the name of the
/// field.
std::string column_of_field(const std::vector<std::string>& fields, std::size_t component);

/// Fields of a file that does not name them: T; Q, U; T, Q, U; else FIELD_1, FIELD_2, ...
std::vector<std::string> default_map_fields(Index components);
/// Coefficient version of default_map_fields(): T; E, B; T, E, B.
std::vector<std::string> default_alm_fields(Index components);
/// True if Q, U, E or B is among the fields, so that the sign convention of polarisation matters. U, V without Q are
/// winds.
bool is_polarised(const std::vector<std::string>& fields);

/// G, E or C for the spellings found in files; empty for none and `unknown`; other text is unchanged.
std::string coordsys_of(std::string_view text);
/// COSMO, IAU or empty. Throws InputError, naming the file, for any other text.
std::string polcconv_of(std::string_view text, const std::string& path);
/// Ordering for the value of its keyword. Throws InputError, naming the file, for text other than RING, NESTED or NEST.
Ordering ordering_of(std::string_view text, const std::string& path);
std::string_view ordering_name(Ordering ordering);
/// Empty if the file declares the unit as unknown.
std::string unit_of(std::string_view text);

/// TT, EE, BB, TE, TB, EB for the names of HEALPix (TEMPERATURE, GRADIENT, CURL, G-T, C-T, C-G) and for pairs of
/// letters in either order; other names are unchanged.
std::string spectrum_of_column(std::string_view column);
/// Positions of `names` with TT, EE, BB, TE, EB, TB first, in healpy's order, followed by the others in their original
/// order.
std::vector<std::size_t> healpy_order(const std::vector<std::string>& names);

}  // namespace armilla::io
