#pragma once

#include <armilla/comm/communicator.hpp>
#include <armilla/job/parse/expand_path.hpp>
#include <armilla/job/parse/job_source.hpp>
#include <armilla/job/parse/job_spec.hpp>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace armilla::job {

/// Values of a caller of the library, which a job reads from memory or leaves there.
struct CallerValues {
  std::map<std::string, ValueSort> given = {};  ///< by the names of their inputs, which need no file and no section
  std::vector<std::string> keep = {};  ///< JobSpec::keep; a job that keeps values needs neither steps nor outputs
};

/// Parses the text of a job file, with `overrides` of the form "steps.0.analysis.lmax=128" applied. Reads no other
/// file. `file` is for messages, and relative paths in the job start from its folder. Relative output paths start from
/// `output_dir` if it is not empty. Paths are expanded with `variables` (expand_path). Throws InputError, naming file,
/// line, key path, value and what was expected, or the nearest known key.
JobSpec parse_job(const std::string& text, const std::string& file, std::span<const std::string> overrides = {},
                  const std::string& output_dir = {}, const Variables& variables = environment_variable,
                  const CallerValues& caller = {});

/// Collective. The text of a job, read by the root and sent to all ranks. Throws the same InputError on all ranks.
std::string read_job_text(const comm::Communicator& comm, const JobSource& source);

/// Document::contents() of the text of a job; empty if it is not YAML or an override has an invalid path.
std::string job_contents(const std::string& text, const std::string& file, std::span<const std::string> overrides);

/// Collective. parse_job() of the same text on every rank, with the environment variables of the root. Throws the same
/// InputError on all ranks.
JobSpec parse_job_alike(const comm::Communicator& comm, const std::string& text, const std::string& file,
                        std::span<const std::string> overrides, const std::string& output_dir,
                        const CallerValues& caller = {});

/// Collective. parse_job_alike() for a job that the root reads.
JobSpec read_job(const comm::Communicator& comm, const JobSource& source, std::span<const std::string> overrides = {},
                 const std::string& output_dir = {});

}  // namespace armilla::job
