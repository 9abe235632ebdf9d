#pragma once

#include <armilla/job/parse/operation_kind.hpp>

#include <string>

namespace armilla::job {

/// OperationKind::example as a command line: `armilla smooth sky.h5 --fwhm-arcmin 60 -o smooth_sky.h5`. For steps that
/// are commands (is_command).
std::string command_example(const OperationKind& kind);

}  // namespace armilla::job
