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

/// Keys of an input that the files of a command may have, without those that the step itself has: of the first operand,
/// and where a map stands for coefficients of its analysis; is_of_places() are of the operand `points`, if there is
/// one.
std::vector<Key> input_keys_of(const OperationKind& kind);

/// Whether a key of an input says what the columns of positions are.
bool is_of_places(const std::string& key);

/// Whether files hold all that the step needs; others are for jobs alone.
bool is_command(const OperationKind& kind);

}  // namespace armilla::job
