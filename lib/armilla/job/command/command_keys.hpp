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

/// The input keys that apply to files of a command. With the name of an operand, as in `--mask.fields`, they are
/// options of its file. Without it, they hold for all files to which they apply (is_key_of), unless the step has that
/// key.
std::vector<Key> input_keys_of(const OperationKind& kind);

/// The operands of a step that can be read from files.
std::vector<Key> file_operands(const OperationKind& kind);

/// Whether an input key applies to a file of this type.
bool is_key_of(const std::string& key, ValueSort sort);

/// The types of files to which an input key applies, as text: "maps", "points and values".
std::string sorts_of_key(const std::string& key);

/// Whether an input key belongs to the analysis of a map instead, if the map is analysed.
bool is_of_analysis(const std::string& key);

/// Whether an input key without the name of an operand holds for the file of this operand of a step. Keys that select
/// or change components hold only for files that have the components of the first one.
bool holds_for(const OperationKind& kind, const std::string& key, const std::string& operand);

/// Whether all operands of the step can be read from files; other steps are available only in jobs.
bool is_command(const OperationKind& kind);

}  // namespace armilla::job
