#pragma once

#include <armilla/job/parse/job_spec.hpp>
#include <armilla/transform/field_kind.hpp>

#include <span>
#include <string>

namespace armilla::job {

/// Maps the fields requested by a job to the names in a file: Q_STOKES becomes Q if the file has Q but no Q_STOKES.
/// Consecutive columns with names such as Q_STOKES_INP, U_STOKES_INP get spin 2 if no spin is specified.
FieldsSpec resolve_columns(FieldsSpec asked, std::span<const std::string> file_fields);

/// Field names for results: T, Q, U instead of column names such as I_STOKES_INP, Q_STOKES_INP and U_STOKES_INP. Names
/// are unchanged if two components would otherwise share a name.
transform::FieldKind named_for_results(const transform::FieldKind& kind);

}  // namespace armilla::job
