#pragma once

#include <armilla/job/value/source.hpp>
#include <armilla/job/value/value_info.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// The value that a job makes of an input.
struct InputValue {
  transform::FieldKind kind = {};      ///< of a field, or of the fields of spectra
  std::vector<Index> components = {};  ///< index in the source of each component of a field
  /// For each component of a field, whether the job or the source states its spin; if not, it is a scalar.
  std::vector<bool> states_spin = {};
  std::vector<std::string> units = {};
  Index lmax = 0, mmax = 0;  ///< of an alm, which may be truncated
};

/// Not collective. Selects the components of a source according to the keys of the input, and checks these. Throws
/// InputError with the place of the input.
InputValue input_value(const InputSpec& input, const Described& described);

/// Throws InputError for units that are not one per component or none, and for coordinates other than G, E, C or none.
/// `name`: of the value or file.
void check_facts(const std::string& name, const std::vector<std::string>& units, const std::string& coordsys,
                 Index components);

/// Throws InputError if coefficients of this name, kind and lmax cannot be stored in `convention`: unnormalised ones of
/// spin fields, or those with an lmax beyond the range of double.
void check_convention(const alm::Convention& convention, const std::string& name, const transform::FieldKind& kind,
                      Index lmax);

/// The kind requested by `fields`. Throws InputError that names the location.
transform::FieldKind kind_of(const FieldsSpec& fields, const Place& place);

}  // namespace armilla::job
