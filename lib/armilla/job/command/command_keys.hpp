#pragma once

#include <armilla/job/parse/operation.hpp>

#include <string>
#include <vector>

/// The keys of steps as options of a command line.
namespace armilla::job {

/// Whether the members of a section are options of their own; a list of sections is one option.
bool is_flat_section(const Key& key);

/// "--fwhm-arcmin" of {"fwhm_arcmin"}, "--by-window" of {"by", "window"}: the option for a key path.
std::string option_name(const std::vector<std::string>& path);

/// What a command takes first: the keys of the step that may stand for it, in their order. None: it has no operand that
/// a file can hold.
std::vector<Key> first_operands(const OperationKind& kind);

/// Keys of an input that the first operand may have, without those that the step itself has; where a map stands for
/// coefficients, also those of its analysis.
std::vector<Key> first_operand_keys(const OperationKind& kind);

/// Whether files hold all that the step needs; others are for jobs alone.
bool is_command(const OperationKind& kind);

}  // namespace armilla::job
