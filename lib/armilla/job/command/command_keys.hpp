#pragma once

#include <armilla/job/parse/operation_kind.hpp>

#include <string>
#include <vector>

/// The keys of steps as command-line options.
namespace armilla::job {

/// Whether each member of a section is a separate option; a list of sections is a single option.
bool is_flat_section(const Key& key);

/// The option for a key path: "--fwhm-arcmin" for {"fwhm_arcmin"}, "--by-window" for {"by", "window"}.
std::string option_name(const std::vector<std::string>& path);

/// The keys of the step to which the first file of a command can belong, in table order. Empty if no operand of the
/// step can be read from a file.
std::vector<Key> first_operands(const OperationKind& kind);

/// Input keys that apply to the files of a command, except those that the step itself has. They belong to the first
/// operand, or to the analysis of a map given instead of coefficients. Keys with is_of_places() belong to the operand
/// `points`, if there is one.
std::vector<Key> input_keys_of(const OperationKind& kind);

/// Whether an input key describes the columns of positions.
bool is_of_places(const std::string& key);

/// Whether all operands of the step can be read from files; other steps are available only in jobs.
bool is_command(const OperationKind& kind);

}  // namespace armilla::job
