#pragma once

#include <armilla/job/parse/operation.hpp>

#include <string>
#include <vector>

namespace armilla::job {

/// Whether the members of a section are options of their own; a list of sections is one option.
bool is_flat_section(const Key& key);

/// "--fwhm-arcmin" of {"fwhm_arcmin"}, "--by-window" of {"by", "window"}: the option for a key path.
std::string option_name(const std::vector<std::string>& path);

/// OperationKind::example as a command line: `armilla smooth sky.h5 --fwhm-arcmin 60 -o smooth_sky.h5`. For steps that
/// are commands (is_command).
std::string command_example(const OperationKind& kind);

}  // namespace armilla::job
