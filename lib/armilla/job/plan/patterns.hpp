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
/// their files are there or not; files of wildcards are sorted by name. Throws InputError where a pattern cannot be
/// read, or matches nothing.
InputItems expand_pattern(const std::string& pattern);

/// Whether the name of an output has the placeholder `{}`.
bool has_placeholder(const std::string& file);
/// The name with `label` in place of all `{}`.
std::string with_label(const std::string& file, const std::string& label);

/// Collective. Finds the maps that the inputs of the job stand for, alike on all ranks. Throws InputError also where
/// inputs have different numbers of maps.
void expand_inputs(const comm::Communicator& comm, JobSpec& spec);

/// The labels of the maps of a campaign: those of its first pattern, else of its first batch axis; none where the job
/// is no campaign or has no such inputs.
std::vector<std::string> item_labels(const JobSpec& spec);

}  // namespace armilla::job
