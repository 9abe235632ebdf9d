#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <span>
#include <string>

namespace armilla::job {

/// The text of a job file as a plain struct, with `overrides` of the form "steps.0.analysis.lmax=128" put in. Looks at
/// no other file. `file` is for messages, and its folder is what relative paths in the job start from.
/// Throws InputError, naming file, line, key path, value and what is expected, or the nearest known key.
JobSpec parse_job(const std::string& text, const std::string& file, std::span<const std::string> overrides = {});

/// Collective. The text of a job file, read by the root, on all ranks. Throws InputError on all ranks alike.
std::string read_job_text(const comm::Communicator& comm, const std::string& file);

/// Document::contents() of the text of a job; empty where it is not YAML or an override leads nowhere.
std::string job_contents(const std::string& text, const std::string& file, std::span<const std::string> overrides);

/// Collective. The root reads the job file, every rank parses the same text. Throws InputError on all ranks alike.
JobSpec read_job(const comm::Communicator& comm, const std::string& file, std::span<const std::string> overrides = {});

}  // namespace armilla::job
