#pragma once

#include <armilla/job/value/source.hpp>
#include <armilla/transform/field_kind.hpp>

#include <vector>

namespace armilla::job {

/// The components of a source that an input reads.
struct ChosenFields {
  /// Named for results: T, Q, U instead of the columns I_STOKES_INP, Q_STOKES_INP, U_STOKES_INP, unless two components
  /// would then have the same name.
  transform::FieldKind kind = {};
  std::vector<Index> components = {};  ///< of the source, for each component of the kind
  /// For each component of the kind, whether the job, the header or a name defined by the format states its spin. If
  /// not, it is read as a scalar.
  std::vector<bool> states_spin = {};
};

/// Not collective. Spins follow from `fields` and `spin` of the input, otherwise from the source. Throws InputError
/// with the place of the input for components that the source does not have, for names that denote several columns, and
/// for names that are a pair in jobs (U, V) but are not known to be one in the source.
ChosenFields choose_fields(const InputSpec& input, const Described& described);

/// How messages name the source of an input: its file, or the name of the value.
std::string source_of(const InputSpec& input);

}  // namespace armilla::job
