#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/value/source.hpp>

#include <string>

namespace armilla::job {

/// Whether a file name of a job is a pattern: it has `{0000..0999}` or the wildcards * ? [..], and no file with that
/// literal name exists.
bool is_pattern(const std::string& file);

/// The files that match a pattern, and their labels. A label is the number, with the width of the first one, or the
/// text that matched the wildcards (from the first to the last; / becomes _). Numbers ascend, whether or not their
/// files exist; files of wildcards are sorted by name. Throws InputError if a pattern cannot be parsed, or matches
/// nothing.
InputItems expand_pattern(const std::string& pattern);

/// Whether the name of an output has a placeholder, `{}` or `{:04}` (a number with at least 4 digits). Throws
/// InputError for an invalid placeholder, such as `{:4}`; its text is meant to follow the name.
bool has_placeholder(const std::string& file);
/// Number of digits of map indices for `{}` in an output name. If all labels are ascending numbers, it is the length of
/// the longest, so that names sort like the maps; otherwise 0, for unchanged labels.
Index label_digits(const std::vector<std::string>& labels);
/// The name with all placeholders replaced by `label`; those without a width use `digits`. Throws InputError if a
/// placeholder has a width and the label is not a number; its text is meant to follow the name.
std::string with_label(const std::string& file, const std::string& label, Index digits = 0);

/// Collective. Finds the maps of the inputs of the job, identically on all ranks. Throws InputError, also if inputs
/// have different numbers of maps, and if a name of a value is also that of a file. `sources`: of inputs that are not
/// in files.
void expand_inputs(const comm::Communicator& comm, JobSpec& spec, const Sources& sources = {});

/// The labels of the maps of a campaign: those of its first pattern, otherwise of its first batch axis. Empty if the
/// job is not a campaign or has no such inputs.
std::vector<std::string> item_labels(const JobSpec& spec);

}  // namespace armilla::job
