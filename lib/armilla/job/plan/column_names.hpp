#pragma once

#include <armilla/job/parse/job_spec.hpp>
#include <armilla/transform/field_kind.hpp>

#include <span>
#include <string>

namespace armilla::job {

/// What a job asks for, in the names under which a file's fields are known: Q_STOKES becomes Q where the file has that
/// and no Q_STOKES. Names of columns such as Q_STOKES_INP, U_STOKES_INP, one behind the other and with nothing said of
/// their spin, get spin 2.
FieldsSpec resolve_columns(FieldsSpec asked, std::span<const std::string> file_fields);

/// The field as results name it: T, Q, U in place of the names of columns such as I_STOKES_INP, Q_STOKES_INP and
/// U_STOKES_INP. As it is where two components would share a name.
transform::FieldKind named_for_results(const transform::FieldKind& kind);

}  // namespace armilla::job
