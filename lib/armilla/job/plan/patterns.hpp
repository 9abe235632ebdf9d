#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <string>

namespace armilla::job {

/// Whether a file name of a job stands for many: `{0000..0999}`, or the wildcards * ? [..], and no file of that very
/// name is there.
bool is_pattern(const std::string& file);

/// The files that a pattern stands for, and what tells each from the others: the number, with the width of the first
/// one, or what stood for the wildcards (all between the first and the last; / becomes _). Numbers ascend, whether
/// their files are there or not; files of wildcards are sorted by name. Throws InputError if a pattern cannot be
/// read, or matches nothing.
InputItems expand_pattern(const std::string& pattern);

/// Whether the name of an output has a placeholder, `{}` or `{:04}` (a number with at least 4 digits). Throws
/// InputError where it has one that is neither, such as `{:4}`; the text goes behind the name.
bool has_placeholder(const std::string& file);
/// Digits of the number of a map where an output has `{}`: those of the longest label where all labels are numbers that
/// ascend, so that names sort as the maps do; else 0, for labels as they are.
Index label_digits(const std::vector<std::string>& labels);
/// The name with `label` in place of all placeholders; those without a width of their own take `digits`. Throws
/// InputError, whose text goes behind the name, where a placeholder has a width and the label is not a number.
std::string with_label(const std::string& file, const std::string& label, Index digits = 0);

/// Collective. Finds the maps that the inputs of the job stand for, alike on all ranks. Throws InputError also where
/// inputs have different numbers of maps.
void expand_inputs(const comm::Communicator& comm, JobSpec& spec);

/// The labels of the maps of a campaign: those of its first pattern, else of its first batch axis; none if the job
/// is no campaign or has no such inputs.
std::vector<std::string> item_labels(const JobSpec& spec);

}  // namespace armilla::job
