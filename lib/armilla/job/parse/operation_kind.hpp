#pragma once

#include <armilla/job/parse/document.hpp>
#include <armilla/job/parse/job_spec.hpp>
#include <armilla/job/parse/keys.hpp>
#include <armilla/job/parse/step_names.hpp>

#include <memory>
#include <string>
#include <vector>

namespace armilla::job {

/// An operation, and the names in it.
struct ParsedStep {
  std::shared_ptr<const Operation> operation;
  const StepNames* names;  ///< of `operation`
};

/// An operation that a job can use as a step. Parsing needs no more of it than this row.
struct OperationKind {
  std::string name;
  std::string help;       ///< what it does, in one line
  std::vector<Key> keys;  ///< of its section
  /// The operation, or the sequence of operations that it expands to. Throws InputError that names the place.
  std::vector<ParsedStep> (*parse)(const YamlValue& value, const ParseContext& context);
  std::string example = {};  ///< its section in a job, YAML in flow style
};

/// One row per operation, in job/steps/operations.cpp.
const std::vector<OperationKind>& operation_kinds();

}  // namespace armilla::job
