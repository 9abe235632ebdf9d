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

/// Parts of a comma separated list, trimmed. A part in double quotes may contain commas.
std::vector<std::string> split_list(std::string_view text);
/// The list that split_list() reads; parts with commas are quoted.
std::string join_list(const std::vector<std::string>& parts);
/// One text per component. If a single text is a comma separated list with one entry per component, these are its
/// entries; otherwise it applies to all components. Returns an empty vector for any other number of texts.
std::vector<std::string> per_component(const std::vector<std::string>& texts, std::size_t components);

/// The units of components in a text: if it is a list with one entry for each, these; otherwise one for all, which may
/// be quoted.
std::vector<std::string> units_in_list(std::string_view text, std::size_t components);

/// The field in a map column of a FITS file: T, Q, U for the names that HEALPix, healpy and WMAP use (TEMPERATURE,
/// Q_POLARISATION, U-STOKES, ...), otherwise the name of the column.
std::string field_of_column(std::string_view column);
/// Like field_of_column(), but also returns T, Q, U for the inpainted maps of Planck's files (I_STOKES_INP,
/// Q_STOKES_INP, ...), which accompany those that field_of_column() finds.
std::string stokes_of_column(std::string_view column);
/// The fields of columns of these names: field_of_column(). If several columns are the same field, only a column with
/// exactly the name of the field has it; the others keep their own names.
std::vector<std::string> fields_of_columns(const std::vector<std::string>& columns);
/// The components of a file that `name` denotes: those of exactly this name; if there are none, the field of this name;
/// then columns with that name in another case; then columns that are the same field (TEMPERATURE and I_STOKES are T).
/// Several components if the name is ambiguous, none if it is unknown.
std::vector<Index> components_named(const FieldMetadata& metadata, std::string_view name);
/// The names of components in the file, as a list for messages.
std::string names_of(const FieldMetadata& metadata, const std::vector<Index>& components);
/// HEALPix's name for the column of a component: TEMPERATURE; Q_POLARISATION and U_POLARISATION for Q and U of spin 2;
/// otherwise the name of the field.
std::string column_of_field(const FieldMetadata& metadata, std::size_t component);

/// Fields of a file that does not name them: T; Q, U; T, Q, U; else FIELD_1, FIELD_2, ...
std::vector<std::string> default_map_fields(Index components);
/// Coefficient version of default_map_fields(): T; E, B; T, E, B.
std::vector<std::string> default_alm_fields(Index components);

/// G, E or C for the spellings found in files; empty for none and `unknown`; other text is unchanged.
std::string coordsys_of(std::string_view text);
/// Ordering for the value of its keyword. Throws InputError, naming the file, for text other than RING, NESTED or NEST.
Ordering ordering_of(std::string_view text, const std::string& path);
std::string_view ordering_name(Ordering ordering);
/// A number in a header, which may be stored as text. Throws InputError, naming file and keyword, and the `key` of a
/// job that overrides it, for other text.
double header_number(std::string_view text, const char* keyword, const char* key, const std::string& path);
/// Like header_number(), for integers, which may be stored as floating point.
Index header_index(std::string_view text, const char* keyword, const char* key, const std::string& path);
/// Empty if the file declares the unit as unknown.
std::string unit_of(std::string_view text);
/// The unit as FITS spells it: with 'u' for the micro sign, which is not ASCII.
std::string fits_unit(std::string_view unit);
/// Whether the header of a FITS file can hold a text: up to 68 printable ASCII characters, of which quotes count twice.
bool fits_can_hold(std::string_view text);

/// TT, EE, BB, TE, TB, EB for the names of HEALPix (TEMPERATURE, GRADIENT, CURL, G-T, C-T, C-G) and for pairs of
/// letters in either order; other names are unchanged.
std::string spectrum_of_column(std::string_view column);
/// Positions of `names` with TT, EE, BB, TE, EB, TB first, in healpy's order, followed by the others in their original
/// order.
std::vector<std::size_t> healpy_order(const std::vector<std::string>& names);

}  // namespace armilla::io
